# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# A block of text of a page is what a program prints.
#
#   cmake -DPROGRAM=<program> -DPAGE=<page> -P output_shown.cmake

cmake_minimum_required(VERSION 3.16)

execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE status OUTPUT_VARIABLE printed)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} fails")
endif()
file(READ ${PAGE} page)
string(FIND "${page}" "\n```text\n${printed}```\n" at)
if(at EQUAL -1)
  string(REPLACE "\n" "\n  " printed "${printed}")
  message(FATAL_ERROR "no block of text in ${PAGE} shows what ${PROGRAM} prints:\n  ${printed}")
endif()
