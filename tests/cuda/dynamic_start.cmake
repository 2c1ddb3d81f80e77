# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DNVCC=<path> -DSOURCE=dynamic_start.cu -DWORK=<folder> -P dynamic_start.cmake
# Checks with ptxas and nvlink what docs/shared-memory.md says about static shared memory before a layout. ptxas adds
# the padding before the aligned dynamic part to the static size of every kernel in the file; nvlink ignores the
# alignment.

cmake_minimum_required(VERSION 3.22)

function(bytes_of kernel text variable)
  # ptxas names the kernel in one line, and its shared memory in a later line.
  string(REGEX MATCH "[^\n]*[0-9]${kernel}[^\n]*\n[^\n]*(\n[^\n]*)?Used[^\n]*" lines "${text}")
  if(lines MATCHES "([0-9]+) bytes smem")
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
  else()
    set(${variable} "none" PARENT_SCOPE)
  endif()
endfunction()

function(expect what found expected)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${what}: ${found} bytes, not ${expected}: docs/shared-memory.md is out of date")
  endif()
endfunction()

function(run variable)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${text}")
  endif()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

foreach(arch 80 90)
  run(whole ${NVCC} -arch=sm_${arch} -Xptxas=-v -DBESIDE -cubin -o ${WORK}/dynamic_start.cubin ${SOURCE})
  bytes_of(swizzled "${whole}" bytes)
  expect("sm_${arch}, 20 bytes before an alignment of 1024" ${bytes} 1024)
  bytes_of(beside "${whole}" bytes)
  expect("sm_${arch}, 20 bytes in another kernel of the file" ${bytes} 1024)
endforeach()

# Only for 8.0, because for 9.0 nvlink also adds the reserve of 1 KiB.
get_filename_component(tools ${NVCC} DIRECTORY)
if(EXISTS ${tools}/nvlink)
  run(ignored ${NVCC} -arch=sm_80 -rdc=true -cubin -o ${WORK}/dynamic_start.cubin ${SOURCE})
  run(linked ${tools}/nvlink -arch=sm_80 -v ${WORK}/dynamic_start.cubin -o ${WORK}/dynamic_start.linked.cubin)
  if(NOT linked MATCHES "([0-9]+) bytes smem")
    message(FATAL_ERROR "nvlink reports no shared memory:\n${linked}")
  endif()
  # 32 in CUDA 11.8 to 13.0; 1024 in CUDA 13.5, where nvlink respects the alignment. The versions between are untested.
  set(expected 32)
  run(version ${tools}/nvlink --version)
  if(version MATCHES "release ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 13.5)
    set(expected 1024)
  elseif(CMAKE_MATCH_1 VERSION_GREATER 13.0)
    return()
  endif()
  string(REGEX MATCH "([0-9]+) bytes smem" ignored "${linked}")
  expect("linked, 20 bytes before an alignment of 1024" ${CMAKE_MATCH_1} ${expected})
endif()
