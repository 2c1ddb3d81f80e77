# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROJECT=<examples/adoption/many> -DBUILD=<build of warpguard> -DWORK=<folder> -DCXX=... -DNVCC=... -DVERSION=...
#   -DPAGE=<docs/adopting.md> -P many.cmake
# The project before it uses warpguard is built, and so is the project with a lock. Then a kernel takes more shared
# memory, which the lock must notice.

cmake_minimum_required(VERSION 3.22)

set(project ${WORK}/project)
file(REMOVE_RECURSE ${WORK})
file(COPY ${PROJECT}/ DESTINATION ${project})

macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()
macro(must_run)
  run(${ARGN})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nfailed with ${status}:\n${output}")
  endif()
endmacro()
function(must_print part)
  string(FIND "${output}" "${part}" at)
  if(at LESS 0)
    message(SEND_ERROR "expected\n  ${part}\nin\n${output}")
  endif()
endfunction()
# CMake examined these compilers when it configured BUILD, see tests/snippets/project.cmake.
macro(configure side)
  file(COPY ${BUILD}/CMakeFiles/${CMAKE_VERSION} DESTINATION ${WORK}/${side}/CMakeFiles)
  must_run(${CMAKE_COMMAND} -G Ninja -S ${project}/${side} -B ${WORK}/${side} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_CUDA_COMPILER=${NVCC} -DCMAKE_PLATFORM_INFO_INITIALIZED=1 ${ARGN})
endmacro()

configure(before)
must_run(${CMAKE_COMMAND} --build ${WORK}/before)

must_run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
configure(after -DCMAKE_PREFIX_PATH=${WORK}/installed)
set(build ${CMAKE_COMMAND} --build ${WORK}/after --target)
if(NOT VERSION VERSION_EQUAL 13.0.88)  # that of the lock
  must_run(${build} many_warpguard_record_anew)
endif()
must_run(${build} warpguard_check)

file(STRINGS ${project}/after/many.lock kernels REGEX " sm_90: ")
list(LENGTH kernels count)
if(NOT count EQUAL 318)
  message(SEND_ERROR "the lock has ${count} kernels, and docs/adopting.md says 318")
endif()

file(READ ${project}/src/sums.cu text)
string(REPLACE "partial[Threads];" "partial[16 * Threads];" changed "${text}")
if(changed STREQUAL text)
  message(FATAL_ERROR "sums.cu has no array of partial sums")
endif()
file(WRITE ${project}/src/sums.cu "${changed}")
must_run(${CMAKE_COMMAND} --build ${WORK}/after)  # a broken check stops nobody from building
run(${build} warpguard_check)
if(status EQUAL 0)
  message(SEND_ERROR "the lock did not notice the larger array:\n${output}")
endif()
file(STRINGS ${PAGE} shown REGEX "^WORSE sum<double, 256, 1>")
if(NOT shown)
  message(SEND_ERROR "${PAGE} does not show what the lock notices")
endif()
must_print("${shown}")
string(FIND "${output}" "map<" at)
if(at GREATER_EQUAL 0)
  message(SEND_ERROR "a kernel that did not change is reported:\n${output}")
endif()
must_run(${build} many_warpguard_update)
must_run(${build} warpguard_check)
