# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# A whole CMakeLists.txt: copy it beside transpose.cu.

cmake_minimum_required(VERSION 3.22)
project(transpose LANGUAGES CXX CUDA)

find_package(warpguard 0.1 REQUIRED)

add_executable(transpose transpose.cu)
set_target_properties(transpose PROPERTIES CUDA_ARCHITECTURES "75;86;90")
target_link_libraries(transpose PRIVATE warpguard::warpguard)
