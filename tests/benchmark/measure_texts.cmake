# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DTEXTS=<recorded texts> -DWORK=<folder> -P measure_texts.cmake
# Prints how long the program `warpguard` takes for 1,000 kernels on 6 architectures: to write the header, to write the
# lock, and to compare with the lock. The input is 100 objects of ten kernels each, made from one recorded text.

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
set(request "warpguard-request 1\ntarget app\ncompiler nvcc 13.0.88\nheader ${WORK}/app.measured.hpp\nlock ${WORK}/app.lock\n")
string(APPEND request "reports ${WORK}\n")
foreach(object RANGE 1 100)
  string(REPLACE "OBJECT" "${object}" text "${all}")
  file(WRITE ${WORK}/${object}.cu.o "")
  file(WRITE ${WORK}/${object}.cu.o.ptxas "warpguard-ptxas-text 2\nobject 0 cbf29ce484222325\nargument nvcc\ntext\n${text}end\n")
  string(APPEND request "object ${WORK}/${object}.cu.o\n")
endforeach()
file(WRITE ${WORK}/request.txt "${request}")

foreach(step header "lock;update" "lock;check")
  set(stamp "")
  if(step MATCHES "check")
    set(stamp ${WORK}/stamp)
  endif()
  string(TIMESTAMP before "%s%f")
  execute_process(COMMAND ${PROGRAM} ${step} ${WORK}/request.txt ${stamp} RESULT_VARIABLE status ERROR_VARIABLE output)
  string(TIMESTAMP after "%s%f")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${step}: ${output}")
  endif()
  math(EXPR milliseconds "(${after} - ${before}) / 1000")
  string(REPLACE ";" " " step "${step}")
  message("1,000 kernels on 6 architectures, ${step}: ${milliseconds} ms")
endforeach()
