# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DPROJECT=... -DWORK=<folder> -DNVCC=... -DVERSION=... -DPYTHON=... -P setup_py.cmake
# The project of make.cmake, built by setup.py. The lock is the same. PyTorch is not needed: what it does with
# PYTORCH_NVCC was tried by hand, see docs/other-builds.md.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

set(build ${PYTHON} -I setup.py build_ext)  # -I: as pip, which may leave out the folder of setup.py
if(NOT is_recorded_compiler)
  run(${CMAKE_COMMAND} -E env WARPGUARD_LOCK=record-anew ${build})
  must_pass("recording with this compiler")
endif()
run(${build})
must_pass("as committed")
must_not_print("as committed" "sm_90:")
take_more_shared_memory()
run(${build})
must_fail("fewer blocks" ${what_got_worse} "run `WARPGUARD_LOCK=update python setup.py build_ext` and commit the lock")
run(${build})
must_fail("it fails until something is done" ${what_got_worse})
run(${CMAKE_COMMAND} -E env WARPGUARD_LOCK=update ${build})
must_pass("accepting it")
run(${build})
must_pass("accepted")

file(REMOVE "${project}/src/stencil.cu")
run(${build})
must_fail("a removed source" "GONE stencil<8>")

# What torch's BuildExtension gets, without torch.
file(WRITE "${project}/variable.py" "
import os
from warpguard_setup import CheckKernels
class torch_build:
    def build_extensions(self):
        raise SystemExit(os.environ['PYTORCH_NVCC'])
class build(CheckKernels, torch_build):
    nvcc = '/a folder/nvcc'
build().build_extensions()
")
run(${PYTHON} variable.py)
must_fail("the variable that torch reads" "warpguard compile '/a folder/nvcc'")
