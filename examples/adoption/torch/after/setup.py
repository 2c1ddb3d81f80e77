# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""After: the same extension, whose kernels are checked against kernels.lock. Needs warpguard_setup.py, too."""

import glob
import os
import sys

from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # pip may look for modules elsewhere
from warpguard_setup import CheckKernels


class build_kernels(CheckKernels, BuildExtension):
    nvcc = os.path.join(CUDA_HOME, "bin", "nvcc")


setup(
    name="kernels",
    ext_modules=[CUDAExtension("kernels", sorted(glob.glob("src/*.cu")))],
    cmdclass={"build_ext": build_kernels},
)
