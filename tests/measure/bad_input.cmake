# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -P bad_input.cmake
# Tests locks of logs that are large, or have names that no compiler writes, and locks where nothing can be written.
# read.cmake has damaged logs, lock.cmake damaged locks and dates that are none.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

function(write_log symbol registers)
  file(WRITE "${WORK}/build.log" "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '${symbol}' for 'sm_90'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]
")
endfunction()

# ---- names: each is recorded, found again, and seen to get worse -----------------------------------------------------

string(REPEAT "n" 10000 long)
string(ASCII 27 escape)
foreach(symbol "_Z1tI10000${long}EvPT_" "_Z10000${long}v" "<b>|\"${escape}[2J</b>`*_" "sm_90: registers=1" "a\tb" "$HOME" "<<<" "ü")
  string(SUBSTRING "${symbol}" 0 30 name)
  write_log("${symbol}" 32)
  file(REMOVE "${WORK}/app.lock")
  use(lock update app.lock --from build.log)
  must_exit("recording ${name}" 0)
  use(lock check app.lock --from build.log --strict)
  must_exit("comparing ${name}" 0)
  use(lock verify app.lock)
  must_exit("verifying ${name}" 0)
  write_log("${symbol}" 64)
  use(lock check app.lock --from build.log)
  must_exit("${name} gets worse" 1)
  string(FIND "${out}${output}" "${escape}" at)
  if(at GREATER_EQUAL 0)
    message(SEND_ERROR "${name}: a code for the terminal is printed")
  endif()
endforeach()

# ---- where nothing can be written ------------------------------------------------------------------------------------

# In these folders nobody can write, root included.
foreach(lock no_such_folder/app.lock /proc/app.lock build.log/app.lock)
  use(lock update ${lock} --from build.log)
  must_exit("${lock}" 3)
  expect_in("${lock}" "${output}" "${lock}: cannot be written, and stays as it was: ")
endforeach()

# ---- a log of 200 MB -------------------------------------------------------------------------------------------------

# The lock is compared in an address space of 100 MB.
write_log(_Z1aPi 32)
use(lock update large.lock --from build.log)
must_exit("recording" 0)
file(WRITE ${WORK}/large.sh "${limit_memory}
{ cat '${WORK}/build.log'; yes 'g++ -c other.cpp -o other.o' | head -c ${megabytes}000000; } |
  '${PROGRAM}' lock check '${WORK}/large.lock' --from -
")
execute_process(COMMAND sh ${WORK}/large.sh RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
must_exit("200 MB" 0)
