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
function(must_say what)
  foreach(part IN LISTS ARGN)
    string(FIND "${output}" "${part}" at)
    if(at LESS 0)
      message(SEND_ERROR "${what}: does not say `${part}` but:\n${output}")
    endif()
  endforeach()
endfunction()
function(must_fail what)
  if(status EQUAL 0)
    message(SEND_ERROR "${what}: builds:\n${output}")
  endif()
  must_say("${what}" ${ARGN})
endfunction()
# For steps that must not run: `words` is a regular expression.
function(must_not_say what words)
  if(output MATCHES "${words}")
    message(SEND_ERROR "${what}: says `${CMAKE_MATCH_0}`:\n${output}")
  endif()
endfunction()
set(any_step "Building|Measuring|Comparing|Listing|Linking")
