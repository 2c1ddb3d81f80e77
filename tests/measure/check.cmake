# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -DCXX=... -DROOT=<repository> -P check.cmake
# Tests `warpguard check` with several targets, the launcher of the CHECKS, and the hook that checks locks.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)
set(ENV{LC_ALL} C)

# ---- several targets -------------------------------------------------------------------------------------------------

# Writes the output of ptxas and the request of a target, and records its lock for kernels with 32 registers.
function(write_target name)
  file(WRITE "${WORK}/${name}.txt" "warpguard-request 1
target ${name}\nname ${name}\ncompiler ${compiler}\nlock ${WORK}/${name}.lock\nreports ${WORK}/new/reports
object ${WORK}/${name}.cu.o\ntoday 2027-01-15\n")
  set(registers 32)
  foreach(what lock now)
    set(text "")
    foreach(kernel a b)
      string(APPEND text "ptxas info    : Compiling entry function '_Z1${kernel}Pi' for 'sm_80'
ptxas info    : Function properties for _Z1${kernel}Pi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]
")
    endforeach()
    write_object(${name}.cu.o "nvcc|-arch=sm_80" "${text}")
    set(registers ${ARGN})
    if(what STREQUAL "lock")
      execute_process(COMMAND ${PROGRAM} lock update ${WORK}/${name}.lock --from ${WORK}/${name}.txt)
    endif()
  endforeach()
endfunction()
macro(check)
  set(requests ${ARGN})
  list(TRANSFORM requests REPLACE "(.+)" "${WORK}/\\1.txt")
  execute_process(COMMAND ${PROGRAM} check ${requests}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(header "")
endmacro()
write_target(fine 32)
write_target(also_fine 32)
write_target(worse 128)
write_target(no_lock 32)
file(REMOVE ${WORK}/no_lock.lock)
write_target(damaged 32)
file(WRITE ${WORK}/damaged.cu.o.ptxas "")

check(fine)
must_pass("one target")
if(NOT output STREQUAL "")
  message(SEND_ERROR "a target that is fine: prints ${output}")
endif()
check(fine also_fine)
must_pass("two targets")
if(NOT output STREQUAL "warpguard: 2 targets checked: all fine\n")
  message(SEND_ERROR "two targets that are fine: prints ${output}")
endif()
set(failing 1)
check(worse fine)
must_fail("a target that got worse" "warpguard: 2 targets checked: 1 fine; broken: worse (2 kernels)")
set(failing 3)
check(damaged no_request no_lock worse fine)
must_fail("several broken targets" "5 targets checked: 1 fine; broken: damaged (not measured), \
${WORK}/no_request.txt (not measured), no_lock (lock cannot be read), worse (2 kernels)")
expect_in("several broken targets" "${output}" "error: WORSE a(int*) sm_80")
foreach(name no_lock worse fine)
  if(NOT EXISTS ${WORK}/new/reports/${name}.md)
    message(SEND_ERROR "there is no report of ${name}")
  endif()
endforeach()

# ---- the launcher of the CHECKS --------------------------------------------------------------------------------------

macro(compile compiler)
  execute_process(COMMAND ${PROGRAM} compile-checks ${compiler} -Wall -o checks.o -c checks.cpp WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()
file(WRITE ${WORK}/checks.cpp "static_assert(sizeof(int) == 0, \"a refusal\");\n")
compile(${CXX})
must_pass("refused CHECKS")
file(READ ${WORK}/checks.o.refused messages)
expect_in("refused CHECKS" "${messages}" "a refusal")
if(NOT output STREQUAL "" OR NOT EXISTS ${WORK}/checks.o OR "${WORK}/checks.o" IS_NEWER_THAN "${WORK}/checks.cpp")
  message(SEND_ERROR "refused CHECKS: printed `${output}`, or the object is missing or new")
endif()
file(APPEND ${WORK}/fine.txt "contracts ${WORK}/none.txt\ncheck ${WORK}/checks.cpp\ncheck_object ${WORK}/checks.o\n")
set(failing 1)
check(fine worse)
must_fail("refused CHECKS" "broken: fine (CHECKS refused), worse (2 kernels)")
expect_in("refused CHECKS" "${output}" "a refusal")
execute_process(COMMAND ${PROGRAM} lock update ${WORK}/fine.lock --from ${WORK}/fine.txt
  RESULT_VARIABLE status ERROR_VARIABLE output)
set(failing 3)
must_fail("recording with refused CHECKS" "the compiler refuses CHECKS of fine: the target fine_warpguard_check says why")

file(WRITE ${WORK}/checks.cpp "static int unused() { return 0; }\n")
compile(${CXX})
must_pass("CHECKS with a warning")
expect_in("CHECKS with a warning" "${output}" "unused")
if(EXISTS ${WORK}/checks.o.refused)
  message(SEND_ERROR "CHECKS that compile: there is still a refusal")
endif()

# A compiler that compiles nothing refuses nothing.
file(WRITE ${WORK}/broken_compiler "#!/bin/sh\necho no licence >&2\nexit 5\n")
file(CHMOD ${WORK}/broken_compiler PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(compiler "./broken_compiler;5;no licence" "./no_such_compiler;127;cannot run ./no_such_compiler")
  list(POP_FRONT compiler path code words)
  compile(${path})
  if(NOT status EQUAL code OR EXISTS ${WORK}/checks.o.refused)
    message(SEND_ERROR "${path}: exit code ${status}, or a refusal")
  endif()
  expect_in("${path}" "${output}" "${words}")
endforeach()

# ---- the hook for locks ----------------------------------------------------------------------------------------------

file(READ ${ROOT}/.pre-commit-hooks.yaml hook)
if(NOT hook MATCHES "\n  entry: ([^\n]*)\n")
  message(FATAL_ERROR "there is no entry in .pre-commit-hooks.yaml")
endif()
set(entry "${CMAKE_MATCH_1}")
get_filename_component(folder ${PROGRAM} DIRECTORY)
set(ENV{PATH} "${folder}:$ENV{PATH}")
macro(hook)
  execute_process(COMMAND sh -c "${entry} \"$@\"" sh ${ARGN} WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()
file(WRITE ${WORK}/Cargo.lock "# no lock of warpguard\n")
hook(fine.lock Cargo.lock)
must_pass("the hook")
file(READ ${WORK}/fine.lock text)
string(REPLACE "registers=32" "registers=31" edited "${text}")
file(WRITE "${WORK}/edited by hand.lock" "${edited}")
string(REPLACE "policy" "<<<<<<< HEAD\npolicy" conflict "${text}")
file(WRITE "${WORK}/conflict.lock" "${conflict}")
set(failing 1)
hook(fine.lock "edited by hand.lock" conflict.lock Cargo.lock)
must_fail("the hook" "conflict.lock:")
expect_in("the hook" "${output}" "edited by hand.lock:")
