# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -P profile.cmake
# `warpguard profile`: exports of Nsight Compute beside the model. profiles/README.md says where the exports are from.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/../measure/harness.cmake)
set(profiles ${CMAKE_CURRENT_LIST_DIR}/profiles)

macro(use)
  execute_process(COMMAND ${PROGRAM} profile ${ARGN} WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
endmacro()
# A member of the kernel `index` in JSON.
function(expect_member index member value)
  string(JSON found ERROR_VARIABLE error GET "${out}" kernels ${index} ${member})
  if(error OR NOT "${found}" STREQUAL "${value}")
    message(SEND_ERROR "kernel ${index}: ${member} is ${found}, not ${value}")
  endif()
endfunction()

# ---- a measured export: details page ---------------------------------------------------------------------------------

# Nsight Compute says 18.75 %, 1 block by registers and by shared memory, "1 full waves and a partial wave of 136 thread
# blocks".
use(${profiles}/details_100.csv --json)
must_exit("details" 0)
expect_member(0 compute_capability 100)
expect_member(0 threads_per_block 384)
expect_member(0 grid 288)
expect_member(0 registers_per_thread 168)
expect_member(0 dynamic_shared_memory 205696)
expect_member(0 sms 152)
expect_member(0 theoretical_percent 18.75)
expect_member(0 model_percent 18.75)
expect_member(0 model_agrees ON)
expect_member(0 blocks_per_sm 1)
expect_member(0 limited_by "registers+shared_memory")
expect_in("achieved_percent" "${out}" "\"achieved_percent\": 15.53,")
expect_member(0 falls_short ON)
use(${profiles}/details_100.csv)
expect_in("details" "${out}" "152 SMs is 1 full wave of 152 and a last one of 136")
expect_in("details" "${out}" "limited by registers and shared memory")
# 15.53 is 82.8 % of 18.75.
use(${profiles}/details_100.csv --margin 18)
expect_in("margin 18" "${out}" "0 of 1 kernel below 82 % ")
use(${profiles}/details_100.csv --margin 17)
expect_in("margin 17" "${out}" "1 of 1 kernel below 83 % ")

# ---- a measured export of 2020: no compute capability, no number of SMs ----------------------------------------------

use(${profiles}/details_70_of_2020.csv)
must_exit("2020" 0)
expect_in("2020" "${out}" "no model: the export does not say on which GPU: state it with --gpu")
use(${profiles}/details_70_of_2020.csv --gpu sm_70)
expect_in("2020 on 7.0" "${out}" "theoretical 93.75 %, as in the model: 10 blocks per SM, limited by warps")
expect_in("2020 on 7.0" "${out}" "waves are unknown")
# Nsight Compute says 0.63 waves: 506 of 800 blocks. 506 blocks of 6 warps are 37.95 of 64 warps on each of 80 SMs.
use(${profiles}/details_70_of_2020.csv --gpu "V100 SXM2")
expect_in("2020 on a V100" "${out}" "506 blocks on 80 SMs is less than one wave of 800: with blocks of equal length it would reach 59.3 %")
expect_in("2020 on a V100" "${out}" "guess: some blocks")

# ---- raw page --------------------------------------------------------------------------------------------------------

use(${profiles}/raw_90.csv --json)
must_exit("raw" 0)
string(JSON count LENGTH "${out}" kernels)
if(NOT count EQUAL 5)
  message(SEND_ERROR "raw: ${count} kernels, not 5")
endif()
# Two launches are one kernel. NVIDIA's calculator has 6 blocks, 75 %, for 256 threads, 40 registers, 16 KiB on 9.0.
expect_member(0 kernel "void app::sum<(int)256>(const float *, float *)")
expect_member(0 launches 2)
expect_member(0 blocks_per_sm 6)
expect_member(0 model_percent 75.0)
expect_member(0 shared_memory_is_rounded ON)
expect_in("achieved_percent" "${out}" "\"achieved_percent\": 46.8,")
# 1000 blocks are 792 and 208. An SM is busy in two waves, so it has 1000 / 264 blocks of 8 of its 64 warps on average.
expect_in("expected_of_grid_percent" "${out}" "\"expected_of_grid_percent\": 47.35,")
expect_member(0 falls_short ON)
expect_in("expected_of_grid_percent" "${out}" "\"expected_of_grid_percent\": 100.0,")
expect_member(2 falls_short OFF)
expect_member(3 model_agrees OFF)
expect_member(4 achieved_percent "")
expect_member(4 falls_short OFF)
use(${profiles}/raw_90.csv)
must_exit("raw" 0)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../docs/profile.md page)
expect_in("docs/profile.md" "${page}" "```text\n${out}```\n")
expect_in("raw" "${out}" "2 of 5 kernels below 90 % of the theoretical occupancy\nfor 1 kernel the model and the profiler disagree\n")
expect_in("raw" "${out}" "achieved 46.8 % on average, 46.4 to 47.2 %")
expect_in("raw" "${out}" "guess: it lasts only 3.2 us")
expect_in("raw" "${out}" "the profiler's theoretical occupancy is 50 %, the model's 75 %")
expect_in("raw" "${out}" "shared memory: the profiler allows 4 blocks, the model 13\n  guess: the launch had a smaller")
# The grid explains the first kernel, so nothing is guessed.
string(FIND "${out}" "SHORT void app::sum" first)
string(FIND "${out}" "SHORT tiny" second)
math(EXPR length "${second} - ${first}")
string(SUBSTRING "${out}" ${first} ${length} first)
expect_not_in("the grid explains it" "${first}" "guess:")

