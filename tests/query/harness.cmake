# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For the tests of the commands that answer questions: runs the program, and reads its JSON and its CSV.

include(${CMAKE_CURRENT_LIST_DIR}/../measure/harness.cmake)

# Runs the program, which must print an answer and no error.
macro(ask)
  use(${ARGN})
  if(NOT status EQUAL 0 OR out STREQUAL "" OR NOT output STREQUAL "")
    message(SEND_ERROR "${ARGN}: exit code ${status}:\n${out}${output}")
  endif()
endmacro()

# Runs the program, which must print an error with `part`, no answer, and exit with `code`.
macro(must_refuse code part)
  use(${ARGN})
  if(NOT status EQUAL "${code}" OR NOT out STREQUAL "")
    message(SEND_ERROR "${ARGN}: exit code ${status}, not ${code}:\n${out}${output}")
  endif()
  expect_in("${ARGN}" "${output}" "${part}")
endmacro()

function(expect_equal name is expected)
  if(NOT is STREQUAL expected)
    message(SEND_ERROR "${name}: `${is}`, not `${expected}`")
  endif()
endfunction()

# A member of the JSON in `out` must have this value: expect_json(6 answers 0 blocks_per_sm).
function(expect_json expected)
  string(JSON value ERROR_VARIABLE error GET "${out}" ${ARGN})
  if(error)
    message(SEND_ERROR "${ARGN}: ${error}\n${out}")
  endif()
  expect_equal("${ARGN}" "${value}" "${expected}")
endfunction()

# Sets `lines` to the lines of `out`, and `columns` to the names in the first line of CSV.
macro(read_csv)
  string(REGEX REPLACE "\n$" "" lines "${out}")
  string(REPLACE ";" "," lines "${lines}")
  string(REPLACE "\n" ";" lines "${lines}")
  list(POP_FRONT lines columns)
  string(REPLACE "," ";" columns "${columns}")
endmacro()

# Sets `result` to a cell of a line of CSV. Texts are quoted.
function(cell_in result line column)
  list(FIND columns ${column} at)
  if(at LESS 0)
    message(SEND_ERROR "no column ${column} in ${columns}")
    return()
  endif()
  set(rest "${line}")
  foreach(unused RANGE ${at})
    if(NOT rest MATCHES "^\"([^\"]*)\",?(.*)$")
      string(REGEX MATCH "^([^,]*),?(.*)$" unused "${rest}")
    endif()
    set(cell "${CMAKE_MATCH_1}")
    set(rest "${CMAKE_MATCH_2}")
  endforeach()
  set(${result} "${cell}" PARENT_SCOPE)
endfunction()
