# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAMS=<path>;<path> -P show_runs.cmake
# Runs the examples. Prints one line for all of them, or the output of those that fail.

cmake_minimum_required(VERSION 3.22)

if(NOT PROGRAMS)
  return()
endif()

set(correct 0)
set(device "")
set(failed "")
foreach(program IN LISTS PROGRAMS)
  execute_process(COMMAND ${program} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    string(APPEND failed "${output}")
  elseif(output MATCHES " on ([^\n]*)")
    set(device "${CMAKE_MATCH_1}")
    math(EXPR correct "${correct} + 1")
  endif()
endforeach()
list(LENGTH PROGRAMS count)
if(failed)
  message(FATAL_ERROR "examples failed:\n${failed}")
elseif(correct EQUAL 0)
  set(line "No GPU found: the ${count} examples were compiled, but not run.")
else()
  set(line "Run on ${device}: ${correct} of ${count} examples, all results correct.")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${line}")
