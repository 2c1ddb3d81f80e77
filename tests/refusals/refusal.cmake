# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles one file that must be refused, and then its twin (-DWARPGUARD_TWIN), which must compile in silence.
#
#   cmake -DCOMPILER=<path> -DKIND=<g++|clang|nvcc> -DSOURCE=<file> "-DINCLUDES=<folder>;..." -DSTANDARD=17
#         [-DWORK=<folder for what it writes>] -P refusal.cmake
#
# What the file states, on lines that begin with:
#   // error:  words of a refusal; every error of the compiler holds the words of some such line
#   // facts:  guard<Parameter=value, ...>, as nvcc spells them without `warpguard::`, g++ and clang in their own way;
#              stated once by the compiler; as many errors as there are facts (or, without facts, such lines above);
#              goes on in lines that begin with three spaces more
#   // flags:  what the compiler is given besides
#   // only:   the compilers that it is for
#   // edit:   <header> <regular expression> -> <what it becomes>: refused is a copy of the headers so changed

cmake_minimum_required(VERSION 3.21)

foreach(needed COMPILER KIND SOURCE INCLUDES STANDARD)
  if("${${needed}}" STREQUAL "")
    message(FATAL_ERROR "refusal.cmake: ${needed} is not given")
  endif()
endforeach()
get_filename_component(name "${SOURCE}" NAME)
if(NOT DEFINED WORK)
  set(WORK "${CMAKE_CURRENT_BINARY_DIR}")
endif()

# The reason, after what the compiler said; message(FATAL_ERROR) alone would wrap the compiler's lines.
function(fail reason)
  message(NOTICE "${output}")
  message(FATAL_ERROR "${name} (${KIND}): ${reason}")
endfunction()

set(output "")

# ---- what the file states -------------------------------------------------------------------------------------------

set(rules "")
set(facts "")
set(flags "")
set(edit "")
set(last "")
file(STRINGS "${SOURCE}" lines REGEX "^//")
foreach(line IN LISTS lines)
  if(line MATCHES "^// error: (.+)$")
    list(APPEND rules "${CMAKE_MATCH_1}")
    set(last "")
  elseif(line MATCHES "^// facts: (.+)$")
    list(APPEND facts "${CMAKE_MATCH_1}")
    set(last facts)
  elseif(line MATCHES "^//    +(.+)$" AND last STREQUAL "facts")
    list(POP_BACK facts fact)
    list(APPEND facts "${fact} ${CMAKE_MATCH_1}")
  elseif(line MATCHES "^// flags: (.+)$")
    separate_arguments(flags UNIX_COMMAND "${CMAKE_MATCH_1}")
    set(last "")
  elseif(line MATCHES "^// edit: ([^ ]+) (.+) -> (.+)$")
    set(edit "${CMAKE_MATCH_1}")
    set(edit_from "${CMAKE_MATCH_2}")
    set(edit_to "${CMAKE_MATCH_3}")
    set(last "")
  else()
    set(last "")
  endif()
endforeach()
if(NOT rules)
  fail("states no `// error:`")
endif()
list(LENGTH rules expected)
if(facts)
  list(LENGTH facts expected)
endif()

# ---- compiling ------------------------------------------------------------------------------------------------------

set(include_flags "")
foreach(folder IN LISTS INCLUDES)
  list(APPEND include_flags "-I${folder}")
endforeach()

if(KIND STREQUAL "nvcc")
  # nvcc adds what it compiles for to the targets: one of them that it knows, or else 9.0.
  set(arch 90)
  foreach(known 120 100 90 89 86 80 75)
    if(flags MATCHES "WARPGUARD_TARGETS=([0-9]+,)*${known}0(,|;|$)")
      set(arch ${known})
    endif()
  endforeach()
  # Commas separate its -D options unless they are escaped.
  string(REPLACE "," "\\," flags "${flags}")
  set(command "${COMPILER}" -x cu -std=c++${STANDARD} -Werror all-warnings -arch=sm_${arch} ${flags} -ptx -o
              "${WORK}/${name}.ptx")
else()
  set(command "${COMPILER}" -x c++ -std=c++${STANDARD} -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror ${flags})
  if(KIND STREQUAL "clang")
    list(APPEND command -fno-caret-diagnostics)
  else()
    list(APPEND command -fno-diagnostics-show-caret)
  endif()
endif()

set(refused_includes "${include_flags}")
if(edit)
  list(GET INCLUDES 0 first)
  set(copy "${WORK}/${name}.${KIND}.include")
  file(REMOVE_RECURSE "${copy}")
  file(COPY "${first}/" DESTINATION "${copy}")
  file(READ "${copy}/${edit}" text)
  string(REGEX REPLACE "${edit_from}" "${edit_to}" edited "${text}")
  if(edited STREQUAL text)
    fail("nothing in ${edit} matches ${edit_from}")
  endif()
  file(WRITE "${copy}/${edit}" "${edited}")
  list(PREPEND refused_includes "-I${copy}")
