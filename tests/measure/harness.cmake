# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For the tests of the program: writes the output of ptxas in the format of the launcher, and runs the program.

include(${CMAKE_CURRENT_LIST_DIR}/../expectations.cmake)

set(texts ${CMAKE_CURRENT_LIST_DIR}/texts)

# What a .ptxas file says about an object of no bytes: the digest is where FNV-1a begins.
set(empty_object "object 0 cbf29ce484222325")

# Writes an object of no bytes and its .ptxas file. `text` may contain brackets and semicolons, so it must not be used
# as a list.
function(write_object object arguments text)
  string(REPLACE "|" "\nargument " arguments "|${arguments}")
  file(WRITE "${WORK}/${object}" "")
  file(WRITE "${WORK}/${object}.ptxas"
    "warpguard-ptxas-text 2\n${empty_object}${arguments}\ntext\n${text}end\n")
endfunction()

# Runs a command of the program on the objects: header, one of the lock, or, as check-target, `warpguard check`, which also
# writes the reports. Sets status, output, and header.
function(run_program what)
  set(request "warpguard-request 1\ntarget app\nname app\ncompiler ${compiler}\nheader ${WORK}/app.measured.hpp\nlock ${WORK}/app.lock\n")
  string(APPEND request "reports ${WORK}\nroot ${WORK}\ntoday 2027-01-15\n")
  if(EXISTS "${WORK}/checks.cpp")
    string(APPEND request "check ${WORK}/checks.cpp\n")
  endif()
  foreach(object IN LISTS ARGN)
    string(APPEND request "object ${WORK}/${object}\n")
  endforeach()
  file(WRITE "${WORK}/request.txt" "${request}${more}")
  file(REMOVE "${WORK}/app.measured.hpp")
  if(what STREQUAL "header" OR what STREQUAL "check-target")
    string(REPLACE "-target" "" command "${what}")
    set(command ${command} ${WORK}/request.txt)
  else()
    set(command lock ${what} ${WORK}/app.lock --from ${WORK}/request.txt)
  endif()
  execute_process(COMMAND ${PROGRAM} ${command}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(header "")
  if(EXISTS "${WORK}/app.measured.hpp")
    file(READ "${WORK}/app.measured.hpp" header)
  endif()
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
  set(header "${header}" PARENT_SCOPE)
endfunction()

# Runs the program in the folder of the test. Sets status, out (standard output), and output (standard error).
macro(use)
  execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
endmacro()

# Counts the places of `part` in a text.
function(count_in result text part)
  string(LENGTH "${text}" before)
  string(REPLACE "${part}" "" text "${text}")
  string(LENGTH "${text}" after)
  string(LENGTH "${part}" length)
  math(EXPR count "(${before} - ${after}) / ${length}")
  set(${result} ${count} PARENT_SCOPE)
endfunction()

function(must_pass name)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${name}: exit code ${status}:\n${output}")
  endif()
endfunction()

# `failing` is a regular expression of exit codes: 1 if a kernel got worse, 3 if an input cannot be read.
set(failing "1|3")
function(must_fail name part)
  if(NOT status MATCHES "^(${failing})$")
    message(SEND_ERROR "${name}: exit code ${status}, not ${failing}:\n${output}")
  endif()
  expect_in("${name}" "${output}" "${part}")
  if(header)
    message(SEND_ERROR "${name}: failed, but wrote a header")
  endif()
endfunction()

# What reads an input of more megabytes than its address space has; a sanitizer needs more for itself.
set(limit_memory "ulimit -v 100000")
set(megabytes 200)
if(DEFINED ENV{WARPGUARD_INSTRUMENTED})
  set(limit_memory "")
  set(megabytes 2)
endif()

set(compiler "nvcc 13.0.88")
set(more "")
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(WRITE "${WORK}/checks.cpp" "")
