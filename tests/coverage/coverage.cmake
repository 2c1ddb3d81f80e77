# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DGCOVR=<gcovr> -DROOT=<source folder> -DBUILD=<build folder> -DGATE=<gate.txt> -P coverage.cmake
#
# Prints how many lines and branches the tests that ran in BUILD reached, and fails if it is less than the gate. A line
# of a header counts only if it ran in a program: what the compiler evaluates is not counted. Branches that only an
# exception takes are left out.

cmake_minimum_required(VERSION 3.22)

set(report ${BUILD}/coverage.json)
# gcov writes about objects that this build has not made, and about programs that did not run.
execute_process(COMMAND ${GCOVR} --root ${ROOT} --filter "${ROOT}/(include|tools)/" --exclude-throw-branches
    --exclude-unreachable-branches --json ${report} ${BUILD}
  RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_QUIET)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${GCOVR} fails: ${errors}")
endif()

# Sets `result` to tenths of a percent, rounded down: 1000 means all of them.
function(tenths result part whole)
  if(whole EQUAL 0)
    message(FATAL_ERROR "nothing was counted; run `ctest --preset coverage` first")
  endif()
  math(EXPR value "1000 * ${part} / ${whole}")
  set(${result} ${value} PARENT_SCOPE)
endfunction()

function(percent result tenths)
  math(EXPR whole "${tenths} / 10")
  math(EXPR rest "${tenths} % 10")
  set(${result} "${whole}.${rest} %" PARENT_SCOPE)
endfunction()

set(core "include/warpguard/(hardware|model)/")
set(contract "include/warpguard/(contract|layout|measured)/")
set(launch "include/warpguard/launch/")
set(program "tools/")
set(low "")
set(high "")
file(STRINGS ${GATE} lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(core|contract|launch|program) (line|branch) ([0-9]+)\\.([0-9])$")
    message(FATAL_ERROR "${GATE}: unexpected line: ${line}")
  endif()
  set(part ${CMAKE_MATCH_1})
  set(kind ${CMAKE_MATCH_2})
  math(EXPR wanted "10 * ${CMAKE_MATCH_3} + ${CMAKE_MATCH_4}")
  execute_process(COMMAND ${GCOVR} --root ${ROOT} --add-tracefile ${report} --filter "${ROOT}/${${part}}"
      --exclude-throw-branches --json-summary -
    RESULT_VARIABLE status OUTPUT_VARIABLE summary ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${GCOVR} fails: ${errors}")
  endif()
  string(JSON covered GET "${summary}" ${kind}_covered)
  string(JSON total GET "${summary}" ${kind}_total)
  tenths(reached ${covered} ${total})
  percent(text ${reached})
  percent(wanted_text ${wanted})
  string(REPLACE "branch" "branche" kinds ${kind})
  message("${part}: ${covered} of ${total} ${kinds}s, ${text} (gate: ${wanted_text})")
  math(EXPR more "${reached} - ${wanted}")
  if(more LESS 0)
    string(APPEND low " ${part} ${kinds}s")
  elseif(more GREATER_EQUAL 5)
    string(APPEND high " ${part} ${kinds}s")
  endif()
endforeach()
execute_process(COMMAND ${GCOVR} --root ${ROOT} --add-tracefile ${report} --html-details ${BUILD}/coverage.html)
message("each line: ${BUILD}/coverage.html")
if(high)
  message("more is reached than the gate asks for; raise it:${high}")
endif()
if(low)
  message(FATAL_ERROR "less is reached than the gate asks for:${low}")
endif()
