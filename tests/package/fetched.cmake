# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DSOURCE=<repository> -DWORK=<folder> -DCXX=... -DGIT=<git> "-DHEADERS=<include folder>;..." -P fetched.cmake
# warpguard downloads the libraries that are not installed. Here git gets them from local repositories. They are made of
# the installed headers, and take the place of those on GitHub. Then nothing can be downloaded.

cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK}")
set(ENV{GIT_CONFIG_GLOBAL} /dev/null)

# Makes a repository that has a tag and the headers that match a pattern, in a folder of it.
function(repository path tag folder)
  set(repository "${WORK}/served/${path}.git")
  foreach(pattern IN LISTS ARGN)
    set(found "")
    foreach(headers IN LISTS HEADERS)
      file(GLOB more "${headers}/${pattern}")
      list(APPEND found ${more})
    endforeach()
    if(NOT found)
      message(FATAL_ERROR "no headers ${pattern} in ${HEADERS}")
    endif()
    get_filename_component(inner "${pattern}" DIRECTORY)
    file(COPY ${found} DESTINATION "${repository}/${folder}/${inner}")
  endforeach()
  set(git "${GIT}" -C "${repository}" -c user.name=test -c user.email=test@example.org)
  run(${git} init --quiet)
  run(${git} add .)
  run(${git} commit --quiet --message headers)
  run(${git} tag ${tag})
endfunction()
repository(boostorg/hana boost-1.86.0 include boost/hana boost/hana.hpp)
repository(CLIUtils/CLI11 v2.1.2 include CLI)
repository(fmtlib/fmt 9.1.0 include fmt)
repository(nlohmann/json v3.11.2 include nlohmann)
repository(doctest/doctest v2.4.11 . doctest)

set(ENV{GIT_CONFIG_COUNT} 1)
set(ENV{GIT_CONFIG_KEY_0} "url.file://${WORK}/served/.insteadOf")
set(ENV{GIT_CONFIG_VALUE_0} https://github.com/)

# ---- All are downloaded ----------------------------------------------------------------------------------------------

set(configure "${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" "-DCMAKE_CXX_COMPILER=${CXX}" -DWARPGUARD_CUDA=OFF
  -DWARPGUARD_FETCH_DEPENDENCIES=ON)
run(${configure} -B "${WORK}/build")
# A file that includes each library is compiled with the downloaded headers. Hana's is really compiled.
set(program warpguard-program/CMakeFiles/warpguard_program.dir/main.cpp.o)
set(hana tests/CMakeFiles/warpguard_alone.dir/alone/warpguard_hana_hpp.cpp.o)
foreach(use "hana/include boost/hana.hpp ${hana}" "cli11/include CLI/CLI.hpp ${program}"
    "fmt/include fmt/format.h ${program}" "json/include nlohmann/json.hpp ${program}"
    "doctest/. doctest/doctest.h tests/CMakeFiles/warpguard_tests.dir/main.cpp.o")
  string(REGEX MATCH "^([a-z0-9]*)/([^ ]*) ([^ ]*) ([^ ]*)$" _ "${use}")
  set(folder "${WORK}/build/_deps/warpguard_${CMAKE_MATCH_1}-src/${CMAKE_MATCH_2}")
  set(header "${folder}/${CMAKE_MATCH_3}")
  if(NOT EXISTS "${header}")
    message(FATAL_ERROR "not downloaded: ${header}")
  endif()
  run(ninja -C "${WORK}/build" -t commands "${CMAKE_MATCH_4}")
  string(FIND "${output}" "-isystem ${folder}" at)
  if(at LESS 0)
    message(FATAL_ERROR "not compiled with ${folder}:\n${output}")
  endif()
endforeach()
run(ninja -C "${WORK}/build" "${hana}")
run(ninja -C "${WORK}/build" -t deps "${hana}")
expect("_deps/warpguard_hana-src/include/boost/hana" "${output}")

# A second configuration downloads nothing.
set(ENV{GIT_CONFIG_KEY_0} "url.file://${WORK}/nothing/.insteadOf")
run(${configure} -B "${WORK}/build")

# ---- Nothing can be downloaded ---------------------------------------------------------------------------------------

run_failing(${configure} -B "${WORK}/failing")
expect("apt-get install libboost-dev doctest-dev libcli11-dev libfmt-dev nlohmann-json3-dev" "${output}")
expect("Boost 1.70: no download of boost-1.86.0 from https://github.com/boostorg/hana.git" "${output}")
string(REGEX MATCHALL "CMake Error" errors "${output}")
if(NOT errors STREQUAL "CMake Error")
  message(FATAL_ERROR "more than one error:\n${output}")
endif()

# The folder that the error suggests, and a contract in a project with neither Boost nor a network.
run(${configure} -B "${WORK}/named" -DWARPGUARD_BUILD_TESTS=OFF -DWARPGUARD_BUILD_PROGRAM=OFF
  "-DFETCHCONTENT_SOURCE_DIR_WARPGUARD_HANA=${WORK}/served/boostorg/hana.git")
file(WRITE "${WORK}/plain/plain.cpp" "#include <warpguard/contract.hpp>\n")
file(WRITE "${WORK}/plain/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)\nproject(plain LANGUAGES CXX)\n\
add_subdirectory(\"${SOURCE}\" warpguard)\nadd_library(plain OBJECT plain.cpp)\n\
target_link_libraries(plain PRIVATE warpguard::warpguard)\n")
run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/plain" -B "${WORK}/plain/build" "-DCMAKE_CXX_COMPILER=${CXX}"
  -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
expect("LEFT OUT: warpguard.hpp and hana.hpp, which need Boost" "${output}")
expect("Boost 1.70: not installed, and no download of" "${output}")
run("${CMAKE_COMMAND}" --build "${WORK}/plain/build")
