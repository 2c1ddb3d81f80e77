# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles bare_address.cu for each architecture, with and without relocatable code. A kernel that gets its memory and
# its arrays from the layout must have the same PTX as the kernel that does this by hand. Without NDEBUG, a stage that
# is known at run time is checked.
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

# Sets `out` to the PTX of the source.
function(ptx_of architecture out)
  set(ptx "${WORK}/bare_address.${architecture}.ptx")
  execute_process(
    COMMAND "${NVCC}" -std=c++17 -arch=sm_${architecture} -Werror all-warnings ${include_flags} ${ARGN} -ptx -o "${ptx}"
            "${SOURCE}"
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} does not compile for sm_${architecture} with ${ARGN}")
  endif()
  file(READ "${ptx}" text)
  file(REMOVE "${ptx}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)
list(TRANSFORM ARCHITECTURES REPLACE "-(real|virtual)$" "")
foreach(architecture IN LISTS ARCHITECTURES)
  foreach(relocatable false true)
    ptx_of(${architecture} text -DNDEBUG -rdc=${relocatable})
    # The kernels by hand have their own name for the memory.
    string(REGEX REPLACE "_ZN9warpguard6detail14dynamic_memoryILi([0-9]+)EEE" "memory_of_\\1" text "${text}")
    foreach(alignment 16 128 1024)
      string(REGEX MATCHALL "\\.extern \\.shared \\.align ${alignment} \\.b8 memory_of_${alignment}" declarations "${text}")
      list(LENGTH declarations count)
      if(NOT count EQUAL 2)
        message(FATAL_ERROR "sm_${architecture}: not declared twice with the alignment ${alignment}:\n${text}")
      endif()
    endforeach()
    foreach(memory dynamic static aligned_16 aligned_1024 any_stage)
      body_of(${memory}_by_layout "${text}" by_layout)
      body_of(${memory}_by_hand__ "${text}" by_hand)
      if(NOT by_layout STREQUAL by_hand)
        message(NOTICE "${by_layout}\n---- by hand\n${by_hand}")
        message(FATAL_ERROR "sm_${architecture}, ${memory} shared memory: the layout adds instructions")
      endif()
    endforeach()
  endforeach()
endforeach()

list(GET ARCHITECTURES 0 architecture)
ptx_of(${architecture} text)
body_of(any_stage_by_layout "${text}" checked)
body_of(dynamic_by_layout "${text}" unchecked)  # its stages cannot be wrong
if(unchecked MATCHES "__assertfail" OR NOT checked MATCHES "__assertfail")
  message(FATAL_ERROR "sm_${architecture}: without NDEBUG, get() does not check a stage that can be wrong")
endif()
