# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -P launcher.cmake
# Tests the compiler launcher with shell scripts in place of nvcc and of compiler caches: what it prints, what it
# writes to the .ptxas file, exit codes and signals.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)
set(failing 3)

set(text "${WORK}/a.cu.o.ptxas")
set(info "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
")

function(write_script name body)
  file(WRITE "${WORK}/${name}" "#!/bin/sh\n${body}")
  file(CHMOD "${WORK}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# Runs the launcher. Sets status, output (standard error), out (standard output) and written (the .ptxas file).
macro(launch)
  execute_process(COMMAND ${PROGRAM} compile ${ARGN} WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE out)
  set(written "")
  if(EXISTS "${text}")
    file(READ "${text}" written)
  endif()
endmacro()
function(must_be name expected value)
  if(NOT "${value}" STREQUAL "${expected}")
    message(SEND_ERROR "${name}: is `${value}`, not `${expected}`")
  endif()
endfunction()

# ---- what the launcher prints ----------------------------------------------------------------------------------------

string(ASCII 27 escape)
set(words "a.cu(3): ${escape}[35mwarning #177-D${escape}[0m: variable \"x\" was declared but never referenced
    0 bytes of this are ptxas's
ptxas warning : Value of threads per SM for entry k is out of range. .minnctapersm will be ignored
ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored
")
set(last "a.cu: In function: ${escape}[01;35m[Kwarning: ${escape}[m[Kunused variable")
file(WRITE "${WORK}/output.txt" "${words}${info}${last}")
write_script(nvcc "cat output.txt >&2; echo on standard output; echo \"$@\" >> commands; : > a.cu.o")
launch(./nvcc -c a.cu -o a.cu.o)
must_be("warnings" "${words}${last}" "${output}")
must_be("standard output" "on standard output\n" "${out}")
must_be("the exit code" 0 ${status})
file(REAL_PATH "${WORK}" folder)
must_be("the .ptxas file" "warpguard-ptxas-text 2\n${empty_object}\nfolder ${folder}\nargument ./nvcc\nargument -c\nargument a.cu\nargument -o\nargument a.cu.o
argument -Xptxas=-v\ntext\n${words}${info}${last}\nend\n" "${written}")

# ---- what is measured ------------------------------------------------------------------------------------------------

foreach(way "-c;-o=a.cu.o" "--compile;--output-file;a.cu.o" "-dc;--output-file=a.cu.o" "--device-c;-o;a.cu.o"
    "-dw;-o;a.cu.o" "-cubin;-o;a.cu.o" "-fatbin;-o;a.cu.o" "-c;-o;a.cu.o;-Xptxas=-v")
  file(REMOVE "${text}" "${WORK}/commands")
  launch(./nvcc a.cu ${way})
  expect_in("${way}" "${written}" "${info}")
  file(READ "${WORK}/commands" command)
  string(REGEX MATCHALL "-Xptxas=-v" verbose "${command}")
  must_be("${way}" "-Xptxas=-v" "${verbose}")
endforeach()
foreach(way "-E" "-ptx;-o;a.cu.o" "-E;-o;a.cu.o" "-M;-MF;a.cu.o" "--version" "-dlink;-o;a.cu.o" "-lib;-o;a.cu.o"
    "-c;-dryrun;-o;a.cu.o")
  file(REMOVE "${text}" "${WORK}/commands")
  launch(./nvcc a.cu ${way})
  must_be("${way}" "${words}${info}${last}" "${output}")
  must_be("${way}" "" "${written}")
  file(READ "${WORK}/commands" command)
  string(REPLACE ";" " " plain "a.cu ${way}\n")
  must_be("${way}" "${plain}" "${command}")
endforeach()

set(ENV{NVCC_APPEND_FLAGS} "-maxrregcount=32  -lineinfo")
launch(./nvcc -c a.cu -o a.cu.o)
expect_in("flags in the environment" "${written}" "\nargument -maxrregcount=32\nargument -lineinfo\ntext\n")
unset(ENV{NVCC_APPEND_FLAGS})
file(WRITE "${WORK}/first.rsp" "-rdc=true\n  \"-I/a\"\t-G")
file(WRITE "${WORK}/second.rsp" "-maxrregcount=32\n")
foreach(way "--options-file;first.rsp,second.rsp" "-optf=first.rsp;-optf;second.rsp" "--options-file=first.rsp,second.rsp")
  launch(./nvcc -c a.cu ${way} -o a.cu.o)
  expect_in("option files: ${way}" "${written}"
    "\nargument -rdc=true\nargument -I/a\nargument -G\nargument -maxrregcount=32\ntext\n")
endforeach()

# ---- exit codes and signals ------------------------------------------------------------------------------------------

foreach(way "exit 1=1" "exit 2=2" "exit 255=255" "kill -KILL $$=137" "kill -SEGV $$=139" "kill -INT $$=130")
  string(REPLACE "=" ";" way "${way}")
  list(GET way 0 does)
  list(GET way 1 code)
  file(WRITE "${text}" "old")
  write_script(failing "cat output.txt >&2; ${does}\n")
  launch(./failing -c a.cu -o a.cu.o)
  must_be("${does}" ${code} "${status}")
  must_be("${does}" "${words}${last}" "${output}")
  must_be("${does}, the .ptxas file" "" "${written}")
endforeach()
launch(./no_such_compiler -c a.cu -o a.cu.o)
must_be("no compiler" 127 "${status}")
expect_in("no compiler" "${output}" "warpguard: cannot run ./no_such_compiler")
launch(./no_such_compiler --version)
must_be("no compiler" 127 "${status}")
file(MAKE_DIRECTORY "${text}.part")
launch(./nvcc -c a.cu -o a.cu.o)
must_be("a text that cannot be written" 3 "${status}")
expect_in("a text that cannot be written" "${output}" "warpguard: cannot write a.cu.o.ptxas")
file(REMOVE_RECURSE "${text}.part")

# The server of a compiler cache outlives the first compilation and keeps standard error open.
write_script(with_server "sleep 20 > /dev/null &\ncat output.txt >&2\n")
string(TIMESTAMP before "%s")
launch(./with_server -c a.cu -o a.cu.o)
string(TIMESTAMP after "%s")
expect_in("a server" "${written}" "${info}")
math(EXPR seconds "${after} - ${before}")
if(seconds GREATER 10)
  message(SEND_ERROR "a server: the launcher waits until it ends")
endif()

# Ctrl-C reaches the whole process group. SIGTERM may reach the launcher alone, and nvcc must not continue without it.
find_program(TIMEOUT timeout)
if(TIMEOUT)
  write_script(slow "trap 'echo > signalled; exit 7' INT TERM\ncat output.txt >&2\nwhile :; do sleep 0.1; done\n")
  foreach(way "-s;INT" "-s;TERM;--foreground")
    file(REMOVE "${WORK}/signalled" "${text}")
    execute_process(COMMAND ${TIMEOUT} ${way} --preserve-status 1 ${PROGRAM} compile ./slow -c a.cu -o a.cu.o
      WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE status ERROR_VARIABLE output)
    must_be("${way}" 7 "${status}")
    must_be("${way}" "${words}${last}" "${output}")
    if(NOT EXISTS "${WORK}/signalled" OR EXISTS "${text}")
      message(SEND_ERROR "${way}: nvcc did not get the signal, or there is a .ptxas file")
    endif()
  endforeach()
endif()
file(GLOB parts "${WORK}/*.part")
must_be("incomplete files" "" "${parts}")

# ---- caches ----------------------------------------------------------------------------------------------------------

# One cache replays what the compiler printed, as ccache and sccache do; the other one stores only the object.
write_script(cache "if ! [ -f cached ]; then \"$@\" 2> words; cp a.cu.o cached; fi; cp cached a.cu.o; cat words >&2\n")
write_script(forgetful "cp cached a.cu.o\n")
set(code "-gencode=arch=compute_80,code=[sm_80]")
file(WRITE "${WORK}/output.txt" "${words}${info}")
foreach(hit 0 1)
  file(REMOVE "${WORK}/commands")
  launch(./cache ./nvcc ${code} -c a.cu -o a.cu.o)
  must_be("a cache" "${words}" "${output}")
  run_program(header a.cu.o)
  must_pass("a cache")
  expect_in("a cache" "${header}" "measurements: 1")
endforeach()
if(EXISTS "${WORK}/commands")
  message(SEND_ERROR "the cache did not have a hit")
endif()
launch(./forgetful ./nvcc ${code} -c a.cu -o a.cu.o)
run_program(header a.cu.o)
must_fail("a cache that does not store the output of nvcc" "ptxas said nothing")

# ---- an object without a .ptxas file ---------------------------------------------------------------------------------

file(REMOVE "${text}")
run_program(header a.cu.o)
must_fail("a deleted file" "a.cu.o.ptxas: cannot read this file: the object was not compiled by warpguard compile")
expect_in("a deleted file" "${output}" "removed ${WORK}/a.cu.o: build again")
if(EXISTS "${WORK}/a.cu.o")
  message(SEND_ERROR "a deleted file: the object still exists, so it will not be compiled again")
endif()
run_program(header b.cpp.o)
must_fail("no CUDA" "ptxas compiled no object of app")
