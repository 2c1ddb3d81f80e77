# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DWORK=<folder> [-DGXX=<g++>] [-DCLANGXX=<clang++>] [-DNVCC=<nvcc>] [-DUPDATE=ON]
#   -P tutorial_followed.cmake
# Follows docs/tutorial.md word for word, in an empty folder with a copy of the repository in it. HTML comments in the
# page say what the fenced block after them is:
#
#   <!-- file: NAME -->      the file NAME
#   <!-- append: NAME -->    the next part of the file NAME
#   <!-- change: NAME -->    a diff: its lines with + take the place of its lines with - in the file NAME
#   <!-- run -->             commands that succeed
#   <!-- fails: TEXT -->     commands that fail, with TEXT in their output
#   <!-- output -->          the output of the last commands
#   <!-- shown by g++: FILE -->   what compiler_output.cmake takes from the errors of the last commands, about FILE; also
#                            clang and nvcc. With -DUPDATE=ON these blocks are written anew
#   <!-- skip: REASON -->    not for this test
#
# `run with nvcc`, `fails with nvcc: TEXT`, `output with nvcc` and `shown by nvcc` are left out where there is no nvcc, and so
# for clang. A block of C++, CUDA, CMake or shell without such a comment is a mistake.

cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/compiler_output.cmake")

set(compiler_g++ "${GXX}")
set(compiler_clang "${CLANGXX}")
set(compiler_nvcc "${NVCC}")
set(ENV{LC_ALL} C)

# ---- The folder in which the page begins -------------------------------------------------------------------------

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/warpguard")
foreach(part CMakeLists.txt LICENSE README.md cmake include tools)
  file(COPY "${ROOT}/${part}" DESTINATION "${WORK}/warpguard")
endforeach()

get_filename_component(folder "${CMAKE_COMMAND}" DIRECTORY)
set(ENV{PATH} "${folder}:$ENV{PATH}")
if(NVCC)
  get_filename_component(folder "${NVCC}" DIRECTORY)
  set(ENV{PATH} "${folder}:$ENV{PATH}")
else()
  message(STATUS "LEFT OUT: the steps that need nvcc")
endif()
find_program(NINJA ninja)
if(NINJA)
  set(ENV{CMAKE_GENERATOR} Ninja)
endif()

# ---- What a block can be -----------------------------------------------------------------------------------------

set(files 0)
set(commands 0)
set(output "")

macro(stop text)
  message(FATAL_ERROR "docs/tutorial.md:${first_line}: ${text}")
endmacro()

macro(change_file name)
  set(before "")
  set(after "")
  set(rest "${block}")
  while(NOT rest STREQUAL "")
    string(FIND "${rest}" "\n" length)
    string(SUBSTRING "${rest}" 0 ${length} line)
    math(EXPR length "${length} + 1")
    string(SUBSTRING "${rest}" ${length} -1 rest)
    if(line MATCHES "^-")
      string(SUBSTRING "${line}" 1 -1 line)
      string(APPEND before "${line}\n")
    elseif(line MATCHES "^\\+")
      string(SUBSTRING "${line}" 1 -1 line)
      string(APPEND after "${line}\n")
    else()
      stop("a diff here has lines with - and + only")
    endif()
  endwhile()
  file(READ "${WORK}/${name}" text)
  string(FIND "${text}" "${before}" at)
  if(at LESS 0)
    stop("${name} has no such lines:\n${before}")
  endif()
  string(REPLACE "${before}" "${after}" text "${text}")
  file(WRITE "${WORK}/${name}" "${text}")
endmacro()

