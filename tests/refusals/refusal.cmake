# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles one file of refusals, and then its twin (-DWARPGUARD_TWIN), which must compile in silence.
#
#   cmake -DCOMPILER=<path> -DKIND=<g++|clang|nvcc|nvrtc> -DSOURCE=<file> "-DINCLUDES=<folder>;..." -DSTANDARD=17
#         ["-DTOOLKIT=<folder of CUDA's headers>"] [-DWORK=<folder for what it writes>]
#         ["-DCUDA=<flags with which clang compiles the file as CUDA code>"] -P refusal.cmake
#
# The file states what it expects on lines that begin with:
#   // error:  the words of a rule; every error of the compiler contains the words of one of these lines
#   // facts:  guard<Parameter=value, ...>, spelled as nvcc does but without `warpguard::`; g++ and clang have their own
#              spelling. Exactly one error of the rule above names these facts, and its message ends in the anchor of the
#              guard, on the same line: `[residency]` for `residency_guard`. A rule without facts is one error.
#              A long line continues on lines that begin with three more spaces
#   // flags:  additional options of the compiler
#   // case:   further options: the file is refused in the same way with each of these lines. The twin has none of them
#   // only:   the compilers that the file is for; without this line, all of them
#   // edit:   <header> <regular expression> -> <replacement>: the file is refused with a copy of the headers that is
#              changed in this way
#
# Writes ${WORK}/<name of the file>.positions, which positions.cmake reads. It has a line for each refusal: the line of
# the compiler's output that contains the rule, and the first line that contains a place in the file itself. The second
# is 0 if there is none, or if the fault lies in an edited header. Both are counted as if this refusal were the only one.

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

# Prints the compiler's output, then fails with the reason. message(FATAL_ERROR) would wrap the compiler's lines.
function(fail reason)
  message(NOTICE "${output}")
  message(FATAL_ERROR "${name} (${KIND}) ${case}: ${reason}")
endfunction()

set(output "")

