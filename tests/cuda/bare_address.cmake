# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles bare_address.cu for each architecture. A kernel that gets its arrays from the layout must have the same PTX
# as the kernel that adds the offsets by hand.
#
#   cmake -DNVCC=<path> -DSOURCE=<file> "-DARCHITECTURES=75;90" "-DINCLUDES=<folder>;..." -DWORK=<folder>
#         -P bare_address.cmake

cmake_minimum_required(VERSION 3.21)

# Sets `out` to the PTX of a kernel, without the part of the names in which the kernels of a pair differ.
function(body_of kernel text out)
  string(FIND "${text}" ".entry ${kernel}(" begin)
  if(begin LESS 0)
    message(FATAL_ERROR "the PTX for sm_${architecture} lacks ${kernel}")
  endif()
  string(SUBSTRING "${text}" ${begin} -1 body)
  string(FIND "${body}" "\n}" end)
  string(SUBSTRING "${body}" 0 ${end} body)
  string(REGEX REPLACE "by_(layout|hand__)" "" body "${body}")
  string(REGEX REPLACE "L__BB[0-9]+_" "L__BB_" body "${body}")  # labels contain the number of the kernel
  set(${out} "${body}" PARENT_SCOPE)
endfunction()

list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)
foreach(architecture IN LISTS ARCHITECTURES)
  string(REGEX REPLACE "-(real|virtual)$" "" architecture "${architecture}")
  set(ptx "${WORK}/bare_address.${architecture}.ptx")
  execute_process(
    COMMAND "${NVCC}" -std=c++17 -arch=sm_${architecture} -Werror all-warnings ${include_flags} -ptx -o "${ptx}"
            "${SOURCE}"
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} does not compile for sm_${architecture}")
  endif()
  file(READ "${ptx}" text)
  file(REMOVE "${ptx}")
  foreach(memory dynamic static)
    body_of(${memory}_by_layout "${text}" by_layout)
    body_of(${memory}_by_hand__ "${text}" by_hand)
    if(NOT by_layout STREQUAL by_hand)
      message(NOTICE "${by_layout}\n---- by hand\n${by_hand}")
      message(FATAL_ERROR "sm_${architecture}, ${memory} shared memory: get() adds instructions")
    endif()
  endforeach()
endforeach()
