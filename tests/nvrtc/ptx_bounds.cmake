# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles a file with NVRTC for each architecture, and compares the launch bounds in the PTX with the `// ptx` lines of
# the file; see ../cuda/ptx_bounds.cmake.
#
#   cmake -DCOMPILER=<compile_with_nvrtc> -DSOURCE=<file> "-DARCHITECTURES=75;90" -DINCLUDE=<folder> -DPTX=<file to write>
#         -P ptx_bounds.cmake

cmake_minimum_required(VERSION 3.21)

file(REMOVE ${PTX})
foreach(architecture IN LISTS ARCHITECTURES)
  execute_process(
    COMMAND ${COMPILER} -std=c++17 -arch=compute_${architecture} -I${INCLUDE} ${SOURCE} -o ${PTX}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  # A warning is a failure too: users compile with warnings as errors.
  if(NOT status EQUAL 0 OR NOT output STREQUAL "")
    message(NOTICE "${output}")
    message(FATAL_ERROR "${SOURCE}, compute_${architecture}: NVRTC does not compile it in silence")
  endif()
endforeach()
set(OBJECT ${PTX})
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/ptx_bounds.cmake)
