# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Builds the kernels as a library, without PyTorch. setup_torch.py is the same with PyTorch."""

import glob
import os
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # pip may look for modules elsewhere
from warpguard_setup import CheckKernels

ARCHITECTURES = [f"-gencode=arch=compute_{number},code=sm_{number}" for number in (80, 90)]


class compile_with_nvcc(build_ext):
    def build_extensions(self):
        self.compiler.src_extensions.append(".cu")
        self.compiler.set_executables(
            compiler_so=[*self.nvcc_command(), "-std=c++17", "-Xcompiler=-fPIC", *ARCHITECTURES],
            linker_so=[self.nvcc, "-shared"],
        )
        super().build_extensions()


class build_kernels(CheckKernels, compile_with_nvcc):
    lock = "kernels.lock"


setup(
    name="kernels",
    ext_modules=[Extension("kernels", sorted(glob.glob("src/*.cu")))],
    cmdclass={"build_ext": build_kernels},
)
