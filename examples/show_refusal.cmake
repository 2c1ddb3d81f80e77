# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DCOMPILER=... -DIS_NVCC=... -DTARGETS=750,900 -DINCLUDES=a;b -DSOURCE=... -P show_refusal.cmake
# Compiles a file that must not compile and shows what the compiler says first.

cmake_minimum_required(VERSION 3.22)

list(TRANSFORM INCLUDES PREPEND -I)
if(IS_NVCC)
  string(REGEX REPLACE "0(,|$)" "\\1" architectures "${TARGETS}")
  string(REPLACE "," ";" architectures "${architectures}")
  set(flags -ptx -o refused.ptx -DWARPGUARD_TARGETS=${TARGETS} -arch=sm_90)
else()
  set(flags -x c++ -fsyntax-only -DWARPGUARD_TARGETS=${TARGETS})
endif()
get_filename_component(name ${SOURCE} NAME)
execute_process(COMMAND ${COMPILER} -std=c++17 ${flags} ${INCLUDES} ${SOURCE}
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0)
  message(FATAL_ERROR "${name} compiled, and should not have")
endif()

string(REPLACE ";" "\\;" said "${said}")
string(REPLACE "\n" ";" lines "${said}")
list(LENGTH lines count)
if(count GREATER 12)
  list(SUBLIST lines 0 12 lines)
endif()
message("\n${name}: the tile has grown, and the build stops:\n")
foreach(line IN LISTS lines)
  message("  ${line}")
endforeach()
