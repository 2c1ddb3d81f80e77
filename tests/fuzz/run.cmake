# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -DWORDS=<file> "-DCORPUS=<folder or file>|..." -DRUNS=<n>|-DSECONDS=<n> -P run.cmake
# Runs a fuzz target. With RUNS, it tries the corpus and n changes of it; with RUNS=0 only the corpus, so that the result
# is always the same. With SECONDS, it goes on from what former calls found, and keeps what reaches new code in
# WORK/found.

cmake_minimum_required(VERSION 3.22)

if(DEFINED RUNS)
  file(REMOVE_RECURSE ${WORK}/corpus ${WORK}/run)
  set(found ${WORK}/run)
  set(length -runs=${RUNS} -seed=1)
else()
  set(found ${WORK}/found)
  set(length -max_total_time=${SECONDS})
endif()
file(MAKE_DIRECTORY ${found} ${WORK}/corpus)
string(REPLACE "|" ";" CORPUS "${CORPUS}")
foreach(item IN LISTS CORPUS)
  if(IS_DIRECTORY ${item})
    file(GLOB files ${item}/*)
  else()
    set(files ${item})
  endif()
  foreach(file IN LISTS files)
    file(COPY ${file} DESTINATION ${WORK}/corpus)
  endforeach()
endforeach()
execute_process(COMMAND ${PROGRAM} ${found} ${WORK}/corpus -dict=${WORDS} ${length} -max_len=16384 -timeout=10
    -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix=${WORK}/
  RESULT_VARIABLE status ERROR_VARIABLE output)
string(REGEX MATCHALL "stat::number_of_executed_units[^\n]*\n|#[0-9]+[^\n]*DONE[^\n]*\n" numbers "${output}")
message("${numbers}")
if(NOT status EQUAL 0)
  string(LENGTH "${output}" length)
  set(begin 0)
  if(length GREATER 6000)
    math(EXPR begin "${length} - 6000")
  endif()
  string(SUBSTRING "${output}" ${begin} -1 end)
  message(FATAL_ERROR "${PROGRAM} fails with ${status}:\n${end}\nTo run it on this input alone, give it the file that \
is named after \"Test unit written to\".")
endif()
