# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DSOURCE=<project/> -DBUILD=<warpguard's build> -DWORK=<folder> -DCXX=... -DCLANGXX=... -DTOOLKIT=<folder>
#   -DROOT=<repository> -P project.cmake
# Installs warpguard and builds a user's project whose CUDA compiler is clang.

cmake_minimum_required(VERSION 3.22)

include(${ROOT}/tests/measure/steps.cmake)

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
must_pass("installing")
set(build ${WORK}/build)
macro(configure)
  run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${build} -DCMAKE_PREFIX_PATH=${WORK}/installed
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${CLANGXX}
    -DCUDAToolkit_ROOT=${TOOLKIT}
    "-DCMAKE_CUDA_FLAGS=--cuda-path=${TOOLKIT} -isystem ${TOOLKIT}/include -Wno-unknown-cuda-version" ${ARGN})
endmacro()

configure(-DREGISTERS=40 -DRELOCATABLE=OFF)
must_pass("configuring")
run(${CMAKE_COMMAND} --build ${build} --target app_warpguard_update)
must_pass("recording the lock")
file(READ ${build}/app.lock output)
must_print("the lock" "compiler clang" "sm_75: registers=" "sm_80: registers=" "flags=-O3")
run(${CMAKE_COMMAND} --build ${build} --target warpguard_check)
must_pass("the check")
must_not_print("the check" "ptxas info|stack frame")

configure(-DREGISTERS=4)
must_pass("configuring with fewer registers")
run(${CMAKE_COMMAND} --build ${build} --target warpguard_check)
must_fail("fewer registers" "ptxas used more registers than the contract allows" "sum_contract" "warpguard::sm<75>"
  "RegistersAllowed = 4")

configure(-DREGISTERS=40 -DRELOCATABLE=ON)
must_fail("relocatable device code" "is measured with nvcc only")
