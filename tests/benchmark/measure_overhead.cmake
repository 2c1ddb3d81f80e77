# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DNVCC=... -DWORK=<folder> -P measure_overhead.cmake
# Prints what the launcher adds to compiling ten kernels, each for 6 architectures; the better of two runs each.

cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(codes "")
foreach(architecture 75 80 86 89 90 100)
  list(APPEND codes -gencode=arch=compute_${architecture},code=sm_${architecture})
endforeach()
foreach(kernel RANGE 1 10)
  file(WRITE ${WORK}/${kernel}.cu "__global__ void kernel_${kernel}(float* x) {
  float a[${kernel}];
  for (int i = 0; i < ${kernel}; ++i) a[i] = x[i * 32 + threadIdx.x];
  for (int i = 0; i < ${kernel}; ++i) x[i * 32 + threadIdx.x] = a[${kernel} - 1 - i] * a[i];
}
")
endforeach()
set(best_without 0)
set(best_with 0)
foreach(run 1 2)
  foreach(how without with)
    set(launcher "")
    if(how STREQUAL "with")
      set(launcher ${PROGRAM} compile)
    endif()
    string(TIMESTAMP before "%s%f")
    foreach(kernel RANGE 1 10)
      execute_process(COMMAND ${launcher} ${NVCC} ${codes} -c ${WORK}/${kernel}.cu -o ${WORK}/${kernel}.o
        RESULT_VARIABLE status)
      if(NOT status EQUAL 0)
        message(FATAL_ERROR "nvcc ended with ${status}")
      endif()
    endforeach()
    string(TIMESTAMP after "%s%f")
    math(EXPR milliseconds "(${after} - ${before}) / 1000")
    if(best_${how} EQUAL 0 OR milliseconds LESS best_${how})
      set(best_${how} ${milliseconds})
    endif()
  endforeach()
endforeach()
math(EXPR per_mille "(${best_with} - ${best_without}) * 1000 / ${best_without}")
message("ten kernels on 6 architectures: ${best_without} ms, with the launcher ${best_with} ms (${per_mille} per mille more)")
