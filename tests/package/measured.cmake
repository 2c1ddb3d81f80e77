# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DBUILD=<warpguard's build> -DSOURCE=<repository> -DWORK=<folder> -DVERSION=... -DCXX=... -DNVCC=...
#   -DARCHITECTURE=... -P measured.cmake
# The consumer measures a kernel with an installed warpguard. All folders have names that are easily got wrong.

cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK}")
set(WORK "${WORK}/ä ö+[x]")
file(COPY "${SOURCE}/tests/package/" DESTINATION "${WORK}/consumer")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed")
set(found -DWAY=find_package "-DCMAKE_PREFIX_PATH=${WORK}/installed" -DWARPGUARD_VERSION=${VERSION})
measure_consumer("${WORK}" measured ${found})

# Only the headers, as with the Debian package libwarpguard-dev alone.
set(measuring -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}" "-DNVCC=${NVCC}" -DARCHITECTURE=${ARCHITECTURE}
  -DWAY=find_package -DWARPGUARD_VERSION=${VERSION})
run("${CMAKE_COMMAND}" --install "${BUILD}" --component headers --prefix "${WORK}/headers")
run_failing("${CMAKE_COMMAND}" -S "${WORK}/consumer" -B "${WORK}/no_program" ${measuring}
  "-DCMAKE_PREFIX_PATH=${WORK}/headers")
expect("warpguard was installed without its program" "${output}")

# nvcc loses `$d` from the name of a folder.
file(COPY "${WORK}/consumer/" DESTINATION "${WORK}/$d/consumer")
run_failing("${CMAKE_COMMAND}" -S "${WORK}/$d/consumer" -B "${WORK}/measured_dollar" ${measuring}
  "-DCMAKE_PREFIX_PATH=${WORK}/installed")
expect("warpguard_measure: nvcc does not find files in a folder with `\\$` in its name" "${output}")
# Without kernels such a folder is fine.
build_consumer("${WORK}/$d" plain ${found})
