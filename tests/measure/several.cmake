# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DGENERATOR=... -DSOURCE=<several/> -DBUILD=<warpguard's build> -DWORK=<folder> -DCXX=... -DNVCC=...
#   -P several.cmake
# Tests the check of several targets: what is broken in one of them hides nothing of the others, and keeps no target
# from being built.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

# CMake finds no package in a folder with brackets.
string(REGEX REPLACE "[][]" "" installed "${WORK} installed")
file(REMOVE_RECURSE ${WORK} ${installed})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${installed})
must_pass("installing")
set(build ${WORK}/build)
macro(configure)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${build} -DCMAKE_PREFIX_PATH=${installed}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${NVCC} -DLOCKS=${WORK}/locks ${ARGN})
  must_pass("configuring")
endmacro()
macro(build)
  run(${CMAKE_COMMAND} --build ${build} --config Release -j 2 ${ARGN})
endmacro()
set(targets fine refused worse)

# A path that CMake's lists cannot contain.
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B "${WORK}/one [bracket"
    -DCMAKE_PREFIX_PATH=${installed} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${NVCC}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake wraps lines
must_fail("a bracket without its counterpart" "the path of the build folder has a `[` or `]`")

configure()
foreach(target IN LISTS targets)
  build(--target ${target}_warpguard_update)
  must_pass("recording the lock of ${target}")
endforeach()
build(--target warpguard_check)
must_pass("three targets that are fine")
must_print("three targets that are fine" "warpguard: 3 targets checked: all fine")
must_not_print("three targets that are fine" "WORSE|CHANGED|CHECKS of")

# Everything that is broken is printed, again in each build. The check of one target prints what is broken there.
configure(-DREFUSED=ON -DMORE=ON)
foreach(time once again)
  build(--target warpguard_check)
  must_fail("two broken targets, ${time}" "the compiler refuses CHECKS of refused" "a refusal"
    "error: WORSE kernel(int, float const*, float*) sm_80: " "build the target worse_warpguard_update"
    "warpguard: 3 targets checked: 1 fine; broken: refused (CHECKS refused), worse (1 kernel)")
endforeach()
build(--target refused_warpguard_check)
must_fail("one target with refused CHECKS" "a refusal" "broken: refused (CHECKS refused)")
must_not_print("one target with refused CHECKS" "WORSE|worse")
build(--target worse_warpguard_check)
must_fail("one target with a broken lock" "WORSE" "broken: worse (1 kernel)")
must_not_print("one target with a broken lock" "refusal")
build(--target fine_warpguard_check)
must_pass("one target that is fine")
file(READ ${WORK}/locks/refused.lock before)
build(--target refused_warpguard_update)
must_fail("recording with refused CHECKS" "the target refused_warpguard_check says why")
file(READ ${WORK}/locks/refused.lock after)
if(NOT before STREQUAL after)
  message(SEND_ERROR "a lock is recorded although the CHECKS are refused")
endif()
file(READ ${WORK}/locks/reports/refused.md output)
must_print("the report of refused CHECKS" "The CHECKS did not compile in this build" kernel_contract)

# The check is no part of `all`, unless it is asked for.
build(--target clean)
build()
must_pass("a build with broken locks")
must_not_print("a build with broken locks" "Measuring|Checking|_warpguard_checks")

# Then it comes last.
build(--target clean)
configure(-DWARPGUARD_CHECK_ALL=ON)
build()
must_fail("a build with the check" "broken: refused (CHECKS refused), worse (1 kernel)")
must_not_print("a build with the check" "after the check")
if(NOT (EXISTS ${build}/inner/libslow.a OR EXISTS ${build}/inner/Release/libslow.a) OR
    NOT EXISTS ${build}/inner/slow_target)
  message(SEND_ERROR "a broken check keeps other targets from being built")
endif()

configure(-DREFUSED=OFF)
build()
must_fail("CHECKS that compile again" "3 targets checked: 2 fine; broken: worse (1 kernel)")
configure(-DMORE=OFF)
build()
must_pass("all mended")
must_print("all mended" "3 targets checked: all fine" "after the check")
build()
must_pass("all mended, built again")
must_not_print("all mended, built again" "${any_step}")
