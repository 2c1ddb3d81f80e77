# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compares the hardware table with ptxas, which shares no code with the library. For every target that the installed
# ptxas knows, it finds the most blocks and threads per SM that ptxas accepts as launch bounds. register_caps.cpp
# compares the registers that follow from both.
#
#   cmake -DNVCC=<nvcc> -DTABLE_PROGRAM=<print_table> -DWORK_DIR=<scratch folder> [-DWITHOUT=<cc>] -P ptxas_limits.cmake
#
# WITHOUT removes a row from the table, to test that a target without a row is reported as a failure.

cmake_minimum_required(VERSION 3.16)

foreach(variable NVCC TABLE_PROGRAM WORK_DIR)
  if(NOT DEFINED ${variable})
    message(FATAL_ERROR "-D${variable}=... is missing")
  endif()
endforeach()
get_filename_component(toolkit_bin "${NVCC}" REALPATH)
get_filename_component(toolkit_bin "${toolkit_bin}" DIRECTORY)
find_program(PTXAS ptxas HINTS "${toolkit_bin}" NO_DEFAULT_PATH)
if(NOT PTXAS)
  message(FATAL_ERROR "no ptxas beside ${NVCC}")
endif()
file(MAKE_DIRECTORY "${WORK_DIR}")

set(failures 0)
macro(fail text)
  math(EXPR failures "${failures} + 1")
  message(SEND_ERROR "${text}")
endmacro()

# ---- the targets, and the PTX version that the toolkit writes ----------------------------------------------------

execute_process(COMMAND "${NVCC}" --list-gpu-code OUTPUT_VARIABLE listed RESULT_VARIABLE result)
string(REGEX MATCHALL "sm_[0-9]+" targets "${listed}")
list(REMOVE_DUPLICATES targets)
if(NOT result EQUAL 0 OR NOT targets)
  message(FATAL_ERROR "nvcc --list-gpu-code named no target: ${listed}")
endif()
set(oldest 9999)
foreach(target IN LISTS targets)
  string(REPLACE "sm_" "" cc "${target}")
  if(cc LESS oldest)
    set(oldest ${cc})
  endif()
endforeach()
file(WRITE "${WORK_DIR}/empty.cu" "")
execute_process(COMMAND "${NVCC}" -arch=compute_${oldest} -ptx -o "${WORK_DIR}/empty.ptx" "${WORK_DIR}/empty.cu"
                RESULT_VARIABLE result ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "nvcc cannot write PTX: ${errors}")
endif()
file(STRINGS "${WORK_DIR}/empty.ptx" version_line REGEX "^\\.version")

# ---- one PTX file with a kernel for each comparison --------------------------------------------------------------

set(max_blocks 96)  # more than any GPU has
set(max_warps 128)

set(ptx "${version_line}\n.target sm_${oldest}\n.address_size 64\n")
foreach(blocks RANGE 1 ${max_blocks})
  string(APPEND ptx ".visible .entry blocks_${blocks}() .maxntid 32 .minnctapersm ${blocks} { ret@ }\n")
endforeach()
foreach(warps RANGE 1 ${max_warps})
  math(EXPR threads "32 * ${warps}")
  string(APPEND ptx ".visible .entry threads_${threads}() .maxntid ${threads} { ret@ }\n")
endforeach()
string(REPLACE "@" ";" ptx "${ptx}")
file(WRITE "${WORK_DIR}/limits.ptx" "${ptx}")

# ---- the table ---------------------------------------------------------------------------------------------------

execute_process(COMMAND "${TABLE_PROGRAM}" OUTPUT_VARIABLE table RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${TABLE_PROGRAM} failed")
endif()
if(DEFINED WITHOUT)
  string(REGEX REPLACE "(^|\n)${WITHOUT} [^\n]*" "" table "${table}")
endif()
string(PREPEND table "\n")

# Sets `out` to the table's value of `member` in row `cc`, or to "" if there is no row.
function(look_up out cc member)
  if(table MATCHES "\n${cc} ${member} ([^\n]*)")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

# ---- ptxas -------------------------------------------------------------------------------------------------------

# Sets `out` to the largest accepted number. ptxas must reject all larger ones.
function(largest_accepted out output prefix step max)
  set(accepted 0)
  set(rejected_before FALSE)
  foreach(number RANGE ${step} ${max} ${step})
    if(output MATCHES "entry ${prefix}_${number} is out of range")
      set(rejected_before TRUE)
    elseif(rejected_before)
      set(accepted "no single limit")
      break()
    else()
      set(accepted ${number})
    endif()
  endforeach()
  set(${out} "${accepted}" PARENT_SCOPE)
endfunction()

math(EXPR max_threads "32 * ${max_warps}")
set(compared 0)
foreach(target IN LISTS targets)
  string(REPLACE "sm_" "" cc "${target}")
  look_up(row ${cc} max_blocks_per_sm)
  if(row STREQUAL "" AND cc EQUAL 107)  # docs/sources.md gives the reason
    message(STATUS "${target}: left out of the table, because sources disagree")
    continue()
  endif()
  if(row STREQUAL "")
    fail("${target}: ptxas has this target, the table has no row for it")
    continue()
  endif()
  execute_process(COMMAND "${PTXAS}" -v -arch=${target} -o "${WORK_DIR}/limits.cubin" "${WORK_DIR}/limits.ptx"
                  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
  string(APPEND output "${errors}")
  if(NOT result EQUAL 0)
    fail("${target}: ptxas rejects limits.ptx: ${output}")
    continue()
  endif()

  largest_accepted(blocks "${output}" blocks 1 ${max_blocks})
  largest_accepted(threads "${output}" threads 32 ${max_threads})
  look_up(table_blocks ${cc} max_blocks_per_sm)
  look_up(table_threads ${cc} max_threads_per_sm)
  if(NOT blocks STREQUAL table_blocks)
    fail("${target}: ptxas accepts ${blocks} blocks per SM, the table has ${table_blocks}")
  endif()
  if(NOT threads STREQUAL table_threads)
    fail("${target}: ptxas accepts ${threads} threads per SM, the table has ${table_threads}")
  endif()
  math(EXPR compared "${compared} + 2")

  message(STATUS "${target}: ${blocks} blocks, ${threads} threads per SM")
endforeach()

message(STATUS "ptxas: ${compared} numbers compared, ${failures} differences")
