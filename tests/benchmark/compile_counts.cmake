# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DCOMPILER=<clang++> "-DINCLUDES=<folders>" "-DTOOLKIT=<folders or empty>" -DLOCK=<file> -DWORK=<folder>
#       [-DRECORD=ON] -P compile_counts.cmake
#
# Counts what clang does for a fixed set of files, and compares with the lock. Unlike seconds, the counts are the same
# on each run and each machine. What rises by more than 2 % fails; what falls is to be recorded. The lock is of one
# version of clang, libstdc++ and Boost, and for launch.cuh of CUDA; with another one the comparison is skipped.
#
#   lines      of the preprocessed file
#   classes    and functions: instances of templates (-ftime-trace)
#   steps      of the longest constant expression (the smallest -fconstexpr-steps with which the file compiles)

cmake_minimum_required(VERSION 3.22)

set(allowed 2)  # percent
set(members lines classes functions steps)
set(targets -DWARPGUARD_TARGETS=700,720,750,800,860,870,890,900,1000,1030,1100,1200)
list(TRANSFORM INCLUDES PREPEND -I)
list(TRANSFORM TOOLKIT PREPEND -isystem OUTPUT_VARIABLE toolkit)
file(MAKE_DIRECTORY ${WORK})

# ---- the files -------------------------------------------------------------------------------------------------------

set(units "")
function(unit name text)
  set(units ${units} ${name} PARENT_SCOPE)
  file(CONFIGURE OUTPUT ${WORK}/${name}.cpp CONTENT "${text}\n" @ONLY)
endfunction()

# 100 contracts of 4 options, each checked on 12 architectures.
function(contracts result block promise)
  set(text "#include <warpguard/contract.hpp>\nnamespace wg = warpguard;\n")
  foreach(i RANGE 99)
    math(EXPR threads "32 * (1 + ${i} % 8)")
    math(EXPR bytes "4 * ${i}")
    math(EXPR amount "1 + ${i} % 4")
    string(APPEND text "struct kernel_${i} : wg::contract<wg::${block}<${threads}>, "
      "wg::static_shared_memory<${bytes}>, wg::max_registers<64>, wg::${promise}<${amount}>> {};\n"
      "static_assert(wg::guarantee<kernel_${i}>);\n")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