# Brackets would change a CMake list, so `result` has braces in their place.
function(without_brackets result text)
  string(REPLACE "[" "{" text "${text}")
  string(REPLACE "]" "}" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# ---- what the file states -------------------------------------------------------------------------------------------

set(rules "")
set(facts "")
set(rules_of_facts "")
set(flags "")
set(cases "")
set(edit "")
set(last "")
file(STRINGS "${SOURCE}" lines REGEX "^//")
foreach(line IN LISTS lines)
  if(line MATCHES "^// error: (.+)$")
    without_brackets(rule "${CMAKE_MATCH_1}")
    list(APPEND rules "${rule}")
    set(last "")
  elseif(line MATCHES "^// facts: (.+)$")
    list(APPEND facts "${CMAKE_MATCH_1}")
    set(last facts)
    if(NOT rules)
      fail("states facts before any `// error:`")
    endif()
    list(GET rules -1 rule)
    list(APPEND rules_of_facts "${rule}")
  elseif(line MATCHES "^//    +(.+)$" AND last STREQUAL "facts")
    list(POP_BACK facts fact)
    list(APPEND facts "${fact} ${CMAKE_MATCH_1}")
  elseif(line MATCHES "^// flags: (.+)$")
    separate_arguments(flags UNIX_COMMAND "${CMAKE_MATCH_1}")
    set(last "")
  elseif(line MATCHES "^// case: (.+)$")
    list(APPEND cases "${CMAKE_MATCH_1}")
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
if(NOT cases)
  set(cases " ")  # one, without options
endif()
list(REMOVE_DUPLICATES rules)
list(LENGTH facts expected)
foreach(rule IN LISTS rules)
  if(NOT rule IN_LIST rules_of_facts)
    math(EXPR expected "${expected} + 1")
  endif()
endforeach()

# ---- compiling ------------------------------------------------------------------------------------------------------

set(include_flags "")
foreach(folder IN LISTS INCLUDES)
  list(APPEND include_flags "-I${folder}")
endforeach()

# The targets of the file that nvcc and NVRTC know; 9.0 if there are none.
set(known_targets "")
if(flags MATCHES "WARPGUARD_TARGETS=([0-9,;]+)")
  string(REGEX MATCHALL "[0-9]+" numbers "${CMAKE_MATCH_1}")
  foreach(known 75 80 86 89 90 100 120)
    if("${known}0" IN_LIST numbers)
      list(APPEND known_targets ${known})
    endif()
  endforeach()
endif()
if(NOT known_targets)
  set(known_targets 90)
endif()

if(KIND STREQUAL "nvcc")
  # For all of them, so that none runs the code of another.
  set(code "")
  foreach(target IN LISTS known_targets)
    list(APPEND code -gencode arch=compute_${target},code=compute_${target})
  endforeach()
  # Commas separate its -D options unless they are escaped.
  string(REPLACE "," "\\," flags "${flags}")
  set(command "${COMPILER}" -x cu -std=c++${STANDARD} -Werror all-warnings ${code} ${flags} -fatbin -o
              "${WORK}/${name}.fatbin")
elseif(KIND STREQUAL "nvrtc")
  # Compiles for one target: the latest, because later ones would run its code.
  list(GET known_targets -1 target)
  get_filename_component(instead "${CMAKE_CURRENT_LIST_DIR}/../nvrtc/instead" ABSOLUTE)
  set(command "${COMPILER}" -std=c++${STANDARD} -arch=compute_${target} ${flags} "-I${instead}")
else()
  set(language -x c++ -Wpedantic)
  if(CUDA)
    list(GET known_targets 0 target)
    set(language -x cuda --cuda-device-only --cuda-gpu-arch=sm_${target} ${CUDA})
  endif()
  set(command "${COMPILER}" ${language} -std=c++${STANDARD} -fsyntax-only -Wall -Wextra -Wconversion -Werror ${flags})
  foreach(folder IN LISTS TOOLKIT)
    list(APPEND command -isystem "${folder}")
  endforeach()
  if(KIND STREQUAL "clang")
    list(APPEND command -ferror-limit=0)
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

# ---- the refusal ----------------------------------------------------------------------------------------------------

set(ENV{LC_ALL} C)
file(WRITE "${WORK}/${name}.positions" "")

# Compiles the file with the options of one `// case:`, and checks the compiler's output.
function(check_refusal case)
  separate_arguments(case_flags UNIX_COMMAND "${case}")
  if(KIND STREQUAL "nvcc")
    string(REPLACE "," "\\," case_flags "${case_flags}")
  endif()
  execute_process(COMMAND ${command} ${case_flags} ${refused_includes} "${SOURCE}" RESULT_VARIABLE refused_status
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(refused_status EQUAL 0)
    fail("compiles, but must be refused")
  endif()

  # One spelling for all compilers, without the characters that end or split an element of a CMake list.
  string(REGEX REPLACE ";" "," text "${output}")
  without_brackets(text "${text}")
  string(REPLACE "\\" "/" text "${text}")
  string(REPLACE "warpguard::" "" text "${text}")
  string(REGEX REPLACE "([0-9])(LL|ll)([^A-Za-z0-9])" "\\1\\3" text "${text}")
  string(REGEX REPLACE "(, |{with )(long long int|long long|int|bool) " "\\1" text "${text}")
  string(REPLACE " = " "=" text "${text}")
  # g++ leaves out template arguments that are the defaults.
  string(REGEX REPLACE "threads_per_block<(-?[0-9]+), 1, 1>" "threads_per_block<\\1>" text "${text}")
  string(REGEX REPLACE "threads_per_block<(-?[0-9]+), (-?[0-9]+), 1>" "threads_per_block<\\1, \\2>" text "${text}")
  string(REGEX REPLACE "cluster_size<(-?[0-9]+), 1, 1>" "cluster_size<\\1>" text "${text}")
  string(REGEX REPLACE "cluster_size<(-?[0-9]+), (-?[0-9]+), 1>" "cluster_size<\\1, \\2>" text "${text}")
  string(REPLACE " >" ">" text "${text}")
  string(REGEX REPLACE " ([*&]+[>,})])" "\\1" text "${text}")
  string(REPLACE "void (" "void(" text "${text}")

  string(REPLACE "\n" ";" lines "${text}")

  # The output consists of blocks: one error and the lines that belong to it. g++ names a guard's arguments before the
  # error, clang and nvcc after it. Lines that show source code are counted, but not read.
  set(block 0)
  set(errors 0)
  set(number 0)
  set(complete TRUE)    # the block has its error; only lines that belong to this error may follow
  set(include_lines 0)  # how many lines "In file included from ..." g++ printed last; it does not repeat them
  set(holds_lines "")
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    set(is_include FALSE)
    set(is_error FALSE)
    if(line MATCHES "^In file included from |^ +from ")
      set(is_include TRUE)
    elseif(line STREQUAL "" OR (KIND STREQUAL "g++" AND line MATCHES "^ "))
      continue()
    elseif(KIND STREQUAL "clang" AND NOT line MATCHES "^[^:]*(:[0-9]+:[0-9]+)?: (fatal error|error|warning|note): ")
      continue()
    elseif(line MATCHES "warning( #[0-9-]+D?)?:")
      fail("a warning beside the refusal:\n${line}")
    elseif(line MATCHES "error( #[0-9]+(-D)?)?:")
      set(is_error TRUE)
    endif()

    if(complete AND (is_error OR is_include OR (KIND STREQUAL "g++" AND NOT line MATCHES ": note: ")))
      math(EXPR block "${block} + 1")
      set(complete FALSE)
      set(own_line_${block} 0)
      set(hana_line_${block} 0)
      if(is_include OR NOT KIND STREQUAL "g++")
        set(include_lines 0)
      endif()
      math(EXPR lines_before "${number} - 1 - ${include_lines}")
    endif()
    if(is_include)
      math(EXPR include_lines "${include_lines} + 1")
      continue()
    endif()
    if(block EQUAL 0)
      fail("not understood:\n${line}")
    endif()
    math(EXPR line_of_block "${number} - ${lines_before}")

    if(is_error)
      set(complete TRUE)
      math(EXPR errors "${errors} + 1")
      set(rule_line_${block} ${line_of_block})
      set(error_${block} "${line}")
      set(rule_${block} "")
      foreach(rule IN LISTS rules)
        string(FIND "${line}" "${rule}" at)
        if(at GREATER_EQUAL 0)
          set(rule_${block} "${rule}")
        endif()
      endforeach()
      if(rule_${block} STREQUAL "")
        fail("an error that is not the stated refusal:\n${line}")
      endif()
      list(APPEND rules_found "${rule_${block}}")
    endif()
    if(line MATCHES "::holds")
      set(holds_line_${number} "${line}")
      set(block_of_${number} ${block})
      list(APPEND holds_lines ${number})
    endif()
    if(hana_line_${block} EQUAL 0 AND line MATCHES "boost(::|/)hana")
      set(hana_line_${block} ${number})
    endif()
    if(own_line_${block} EQUAL 0)
      string(FIND "${line}" "${SOURCE}" at)
      if(at GREATER_EQUAL 0 AND line MATCHES "(:[0-9]+:|\\([0-9]+\\)|at line [0-9]+ of )")
        set(own_line_${block} ${line_of_block})
      endif()
    endif()
  endforeach()

  foreach(rule IN LISTS rules)
    if(NOT rule IN_LIST rules_found)
      fail("the refusal does not say: ${rule}")
    endif()
  endforeach()

  foreach(fact rule IN ZIP_LISTS facts rules_of_facts)
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
    foreach(number IN LISTS holds_lines)
      string(FIND "${holds_line_${number}}" "${wanted}" at)
      if(at GREATER_EQUAL 0 AND holds_line_${number} MATCHES "[ ']${guard}<")
        math(EXPR found "${found} + 1")
        set(block ${block_of_${number}})
        set(fact_line_${block} ${number})
      endif()
    endforeach()
    if(NOT found EQUAL 1)
      fail("stated ${found} times, not once: ${fact}\n(looked for: ${wanted})")
    endif()
    if(NOT rule_${block} STREQUAL rule)
      fail("stated under another rule, \"${rule_${block}}\": ${fact}")
    endif()
    string(REGEX REPLACE "_guard$" "" anchor "${guard}")
    if(NOT error_${block} MATCHES " {${anchor}}\"?$")
      fail("the message does not end in its anchor, {${anchor}}:\n${error_${block}}")
    endif()
  endforeach()

  if(NOT errors EQUAL expected)
    fail("${errors} errors, not ${expected}")
  endif()

  foreach(block RANGE 1 ${errors})
    if(edit)
      set(own_line_${block} 0)  # the fault lies in the header, not in the file that uses it
    endif()
    file(APPEND "${WORK}/${name}.positions" "${rule_line_${block}} ${own_line_${block}}\n")
    if(hana_line_${block} AND (NOT DEFINED fact_line_${block} OR hana_line_${block} LESS fact_line_${block}))
      fail("Hana's internals come before the facts")
    endif()
  endforeach()
endfunction()

foreach(case IN LISTS cases)
  check_refusal("${case}")
endforeach()
if(edit)
  file(REMOVE_RECURSE "${copy}")
endif()

# ---- the twin -------------------------------------------------------------------------------------------------------

execute_process(COMMAND ${command} -DWARPGUARD_TWIN ${include_flags} "${SOURCE}" RESULT_VARIABLE twin_status
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(KIND STREQUAL "nvcc")
  file(REMOVE "${WORK}/${name}.fatbin")
endif()
if(NOT twin_status EQUAL 0)
  fail("its twin does not compile")
endif()
if(NOT output STREQUAL "")
  fail("its twin does not compile in silence")
endif()
