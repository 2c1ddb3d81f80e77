# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# A whole CMakeLists.txt: copy it beside saxpy.cu, saxpy_contract.hpp and saxpy_measured.cpp.

cmake_minimum_required(VERSION 3.22)
project(saxpy LANGUAGES CXX CUDA)

find_package(warpguard 0.1 REQUIRED)

add_executable(saxpy saxpy.cu)
set_target_properties(saxpy PROPERTIES CUDA_ARCHITECTURES "75;86;90")
target_link_libraries(saxpy PRIVATE warpguard::warpguard)

set(reports ${CMAKE_CURRENT_BINARY_DIR}/reports)
warpguard_measure(saxpy CHECKS saxpy_measured.cpp LOCK saxpy.lock REPORT ${reports})
