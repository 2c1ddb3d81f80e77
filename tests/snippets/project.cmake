# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROJECT=find_package -DSOURCE=<repository> -DBUILD=<its build> -DWORK=<folder> -DCXX=... -DNVCC=... -P project.cmake
# Builds a CMakeLists.txt from the documents as a reader would: beside the source that it names, warpguard installed, or in
# third_party/ where it is fetched from there.

cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed with ${status}:\n${said}")
  endif()
endfunction()

set(snippets ${SOURCE}/tests/snippets)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/project)
configure_file(${snippets}/${PROJECT}.cmake ${WORK}/project/CMakeLists.txt COPYONLY)
foreach(source transpose.cu plain.cpp)
  configure_file(${snippets}/${source} ${WORK}/project/${source} COPYONLY)
endforeach()
foreach(source device.hpp saxpy/saxpy.cu saxpy/saxpy_contract.hpp saxpy/saxpy_measured.cpp)
  string(REPLACE "saxpy/" "project/" copy ${source})
  configure_file(${SOURCE}/examples/${source} ${WORK}/${copy} COPYONLY)
endforeach()

set(found "")
if(PROJECT STREQUAL "fetch_content")
  file(MAKE_DIRECTORY ${WORK}/project/third_party)
  file(CREATE_LINK ${SOURCE} ${WORK}/project/third_party/warpguard SYMBOLIC)
else()
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
  set(found -DCMAKE_PREFIX_PATH=${WORK}/installed)
endif()

set(compilers -DCMAKE_CXX_COMPILER=${CXX})
if(NVCC)
  list(APPEND compilers -DCMAKE_CUDA_COMPILER=${NVCC})
endif()
# CMake examined these compilers when it configured BUILD. To examine them again would take as long as the compilation; a
# CMake without this variable does so.
set(examined ${BUILD}/CMakeFiles/${CMAKE_VERSION})
if(EXISTS ${examined})
  file(COPY ${examined} DESTINATION ${WORK}/build/CMakeFiles)
  list(APPEND compilers -DCMAKE_PLATFORM_INFO_INITIALIZED=1)
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${WORK}/project -B ${WORK}/build ${compilers} ${found})
if(PROJECT STREQUAL "measure")
  run(${CMAKE_COMMAND} --build ${WORK}/build --target saxpy_warpguard_update)
endif()
run(${CMAKE_COMMAND} --build ${WORK}/build)
if(PROJECT STREQUAL "measure")
  run(${CMAKE_COMMAND} --build ${WORK}/build --target warpguard_check)
endif()
