# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DGENERATOR=Ninja -DSOURCE=<project/> -DBUILD=<warpguard's build> -DWORK=<folder> -DCXX=... -DNVCC=...
#   -P project.cmake
# Installs warpguard and builds a user's project against it, in folders with spaces and letters beyond ASCII: as it is,
# twice, and with its kernel changed in each way that must fail. Ninja tries them all, other generators the first.

cmake_minimum_required(VERSION 3.22)

include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
must_pass("installing")
set(build ${WORK}/build)
macro(configure)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${build} -DCMAKE_PREFIX_PATH=${WORK}/installed
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${NVCC} -DLOCK=${WORK}/app.lock ${ARGN})
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
must_not_say("the project" "ptxas info|stack frame")
foreach(kind md json sarif)
  if(NOT EXISTS ${build}/reports/app.${kind})
    message(SEND_ERROR "there is no report app.${kind}")
  endif()
endforeach()

build()
must_pass("building again")
must_not_say("building again" "${any_step}")
if(NOT GENERATOR STREQUAL "Ninja")
  return()
endif()

configure(-DVARIANT=more_registers)
build(--target app_warpguard_checks)
must_fail("more registers" "ptxas used more registers than the contract allows" "sum_contract" "warpguard::sm<80>"
  "warpguard::sm<90>" "RegistersAllowed = 40")
configure(-DVARIANT=spilling)
build(--target app_warpguard_checks)
must_fail("spilling" "ptxas spilled registers, and the contract's spill_budget is smaller" "BytesAllowed = 0")
configure(-DVARIANT=deleted)
build(--target app_warpguard_checks)
must_fail("deleted" "ptxas compiled no such kernel for this target" "sum_contract")
configure(-DVARIANT=unguarded)
build(--target app_warpguard_lock)
must_fail("a kernel without a contract" "WORSE unguarded(float*) sm_90: registers")

# Relocatable device code: the numbers of the device link.
configure(-DVARIANT= -DRELOCATABLE=ON)
build(--target app_warpguard_checks)
must_pass("relocatable device code")

# A lock alone, and nvcc's own exit code and warnings.
file(GLOB program ${build}/warpguard-measure/warpguard-measure)
run(${program} compile ${NVCC} -c no_such_file.cu -o ${WORK}/none.o)
execute_process(COMMAND ${NVCC} -c no_such_file.cu -o ${WORK}/none.o RESULT_VARIABLE own ERROR_VARIABLE own_words)
if(NOT status EQUAL own OR NOT said STREQUAL own_words)
  message(SEND_ERROR "the launcher ends with ${status} and `${said}`, nvcc with ${own} and `${own_words}`")
endif()