use(${profiles}/raw_90.csv --csv)
must_exit("CSV" 0)
string(REGEX MATCHALL "\n" lines "${out}")
list(LENGTH lines lines)
if(NOT lines EQUAL 6)
  message(SEND_ERROR "CSV has ${lines} lines:\n${out}")
endif()
expect_in("CSV" "${out}" "\"void app::sum<(int)256>(const float *, float *)\",90,2,256,1000,40,")
use(${profiles}/raw_90.csv --markdown)
must_exit("markdown" 0)
expect_in("markdown" "${out}" "| void app::sum\\<(int)256\\>(const float \\*, float \\*) | 90 | 2 | 256 | 1000 | 40 |")

# Standard input, line ends of Windows.
file(READ ${profiles}/raw_90.csv text)
string(REPLACE "\n" "\r\n" text "${text}")
file(WRITE "${WORK}/windows.csv" "${text}")
execute_process(COMMAND ${PROGRAM} profile - INPUT_FILE "${WORK}/windows.csv"
  RESULT_VARIABLE status OUTPUT_VARIABLE windows ERROR_VARIABLE output)
must_exit("standard input" 0)
use(${profiles}/raw_90.csv)
if(NOT windows STREQUAL out)
  message(SEND_ERROR "line ends of Windows change the answer:\n${windows}")
endif()

# A summary has averages of all launches. 2048 threads on 7.5 are 1024 per SM: 3 blocks of 320 threads are 30 of 32 warps.
file(WRITE "${WORK}/summary.csv" [=["Process ID","Process Name","Host Name","Kernel Name","Block Size","Grid Size","Device","CC","Invocations","Section Name","Metric Name","Metric Unit","Minimum","Maximum","Average"
"1","a","h","f(int)","(320, 1, 1)","(4096, 1, 1)","0","7.5","14","Launch Statistics","Registers Per Thread","register/thread","32","32","32"
"1","a","h","f(int)","(320, 1, 1)","(4096, 1, 1)","0","7.5","14","Occupancy","Theoretical Occupancy","%","93.75","93.75","93.75"
"1","a","h","f(int)","(320, 1, 1)","(4096, 1, 1)","0","7.5","14","Occupancy","Achieved Occupancy","%","89.56","91.38","90.92"
]=])
use(summary.csv --json)
must_exit("summary" 0)
expect_member(0 launches 14)
expect_member(0 model_percent 93.75)
expect_in("achieved_percent" "${out}" "\"achieved_percent\": 90.92,")

# On 9.0 two blocks fit up to 115712 bytes each, and 115713 leave one: docs/errors.md has it too. 115.71 Kbyte is either.
set(columns [=["ID","Kernel Name","Block Size","Grid Size","CC","Section Name","Metric Name","Metric Unit","Metric Value"]=])
set(kernel [=["0","f(int)","(256, 1, 1)","(64, 1, 1)","9.0"]=])
string(CONCAT rounded "${columns}\n${kernel},\"L\",\"Registers Per Thread\",\"register/thread\",\"32\"\n"
  "${kernel},\"L\",\"Dynamic Shared Memory Per Block\",\"Kbyte/block\",\"115.71\"\n")
