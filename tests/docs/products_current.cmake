# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# docs/products.md contains the tables that print_products.cpp prints, under the same headings. It has a line of sources
# for each product and each architecture, and names the documents from which the figures in tests/hardware/peak.cpp were
# copied.
#
#   cmake -DPROGRAM=<warpguard_print_products> -DROOT=<repository> [-DREFRESH=ON] -P products_current.cmake
#
# With REFRESH it writes the tables into the page instead.

cmake_minimum_required(VERSION 3.16)

foreach(needed PROGRAM ROOT)
  if("${${needed}}" STREQUAL "")
    message(FATAL_ERROR "-D${needed}=... is missing")
  endif()
endforeach()

execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE status OUTPUT_VARIABLE printed)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} fails")
endif()
file(READ ${ROOT}/docs/products.md page)

# Sets `begin` and `length` to the place of the first table after a heading.
function(find_table begin length text heading)
  string(FIND "${text}" "\n## ${heading}\n" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "there is no heading ${heading}")
  endif()
  string(SUBSTRING "${text}" ${start} -1 rest)
  string(FIND "${rest}" "\n\n|" table)
  math(EXPR table "${table} + 2")
  string(SUBSTRING "${rest}" ${table} -1 rest)
  string(FIND "${rest}\n\n" "\n\n" end)
  math(EXPR start "${start} + ${table}")
  set(${begin} ${start} PARENT_SCOPE)
  set(${length} ${end} PARENT_SCOPE)
endfunction()

set(current "${page}")
string(STRIP "${printed}" printed)
string(PREPEND printed "\n")
foreach(heading "Products" "Rates of an SM" "Peaks")
  find_table(begin length "${printed}" "${heading}")
  string(SUBSTRING "${printed}" ${begin} ${length} table)
  find_table(begin length "${current}" "${heading}")
  string(SUBSTRING "${current}" 0 ${begin} before)
  math(EXPR begin "${begin} + ${length}")
  string(SUBSTRING "${current}" ${begin} -1 after)
  set(current "${before}${table}${after}")
endforeach()

if(REFRESH)
  if(NOT page STREQUAL current)
    file(WRITE ${ROOT}/docs/products.md "${current}")
    message(STATUS "docs/products.md is written anew")
  endif()
  return()
endif()
if(NOT page STREQUAL current)
  message(FATAL_ERROR
    "docs/products.md is not what the tables say now. To write it anew: cmake --build <build> --target refresh_docs")
endif()

string(FIND "${page}" "\n## Sources of products" begin)
string(SUBSTRING "${page}" ${begin} -1 sources)
string(REGEX MATCHALL "\n\\| [^|]+ \\|" rows "${printed}")
foreach(row IN LISTS rows)
  string(FIND "${sources}" "${row}" found)
  if(found EQUAL -1 AND NOT row MATCHES "product|compute capability")
    string(STRIP "${row}" row)
    message(SEND_ERROR "docs/products.md has no line of sources for ${row}")
  endif()
endforeach()

# The documents of the figures in the test of peaks are on the page.
file(READ ${ROOT}/tests/hardware/peak.cpp test)
string(REGEX MATCHALL ", [0-9 ]+, \"[^\"]+\"}" figures "${test}")
if(figures STREQUAL "")
  message(SEND_ERROR "tests/hardware/peak.cpp has no figures")
endif()
foreach(figure IN LISTS figures)
  string(REGEX REPLACE ".*\"([^\"]+)\"}" "\\1" document "${figure}")
  if(NOT page MATCHES "\n\\|[^|\n]*${document}[^|\n]*\\| ")
    message(SEND_ERROR "docs/products.md does not say what the document ${document} is")
  endif()
endforeach()
