# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compares the launch bounds of the kernels in a source file with lines of that file. The bounds are read from the PTX
# in the object file (`nvcc --no-compress`), for each architecture, so this test compiles nothing. The lines are:
#
#   // ptx sm_80 sm_90: saxpy maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
#   // ptx: tile<16> maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
#
# A line without architectures applies to all. `-` means that the directive is absent. Every kernel needs exactly one
# line for each architecture. Template arguments may be integers, float or double.
#
#   cmake -DSOURCE=<file> -DOBJECT=<its object file> "-DARCHITECTURES=75;90" -P ptx_bounds.cmake

cmake_minimum_required(VERSION 3.21)

foreach(needed SOURCE OBJECT ARCHITECTURES)
  if("${${needed}}" STREQUAL "")
    message(FATAL_ERROR "ptx_bounds.cmake: -D${needed}=... is missing")
  endif()
endforeach()
get_filename_component(name "${SOURCE}" NAME)

# saxpy -> 5saxpy, tile<16> -> 4tileILi16EE: a part of the mangled name
function(mangle kernel out)
  string(REGEX MATCH "^([A-Za-z_0-9]+)(<(.*)>)?$" matched "${kernel}")
  if(NOT matched)
    message(FATAL_ERROR "${name}: not a kernel's name: ${kernel}")
  endif()
  set(identifier "${CMAKE_MATCH_1}")
  set(arguments "${CMAKE_MATCH_3}")
  string(LENGTH "${identifier}" length)
  set(mangled "${length}${identifier}")
  if(arguments)
    string(REPLACE "," ";" arguments "${arguments}")
    string(APPEND mangled "I")
    foreach(argument IN LISTS arguments)
      if(argument MATCHES "^[0-9]+$")
        string(APPEND mangled "Li${argument}E")
      elseif(argument STREQUAL "float")
        string(APPEND mangled "f")
      elseif(argument STREQUAL "double")
        string(APPEND mangled "d")
      else()
        message(FATAL_ERROR "${name}: this script does not support the template argument of ${kernel}")
      endif()
    endforeach()
    string(APPEND mangled "E")
  endif()
  set(${out} "${mangled}" PARENT_SCOPE)
endfunction()

file(STRINGS "${SOURCE}" lines REGEX "^// ptx[ :]")
if(NOT lines)
  message(FATAL_ERROR "${name}: has no line `// ptx`")
endif()

# ---- the PTX --------------------------------------------------------------------------------------------------------

# Each PTX text has `.target sm_90` and, for each kernel, `.visible .entry name(` and a line for each directive.
set(directives maxntid minnctapersm maxclusterrank)
file(STRINGS "${OBJECT}" ptx_lines
  REGEX "^\\.(target|maxntid|minnctapersm|maxclusterrank)[ \t]|^(\\.[a-z]+ )*\\.(entry|func)[ \t]")
set(architecture "")
set(kernel "")
foreach(line IN LISTS ptx_lines)
  if(line MATCHES "^\\.target[ \t]+sm_([0-9]+[af]?)")
    set(architecture "${CMAKE_MATCH_1}")
    set(kernel "")
    set(kernels_${architecture} "")
  elseif(line MATCHES "\\.entry[ \t]+([A-Za-z_0-9$]+)")
    set(kernel "${architecture}_${CMAKE_MATCH_1}")
    list(APPEND kernels_${architecture} "${CMAKE_MATCH_1}")
    foreach(directive IN LISTS directives)
      set(${directive}_${kernel} "-")
    endforeach()
  elseif(line MATCHES "\\.func")
    set(kernel "")
  elseif(line MATCHES "^\\.([a-z]+)[ \t]+([0-9, ]+)" AND kernel)
    set(directive "${CMAKE_MATCH_1}")
    string(REPLACE " " "" value "${CMAKE_MATCH_2}")
    if(directive STREQUAL "maxntid" AND NOT value MATCHES ",")
      string(APPEND value ",1,1")  # from sm_100 on nvcc omits them
    endif()
    set(${directive}_${kernel} "${value}")
  endif()
endforeach()

# ---- comparison -----------------------------------------------------------------------------------------------------

set(failures "")
foreach(architecture IN LISTS ARCHITECTURES)
  string(REGEX REPLACE "-(real|virtual)$" "" architecture "${architecture}")
  if(NOT kernels_${architecture})
    message(FATAL_ERROR "${name}: no kernel in the PTX for sm_${architecture}: ${OBJECT}")
  endif()

  set(used "")
  foreach(kernel IN LISTS kernels_${architecture})
    set(values "")
    foreach(directive IN LISTS directives)
      list(APPEND values "${directive}=${${directive}_${architecture}_${kernel}}")
    endforeach()
    list(JOIN values " " found)

    set(lines_found 0)
    foreach(line IN LISTS lines)
      if(NOT line MATCHES "^// ptx(( sm_[0-9]+[af]?)*): ([^ ]+) +(.*[^ ]) *$")
        message(FATAL_ERROR "${name}: malformed line: ${line}")
      endif()
      set(line_architectures "${CMAKE_MATCH_1} ")
      set(line_kernel "${CMAKE_MATCH_3}")
      set(expected "${CMAKE_MATCH_4}")
      if(NOT line_architectures STREQUAL " " AND NOT line_architectures MATCHES " sm_${architecture} ")
        continue()
      endif()
      mangle("${line_kernel}" mangled)
      string(FIND "${kernel}" "${mangled}" at)
      if(kernel STREQUAL line_kernel OR at GREATER_EQUAL 0)
        math(EXPR lines_found "${lines_found} + 1")
        list(APPEND used "${line}")
        if(NOT expected STREQUAL found)
          string(APPEND failures "  sm_${architecture}: ${line_kernel}\n    line ${expected}\n    PTX  ${found}\n")
        endif()
      endif()
    endforeach()
    if(NOT lines_found EQUAL 1)
      string(APPEND failures "  sm_${architecture}: ${lines_found} lines, not 1, for ${kernel}\n    PTX  ${found}\n")
    endif()
  endforeach()

  foreach(line IN LISTS lines)
    if((line MATCHES "^// ptx:" OR line MATCHES " sm_${architecture}[ :]") AND NOT line IN_LIST used)
      string(APPEND failures "  sm_${architecture}: no kernel for the line: ${line}\n")
    endif()
  endforeach()
endforeach()

if(failures)
  message(FATAL_ERROR "${name}: the PTX has other bounds than the lines:\n${failures}")
endif()
list(LENGTH ARCHITECTURES count)
message(STATUS "${name}: the bounds in the PTX of ${count} architectures are correct")
