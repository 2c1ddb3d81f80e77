# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DNVCC=<nvcc> "-DINCLUDES=<folder>;..." -DWORK=<folder> [-DREFRESH=ON]
#   -P readme_refusal.cmake
# README.md shows a program, one change of it as a diff, and a picture of what nvcc says of the changed program. This
# test makes the change, compiles, and compares the rule, its facts and the user's line with readme_refusal.txt, from
# which terminal.py draws the picture. The text for those who cannot see the picture has the rule and the facts too.
# Before nvcc 13, which prints places differently, only the facts are compared. With REFRESH it writes
# readme_refusal.txt.

cmake_minimum_required(VERSION 3.22)

set(shown_file ${ROOT}/tests/docs/readme_refusal.txt)

# Sets `result` to the text between `begin` and the next end of a fenced block in README.md.
file(READ ${ROOT}/README.md readme)
function(find_block result begin)
  string(FIND "${readme}" "${begin}" start)
  if(start LESS 0)
    message(FATAL_ERROR "README.md has no block that begins with ${begin}")
  endif()
  string(LENGTH "${begin}" length)
  math(EXPR start "${start} + ${length}")
  string(SUBSTRING "${readme}" ${start} -1 rest)
  string(FIND "${rest}" "\n```" length)
  string(SUBSTRING "${rest}" 0 ${length} rest)
  set(${result} "${rest}" PARENT_SCOPE)
endfunction()

find_block(program "```cuda\n")
find_block(change "```diff\n-")

string(FIND "${change}" "\n+" plus)
string(SUBSTRING "${change}" 0 ${plus} before)
math(EXPR plus "${plus} + 2")
string(SUBSTRING "${change}" ${plus} -1 after)
string(REPLACE "${before}" "${after}" changed "${program}")
if(changed STREQUAL program)
  message(FATAL_ERROR "README.md: the first line of the diff is not in the program:\n  ${before}")
endif()

file(MAKE_DIRECTORY ${WORK}/readme_refusal)
file(WRITE ${WORK}/readme_refusal/saxpy.cu "${changed}\n")
list(TRANSFORM INCLUDES PREPEND -I)
set(flags "")
foreach(architecture 75 86 90)
  list(APPEND flags -gencode=arch=compute_${architecture},code=sm_${architecture})
endforeach()
execute_process(COMMAND ${NVCC} -std=c++17 ${INCLUDES} ${flags} -c -o saxpy.o saxpy.cu
  WORKING_DIRECTORY ${WORK}/readme_refusal
  OUTPUT_VARIABLE output ERROR_VARIABLE output)

list(JOIN flags " " flags)
set(text "$ nvcc -std=c++17 ${flags} -c saxpy.cu\n")
foreach(line
    "(error: static assertion failed with [^\n]*)\n"
    "\n +(instantiation of \"[^\n]*residency_guard<[^\n]*\\]\")"
    "\n +(instantiation of \"const bool warpguard::guarantee [^\n]* of saxpy.cu)")
  if(NOT output MATCHES "${line}")
    message(FATAL_ERROR "nvcc does not refuse README's changed program as it should:\n${output}")
  endif()
  string(APPEND text "${CMAKE_MATCH_1}\n")
endforeach()
string(REGEX REPLACE "\ninst" "\n...\n  inst" text "${text}")
if(REFRESH)
  file(WRITE ${shown_file} "${text}")
endif()

file(READ ${shown_file} shown)
execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE version)
if(NOT version MATCHES "release (1[3-9]|[2-9][0-9])\\.")
  string(REGEX MATCH "with Contract=[^\n]*" text "${text}")
  string(REGEX MATCH "with Contract=[^\n]*" shown "${shown}")
endif()
if(NOT shown STREQUAL text)
  message(FATAL_ERROR "tests/docs/readme_refusal.txt has\n${shown}and nvcc says\n${text}Build refresh_docs.")
endif()

if(NOT readme MATCHES "!\\[(nvcc prints: .*)\\]\\(docs/images/refusal\\.svg\\)")
  message(FATAL_ERROR "README.md does not show docs/images/refusal.svg")
endif()
string(REPLACE "\n" " " described "${CMAKE_MATCH_1}")
string(REGEX MATCH "\"warpguard: [^\"]*\"" rule "${shown}")
string(REGEX MATCHALL "(Blocks[A-Za-z]*|LimitedBy|Fits)=[A-Za-z0-9_:<>]*" facts "${shown}")
foreach(fact IN LISTS rule facts)
  string(REPLACE "warpguard::" "" fact "${fact}")
  string(FIND "${described}" "${fact}" at)
  if(at LESS 0)
    message(SEND_ERROR "the text of README's picture of a refusal lacks ${fact}")
  endif()
endforeach()
