# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DROOT=<repository> "-DINCLUDES=..." -DGXX=... -DCLANGXX=... -DNVCC=... -DWORK=<folder>
#   -P explain.cmake
# `warpguard explain` knows every message of docs/errors.md, and finds those that compilers print.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/../measure/harness.cmake)

# Explains a text on standard input. Sets status, out and output.
macro(explain)
  file(WRITE "${WORK}/input.txt" "${ARGN}")
  execute_process(COMMAND ${PROGRAM} explain INPUT_FILE "${WORK}/input.txt"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
endmacro()
function(must_exit name code)
  if(NOT status EQUAL code)
    message(SEND_ERROR "${name}: exit code ${status}, not ${code}:\n${out}${output}")
  endif()
endfunction()

# ---- every message of the page ---------------------------------------------------------------------------------------

# Brackets and semicolons would change a CMake list, so the page is cut with string(FIND).
file(READ "${ROOT}/docs/errors.md" page)
set(count 0)
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

  math(EXPR count "${count} + 1")
endwhile()
if(count LESS 50)
  message(SEND_ERROR "only ${count} messages found in docs/errors.md")
endif()

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
  expect_in("${name}" "${out}" "warpguard: the contract's minimum residency is out of reach (2 times)\n\n")
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
  incomplete here: define it before it is used\nwarpguard: staged<> takes one stage or more\n"
  "warpguard: staged<> takes one stage or more\n")
must_exit("two messages" 0)
string(FIND "${out}" "warpguard: the contract is incomplete here: define it before it is used\n" first)
string(FIND "${out}" "\nwarpguard: staged<> takes one stage or more (2 times)\n" second)
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
