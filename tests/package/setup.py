# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""A CUDA extension of a user who installed warpguard with pip: headers, and the check against a lock."""

import os
import sys

import warpguard
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # pip may look for modules elsewhere
from warpguard_setup import CheckKernels


class compile_with_nvcc(build_ext):
    def build_extensions(self):
        self.compiler.src_extensions.append(".cu")
        architecture = os.environ["ARCHITECTURE"]
        target = f"-gencode=arch=compute_{architecture},code=sm_{architecture}"
        self.compiler.set_executables(
            compiler_so=[*self.nvcc_command(), "-std=c++17", "-Xcompiler=-fPIC", target],
            linker_so=[self.nvcc, "-shared"],
        )
        super().build_extensions()


class build_kernels(CheckKernels, compile_with_nvcc):
    nvcc = os.environ["NVCC"]


setup(
    name="kernels",
    ext_modules=[Extension("kernels", ["kernel.cu"], include_dirs=[warpguard.get_include()])],
    cmdclass={"build_ext": build_kernels},
)
