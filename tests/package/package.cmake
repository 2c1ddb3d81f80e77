# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DBUILD=<warpguard's build> -DSOURCE=<repository> -DWORK=<folder> -DVERSION=... -DCXX=... -P package.cmake
# Installs warpguard, builds the consumer against the installed copy, then against the source tree, and runs both.

cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)

# Moved, because a package must not depend on where it was installed.
file(RENAME ${WORK}/installed ${WORK}/moved)
foreach(page man/man1/warpguard.1 bash-completion/completions/warpguard zsh/site-functions/_warpguard
    fish/vendor_completions.d/warpguard.fish)
  if(NOT EXISTS ${WORK}/moved/share/${page})
    message(FATAL_ERROR "share/${page} is not installed")
  endif()
endforeach()
set(common -G Ninja -S ${SOURCE}/tests/package -DCMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} ${common} -B ${WORK}/found -DCMAKE_PREFIX_PATH=${WORK}/moved -DWARPGUARD_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/found)
run(${WORK}/found/consumer)
run(${CMAKE_COMMAND} --build ${WORK}/found --target run_program)
if(NOT output MATCHES "warpguard ${VERSION}\n")
  message(FATAL_ERROR "the installed program prints ${output}")
endif()
foreach(file warpguard.mk warpguard.ini warpguard.bzl warpguard_setup.py)
  if(NOT EXISTS ${WORK}/moved/share/warpguard/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

run(${CMAKE_COMMAND} ${common} -B ${WORK}/added -DWARPGUARD_SOURCE=${SOURCE})
run(${CMAKE_COMMAND} --build ${WORK}/added)
run(${WORK}/added/consumer)
