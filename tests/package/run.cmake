# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# What the tests of packages have in common. Uses CXX, NVCC and ARCHITECTURE.

# Runs a command, which must succeed. Sets `output`.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Runs a command, which must fail. Sets `output`, in which every line break is a space, because CMake breaks long lines.
function(run_failing)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nsucceeded:\n${output}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect pattern text)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "not found: ${pattern}\nin:\n${text}")
  endif()
endfunction()

# Configures <folder>/consumer in <folder>/<name>, builds it and runs its program.
function(build_consumer folder name)
  run("${CMAKE_COMMAND}" -G Ninja -S "${folder}/consumer" -B "${folder}/${name}" "-DCMAKE_CXX_COMPILER=${CXX}" ${ARGN})
  run("${CMAKE_COMMAND}" --build "${folder}/${name}")
  run("${folder}/${name}/consumer")
endfunction()

# Makes the kernel take most of the shared memory of an SM.
function(make_worse kernel)
  file(READ "${kernel}" text)
  string(REPLACE "float factor) {\n  values[" "float factor) {\n  __shared__ float tile[12000];\n\
  tile[threadIdx.x] = factor;\n  __syncthreads();\n  values[tile[255 - threadIdx.x] < 0 ? 0 : " worse "${text}")
  if(worse STREQUAL text)
    message(FATAL_ERROR "the text of the kernel has changed")
  endif()
  file(WRITE "${kernel}" "${worse}")
endfunction()

# The same as build_consumer() with a kernel, which is measured, recorded and checked. The check must fail when the
# kernel gets worse.
function(measure_consumer folder name)
  build_consumer("${folder}" ${name} "-DNVCC=${NVCC}" -DARCHITECTURE=${ARCHITECTURE} ${ARGN})
  run("${CMAKE_COMMAND}" --build "${folder}/${name}" --target kernels_warpguard_update)
  run("${CMAKE_COMMAND}" --build "${folder}/${name}" --target warpguard_check)
  set(kernel "${folder}/consumer/kernel.cu")
  file(READ "${kernel}" text)
  make_worse("${kernel}")
  run_failing("${CMAKE_COMMAND}" --build "${folder}/${name}" --target warpguard_check)
  expect("WORSE scale.* sm_${ARCHITECTURE}: blocks" "${output}")
  file(WRITE "${kernel}" "${text}")
endfunction()
