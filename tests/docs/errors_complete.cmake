# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# docs/errors.md explains every message: each string literal of the headers that begins with "warpguard: " or "warpguard
# needs" is a heading there, and each such heading is a message of the headers. It names every guard with its parameters,
# as `name_guard<Parameter, ...>`, and it has every option: each struct of the headers that derives from detail::option.
#
#   cmake -DROOT=<repository> -P errors_complete.cmake

cmake_minimum_required(VERSION 3.16)

if(NOT DEFINED ROOT)
  message(FATAL_ERROR "-DROOT=<repository> is missing")
endif()

set(failures 0)
macro(fail text)
  math(EXPR failures "${failures} + 1")
  message(SEND_ERROR "${text}")
endmacro()

# What would end or split an element of a CMake list, as characters that it leaves alone, and back.
function(hide variable)
  set(text "${${variable}}")
  string(ASCII 1 semicolon)
  string(ASCII 2 opening)
  string(ASCII 3 closing)
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REPLACE "[" "${opening}" text "${text}")
  string(REPLACE "]" "${closing}" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
function(show variable)
  set(text "${${variable}}")
  string(ASCII 1 semicolon)
  string(ASCII 2 opening)
  string(ASCII 3 closing)
  string(REPLACE "${semicolon}" ";" text "${text}")
  string(REPLACE "${opening}" "[" text "${text}")
  string(REPLACE "${closing}" "]" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# ---- the headers' messages ---------------------------------------------------------------------------------------

file(GLOB_RECURSE headers "${ROOT}/include/*.hpp" "${ROOT}/include/*.cuh")
set(messages "")
foreach(header IN LISTS headers)
  file(READ "${header}" text)
  hide(text)
  string(ASCII 4 quote)
  string(ASCII 5 backslash)
  string(REPLACE "\r" "" text "${text}")
  string(REPLACE "\\\n" "\n" text "${text}")                      # a macro's line goes on
  string(REPLACE "\\\\" "${backslash}" text "${text}")            # a backslash in a literal
  string(REPLACE "\\\"" "${quote}" text "${text}")                # a quotation mark in a literal
  string(REPLACE "'\"'" "'${quote}'" text "${text}")              # and one as a character
  string(REGEX REPLACE "\n[ \t]*//[^\n]*" "\n" text "\n${text}")  # comments of their own lines
  # Neighbouring literals are one.
  string(REGEX REPLACE "\"[ \t\n]+\"" "" text "${text}")
  string(REGEX MATCHALL "\"warpguard(:| needs) [^\"\n]*\"" found "${text}")
  foreach(literal IN LISTS found)
    string(REGEX REPLACE "^\"(.*)\"$" "\\1" literal "${literal}")
    string(REPLACE "${quote}" "\"" literal "${literal}")
    string(REPLACE "${backslash}" "\\" literal "${literal}")
    list(APPEND messages "${literal}")
  endforeach()
endforeach()
list(REMOVE_DUPLICATES messages)
list(LENGTH messages message_count)
if(message_count EQUAL 0)
  message(FATAL_ERROR "no message found in ${ROOT}/include")
endif()

# ---- the page's headings -----------------------------------------------------------------------------------------

file(READ "${ROOT}/docs/errors.md" page)
hide(page)
string(REPLACE "\r" "" page "${page}")
string(REGEX MATCHALL "\n##* +`?warpguard(:| needs) [^\n]*" found "\n${page}")
set(headings "")
foreach(heading IN LISTS found)
  string(REGEX REPLACE "^\n##* +`?" "" heading "${heading}")
  string(STRIP "${heading}" heading)
  string(REGEX REPLACE "`$" "" heading "${heading}")
  if(heading IN_LIST headings)
    show(heading)
    fail("docs/errors.md explains twice: ${heading}")
  endif()
  list(APPEND headings "${heading}")
endforeach()

foreach(literal IN LISTS messages)
  if(NOT literal IN_LIST headings)
    show(literal)
    fail("docs/errors.md has no heading for the message: ${literal}")
  endif()
endforeach()
foreach(heading IN LISTS headings)
  if(NOT heading IN_LIST messages)
    show(heading)
    fail("no header has the message that docs/errors.md explains: ${heading}")
  endif()
endforeach()

# ---- guards ------------------------------------------------------------------------------------------------------

set(guards "")
foreach(header IN LISTS headers)
  if(header MATCHES "/detail/")
    continue()
  endif()
  file(READ "${header}" text)
  hide(text)
  string(REGEX MATCHALL "\ntemplate <[^{}()]*>\nstruct [a-z_]+_guard {" found "${text}")
  foreach(guard IN LISTS found)
    string(REGEX REPLACE "^.*\nstruct ([a-z_]+) {$" "\\1" name "${guard}")
    string(REGEX REPLACE "^\ntemplate <([^{}()]*)>\nstruct .*$" "\\1" parameters "${guard}")
    string(REGEX REPLACE "[^,]* ([A-Za-z]+)(,|$)" "\\1\\2" parameters "${parameters}")
    string(REGEX REPLACE "," ", " parameters "${parameters}")
    list(APPEND guards ${name})
    string(FIND "${page}" "`${name}<${parameters}>`" at)
    if(at LESS 0)
      fail("docs/errors.md does not have the guard `${name}<${parameters}>`")
    endif()
  endforeach()
endforeach()
list(LENGTH guards guard_count)
if(guard_count LESS 50)
  fail("only ${guard_count} guards found in the headers")
endif()

# ---- options -----------------------------------------------------------------------------------------------------

set(options "")
foreach(header IN LISTS headers)
  file(STRINGS "${header}" lines REGEX "^struct [a-z_]+ : detail::option {")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^struct ([a-z_]+) .*" "\\1" option "${line}")
    list(APPEND options ${option})
  endforeach()
endforeach()
foreach(option IN LISTS options)
  if(NOT page MATCHES "`${option}[<`]")
    fail("docs/errors.md does not have the option ${option}")
  endif()
endforeach()
list(LENGTH options option_count)
if(option_count LESS 17)
  fail("only ${option_count} options found in the headers")
endif()

message(STATUS "errors: ${message_count} messages, ${guard_count} guards, ${option_count} options, ${failures} differences")
