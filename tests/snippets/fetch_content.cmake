# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# A whole CMakeLists.txt: copy it beside transpose.cu. third_party/warpguard holds warpguard's sources;
# FETCHCONTENT_SOURCE_DIR_WARPGUARD names another folder.

cmake_minimum_required(VERSION 3.24)
project(transpose LANGUAGES CXX CUDA)

include(FetchContent)
FetchContent_Declare(warpguard
  SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/third_party/warpguard"
  FIND_PACKAGE_ARGS 0.1)
FetchContent_MakeAvailable(warpguard)

add_executable(transpose transpose.cu)
set_target_properties(transpose PROPERTIES CUDA_ARCHITECTURES "75;86;90")
target_link_libraries(transpose PRIVATE warpguard::warpguard)
