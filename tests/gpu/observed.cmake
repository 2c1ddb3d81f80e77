# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DEXAMPLE=<folder of an example> -DOUT=<folder> -P observed.cmake
# Copies the .cu and .cuh files of an example. Each kernel gets a warp_observation (observed.cuh) as its first line.

cmake_minimum_required(VERSION 3.22)

set(observation "gpu_test::warp_observation const observation;")
set(kernels 0)
file(GLOB sources ${EXAMPLE}/*.cu ${EXAMPLE}/*.cuh)
foreach(source IN LISTS sources)
  file(READ ${source} text)
  string(REGEX REPLACE "(__global__[^;{]*{)" "\\1\n  ${observation}" copy "${text}")
  # Each __global__ is that of a kernel's definition, or the script would not observe a kernel.
  string(REGEX MATCHALL "__global__" kernels_here "${text}")
  string(REGEX MATCHALL "warp_observation const observation" observed_here "${copy}")
  list(LENGTH kernels_here kernels_here)
  list(LENGTH observed_here observed_here)
  if(NOT kernels_here EQUAL observed_here)
    message(FATAL_ERROR "${source} has ${kernels_here} __global__, of which ${observed_here} could be observed")
  endif()
  math(EXPR kernels "${kernels} + ${kernels_here}")
  get_filename_component(name ${source} NAME)
  file(WRITE ${OUT}/${name} "${copy}")
endforeach()
if(kernels EQUAL 0)
  message(FATAL_ERROR "${EXAMPLE} has no kernel")
endif()
