# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles a file with clang for each architecture, and compares the launch bounds in the PTX with the `// ptx` lines of
# the file; see ../cuda/ptx_bounds.cmake.
#
#   cmake -DCOMPILER=<clang++> "-DFLAGS=<flag>;..." -DSOURCE=<file> "-DARCHITECTURES=75;80" -DPTX=<file to write>
#         -P ptx_bounds.cmake

cmake_minimum_required(VERSION 3.21)

list(TRANSFORM ARCHITECTURES APPEND 0 OUTPUT_VARIABLE targets)
list(JOIN targets "," targets)
file(WRITE ${PTX} "")
foreach(architecture IN LISTS ARCHITECTURES)
  execute_process(
    COMMAND ${COMPILER} -x cuda -std=c++17 -S --cuda-device-only --cuda-gpu-arch=sm_${architecture} ${FLAGS}
      -DWARPGUARD_TARGETS=${targets} ${SOURCE} -o -
    RESULT_VARIABLE status OUTPUT_VARIABLE ptx ERROR_VARIABLE output)
  if(NOT status EQUAL 0 OR NOT output STREQUAL "")
    message(NOTICE "${output}")
    message(FATAL_ERROR "${SOURCE}, sm_${architecture}: clang does not compile it in silence")
  endif()
  file(APPEND ${PTX} "${ptx}")
endforeach()
set(OBJECT ${PTX})
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/ptx_bounds.cmake)
