# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# docs/sources.md gives a source for every member of struct architecture (its name in backquotes) and for every compute
# capability of the table (a table row that begins with it).
#
#   cmake -DROOT=<repository> -P sources_complete.cmake

cmake_minimum_required(VERSION 3.16)

if(NOT DEFINED ROOT)
  message(FATAL_ERROR "-DROOT=<repository> is missing")
endif()

set(failures 0)
macro(fail text)
  math(EXPR failures "${failures} + 1")
  message(SEND_ERROR "${text}")
endmacro()

file(READ "${ROOT}/include/warpguard/hardware/architecture.hpp" structure)
file(READ "${ROOT}/include/warpguard/hardware/table.hpp" rows_of_table)
set(header "${structure}${rows_of_table}")
file(READ "${ROOT}/docs/sources.md" page)
# Members end in ; and arrays have [ ]: neither survives in a CMake list.
foreach(variable header page)
  string(REPLACE ";" "@" ${variable} "${${variable}}")
  string(REPLACE "[" "(" ${variable} "${${variable}}")
  string(REPLACE "]" ")" ${variable} "${${variable}}")
  string(REPLACE "\r" "" ${variable} "${${variable}}")
endforeach()

# ---- members -----------------------------------------------------------------------------------------------------

string(FIND "${header}" "\nstruct architecture {" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "architecture.hpp has no struct architecture")
endif()
string(SUBSTRING "${header}" ${begin} -1 body)
string(FIND "${body}" "\n}@" end)
string(SUBSTRING "${body}" 0 ${end} body)
string(REGEX REPLACE "//[^\n]*" "" body "${body}")
string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*(\\([0-9]+\\))?@" members "${body}")
foreach(member IN LISTS members)
  string(REGEX REPLACE "(\\([0-9]+\\))?@$" "" member "${member}")
  string(FIND "${page}" "`${member}`" position)
  if(position EQUAL -1)
    fail("docs/sources.md says nothing about the member ${member}")
  endif()
endforeach()
list(LENGTH members member_count)
if(member_count LESS 20)
  fail("only ${member_count} members found in struct architecture")
endif()

# ---- compute capabilities ----------------------------------------------------------------------------------------

string(REGEX MATCHALL "constexpr architecture +sm_[0-9]+" rows "${header}")
foreach(row IN LISTS rows)
  string(REGEX REPLACE ".*sm_([0-9]+)([0-9])$" "\\1.\\2" cc "${row}")
  string(FIND "\n${page}" "\n| ${cc} |" position)
  if(position EQUAL -1)
    fail("docs/sources.md has no row for compute capability ${cc}")
  endif()
endforeach()
list(LENGTH rows row_count)
if(row_count LESS 31)
  fail("only ${row_count} rows found in the table")
endif()

message(STATUS "sources: ${member_count} members, ${row_count} compute capabilities, ${failures} left out")
