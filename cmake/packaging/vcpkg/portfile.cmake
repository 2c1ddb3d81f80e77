# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# An overlay port, which builds the sources that it lies in:
#   vcpkg install warpguard --overlay-ports=<warpguard>/cmake/packaging/vcpkg
# In vcpkg's registry, vcpkg_from_github() with the hash of a release takes the place of this line.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release)  # headers are the same in a debug build

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES program WARPGUARD_BUILD_PROGRAM)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DWARPGUARD_BUILD_EXAMPLES=OFF
    -DWARPGUARD_BUILD_TESTS=OFF
    # Where vcpkg has programs and CMake packages.
    "-DCMAKE_INSTALL_BINDIR=tools/${PORT}"
    "-DWARPGUARD_INSTALL_CMAKEDIR=share/${PORT}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup()
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
