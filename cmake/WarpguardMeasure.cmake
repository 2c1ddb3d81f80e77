# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# warpguard_measure(<target> CHECKS <file.cpp>... [LOCK <file>] [REPORT <folder>])
#
# Brings what ptxas used for the kernels of a target back into C++. It adds no second compilation of a kernel: a compiler
# launcher, which calls the one that was there, keeps what `ptxas -v` says for each object in <object>.ptxas beside it.
#
#   <target>_warpguard_check    part of `all`: writes <target>.measured.hpp from these texts and compiles CHECKS, in which
#                               `warpguard::measured_guarantee<Contract, warpguard::measured::<target>::app::sum>` holds
#                               kernel app::sum to its contract; then the lock and the reports
#   <target>_warpguard_update   with LOCK: rewrites the lock
#
# Call it after the target's properties (CUDA_ARCHITECTURES, CUDA_COMPILER_LAUNCHER) are set. Needs CMake 3.22 and nvcc, and
# a POSIX system. WARPGUARD_LOCK_STRICT makes what is NEW or IMPROVED a failure too.

option(WARPGUARD_LOCK_STRICT "What the lock does not have, or has worse, fails too" OFF)

set(WARPGUARD_MEASURE_SOURCES "${CMAKE_CURRENT_LIST_DIR}/measure" CACHE INTERNAL "")

