# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DFOLDER=<new folder> "-DPROGRAMS=<name>=<file>;..." "-DEXAMPLES=<names>" "-DBUILT=<fact>;..." -DSOURCE=<repository>
#   -P folder.cmake
# Makes the folder that is copied to a machine with a GPU: the command `run`, the programs in bin/, and three lists:
# `examples`, `files`, and in `built` how the programs were built.

cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE ${FOLDER})
set(files run examples built)
configure_file(${SOURCE}/tests/gpu/run ${FOLDER}/run COPYONLY)
foreach(program IN LISTS PROGRAMS)
  string(FIND ${program} "=" equals)
  string(SUBSTRING ${program} 0 ${equals} name)
  math(EXPR equals "${equals} + 1")
  string(SUBSTRING ${program} ${equals} -1 file)
  configure_file(${file} ${FOLDER}/bin/${name} COPYONLY)
  list(APPEND files bin/${name})
endforeach()

execute_process(COMMAND git -C ${SOURCE} describe --always --dirty OUTPUT_VARIABLE revision RESULT_VARIABLE status
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT status EQUAL 0)
  set(revision unknown)
endif()
foreach(list examples BUILT files)
  if(list STREQUAL "examples")
    set(lines ${EXAMPLES})
  elseif(list STREQUAL "BUILT")
    set(lines ${BUILT} "revision ${revision}")
  else()
    set(lines ${files})
  endif()
  list(JOIN lines "\n" text)
  string(TOLOWER ${list} name)
  file(WRITE ${FOLDER}/${name} "${text}\n")
endforeach()
