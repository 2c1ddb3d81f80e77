# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For tests that run a command and set `status` and `output`, and perhaps `out`: what they expect of these.

function(must_exit name code)
  if(NOT status EQUAL code)
    message(SEND_ERROR "${name}: exit code ${status}, not ${code}:\n${out}${output}")
  endif()
endfunction()

function(expect_in name text part)
  string(FIND "${text}" "${part}" at)
  if(at LESS 0)
    message(SEND_ERROR "${name}: expected:\n  ${part}\nin:\n${text}")
  endif()
endfunction()

function(expect_not_in name text part)
  string(FIND "${text}" "${part}" at)
  if(NOT at LESS 0)
    message(SEND_ERROR "${name}: not expected:\n  ${part}\nin:\n${text}")
  endif()
endfunction()