# Runs the block; `expected` is a text in the output of commands that must fail, or nothing.
macro(run_commands expected)
  file(WRITE "${WORK}.step" "${block}")
  execute_process(COMMAND sh -e "${WORK}.step" WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  file(REMOVE "${WORK}.step")
  math(EXPR commands "${commands} + 1")
  if("${expected}" STREQUAL "")
    if(NOT status EQUAL 0)
      stop("these commands fail with ${status}:\n${block}${output}${errors}")
    endif()
  else()
    if(status EQUAL 0)
      stop("these commands should fail:\n${block}${output}${errors}")
    endif()
    string(FIND "${output}${errors}" "${expected}" at)
    if(at LESS 0)
      stop("these commands fail, but not with \"${expected}\":\n${block}${output}${errors}")
    endif()
  endif()
endmacro()

macro(compare_shown kind own)
  shown_lines(real ${kind} "${own}" "" "${WORK}/" "${output}${errors}")
  is_documented_version(is_documented ${kind} "${compiler_${kind}}")
  shows(same "${block}" "${real}" ${is_documented})
  if(NOT same AND UPDATE)
    set(block "${real}")
  elseif(NOT same)
    stop("the page shows\n${block}and ${kind} prints\n${real}")
  endif()
endmacro()

macro(follow_block)
  set(needed "")
  if(marker MATCHES " (with|by) (g\\+\\+|clang|nvcc)")
    set(needed "${CMAKE_MATCH_2}")
  endif()
  if(needed AND NOT compiler_${needed})
    # left out
  elseif(marker MATCHES "^shown by ([a-z+]+): (.+)$")
    compare_shown("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  elseif(marker MATCHES "^file: (.+)$")
    file(WRITE "${WORK}/${CMAKE_MATCH_1}" "${block}")
    math(EXPR files "${files} + 1")
  elseif(marker MATCHES "^append: (.+)$")
    file(APPEND "${WORK}/${CMAKE_MATCH_1}" "\n${block}")
  elseif(marker MATCHES "^change: (.+)$")
    change_file("${CMAKE_MATCH_1}")
  elseif(marker MATCHES "^run( with [a-z]+)?$")
    run_commands("")
  elseif(marker MATCHES "^fails( with [a-z]+)?: (.+)$")
    run_commands("${CMAKE_MATCH_2}")
  elseif(marker MATCHES "^output( with [a-z]+)?$")
    if(NOT output STREQUAL block)
      stop("the page shows\n${block}and the commands print\n${output}")
    endif()
  elseif(marker STREQUAL "" AND language MATCHES "^(cpp|cuda|cmake|sh|diff)$")
    stop("nothing says what this ${language} block is: see tests/docs/tutorial_followed.cmake")
  endif()
endmacro()

# ---- The page ----------------------------------------------------------------------------------------------------

# Line by line with string(FIND): CMake's lists do not survive ; and [ and ].
file(READ "${ROOT}/docs/tutorial.md" page)
string(REPLACE "\r" "" page "${page}")
set(number 0)
set(marker "")
set(inside FALSE)
set(written "")
while(NOT page STREQUAL "")
  string(FIND "${page}" "\n" length)
  string(SUBSTRING "${page}" 0 ${length} line)
  math(EXPR length "${length} + 1")
  string(SUBSTRING "${page}" ${length} -1 page)
  math(EXPR number "${number} + 1")
  if(inside AND line STREQUAL "```")
    follow_block()
    string(APPEND written "${block}```\n")
    set(marker "")
    set(inside FALSE)
    continue()
  elseif(inside)
    string(APPEND block "${line}\n")
    continue()
  elseif(line MATCHES "^```([a-z]*)$")
    set(language "${CMAKE_MATCH_1}")
    set(first_line ${number})
    set(block "")
    set(inside TRUE)
  elseif(line MATCHES "^<!-- ((file|append|change|run|fails|output|shown|skip).*) -->$")
    set(marker "${CMAKE_MATCH_1}")
  endif()
  string(APPEND written "${line}\n")
endwhile()
if(UPDATE)
  file(WRITE "${ROOT}/docs/tutorial.md" "${written}")
endif()

if(files LESS 5 OR commands LESS 5)
  message(FATAL_ERROR "docs/tutorial.md: only ${files} files and ${commands} steps found")
endif()
message(STATUS "tutorial: ${files} files, ${commands} steps")