endif()

set(ENV{LC_ALL} C)
execute_process(COMMAND ${command} ${refused_includes} "${SOURCE}" RESULT_VARIABLE refused_status
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(edit)
  file(REMOVE_RECURSE "${copy}")
endif()

# ---- the refusal ----------------------------------------------------------------------------------------------------

if(refused_status EQUAL 0)
  fail("compiles, but must be refused")
endif()

# One spelling for all compilers, and nothing that a CMake list cannot hold.
string(REGEX REPLACE ";" "," text "${output}")
string(REPLACE "[" "{" text "${text}")
string(REPLACE "]" "}" text "${text}")
string(REPLACE "\\" "/" text "${text}")
string(REPLACE "warpguard::" "" text "${text}")
string(REGEX REPLACE "([0-9])(LL|ll)([^A-Za-z0-9])" "\\1\\3" text "${text}")
string(REGEX REPLACE "(, |{with )(long long int|long long|int) " "\\1" text "${text}")
string(REPLACE " = " "=" text "${text}")
# g++ leaves out template arguments that are the defaults.
string(REGEX REPLACE "threads_per_block<(-?[0-9]+), 1, 1>" "threads_per_block<\\1>" text "${text}")
string(REGEX REPLACE "threads_per_block<(-?[0-9]+), (-?[0-9]+), 1>" "threads_per_block<\\1, \\2>" text "${text}")
string(REGEX REPLACE "cluster_size<(-?[0-9]+), 1, 1>" "cluster_size<\\1>" text "${text}")
string(REGEX REPLACE "cluster_size<(-?[0-9]+), (-?[0-9]+), 1>" "cluster_size<\\1, \\2>" text "${text}")
string(REPLACE " >" ">" text "${text}")

string(REPLACE "\n" ";" lines "${text}")
set(errors 0)
foreach(line IN LISTS lines)
  if(line MATCHES "warning( #[0-9-]+D?)?:")
    fail("a warning beside the refusal:\n${line}")
  endif()
  if(line MATCHES "error( #[0-9]+(-D)?)?:")
    math(EXPR errors "${errors} + 1")
    set(known FALSE)
    foreach(rule IN LISTS rules)
      string(FIND "${line}" "${rule}" at)
      if(at GREATER_EQUAL 0)
        set(known TRUE)
      endif()
    endforeach()
    if(NOT known)
      fail("an error that is not the stated refusal:\n${line}")
    endif()
  endif()
endforeach()

foreach(rule IN LISTS rules)
  string(FIND "${text}" "${rule}" at)
  if(at LESS 0)
    fail("the refusal does not say: ${rule}")
  endif()
endforeach()

set(first_fact -1)
foreach(fact IN LISTS facts)
  string(REGEX MATCH "^([a-z_]+)<(.*)>$" matched "${fact}")
  set(guard "${CMAKE_MATCH_1}")
  set(arguments "${CMAKE_MATCH_2}")
  if(NOT matched)
    fail("facts have the form guard<Parameter=value, ...>: ${fact}")
  endif()
  if(KIND STREQUAL "clang")
    string(REGEX REPLACE "(^|, )[A-Za-z]+=" "\\1" arguments "${arguments}")
    set(wanted "member function '${guard}<${arguments}>::holds'")
  else()
    set(wanted "::holds() {with ${arguments}}")
  endif()
  # From the guard's name on: g++ and nvcc put the parameters' names between it and the arguments.
  set(found 0)
  foreach(line IN LISTS lines)
    string(FIND "${line}" "${wanted}" at)
    if(at GREATER_EQUAL 0 AND line MATCHES "[ ']${guard}<")
      math(EXPR found "${found} + 1")
    endif()
  endforeach()
  if(NOT found EQUAL 1)
    fail("stated ${found} times, not once: ${fact}\n(looked for: ${wanted})")
  endif()
  string(FIND "${text}" "${wanted}" at)
  if(at GREATER first_fact)
    set(first_fact ${at})
  endif()
endforeach()

if(NOT errors EQUAL expected)
  fail("${errors} errors, not ${expected}")
endif()

string(REGEX MATCH "boost(::|/)hana" hana "${text}")
if(hana)
  string(FIND "${text}" "${hana}" at)
  if(at LESS first_fact OR first_fact LESS 0)
    fail("Hana's internals come before the facts")
  endif()
endif()

# ---- the twin -------------------------------------------------------------------------------------------------------

execute_process(COMMAND ${command} -DWARPGUARD_TWIN ${include_flags} "${SOURCE}" RESULT_VARIABLE twin_status
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(KIND STREQUAL "nvcc")
  file(REMOVE "${WORK}/${name}.ptx")
endif()
if(NOT twin_status EQUAL 0)
  fail("its twin does not compile")
endif()
if(NOT output STREQUAL "")
  fail("its twin does not compile in silence")
endif()
