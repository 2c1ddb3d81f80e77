# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Stands for the module of PyTorch. Like the real one with ninja, it compiles .cu files with PYTORCH_NVCC if that is set."""

import os
import shlex

from setuptools import Extension
from setuptools.command.build_ext import build_ext

CUDA_HOME = os.environ["CUDA_HOME"]


def CUDAExtension(name, sources):
    return Extension(name, sources)


class BuildExtension(build_ext):
    def build_extensions(self):
        nvcc = os.path.join(CUDA_HOME, "bin", "nvcc")
        compiler = shlex.split(os.environ.get("PYTORCH_NVCC", nvcc))
        targets = [f"-gencode=arch=compute_{number},code=sm_{number}" for number in (80, 90)]
        self.compiler.src_extensions.append(".cu")
        self.compiler.set_executables(
            compiler_so=[*compiler, "-std=c++17", "-Xcompiler=-fPIC", *targets],
            linker_so=[nvcc, "-shared"],
        )
        super().build_extensions()
