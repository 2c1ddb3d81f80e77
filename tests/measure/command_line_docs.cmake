# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -P command_line_docs.cmake
# Tests shell completion and the manual page: each command and option that --help prints is in all of them, and the
# shells that this machine has complete a command line.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

macro(use)
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
endmacro()

foreach(kind "completion;bash" "completion;zsh" "completion;fish" "man")
  use(${kind})
  must_pass("${kind}")
  list(GET kind -1 name)
  set(${name} "${out}")
  file(WRITE "${WORK}/${name}" "${out}")
endforeach()
file(RENAME "${WORK}/zsh" "${WORK}/_warpguard")

# ---- what --help prints ----------------------------------------------------------------------------------------------

# Checks the help of a command, given as words, and that of its subcommands, which are in the last part of the help.
set(checked 0)
function(check_help)
  use(${ARGN} --help)
  must_pass("warpguard ${ARGN} --help")
  list(JOIN ARGN " " path)
  string(REGEX MATCHALL "\n  (-[a-z],)?--[a-z-]+" options "${out}")
  foreach(option IN LISTS options)
    string(REGEX REPLACE ".*--" "" option "${option}")
    string(STRIP "warpguard ${path}" command)
    if(NOT bash MATCHES "'${command}'\\)[^)]*options='[^']*--${option}[ ']")
      message(SEND_ERROR "bash does not complete ${command} --${option}")
    endif()
    string(FIND "${zsh}" "'${command}')\n" at)
    string(SUBSTRING "${zsh}" ${at} -1 part)
    string(FIND "${part}" "values=" at)
    string(SUBSTRING "${part}" 0 ${at} part)
    expect_in("zsh, ${command}" "${part}" "'--${option}:")
    if(NOT fish MATCHES "__warpguard_is ${command}' [^\n]*-l ${option} ")
      message(SEND_ERROR "fish does not complete ${command} --${option}")
    endif()
    string(REPLACE "-" "\\-" in_roff "${option}")
    expect_in("man, ${command}" "${man}" "\\fB\\-\\-${in_roff}\\fR")
    math(EXPR checked "${checked} + 1")
  endforeach()
  string(FIND "${out}" "Subcommands:" at)
  if(at GREATER_EQUAL 0)
    string(SUBSTRING "${out}" ${at} -1 rest)
    string(REGEX MATCHALL "\n  [a-z][a-z-]*" commands "${rest}")
    foreach(command IN LISTS commands)
      string(STRIP "${command}" command)
      string(STRIP "warpguard ${path}" parent)
      foreach(shell bash zsh fish)
        expect_in("${shell}" "${${shell}}" "'${parent} ${command}'")
      endforeach()
      string(REPLACE "-" "\\-" in_roff "${parent} ${command}")
      expect_in("man" "${man}" ".SS ${in_roff}\n")
      check_help(${ARGN} ${command})
    endforeach()
  endif()
  set(checked ${checked} PARENT_SCOPE)
endfunction()
check_help()
string(REGEX MATCHALL "\n\\.SS warpguard [^\n]* \n" nameless "${man}")
if(nameless)
  message(SEND_ERROR "the manual page has a group of options as a command")
endif()
if(checked LESS 30)
  message(SEND_ERROR "only ${checked} options were found in the output of --help")
endif()

# ---- the shells ------------------------------------------------------------------------------------------------------

file(WRITE "${WORK}/a build.log" "")
find_program(BASH bash)
if(BASH)
  # Completes the last of the words, and prints the results.
  file(WRITE "${WORK}/complete.sh" "source '${WORK}/bash'
complete -p warpguard > /dev/null || exit 1
cd '${WORK}'
COMP_WORDS=(warpguard \"$@\")
COMP_CWORD=$#
_warpguard
IFS='|'
echo \"\${COMPREPLY[*]}\"
")
  execute_process(COMMAND ${BASH} -n ${WORK}/bash RESULT_VARIABLE status ERROR_VARIABLE output)
  must_pass("bash -n")
  foreach(case "lock|;check|update|record-anew|verify" "lock|ch;check" "lock|check|--st;--strict"
      "read|a;a build.log" "lock|check|app.lock|--from|a;a build.log" "lock|check|--compiler|a;" "l;lock" "lock|a;"
      "completion|;bash|zsh|fish" "--ver;--version")
    list(POP_FRONT case words)
    string(REPLACE "|" ";" words "${words}")
    if(words MATCHES ";$")
      string(REGEX REPLACE ";$" "" words "${words}")
      set(empty "\"\"")
    else()
      set(empty "")
    endif()
    list(JOIN words "' '" in_shell)
    execute_process(COMMAND ${BASH} -c "set -- '${in_shell}' ${empty}; source '${WORK}/complete.sh'"
      RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
    must_pass("bash completes ${words}")
    if(NOT out STREQUAL "${case}\n")
      message(SEND_ERROR "bash completes `${words}` to `${out}`, not to `${case}`:\n${output}")
    endif()
  endforeach()
endif()
find_program(ZSH zsh)
if(ZSH)
  execute_process(COMMAND ${ZSH} -n ${WORK}/_warpguard RESULT_VARIABLE status ERROR_VARIABLE output)
  must_pass("zsh -n")
endif()
find_program(FISH fish)
if(FISH)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "HOME=${WORK}" ${FISH} --no-config -c
      "source '${WORK}/fish'; complete -C 'warpguard lock ch'; complete -C 'warpguard lock check --str'"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
  must_pass("fish")
  if(NOT out MATCHES "^check\t[^\n]+\n--strict\t[^\n]+\n$")
    message(SEND_ERROR "fish completes to ${out}")
  endif()
endif()

# ---- man -------------------------------------------------------------------------------------------------------------

find_program(GROFF groff)
if(GROFF)
  execute_process(COMMAND ${GROFF} -man -ww -Tascii ${WORK}/man RESULT_VARIABLE status OUTPUT_VARIABLE out
    ERROR_VARIABLE output)
  must_pass("groff")
  if(NOT output STREQUAL "")
    message(SEND_ERROR "groff warns: ${output}")
  endif()
  if(NOT out MATCHES "format,[ \n]+digest,[ \n]+exceptions[ \n]+and")
    message(SEND_ERROR "the page does not describe the commands:\n${out}")
  endif()
endif()
