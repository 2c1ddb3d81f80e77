# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DCOMPILER=... -DIS_NVCC=... -DARCHITECTURES=75;90 -DTARGETS=750,900 -DINCLUDES=a;b -DSOURCE=... -DROOT=...
#   -P show_refusal.cmake
# Compiles a file that must not compile, and prints the compiler's lines for the first refusal: the rule, its facts and
# the user's line, wrapped at 100 columns.

cmake_minimum_required(VERSION 3.22)

set(width 100)

list(TRANSFORM INCLUDES PREPEND -I)
if(IS_NVCC)
  set(flags -c -o refused.o)
  foreach(architecture IN LISTS ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+" architecture ${architecture})
    list(APPEND flags -gencode=arch=compute_${architecture},code=sm_${architecture})
  endforeach()
else()
  set(flags -x c++ -fsyntax-only -DWARPGUARD_TARGETS=${TARGETS})
endif()
get_filename_component(name ${SOURCE} NAME)
set(ENV{LC_ALL} C)
execute_process(COMMAND ${COMPILER} -std=c++17 ${flags} ${INCLUDES} ${SOURCE}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
set(rule "warpguard: the contract's minimum residency is out of reach \\[residency\\]")
if(status EQUAL 0 OR NOT output MATCHES "${rule}")
  message(FATAL_ERROR "${name} must be refused, but the compiler printed:\n${output}")
endif()

# Prints `text` with `indent` before each line, and breaks lines at spaces.
function(print_wrapped text indent)
  string(LENGTH "${indent}" indent_length)
  math(EXPR room "${width} - ${indent_length}")
  while(TRUE)
    string(LENGTH "${text}" length)
    if(length LESS_EQUAL room)
      break()
    endif()
    string(SUBSTRING "${text}" 0 ${room} head)
    string(FIND "${head}" " " at REVERSE)
    if(at LESS_EQUAL 0)
      set(at ${room})
    endif()
    string(SUBSTRING "${text}" 0 ${at} head)
    string(SUBSTRING "${text}" ${at} -1 text)
    string(STRIP "${text}" text)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${indent}${head}")
  endwhile()
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${indent}${text}")
endfunction()

# The three lines, in the compiler's order.
string(REPLACE "${ROOT}/" "" output "${output}")
string(REPLACE ";" "\\;" lines "${output}")
string(REPLACE "\n" ";" lines "${lines}")
set(has_rule FALSE)
set(has_facts FALSE)
set(has_place FALSE)
set(shown "")
foreach(line IN LISTS lines)
  if(NOT has_rule AND line MATCHES "${rule}")
    set(has_rule TRUE)
  elseif(NOT has_facts AND line MATCHES "residency_guard<")
    set(has_facts TRUE)
  elseif(has_facts AND NOT has_place AND line MATCHES "${name}")
    set(has_place TRUE)
  else()
    continue()
  endif()
  string(STRIP "${line}" line)
  string(REGEX REPLACE "\" at line [0-9]+$" "\"" line "${line}")  # a line number in warpguard's header
  list(APPEND shown "${line}")
endforeach()

string(REGEX MATCHALL "${rule}" refusals "${output}")
list(LENGTH refusals count)
execute_process(COMMAND ${CMAKE_COMMAND} -E echo
  "\n${name}: the tile has grown from 32 to 48, and the build stops (1 of ${count} refusals):")
foreach(line IN LISTS shown)
  print_wrapped("${line}" "  ")
endforeach()
