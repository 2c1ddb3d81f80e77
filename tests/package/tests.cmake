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
  "-DCPM=${WARPGUARD_CPM}" "-DCLANGXX=${WARPGUARD_TEST_CLANGXX}")
warpguard_package_test(package/versions versions.cmake)
warpguard_fast_tests(package package/versions)
if(WARPGUARD_TEST_NVCC)
  warpguard_package_test(package/measured measured.cmake)
endif()

find_program(WARPGUARD_DPKG_DEB dpkg-deb)
if(WARPGUARD_DPKG_DEB AND WARPGUARD_DPKG_SHLIBDEPS)
  warpguard_package_test(package/packed packed.cmake -DCPACK=${CMAKE_CPACK_COMMAND} -DDPKG=${WARPGUARD_DPKG_DEB})
else()
  warpguard_leave_out("the Debian packages (dpkg-deb or dpkg-shlibdeps not found)")
endif()

# The wheel and Conan need what is only on the Python registry, so they are targets and no tests:
# cmake --build build/test --target test_wheel test_conan
find_program(WARPGUARD_PYTHON python3)
if(WARPGUARD_PYTHON)
  foreach(name wheel conan)
    add_custom_target(test_${name}
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/package/${name}
        -DVERSION=${PROJECT_VERSION} -DCXX=${CMAKE_CXX_COMPILER} -DPYTHON=${WARPGUARD_PYTHON}
        -DNVCC=${WARPGUARD_TEST_NVCC} -DARCHITECTURE=${architecture}
        -P ${CMAKE_CURRENT_SOURCE_DIR}/package/${name}.cmake
      VERBATIM)
  endforeach()
endif()
warpguard_leave_out("the wheel and the Conan package (targets test_wheel and test_conan, which need a network)")

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
