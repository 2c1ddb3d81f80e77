# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DCOMPILER=... -DIS_NVCC=... -DARCHITECTURES=75;90 -DTARGETS=750,900 -DINCLUDES=a;b -DSOURCE=...
#   -P show_refusal.cmake
# Compiles a file that must not compile and shows what the compiler says first.

cmake_minimum_required(VERSION 3.22)

list(TRANSFORM INCLUDES PREPEND -I)
if(IS_NVCC)
  set(flags -c -o refused.o)
  foreach(architecture IN LISTS ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+" architecture ${architecture})
    list(APPEND flags -gencode=arch=compute_${architecture},code=sm_${architecture})
  endforeach()
else()
  set(flags -x c++ -fsyntax-only -DWARPGUARD_TARGETS=${TARGETS})
endif()
get_filename_component(name ${SOURCE} NAME)
execute_process(COMMAND ${COMPILER} -std=c++17 ${flags} ${INCLUDES} ${SOURCE}
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0 OR NOT said MATCHES "warpguard: the contract's minimum residency is out of reach")
  message(FATAL_ERROR "${name} should have been refused; the compiler says:\n${said}")
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
