# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For tests that compare locks with `warpguard diff`. Include harness.cmake and digest.cmake before.

# Writes a lock for 9.0, or for `gpu`. Each kernel is name|registers|blocks of 256 threads, and has the digest that
# belongs to it.
function(lock_of file)
  if(NOT gpu)
    set(gpu 90)
  endif()
  set(text "warpguard-lock 2\ncompiler nvcc 13.0.88\n")
  foreach(kernel IN LISTS ARGN)
    string(REGEX MATCH "^(.*)[|]([0-9]+)[|]([0-9]+)$" parts "${kernel}")
    set(name "${CMAKE_MATCH_1}")
    set(registers ${CMAKE_MATCH_2})
    set(blocks ${CMAKE_MATCH_3})
    string(APPEND text "${name} sm_${gpu}: registers=${registers} static=0 spills=0/0 stack=0 barriers=1 dynamic=0 \
threads=256 blocks=${blocks}\n")
  endforeach()
  seal_lock(text "${text}")
  file(WRITE "${WORK}/${file}" "${text}")
endfunction()

# Compares two locks. Sets status and output.
macro(diff)
  execute_process(COMMAND ${PROGRAM} diff ${ARGN} WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status MATCHES "^[01]$")
    message(SEND_ERROR "diff ${ARGN}: exit code ${status}:\n${errors}")
  endif()
endmacro()
