# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# A whole CMakeLists.txt that needs no CUDA toolkit: copy it beside plain.cpp.

cmake_minimum_required(VERSION 3.22)
project(contracts LANGUAGES CXX)

find_package(warpguard 0.1 REQUIRED)

add_library(contracts OBJECT plain.cpp)
target_compile_definitions(contracts PRIVATE "WARPGUARD_TARGETS=750,860,900")
target_link_libraries(contracts PRIVATE warpguard::warpguard)
