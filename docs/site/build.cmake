# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DROOT=<repository> -DOUT=<folder> -DVERSION=<version> -DDOXYGEN=<doxygen>
#   [-DMKDOCS=<mkdocs> -DSITE=<folder> [-DCALCULATOR=<folder>]] -P build.cmake
# Builds the site of the documentation in SITE: the pages of docs/, the reference of every public name that Doxygen
# makes from the headers, and the calculator if its folder is there. A public name without a comment is an error.
# Without MKDOCS it makes the reference only, in OUT/generated/reference. OUT is for files on the way.

cmake_minimum_required(VERSION 3.22)

set(GENERATED "${OUT}/generated")
file(REMOVE_RECURSE "${GENERATED}" "${OUT}/xml")
file(MAKE_DIRECTORY "${GENERATED}")

function(run what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${ROOT}" RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    string(REPLACE "${ROOT}/" "" output "${output}")
    message(NOTICE "${output}")  # as it is: message(FATAL_ERROR) breaks lines
    message(FATAL_ERROR "${what}")
  endif()
endfunction()

configure_file("${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in" "${OUT}/Doxyfile" @ONLY)
run("the reference is not complete" "${DOXYGEN}" "${OUT}/Doxyfile")

# Doxygen 1.9.4 does not say which enumerators have no comment.
file(GLOB pages "${OUT}/xml/*.xml")
set(s "[ \n]*")
set(brief "<briefdescription>${s}</briefdescription>${s}")
set(detailed "<detaileddescription>${s}</detaileddescription>${s}")
set(value "(<initializer>[^<]*</initializer>${s})?")
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  string(REGEX MATCHALL "<name>[A-Za-z0-9_]+</name>${s}${value}${brief}${detailed}</enumvalue>" silent "${text}")
  foreach(enumerator IN LISTS silent)
    string(REGEX REPLACE "^<name>([A-Za-z0-9_]+).*" "\\1" enumerator "${enumerator}")
    message(SEND_ERROR "the enumerator ${enumerator} is not documented")
    set(is_complete FALSE)
  endforeach()
endforeach()
if(DEFINED is_complete)
  message(FATAL_ERROR "the reference is not complete")
endif()
if(NOT MKDOCS)
  return()
endif()

file(REMOVE_RECURSE "${SITE}")
if(EXISTS "${CALCULATOR}/index.html")
  file(COPY "${CALCULATOR}/" DESTINATION "${GENERATED}/calculator")
endif()
file(COPY "${CMAKE_CURRENT_LIST_DIR}/site.css" DESTINATION "${GENERATED}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/mkdocs.yml.in" "${OUT}/mkdocs.yml" @ONLY)
run("MkDocs does not build the site" "${MKDOCS}" build --config-file "${OUT}/mkdocs.yml")
message(STATUS "the site is ${SITE}/index.html")
