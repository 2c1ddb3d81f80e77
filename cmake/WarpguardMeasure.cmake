# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# warpguard_measure(<target> CHECKS <file.cpp>... [LOCK <file>] [REPORT <folder>] [EXCEPT <namespace::>...])
#
# Brings what ptxas used for the kernels of a target back into C++. It adds no second compilation of a kernel: a
# compiler launcher, which calls the one that was there, keeps what `ptxas -v` says for each object in <object>.ptxas
# beside it.
#
#   <target>_warpguard_check    part of `all`: writes <target>.measured.hpp from these texts and compiles CHECKS, in
#                               which `warpguard::measured_guarantee<Contract, warpguard::measured::<target>::app::sum>`
#                               holds kernel app::sum to its contract; then the lock and the reports
#   <target>_warpguard_update   with LOCK: rewrites the lock
#
# EXCEPT: kernels whose names begin so, as `cub::` and `thrust::` of a library, are left out of the lock and the
# reports.
#
# Call it after CUDA_COMPILER_LAUNCHER is set and, where device code is relocatable, the libraries that the target is
# linked with. Needs CMake 3.22 and nvcc, and a POSIX system.

# The functions below mean what they mean whatever policies the project that calls them has.
cmake_policy(PUSH)
cmake_policy(VERSION 3.22)

option(WARPGUARD_LOCK_STRICT "Every difference from a lock fails that no exception in it allows" OFF)

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
    message(STATUS "Compiling the program that measures kernels")
    unset(WARPGUARD_MEASURE_COMPILES CACHE)
    # A program whatever a toolchain file says; -O1 because more takes longer to compile than it saves.
    set(CMAKE_TRY_COMPILE_TARGET_TYPE EXECUTABLE)
    try_compile(WARPGUARD_MEASURE_COMPILES "${CMAKE_BINARY_DIR}/warpguard-measure"
      SOURCES "${WARPGUARD_MEASURE_SOURCES}/main.cpp"
      CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${folders}"
      COMPILE_DEFINITIONS -O1 -w
      CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
      OUTPUT_VARIABLE said
      COPY_FILE "${program}")
    if(NOT WARPGUARD_MEASURE_COMPILES)
      unset(WARPGUARD_MEASURE_COMPILES CACHE)
      message(FATAL_ERROR "warpguard_measure: its program does not compile:\n${said}")
    endif()
    execute_process(COMMAND "${program}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(NOT status EQUAL 2)  # it says how it is used
      message(FATAL_ERROR "warpguard_measure: its program, compiled by ${CMAKE_CXX_COMPILER}, does not run here")
    endif()
    set(WARPGUARD_MEASURE_KEY "${key}" CACHE INTERNAL "")
  endif()
  set(${result} "${program}" PARENT_SCOPE)
endfunction()

# Stops where there is nothing to measure.
function(warpguard_require_kernels target here)
  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "${here}: this target compiles no kernels itself (it is IMPORTED, or a ${type})")
  endif()
  foreach(kind PTX OPTIX)
    get_target_property(only ${target} CUDA_${kind}_COMPILATION)
    if(only)
      message(FATAL_ERROR "${here}: with CUDA_${kind}_COMPILATION no ptxas sees the kernels")
    endif()
  endforeach()
endfunction()

# From now on the target's kernels are compiled through `program`, which calls the launcher that is there, so that a
# cache's hit still brings the text.
function(warpguard_launch_with target program)
  get_target_property(launcher ${target} CUDA_COMPILER_LAUNCHER)
  if("${launcher}" MATCHES "^${CMAKE_BINARY_DIR}/warpguard-measure/")
    return()
  elseif(launcher)
    set(launcher ";${launcher}")
  else()
    set(launcher "")
  endif()
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER "${program};compile${launcher}")
  # The launcher would add it: here it makes Makefiles compile again what was compiled before the target was measured.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
  set_property(TARGET ${target} APPEND PROPERTY
    ADDITIONAL_CLEAN_FILES "$<JOIN:$<TARGET_OBJECTS:${target}>,.ptxas$<SEMICOLON>>.ptxas")
