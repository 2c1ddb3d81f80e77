# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For the tests of builds without CMake: a copy of examples/other_builds, and commands in it. Expects PROGRAM, PROJECT,
# WORK, and NVCC with its VERSION.

set(project ${WORK}/project)
file(REMOVE_RECURSE "${WORK}")
file(COPY "${PROJECT}/" DESTINATION "${project}")
cmake_path(GET PROGRAM PARENT_PATH program_folder)
cmake_path(GET NVCC PARENT_PATH nvcc_folder)
set(ENV{PATH} "${program_folder}:${nvcc_folder}:$ENV{PATH}")
foreach(variable NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS MAKEFLAGS MAKELEVEL WARPGUARD_LOCK)
  unset(ENV{${variable}})
endforeach()

file(READ "${project}/kernels.lock" committed_lock)
string(FIND "${committed_lock}" "compiler nvcc ${VERSION}\n" at)
set(is_recorded_compiler TRUE)
if(at LESS 0)
  set(is_recorded_compiler FALSE)
endif()

# Runs a command in the project. Sets status and output, which has what was printed to both streams.
macro(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${project}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()

# Each takes the name of the case, and then parts that the output must have.
function(must_pass name)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${name}: exit code ${status}:\n${output}")
  endif()
  must_print("${name}" ${ARGN})
endfunction()
function(must_fail name)
  if(status EQUAL 0)
    message(SEND_ERROR "${name}: exit code 0:\n${output}")
  endif()
  must_print("${name}" ${ARGN})
endfunction()
function(must_print name)
  foreach(part IN LISTS ARGN)
    string(FIND "${output}" "${part}" at)
    if(at LESS 0)
      message(SEND_ERROR "${name}: expected:\n  ${part}\nin:\n${output}")
    endif()
  endforeach()
endfunction()
function(must_not_print name part)
  string(FIND "${output}" "${part}" at)
  if(NOT at LESS 0)
    message(SEND_ERROR "${name}: not expected:\n  ${part}\nin:\n${output}")
  endif()
endfunction()

# Build tools compare times of files, some of them in whole seconds.
function(edit file from to)
  execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
  file(READ "${project}/${file}" text)
  string(FIND "${text}" "${from}" at)
  if(at LESS 0)
    message(FATAL_ERROR "${file} does not have ${from}")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  file(WRITE "${project}/${file}" "${text}")
endfunction()

# With 29,696 bytes of shared memory and 256 threads, 5 blocks of 8 are left on 8.0, and 7 on 9.0.
macro(take_more_shared_memory)
  edit(src/transpose.cu "padding = 1;" "padding = 200;")
endmacro()
macro(take_less_shared_memory)
  edit(src/transpose.cu "padding = 200;" "padding = 1;")
endmacro()
set(what_got_worse "WORSE transpose sm_80: blocks" "WORSE transpose sm_90: blocks"
  "static shared memory 4224 -> 29696")

# How many kernels the lock has.
function(count_kernels result)
  file(STRINGS "${project}/kernels.lock" lines REGEX " sm_[0-9,]+: ")
  list(TRANSFORM lines REPLACE " sm_[0-9,]+: .*" "")
  list(REMOVE_DUPLICATES lines)
  list(LENGTH lines count)
  set(${result} ${count} PARENT_SCOPE)
endfunction()
