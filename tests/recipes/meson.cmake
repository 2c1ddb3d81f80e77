# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DPROJECT=... -DWORK=<folder> -DNVCC=... -DVERSION=... -DMESON=... -P meson.cmake
# The project of make.cmake, built by Meson. The lock is the same.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

set(build ${MESON} compile -C "out of source")
run(${MESON} setup "out of source" --native-file warpguard.ini)
must_pass("setting up")
if(NOT is_recorded_compiler)
  run(${build} kernels_record-anew)
  must_pass("recording with this compiler")
endif()
run(${build})
must_pass("as committed")
must_not_print("the names of sources in the lock do not depend on the build folder" "NEW finish")
run(${build})
must_pass("nothing changed")
must_not_print("nothing changed" "Compiling")

take_more_shared_memory()
run(${build})
must_fail("fewer blocks" ${what_got_worse} "run `meson compile -C \"${project}/out of source\" kernels_update`")
run(${build})
must_fail("it fails until something is done" ${what_got_worse})
run(${build} kernels_update)
must_pass("accepting it")
run(${build})
must_pass("accepted")
must_not_print("accepted" "transpose sm_")

# Ninja keeps the object of a source that is removed.
edit(meson.build "'src/stencil.cu', " "")
run(${build})
must_fail("a removed source" "GONE stencil<8>")
