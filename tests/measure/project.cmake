# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DGENERATOR=Ninja -DSOURCE=<project/> -DBUILD=<warpguard's build> -DWORK=<folder> -DCXX=... -DNVCC=...
#   -P project.cmake
# Installs warpguard and builds a user's project with it, in folders with spaces and non-ASCII letters. The project is
# built twice without a change. With Ninja, it is also built with each change of the kernel that must fail.

cmake_minimum_required(VERSION 3.22)

include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
must_pass("installing")
set(build ${WORK}/build)
macro(configure)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${build} -DCMAKE_PREFIX_PATH=${WORK}/installed
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${NVCC} -DLOCK=${WORK}/app.lock
    -DWARPGUARD_CHECK_ALL=ON ${ARGN})
  must_pass("configuring")
endmacro()
macro(build)
  run(${CMAKE_COMMAND} --build ${build} -j 2 ${ARGN})
endmacro()

configure(-DVARIANT=)
build(--target app_warpguard_update)
must_pass("recording the lock")
build()
must_pass("the project")
must_not_print("the project" "ptxas info|stack frame")
foreach(kind md json sarif html)
  if(NOT EXISTS ${build}/reports/app.${kind})
    message(SEND_ERROR "there is no report app.${kind}")
  endif()
endforeach()

file(READ ${build}/reports/app.md output)
must_print("the report" "`scale_contract`: kept (at most 32 registers, at least 0 blocks)"
  "`on<sm<50>>` of `scale_contract`: no kernel is compiled for it.")
must_not_print("the report" "did not compile")
build()
must_pass("building again")
must_not_print("building again" "${any_step}")
if(NOT GENERATOR STREQUAL "Ninja")
  return()
endif()

configure(-DVARIANT=more_registers)
build(--target app_warpguard_check)
must_fail("more registers" "ptxas used more registers than the contract allows" "sum_contract" "warpguard::sm<80>"
  "warpguard::sm<90>" "RegistersAllowed = 40")
# Without the contracts of an earlier build, the report uses the blocks of the lock.
file(REMOVE_RECURSE ${build}/reports ${build}/app.warpguard/contracts.txt)
build(--target app_warpguard_check)
file(READ ${build}/reports/app.md output)
must_print("the report of refused CHECKS" "| `app::sum(int, float const*, float*)` | sm_80 | 56 | 512 | 0/0 | 9 | 56.25 % | \
registers | unknown | WORSE |" "The CHECKS did not compile in this build")
must_not_print("the report of refused CHECKS" "IMPROVED|CHANGED")
file(READ ${build}/reports/app.sarif output)
must_print("the annotations of refused CHECKS" "the CHECKS of app did not compile")
configure(-DVARIANT=spilling)
build(--target app_warpguard_check)
must_fail("spilling" "ptxas spilled registers, and the contract's spill_budget is smaller" "BytesAllowed = 0")
configure(-DVARIANT=deleted)
build(--target app_warpguard_check)
must_fail("deleted" "ptxas compiled no such kernel for this target" "sum_contract")
configure(-DVARIANT=unguarded)
build(--target app_warpguard_check)
must_pass("a kernel without a contract that loses no block")
must_print("a kernel without a contract that loses no block" "CHANGED unguarded(float*) sm_90: registers")
configure(-DWARPGUARD_LOCK_STRICT=ON)
build(--target app_warpguard_check)
must_fail("a kernel without a contract, strictly" "WORSE unguarded(float*) sm_90: registers")
configure(-DWARPGUARD_LOCK_STRICT=OFF)

# A build with -G is not compared with a lock of a release build, and does not overwrite it.
configure(-DVARIANT= -DCMAKE_CUDA_FLAGS=-G)
build(--target app_warpguard_update)
must_fail("recording a debug build" "recorded with flags -, built with -G: the lock stays as it was")
build(--target app_warpguard_record_anew)
must_pass("recording a debug build anew")
file(READ ${WORK}/app.lock output)
must_print("a debug build" " flags=-G")
configure(-DCMAKE_CUDA_FLAGS=)

# Relocatable device code: the numbers come from the device link.
configure(-DVARIANT= -DRELOCATABLE=ON)
build(--target app_warpguard_record_anew)
must_pass("recording relocatable device code anew")
build(--target app_warpguard_check)
must_pass("relocatable device code")

# The launcher returns the exit code of nvcc and prints the same messages.
set(program ${WORK}/installed/bin/warpguard)
set(arguments -gencode=arch=compute_80,code=[sm_80] -gencode=arch=compute_90,code=[sm_90]
  -Xcompiler=-Wall,-Wextra,-fdiagnostics-color=always -c ${SOURCE}/warnings.cu -o ${WORK}/warnings.cu.o)
set(missing -c no_such_file.cu -o ${WORK}/none.o)
foreach(compilation arguments missing)
  run(${program} compile ${NVCC} ${${compilation}})
  set(launched "${status}: ${output}")
  run(${NVCC} ${${compilation}})
  if(NOT launched STREQUAL "${status}: ${output}")
    message(SEND_ERROR "the launcher returns\n${launched}\nand nvcc returns\n${status}: ${output}")
  endif()
  if(compilation STREQUAL "arguments")
    string(ASCII 27 escape)
    must_print("nvcc" "was declared but never referenced" "minnctapersm will be ignored" "${escape}[")
  endif()
endforeach()

# A cache hit returns the output of ptxas and the warnings, as nvcc does.
find_program(CCACHE ccache)
find_program(SCCACHE sccache)
string(RANDOM LENGTH 4 ALPHABET 123456789 port)
set(ENV{CCACHE_DIR} ${WORK}/ccache)
set(ENV{SCCACHE_DIR} ${WORK}/sccache)
set(ENV{SCCACHE_SERVER_PORT} 2${port})
set(ENV{SCCACHE_IDLE_TIMEOUT} 120)
function(read_text)  # only the lines of ptxas, because sccache changes colours
  file(READ ${WORK}/warnings.cu.o.ptxas printed)
  string(REGEX REPLACE "Compile time = [^\n]*" "" printed "${printed}")
  string(REGEX MATCHALL "\n(ptxas|    [0-9]+ bytes stack)[^\n]*" printed "${printed}")
  set(printed "${printed}" PARENT_SCOPE)
endfunction()
run(${program} compile ${NVCC} ${arguments})
read_text()
set(own_text "${printed}")
foreach(cache ${CCACHE} ${SCCACHE})
  if(NOT cache)
    continue()
  endif()
  foreach(hit "a miss" "a hit")
    file(REMOVE ${WORK}/warnings.cu.o ${WORK}/warnings.cu.o.ptxas)
    run(${program} compile ${cache} ${NVCC} ${arguments})
    must_pass("${cache}, ${hit}")
    must_print("${cache}, ${hit}" "was declared but never referenced" "minnctapersm will be ignored")
    must_not_print("${cache}, ${hit}" "ptxas info|stack frame")
    read_text()
    if(NOT EXISTS ${WORK}/warnings.cu.o OR NOT printed STREQUAL own_text)
      message(SEND_ERROR "${cache}, ${hit}: ptxas printed\n${printed}\nand not\n${own_text}")
    endif()
  endforeach()
endforeach()
if(SCCACHE)
  run(${SCCACHE} --stop-server)
endif()