file(WRITE "${WORK}/rounded.csv" "${rounded}")
use(rounded.csv)
must_exit("rounded" 0)
expect_in("rounded" "${out}" "the model allows 1 or 2 blocks: export with --print-units base")
foreach(blocks 1 2)
  math(EXPR eighths "125 * ${blocks}")  # a block has 8 of 64 warps
  file(WRITE "${WORK}/rounded.csv"
    "${rounded}${kernel},\"Occupancy\",\"Theoretical Occupancy\",\"%\",\"${eighths}e-1\"\n")
  use(rounded.csv --json)
  must_exit("rounded" 0)
  expect_member(0 blocks_per_sm ${blocks})
  expect_member(0 model_agrees ON)
endforeach()

# ---- beside a lock, and beside a log ---------------------------------------------------------------------------------

file(WRITE "${WORK}/build.log" "ptxas info    : Compiling entry function '_ZN3app3sumILi256EEEvPKfPf' for 'sm_90'
ptxas info    : Function properties for _ZN3app3sumILi256EEEvPKfPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 38 registers, used 1 barriers, 16384 bytes smem, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_Z4tinyPf' for 'sm_90'
ptxas info    : Function properties for _Z4tinyPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_ZN12_GLOBAL__N_14goodEPf' for 'sm_80'
ptxas info    : Function properties for _ZN12_GLOBAL__N_14goodEPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]
")
execute_process(COMMAND ${PROGRAM} lock update kernels.lock --from build.log WORKING_DIRECTORY ${WORK}
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
must_exit("recording" 0)
foreach(source "--lock;kernels.lock" "--from;build.log" "--from;kernels.lock")
  use(${profiles}/raw_90.csv ${source})
  list(GET source 1 file)
  must_exit("${source}" 0)
  expect_in("${source}" "${out}" "${file} (sm_90) has 38 registers and not 40: another build, or another launch")
  expect_in("${source}" "${out}" "${file} (sm_90) has the same numbers")
  expect_in("${source}" "${out}" "${file} has no such kernel for this architecture")
endforeach()
use(${profiles}/raw_90.csv --lock build.log)
must_exit("no lock" 3)
expect_in("no lock" "${output}" "--lock: build.log is no lock")
use(${profiles}/raw_90.csv --lock nowhere.lock)
must_exit("no file" 3)
use(${profiles}/raw_90.csv --lock kernels.lock --from build.log)
must_exit("both" 2)

# Nsight Compute writes the type of a template argument; the lock does not.
foreach(pair "_Z4tileILi4EEvPf;void tile<(int)4>(float *)" "_Z4tileILi64EEvPf;void tile<(int)64>(float *)"
    "_Z4downILin1EEvPf;void down<(int)-1>(float *)" "_Z4flagILb1EEvPf;void flag<(bool)1>(float *)"
    "_Z4flagILb0EEvPf;void flag<(bool)0>(float *)")
  list(GET pair 0 symbol)
  list(GET pair 1 name)
  file(WRITE "${WORK}/cast.log" "ptxas info    : Compiling entry function '${symbol}' for 'sm_90'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]
")
  foreach(profiled "${name}" "void tile<(int)5>(float *)")
    string(REPLACE "f(int)" "${profiled}" row "${kernel}")
    file(WRITE "${WORK}/cast.csv" "${columns}\n${row},\"L\",\"Registers Per Thread\",\"register/thread\",\"32\"\n")
    use(cast.csv --from cast.log)
    must_exit("${profiled}" 0)
    if(profiled STREQUAL name)
      expect_in("${profiled}" "${out}" "cast.log (sm_90) has the same numbers")
    else()
      expect_in("${profiled}" "${out}" "cast.log has no such kernel for this architecture")
    endif()
  endforeach()
endforeach()

# ---- bad input -------------------------------------------------------------------------------------------------------

function(refuse name text part)
  file(WRITE "${WORK}/bad.csv" "${text}")
  use(bad.csv)
  must_exit("${name}" 3)
  expect_in("${name}" "${output}" "${part}")
  if(NOT out STREQUAL "")
    message(SEND_ERROR "${name}: printed an answer:\n${out}")
  endif()
endfunction()
set(kernel [=["0","f(int)","(256, 1, 1)","(64, 1, 1)","8.0"]=])
refuse("empty" "" "bad.csv: the file is empty")
refuse("another text" "hello\n" "no CSV of Nsight Compute")
refuse("no numbers" "Kernel Name,Grid Size\nf,\"(1, 1, 1)\"\n" "there is no row with the columns `ID` and `Kernel Name`")
refuse("no kernel" "==WARNING== No kernels were profiled.\n" "no kernel was profiled")
refuse("only a header" "${columns}\n" "bad.csv: the export has no kernel")
refuse("Nsight Systems" "Time (%),Total Time (ns),Instances,Name\n100.0,1,1,f\n" "from Nsight Systems")
refuse("nvprof" "==1== NVPROF is profiling process 1\n\"Device\",\"Kernel\",\"Invocations\"\n" "from nvprof")
refuse("cut in a cell" "${columns}\n${kernel},\"Occupancy\",\"Theoretical Occ" "bad.csv:2: the file is cut: a quotation mark")
refuse("cut in a row" "${columns}\n${kernel},\"Occupancy\",\"Theoretical Occupancy\"\n" "bad.csv:2: the file is cut: this row has 7 of 9")
refuse("decimal comma" "${columns}\n${kernel},\"Occupancy\",\"Achieved Occupancy\",\"%\",\"65,77\"\n" "bad.csv:2: `Achieved Occupancy` is `65,77`, where only a number such as 1,234.5 can be read")
refuse("half a register" "${columns}\n${kernel},\"L\",\"Registers Per Thread\",\"\",\"40.5\"\n" "`40.5`, which is no whole number")
refuse("a huge number" "${columns}\n${kernel},\"L\",\"Registers Per Thread\",\"\",\"10000000000000000000000000000000\"\n" "Registers Per Thread")
refuse("a negative number" "${columns}\n${kernel},\"L\",\"Registers Per Thread\",\"\",\"-1\"\n" "Registers Per Thread")
refuse("other metrics" "${columns}\n${kernel},\"\",\"dram__bytes.sum\",\"Mbyte\",\"10.24\"\n" "profile with ncu --section LaunchStats --section Occupancy")
# A report is binary. The end of this one is cut.
execute_process(COMMAND printf "NVR\\000\\001\\002" OUTPUT_FILE "${WORK}/x.ncu-rep")
use(x.ncu-rep)
must_exit("report" 3)
expect_in("report" "${output}" "ncu --import x.ncu-rep --csv --page raw --print-units base")
use(nowhere.csv)
must_exit("no file" 3)
expect_in("no file" "${output}" "nowhere.csv: cannot be read")
use(${WORK})
must_exit("a folder" 3)
use(${profiles}/raw_90.csv --gpu A10)
must_exit("another GPU" 3)
expect_in("another GPU" "${output}" "--gpu: this kernel ran on 9.0, and not on A10 (sm_86)")
foreach(arguments "--gpu;H1000" "--margin;101" "--margin;-1" "--json;--csv")
  use(${profiles}/raw_90.csv ${arguments})
  must_exit("${arguments}" 2)
endforeach()
use()
must_exit("nothing" 2)

# 255 registers of 1024 threads do not fit; an export says so only if it was edited.
file(WRITE "${WORK}/edited.csv" "${columns}\n\"0\",\"f(int)\",\"(1024, 1, 1)\",\"(64, 1, 1)\",\"8.0\",\"L\",\"Registers Per Thread\",\"\",\"255\"\n")
use(edited.csv)
must_exit("edited" 0)
expect_in("edited" "${out}" "no block of this kernel fits")

# Every beginning of an export is read or refused, and never ends the program in another way.
file(READ ${profiles}/details_100.csv text)
string(LENGTH "${text}" length)
math(EXPR last "${length} - 1")
foreach(end RANGE 0 ${last} 97)
  string(SUBSTRING "${text}" 0 ${end} part)
  file(WRITE "${WORK}/part.csv" "${part}")
  use(part.csv)
  if(NOT status MATCHES "^[03]$")
    message(SEND_ERROR "the first ${end} bytes: exit code ${status}:\n${output}")
  endif()
endforeach()
