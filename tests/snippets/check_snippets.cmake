# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# Every fenced block of code in README.md and docs/*.md is a part of a file under examples/ or tests/snippets/, which
# tests compile or build: contiguous lines, from which only common indentation may be removed.
#
#   cmake -DROOT=<repository> -P check_snippets.cmake
#
# Markdown holds ; and [ and ], which CMake's lists do not survive, so no text is ever a list here: documents are read
# line by line with string(FIND) and string(SUBSTRING).

cmake_minimum_required(VERSION 3.16)

if(NOT DEFINED ROOT)
  message(FATAL_ERROR "-DROOT=<repository> is missing")
endif()

set(failures 0)
function(fail text)
  math(EXPR failures "${failures} + 1")
  set(failures ${failures} PARENT_SCOPE)
  message(SEND_ERROR "${text}")
endfunction()

# ---- the files that tests compile --------------------------------------------------------------------------------

file(GLOB_RECURSE sources
  "${ROOT}/examples/*.cpp" "${ROOT}/examples/*.hpp" "${ROOT}/examples/*.cu" "${ROOT}/examples/*.cuh"
  "${ROOT}/examples/*.cmake" "${ROOT}/examples/CMakeLists.txt" "${ROOT}/examples/other_builds/*"
  "${ROOT}/tests/package/setup.py"
  "${ROOT}/examples/adoption/*/CMakeLists.txt" "${ROOT}/examples/adoption/*.py"
  "${ROOT}/tests/snippets/*.cpp" "${ROOT}/tests/snippets/*.hpp" "${ROOT}/tests/snippets/*.cu"
  "${ROOT}/tests/snippets/*.cuh" "${ROOT}/tests/snippets/*.cmake" "${ROOT}/tests/snippets/CMakeLists.txt")
list(FILTER sources EXCLUDE REGEX "/check_snippets\\.cmake$")

set(source_count 0)
foreach(source IN LISTS sources)
  file(READ "${source}" text)
  string(REPLACE "\r" "" text "${text}")
  set(source_${source_count}_text "\n${text}\n")
  if(source MATCHES "\\.(cu|cuh)$")
    set(source_${source_count}_languages "cuda cpp")
  elseif(source MATCHES "\\.(cpp|hpp)$")
    set(source_${source_count}_languages "cpp")
  elseif(source MATCHES "\\.py$")
    set(source_${source_count}_languages "python")
  elseif(source MATCHES "(Makefile|\\.mk)$")
    set(source_${source_count}_languages "make")
  elseif(source MATCHES "meson\\.build$")
    set(source_${source_count}_languages "meson")
  elseif(source MATCHES "\\.(bazel|bzl)$")
    set(source_${source_count}_languages "starlark")
  elseif(source MATCHES "\\.ini$")
    set(source_${source_count}_languages "ini")
  else()
    set(source_${source_count}_languages "cmake")
  endif()
  math(EXPR source_count "${source_count} + 1")
endforeach()

# Sets `found` to whether `block`, which starts and ends with a line break, is in a file of the language.
function(find_block found language block)
  set(${found} FALSE PARENT_SCOPE)
  if(source_count EQUAL 0)
    return()
  endif()
  math(EXPR last "${source_count} - 1")
  set(indentation "")
  foreach(columns RANGE 0 24)
    string(REGEX REPLACE "\n([^\n])" "\n${indentation}\\1" indented "${block}")
    foreach(index RANGE ${last})
      if(source_${index}_languages MATCHES "(^| )${language}( |$)")
        string(FIND "${source_${index}_text}" "${indented}" position)
        if(NOT position EQUAL -1)
          set(${found} TRUE PARENT_SCOPE)
          return()
        endif()
      endif()
    endforeach()
    string(APPEND indentation " ")
  endforeach()
endfunction()

# Removes from `block`, which starts and ends with a line break, the indentation that all its lines share.
function(remove_common_indentation block_variable)
  set(block "${${block_variable}}")
  while(block MATCHES "\n +\n")
    string(REGEX REPLACE "\n +\n" "\n\n" block "${block}")
  endwhile()
  while(NOT block MATCHES "\n[^ \n]" AND block MATCHES "\n ")
    string(REGEX REPLACE "\n " "\n" block "${block}")
  endwhile()
  set(${block_variable} "${block}" PARENT_SCOPE)
endfunction()

# ---- the documents -----------------------------------------------------------------------------------------------

set(block_count 0)
set(checked "cpp;cuda;cmake;make;meson;python;starlark;ini")
set(forbidden "c;c++;cc;cxx;hpp;h;cu;cuh;nvcc")  # other names of the languages, under which a block would escape

function(check_document document)
  file(READ "${document}" rest)
  file(RELATIVE_PATH name "${ROOT}" "${document}")
  string(REPLACE "\r" "" rest "${rest}")
  if(NOT rest MATCHES "\n$")
    string(APPEND rest "\n")
  endif()
  set(number 0)
  set(fence "")
  while(NOT rest STREQUAL "")
    string(FIND "${rest}" "\n" length)
    string(SUBSTRING "${rest}" 0 ${length} line)
    math(EXPR length "${length} + 1")
    string(SUBSTRING "${rest}" ${length} -1 rest)
    math(EXPR number "${number} + 1")

    if(fence STREQUAL "")
      if(line MATCHES "^( *)(```+|~~~+) *([^ `]*)")
        set(fence_indentation "${CMAKE_MATCH_1}")
        set(fence "${CMAKE_MATCH_2}")
        string(TOLOWER "${CMAKE_MATCH_3}" language)
        set(first_line ${number})
        set(block "\n")
        if(language IN_LIST forbidden)
          fail("${name}:${number}: write cpp, cuda or cmake for the language, not ${language}")
        endif()
      endif()
    elseif(line MATCHES "^ *${fence}[`~]* *$")
      set(fence "")
      if(language IN_LIST checked)
        math(EXPR block_count "${block_count} + 1")
        remove_common_indentation(block)
        if(block MATCHES "^\n*$")
          fail("${name}:${first_line}: an empty ${language} block")
        else()
          find_block(found "${language}" "${block}")
          if(NOT found)
            string(REPLACE "\n" "\n    " shown "${block}")  # indented, so that message() leaves its lines alone
          fail("${name}:${first_line}: this ${language} block is in no ${language} file under examples/ or tests/snippets/:${shown}")
          endif()
        endif()
      endif()
    else()
      string(APPEND block "${line}\n")
    endif()
  endwhile()
  if(NOT fence STREQUAL "")
    fail("${name}:${first_line}: this block does not end")
  endif()
  set(block_count ${block_count} PARENT_SCOPE)
  set(failures ${failures} PARENT_SCOPE)
endfunction()

file(GLOB documents "${ROOT}/README.md" "${ROOT}/docs/*.md")
foreach(document IN LISTS documents)
  check_document("${document}")
endforeach()
if(block_count EQUAL 0)
  fail("${ROOT}: no document has a block of code")
endif()

message(STATUS "snippets: ${block_count} blocks, ${failures} of them wrong")
