# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... "-DPYTHON=<path>" -DWORK=<folder> -P pictures.cmake
# Tests the pictures: what they show, which pictures.py reads back, and what is refused.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/../measure/harness.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../measure/digest.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../measure/locks.cmake)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# Runs the program, which must refuse with this exit code and this message and write no file.
function(must_refuse code message)
  execute_process(COMMAND ${PROGRAM} ${ARGN} --svg refused.svg WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE errors)
  if(NOT status EQUAL code)
    message(SEND_ERROR "${ARGN}: exit code ${status}, not ${code}:\n${out}${errors}")
  endif()
  expect_in("${ARGN}" "${errors}" "${message}")
  file(GLOB written "${WORK}/refused*")
  if(NOT written STREQUAL "" OR NOT out STREQUAL "")
    message(SEND_ERROR "${ARGN}: refused, but written: ${written}\n${out}")
  endif()
endfunction()

# ---- what is refused -------------------------------------------------------------------------------------------------

lock_of(two.lock "first(int*)|40|6" "second(int*)|32|8")
must_refuse(2 "--svg: draws all amounts" query --gpu sm_90 --threads 64..1024)
must_refuse(2 "--gpu: `H900` is no known GPU" query --gpu H900 --threads 64)
must_refuse(3 "--svg: draws one kernel, but there are first(int*) and second(int*)" query --from two.lock)
must_refuse(3 "no kernel has `third` in its name" query --from two.lock --kernel third)
must_refuse(2 "--gpu: H100 (sm_90) is no single product" roofline --gpu H100 --operations 1 --bytes 1)
must_refuse(2 "--gpu: sm_90 is no single product" roofline --gpu sm_90 --operations 1 --bytes 1)
must_refuse(2 "--precision: T4 (sm_75) has no unit for tensor-fp8"
  roofline --gpu T4 --operations 1 --bytes 1 --precision tensor-fp8)
must_refuse(2 "--precision: the peak of B200 (sm_100) in tensor-fp4 has no source"
  roofline --gpu B200 --operations 1 --bytes 1 --precision tensor-fp4)
must_refuse(2 "--precision: `half` is no" roofline --gpu T4 --operations 1 --bytes 1 --precision half)
must_refuse(2 "--grid: `1000000000000000000000000000000` is no whole number"
  query --gpu T4 --threads 64 --grid 1000000000000000000000000000000)
must_refuse(2 "--grid: `9223372036854775808` is no" query --gpu T4 --threads 64 --grid 9223372036854775808)
must_refuse(2 "--operations" roofline --gpu T4 --operations 0 --bytes 1)
must_refuse(2 "--bytes" roofline --gpu T4 --operations 1 --bytes -1)
must_refuse(2 "--bytes" roofline --gpu T4 --operations 1 --bytes 1000000000000000000000000000000)

# A folder that is not there, and one that cannot be written. What stood at the place stays.
foreach(command "query|--threads|64" "roofline|--operations|1|--bytes|1")
  string(REPLACE "|" ";" command "${command}")
  execute_process(COMMAND ${PROGRAM} ${command} --gpu T4 --svg no/such.svg WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE errors)
  if(NOT status EQUAL 3 OR NOT out STREQUAL "")
    message(SEND_ERROR "${command}: no folder, but exit code ${status}:\n${out}${errors}")
  endif()
  expect_in("no folder" "${errors}" "no/such.svg: cannot be written")
  file(MAKE_DIRECTORY "${WORK}/fixed")
  file(WRITE "${WORK}/fixed/old.svg" "as it was")
  file(CHMOD "${WORK}/fixed" PERMISSIONS OWNER_READ OWNER_EXECUTE)
  execute_process(COMMAND ${PROGRAM} ${command} --gpu T4 --svg fixed/old.svg WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
  file(CHMOD "${WORK}/fixed" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  file(READ "${WORK}/fixed/old.svg" text)
  if(status EQUAL 0)  # root may write everywhere
    expect_in("a folder that can be written" "${text}" "</svg>")
  elseif(NOT status EQUAL 3 OR NOT text STREQUAL "as it was")
    message(SEND_ERROR "${command}: exit code ${status}, and the old file is now:\n${text}\n${errors}")
  endif()
  file(GLOB left "${WORK}/fixed/*.tmp")
  if(NOT left STREQUAL "")
    message(SEND_ERROR "${command}: left ${left}")
  endif()
endforeach()

# A pipe stands for every device: it is written to and stays.
execute_process(COMMAND sh -c [[rm -f pipe && mkfifo pipe && { cat pipe > piped.svg & "$@" && test -p pipe
    ok=$?; [ $ok -eq 0 ] || kill $!; wait; exit $ok; }]] sh ${PROGRAM} query --gpu T4 --threads 64 --svg pipe
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors TIMEOUT 60)
if(NOT status EQUAL 0)
  message(SEND_ERROR "--svg to a pipe: exit code ${status}, or the pipe was replaced:\n${errors}")
else()
  file(READ "${WORK}/piped.svg" text)
  expect_in("a pipe" "${text}" "</svg>")
endif()

# ---- what is drawn ---------------------------------------------------------------------------------------------------

string(REPEAT "ü" 200 long)
lock_of(markup.lock "long_${long}(int*)|40|6" "markup<\"&'>(int*)|40|6")
if(NOT PYTHON)
  message(STATUS "LEFT OUT: what the pictures show (no python3)")
  return()
endif()
execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/pictures.py ${PROGRAM} "${WORK}"
  RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(SEND_ERROR "${errors}")
endif()
