# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DVERSION=... -DWORK=<folder> -P program.cmake
# Tests the command line of the program: the help of each command, wrong uses, exit codes and colours.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

# ---- 0 and 2 ---------------------------------------------------------------------------------------------------------

set(commands compile compile-checks read header check diff query peak sweep lock completion "lock check" "lock update" "lock record-anew" "lock verify")
use(--help)
must_exit("--help" 0)
foreach(command IN LISTS commands)
  string(REPLACE " " ";" words "${command}")
  list(GET words 0 first)
  use(--help)
  expect_in("--help" "${out}" "\n  ${first} ")
  use(${words} --help)
  must_exit("${command} --help" 0)
  expect_in("${command} --help" "${out}" "Usage: warpguard ${command} ")
  use(${words})
  must_exit("${command} without arguments" 2)
  expect_in("${command} without arguments" "${output}" "Run with --help for more information")
  use(${words} --no-such-option)
  must_exit("${command} with an unknown option" 2)
endforeach()
use(--version)
must_exit("--version" 0)
if(NOT out STREQUAL "warpguard ${VERSION}\n")
  message(SEND_ERROR "--version prints ${out}")
endif()
foreach(wrong "" "no-such-command" "lock;no-such-command" "header;a;b;c" "lock;check;a" "diff;a" "diff;a;b;c" "read;--json;--csv;a"
    "check" "compile;--" "compile-checks;--")
  use(${wrong})
  must_exit("warpguard ${wrong}" 2)
  if(output STREQUAL "" OR NOT out STREQUAL "")
    message(SEND_ERROR "warpguard ${wrong}: prints `${out}` and, as error, `${output}`")
  endif()
endforeach()

# ---- the compiler's exit code, with and without -- -------------------------------------------------------------------

file(WRITE ${WORK}/compiler "#!/bin/sh\necho \"$@\"\nexit 7\n")
file(CHMOD ${WORK}/compiler PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(before "" "--")
  use(compile ${before} ./compiler --help -- --version)
  must_exit("a compiler" 7)
  if(NOT out STREQUAL "--help -- --version\n")
    message(SEND_ERROR "the compiler's arguments are ${out}")
  endif()
endforeach()

# ---- 1 and 3 ---------------------------------------------------------------------------------------------------------

function(write_kernel registers)
  write_object("k.cu.o" "nvcc|-arch=sm_80" "ptxas info    : Compiling entry function '_Z1aPi' for 'sm_80'
ptxas info    : Function properties for _Z1aPi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]
")
endfunction()
foreach(command header check "lock check a.lock --from" "lock update a.lock --from")
  string(REPLACE " " ";" words "${command}")
  use(${words} no_such_request.txt)
  must_exit("${command}, no request" 3)
  expect_in("${command}, no request" "${output}" "no_such_request.txt: cannot read this file: ")
endforeach()
write_kernel(32)
run_program(check k.cu.o)
must_exit("no lock" 3)
run_program(update k.cu.o)
must_exit("recording a lock" 0)
run_program(check k.cu.o)
must_exit("as recorded" 0)
write_kernel(128)
run_program(check k.cu.o)
must_exit("worse" 1)
set(worse "${output}")
file(APPEND ${WORK}/app.lock "garbage\n")
run_program(check k.cu.o)
must_exit("a damaged lock" 3)
run_program(check no_such_object.cu.o)
must_exit("no output of ptxas" 3)

# ---- colours on a terminal only --------------------------------------------------------------------------------------

string(ASCII 27 escape)
string(FIND "${worse}" "${escape}" at)
if(at GREATER_EQUAL 0)
  message(SEND_ERROR "colours in a file: ${worse}")
endif()
find_program(SCRIPT script)
if(SCRIPT)
  set(in_terminal ${SCRIPT} -qec "'${PROGRAM}' read no_such.log" /dev/null)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NO_COLOR ${in_terminal} OUTPUT_VARIABLE out)
  expect_in("a terminal" "${out}" "${escape}[1;31merror:")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env NO_COLOR=1 ${in_terminal} OUTPUT_VARIABLE out)
  expect_in("a terminal with NO_COLOR" "${out}" "warpguard: error: no_such.log")
endif()
