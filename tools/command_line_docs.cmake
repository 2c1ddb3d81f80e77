# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=<warpguard> -DFOLDER=<folder> -P command_line_docs.cmake
# Lets the program write shell completion and the manual page.

cmake_minimum_required(VERSION 3.22)

file(MAKE_DIRECTORY ${FOLDER})
foreach(each "warpguard.1;man" "warpguard;completion;bash" "_warpguard;completion;zsh" "warpguard.fish;completion;fish")
  list(POP_FRONT each name)
  execute_process(COMMAND ${PROGRAM} ${each} OUTPUT_FILE ${FOLDER}/${name} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ${each} ends with ${status}")
  endif()
endforeach()
