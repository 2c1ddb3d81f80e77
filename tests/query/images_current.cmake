# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DPYTHON=<python3> -DROOT=<repository> -DWORK=<folder> [-DREFRESH=ON] -P images_current.cmake
# The pictures in docs/images are what the program draws, or what terminal.py makes of what a command prints, and a page
# shows each of them. With REFRESH they are drawn anew.

cmake_minimum_required(VERSION 3.22)

set(images ${ROOT}/docs/images)
set(SCRATCH ${WORK}/scratch)
if(REFRESH)
  set(WORK ${images})
endif()
file(MAKE_DIRECTORY ${WORK} ${SCRATCH})
file(GLOB pages ${ROOT}/README.md ${ROOT}/docs/*.md)
set(drawn "")

# Draws the picture by the command, and compares.
function(drawn_by name)
  execute_process(COMMAND ${ARGN} ${WORK}/${name} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${name}: exit code ${status}:\n${errors}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WORK}/${name} ${images}/${name} RESULT_VARIABLE differs
    OUTPUT_QUIET ERROR_QUIET)
  if(differs)
    message(SEND_ERROR "docs/images/${name} is not what the program draws: build refresh_docs")
  endif()
  set(is_shown FALSE)
  foreach(page IN LISTS pages)
    file(READ ${page} text)
    string(FIND "${text}" "images/${name})" at)
    if(at GREATER -1)
      set(is_shown TRUE)
    endif()
  endforeach()
  if(NOT is_shown)
    message(SEND_ERROR "no page shows docs/images/${name}")
  endif()
endfunction()

macro(image name)
  drawn_by(${name} ${PROGRAM} ${ARGN} --svg)
  list(APPEND drawn ${name})
endmacro()

# A text as a terminal shows it.
macro(terminal name file)
  if(PYTHON)
    drawn_by(${name} ${PYTHON} ${ROOT}/tests/docs/terminal.py ${file})
  else()
    message(STATUS "LEFT OUT: ${name} (no python3)")
  endif()
  list(APPEND drawn ${name})
endmacro()

image(saxpy.svg query --gpu sm_90 --threads 256 --registers 40)
image(curves.svg query --gpu sm_90 --gpu sm_86 --threads 320 --registers 66 --shared 20000)
image(volta.svg query --gpu sm_70 --threads 128 --registers 37)
image(reserve.svg query --gpu sm_90 --threads 32 --registers 8 --shared 12k)
image(waves.svg query --gpu "H100 SXM" --gpu "A100 SXM 80GB" --gpu T4 --threads 256 --registers 40 --grid 800)
image(roofline.svg roofline --gpu "A100 SXM 40GB" --operations 2 --bytes 12)
terminal(refusal.svg ${ROOT}/tests/docs/readme_refusal.txt)
execute_process(COMMAND ${PROGRAM} diff before.lock after.lock WORKING_DIRECTORY ${ROOT}/tests/docs/pull_request
  OUTPUT_VARIABLE printed ERROR_VARIABLE errors RESULT_VARIABLE status)
if(NOT status EQUAL 1)  # a kernel is worse
  message(FATAL_ERROR "warpguard diff: exit code ${status}:\n${printed}${errors}")
endif()
file(WRITE ${SCRATCH}/delta.txt "$ warpguard diff before.lock after.lock\n${printed}")
terminal(delta.svg ${SCRATCH}/delta.txt)

# The text on the page about peaks is what the program prints.
execute_process(COMMAND ${PROGRAM} roofline --gpu "A100 SXM 40GB" --operations 2 --bytes 12 OUTPUT_VARIABLE printed)
file(READ ${ROOT}/docs/peak-throughput.md text)
string(FIND "${text}" "--operations 2 --bytes 12\n${printed}```\n" at)
if(at EQUAL -1)
  message(SEND_ERROR "docs/peak-throughput.md does not show what `warpguard roofline` prints:\n${printed}")
endif()

file(GLOB present RELATIVE ${images} ${images}/*)
foreach(name IN LISTS present)
  if(NOT name IN_LIST drawn)
    message(SEND_ERROR "docs/images/${name} is drawn by no command here")
  endif()
endforeach()
