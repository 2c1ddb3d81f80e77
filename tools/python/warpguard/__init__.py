# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Where the headers, the CMake package and the program of warpguard are."""

import os
import sys

_folder = os.path.dirname(os.path.abspath(__file__))


def get_include():
    """Returns the folder for the compiler's -I."""
    return os.path.join(_folder, "include")


def get_cmake_dir():
    """Returns the folder for CMake's -Dwarpguard_DIR."""
    return os.path.join(_folder, "share", "cmake", "warpguard")


def get_program():
    """Returns the path of the program, which the command `warpguard` calls."""
    return os.path.join(_folder, "bin", "warpguard")


def main():
    program = get_program()
    os.execv(program, [program, *sys.argv[1:]])
