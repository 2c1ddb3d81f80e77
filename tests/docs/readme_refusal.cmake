# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DNVCC=<nvcc> "-DINCLUDES=<folder>;..." -DWORK=<folder> -P readme_refusal.cmake
# The refusal that README.md shows is what nvcc says of examples/regression.cu, line breaks and all places aside.

cmake_minimum_required(VERSION 3.22)

file(READ ${ROOT}/README.md readme)
string(REGEX MATCH "\\[with Contract=[^]]*\\]" shown "${readme}")
string(REGEX REPLACE "[ \n]+" " " shown "${shown}")
if(shown STREQUAL "")
  message(FATAL_ERROR "README.md shows no refusal")
endif()

list(TRANSFORM INCLUDES PREPEND -I)
execute_process(
  COMMAND ${NVCC} -std=c++17 ${INCLUDES} -gencode=arch=compute_86,code=sm_86 -c -o ${WORK}/refused.o
    ${ROOT}/examples/regression.cu
  OUTPUT_VARIABLE said ERROR_VARIABLE said)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
string(FIND "${said}" "${shown}" at)
if(at LESS 0)
  message(FATAL_ERROR "README.md shows:\n  ${shown}\nnvcc says:\n  ${said}")
endif()
