# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DOUT=<folder> -DVERSION=<version> -DDOXYGEN=<doxygen> -P reference_complete.cmake
# Doxygen finds a comment for every public name. A name without one is noticed: it is put into a copy of the headers.

cmake_minimum_required(VERSION 3.22)

include(${ROOT}/docs/site/build.cmake)

set(copy ${OUT}/copy)
file(REMOVE_RECURSE ${copy})
file(COPY ${ROOT}/include ${ROOT}/docs DESTINATION ${copy})
file(APPEND ${copy}/include/warpguard/hardware/products.hpp
  "\nnamespace warpguard {\ninline constexpr int without_a_comment = 1;\n}  // namespace warpguard\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${copy} -DOUT=${OUT}/of_copy -DVERSION=${VERSION} -DDOXYGEN=${DOXYGEN}
    -P ${copy}/docs/site/build.cmake
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0 OR NOT output MATCHES "products\\.hpp:[0-9]+: [a-z]+: Member without_a_comment ")
  message(FATAL_ERROR "a public name without a comment is not noticed:\n${output}")
endif()
