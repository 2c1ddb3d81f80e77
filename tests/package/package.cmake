# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DBUILD=<warpguard's build> -DSOURCE=<repository> -DWORK=<folder> -DVERSION=... -DCXX=... [-DCLANGXX=...]
#   [-DPKG_CONFIG=...] [-DCPM=<CPM.cmake>] -P package.cmake
# Builds the consumer in this folder with warpguard got in each way: installed, for CMake, pkg-config and a plain
# compiler; and from its sources, with add_subdirectory, FetchContent and CPM. All folders have names that scripts and
# build systems easily get wrong.

cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK}")
set(plain "${WORK}")
set(fetched "${WORK}/ä ö+")
set(WORK "${fetched}/[x]")
file(MAKE_DIRECTORY "${WORK}")
file(COPY "${SOURCE}/tests/package/" DESTINATION "${WORK}/consumer")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed")

# Moved, because a package must not depend on where it was installed.
file(RENAME "${WORK}/installed" "${WORK}/moved")
foreach(file man/man1/warpguard.1 bash-completion/completions/warpguard zsh/site-functions/_warpguard
    fish/vendor_completions.d/warpguard.fish pkgconfig/warpguard.pc
    warpguard/warpguard.mk warpguard/warpguard.ini warpguard/warpguard.bzl warpguard/warpguard_setup.py)
  if(NOT EXISTS "${WORK}/moved/share/${file}")
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()

# ---- Installed -------------------------------------------------------------------------------------------------------

set(found -DWAY=find_package "-DCMAKE_PREFIX_PATH=${WORK}/moved" -DWARPGUARD_VERSION=${VERSION})
build_consumer("${WORK}" find_package ${found})
run("${CMAKE_COMMAND}" --build "${WORK}/find_package" --target run_program)
expect("warpguard ${VERSION}\n" "${output}")

# Another minor version is not found, and neither is a component that does not exist.
foreach(wrong 0.2 9 "${VERSION} COMPONENTS nothing")
  file(WRITE "${WORK}/wrong/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)\nproject(wrong LANGUAGES CXX)\n\
find_package(warpguard ${wrong} REQUIRED)\n")
  run_failing("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/wrong" -B "${WORK}/wrong/build"
    "-DCMAKE_PREFIX_PATH=${WORK}/moved" "-DCMAKE_CXX_COMPILER=${CXX}")
endforeach()

# Without Boost, everything but warpguard.hpp and hana.hpp can be used.
file(WRITE "${WORK}/no_boost/plain.cpp" "#include <warpguard/contract.hpp>\n")
file(WRITE "${WORK}/no_boost/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)\nproject(plain LANGUAGES CXX)\n\
find_package(warpguard ${VERSION} REQUIRED COMPONENTS \${COMPONENT})\nadd_library(plain OBJECT plain.cpp)\n\
target_link_libraries(plain PRIVATE warpguard::warpguard)\n")
set(no_boost "${CMAKE_COMMAND}" -G Ninja -S "${WORK}/no_boost" -B "${WORK}/no_boost/build"
  "-DCMAKE_PREFIX_PATH=${WORK}/moved" -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON "-DCMAKE_CXX_COMPILER=${CXX}")
run(${no_boost})
expect("LEFT OUT: warpguard.hpp and hana.hpp, which need Boost" "${output}")
run("${CMAKE_COMMAND}" --build "${WORK}/no_boost/build")
run_failing(${no_boost} -DCOMPONENT=hana)
expect("warpguard.hpp and hana.hpp need Boost 1.70: install libboost-dev" "${output}")

# The same with a toolchain file for another processor, whose packages are looked for in its own folder only.
if(CLANGXX)
  file(WRITE "${WORK}/toolchain.cmake" "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR aarch64)\n\
set(CMAKE_CXX_COMPILER \"${CLANGXX}\")\nset(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)\n\
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\nset(CMAKE_FIND_ROOT_PATH \"${WORK}/moved\")\n\
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)\nset(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)\n")
  run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/no_boost" -B "${WORK}/cross"
    "-DCMAKE_TOOLCHAIN_FILE=${WORK}/toolchain.cmake")
  expect("LEFT OUT: warpguard.hpp and hana.hpp, which need Boost" "${output}")
  run("${CMAKE_COMMAND}" --build "${WORK}/cross")
endif()

if(PKG_CONFIG)
  # Not all versions of pkg-config quote a space in the folder of a package.
  file(CREATE_LINK "${WORK}/moved" "${plain}/moved" SYMBOLIC)
  set(ENV{PKG_CONFIG_PATH} "${plain}/moved/share/pkgconfig")
  build_consumer("${WORK}" pkg-config -DWAY=pkg-config -DWARPGUARD_VERSION=${VERSION})
  run("${PKG_CONFIG}" --modversion warpguard)
  expect("^${VERSION}\n$" "${output}")
  run("${PKG_CONFIG}" --variable=program warpguard)
  string(STRIP "${output}" program)
  run("${program}" --version)
  expect("^warpguard ${VERSION}\n" "${output}")
endif()

run("${CXX}" -std=c++17 -DWARPGUARD_TARGETS=750,900 "-I${WORK}/moved/include" "${WORK}/consumer/consumer.cpp"
  -o "${WORK}/plain")
run("${WORK}/plain")

# ---- From the sources ------------------------------------------------------------------------------------------------

file(CREATE_LINK "${SOURCE}" "${WORK}/sources" SYMBOLIC)
build_consumer("${WORK}" add_subdirectory -DWAY=add_subdirectory "-DWARPGUARD_SOURCE=${WORK}/sources")
build_consumer("${WORK}" exported -DWAY=add_subdirectory "-DWARPGUARD_SOURCE=${WORK}/sources" -DWARPGUARD_INSTALL=ON)
run("${CMAKE_COMMAND}" --install "${WORK}/exported" --prefix "${WORK}/exported_to")
if(NOT EXISTS "${WORK}/exported_to/share/cmake/warpguard/warpguardConfig.cmake")
  message(FATAL_ERROR "warpguard is not installed together with the library that needs it")
endif()
# FetchContent itself fails in a folder with [ in its name.
file(CREATE_LINK "${SOURCE}" "${fetched}/sources" SYMBOLIC)
file(COPY "${WORK}/consumer/" DESTINATION "${fetched}/consumer")
build_consumer("${fetched}" FetchContent -DWAY=FetchContent "-DWARPGUARD_SOURCE=${fetched}/sources")
if(CPM)
  build_consumer("${fetched}" CPM -DWAY=CPM "-DCPM=${CPM}" "-DWARPGUARD_SOURCE=${fetched}/sources")
endif()
