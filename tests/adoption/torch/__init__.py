# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Stands for PyTorch, which the tests do not need: only what a setup.py takes from utils/cpp_extension.py."""
