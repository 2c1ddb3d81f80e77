# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DNVCC=<nvcc> "-DINCLUDES=<folder>;..." -DWORK=<folder> -P readme_refusal.cmake
# README.md shows a program, one change of it as a diff, and what nvcc says of the changed program. This test makes the
# change, compiles, and looks for the shown text in nvcc's output: in the same order, with line breaks ignored and with
# lines of dots standing for text that was left out. Before nvcc 13, which prints places differently, only the facts
# are compared.

cmake_minimum_required(VERSION 3.22)

# Sets `result` to the text between `begin` and the next end of a fenced block, searched from `from` on in README.md.
file(READ ${ROOT}/README.md readme)
function(find_block result begin from)
  string(FIND "${readme}" "${from}" start)
  string(SUBSTRING "${readme}" ${start} -1 rest)
  string(FIND "${rest}" "${begin}" start)
  if(start LESS 0)
    message(FATAL_ERROR "README.md has no block that begins with ${begin}")
  endif()
  string(LENGTH "${begin}" length)
  math(EXPR start "${start} + ${length}")
  string(SUBSTRING "${rest}" ${start} -1 rest)
  string(FIND "${rest}" "\n```" length)
  string(SUBSTRING "${rest}" 0 ${length} rest)
  set(${result} "${rest}" PARENT_SCOPE)
endfunction()

find_block(program "```cuda\n" "# warpguard")
find_block(change "```diff\n-" "# warpguard")
find_block(shown "```text\n" "```diff")

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
foreach(architecture 75 86 90)
  list(APPEND flags -gencode=arch=compute_${architecture},code=sm_${architecture})
endforeach()
execute_process(COMMAND ${NVCC} -std=c++17 ${INCLUDES} ${flags} -c -o saxpy.o saxpy.cu
  WORKING_DIRECTORY ${WORK}/readme_refusal
  OUTPUT_VARIABLE output ERROR_VARIABLE output)

string(REGEX REPLACE "[ \n]+" " " rest "${output}")
string(REPLACE ";" "," rest "${rest}")
string(REPLACE ";" "," shown "${shown}")
string(REPLACE "\n...\n" ";" pieces "${shown}")
execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE version)
if(NOT version MATCHES "release (1[3-9]|[2-9][0-9])\\.")
  string(REGEX MATCH "\\[with Contract=[^]]*\\]" pieces "${shown}")
endif()
foreach(piece IN LISTS pieces)
  string(REGEX REPLACE "[ \n]+" " " piece "${piece}")
  string(STRIP "${piece}" piece)
  string(FIND "${rest}" "${piece}" at)
  if(at LESS 0)
    message(FATAL_ERROR "README.md shows:\n  ${piece}\nnvcc says:\n${output}")
  endif()
  string(LENGTH "${piece}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${rest}" ${at} -1 rest)
endforeach()
