# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# The hardware table and the register cap against ptxas, which NVIDIA wrote and which shares nothing with the library:
# for every target that the installed ptxas knows, the most blocks and threads per SM that it accepts as launch bounds,
# and the registers that a kernel wanting more than there are ends up with.
#
#   cmake -DNVCC=<nvcc> -DTABLE_PROGRAM=<print_table> -DWORK_DIR=<scratch folder> [-DWITHOUT=<cc>] -P ptxas_limits.cmake
#
# WITHOUT leaves a row out of the table, to show that a target without a row is a failure that names it.

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

# ---- one PTX file with all questions -----------------------------------------------------------------------------

set(most_blocks 96)      # more than any GPU has
set(most_warps 128)
set(bounds 32:1 32:16 64:10 96:7 128:3 128:8 192:4 256:2 256:3 256:5 384:2 512:3 513:1 640:1 1024:1 1024:2)

set(ptx "${version_line}\n.target sm_${oldest}\n.address_size 64\n")
foreach(blocks RANGE 1 ${most_blocks})
  string(APPEND ptx ".visible .entry blocks_${blocks}() .maxntid 32 .minnctapersm ${blocks} { ret@ }\n")
endforeach()
foreach(warps RANGE 1 ${most_warps})
  math(EXPR threads "32 * ${warps}")
  string(APPEND ptx ".visible .entry threads_${threads}() .maxntid ${threads} { ret@ }\n")
endforeach()
# 272 values are loaded before the first of them is stored.
set(loads "")
set(stores "")
foreach(value RANGE 0 271)
  math(EXPR offset "4 * ${value}")
  string(APPEND loads " ld.volatile.global.f32 %f${value}, [%p + ${offset}]@")
  string(APPEND stores " st.volatile.global.f32 [%p + ${offset}], %f${value}@")
endforeach()
foreach(bound IN LISTS bounds)
  string(REPLACE ":" "_" name "${bound}")
  string(REGEX REPLACE ":.*" "" threads "${bound}")
  string(REGEX REPLACE ".*:" "" blocks "${bound}")
  string(APPEND ptx
         ".visible .entry cap_${name}(.param .u64 cap_${name}_0) .maxntid ${threads} .minnctapersm ${blocks}\n"
         "{ .reg .f32 %f<272>@ .reg .u64 %p@ ld.param.u64 %p, [cap_${name}_0]@\n"
         "${loads}\n${stores}\n ret@ }\n")
endforeach()
string(REPLACE "@" ";" ptx "${ptx}")
file(WRITE "${WORK_DIR}/limits.ptx" "${ptx}")

# ---- the library's side ------------------------------------------------------------------------------------------

execute_process(COMMAND "${TABLE_PROGRAM}" ${bounds} OUTPUT_VARIABLE table RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${TABLE_PROGRAM} failed")
endif()
if(DEFINED WITHOUT)
  string(REGEX REPLACE "(^|\n)${WITHOUT} [^\n]*" "" table "${table}")
endif()
string(PREPEND table "\n")

# Sets `out` to the table's value of `member` in row `cc`, or to "" where there is no row.
function(look_up out cc member)
  if(table MATCHES "\n${cc} ${member} ([^\n]*)")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

# ---- ask ptxas about every target --------------------------------------------------------------------------------

# The largest number of which ptxas did not complain, where it complains of all larger ones.
function(largest_accepted out output prefix step most)
  set(accepted 0)
  set(refused_before FALSE)
  foreach(number RANGE ${step} ${most} ${step})
    if(output MATCHES "entry ${prefix}_${number} is out of range")
      set(refused_before TRUE)
    elseif(refused_before)
      set(accepted "no single limit")
      break()
    else()
      set(accepted ${number})
    endif()
  endforeach()
  set(${out} "${accepted}" PARENT_SCOPE)
endfunction()

math(EXPR most_threads "32 * ${most_warps}")
set(compared 0)
foreach(target IN LISTS targets)
  string(REPLACE "sm_" "" cc "${target}")
  look_up(row ${cc} max_blocks_per_sm)
  if(row STREQUAL "" AND cc EQUAL 107)  # docs/sources.md says why
    message(STATUS "${target}: no row, because its numbers are not agreed on")
    continue()
  endif()
  if(row STREQUAL "")
    fail("${target}: this ptxas has the target ${target}, of which the table has no row")
    continue()
  endif()
  execute_process(COMMAND "${PTXAS}" -v -arch=${target} -o "${WORK_DIR}/limits.cubin" "${WORK_DIR}/limits.ptx"
                  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
  string(APPEND output "${errors}")
  if(NOT result EQUAL 0)
    fail("${target}: ptxas refuses the questions: ${output}")
    continue()
  endif()

  largest_accepted(blocks "${output}" blocks 1 ${most_blocks})
  largest_accepted(threads "${output}" threads 32 ${most_threads})
  look_up(table_blocks ${cc} max_blocks_per_sm)
  look_up(table_threads ${cc} max_threads_per_sm)
  if(NOT blocks STREQUAL table_blocks)
    fail("${target}: ptxas accepts ${blocks} blocks per SM, the table says ${table_blocks}")
  endif()
  if(NOT threads STREQUAL table_threads)
    fail("${target}: ptxas accepts ${threads} threads per SM, the table says ${table_threads}")
  endif()
  math(EXPR compared "${compared} + 2")

  set(caps "")
  foreach(bound IN LISTS bounds)
    string(REPLACE ":" "_" name "${bound}")
    look_up(cap ${cc} "cap ${bound}")
    if(output MATCHES "entry cap_${name} is out of range")
      set(used -1)  # the bound was dropped: what the library calls impossible
    elseif(output MATCHES "entry function 'cap_${name}'[^U]*Used ([0-9]+) registers")
      set(used ${CMAKE_MATCH_1})
    else()
      set(used "nothing that could be read")
    endif()
    if(NOT used STREQUAL cap)
      fail("${target}: bounds ${bound}: ptxas used ${used} registers, max_registers_per_thread says ${cap}")
    endif()
    string(APPEND caps " ${bound}=${used}")
    math(EXPR compared "${compared} + 1")
  endforeach()
  message(STATUS "${target}: ${blocks} blocks, ${threads} threads per SM; registers${caps}")
endforeach()

message(STATUS "ptxas: ${compared} numbers compared, ${failures} differences")
