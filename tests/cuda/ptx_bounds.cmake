# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles a .cu file to PTX for each architecture and compares the bounds of its kernels with what the file states:
#
#   // ptx sm_80 sm_90: saxpy maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
#   // ptx: tile<16> maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
#
# Without an architecture a line is for all of them; `-` is a directive that is absent. Every kernel of the PTX needs
# exactly one line for each architecture. Template arguments are int, float or double.
#
#   cmake -DNVCC=<path> -DSOURCE=<file> "-DARCHITECTURES=75;90" "-DINCLUDES=<folder>;..." [-DSTANDARD=17]
#         -P ptx_bounds.cmake

cmake_minimum_required(VERSION 3.21)

foreach(needed NVCC SOURCE ARCHITECTURES INCLUDES)
  if("${${needed}}" STREQUAL "")
    message(FATAL_ERROR "ptx_bounds.cmake: ${needed} is not given")
  endif()
endforeach()
if(NOT STANDARD)
  set(STANDARD 17)
endif()
get_filename_component(name "${SOURCE}" NAME)
list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)

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
        message(FATAL_ERROR "${name}: a template argument that this script does not know: ${kernel}")
      endif()
    endforeach()
    string(APPEND mangled "E")
  endif()
  set(${out} "${mangled}" PARENT_SCOPE)
endfunction()

file(STRINGS "${SOURCE}" lines REGEX "^// ptx[ :]")
if(NOT lines)
  message(FATAL_ERROR "${name}: states no `// ptx`")
endif()

set(failures "")
foreach(architecture IN LISTS ARCHITECTURES)
  string(REGEX REPLACE "-(real|virtual)$" "" architecture "${architecture}")
  string(RANDOM LENGTH 12 unique)
  set(ptx "${CMAKE_CURRENT_BINARY_DIR}/${name}.${unique}.ptx")
  execute_process(
    COMMAND "${NVCC}" -std=c++${STANDARD} -arch=sm_${architecture} -Werror all-warnings ${include_flags} -ptx -o "${ptx}"
            "${SOURCE}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    file(REMOVE "${ptx}")
    message(NOTICE "${output}")
    message(FATAL_ERROR "${name}: does not compile for sm_${architecture}")
  endif()
  file(READ "${ptx}" text)
  file(REMOVE "${ptx}")

  # A kernel is `.entry name(parameters)`, its directives, and `{`; nothing in between holds a list's characters.
  string(REPLACE ";" "" text "${text}")
  string(REPLACE "[" "(" text "${text}")
  string(REPLACE "]" ")" text "${text}")
  string(REGEX MATCHALL "\\.entry [^{]+{" entries "${text}")
  if(NOT entries)
    message(FATAL_ERROR "${name}: no kernel in the PTX for sm_${architecture}")
  endif()

  set(used "")
  foreach(entry IN LISTS entries)
    string(REGEX MATCH "\\.entry ([A-Za-z_0-9$]+)" matched "${entry}")
    set(kernel "${CMAKE_MATCH_1}")
    set(stated "")
    foreach(directive maxntid minnctapersm maxclusterrank)
      set(value "-")
      if(entry MATCHES "\\.${directive}[ \t]+([0-9, ]+)")
        string(REPLACE " " "" value "${CMAKE_MATCH_1}")
        if(directive STREQUAL "maxntid" AND NOT value MATCHES ",")
          string(APPEND value ",1,1")  # from sm_100 on nvcc leaves them out
        endif()
      endif()
      list(APPEND stated "${directive}=${value}")
    endforeach()
    list(JOIN stated " " is)

    set(found 0)
    foreach(line IN LISTS lines)
      if(NOT line MATCHES "^// ptx(( sm_[0-9]+[af]?)*): ([^ ]+) +(.*[^ ]) *$")
        message(FATAL_ERROR "${name}: not understood: ${line}")
      endif()
      set(line_architectures "${CMAKE_MATCH_1} ")
      set(line_kernel "${CMAKE_MATCH_3}")
      set(wanted "${CMAKE_MATCH_4}")
      if(NOT line_architectures STREQUAL " " AND NOT line_architectures MATCHES " sm_${architecture} ")
        continue()
      endif()
      mangle("${line_kernel}" mangled)
      string(FIND "${kernel}" "${mangled}" at)
      if(kernel STREQUAL line_kernel OR at GREATER_EQUAL 0)
        math(EXPR found "${found} + 1")
        list(APPEND used "${line}")
        if(NOT wanted STREQUAL is)
          string(APPEND failures "  sm_${architecture}: ${line_kernel}\n    stated ${wanted}\n    is     ${is}\n")
        endif()
      endif()
    endforeach()
    if(NOT found EQUAL 1)
      string(APPEND failures "  sm_${architecture}: ${found} lines, not one, are about ${kernel}\n    is     ${is}\n")
    endif()
  endforeach()

  foreach(line IN LISTS lines)
    if((line MATCHES "^// ptx:" OR line MATCHES " sm_${architecture}[ :]") AND NOT line IN_LIST used)
      string(APPEND failures "  sm_${architecture}: no such kernel: ${line}\n")
    endif()
  endforeach()
endforeach()

if(failures)
  message(FATAL_ERROR "${name}: the PTX has other bounds\n${failures}")
endif()
list(LENGTH ARCHITECTURES count)
message(STATUS "${name}: the bounds in the PTX of ${count} architectures are as stated")
