# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DOUT=<folder> -DVERSION=<version> -DDOXYGEN=<doxygen> -DMKDOCS=<mkdocs>
#   -DCALCULATOR=<folder> -DPYTHON=<python3> -P site.cmake
# Builds the site and looks for dead links, pages that are left out, and what other hosts would be asked for. Then it
# breaks a part of the site in each of these ways, and all must be noticed.

cmake_minimum_required(VERSION 3.22)

set(SITE ${OUT}/site)
include(${ROOT}/docs/site/build.cmake)
execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/site_whole.py ${SITE} ${ROOT}/docs RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the site is not whole")
endif()

set(broken ${OUT}/broken)
file(REMOVE_RECURSE ${broken})
file(COPY ${SITE}/index.html ${SITE}/tutorial.html ${SITE}/site.css DESTINATION ${broken})
file(APPEND ${broken}/index.html "<p>[text](./limits.md) <a href='tutorial.html#no-place'>a</a>
<a href='no_page.html'>a</a> <img src='https://example.com/a.png'>")
file(APPEND ${broken}/site.css "p { background: url(https://example.com/b.png); }")
execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/site_whole.py ${broken} ${ROOT}/docs RESULT_VARIABLE status
  OUTPUT_VARIABLE output)
foreach(fault
    "index.html: the link no_page.html leads to no file"
    "index.html: the link tutorial.html#no-place leads to no place"
    "index.html: loads https://example.com/a.png"
    "index.html: shows '](.' in"
    "site.css: loads url(https://example.com/b.png"
    "there is no page limits.html")
  string(FIND "${output}" "${fault}" at)
  if(at LESS 0 OR status EQUAL 0)
    message(SEND_ERROR "not noticed: ${fault}")
  endif()
endforeach()