unit(core "#include <warpguard/core.hpp>")
unit(answers "#include <warpguard/answers.hpp>")
unit(products "#include <warpguard/products.hpp>")
unit(contract "#include <warpguard/contract.hpp>")
unit(warpguard "#include <warpguard/warpguard.hpp>")
contracts(text threads_per_block min_blocks_per_sm)
unit(100_contracts "${text}")
contracts(text max_threads_per_block min_warps_per_sm)
unit(100_contracts_any_block "${text}")
unit(layout "#include <warpguard/contract.hpp>
namespace wg = warpguard;
struct tiles;
struct sums;
struct counts;
struct rows;
using layout = wg::shared_layout<wg::shared_array<tiles, float[33], 32>, wg::shared_array<sums, double, 64>,
                                 wg::overlay<wg::shared_array<counts, int, 7>, wg::shared_array<rows, float, 99, 32>>>;
struct kernel : wg::contract<wg::threads_per_block<256>, wg::static_shared_memory_of<layout>,
                             wg::min_blocks_per_sm<2>> {};
static_assert(wg::guarantee<kernel>);")
unit(launch "#include <warpguard/launch.cuh>")

# ---- counting --------------------------------------------------------------------------------------------------------

function(run result unit)
  execute_process(COMMAND ${COMPILER} -std=c++17 ${targets} ${INCLUDES} ${toolkit} ${ARGN} ${WORK}/${unit}.cpp
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(result STREQUAL "status")
    set(status ${status} PARENT_SCOPE)
    return()
  endif()
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${unit}: ${errors}")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

function(occurrences result text pattern)
  string(REGEX MATCHALL "${pattern}" found "${text}")
  list(LENGTH found number)
  set(${result} ${number} PARENT_SCOPE)
endfunction()

# Whether the file compiles with at most so many steps.
function(compiles_with result unit steps)
  run(status ${unit} -fsyntax-only -fconstexpr-steps=${steps})
  set(${result} FALSE PARENT_SCOPE)
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

function(count_steps result unit)
  set(low 0)
  set(high 1048576)  # clang's default
  while(low LESS high)
    math(EXPR middle "(${low} + ${high}) / 2")
    compiles_with(enough ${unit} ${middle})
    if(enough)
      set(high ${middle})
    else()
      math(EXPR low "${middle} + 1")
    endif()
  endwhile()
  set(${result} ${high} PARENT_SCOPE)
endfunction()

# Sets <unit>_<member> for all but the steps.
function(count unit)
  run(text ${unit} -E -P)
  occurrences(lines "${text}" "\n")
  run(ignored ${unit} -c -O0 -ftime-trace -ftime-trace-granularity=0 -o ${WORK}/${unit}.o)
  file(READ ${WORK}/${unit}.json trace)
  occurrences(classes "${trace}" "\"name\":\"InstantiateClass\"")
  occurrences(functions "${trace}" "\"name\":\"InstantiateFunction\"")
  foreach(member lines classes functions)
    set(${unit}_${member} ${${member}} PARENT_SCOPE)
  endforeach()
endfunction()

# What the counts depend on besides warpguard.
unit(versions "#include <cstddef>
#include <boost/version.hpp>
#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif
VERSIONS \
clang-__clang_major__.__clang_minor__.__clang_patchlevel__ \
libstdc++-_GLIBCXX_RELEASE Boost-BOOST_VERSION;CUDA-CUDART_VERSION")
list(REMOVE_ITEM units versions)
run(text versions -E -P)
string(REGEX MATCH "VERSIONS [^\n]*" versions "${text}")
string(REPLACE " . " "." versions "${versions}")
string(REGEX REPLACE "^VERSIONS " "" versions "${versions}")
list(GET versions 1 cuda)  # CUDA-13000; as it stands above without a toolkit
list(GET versions 0 versions)

# ---- the lock --------------------------------------------------------------------------------------------------------

if(RECORD)
  if(NOT cuda MATCHES "[0-9]")
    message(FATAL_ERROR "launch.cuh needs a CUDA toolkit")
  endif()
  set(lines "# What clang does for a fixed set of files. compile_counts.cmake says what is counted, and writes this "
    "file with the\n# target compile_cost_record.\n${versions}\n${cuda} for launch\n")
  foreach(unit IN LISTS units)
    count(${unit})
    count_steps(${unit}_steps ${unit})
    foreach(member IN LISTS members)
      list(APPEND lines "${unit} ${member} ${${unit}_${member}}\n")
    endforeach()
  endforeach()
  list(JOIN lines "" lines)
  file(WRITE ${LOCK} "${lines}")
  message("${lines}")
  return()
endif()

file(READ ${LOCK} lock)
string(REGEX MATCH "\n(clang[^\n]*)\n" _ "${lock}")
if(NOT CMAKE_MATCH_1 STREQUAL versions)
  message("SKIPPED: the lock is of ${CMAKE_MATCH_1}; here is ${versions}")
  return()
endif()

if(NOT lock MATCHES "\n${cuda} for launch\n")
  message("launch: left out, because the lock is not of ${cuda}")
  list(REMOVE_ITEM units launch)
endif()

# Sets `verdict` to "same", "fell", "rose a little" or "rose".
function(judge verdict now locked)
  math(EXPR now_scaled "${now} * 100")
  math(EXPR limit "${locked} * (100 + ${allowed})")
  if(now EQUAL locked)
    set(${verdict} "same" PARENT_SCOPE)
  elseif(now LESS locked)
    set(${verdict} "fell" PARENT_SCOPE)
  elseif(now_scaled GREATER limit)
    set(${verdict} "rose" PARENT_SCOPE)
  else()
    set(${verdict} "rose a little" PARENT_SCOPE)
  endif()
endfunction()

set(risen "")
set(fallen "")
macro(report unit member now locked)
  judge(verdict ${now} ${locked})
  message("${unit} ${member}: ${now} (lock: ${locked})")
  if(verdict STREQUAL "rose")
    string(APPEND risen "\n  ${unit} ${member}: ${locked} -> ${now}")
  elseif(verdict STREQUAL "fell")
    string(APPEND fallen "\n  ${unit} ${member}: ${locked} -> ${now}")
  endif()
endmacro()

foreach(unit IN LISTS units)
  foreach(member IN LISTS members)
    if(NOT lock MATCHES "\n${unit} ${member} ([0-9]+)\n")
      message(FATAL_ERROR "${LOCK} has no line \"${unit} ${member}\": build the target compile_cost_record")
    endif()
    set(${unit}_${member}_locked ${CMAKE_MATCH_1})
  endforeach()
  count(${unit})
  foreach(member lines classes functions)
    report(${unit} ${member} ${${unit}_${member}} ${${unit}_${member}_locked})
  endforeach()
  # Whether the steps are the locked ones takes two runs of the compiler; to count them takes twenty.
  set(locked ${${unit}_steps_locked})
  math(EXPR fewer "${locked} - 1")
  compiles_with(as_locked ${unit} ${locked})
  set(with_fewer FALSE)
  if(locked GREATER 1)  # 0 is no limit
    compiles_with(with_fewer ${unit} ${fewer})
  endif()
  if(as_locked AND NOT with_fewer)
    report(${unit} steps ${locked} ${locked})
  else()
    count_steps(now ${unit})
    report(${unit} steps ${now} ${locked})
  endif()
endforeach()

# The comparison itself: 3 % more is refused, 2 % more is not, and less is seen.
foreach(case "103;100;rose" "102;100;rose a little" "100;100;same" "99;100;fell" "1;0;rose")
  list(GET case 0 now)
  list(GET case 1 locked)
  list(GET case 2 expected)
  judge(verdict ${now} ${locked})
  if(NOT verdict STREQUAL expected)
    message(FATAL_ERROR "${locked} -> ${now} is judged as \"${verdict}\"")
  endif()
endforeach()

if(fallen)
  message("These counts fell; record it, so that they cannot rise again:${fallen}\n"
    "  cmake --build <build> --target compile_cost_record")
endif()
if(risen)
  message(FATAL_ERROR "These counts rose by more than ${allowed} %:${risen}\n"
    "If that is worth it, record them with the target compile_cost_record and say why in the commit.")
endif()
