# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DEXAMPLES=saxpy;reduce -DKERNELS=saxpy;reduce -DREPORTS=<folder> -P show_measured.cmake
# Prints the JSON reports of warpguard_measure as one table of measured and contracted numbers, with a row for each
# of KERNELS and a column for each architecture. Prints nothing if no example was compiled.

cmake_minimum_required(VERSION 3.22)

if(NOT EXAMPLES)
  return()
endif()

# Appends `text` to the string, padded with spaces to at least `width` characters.
function(append_cell string text width)
  string(LENGTH "${text}" length)
  math(EXPR missing "${width} - ${length}")
  if(missing GREATER 0)
    string(REPEAT " " ${missing} spaces)
    string(APPEND text "${spaces}")
  endif()
  set(${string} "${${string}}${text}" PARENT_SCOPE)
endfunction()

set(architectures "")
foreach(example IN LISTS EXAMPLES)
  file(READ ${REPORTS}/${example}.json report)
  string(JSON compiler GET "${report}" compiler)
  string(JSON count LENGTH "${report}" kernels)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON entry GET "${report}" kernels ${index})
    foreach(field kernel compute_capability registers spill_stores spill_loads blocks_per_sm)
      string(JSON ${field} GET "${entry}" ${field})
    endforeach()
    foreach(field registers_allowed blocks_required)
      string(JSON ${field} GET "${entry}" contracts 0 ${field})
    endforeach()
    string(REGEX REPLACE "\\(.*" "" name "${kernel}")
    list(APPEND architectures ${compute_capability})
    set(cell "${registers}/${registers_allowed} ${blocks_per_sm}/${blocks_required}")
    if(spill_stores GREATER 0 OR spill_loads GREATER 0)
      string(APPEND cell "*")
    endif()
    string(MAKE_C_IDENTIFIER "cell ${name} ${compute_capability}" key)
    set(${key} "${cell}")
  endforeach()
endforeach()
list(REMOVE_DUPLICATES architectures)
list(SORT architectures COMPARE NATURAL)

set(table "")
foreach(name IN LISTS KERNELS)
  set(line "")
  append_cell(line "${name}" 19)
  foreach(architecture IN LISTS architectures)
    string(MAKE_C_IDENTIFIER "cell ${name} ${architecture}" key)
    if(NOT DEFINED ${key})
      set(${key} " -")
    endif()
    append_cell(line "${${key}}" 11)
  endforeach()
  string(STRIP "${line}" line)
  string(APPEND table "\n${line}")
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "
Measured with ${compiler}: registers used/allowed, blocks per SM reached/required;
* spills within its budget${table}")
