# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DCOMPILERS=<compiler;...> -DINCLUDES=<folder;...> -DSOURCE=<trade_offs_constant.cpp> -P trade_off_time.cmake
# Prints how long each compiler takes for the trade-offs of one kernel on 12 architectures as constant expressions,
# beyond the include.

cmake_minimum_required(VERSION 3.22)

list(TRANSFORM INCLUDES PREPEND -I)

# Sets `result` to the milliseconds of the fastest of five runs.
function(time_of result)
  set(best 1000000)
  foreach(run RANGE 1 5)
    string(TIMESTAMP start "%s%f" UTC)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
    string(TIMESTAMP end "%s%f" UTC)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "failed: ${ARGN}")
    endif()
    math(EXPR taken "(${end} - ${start}) / 1000")
    if(taken LESS best)
      set(best ${taken})
    endif()
  endforeach()
  set(${result} ${best} PARENT_SCOPE)
endfunction()

foreach(compiler IN LISTS COMPILERS)
  set(command ${compiler} -std=c++17 -fsyntax-only ${INCLUDES} ${SOURCE})
  time_of(include_only ${command} -DINCLUDE_ONLY)
  time_of(with_constants ${command})
  math(EXPR constants "${with_constants} - ${include_only}")
  message("${compiler}: ${constants} ms for 12 lists of trade-offs (goal: 1000), ${include_only} ms for the include")
endforeach()
