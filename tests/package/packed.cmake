# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DBUILD=<warpguard's build> -DSOURCE=<repository> -DWORK=<folder> -DVERSION=... -DCXX=... -DCPACK=... -DDPKG=...
#   -P packed.cmake
# Makes the Debian packages and the archive, unpacks each, and builds the consumer with what was in it.

cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK}")
file(COPY "${SOURCE}/tests/package/" DESTINATION "${WORK}/consumer")
foreach(generator DEB TGZ)
  run("${CPACK}" --config "${BUILD}/CPackConfig.cmake" -G ${generator} -B "${WORK}/packages")
endforeach()

# Builds the consumer with the package that is unpacked in a folder, and runs the packed program.
function(use name folder)
  build_consumer("${WORK}" ${name} -DWAY=find_package "-DCMAKE_PREFIX_PATH=${folder}" -DWARPGUARD_VERSION=${VERSION})
  run("${CMAKE_COMMAND}" --build "${WORK}/${name}" --target run_program)
  expect("warpguard ${VERSION}\n" "${output}")
endfunction()

file(GLOB headers "${WORK}/packages/libwarpguard-dev_${VERSION}_all.deb")
file(GLOB program "${WORK}/packages/warpguard_${VERSION}_*.deb")
foreach(package headers program)
  run("${DPKG}" -f "${${package}}" Depends)
  set(${package}_needs "${output}")
  run("${DPKG}" -x "${${package}}" "${WORK}/debian")
  if(package STREQUAL "headers" AND EXISTS "${WORK}/debian/usr/bin")
    message(FATAL_ERROR "the package for all machines has a program")
  endif()
endforeach()
expect("libboost-dev \\(>= 1.70\\)" "${headers_needs}")
expect("libc6 " "${program_needs}")
use(with_debian "${WORK}/debian/usr")

file(ARCHIVE_EXTRACT INPUT "${WORK}/packages/warpguard-${VERSION}-Linux.tar.gz" DESTINATION "${WORK}/archive")
use(with_archive "${WORK}/archive/warpguard-${VERSION}-Linux")
