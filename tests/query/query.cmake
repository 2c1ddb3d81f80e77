# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DROOT=<repository> -DWORK=<folder> -P query.cmake
# Tests `warpguard query`: worked examples, ranges, formats, and kernels from logs, locks and objects.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

# ---- worked examples -------------------------------------------------------------------------------------------------

# A warp has 40 x 32 = 1280 registers, a block of 8 warps 10240: 65536 / 10240 = 6.4. With 32 registers, 8 blocks have all
# 64 warps. A block has 1 KiB more than it asks for, in units of 128 bytes: 6 x (37888 + 1024) are all 233472 bytes.
ask(query --gpu sm_90 --threads 256 --registers 40 --shared 16k)
expect_in("the example" "${out}" "sm_90: 256 threads, 40 registers, 16384 bytes of shared memory\n")
expect_in("the example" "${out}" "  6 blocks per SM, 48 of 64 warps, 75 %, limited by registers\n")
expect_in("the example" "${out}" "  registers            6      10240    65536  <- limits\n")
expect_in("the next step" "${out}" "    32 registers (8 fewer): 8 blocks, 100 %\n")
expect_in("the step back" "${out}" "    37889 bytes (21505 more): 5 blocks, 62.5 %\n")
ask(query --gpu sm_90 --threads 256 --registers 40 --shared 37889)
expect_in("a byte too many" "${out}" "  5 blocks per SM, 40 of 64 warps, 62.5 %, limited by shared memory\n")
expect_in("a byte too many" "${out}" "    37888 bytes (1 fewer): 6 blocks, 75 %\n")

# 128 threads with 85 registers on 5.2: NVIDIA's spreadsheet says 4 with partitioned caching; without it they are 5.
ask(query --gpu 5.2 --threads 128 --registers 85 --json)
expect_json(5 answers 0 blocks_per_sm)
ask(query --gpu sm_90 --threads 2000)
expect_in("too many threads" "${out}" "cannot run: a block has too many threads, or none\n")

# Percentages: 5 x 5 of 32, 5 x 8 of 48, 9 x 5 of 64 warps.
foreach(case "sm_75;160;72;78.13" "sm_86;256;48;83.33" "sm_90;160;40;70.31" "sm_86;96;48;81.25" "sm_90;256;40;75"
    "sm_90;32;255;12.5")
  list(POP_FRONT case gpu threads registers percent)
  ask(query --gpu ${gpu} --threads ${threads} --registers ${registers})
  expect_in("${gpu}, ${threads} threads" "${out}" " warps, ${percent} %, limited by ")
endforeach()

# A grid: 800 blocks on 132 x 6 slots (docs/answers.md).
ask(query --gpu "H100 SXM" --threads 256 --registers 40 --grid 800)
expect_in("waves" "${out}"
  "a grid of 800 blocks on 132 SMs: 1 full wave, of 792 blocks each, and a last one of 8 blocks, 1.01 % of the slots\n")
expect_in("waves" "${out}" "all waves use 50.51 % of the slots; whole waves: 792 or 1584 blocks\n")
ask(query --gpu "H100 SXM" --threads 256 --registers 40 --grid 9223372036854775807)
expect_in("the largest grid" "${out}"
  "all waves use 100 % of the slots; whole waves: 9223372036854775800 or 9223372036854776592 blocks\n")

# ---- ranges ----------------------------------------------------------------------------------------------------------

# 12 warps of 1280 registers fit each quarter of the registers of 9.0, so a block of w warps has 48 / w blocks, at most 32.
ask(query --gpu sm_90 --threads 32..1024 --registers 40 --json)
string(JSON count LENGTH "${out}" answers)
expect_equal("sizes" ${count} 32)
foreach(warps RANGE 1 32)
  math(EXPR at "${warps} - 1")
  math(EXPR threads "32 * ${warps}")
  math(EXPR blocks "48 / ${warps}")
  if(blocks GREATER 32)
    set(blocks 32)
  endif()
  expect_json(${threads} answers ${at} threads_per_block)
  expect_json(${blocks} answers ${at} blocks_per_sm)
endforeach()
ask(query --gpu sm_90 --threads 100..200 --csv)
read_csv()
set(sizes "")
foreach(line IN LISTS lines)
  cell_in(threads "${line}" threads_per_block)
  list(APPEND sizes ${threads})
endforeach()
expect_equal("a range that begins between warps" "${sizes}" "100;128;160;192")
ask(query --gpu sm_90 --gpu sm_86 --threads 256 --registers 30..34)
foreach(line "           32       8     64    100  ################################  " "           33       6     48     75  ########################  ")
  expect_in("registers" "${out}" "\n${line}")
endforeach()
expect_in("two GPUs" "${out}" "\n\nsm_86: 256 threads\n")
ask(query --gpu sm_90 --threads 256..512 --registers 40 --shared 1k --dynamic-shared 2k)
expect_in("what does not vary" "${out}" "sm_90: 40 registers, 3072 bytes of shared memory\n")

# ---- what reaches a residency (docs/answers.md) ----------------------------------------------------------------------

