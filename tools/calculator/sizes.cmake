# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DFOLDER=<the page> -DWORK=<folder> [-DMOST_OF_PAGE=<bytes>] -P sizes.cmake
# Prints how many bytes a browser loads for the calculator, each file compressed by gzip -9, and fails above the limits.

cmake_minimum_required(VERSION 3.22)

set(most_of_module 16384)
if(NOT DEFINED MOST_OF_PAGE)
  set(MOST_OF_PAGE 61440)
endif()

find_program(gzip gzip REQUIRED)
file(GLOB files ${FOLDER}/*)
list(SORT files)
file(MAKE_DIRECTORY ${WORK})
set(page 0)
set(module "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  execute_process(COMMAND ${gzip} -9 -n -c ${file} OUTPUT_FILE ${WORK}/${name}.gz RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "gzip ${file} failed")
  endif()
  file(SIZE ${WORK}/${name}.gz size)
  math(EXPR page "${page} + ${size}")
  if(name MATCHES "\\.wasm$")
    set(module ${size})
  endif()
  message(STATUS "${name}: ${size} bytes")
endforeach()
if(module STREQUAL "")
  message(FATAL_ERROR "${FOLDER} has no module: build the target calculator")
endif()
message(STATUS "calculator, compressed: the module ${module} of ${most_of_module} bytes, the page with it ${page} of "
  "${MOST_OF_PAGE}")
if(module GREATER_EQUAL most_of_module OR page GREATER_EQUAL MOST_OF_PAGE)
  message(FATAL_ERROR "the calculator is too large")
endif()
