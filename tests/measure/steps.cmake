# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For project.cmake and setups.cmake: runs commands and checks what they print.

# Runs a command. Sets status and output.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status ${status} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
function(must_pass what)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed:\n${output}")
  endif()
endfunction()
function(must_print what)
  foreach(part IN LISTS ARGN)
    string(FIND "${output}" "${part}" at)
    if(at LESS 0)
      message(SEND_ERROR "${what}: expected `${part}` in:\n${output}")
    endif()
  endforeach()
endfunction()
function(must_fail what)
  if(status EQUAL 0)
    message(SEND_ERROR "${what}: does not fail:\n${output}")
  endif()
  must_print("${what}" ${ARGN})
endfunction()
# `words` is a regular expression.
function(must_not_print what words)
  if(output MATCHES "${words}")
    message(SEND_ERROR "${what}: must not print `${CMAKE_MATCH_0}`:\n${output}")
  endif()
endfunction()
# What the build prints when it runs any step.
set(any_step "Building|Measuring|Comparing|Listing|Linking")
