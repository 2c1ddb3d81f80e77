# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DPROJECT=<examples/adoption/torch> -DRECIPES=<examples/other_builds> -DWORK=<folder> -DNVCC=...
#   -DVERSION=... -DPYTHON=... -P torch.cmake
# Builds the extension before and after it has a lock, with torch/ in the place of PyTorch.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/../expectations.cmake)

file(REMOVE_RECURSE "${WORK}")
foreach(side before after)
  file(COPY "${PROJECT}/${side}/" "${PROJECT}/src" DESTINATION "${WORK}/${side}")
endforeach()
file(COPY "${RECIPES}/warpguard_setup.py" DESTINATION "${WORK}/after")
cmake_path(GET PROGRAM PARENT_PATH folder)
set(ENV{PATH} "${folder}:$ENV{PATH}")
cmake_path(GET NVCC PARENT_PATH folder)
cmake_path(GET folder PARENT_PATH toolkit)
set(ENV{CUDA_HOME} "${toolkit}")
set(ENV{PYTHONPATH} "${CMAKE_CURRENT_LIST_DIR}")
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
foreach(variable PYTORCH_NVCC WARPGUARD_LOCK NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS)
  unset(ENV{${variable}})
endforeach()

# build(<name> <before or after> <pass or fail> <part of the output>...)
function(build name side expected)
  execute_process(COMMAND ${PYTHON} setup.py build_ext WORKING_DIRECTORY "${WORK}/${side}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if((status EQUAL 0 AND expected STREQUAL "fail") OR (NOT status EQUAL 0 AND expected STREQUAL "pass"))
    message(SEND_ERROR "${name}: exit code ${status}:\n${output}")
  endif()
  foreach(part IN LISTS ARGN)
    expect_in("${name}" "${output}" "${part}")
  endforeach()
endfunction()

build("before" before pass)
if(NOT VERSION VERSION_EQUAL 13.0.88)  # that of the lock
  set(ENV{WARPGUARD_LOCK} record-anew)
  build("another compiler" after pass)
  unset(ENV{WARPGUARD_LOCK})
endif()
build("after" after pass)

file(READ "${WORK}/after/src/rms_norm.cu" text)
string(REPLACE "partial[256];" "partial[40 * 256];" text "${text}")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)  # setuptools compares times of files
file(WRITE "${WORK}/after/src/rms_norm.cu" "${text}")
build("more shared memory" after fail "WORSE rms_norm(int, float const*, float*) sm_80: blocks 8 -> "
  "run `WARPGUARD_LOCK=update python setup.py build_ext` and commit the lock")
set(ENV{WARPGUARD_LOCK} update)
build("accepting it" after pass)
unset(ENV{WARPGUARD_LOCK})
build("accepted" after pass)
