# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Prints at which line of a compiler's output a user finds the rule and a place in the user's own file: median and
# maximum over the .positions files that refusal.cmake wrote.
#
#   cmake -DKIND=<g++|clang|nvcc|nvrtc> -DWORK=<folder of the .positions files> "-DNAMES=<file>;..." [-DMAX=10] -P positions.cmake
#
# Fails if the first refusal of a file has one of the two after line MAX. (Later ones may come from deeper: the array of
# a layout that a kernel asks for, the second fault of a contract.)

cmake_minimum_required(VERSION 3.21)

set(rule_lines "")
set(own_lines "")
set(without_own_line 0)
set(too_late "")
foreach(name IN LISTS NAMES)
  file(STRINGS "${WORK}/${name}.positions" lines)
  set(number 0)
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([0-9]+) ([0-9]+)$")
      message(FATAL_ERROR "${WORK}/${name}.positions: not understood: ${line}")
    endif()
    set(rule_line ${CMAKE_MATCH_1})
    set(own_line ${CMAKE_MATCH_2})
    math(EXPR number "${number} + 1")
    list(APPEND rule_lines ${rule_line})
    if(own_line EQUAL 0)
      math(EXPR without_own_line "${without_own_line} + 1")
    else()
      list(APPEND own_lines ${own_line})
    endif()
    if(MAX AND number EQUAL 1 AND (rule_line GREATER MAX OR own_line GREATER MAX))
      string(APPEND too_late "\n  ${name}: rule at line ${rule_line}, own line at ${own_line}")
    endif()
  endforeach()
endforeach()

# Sets `out` to "<median> (max <maximum>)".
function(summarize out)
  list(SORT ARGN COMPARE NATURAL)
  list(LENGTH ARGN count)
  math(EXPR middle "(${count} - 1) / 2")
  list(GET ARGN ${middle} median)
  list(GET ARGN -1 maximum)
  set(${out} "${median} (max ${maximum})" PARENT_SCOPE)
endfunction()

list(LENGTH rule_lines count)
if(NOT rule_lines OR NOT own_lines)
  message(FATAL_ERROR "${WORK}: no positions")
endif()
summarize(rule ${rule_lines})
summarize(own ${own_lines})
message("${KIND}: rule at line ${rule}, own line at ${own}; ${count} refusals, ${without_own_line} without an own line")
if(too_late)
  message(FATAL_ERROR "${KIND}: after line ${MAX}:${too_late}")
endif()
