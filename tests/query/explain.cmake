# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DROOT=<repository> "-DINCLUDES=..." -DGXX=... -DCLANGXX=... -DNVCC=... -DWORK=<folder>
#   -P explain.cmake
# `warpguard explain` knows every message and anchor of docs/errors.md, and finds the messages that compilers print.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/../measure/harness.cmake)

# Explains a text on standard input. Sets status, out and output.
macro(explain)
  file(WRITE "${WORK}/input.txt" "${ARGN}")
  execute_process(COMMAND ${PROGRAM} explain INPUT_FILE "${WORK}/input.txt"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
endmacro()

# ---- every message of the page ---------------------------------------------------------------------------------------

# Brackets and semicolons would change a CMake list, so the page is cut with string(FIND).
file(READ "${ROOT}/docs/errors.md" page)
set(count 0)
set(anchor_count 0)
while(TRUE)
  string(FIND "${page}" "\n### `" at)
  if(at LESS 0)
    break()
  endif()
  math(EXPR at "${at} + 6")
  string(SUBSTRING "${page}" ${at} -1 page)
  string(FIND "${page}" "`\n" end)
  string(SUBSTRING "${page}" 0 ${end} message)
  string(FIND "${page}" "\n#" next)
  string(SUBSTRING "${page}" 0 ${next} section)
  explain("file.hpp:1: error: static assertion failed: ${message}\n")
  must_exit("${message}" 0)
  string(FIND "${out}" "${message}\n\n" at)
  if(NOT at EQUAL 0)
    message(SEND_ERROR "${message}: the answer begins otherwise:\n${out}")
  endif()
  # The line that says what to do, which ends with a line end or goes on.
  string(REGEX MATCH "\nWhat to do: [^\n]*\n" advice "${section}")
  expect_in("${message}" "${out}" "${advice}")

  # The anchor at the end of the message gives the same section. The compilers' own messages have none.
  string(FIND "${message}" " [" at REVERSE)
  if(message MATCHES "^warpguard" AND at GREATER 0)
    set(section_of_message "${out}")
    # Facts of the input are explained too; those of the section are more.
    string(FIND "${section_of_message}" "\nWhat the facts mean:" end)
    string(SUBSTRING "${section_of_message}" 0 ${end} section_of_message)
    math(EXPR at "${at} + 1")
    string(SUBSTRING "${message}" ${at} -1 anchor)
    use(explain "${anchor}")
    must_exit("${anchor}" 0)
    string(FIND "${out}" "${section_of_message}" at)
    if(NOT at EQUAL 0)
      message(SEND_ERROR "${anchor}: not the section of its message:\n${out}")
    endif()
    math(EXPR anchor_count "${anchor_count} + 1")
  endif()

  math(EXPR count "${count} + 1")
endwhile()
if(count LESS 50 OR anchor_count LESS 80)
  message(SEND_ERROR "only ${count} messages and ${anchor_count} anchors found in docs/errors.md")
endif()

# ---- anchors ---------------------------------------------------------------------------------------------------------

set(by_anchor "warpguard: the contract's minimum residency is out of reach [residency]\n\n`residency_guard<")
foreach(anchor residency "[residency]" residency_guard "[residency_guard]")
  use(explain "${anchor}")
  must_exit("${anchor}" 0)
  string(FIND "${out}" "${by_anchor}" at)
  if(NOT at EQUAL 0)
    message(SEND_ERROR "${anchor}: not the section of residency:\n${out}")
  endif()
  expect_in("${anchor}" "${out}" "`BlocksReached` | how many blocks per SM would be resident")
  expect_not_in("${anchor}" "${out}" "measured_residency")
  expect_not_in("${anchor}" "${out}" "<a id")
endforeach()

# An anchor comes before a file of its name; a file can be written with its folder.
file(WRITE "${WORK}/residency" "warpguard: staged<> takes one stage or more [stages]\n")
use(explain residency)
must_exit("an anchor and a file" 0)
expect_in("an anchor and a file" "${out}" "residency_guard<")
use(explain ./residency)
must_exit("./residency" 0)
expect_in("./residency" "${out}" "stages_guard<")
file(WRITE "${WORK}/output" "warpguard: staged<> takes one stage or more [stages]\n")
use(explain output)
must_exit("a file without a dot" 0)
expect_in("a file without a dot" "${out}" "stages_guard<")

macro(must_not_know anchor part)
  use(explain "${anchor}")
  must_exit("${anchor}" 2)
  expect_in("${anchor}" "${output}" "explain: `${anchor}` is neither an anchor nor a file${part}\n")
endmacro()
must_not_know(residancy ". Similar anchors: residency")
must_not_know("[residancy]" ". Similar anchors: residency")
must_not_know(range-excess ". Similar anchors: excess, range_excess")
must_not_know(spills ". Similar anchors: spill")
must_not_know(no_such_name ". An anchor is the name in brackets at the end of a message, such as residency")
must_not_know(Residency_ ". Similar anchors: residency")
must_not_know("[output]" ". An anchor is the name in brackets at the end of a message, such as residency")
must_not_know("[]" ". An anchor is the name in brackets at the end of a message, such as residency")
must_not_know(_guard ". An anchor is the name in brackets at the end of a message, such as residency")

# ---- what compilers print --------------------------------------------------------------------------------------------

set(includes "")
foreach(folder IN LISTS INCLUDES)
  list(APPEND includes -I${folder})
endforeach()
macro(explain_refusal name)
  execute_process(COMMAND ${ARGN} -std=c++17 ${includes} -DOUTGROWN -c "${ROOT}/tests/snippets/plain.cpp"
      -o "${WORK}/object.o"
    RESULT_VARIABLE refused OUTPUT_VARIABLE text ERROR_VARIABLE more_text)
  if(refused EQUAL 0)
    message(SEND_ERROR "${name} compiles what it should refuse")
  endif()
  explain("${text}${more_text}")
  must_exit("${name}" 0)
  expect_in("${name}" "${out}" "warpguard: the contract's minimum residency is out of reach [residency] (2 times)\n\n")
  expect_in("${name}" "${out}" "`residency_guard<Contract, Architecture, BlocksReached, BlocksRequired, LimitedBy, Fits>`")
  # The other contracts whose refusals the page shows have nothing to do with this one.
  expect_not_in("${name}" "${out}" "transpose_contract")
  expect_in("${name}" "${out}" "  `shared_memory_at_most<Bytes>` | use at most this many bytes per block")
  expect_not_in("${name}" "${out}" "shared_memory_at_least")
  expect_not_in("${name}" "${out}" "`Fits` | change")
endmacro()
if(GXX)
  explain_refusal("g++" ${GXX} -DWARPGUARD_TARGETS=750,860 -fdiagnostics-color=always)
  expect_in("g++" "${out}" "`BlocksReached` | how many blocks per SM would be resident")
endif()
if(CLANGXX)
  explain_refusal("clang++" ${CLANGXX} -DWARPGUARD_TARGETS=750,860 -fcolor-diagnostics -fmessage-length=40)
endif()
if(NVCC)
  explain_refusal("nvcc" ${NVCC} -x cu -gencode=arch=compute_75,code=sm_75 -gencode=arch=compute_86,code=sm_86)
endif()

# ---- two messages, one twice; a message that begins another ----------------------------------------------------------

explain("error: warpguard: use\nerror: warpguard: the contract is
  incomplete here: define it before it is used\n [incomplete_contract]\nwarpguard: staged<> takes one stage or more\n"
  "warpguard: staged<> takes one stage or more [stages]\n")
must_exit("two messages" 0)
string(FIND "${out}"
  "warpguard: the contract is incomplete here: define it before it is used [incomplete_contract]\n" first)
string(FIND "${out}" "\nwarpguard: staged<> takes one stage or more [stages] (2 times)\n" second)
if(NOT first EQUAL 0 OR second LESS 0)
  message(SEND_ERROR "two messages, in their order:\n${out}")
endif()

# ---- nothing to explain ----------------------------------------------------------------------------------------------

foreach(text "" "error: expected ';'\n" "warpguard: error: kernels.lock: there is no such lock\n")
  explain("${text}")
  must_exit("nothing to explain" 3)
  expect_in("nothing to explain" "${output}" "standard input: no message of warpguard")
endforeach()
foreach(path "${WORK}" "${WORK}/nowhere.txt")
  execute_process(COMMAND ${PROGRAM} explain "${path}"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
  must_exit("${path}" 3)
  expect_in("${path}" "${output}" "${path}: cannot be read")
endforeach()
execute_process(COMMAND ${PROGRAM} explain a b RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
must_exit("two files" 2)
