# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DCLANG_FORMAT=<program> -P clang_format.cmake
# Checks that every C++ and CUDA file is formatted with .clang-format.

cmake_minimum_required(VERSION 3.22)

set(files "")
foreach(folder include cmake examples tests tools)
  foreach(extension cpp hpp cu cuh)
    file(GLOB_RECURSE found ${ROOT}/${folder}/*.${extension})
    list(APPEND files ${found})
  endforeach()
endforeach()
if(NOT files)
  message(FATAL_ERROR "no files found in ${ROOT}")
endif()
list(LENGTH files count)

execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${files} RESULT_VARIABLE status ERROR_VARIABLE report)
if(NOT status EQUAL 0)
  string(REPLACE ";" "," report "${report}")
  string(REGEX MATCHALL "[^\n]+: error: code should be clang-formatted[^\n]*" places "${report}")
  list(TRANSFORM places REPLACE ":[0-9]+:[0-9]+: error: .*" "")
  list(REMOVE_DUPLICATES places)
  list(JOIN places "\n  " places)
  message(FATAL_ERROR "run clang-format 14 with -i on:\n  ${places}")
endif()
message(STATUS "clang-format: ${count} files")