endfunction()

# What the device link of relocatable code needs beside the target's objects: the static and object libraries that it is
# linked with. Sets <prefix>_files, generator expressions, the <prefix>_targets that make them, those of them
# (<prefix>_called) whose relocatable code this build compiles, and what could not be followed (<prefix>_skipped).
function(warpguard_linked_with target prefix)
  foreach(list files targets called skipped)
    set(${list} "")
  endforeach()
  set(seen "")
  get_target_property(pending ${target} LINK_LIBRARIES)
  while(pending)
    list(POP_FRONT pending item)
    while(item MATCHES "^\\$<(LINK_ONLY|BUILD_INTERFACE|TARGET_NAME_IF_EXISTS|TARGET_NAME):(.*)>$")
      set(item "${CMAKE_MATCH_2}")
    endwhile()
    if("${item}" STREQUAL "" OR "${item}" IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${item}")
    if(item MATCHES "^/.*\\.a$")
      list(APPEND files "${item}")
    elseif(item MATCHES "\\$<")
      list(APPEND skipped "${item}")
    elseif(TARGET "${item}")
      get_target_property(aliased ${item} ALIASED_TARGET)
      if(aliased)
        set(item ${aliased})
      endif()
      get_target_property(type ${item} TYPE)
      get_target_property(imported ${item} IMPORTED)
      get_target_property(relocatable ${item} CUDA_SEPARABLE_COMPILATION)
      if(type STREQUAL "STATIC_LIBRARY")
        list(APPEND files "$<TARGET_FILE:${item}>")
      elseif(type STREQUAL "OBJECT_LIBRARY")
        list(APPEND files "$<TARGET_OBJECTS:${item}>")
      endif()
      if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
        list(APPEND targets ${item})
        if(relocatable AND NOT imported)
          list(APPEND called ${item})
        endif()
      endif()
      get_target_property(more ${item} INTERFACE_LINK_LIBRARIES)
      if(more)
        list(APPEND pending ${more})
      endif()
    endif()
  endwhile()
  foreach(list files targets called skipped)
    set(${prefix}_${list} "${${list}}" PARENT_SCOPE)
  endforeach()
endfunction()

# <target>_warpguard_checks: CHECKS, compiled for what the target was compiled for.
function(warpguard_compile_checks target folder header checks)
  add_library(${target}_warpguard_checks OBJECT ${checks})
  add_dependencies(${target}_warpguard_checks ${target}_warpguard_header)
  target_link_libraries(${target}_warpguard_checks PRIVATE warpguard::warpguard)
  target_include_directories(${target}_warpguard_checks PRIVATE "${folder}"
    $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target}_warpguard_checks PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  # WARPGUARD_TARGETS.
  target_compile_options(${target}_warpguard_checks PRIVATE "SHELL:-include \"${header}.targets\"")
  set_target_properties(${target}_warpguard_checks PROPERTIES UNITY_BUILD OFF)
  foreach(language CUDA CXX)
    get_target_property(standard ${target} ${language}_STANDARD)
    if(standard)
      set_target_properties(${target}_warpguard_checks PROPERTIES CXX_STANDARD ${standard})
    endif()
  endforeach()
  add_dependencies(${target}_warpguard_check ${target}_warpguard_checks)
endfunction()

# Writes `contracts`, which the lock and the reports need: CHECKS once more, listing instead of refusing.
function(warpguard_list_contracts target folder contracts checks)
  # Its main() waits for no kernel.
  add_library(${target}_warpguard_contracts_main OBJECT EXCLUDE_FROM_ALL
    "${WARPGUARD_MEASURE_SOURCES}/contracts_main.cpp")
  target_link_libraries(${target}_warpguard_contracts_main PRIVATE warpguard::warpguard)
  add_executable(${target}_warpguard_contracts EXCLUDE_FROM_ALL
    ${checks} $<TARGET_OBJECTS:${target}_warpguard_contracts_main>)
  add_dependencies(${target}_warpguard_contracts ${target}_warpguard_header)
  set_target_properties(${target}_warpguard_contracts PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${folder}")
  foreach(kind INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS LINK_LIBRARIES CXX_STANDARD UNITY_BUILD)
    get_target_property(value ${target}_warpguard_checks ${kind})
    if(NOT value MATCHES "-NOTFOUND$")
      set_target_properties(${target}_warpguard_contracts PROPERTIES ${kind} "${value}")
    endif()
  endforeach()
  foreach(part contracts contracts_main)
    target_compile_definitions(${target}_warpguard_${part} PRIVATE WARPGUARD_DETAIL_LIST_MEASURED)
  endforeach()
  add_custom_command(OUTPUT "${contracts}"
    COMMAND ${target}_warpguard_contracts "${contracts}"
    DEPENDS ${target}_warpguard_contracts
    COMMENT "Listing the contracts of ${target}"
    VERBATIM)
endfunction()

# <target>_warpguard_<step>, a part of the check: runs COMMANDS where `stamp` is older than NEEDED, or than what its
# depfile has, which may not be there yet.
function(warpguard_add_step target step stamp comment)
  cmake_parse_arguments(PARSE_ARGV 4 asked "" "" "COMMANDS;NEEDED")
  add_custom_command(OUTPUT "${stamp}"
    ${asked_COMMANDS}
    DEPENDS ${asked_NEEDED}
    DEPFILE "${stamp}.d"
    COMMENT "${comment}"
    VERBATIM)
  add_custom_target(${target}_warpguard_${step} DEPENDS "${stamp}")
  add_dependencies(${target}_warpguard_${step} ${target}_warpguard_header)
  add_dependencies(${target}_warpguard_check ${target}_warpguard_${step})
endfunction()

function(warpguard_measure target)
  set(here "warpguard_measure(${target})")
  cmake_parse_arguments(PARSE_ARGV 1 asked "" "LOCK;REPORT" "CHECKS;EXCEPT")
  if(asked_UNPARSED_ARGUMENTS OR asked_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${here}: what is ${asked_UNPARSED_ARGUMENTS}${asked_KEYWORDS_MISSING_VALUES}?")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${here}: there is no such target")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  warpguard_require_kernels(${target} "${here}")
  if(TARGET ${target}_warpguard_check)
    message(FATAL_ERROR "${here}: ${target} is measured already; give all CHECKS in one call")
  endif()
  if(NOT asked_CHECKS AND NOT asked_LOCK)
    message(FATAL_ERROR "${here}: neither CHECKS nor a LOCK: nothing would be checked")
  endif()
  warpguard_find_measuring_program(program)
  warpguard_launch_with(${target} "${program}")
  warpguard_linked_with(${target} linked)
  foreach(library IN LISTS linked_called)
    warpguard_launch_with(${library} "${program}")
  endforeach()

  set(checks "")
  foreach(file IN LISTS asked_CHECKS)
    get_filename_component(path "${file}" ABSOLUTE)
    if(NOT EXISTS "${path}")  # generated, perhaps
      get_filename_component(built "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
      get_source_file_property(generated "${built}" GENERATED)
      if(generated)
        set(path "${built}")
      endif()
    endif()
    list(APPEND checks "${path}")
  endforeach()
  foreach(path LOCK REPORT)
    if(asked_${path} AND NOT asked_${path} MATCHES "^\\$<")
      get_filename_component(asked_${path} "${asked_${path}}" ABSOLUTE)
    endif()
  endforeach()

  # Configurations have kernels of their own.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.warpguard")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    string(APPEND folder "/$<CONFIG>")
  endif()
  set(header "${folder}/${target}.measured.hpp")
  set(measured "${folder}/measured")
  set(contracts "${folder}/contracts.txt")
  set(request "${folder}/request.txt")

  # What the program is asked; cmake/measure/build.hpp reads it.
  string(MAKE_C_IDENTIFIER "${target}" identifier)
  set(lines
    "target ${identifier}"
    "name ${target}"
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
  foreach(prefix IN LISTS asked_EXCEPT)
    list(APPEND lines "except ${prefix}")
  endforeach()
  foreach(file IN LISTS linked_files)
    list(APPEND lines "library $<JOIN:${file},\nlibrary >")
  endforeach()
  foreach(library IN LISTS linked_called)
    list(APPEND lines "called $<JOIN:$<TARGET_OBJECTS:${library}>,\ncalled >")
  endforeach()
  foreach(item IN LISTS linked_skipped)
    string(REPLACE "$<" "$<1:$><" item "${item}")  # said, not evaluated
    list(APPEND lines "skipped ${item}")
  endforeach()
  list(APPEND lines "object $<JOIN:$<TARGET_OBJECTS:${target}>,\nobject >")
  list(JOIN lines "\n" lines)
  file(GENERATE OUTPUT "${request}" CONTENT "${lines}\n")

  # Objects come before the target is linked; a generator that cannot depend on them waits for the target. The header
  # is written only where it changes, so a stamp says when it was looked at; its depfile has the texts, which are no
  # build rule's own output.
  add_custom_command(OUTPUT "${measured}" BYPRODUCTS "${header}" "${header}.targets"
    COMMAND "${program}" header "${request}" "${measured}"
    DEPENDS "${program}" "${request}" ${checks} $<TARGET_OBJECTS:${target}> ${target} ${linked_targets}
    DEPFILE "${measured}.d"
    COMMENT "Measuring the kernels of ${target}"
    VERBATIM)

  # One target writes the header; whatever needs it waits, under Makefiles too.
  add_custom_target(${target}_warpguard_header DEPENDS "${measured}")
  add_dependencies(${target}_warpguard_header ${target})
  add_custom_target(${target}_warpguard_check ALL)
  add_dependencies(${target}_warpguard_check ${target}_warpguard_header)
  if(checks)
    warpguard_compile_checks(${target} "${folder}" "${header}" "${checks}")
  endif()
  if(NOT asked_LOCK AND NOT asked_REPORT)
    return()
  endif()

  set(contracts_needed "")
  if(checks)
    warpguard_list_contracts(${target} "${folder}" "${contracts}" "${checks}")
    set(contracts_needed "${contracts}")
  endif()
  # Reports first, so that a broken contract has them; they fail for nothing but what cannot be read.
  set(needed "${program}" "${request}" "${measured}" ${contracts_needed})
  if(asked_REPORT)
    warpguard_add_step(${target} report "${folder}/reported" "Reporting on the kernels of ${target}"
      COMMANDS COMMAND ${CMAKE_COMMAND} -E make_directory "${asked_REPORT}"
        COMMAND "${program}" report "${request}" "${folder}/reported"
      NEEDED ${needed})
    if(checks)
      add_dependencies(${target}_warpguard_checks ${target}_warpguard_report)
    endif()
  endif()
  if(asked_LOCK)
    warpguard_add_step(${target} lock "${folder}/checked" "Comparing the kernels of ${target} with their lock"
      COMMANDS COMMAND "${program}" check "${request}" "${folder}/checked"
      NEEDED ${needed})
    if(asked_REPORT)
      add_dependencies(${target}_warpguard_lock ${target}_warpguard_report)
    endif()
    get_filename_component(lock_folder "${asked_LOCK}" DIRECTORY)
    add_custom_target(${target}_warpguard_update
      COMMAND ${CMAKE_COMMAND} -E make_directory "${lock_folder}"
      COMMAND "${program}" update "${request}"
      DEPENDS "${measured}" ${contracts_needed}
      COMMENT "Recording ${asked_LOCK}"
      VERBATIM)
    add_dependencies(${target}_warpguard_update ${target}_warpguard_header)
  endif()
endfunction()

cmake_policy(POP)
