# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Compiles an example for the CPU and runs it. WATCH is the sanitizer: address (with undefined behaviour) or thread.
#   -DEMULATOR=ON  compiles only the emulator
#   -DDEVICE=89    the compute capability of the emulated GPU, if it is not that of the code, ARCHITECTURE
#   -DFAULT=name   edits a copy of the example as faults.cmake says, and expects that the fault is noticed

if(WATCH STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  set(watch_definition -DEMULATOR_ADDRESS)
  set(orders forward reversed shuffled:1)
else()
  set(sanitizers -fsanitize=thread)
  set(watch_definition -DEMULATOR_THREAD)
  set(orders forward)  # what two threads do without a barrier between them is a race in every order
endif()
set(here ${CMAKE_CURRENT_LIST_DIR})

function(run_or_stop)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

if(EMULATOR)
  file(MAKE_DIRECTORY ${WORK}/${WATCH})
  foreach(source emulator runtime)
    run_or_stop(${CXX} -std=c++17 -O2 -g1 -Wall -Wextra -Werror ${watch_definition} -I${ROOT}/include
      -idirafter ${BOOST} -c ${here}/${source}.cpp -o ${WORK}/${WATCH}/${source}.o)
  endforeach()
  return()
endif()

string(REPLACE "/" "." folder ${NAME})  # not one folder in another: tests run at the same time
set(folder ${WORK}/${folder})
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
set(examples ${ROOT}/examples)

if(FAULT)
  function(fault example name noticed_by old new)
    if(NOT "${example}/${name}" STREQUAL "${EXAMPLE}/${FAULT}")
      return()
    endif()
    file(GLOB sources ${folder}/${example}/*.cu ${folder}/${example}/*.cuh ${folder}/${example}/*.hpp)
    set(edits 0)
    foreach(source IN LISTS sources)
      file(READ ${source} text)
      string(FIND "${text}" "${old}" first)
      string(FIND "${text}" "${old}" last REVERSE)
      if(first LESS 0)
        continue()
      endif()
      string(REPLACE "${old}" "${new}" text "${text}")
      file(WRITE ${source} "${text}")
      math(EXPR edits "${edits} + 1 + (${last} - ${first})")
    endforeach()
    if(NOT edits EQUAL 1)
      message(FATAL_ERROR "the text of ${example}/${name} is not there once: adapt faults.cmake to the example")
    endif()
    set(noticed_by ${noticed_by} PARENT_SCOPE)
  endfunction()
  file(GLOB shared_headers ${examples}/*.hpp)
  file(COPY ${shared_headers} ${examples}/${EXAMPLE} DESTINATION ${folder})
  set(examples ${folder})
  include(${here}/faults.cmake)
endif()

if(NOT DEVICE)
  set(DEVICE ${ARCHITECTURE})
endif()
set(definitions "-DEXAMPLE=\"${examples}/${EXAMPLE}/${EXAMPLE}.cu\"" -DKERNELS=${KERNELS} "-DCHECK=${CHECK}"
  -DSIZES=${SIZES} -DDEVICE=${DEVICE} -DWARPGUARD_ON_CPU -D__CUDACC__ -D__CUDA_ARCH__=${ARCHITECTURE}0 -DWARPGUARD_TARGETS=${ARCHITECTURE}0)
# -w: nvcc warns of these files; clang does not know nvcc's pragmas.
run_or_stop(${CXX} -std=c++17 -O1 -g1 -w -femulated-tls ${sanitizers} ${definitions} -I${here}/shims -I${ROOT}/include
  -c ${here}/program.cpp -o ${folder}/program.o)
# Nobody defines the array of `extern __shared__`; the emulator knows it by its address 0.
run_or_stop(${OBJCOPY} --wildcard --weaken-symbol=__emutls_v.* ${folder}/program.o)
run_or_stop(${CXX} ${sanitizers} ${folder}/program.o ${WORK}/${WATCH}/emulator.o ${WORK}/${WATCH}/runtime.o ${CONTEXT}
  -o ${folder}/program)

if(FAULT)
  set(ENV{ASAN_OPTIONS} symbolize=0)
  set(ENV{TSAN_OPTIONS} symbolize=0)
endif()
execute_process(COMMAND ${folder}/program ${orders} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT FAULT)
  message("${output}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${EXAMPLE}: ${result}")
  endif()
  return()
endif()

set(notice_of_result "WRONG on ")
set(notice_of_bounds "ERROR: AddressSanitizer: |runtime error: ")
set(notice_of_race "WARNING: ThreadSanitizer: data race")
set(notice_of_deadlock "emulator: deadlock")
set(notice_of_emulator "emulator: ")
if(noticed_by STREQUAL "nobody")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the fault is noticed now; say so in faults.cmake:\n${output}")
  endif()
elseif(result EQUAL 0)
  message(FATAL_ERROR "the fault was not noticed:\n${output}")
elseif(NOT output MATCHES "${notice_of_${noticed_by}}")
  message(FATAL_ERROR "the fault was noticed, but not by: ${noticed_by}\n${output}")
endif()
