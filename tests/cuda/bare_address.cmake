# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles bare_address.cu with and without HAND_WRITTEN for each architecture; the PTX must be the same.
#
#   cmake -DNVCC=<path> -DSOURCE=<file> "-DARCHITECTURES=75;90" "-DINCLUDES=<folder>;..." -DWORK=<folder>
#         -P bare_address.cmake

cmake_minimum_required(VERSION 3.21)

list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)
foreach(architecture IN LISTS ARCHITECTURES)
  string(REGEX REPLACE "-(real|virtual)$" "" architecture "${architecture}")
  foreach(variant from_layout HAND_WRITTEN)
    set(ptx "${WORK}/bare_address.${architecture}.${variant}.ptx")
    execute_process(
      COMMAND "${NVCC}" -std=c++17 -arch=sm_${architecture} -Werror all-warnings -D${variant} ${include_flags} -ptx
              -o "${ptx}" "${SOURCE}"
      RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${SOURCE} does not compile for sm_${architecture} with ${variant}")
    endif()
    file(READ "${ptx}" text)
    file(REMOVE "${ptx}")
    # Names of variables carry a hash of how the file was compiled.
    string(REGEX REPLACE "_[0-9a-f]+_([0-9]+_)?bare_address_cu_[0-9a-f]+(_[0-9]+)?" "" ${variant} "${text}")
    if(NOT text MATCHES "entry from_dynamic" OR NOT text MATCHES "entry from_static")
      message(FATAL_ERROR "the PTX for sm_${architecture} lacks a kernel")
    endif()
  endforeach()
  if(NOT "${from_layout}" STREQUAL "${HAND_WRITTEN}")
    message(NOTICE "${from_layout}\n---- by hand\n${HAND_WRITTEN}")
    message(FATAL_ERROR "sm_${architecture}: get() is not the bare address")
  endif()
endforeach()
