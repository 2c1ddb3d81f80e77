# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DOUT=<folder> -DVERSION=<version> -DDOXYGEN=<doxygen> -P reference_complete.cmake
# Doxygen finds a comment for every public name. Names without one are noticed: they are put into a copy of the headers.

cmake_minimum_required(VERSION 3.22)

include(${ROOT}/docs/site/build.cmake)

set(copy ${OUT}/copy)
file(REMOVE_RECURSE ${copy})
file(COPY ${ROOT}/include ${ROOT}/docs DESTINATION ${copy})
set(header ${copy}/include/warpguard/hardware/products.hpp)
file(READ ${header} text)

# Adds `line` to the header, and expects that Doxygen or build.cmake says `message`.
function(must_notice line message)
  file(WRITE ${header} "${text}\nnamespace warpguard {\n${line}\n}  // namespace warpguard\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${copy} -DOUT=${OUT}/of_copy -DVERSION=${VERSION}
      -DDOXYGEN=${DOXYGEN} -P ${copy}/docs/site/build.cmake
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status EQUAL 0 OR NOT output MATCHES "${message}")
    message(SEND_ERROR "not noticed: ${line}\n${output}")
  endif()
endfunction()
must_notice("inline constexpr int without_a_comment = 1;" "products\\.hpp:[0-9]+: [a-z]+: Member without_a_comment ")
must_notice("/// Commented.\nenum class commented { not_commented };" "the enumerator not_commented is not documented")
