# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# The test of refusal.cmake: each file in harness/ is wrong in one way, and refusal.cmake must fail on it with the reason
# on its line `// fails: `. Takes what refusal.cmake takes, less SOURCE and STANDARD.

cmake_minimum_required(VERSION 3.21)

set(output_of_failures "")
file(GLOB sources "${CMAKE_CURRENT_LIST_DIR}/harness/*.cpp")
if(NOT sources)
  message(FATAL_ERROR "harness/ is empty")
endif()
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME)
  file(STRINGS "${source}" reason REGEX "^// fails: ")
  string(REGEX REPLACE "^// fails: " "" reason "${reason}")
  if(reason STREQUAL "")
    message(FATAL_ERROR "${name}: states no `// fails:`")
  endif()
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" "-DCOMPILER=${COMPILER}" "-DKIND=${KIND}" "-DSOURCE=${source}" "-DINCLUDES=${INCLUDES}"
      -DSTANDARD=17 "-DWORK=${WORK}" -P "${CMAKE_CURRENT_LIST_DIR}/refusal.cmake"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(status EQUAL 0)
    message(FATAL_ERROR "${name}: refusal.cmake is content, but must fail: ${reason}")
  endif()
  # CMake wraps its messages.
  string(REGEX REPLACE "[ \n]+" " " text "${output}")
  string(FIND "${text}" "${reason}" at)
  if(at LESS 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "${name}: refusal.cmake fails, but not because: ${reason}")
  endif()
endforeach()
