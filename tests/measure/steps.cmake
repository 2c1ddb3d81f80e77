# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For project.cmake and setups.cmake: runs a command, and says what must come of it.

# Sets status and said.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(status ${status} PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()
function(must_pass what)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed:\n${said}")
  endif()
endfunction()
function(must_say what)
  foreach(part IN LISTS ARGN)
    string(FIND "${said}" "${part}" at)
    if(at LESS 0)
      message(SEND_ERROR "${what}: does not say `${part}` but:\n${said}")
    endif()
  endforeach()
endfunction()
function(must_fail what)
  if(status EQUAL 0)
    message(SEND_ERROR "${what}: builds:\n${said}")
  endif()
  must_say("${what}" ${ARGN})
endfunction()
# What CMake's own words for build steps must not be among.
function(must_not_say what words)
  if(said MATCHES "${words}")
    message(SEND_ERROR "${what}: says `${CMAKE_MATCH_0}`:\n${said}")
  endif()
endfunction()
set(any_step "Building|Measuring|Comparing|Listing|Linking")