ask(query --gpu sm_90 --threads 256 --registers 80 --want-occupancy 75)
expect_in("75 %" "${out}" "  wanted, 6 blocks, with one change:\n    40 registers or fewer: 6 blocks, 75 %\n")
ask(query --gpu sm_90 --threads 256 --registers 80 --dynamic-shared 50k --want-blocks 4 --json)
expect_json(64 answers 0 wanted single_changes 0 registers_per_thread)
ask(query --gpu sm_90 --threads 256 --registers 80 --dynamic-shared 50k --want-blocks 5)
expect_in("two limits" "${out}" "  wanted, 5 blocks: no single change reaches it\n  together:\n")
expect_in("two limits" "${out}" "    48 registers or fewer, 45568 bytes of shared memory or fewer: 5 blocks, 62.5 %\n")
ask(query --gpu sm_90 --threads 256 --registers 80 --want-blocks 3)
expect_in("reached" "${out}" "  wanted, 3 blocks: reached\n")
ask(query --gpu sm_90 --threads 256 --want-blocks 1000)
expect_in("impossible" "${out}" "  wanted, 1000 blocks: no change reaches it\n")

# A single change of registers is enough, and one register more is not.
foreach(case "sm_90;256;80;5" "sm_86;192;72;6" "sm_75;512;72;2" "sm_120;128;168;4" "sm_60;96;100;9" "sm_35;256;90;7")
  list(POP_FRONT case gpu threads registers wanted)
  ask(query --gpu ${gpu} --threads ${threads} --registers ${registers} --want-blocks ${wanted} --json)
  string(JSON enough GET "${out}" answers 0 wanted single_changes 0 registers_per_thread)
  math(EXPR too_many "${enough} + 1")
  ask(query --gpu ${gpu} --threads ${threads} --registers ${enough}..${too_many} --json)
  string(JSON with GET "${out}" answers 0 blocks_per_sm)
  string(JSON without GET "${out}" answers 1 blocks_per_sm)
  if(NOT enough LESS registers OR with LESS wanted OR NOT without LESS wanted)
    message(SEND_ERROR "${gpu}, ${threads} threads: ${enough} registers give ${with} of ${wanted} blocks, and one more ${without}")
  endif()
endforeach()

# ---- formats ---------------------------------------------------------------------------------------------------------

set(question query --gpu "H100 SXM" --gpu sm_86 --threads 256 --registers 40 --shared 16k)
ask(${question} --json)
expect_json(1 version)
expect_json(6 answers 0 blocks_per_sm)
expect_json(5 answers 1 blocks_per_sm)
expect_json(shared_memory answers 1 limited_by)
expect_json(32 answers 0 next_steps registers_per_thread more_blocks amount)
expect_json(8 answers 0 next_steps registers_per_thread more_blocks blocks_per_sm)
expect_json(21504 answers 0 next_steps shared_memory headroom)
string(JSON members LENGTH "${out}" answers 0)
math(EXPR last "${members} - 1")
set(names "")
foreach(at RANGE ${last})
  string(JSON name MEMBER "${out}" answers 0 ${at})
  list(APPEND names ${name})
endforeach()
list(REMOVE_ITEM names next_steps)
list(SORT names)
ask(${question} --csv)
read_csv()
set(sorted ${columns})
list(SORT sorted)
expect_equal("CSV has the members of JSON" "${sorted}" "${names}")
list(GET lines 0 line)
cell_in(blocks "${line}" blocks_per_sm)
cell_in(gpu "${line}" gpu)
expect_equal("CSV" "${gpu}: ${blocks}" "H100 SXM (sm_90): 6")
ask(${question} --markdown)
string(REPLACE "\n" ";" rows "${out}")
list(FILTER rows EXCLUDE REGEX "^$")
list(LENGTH rows count)
expect_equal("rows of markdown" ${count} 4)
list(LENGTH columns expected)
math(EXPR expected "${expected} + 1")
foreach(row IN LISTS rows)
  count_in(bars "${row}" "|")
  expect_equal("columns of markdown" ${bars} ${expected})
endforeach()
must_refuse(2 "" ${question} --json --csv)

# ---- kernels of a build ----------------------------------------------------------------------------------------------

