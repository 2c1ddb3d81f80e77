# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DOUT=<folder> -DVERSION=<version> -DDOXYGEN=<doxygen> -DMKDOCS=<mkdocs>
#   -DCALCULATOR=<folder> -DPYTHON=<python3> -P site.cmake
# Builds the site and looks for dead links, pages that are left out, and what other hosts would be asked for.

cmake_minimum_required(VERSION 3.22)

set(SITE ${OUT}/site)
include(${ROOT}/docs/site/build.cmake)
execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/site_whole.py ${SITE} ${ROOT}/docs RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the site is not whole")
endif()
