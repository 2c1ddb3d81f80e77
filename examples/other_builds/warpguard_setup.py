# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Checks the kernels that a setup.py builds against a lock. Copy this file beside your setup.py.

With WARPGUARD_LOCK=update in the environment, the build writes the lock instead, and with WARPGUARD_LOCK=record-anew it
replaces all of its lines, for another compiler or other flags.
"""

import os
import shlex
import subprocess


class CheckKernels:
    """The first base of a build_ext command; the second is torch's BuildExtension, or your own command."""

    lock = "kernels.lock"
    nvcc = "nvcc"

    def nvcc_command(self):
        return ["warpguard", "compile", self.nvcc]

    def build_extensions(self):
        # torch compiles with this command if ninja is installed.
        os.environ.setdefault("PYTORCH_NVCC", shlex.join(self.nvcc_command()))
        super().build_extensions()
        sources = [source for extension in self.extensions for source in extension.sources if source.endswith(".cu")]
        objects = self.compiler.object_filenames(sources, output_dir=self.build_temp)
        verb = os.environ.get("WARPGUARD_LOCK", "check")
        record = "WARPGUARD_LOCK={} python setup.py build_ext"
        command = ["warpguard", "lock", verb, self.lock, "--record-with", record, "--from", *objects]
        status = subprocess.run(command).returncode
        if status != 0:
            raise SystemExit(status)  # warpguard has printed why
