# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DSOURCE=<repository> -DWORK=<folder> -DVERSION=... -DCXX=... -DPYTHON=... [-DNVCC=... -DARCHITECTURE=...]
#   [-DWHEEL=<file>] -P wheel.cmake
# Builds the wheel, unless one is given, installs it into a new environment of Python, and uses it as a project with
# CMake and a CUDA extension with setuptools do. Gets scikit-build-core and setuptools with pip.

cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK}")
file(COPY "${SOURCE}/tests/package/" DESTINATION "${WORK}/consumer")
set(python "${WORK}/environment/bin/python")
run("${PYTHON}" -m venv "${WORK}/environment")
if(NOT WHEEL)
  run("${python}" -m pip wheel --no-deps --wheel-dir "${WORK}/wheels" "${SOURCE}/tools/python")
  file(GLOB WHEEL "${WORK}/wheels/warpguard-${VERSION}-py3-none-*.whl")
endif()
run("${python}" -m pip install --no-deps "${WHEEL}")
run("${WORK}/environment/bin/warpguard" --version)
expect("^warpguard ${VERSION}\n" "${output}")

# Sets `result` to what a function of the Python package returns, which must be an existing path.
function(ask result function)
  run("${python}" -c "print(__import__('warpguard').${function}(), end='')")
  if(NOT EXISTS "${output}")
    message(FATAL_ERROR "warpguard.${function}() is no path: ${output}")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

ask(include get_include)
run("${CXX}" -std=c++17 -DWARPGUARD_TARGETS=750,900 "-I${include}" "${WORK}/consumer/consumer.cpp" -o "${WORK}/plain")
run("${WORK}/plain")
ask(cmake get_cmake_dir)
set(found -DWAY=find_package "-Dwarpguard_DIR=${cmake}" -DWARPGUARD_VERSION=${VERSION})
if(NVCC)
  measure_consumer("${WORK}" found ${found})
else()
  build_consumer("${WORK}" found ${found})
endif()
run("${CMAKE_COMMAND}" --build "${WORK}/found" --target run_program)
expect("warpguard ${VERSION}\n" "${output}")

if(NVCC)
  file(COPY "${cmake}/../../warpguard/warpguard_setup.py" DESTINATION "${WORK}/consumer")
  run("${python}" -m pip install setuptools wheel)
  set(ENV{PATH} "${WORK}/environment/bin:$ENV{PATH}")
  set(ENV{NVCC} "${NVCC}")
  set(ENV{ARCHITECTURE} ${ARCHITECTURE})
  set(build "${CMAKE_COMMAND}" -E chdir "${WORK}/consumer" "${python}" setup.py build_ext --force)
  run("${CMAKE_COMMAND}" -E env WARPGUARD_LOCK=update ${build})
  run(${build})
  make_worse("${WORK}/consumer/kernel.cu")
  run_failing(${build})
  expect("WORSE scale.* sm_${ARCHITECTURE}: blocks" "${output}")
endif()
