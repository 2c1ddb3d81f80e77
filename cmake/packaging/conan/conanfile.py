# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class WarpguardConan(ConanFile):
    name = "warpguard"
    description = "CUDA occupancy contracts that are checked at compile time"
    license = "BSL-1.0"
    topics = ("cuda", "occupancy", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "boost": [True, False],  # False: an installed Boost, or none; only warpguard.hpp and hana.hpp need it
        "program": [True, False],  # which warpguard_measure() calls
    }
    default_options = {"boost": True, "program": False}
    generators = "CMakeDeps"

    @property
    def _repository(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", "..", ".."))

    def set_version(self):
        header = load(self, os.path.join(self._repository, "include", "warpguard", "version.hpp"))
        parts = [re.search(rf"WARPGUARD_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH")]
        self.version = ".".join(parts)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "include/*", "cmake/*", "tools/*", "docs/errors.md",
                        "examples/other_builds/*"):
            copy(self, pattern, src=self._repository, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.boost:
            self.requires("boost/[>=1.70 <2]", options={"header_only": True})
        if self.options.program:
            self.requires("cli11/[>=2.1 <3]", visible=False)
            self.requires("fmt/[>=9 <12]", visible=False)
            self.requires("nlohmann_json/[>=3.11 <4]", visible=False)

    def validate(self):
        check_min_cppstd(self, 17)

    def package_id(self):
        if not self.info.options.program:
            self.info.settings.clear()

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["WARPGUARD_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["WARPGUARD_BUILD_TESTS"] = False
        toolchain.cache_variables["WARPGUARD_BUILD_PROGRAM"] = bool(self.options.program)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share", "doc"))

    def package_info(self):
        # find_package() gets the files that warpguard installs, which also have warpguard_measure().
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "warpguard")]
        self.cpp_info.bindirs = ["bin"] if self.options.program else []
        self.cpp_info.libdirs = []
