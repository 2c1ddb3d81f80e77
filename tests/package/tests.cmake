# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# The tests of how warpguard is installed. The project in this folder is the user's project.

find_program(WARPGUARD_PKG_CONFIG pkg-config)
if(NOT WARPGUARD_PKG_CONFIG)
  warpguard_leave_out("the package with pkg-config (not found)")
endif()
set(WARPGUARD_CPM "" CACHE FILEPATH "CPM.cmake; without it, the package is not tested with CPM")
if(NOT WARPGUARD_CPM)
  warpguard_leave_out("the package with CPM (WARPGUARD_CPM is not set)")
endif()

set(architecture "")
if(WARPGUARD_HAS_CUDA)
  list(GET CMAKE_CUDA_ARCHITECTURES 0 architecture)
  string(REGEX REPLACE "-.*" "" architecture "${architecture}")
endif()

# Adds a test that gets what all of these scripts need.
function(warpguard_package_test name script)
  warpguard_script_test(${name} package/${script} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
    -DWORK=${CMAKE_CURRENT_BINARY_DIR}/package/${script} -DVERSION=${PROJECT_VERSION} -DCXX=${CMAKE_CXX_COMPILER}
    -DNVCC=${WARPGUARD_TEST_NVCC} -DARCHITECTURE=${architecture} ${ARGN})
endfunction()

warpguard_package_test(package package.cmake "-DPKG_CONFIG=$<$<BOOL:${WARPGUARD_PKG_CONFIG}>:${WARPGUARD_PKG_CONFIG}>"
  "-DCPM=${WARPGUARD_CPM}")
warpguard_fast_tests(package)
if(WARPGUARD_TEST_NVCC)
  warpguard_package_test(package/measured measured.cmake)
endif()

# The downloads: git gets what the test makes of the installed headers.
find_package(Git QUIET)
set(headers "")
foreach(header boost/hana.hpp CLI/CLI.hpp fmt/format.h nlohmann/json.hpp doctest/doctest.h)
  string(MAKE_C_IDENTIFIER "WARPGUARD_FOLDER_OF_${header}" folder)
  find_path(${folder} ${header})
  mark_as_advanced(${folder})
  list(APPEND headers ${${folder}})
endforeach()
if(GIT_EXECUTABLE AND NOT headers MATCHES "NOTFOUND")
  list(REMOVE_DUPLICATES headers)
  warpguard_package_test(package/fetched fetched.cmake -DGIT=${GIT_EXECUTABLE} "-DHEADERS=${headers}")
else()
  warpguard_leave_out("the download of libraries (needs git, and the libraries installed)")
endif()
