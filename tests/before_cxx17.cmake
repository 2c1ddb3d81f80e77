# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DCOMPILER=<path> -DKIND=<g++|clang|nvcc> -DINCLUDE=<folder with warpguard/> -DWORK=<folder>
#   "-DHEADERS=<header>;..." -P before_cxx17.cmake
# Before C++17, every header stops the compiler with one line that says what to do, and nothing else is reported.

cmake_minimum_required(VERSION 3.22)

set(rule "warpguard needs C++17 or later: compile with -std=c++17 [cxx17]")
set(ENV{LC_ALL} C)

set(language c++)
set(standards 11 14)
set(check_only -fsyntax-only -Wall -Wextra)
if(KIND STREQUAL "nvcc")
  set(language cu)
  set(check_only -arch=sm_90 -ptx -o "${WORK}/before_cxx17.ptx")
endif()

foreach(header IN LISTS HEADERS)
  set(source "${WORK}/before_cxx17.${KIND}.cpp")
  file(WRITE "${source}" "#include <${header}>\n")
  foreach(standard IN LISTS standards)
    execute_process(COMMAND "${COMPILER}" -x ${language} -std=c++${standard} ${check_only} "-I${INCLUDE}" "${source}"
      RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    string(REGEX MATCHALL "(error|warning):" reports "${output}")
    string(FIND "${output}" "${rule}" at)
    if(status EQUAL 0 OR at LESS 0 OR NOT reports STREQUAL "error:")
      message(NOTICE "${output}")
      message(FATAL_ERROR "${header}, C++${standard} (${KIND}): not the one line: ${rule}")
    endif()
  endforeach()
endforeach()
