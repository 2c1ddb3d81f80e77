# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Before: an extension of PyTorch. Needs torch and ninja, and src/ beside this file."""

import glob

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="kernels",
    ext_modules=[CUDAExtension("kernels", sorted(glob.glob("src/*.cu")))],
    cmdclass={"build_ext": BuildExtension},
)
