# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DWORK=<folder> -P fetch_cuda.cmake
# Without a network the build goes on without CUDA, after one line that says why. A toolkit that is there is not fetched
# again. The download itself is tried by hand: tests need no network.

cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/fetch.cmake "include(${ROOT}/cmake/WarpguardFetchCuda.cmake)
warpguard_fetch_cuda(${WORK}/cuda nvcc)
message(STATUS \"nvcc: <\${nvcc}>\")\n")

function(fetch)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PIP_NO_INDEX=1 PIP_FIND_LINKS= PIP_CONFIG_FILE=/dev/null ${ARGN}
      ${CMAKE_COMMAND} -P ${WORK}/fetch.cmake
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "fetching stops the build:\n${output}")
  endif()
  string(REGEX MATCHALL "warpguard: [^\n]*" lines "${output}")
  set(lines "${lines}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

foreach(reason "PATH=/nowhere" "HOME=/nowhere")  # without python3, and without a network
  fetch(${reason})
  list(LENGTH lines count)
  set(wanted "downloading CUDA 13.0 \\(105 MB, .*;warpguard: CUDA is not downloaded \\(.+\\): going on without it")
  if(NOT count EQUAL 2 OR NOT lines MATCHES "${wanted}" OR NOT output MATCHES "nvcc: <>" OR
      EXISTS ${WORK}/cuda OR EXISTS ${WORK}/cuda.part)
    message(FATAL_ERROR "${reason}: not two lines, or something is left behind:\n${output}")
  endif()
endforeach()

file(WRITE ${WORK}/cuda/bin/nvcc "")
fetch()
if(lines OR NOT output MATCHES "nvcc: <${WORK}/cuda/bin/nvcc>")
  message(FATAL_ERROR "the toolkit that is there is not used:\n${output}")
endif()
