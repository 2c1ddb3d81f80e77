# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# docs/architectures.md is what print_architectures.cpp prints.
#
#   cmake -DPROGRAM=<warpguard_print_architectures> -DROOT=<repository> [-DREFRESH=ON] -P architectures_current.cmake
#
# With REFRESH it writes the page instead.

cmake_minimum_required(VERSION 3.16)

foreach(needed PROGRAM ROOT)
  if("${${needed}}" STREQUAL "")
    message(FATAL_ERROR "-D${needed}=... is missing")
  endif()
endforeach()

execute_process(
  COMMAND ${PROGRAM} ${ROOT}/include/warpguard/hardware/architecture.hpp
  RESULT_VARIABLE status OUTPUT_VARIABLE printed)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} fails")
endif()

set(page "")
if(EXISTS ${ROOT}/docs/architectures.md)
  file(READ ${ROOT}/docs/architectures.md page)
endif()
if(REFRESH)
  if(NOT page STREQUAL printed)
    file(WRITE ${ROOT}/docs/architectures.md "${printed}")
    message(STATUS "docs/architectures.md is written anew")
  endif()
elseif(NOT page STREQUAL printed)
  message(FATAL_ERROR
    "docs/architectures.md is not what the table says now. To write it anew: cmake --build <build> --target refresh_docs")
endif()
