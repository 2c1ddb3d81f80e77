# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DPROJECT=... -DWORK=<folder> -DNVCC=... -DVERSION=... -DBAZEL=... -P bazel.cmake
# The project of make.cmake, built by Bazel. The lock is the same.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

set(bazel ${BAZEL} --batch --output_user_root=${WORK}/bazel)  # --batch: no server stays behind
function(write_lock verb)
  run(${bazel} build //:kernels_lock_${verb})
  must_pass("writing the lock: ${verb}")
  file(COPY_FILE "${project}/bazel-bin/kernels.lock.${verb}" "${project}/kernels.lock")
endfunction()

if(NOT is_recorded_compiler)
  write_lock(record-anew)
endif()
run(${bazel} build //...)
must_pass("as committed")
must_not_print("as committed" "NEW finish")
take_more_shared_memory()
run(${bazel} build //...)
must_fail("fewer blocks" ${what_got_worse}
  "run `bazel build //:kernels_lock_update && cp -f bazel-bin/kernels.lock.update kernels.lock` and commit the lock")
write_lock(update)
run(${bazel} build //...)
must_pass("accepted")
file(REMOVE "${project}/src/stencil.cu")
run(${bazel} build //...)
must_fail("a removed source" "GONE stencil<8>")

execute_process(COMMAND chmod -R u+w "${WORK}/bazel")  # so that the folder can be removed