set(text "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z3sumPf' for 'sm_90'
ptxas info    : Function properties for _Z3sumPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_Z4copyPf' for 'sm_86'
ptxas info    : Function properties for _Z4copyPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 48 registers, used 1 barriers, 360 bytes cmem[0]
")
file(WRITE "${WORK}/build.log" "${text}")
file(MAKE_DIRECTORY "${WORK}/objects")
write_object(objects/a.o "" "${text}")
use(lock update kernels.lock --from build.log)
foreach(from build.log kernels.lock objects objects/a.o)
  ask(query --from ${from} --kernel sum --threads 256)
  expect_in("from ${from}" "${out}" "sum(float*) on sm_90: 256 threads, 40 registers\n  6 blocks per SM, 48 of 64 warps, 75 %")
  expect_not_in("from ${from}" "${out}" "copy")
  ask(query --from ${from} --threads 256 --json)
  string(JSON count LENGTH "${out}" answers)
  expect_equal("kernels from ${from}" ${count} 2)
  ask(query --from ${from} --gpu sm_86 --threads 256 --csv)
  read_csv()
  list(LENGTH lines count)
  cell_in(kernel "${lines}" kernel)
  cell_in(blocks "${lines}" blocks_per_sm)
  expect_equal("kernels of 8.6 from ${from}" "${count} ${kernel} ${blocks}" "1 copy(float*) 5")
  # The threads are not known, so all block sizes are shown; what the user states replaces what was measured.
  ask(query --from ${from} --kernel sum --json)
  string(JSON count LENGTH "${out}" answers)
  expect_equal("block sizes from ${from}" ${count} 32)
  ask(query --from ${from} --kernel sum --threads 256 --registers 32 --json)
  expect_json(8 answers 0 blocks_per_sm)
  must_refuse(3 "the block size of sum(float*) is not known: state it with --threads" query --from ${from} --kernel sum
    --want-blocks 2)
  must_refuse(3 "the block size of sum(float*) is not known" query --from ${from} --kernel sum --registers 32..40)
  must_refuse(3 "no kernel has `no_such` in its name" query --from ${from} --kernel no_such --threads 256)
  must_refuse(3 "no kernel has `sum` in its name, compiled for these GPUs" query --from ${from} --kernel sum --gpu sm_75
    --threads 256)
endforeach()
must_refuse(3 "no_such.log" query --from no_such.log)
file(WRITE "${WORK}/other.csv" "ID,Kernel Name,Metric\n0,sum,1\n")
must_refuse(3 "other.csv" query --from other.csv)

if(EXISTS /dev/full)
  foreach(command "query --gpu sm_90 --threads 256" gpus "peak --gpu T4" "sweep --gpu T4")
    execute_process(COMMAND sh -c "'${PROGRAM}' ${command} > /dev/full" RESULT_VARIABLE status ERROR_VARIABLE output)
    expect_equal("a full disk: ${command}" "${status}" 3)
    expect_in("a full disk: ${command}" "${output}" "cannot write standard output")
  endforeach()
endif()

# ---- bad input -------------------------------------------------------------------------------------------------------

must_refuse(2 "--gpu: state at least one GPU" query)
must_refuse(2 "--threads: state the threads of a block" query --gpu sm_90)
must_refuse(2 "--gpu: `RTX 4091` is no known GPU. Similar: RTX 4090" query --gpu "RTX 4091" --threads 256)
must_refuse(2 "--gpu: `sm_91` is no known GPU" query --gpu sm_91 --threads 256)
must_refuse(2 "--threads: `512..64` ends before it begins: write 64..512" query --gpu sm_90 --threads 512..64)
foreach(bad 16kb 16m -1 1e3 1.5k 2000000k)
  must_refuse(2 "--shared: `${bad}` is no number of bytes" query --gpu sm_90 --threads 256 --shared ${bad})
endforeach()
foreach(bad -1 abc 1000000000000000000000000000000 256.0 0x100)
  must_refuse(2 "--threads: `${bad}` is no whole number" query --gpu sm_90 --threads ${bad})
endforeach()
must_refuse(2 "`` is no whole number" query --gpu sm_90 --threads 64..)
must_refuse(2 "a range may have at most 4096" query --gpu sm_90 --threads 1..999999999)
must_refuse(2 "only one amount may be a range" query --gpu sm_90 --threads 32..64 --registers 16..32)
must_refuse(2 "--grid" query --gpu "H100 SXM" --threads 256 --grid 0)
must_refuse(2 "--grid" query --gpu "H100 SXM" --threads 256 --grid -5)
must_refuse(2 "--grid: H100 (sm_90) is no single product" query --gpu H100 --threads 256 --grid 800)
must_refuse(2 "--grid: cannot be combined with a range" query --gpu "H100 SXM" --threads 32..64 --grid 800)
must_refuse(2 "--barriers" query --gpu sm_90 --threads 256 --barriers 65)
must_refuse(2 "--carveout" query --gpu sm_90 --threads 256 --carveout 101)
must_refuse(2 "--kernel: needs --from" query --gpu sm_90 --threads 256 --kernel sum)
must_refuse(2 "--want-blocks" query --gpu sm_90 --threads 256 --want-blocks 0)
foreach(bad 0 101 100.01 0.001 nan -1 5. .5)
  must_refuse(2 "--want-occupancy: `${bad}` is no percentage" query --gpu sm_90 --threads 256 --want-occupancy ${bad})
endforeach()
must_refuse(2 "--want-occupancy" query --gpu sm_90 --threads 256 --want-occupancy 50 --want-blocks 2)
must_refuse(2 "--want-blocks: cannot be combined with a range" query --gpu sm_90 --threads 32..64 --want-blocks 2)
must_refuse(2 "--want-blocks: its answers are lists" query --gpu sm_90 --threads 32 --want-blocks 2 --csv)
