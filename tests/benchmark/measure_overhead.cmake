# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DWARPGUARD=<its source> -DCXX=... -DNVCC=... -DWORK=<folder> [-DROUNDS=3] -P measure_overhead.cmake
# Prints how much time warpguard_measure() adds to a clean build of ten kernels for 4 architectures each. Every
# kind of build runs once per round, so that a slow phase of the machine affects all of them; the medians of ROUNDS
# rounds are printed.

cmake_minimum_required(VERSION 3.22)

if(NOT ROUNDS)
  set(ROUNDS 3)
endif()
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/contract.hpp "#include <warpguard/warpguard.hpp>
struct contract : warpguard::contract<warpguard::threads_per_block<64>, warpguard::max_registers<64>> {};
")
file(WRITE ${WORK}/checks.cpp "#include \"contract.hpp\"\n#include \"kernels.measured.hpp\"
namespace wg = warpguard;
")
set(sources "")
foreach(kernel RANGE 1 10)
  list(APPEND sources ${kernel}.cu)
  file(WRITE ${WORK}/${kernel}.cu "#include \"contract.hpp\"
__global__ void WARPGUARD_LAUNCH_BOUNDS(contract) kernel_${kernel}(float* x) {
  float a[${kernel}];
  for (int i = 0; i < ${kernel}; ++i) a[i] = x[i * 64 + threadIdx.x];
  for (int i = 0; i < ${kernel}; ++i) x[i * 64 + threadIdx.x] = a[${kernel} - 1 - i] * a[i];
}
")
  file(APPEND ${WORK}/checks.cpp
    "static_assert(wg::measured_guarantee<contract, wg::measured::kernels::kernel_${kernel}>);\n")
endforeach()
list(JOIN sources " " sources)
file(WRITE ${WORK}/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)
project(overhead LANGUAGES CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 80-real 86-real 90-real 100-real)
add_subdirectory(${WARPGUARD} warpguard EXCLUDE_FROM_ALL)
add_library(kernels STATIC ${sources})
target_link_libraries(kernels PRIVATE warpguard::warpguard)
if(MEASURE)
  warpguard_measure(kernels CHECKS checks.cpp LOCK ${WORK}/kernels.lock)
endif()
")

foreach(how without with)
  set(measure OFF)
  if(how STREQUAL "with")
    set(measure ON)
  endif()
  string(TIMESTAMP before "%s%f")
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${WORK} -B ${WORK}/${how} -DMEASURE=${measure}
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${NVCC} -DWARPGUARD_CUDA=OFF
      -DWARPGUARD_CHECK_ALL=ON
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "configuring failed:\n${output}")
  endif()
  string(TIMESTAMP after "%s%f")
  math(EXPR configured_${how} "(${after} - ${before}) / 1000")
endforeach()

# Builds the target. Sets `milliseconds`.
function(build folder target)
  string(TIMESTAMP before "%s%f")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/${folder} --target ${target}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(TIMESTAMP after "%s%f")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "building ${target} ${folder} measuring failed:\n${output}")
  endif()
  math(EXPR milliseconds "(${after} - ${before}) / 1000")
  set(milliseconds ${milliseconds} PARENT_SCOPE)
endfunction()

build(with kernels_warpguard_update)
foreach(round RANGE 1 ${ROUNDS})
  foreach(kind "without;kernels" "with;kernels" "with;all")
    list(GET kind 0 folder)
    list(GET kind 1 target)
    build(${folder} clean)
    if(folder STREQUAL "with")
      build(${folder} warpguard_program)  # compiled once per build tree, so it is a line of its own
      list(APPEND times_program ${milliseconds})
    endif()
    build(${folder} ${target})
    list(APPEND times_${folder}_${target} ${milliseconds})
  endforeach()
  build(with all)
  list(APPEND times_idle_with ${milliseconds})
  build(without all)
  list(APPEND times_idle_without ${milliseconds})
endforeach()

function(print_median what times base)
  list(SORT times COMPARE NATURAL)
  list(LENGTH times count)
  math(EXPR middle "${count} / 2")
  list(GET times ${middle} median)
  list(GET times 0 min)
  list(GET times -1 max)
  set(more "")
  if(base)
    math(EXPR per_mille "(${median} - ${base}) * 1000 / ${base}")
    set(more ", ${per_mille} per mille more")
  endif()
  message("${what}: ${median} ms (${min} to ${max})${more}")
  set(median ${median} PARENT_SCOPE)
endfunction()
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
message("ten kernels on 4 architectures, clean builds, median of ${ROUNDS}, ${cores} cores")
print_median("  not measured" "${times_without_kernels}" "")
set(base ${median})
print_median("  measured, the kernels alone" "${times_with_kernels}" ${base})
print_median("  measured, with CHECKS and a lock" "${times_with_all}" ${base})
print_median("the program, once per build tree" "${times_program}" "")
print_median("nothing changed, not measured" "${times_idle_without}" "")
print_median("nothing changed, measured" "${times_idle_with}" "")
message("configuring from scratch: ${configured_without} ms, measured ${configured_with} ms")
