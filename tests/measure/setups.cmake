# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DGENERATOR=... -DSOURCE=<setups/> -DWARPGUARD=<its source> -DWORK=<folder> -DCXX=... -DNVCC=... -P setups.cmake
# Targets of several kinds, in a build that existed before it was measured; what is done again, and when; what heals
# after somebody deletes a file of the build.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/launcher "#!/bin/sh\necho \"$1\" >> '${WORK}/launched'\nshift\nexec \"$@\"\n")
file(CHMOD ${WORK}/launcher PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
# What is changed is a copy.
file(COPY ${SOURCE} DESTINATION ${WORK})
get_filename_component(name ${SOURCE} NAME)
set(source ${WORK}/${name})
set(build ${WORK}/build)
set(configs Release)
if(GENERATOR MATCHES "Multi")
  set(configs Debug Release)
endif()
macro(configure)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${source} -B ${build} -DCMAKE_CXX_COMPILER=${CXX} -DWARPGUARD=${WARPGUARD}
    -DCMAKE_CUDA_COMPILER=${NVCC} -DLAUNCHER=${WORK}/launcher -DLOCKS=${WORK}/locks -DWARPGUARD_CUDA=OFF ${ARGN})
endmacro()
macro(build)
  run(${CMAKE_COMMAND} --build ${build} --config ${config} -j 2 ${ARGN})
endmacro()
macro(must_be_idle what)
  build()
  must_pass("${what}, built again")
  must_not_say("${what}, built again" "${any_step}")
endmacro()

# Compiled before it is measured: every object is compiled once more.
configure(-DMEASURE=OFF)
must_pass("configuring")
set(config Release)
build(--target mixed)
must_pass("a build that is not measured")
configure(-DMEASURE=ON)
must_pass("configuring what is measured")

foreach(config IN LISTS configs)
  build(--target mixed_warpguard_check)
  must_fail("${config}, a lock that is not there" "there is no such lock")
  build(--target mixed_warpguard_update)
  must_pass("${config}, recording the lock")
  build()
  must_pass("${config}")
  must_not_say("${config}" "ptxas info|stack frame|Measuring the kernels of mixed")
  must_be_idle("${config}")
endforeach()
if(NOT EXISTS ${WORK}/locks/reports${config}/mixed.md AND NOT EXISTS ${WORK}/locks/reports/mixed.md)
  message(SEND_ERROR "there is no report")
endif()
file(STRINGS ${WORK}/launched launched)
list(REMOVE_DUPLICATES launched)
list(SORT launched)
if(NOT launched STREQUAL "build;own")
  message(SEND_ERROR "the targets' own launchers are not called: ${launched}")
endif()

# A lock that was not there when CMake configured, and is changed.
file(GLOB locks ${WORK}/locks/mixed*.lock)
foreach(lock IN LISTS locks)
  file(READ ${lock} text)
  string(REGEX REPLACE "registers=[0-9]+" "registers=1" worse "${text}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1)
  file(WRITE ${lock} "${worse}")
endforeach()
build()
must_fail("a changed lock" "WORSE kernel(char*) sm_80: registers 1 -> ")
foreach(lock IN LISTS locks)
  file(WRITE ${lock} "${text}")
endforeach()
build()
must_pass("the lock as it was")

# A kernel that is compiled again and needs what it needed: nothing that includes its numbers is.
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1)
file(APPEND ${source}/kernel.cu "// changed\n")
build()
must_pass("a changed kernel")
must_say("a changed kernel" "Measuring the kernels of mixed")
must_not_say("a changed kernel" "Building CXX|Listing")
must_be_idle("a changed kernel")

# CMake once more.
file(APPEND ${source}/CMakeLists.txt "# changed\n")
must_be_idle("a changed CMakeLists.txt")

# A text that somebody deleted: said, and made again.
file(GLOB_RECURSE texts ${build}/kernel.cu.o.ptxas)
list(FILTER texts INCLUDE REGEX "mixed\\.dir/(Release/)?kernel")
file(REMOVE ${texts})
build()
must_fail("a deleted text" "has no text of ptxas: build again")
build()
must_pass("after a deleted text")
must_be_idle("after a deleted text")

build(--target clean)
must_pass("cleaning")
file(GLOB_RECURSE texts ${build}/*.ptxas)
list(FILTER texts EXCLUDE REGEX "/Debug/")
if(texts)
  message(SEND_ERROR "cleaning leaves ${texts}")
endif()
if(NOT GENERATOR STREQUAL "Unix Makefiles")
  return()
endif()

# What cannot be measured is said by CMake, or, where CMake cannot know, by the build.
foreach(refused "interface;this target compiles no kernels itself (it is IMPORTED, or a INTERFACE_LIBRARY)"
    "twice;mixed is measured already" "ptx;with CUDA_PTX_COMPILATION no ptxas sees the kernels"
    "unknown;there is no such target" "nothing;neither CHECKS nor a LOCK" "word;what is REPORTS;b?")
  list(POP_FRONT refused which)
  configure(-DREFUSED=${which})
  must_fail("${which}" "warpguard_measure(")
  string(REPLACE "\n" " " said "${said}")  # CMake wraps lines
  string(REGEX REPLACE " +" " " said "${said}")
  string(FIND "${said}" "${refused}" at)
  if(at LESS 0)
    message(SEND_ERROR "${which}: does not say `${refused}` but:\n${said}")
  endif()
endforeach()
configure("-DREFUSED=no kernels")
must_pass("no kernels")
build(--target no_kernels_warpguard_check)
must_fail("no kernels" "no object of no_kernels is of CUDA code that ptxas compiles")
