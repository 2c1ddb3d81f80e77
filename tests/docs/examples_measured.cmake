# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# The table of measured numbers in docs/examples.md is what the examples' locks say about compute capability 9.0.
#
#   cmake -DROOT=<repository> -P examples_measured.cmake

cmake_minimum_required(VERSION 3.22)

file(GLOB locks "${ROOT}/examples/*/*.lock")
list(FILTER locks EXCLUDE REGEX "/other_builds/")  # kernels without contracts, which the page does not list
set(table "")
set(compilers "")
foreach(lock IN LISTS locks)
  file(STRINGS "${lock}" compiler REGEX "^compiler ")
  string(REPLACE "compiler " "" compiler "${compiler}")
  list(APPEND compilers "${compiler}")
  # A line is for several architectures: sm_80,86,90.
  file(STRINGS "${lock}" lines REGEX " sm_([0-9]+,)*90(,[0-9]+)*: ")
  if(NOT lines AND NOT lock MATCHES "built_for_8_0")
    message(FATAL_ERROR "${lock}: nothing about sm_90")
  endif()
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^(]+)\\(.* registers=([0-9]+) .* spills=([0-9]+)/.* threads=([0-9]+) blocks=([0-9]+)$")
      message(FATAL_ERROR "${lock}: not understood: ${line}")
    endif()
    set(row "| `${CMAKE_MATCH_1}` | ${CMAKE_MATCH_2} | ${CMAKE_MATCH_3} | ${CMAKE_MATCH_5} |")
    # An SM of 9.0 has 2048 threads. Hundredths of a percent, rounded half up: 1875 is 18.75.
    math(EXPR hundredths "(${CMAKE_MATCH_4} * ${CMAKE_MATCH_5} * 10000 + 1024) / 2048")
    math(EXPR percent "${hundredths} / 100")
    math(EXPR decimals "${hundredths} % 100 + 100")
    string(REGEX REPLACE "0+$" "" decimals "${decimals}")
    string(REPLACE "%.1" "." decimals "%.${decimals}")
    string(REGEX REPLACE "\\.$" "" decimals "${decimals}")
    string(APPEND table "${row} ${percent}${decimals} % |\n")
  endforeach()
endforeach()
list(REMOVE_DUPLICATES compilers)

file(READ "${ROOT}/docs/examples.md" page)
set(expected "\n| 9.0, ${compilers} | registers | bytes spilled | blocks per SM | occupancy |\n|---|--:|--:|--:|--:|\n${table}\n")
string(FIND "${page}\n" "${expected}" at)
if(table STREQUAL "" OR at EQUAL -1)
  string(REPLACE "\n" "\n  " expected "${expected}")
  message(FATAL_ERROR "docs/examples.md does not have what the locks say:\n${expected}")
endif()
