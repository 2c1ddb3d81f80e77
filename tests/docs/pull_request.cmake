# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DPROGRAM=<warpguard> -DNVCC=<nvcc> -DWORK=<folder> -P pull_request.cmake
# The locks in tests/docs/pull_request, which README's picture of a pull request compares, are what nvcc 13.0.88 makes
# of the kernel. Another version of nvcc uses other registers; then this test is skipped.

cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE version)
if(NOT version MATCHES "V13\\.0\\.88")
  message(STATUS "SKIPPED: the locks are of nvcc 13.0.88")
  return()
endif()
file(MAKE_DIRECTORY ${WORK})
set(folder ${ROOT}/tests/docs/pull_request)
foreach(state before:24 after:32)
  string(REGEX REPLACE "(.*):(.*)" "\\1;\\2" state "${state}")
  list(POP_FRONT state name terms)
  execute_process(COMMAND ${PROGRAM} compile -- ${NVCC} -std=c++17 -DTERMS=${terms}
      -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -c -o ${WORK}/${name}.o polynomials.cu
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${output}")
  endif()
  execute_process(COMMAND ${PROGRAM} lock check ${name}.lock --from ${WORK}/${name}.o --strict
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "tests/docs/pull_request/${name}.lock is not what nvcc makes of the kernel:\n${output}")
  endif()
endforeach()
