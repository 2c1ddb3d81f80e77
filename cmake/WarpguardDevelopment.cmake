# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Settings for warpguard's own examples and tests, which users do not inherit: the build type, warnings, and CUDA if
# nvcc is found. Sets WARPGUARD_HAS_CUDA, and WARPGUARD_TARGET_LIST for C++ files that check contracts.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

# Records a part that this build does not contain. warpguard_print_left_out() prints the records at the end.
function(warpguard_leave_out what)
  set_property(GLOBAL APPEND PROPERTY warpguard_left_out "${what}")
endfunction()
function(warpguard_print_left_out)
  get_property(left_out GLOBAL PROPERTY warpguard_left_out)
  foreach(what IN LISTS left_out)
    message(STATUS "warpguard: LEFT OUT: ${what}")
  endforeach()
endfunction()

# The tools that make a site of the documentation: Doxygen, and MkDocs 1.4 or later, which has hooks.
find_program(WARPGUARD_DOXYGEN doxygen)
find_program(WARPGUARD_MKDOCS mkdocs)
set(WARPGUARD_HAS_SITE OFF)
if(WARPGUARD_DOXYGEN AND WARPGUARD_MKDOCS)
  execute_process(COMMAND ${WARPGUARD_MKDOCS} --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(version MATCHES "version ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 1.4)
    set(WARPGUARD_HAS_SITE ON)
  endif()
endif()
if(NOT WARPGUARD_HAS_SITE)
  warpguard_leave_out("the target site (needs doxygen, and mkdocs 1.4 or later with mkdocs-material)")
endif()

# The architectures of the examples, and of every C++ file that checks contracts.
set(WARPGUARD_ARCHITECTURES 75 80 86 89 90 100 120)
list(TRANSFORM WARPGUARD_ARCHITECTURES APPEND 0 OUTPUT_VARIABLE WARPGUARD_TARGET_LIST)
list(JOIN WARPGUARD_TARGET_LIST "," WARPGUARD_TARGET_LIST)

add_library(warpguard_warnings INTERFACE)
target_compile_options(warpguard_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Werror>
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings -Xcompiler=-Wall,-Wextra,-Wconversion -Xptxas=-Werror>")

# What the presets `sanitize`, `threads` and `coverage` compile and link all C++ with: sanitizers, or counters of lines.
set(WARPGUARD_INSTRUMENT "" CACHE STRING "Options for compiling and linking the tests and the program")
target_compile_options(warpguard_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${WARPGUARD_INSTRUMENT}>")
target_link_options(warpguard_warnings INTERFACE "$<$<LINK_LANGUAGE:CXX>:${WARPGUARD_INSTRUMENT}>")

option(WARPGUARD_CUDA "Build the parts that need nvcc, if nvcc is found" ON)
option(WARPGUARD_FETCH_CUDA "Download CUDA from PyPI into the folder build/ if nvcc is not found" OFF)
set(WARPGUARD_HAS_CUDA OFF)
if(WARPGUARD_CUDA)
  find_program(WARPGUARD_NVCC nvcc HINTS ENV CUDACXX PATHS /usr/local/cuda/bin)
  if(NOT WARPGUARD_NVCC AND WARPGUARD_FETCH_CUDA AND PROJECT_IS_TOP_LEVEL)
    include(WarpguardFetchCuda)
    warpguard_fetch_cuda(${PROJECT_SOURCE_DIR}/build/cuda-13.0.88 fetched)
    if(fetched)
      set(WARPGUARD_NVCC ${fetched})
    endif()
  endif()
endif()
if(WARPGUARD_NVCC)
  # Compile only for architectures that this toolkit supports.
  execute_process(COMMAND ${WARPGUARD_NVCC} --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET)
  set(buildable "")
  foreach(architecture IN LISTS WARPGUARD_ARCHITECTURES)
    if(known MATCHES "sm_${architecture}([^0-9a-z]|$)")
      list(APPEND buildable ${architecture}-real)
    else()
      warpguard_leave_out("sm_${architecture} (not supported by ${WARPGUARD_NVCC})")
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
