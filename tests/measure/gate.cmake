# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -P gate.cmake
# Tests the lock and the comparison of builds without CMake: from logs, from objects, and from folders with objects.
# Compilers are shell scripts that print what ptxas prints.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

# What ptxas prints for one kernel.
function(text_of result symbol registers)
  set(${result} "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '${symbol}' for 'sm_90'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]
" PARENT_SCOPE)
endfunction()
function(write_log name registers)
  text_of(one _Z1aPi ${registers})
  text_of(two _Z1bPi 32)
  file(WRITE "${WORK}/${name}" "nvcc -c a.cu\n${one}nvcc -c b.cu\n${two}")
endfunction()

# Compiles through the program. This compiler prints the same text for every object, and its version.
function(compile object version registers)
  text_of(text _Z1aPi ${registers})
  file(WRITE "${WORK}/nvcc" "#!/bin/sh
case $1 in --version) echo 'Cuda compilation tools, release 13.0, V${version}'; exit;; esac
cat >&2 <<'end_of_text'
${text}end_of_text
echo ${registers} > '${object}'\n")
  file(CHMOD "${WORK}/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  use(compile ./nvcc ${ARGN} -c ${object}.cu -o ${object})
  must_exit("compiling ${object}" 0)
endfunction()

# ---- logs ------------------------------------------------------------------------------------------------------------

write_log(build.log 32)
use(lock check kernels.lock --from build.log)
must_exit("no lock" 3)
expect_in("no lock" "${output}" "to record it, run `warpguard lock update kernels.lock --from build.log`")
use(lock update kernels.lock --from build.log)
must_exit("recording" 0)
file(READ "${WORK}/kernels.lock" recorded)
expect_in("recording" "${recorded}" "compiler unknown\na(int*) sm_90: registers=32 ")
use(lock check --from build.log kernels.lock)
must_exit("as recorded, the log first" 0)
use(lock verify kernels.lock)
must_exit("verifying" 0)

# 256 threads with 32 registers: 8 blocks on 9.0, with 40 registers 6.
write_log("worse build.log" 40)
use(lock check kernels.lock --from "worse build.log")
must_exit("worse" 1)
expect_in("worse" "${output}" "WORSE a(int*) sm_90: blocks ")
expect_in("worse" "${output}" "registers 32 -> 40")
expect_in("worse" "${output}" "run `warpguard lock update kernels.lock --from 'worse build.log'` and commit the lock")
file(READ "${WORK}/worse build.log" log)
file(WRITE "${WORK}/input" "${log}")
execute_process(COMMAND ${PROGRAM} lock check kernels.lock --from - WORKING_DIRECTORY ${WORK} INPUT_FILE ${WORK}/input
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
must_exit("standard input" 1)
use(lock check kernels.lock --from "worse build.log" --except "a(")
must_exit("the worse kernel is left out" 0)
use(diff build.log "worse build.log")
must_exit("diff, worse" 1)
expect_in("diff, worse" "${out}" "WORSE a(int*) on 9.0\n")
use(diff "worse build.log" build.log)
must_exit("diff, better" 0)
use(diff kernels.lock kernels.lock)
must_exit("diff of a lock with itself" 0)
use(diff kernels.lock "worse build.log")
must_exit("diff of a lock and a log" 1)

# What a message advises.
use(lock check kernels.lock --from "worse build.log" --except x --compiler "nvcc 13.0.88" --largest)
expect_in("the same arguments" "${output}"
  "lock update kernels.lock --from 'worse build.log' --except x --compiler 'nvcc 13.0.88' --largest`")
use(lock check kernels.lock --from "worse build.log" --record-with "make {} && cp {}.lock kernels.lock")
expect_in("a command of the build" "${output}" "run `make update && cp update.lock kernels.lock` and commit the lock")
use(lock update kernels.lock --from build.log --compiler "nvcc 13.0.88" --record-with "make {}")
expect_in("the other command of the build" "${output}" "run `make record-anew`")

# Two logs are two parts of one build.
text_of(one _Z1aPi 32)
file(WRITE "${WORK}/a.log" "${one}")
use(lock check kernels.lock --from a.log)
must_exit("half of the build" 1)
expect_in("half of the build" "${output}" "GONE b(int*) sm_90")
text_of(two _Z1bPi 32)
file(WRITE "${WORK}/b.log" "${two}")
use(lock check kernels.lock --from a.log b.log)
must_exit("both halves" 0)
use(lock check kernels.lock --from a.log --from build.log)
must_exit("one kernel twice" 3)

# ---- the compiler of a log -------------------------------------------------------------------------------------------

use(lock update kernels.lock --from build.log --compiler "nvcc 13.0.88")
must_exit("another compiler" 1)
expect_in("another compiler" "${output}" "recorded with an unknown compiler, built with nvcc 13.0.88")
use(lock record-anew kernels.lock --from build.log --compiler "nvcc 13.0.88")
must_exit("recording anew" 0)
use(lock check kernels.lock --from build.log)
must_exit("a log of an unknown compiler" 0)
use(lock check kernels.lock --from "worse build.log")
must_exit("worse, with an unknown compiler" 1)
use(lock update kernels.lock --from build.log)
must_exit("an unknown compiler into a lock of a known one" 1)
expect_in("an unknown compiler" "${output}" "recorded with nvcc 13.0.88, built with an unknown compiler")

# ---- objects ---------------------------------------------------------------------------------------------------------

file(MAKE_DIRECTORY "${WORK}/out/deep er")
compile("out/deep er/a.o" 13.0.88 32)
use(lock update objects.lock --from out)
must_exit("a folder" 0)
file(READ "${WORK}/objects.lock" recorded)
expect_in("a folder" "${recorded}" "compiler nvcc 13.0.88\na(int*) sm_90: registers=32 ")
foreach(from "out/deep er/a.o" "out/deep er/a.o.ptxas" "out/deep er" out)
  use(lock check objects.lock --from ${from})
  must_exit("from ${from}" 0)
endforeach()
compile("out/deep er/a.o" 13.0.88 40)
use(lock check objects.lock --from out)
must_exit("a worse object" 1)
use(lock check objects.lock --strict --from build.log)
must_exit("a new kernel, strict" 1)
compile("out/deep er/a.o" 13.0.88 32 -G)
use(lock check objects.lock --from out)
expect_in("other flags" "${output}" "recorded with -, built with -G")
compile("out/deep er/a.o" 12.9.86 32)
use(lock check objects.lock --from out)
expect_in("another version" "${output}" "recorded with nvcc 13.0.88, this build uses nvcc 12.9.86")

# The source in a kernel's name is relative to the lock, in whatever folder the compiler or the check runs.
file(MAKE_DIRECTORY "${WORK}/project/build")
text_of(text _ZN12_GLOBAL__N_11kEPi 32)
file(WRITE "${WORK}/project/build/nvcc" "#!/bin/sh
case $1 in --version) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit;; esac
cat >&2 <<'end_of_text'
${text}end_of_text
echo > k.o\n")
file(CHMOD "${WORK}/project/build/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(source ../src/k.cu "${WORK}/project/src/k.cu")
  execute_process(COMMAND ${PROGRAM} compile "${WORK}/project/build/nvcc" -c ${source} -o k.o
    WORKING_DIRECTORY "${WORK}/project/build"
    RESULT_VARIABLE status ERROR_VARIABLE output)
  must_exit("compiling ${source}" 0)
  file(REMOVE "${WORK}/project/kernels.lock")
  execute_process(COMMAND ${PROGRAM} lock update ../kernels.lock --from k.o WORKING_DIRECTORY "${WORK}/project/build"
    RESULT_VARIABLE status ERROR_VARIABLE output)
  must_exit("recording ${source}" 0)
  file(READ "${WORK}/project/kernels.lock" recorded)
  expect_in("the source ${source}" "${recorded}" "(anonymous namespace)::k(int*) [src/k.cu] sm_90: ")
endforeach()
use(lock check project/kernels.lock --strict --from project/build)
must_exit("from another folder" 0)
use(diff project/kernels.lock project/build)
must_exit("diff from another folder" 0)
use(diff project/build project/kernels.lock)
must_exit("diff from another folder, the lock second" 0)

# ---- two sources of one name -----------------------------------------------------------------------------------------

# As with recursive make: the compiler runs in each folder, and gets the same relative path.
compile(any.o 13.0.88 32)
foreach(folder one two)
  file(MAKE_DIRECTORY "${WORK}/parts/${folder}")
  execute_process(COMMAND ${PROGRAM} compile ../../nvcc -c a.cu -o any.o WORKING_DIRECTORY "${WORK}/parts/${folder}"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE output)
  must_exit("compiling in ${folder}" 0)
endforeach()
use(lock update parts.lock --from parts)
must_exit("two sources of one name" 0)
file(READ "${WORK}/parts.lock" recorded)
foreach(folder one two)
  expect_in("two sources of one name" "${recorded}" "a(int*) [parts/${folder}/a.cu] sm_90: registers=32 ")
endforeach()
# Outside of the lock's folder, as many folders are named as tell the sources apart.
file(MAKE_DIRECTORY "${WORK}/locks/of")
use(lock update locks/of/parts.lock --from parts)
must_exit("sources elsewhere" 0)
file(READ "${WORK}/locks/of/parts.lock" recorded)
foreach(folder one two)
  expect_in("sources elsewhere" "${recorded}" "a(int*) [${folder}/a.cu] sm_90: registers=32 ")
endforeach()

# ---- what is no build ------------------------------------------------------------------------------------------------

file(WRITE "${WORK}/empty.log" "")
file(MAKE_DIRECTORY "${WORK}/nothing")
string(ASCII 127 delete)
file(WRITE "${WORK}/plain.o" "${delete}ELF no object of warpguard's")
foreach(bad "no_such.log;cannot read this file" "empty.log;no kernel" "nothing;no <object>.ptxas in this folder"
    "plain.o;there is no plain.o.ptxas" "kernels.lock;this is a lock")
  list(GET bad 0 from)
  list(GET bad 1 message)
  use(lock check kernels.lock --from ${from})
  must_exit("from ${from}" 3)
  expect_in("from ${from}" "${output}" "${from}: ${message}")
endforeach()
use(diff no_such.lock build.log)
must_exit("diff of a missing file" 3)

# ---- verify ----------------------------------------------------------------------------------------------------------

file(READ "${WORK}/kernels.lock" good)
file(WRITE "${WORK}/merged.lock" "<<<<<<< ours\n${good}")
string(REPLACE "registers=32" "registers=31" edited "${good}")
file(WRITE "${WORK}/edited.lock" "${edited}")
string(REPLACE "compiler " "allow a(int*) sm_90: registers<=40 until=2027-02-31 reason=none\ncompiler " dated "${good}")
file(WRITE "${WORK}/dated.lock" "${dated}")
foreach(bad "merged;conflict markers" "edited;recorded lines were merged or edited" "dated;2027-02-31")
  list(GET bad 0 name)
  list(GET bad 1 message)
  use(lock verify kernels.lock ${name}.lock)
  must_exit("verifying ${name}.lock" 3)
  expect_in("verifying ${name}.lock" "${output}" "${message}")
endforeach()
