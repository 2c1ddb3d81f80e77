# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DSOURCE=<repository> -DWORK=<folder> -DVERSION=... -DPYTHON=... -P conan.cmake
# Makes the Conan package and builds its test_package with it. Gets conan with pip. No library is downloaded, because
# the option `boost` is off: that Conan's own Boost is used is not tested.

cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK}")
run("${PYTHON}" -m venv "${WORK}/environment")
run("${WORK}/environment/bin/python" -m pip install conan)
set(conan "${WORK}/environment/bin/conan")
set(ENV{CONAN_HOME} "${WORK}/home")
run("${conan}" profile detect)
file(COPY "${SOURCE}/" DESTINATION "${WORK}/sources" PATTERN .git EXCLUDE PATTERN build EXCLUDE)
run("${conan}" create "${WORK}/sources/cmake/packaging/conan" -o "&:boost=False" --no-remote)
expect("warpguard/${VERSION} \\(test package\\): RUN: ./consumer" "${output}")
