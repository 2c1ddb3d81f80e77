# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=<warpguard> "-DROWS=<list>" -P rows.cmake
# The architectures that the CMake target knows for clang are the rows of the hardware table from 5.0 on.

cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND ${PROGRAM} gpus --architectures --json OUTPUT_VARIABLE json COMMAND_ERROR_IS_FATAL ANY)
string(JSON count LENGTH "${json}" gpus)
math(EXPR last "${count} - 1")
set(expected "")
foreach(i RANGE ${last})
  string(JSON capability GET "${json}" gpus ${i} compute_capability)
  if(capability GREATER_EQUAL 50)
    list(APPEND expected ${capability})
  endif()
endforeach()
if(NOT ROWS STREQUAL expected)
  message(FATAL_ERROR "WARPGUARD_CLANG_ROWS in CMakeLists.txt is\n  ${ROWS}\nand the table has\n  ${expected}")
endif()
