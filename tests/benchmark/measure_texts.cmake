# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DTEXTS=<recorded texts> -DWORK=<folder> -P measure_texts.cmake
# Prints how long the program `warpguard` takes for 1,000 kernels on 6 architectures: to write the header, to write the
# lock, to compare with the lock, and to write the reports. The input is 100 objects of ten kernels each, made from one
# recorded text. Also prints how long it takes to compare 100,002 pairs of a kernel and an
# architecture with their lock, in which every tenth kernel got worse.

cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(READ ${TEXTS}/cuda_13_0.sm_80.txt recorded)
string(FIND "${recorded}" "ptxas info    : Compiling entry function 'spilling'" at)
string(SUBSTRING "${recorded}" ${at} -1 one)

set(all "")
foreach(architecture 75 80 86 89 90 100)
  foreach(kernel RANGE 0 9)
    string(REPLACE "sm_80" "sm_${architecture}" text "${one}")
    string(REPLACE "spilling" "_ZN3app6kernelILiOBJECTELi${kernel}EEEvPf" text "${text}")
    string(APPEND all "${text}")
  endforeach()
endforeach()
set(request "warpguard-request 1\ntarget app\nname app\ncompiler nvcc 13.0.88\nheader ${WORK}/app.measured.hpp\nlock ${WORK}/app.lock\n")
string(APPEND request "reports ${WORK}\n")
foreach(object RANGE 1 100)
  string(REPLACE "OBJECT" "${object}" text "${all}")
  file(WRITE ${WORK}/${object}.cu.o "")
  file(WRITE ${WORK}/${object}.cu.o.ptxas "warpguard-ptxas-text 2\nobject 0 cbf29ce484222325\nargument nvcc\ntext\n${text}end\n")
  string(APPEND request "object ${WORK}/${object}.cu.o\n")
endforeach()
file(WRITE ${WORK}/request.txt "${request}")

# Prints how long a command takes. Its exit code must be one of `codes`.
function(take_time what codes)
  string(TIMESTAMP before "%s%f")
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE printed ERROR_VARIABLE output)
  string(TIMESTAMP after "%s%f")
  if(NOT status MATCHES "^(${codes})$")
    message(FATAL_ERROR "${what}: ${output}")
  endif()
  math(EXPR milliseconds "(${after} - ${before}) / 1000")
  message("${what}: ${milliseconds} ms")
endfunction()
set(many "1,000 kernels on 6 architectures")
take_time("${many}, header" 0 header ${WORK}/request.txt)
take_time("${many}, lock update" 0 lock update ${WORK}/app.lock --from ${WORK}/request.txt)
take_time("${many}, lock check" 0 lock check ${WORK}/app.lock --from ${WORK}/request.txt)
take_time("${many}, check and reports" 0 check ${WORK}/request.txt)

# 16,667 kernels on 6 architectures. The locks are recorded from logs, because CMake is slow at computing their digest.
foreach(side old new)
  set(log "")
  foreach(kernel RANGE 1 16667)
    set(registers 32)
    if(side STREQUAL new AND kernel MATCHES "0$")
      set(registers 80)
    endif()
    string(LENGTH "kernel${kernel}" length)
    set(symbol _ZN3app${length}kernel${kernel}EPf)
    foreach(architecture 75 80 86 89 90 100)
      string(APPEND log "ptxas info    : Compiling entry function '${symbol}' for 'sm_${architecture}'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]\n")
    endforeach()
    if(kernel MATCHES "000$" OR kernel EQUAL 16667)  # appending to a long string is slow
      file(APPEND ${WORK}/${side}.log "${log}")
      set(log "")
    endif()
  endforeach()
  execute_process(COMMAND ${PROGRAM} lock update ${WORK}/${side}.lock --from ${WORK}/${side}.log
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
take_time("100,002 kernels and architectures, diff of two locks" 1 diff ${WORK}/old.lock ${WORK}/new.lock)
take_time("100,002 kernels and architectures, diff --markdown" 1 diff ${WORK}/old.lock ${WORK}/new.lock --markdown)
take_time("100,002 kernels and architectures, lock check" 1 lock check ${WORK}/old.lock --from ${WORK}/new.log)