# The program that launches nvcc and reads texts: compiled once per build tree, while CMake configures, because every
# object needs it.
function(warpguard_find_measuring_program result)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages OR NOT "CUDA" IN_LIST languages)
    message(FATAL_ERROR "warpguard_measure: the project needs the languages CXX and CUDA")
  endif()
  if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    message(FATAL_ERROR "warpguard_measure: ${CMAKE_CUDA_COMPILER} is not nvcc, so no ptxas can be asked for -v")
  endif()
  if(CMAKE_HOST_WIN32)
    message(FATAL_ERROR "warpguard_measure: the compiler launcher needs a POSIX system")
  endif()
  get_target_property(includes warpguard::warpguard INTERFACE_INCLUDE_DIRECTORIES)
  set(folders "")
  foreach(folder IN LISTS includes)
    string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" folder "${folder}")
    if(NOT folder MATCHES "\\$<")
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  file(GLOB sources "${WARPGUARD_MEASURE_SOURCES}/*")
  set(key "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_VERSION} ${folders}")
  foreach(source IN LISTS sources)
    file(SHA256 "${source}" hash)
    string(APPEND key " ${hash}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  endforeach()
  string(SHA256 key "${key}")
  set(program "${CMAKE_BINARY_DIR}/warpguard-measure/warpguard-measure")
  if(NOT EXISTS "${program}" OR NOT WARPGUARD_MEASURE_KEY STREQUAL "${key}")
    unset(WARPGUARD_MEASURE_COMPILES CACHE)
    try_compile(WARPGUARD_MEASURE_COMPILES "${CMAKE_BINARY_DIR}/warpguard-measure"
      SOURCES "${WARPGUARD_MEASURE_SOURCES}/main.cpp"
      CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${folders}"
      CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
      OUTPUT_VARIABLE said
      COPY_FILE "${program}")
    if(NOT WARPGUARD_MEASURE_COMPILES)
      unset(WARPGUARD_MEASURE_COMPILES CACHE)
      message(FATAL_ERROR "warpguard_measure: its program does not compile:\n${said}")
    endif()
    set(WARPGUARD_MEASURE_KEY "${key}" CACHE INTERNAL "")
  endif()
  set(${result} "${program}" PARENT_SCOPE)
endfunction()

function(warpguard_measure target)
  cmake_parse_arguments(PARSE_ARGV 1 asked "" "LOCK;REPORT" "CHECKS")
  if(asked_UNPARSED_ARGUMENTS OR asked_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "warpguard_measure(${target}): what is ${asked_UNPARSED_ARGUMENTS}${asked_KEYWORDS_MISSING_VALUES}?")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "warpguard_measure(${target}): there is no such target")
  endif()
  if(NOT asked_CHECKS AND NOT asked_LOCK)
    message(FATAL_ERROR "warpguard_measure(${target}): neither CHECKS nor a LOCK: nothing would be checked")
  endif()
  warpguard_find_measuring_program(program)
  string(MAKE_C_IDENTIFIER "${target}" name)

  # The launcher that is there is called by this one, so that a cache's hit still brings the text.
  get_target_property(launcher ${target} CUDA_COMPILER_LAUNCHER)
  if(launcher)
    set(launcher ";${launcher}")
  else()
    set(launcher "")
  endif()
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER "${program};compile${launcher}")

  set(checks "")
  foreach(file IN LISTS asked_CHECKS)
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND checks "${file}")
  endforeach()
  foreach(path LOCK REPORT)
    if(asked_${path})
      get_filename_component(asked_${path} "${asked_${path}}" ABSOLUTE)
    endif()
  endforeach()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.warpguard")
  set(header "${folder}/${target}.measured.hpp")
  set(contracts "${folder}/contracts.txt")
  set(request "${folder}/request$<$<BOOL:$<CONFIG>>:-$<CONFIG>>.txt")
  set(lines
    "target ${name}"
    "compiler nvcc ${CMAKE_CUDA_COMPILER_VERSION}"
    "nvcc ${CMAKE_CUDA_COMPILER}"
    "header ${header}"
    "lock ${asked_LOCK}"
    "reports ${asked_REPORT}"
    "root ${CMAKE_SOURCE_DIR}"
    "contracts ${contracts}"
    "today ${WARPGUARD_MEASURE_TODAY}"
    "strict ${WARPGUARD_LOCK_STRICT}")
  foreach(file IN LISTS checks)
    list(APPEND lines "check ${file}")
  endforeach()
  list(JOIN lines "\n" lines)
  file(GENERATE OUTPUT "${request}" CONTENT "${lines}\nobject $<JOIN:$<TARGET_OBJECTS:${target}>,\nobject >\n")

  # Objects come before the target is linked; a generator that cannot depend on them waits for the target.
  add_custom_command(OUTPUT "${header}"
    COMMAND "${program}" header "${request}"
    DEPENDS "${program}" "${request}" ${checks} $<TARGET_OBJECTS:${target}> ${target}
    COMMENT "Measuring the kernels of ${target}"
    VERBATIM)

  # One target writes the header; whatever needs it waits, under Makefiles too.
  add_custom_target(${target}_warpguard_header DEPENDS "${header}")
  add_dependencies(${target}_warpguard_header ${target})
  add_custom_target(${target}_warpguard_check ALL)
  add_dependencies(${target}_warpguard_check ${target}_warpguard_header)
  if(checks)
    # Compiled for what the target is compiled for.
    get_target_property(architectures ${target} CUDA_ARCHITECTURES)
    set(targets "")
    foreach(architecture IN LISTS architectures)
      if(architecture MATCHES "^([0-9]+)[af]?(-real)?$")
        list(APPEND targets ${CMAKE_MATCH_1}0)
      endif()
    endforeach()
    list(JOIN targets "," targets)

    add_library(${target}_warpguard_checks OBJECT ${checks})
    add_dependencies(${target}_warpguard_checks ${target}_warpguard_header)
    target_link_libraries(${target}_warpguard_checks PRIVATE warpguard::warpguard)
    target_include_directories(${target}_warpguard_checks PRIVATE "${folder}"
      $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target}_warpguard_checks PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    if(targets)
      target_compile_definitions(${target}_warpguard_checks PRIVATE WARPGUARD_TARGETS=${targets})
    endif()
    add_dependencies(${target}_warpguard_check ${target}_warpguard_checks)
  endif()

  # The contracts as the reports and the lock need them: CHECKS once more, listing instead of refusing.
  if(NOT asked_LOCK AND NOT asked_REPORT)
    return()
  endif()
  set(contracts_needed "")
  if(checks)
    add_executable(${target}_warpguard_contracts EXCLUDE_FROM_ALL
      ${checks} "${WARPGUARD_MEASURE_SOURCES}/contracts_main.cpp")
    add_dependencies(${target}_warpguard_contracts ${target}_warpguard_header)
    set_target_properties(${target}_warpguard_contracts PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${folder}")
    foreach(kind INCLUDE_DIRECTORIES COMPILE_DEFINITIONS LINK_LIBRARIES)
      get_target_property(value ${target}_warpguard_checks ${kind})
      if(value)
        set_target_properties(${target}_warpguard_contracts PROPERTIES ${kind} "${value}")
      endif()
    endforeach()
    target_compile_definitions(${target}_warpguard_contracts PRIVATE WARPGUARD_DETAIL_LIST_MEASURED)
    add_custom_command(OUTPUT "${contracts}"
      COMMAND ${target}_warpguard_contracts "${contracts}"
      DEPENDS ${target}_warpguard_contracts
      COMMENT "Listing the contracts of ${target}"
      VERBATIM)
    set(contracts_needed "${contracts}")
  endif()
  if(asked_REPORT)
    file(MAKE_DIRECTORY "${asked_REPORT}")
  endif()
  set(lock_needed "")
  if(asked_LOCK AND EXISTS "${asked_LOCK}")
    set(lock_needed "${asked_LOCK}")
  endif()
  add_custom_command(OUTPUT "${folder}/checked"
    COMMAND "${program}" check "${request}" "${folder}/checked"
    DEPENDS "${program}" "${request}" "${header}" ${contracts_needed} ${lock_needed}
    COMMENT "Comparing the kernels of ${target} with their lock"
    VERBATIM)
  add_custom_target(${target}_warpguard_lock DEPENDS "${folder}/checked")
  add_dependencies(${target}_warpguard_check ${target}_warpguard_lock)
  add_dependencies(${target}_warpguard_lock ${target}_warpguard_header)
  if(asked_LOCK)
    add_custom_target(${target}_warpguard_update
      COMMAND "${program}" update "${request}"
      DEPENDS "${header}" ${contracts_needed}
      COMMENT "Recording ${asked_LOCK}"
      VERBATIM)
    add_dependencies(${target}_warpguard_update ${target}_warpguard_header)
  endif()
endfunction()
