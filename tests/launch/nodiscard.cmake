# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles nodiscard.cpp and compares the lines that the compiler warns about with those marked "// ignored".
#
#   cmake -DCOMPILER=<path> "-DINCLUDES=<folder>;..." "-DTOOLKIT=<folder>;..." -DSOURCE=<nodiscard.cpp> -P nodiscard.cmake

cmake_minimum_required(VERSION 3.22)

list(TRANSFORM INCLUDES PREPEND -I)
list(TRANSFORM TOOLKIT PREPEND -isystem)
execute_process(
  COMMAND ${COMPILER} -std=c++17 -fsyntax-only -DWARPGUARD_TARGETS=800,900 ${INCLUDES} ${TOOLKIT} ${SOURCE}
  RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "nodiscard.cpp does not compile:\n${output}")
endif()

file(STRINGS ${SOURCE} lines)
set(number 0)
set(expected "")
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(line MATCHES "// ignored$")
    list(APPEND expected ${number})
  endif()
endforeach()
string(REGEX MATCHALL "nodiscard\\.cpp:[0-9]+:[0-9]+: warning: ignoring return value" warnings "${output}")
list(TRANSFORM warnings REPLACE "^[^:]*:([0-9]+):.*$" "\\1" OUTPUT_VARIABLE found)
list(REMOVE_DUPLICATES found)
if(NOT expected OR NOT found STREQUAL expected)
  message(FATAL_ERROR "warned about the lines ${found}, expected ${expected}:\n${output}")
endif()
