# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DCXX=<C++ compiler> "-DINCLUDES=<folders>" -DWORK=<folder> -P contributing_applied.cmake
# Applies the diffs of .github/CONTRIBUTING.md to a copy of the headers and compiles what they add: an architecture and
# an option. A block of diff lines follows a comment `<!-- apply: <header>, before|within -->`:
#   before  the lines with + are inserted before the line that begins with the text of the other line
#   within  the text of the line with - is replaced by that of the line with +

cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(COPY ${ROOT}/include/warpguard DESTINATION ${WORK})
file(READ ${ROOT}/.github/CONTRIBUTING.md page)
string(REPLACE ";" "<semicolon>" page "${page}")
string(REPLACE "[" "<open>" page "${page}")
string(REPLACE "]" "<close>" page "${page}")
string(REPLACE "\n" ";" lines "${page}")

set(header "")
set(applied 0)
foreach(line IN LISTS lines)
  if(line MATCHES "^ *<!-- apply: (.*), (before|within) -->$")
    set(header ${CMAKE_MATCH_1})
    set(how ${CMAKE_MATCH_2})
    set(added "")
    set(anchor "")
  elseif(header AND line MATCHES "^( *)```diff$")
    set(indent "${CMAKE_MATCH_1}")
  elseif(header AND line MATCHES "^ *```$")
    file(READ ${WORK}/warpguard/${header} text)
    string(REPLACE ";" "<semicolon>" text "${text}")
    string(REPLACE "[" "<open>" text "${text}")
    string(REPLACE "]" "<close>" text "${text}")
    if(how STREQUAL "before")
      set(wanted "\n${anchor}")
      set(becomes "\n${added}${anchor}")
    else()
      set(wanted "${anchor}")
      string(REGEX REPLACE "\n$" "" becomes "${added}")
    endif()
    string(FIND "${text}" "${wanted}" at)
    if(at LESS 0)
      message(FATAL_ERROR "${header} has no line that begins with: ${anchor}")
    endif()
    string(LENGTH "${wanted}" length)
    string(SUBSTRING "${text}" 0 ${at} head)
    math(EXPR after "${at} + ${length}")
    string(SUBSTRING "${text}" ${after} -1 tail)
    set(text "${head}${becomes}${tail}")
    string(REPLACE "<semicolon>" ";" text "${text}")
    string(REPLACE "<open>" "[" text "${text}")
    string(REPLACE "<close>" "]" text "${text}")
    file(WRITE ${WORK}/warpguard/${header} "${text}")
    math(EXPR applied "${applied} + 1")
    set(header "")
  elseif(header)
    string(LENGTH "${indent}" indented)
    string(SUBSTRING "${line}" ${indented} -1 line)
    if(line MATCHES "^\\+(.*)$")
      string(APPEND added "${CMAKE_MATCH_1}\n")
    elseif(line MATCHES "^[- ](.*)$")
      set(anchor "${CMAKE_MATCH_1}")
    endif()
  endif()
endforeach()
if(NOT applied EQUAL 5)
  message(FATAL_ERROR "CONTRIBUTING.md has ${applied} diffs to apply, not 5")
endif()

set(includes -I${WORK})
foreach(folder IN LISTS INCLUDES)
  list(APPEND includes -I${folder})
endforeach()
file(WRITE ${WORK}/example.cpp "#include <warpguard/warpguard.hpp>
namespace wg = warpguard;
static_assert(wg::find_architecture(130)->max_warps_per_sm == 64);
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_stack<BYTES>,
                                   wg::on<wg::sm<130>, wg::max_stack<128>>> {};
static_assert(wg::guarantee_on<app_contract, wg::sm<90>, wg::sm<130>>);
static_assert(app_contract::terms_on(90).max_stack == 64 && app_contract::terms_on(130).max_stack == 128);
static_assert(wg::contract<wg::threads_per_block<256>>::terms_on(90).max_stack == 0);
")
function(compile bytes)
  execute_process(COMMAND ${CXX} -std=c++17 -fsyntax-only -DBYTES=${bytes} ${includes} ${WORK}/example.cpp
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status ${status} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
compile(64)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "what CONTRIBUTING.md adds does not compile:\n${output}")
endif()
compile(0)
if(status EQUAL 0 OR NOT output MATCHES "an option of the contract is out of range")
  message(FATAL_ERROR "max_stack<0> should be refused as out of range:\n${output}")
endif()
