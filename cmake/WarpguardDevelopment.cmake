# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Settings for warpguard's own examples and tests, which its users do not inherit: a build type, warnings, and CUDA if
# there is a toolkit. Sets WARPGUARD_HAS_CUDA, and WARPGUARD_TARGET_LIST for C++ files that check contracts.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

# Collects what the build leaves out, and prints it when CMake has configured everything.
function(warpguard_leave_out what)
  set_property(GLOBAL APPEND PROPERTY warpguard_left_out "${what}")
endfunction()
function(warpguard_print_left_out)
  get_property(left_out GLOBAL PROPERTY warpguard_left_out)
  foreach(what IN LISTS left_out)
    message(STATUS "warpguard: LEFT OUT: ${what}")
  endforeach()
endfunction()

# The architectures of the examples, and of every C++ file that checks contracts.
set(WARPGUARD_ARCHITECTURES 75 80 86 89 90 100 120)
list(TRANSFORM WARPGUARD_ARCHITECTURES APPEND 0 OUTPUT_VARIABLE WARPGUARD_TARGET_LIST)
list(JOIN WARPGUARD_TARGET_LIST "," WARPGUARD_TARGET_LIST)

add_library(warpguard_warnings INTERFACE)
target_compile_options(warpguard_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Werror>
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings -Xcompiler=-Wall,-Wextra,-Wconversion -Xptxas=-Werror>")

option(WARPGUARD_CUDA "Build what needs nvcc, if there is one" ON)
set(WARPGUARD_HAS_CUDA OFF)
if(WARPGUARD_CUDA)
  find_program(WARPGUARD_NVCC nvcc HINTS ENV CUDACXX PATHS /usr/local/cuda/bin)
endif()
if(WARPGUARD_NVCC)
  # Only the architectures that this toolkit can compile for.
  execute_process(COMMAND ${WARPGUARD_NVCC} --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET)
  set(buildable "")
  foreach(architecture IN LISTS WARPGUARD_ARCHITECTURES)
    if(known MATCHES "sm_${architecture}([^0-9a-z]|$)")
      list(APPEND buildable ${architecture}-real)
    else()
      warpguard_leave_out("sm_${architecture}: ${WARPGUARD_NVCC} does not know it")
    endif()
  endforeach()
  if(buildable)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES ${buildable})
    endif()
    if(NOT CMAKE_CUDA_COMPILER)
      set(CMAKE_CUDA_COMPILER ${WARPGUARD_NVCC})
    endif()
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_EXTENSIONS OFF)
    find_package(CUDAToolkit QUIET)
    set(WARPGUARD_HAS_CUDA ON)
  endif()
endif()
if(NOT WARPGUARD_HAS_CUDA)
  warpguard_leave_out("everything that needs nvcc (no CUDA toolkit found, or WARPGUARD_CUDA is off)")
endif()
