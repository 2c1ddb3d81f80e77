# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# warpguard_measure(<target> CHECKS <file.cpp>... [LOCK <file>] [REPORT <folder>] [EXCEPT <namespace::>...])
#
# Makes the resources that ptxas used for the kernels of a target available in C++. No kernel is compiled twice: a
# compiler launcher writes what `ptxas -v` prints for each object to <object>.ptxas beside it. If the target has a
# launcher already, the new one calls it.
#
#   <target>_warpguard_check    writes <target>.measured.hpp from these files and the reports, compiles CHECKS, in which
#                               `warpguard::measured_guarantee<Contract, warpguard::measured::<target>::app::sum>`
#                               checks kernel app::sum against its contract, and compares the build with the lock
#   warpguard_check             the same for all measured targets of the build, and a summary. Not part of `all`, unless
#                               WARPGUARD_CHECK_ALL is on
#   <target>_warpguard_update   with LOCK: writes the lock; refuses to mix compilers or flags
#   <target>_warpguard_record_anew   with LOCK: replaces all lines of the lock, for another compiler or other flags
#
# EXCEPT: kernels whose names begin with one of these prefixes, such as `cub::` or `thrust::`, are left out of the lock
# and the reports.
#
# Call it after CUDA_COMPILER_LAUNCHER is set and, if device code is relocatable, after the target is linked with its
# libraries. Needs CMake 3.22, nvcc or clang, and a POSIX system.

# The functions below do not depend on the policies of the project that calls them.
cmake_policy(PUSH)
cmake_policy(VERSION 3.22)

option(WARPGUARD_CHECK_ALL "The checks of all measured targets are the last step of `all`" OFF)
option(WARPGUARD_LOCK_STRICT "Every difference from a lock fails, unless an exception in the lock allows it" OFF)

set(WARPGUARD_MEASURE_SOURCES "${CMAKE_CURRENT_LIST_DIR}/measure" CACHE INTERNAL "")

# Adds the program `warpguard` to the build, unless it is a part of it already or was found with the installed package.
# A project that uses only the headers does not get it. An argument is passed on to add_subdirectory().
function(warpguard_add_program)
  if(TARGET warpguard::program)
    return()
  endif()
  if(NOT WARPGUARD_TOOLS)
    message(FATAL_ERROR "warpguard was installed without its program: install it with WARPGUARD_BUILD_PROGRAM=ON, or "
      "the Debian package warpguard")
  endif()
  add_subdirectory("${WARPGUARD_TOOLS}" "${CMAKE_BINARY_DIR}/warpguard-program" ${ARGN})
  warpguard_require_dependencies()
endfunction()

# Sets `result` to the path of the program, which launches the compiler and reads the output of ptxas.
function(warpguard_find_program result)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages OR NOT "CUDA" IN_LIST languages)
    message(FATAL_ERROR "warpguard_measure: the project needs the languages CXX and CUDA")
  endif()
  if(NOT CMAKE_CUDA_COMPILER_ID MATCHES "^(NVIDIA|Clang)$")
    message(FATAL_ERROR "warpguard_measure: needs nvcc or clang, but the CUDA compiler is ${CMAKE_CUDA_COMPILER}")
  endif()
  if(CMAKE_HOST_WIN32)
    message(FATAL_ERROR "warpguard_measure: the compiler launcher needs a POSIX system")
  endif()
  # A toolchain file may set CMAKE_SYSTEM_NAME, and thereby CMAKE_CROSSCOMPILING, for the machine that builds too.
  if(CMAKE_CROSSCOMPILING AND (NOT CMAKE_SYSTEM_NAME STREQUAL CMAKE_HOST_SYSTEM_NAME OR
      NOT "${CMAKE_SYSTEM_PROCESSOR}" MATCHES "^(${CMAKE_HOST_SYSTEM_PROCESSOR})?$"))
    message(FATAL_ERROR "warpguard_measure: programs compiled by ${CMAKE_CXX_COMPILER} do not run on this machine")
  endif()
  if("${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${WARPGUARD_MEASURE_SOURCES}" MATCHES "\\$")
    message(FATAL_ERROR "warpguard_measure: nvcc does not find files in a folder with `$` in its name: "
      "the project, its build folder, or warpguard is in such a folder")
  endif()
  # CMake does not split a list of such paths, so several objects would be one file.
  string(REGEX REPLACE "[^][]" "" brackets "${CMAKE_BINARY_DIR}")
  while(brackets MATCHES "\\[\\]")
    string(REPLACE "[]" "" brackets "${brackets}")
  endwhile()
  if(brackets)
    message(FATAL_ERROR "warpguard_measure: the path of the build folder has a `[` or `]` without its counterpart")
  endif()
  warpguard_add_program(EXCLUDE_FROM_ALL)
  get_target_property(imported warpguard::program IMPORTED)
  if(imported)
    get_target_property(program warpguard::program LOCATION)
  else()
    get_target_property(program warpguard::program WARPGUARD_LAUNCHER)
  endif()
  set(${result} "${program}" PARENT_SCOPE)
endfunction()

# Stops with an error if ptxas compiles no kernels of the target.
function(warpguard_require_kernels target error_prefix)
  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "${error_prefix}: this target compiles no kernels itself (it is IMPORTED, or a ${type})")
  endif()
  foreach(kind PTX OPTIX)
    get_target_property(only ${target} CUDA_${kind}_COMPILATION)
    if(only)
      message(FATAL_ERROR "${error_prefix}: with CUDA_${kind}_COMPILATION ptxas does not compile the kernels")
    endif()
  endforeach()
  get_target_property(relocatable ${target} CUDA_SEPARABLE_COMPILATION)
  if(relocatable AND CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR
      "${error_prefix}: relocatable device code (CUDA_SEPARABLE_COMPILATION) is measured with nvcc only")
  endif()
endfunction()

# Makes `program` the compiler launcher of the target, whose objects then need it. It calls the former launcher of the
# target, so that a cache hit also returns what ptxas printed.
function(warpguard_launch_with target program)
  get_target_property(launcher ${target} CUDA_COMPILER_LAUNCHER)
  string(FIND "${launcher}" "${program};" at)
  if(at EQUAL 0)
    return()
  elseif(launcher)
    set(launcher ";${launcher}")
  else()
    set(launcher "")
  endif()
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER "${program};compile${launcher}")
  if(TARGET warpguard_program)
    add_dependencies(${target} warpguard_program)
  endif()
  # The launcher adds this option too. As a compile option, it makes Makefiles recompile objects that were compiled
  # before the target was measured.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xptxas=-v>
    "$<$<COMPILE_LANG_AND_ID:CUDA,Clang>:SHELL:-Xcuda-ptxas -v>")
  set_property(TARGET ${target} APPEND PROPERTY
    ADDITIONAL_CLEAN_FILES "$<JOIN:$<TARGET_OBJECTS:${target}>,.ptxas$<SEMICOLON>>.ptxas")
endfunction()

# Finds the static and object libraries that a target is linked with, because the device link of relocatable code needs
# them. Sets
#   <prefix>_files     the libraries' files, as generator expressions
#   <prefix>_targets   the targets that make them
#   <prefix>_called    those targets whose relocatable code this build compiles
#   <prefix>_skipped   linked items that are generator expressions, which cannot be resolved here
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

# Sets `result` to the absolute paths of the CHECKS. A file that is not in the source folder may be generated.
function(warpguard_find_checks result)
  set(checks "")
  foreach(file IN LISTS ARGN)
    get_filename_component(path "${file}" ABSOLUTE)
    if(NOT EXISTS "${path}")
      get_filename_component(built "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
      get_source_file_property(generated "${built}" GENERATED)
      if(generated)
        set(path "${built}")
      endif()
    endif()
    list(APPEND checks "${path}")
  endforeach()
  set(${result} "${checks}" PARENT_SCOPE)
endfunction()

# Writes the file that tells the program what to do; tools/request.hpp reads it. Uses the variables of
# warpguard_measure().
function(warpguard_write_request)
  set(compiler nvcc)
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
    set(compiler clang)
  endif()
  string(MAKE_C_IDENTIFIER "${target}" identifier)
  set(lines
    "warpguard-request 1"
    "target ${identifier}"
    "name ${target}"
    "compiler ${compiler} ${CMAKE_CUDA_COMPILER_VERSION}"
    "nvcc ${CMAKE_CUDA_COMPILER}"
    "header ${header}"
    "lock ${arg_LOCK}"
    "reports ${arg_REPORT}"
    "root ${CMAKE_SOURCE_DIR}"
    "contracts ${contracts}"
    "today ${WARPGUARD_MEASURE_TODAY}"
    "strict ${WARPGUARD_LOCK_STRICT}")
  foreach(file IN LISTS checks)
    list(APPEND lines "check ${file}")
  endforeach()
  if(checks)
    list(APPEND lines "check_object $<JOIN:$<TARGET_OBJECTS:${target}_warpguard_checks>,\ncheck_object >")
  endif()
  foreach(prefix IN LISTS arg_EXCEPT)
    list(APPEND lines "except ${prefix}")
  endforeach()
  foreach(file IN LISTS linked_files)
    list(APPEND lines "library $<JOIN:${file},\nlibrary >")
  endforeach()
  foreach(library IN LISTS linked_called)
    list(APPEND lines "called $<JOIN:$<TARGET_OBJECTS:${library}>,\ncalled >")
  endforeach()
  foreach(item IN LISTS linked_skipped)
    string(REPLACE "$<" "$<1:$><" item "${item}")  # escaped, so that it is printed and not evaluated
    list(APPEND lines "skipped ${item}")
  endforeach()
  list(APPEND lines "object $<JOIN:$<TARGET_OBJECTS:${target}>,\nobject >")
  list(JOIN lines "\n" lines)
  file(GENERATE OUTPUT "${request}" CONTENT "${lines}\n")
endfunction()

# <target>_warpguard_checks: compiles CHECKS with the include folders, definitions and standard of the target. A broken
# contract is a compile error, which the launcher keeps for the check: so it stops the build of nothing else.
function(warpguard_compile_checks target folder header checks program)
  add_library(${target}_warpguard_checks OBJECT EXCLUDE_FROM_ALL ${checks})
  add_dependencies(${target}_warpguard_checks ${target}_warpguard_header)
  target_link_libraries(${target}_warpguard_checks PRIVATE warpguard::warpguard)
  target_include_directories(${target}_warpguard_checks PRIVATE "${folder}"
    $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target}_warpguard_checks PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  # This file defines WARPGUARD_TARGETS.
  target_compile_options(${target}_warpguard_checks PRIVATE "SHELL:-include \"${header}.targets\"")
  set(launcher "${program}" compile-checks ${CMAKE_CXX_COMPILER_LAUNCHER})
  set_target_properties(${target}_warpguard_checks PROPERTIES UNITY_BUILD OFF CXX_COMPILER_LAUNCHER "${launcher}")
  foreach(language CUDA CXX)
    get_target_property(standard ${target} ${language}_STANDARD)
    if(standard)
      set_target_properties(${target}_warpguard_checks PROPERTIES CXX_STANDARD ${standard})
    endif()
  endforeach()
endfunction()

# <target>_warpguard_contracts: links the compiled CHECKS to a program and runs it. It writes `contracts`, which the
# lock and the reports need.
function(warpguard_list_contracts target folder contracts)
  # A separate object library, so that it is compiled before the kernels are measured.
  add_library(${target}_warpguard_contracts_main OBJECT EXCLUDE_FROM_ALL
    "${WARPGUARD_MEASURE_SOURCES}/contracts_main.cpp")
  target_link_libraries(${target}_warpguard_contracts_main PRIVATE warpguard::warpguard)
  add_executable(${target}_warpguard_contracts_program EXCLUDE_FROM_ALL
    $<TARGET_OBJECTS:${target}_warpguard_checks> $<TARGET_OBJECTS:${target}_warpguard_contracts_main>)
  set_target_properties(${target}_warpguard_contracts_program PROPERTIES
    LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY "${folder}" OUTPUT_NAME contracts)
  add_custom_command(OUTPUT "${contracts}"
    COMMAND ${target}_warpguard_contracts_program "${contracts}"
      "$<JOIN:$<TARGET_OBJECTS:${target}_warpguard_checks>,.refused$<SEMICOLON>>.refused"
    COMMAND_EXPAND_LISTS
    DEPENDS ${target}_warpguard_contracts_program
    COMMENT "Listing the contracts of ${target}"
    VERBATIM)
  add_custom_target(${target}_warpguard_contracts DEPENDS "${contracts}")
endfunction()

# <target>_warpguard_update and <target>_warpguard_record_anew: write the lock. Uses the variables of
# warpguard_measure().
function(warpguard_add_recording)
  get_filename_component(lock_folder "${arg_LOCK}" DIRECTORY)
  foreach(step update record_anew)
    string(REPLACE "_" "-" command ${step})
    add_custom_target(${target}_warpguard_${step}
      COMMAND ${CMAKE_COMMAND} -E make_directory "${lock_folder}"
      COMMAND warpguard::program lock ${command} "${arg_LOCK}" --from "${request}"
      COMMENT "Recording ${arg_LOCK}"
      VERBATIM)
    add_dependencies(${target}_warpguard_${step} ${prepared})
  endforeach()
endfunction()

# Sets `result` to whether the target is built after warpguard_check, because a project made it depend on it.
function(warpguard_waits_for_check target result)
  set(pending ${target})
  set(seen "")
  while(pending)
    list(POP_FRONT pending next)
    if(next STREQUAL "warpguard_check")
      set(${result} TRUE PARENT_SCOPE)
      return()
    elseif(TARGET ${next} AND NOT next IN_LIST seen)
      list(APPEND seen ${next})
      get_target_property(more ${next} MANUALLY_ADDED_DEPENDENCIES)
      if(more)
        list(APPEND pending ${more})
      endif()
    endif()
  endwhile()
  set(${result} FALSE PARENT_SCOPE)
endfunction()

# Makes warpguard_check wait for all targets of a folder that `all` builds, and of the folders in it.
function(warpguard_check_after folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    get_target_property(type ${target} TYPE)
    warpguard_waits_for_check(${target} waits)
    if(NOT excluded AND NOT waits AND NOT type STREQUAL "INTERFACE_LIBRARY")
      add_dependencies(warpguard_check ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    get_property(excluded DIRECTORY "${inner}" PROPERTY EXCLUDE_FROM_ALL)
    if(NOT excluded)
      warpguard_check_after("${inner}")
    endif()
  endforeach()
endfunction()

# warpguard_check: checks all measured targets with one command, which prints one summary. CMake calls this at the end
# of the project, when all targets are known. A check that is a part of `all` comes last, so that nothing is left
# uncompiled if it fails.
function(warpguard_add_check)
  get_property(requests GLOBAL PROPERTY warpguard_requests)
  get_property(prepared GLOBAL PROPERTY warpguard_prepared)
  set(all "")
  if(WARPGUARD_CHECK_ALL)
    set(all ALL)
  endif()
  add_custom_target(warpguard_check ${all}
    COMMAND warpguard::program check ${requests}
    COMMENT "Checking the kernels of all measured targets"
    VERBATIM)
  add_dependencies(warpguard_check ${prepared})
  if(WARPGUARD_CHECK_ALL)
    warpguard_check_after("${CMAKE_SOURCE_DIR}")
  endif()
endfunction()

function(warpguard_measure target)
  set(error_prefix "warpguard_measure(${target})")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LOCK;REPORT" "CHECKS;EXCEPT")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "${error_prefix}: unknown or incomplete argument: ${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${error_prefix}: there is no such target")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  warpguard_require_kernels(${target} "${error_prefix}")
  if(TARGET ${target}_warpguard_check)
    message(FATAL_ERROR "${error_prefix}: ${target} is measured already; pass all CHECKS in one call")
  endif()
  if(NOT arg_CHECKS AND NOT arg_LOCK)
    message(FATAL_ERROR "${error_prefix}: neither CHECKS nor a LOCK: nothing would be checked")
  endif()
  warpguard_find_program(program)
  warpguard_launch_with(${target} "${program}")
  warpguard_linked_with(${target} linked)
  foreach(library IN LISTS linked_called)
    warpguard_launch_with(${library} "${program}")
  endforeach()

  warpguard_find_checks(checks ${arg_CHECKS})
  foreach(path LOCK REPORT)
    if(arg_${path} AND NOT arg_${path} MATCHES "^\\$<")
      get_filename_component(arg_${path} "${arg_${path}}" ABSOLUTE)
    endif()
  endforeach()
  # Each configuration has its own kernels.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.warpguard")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    string(APPEND folder "/$<CONFIG>")
  endif()
  set(header "${folder}/${target}.measured.hpp")
  set(measured "${folder}/measured")
  set(contracts "${folder}/contracts.txt")
  set(request "${folder}/request.txt")
  warpguard_write_request()

  # The objects exist before the target is linked; a generator that cannot depend on objects waits for the target. The
  # header is written only if it changes, so a stamp records when it was last checked. The depfile of the stamp lists
  # the files with the output of ptxas, because they are the output of no build rule.
  add_custom_command(OUTPUT "${measured}" BYPRODUCTS "${header}" "${header}.targets"
    COMMAND warpguard::program header "${request}" "${measured}"
    DEPENDS warpguard::program "${request}" ${checks} $<TARGET_OBJECTS:${target}> ${target} ${linked_targets}
    DEPFILE "${measured}.d"
    COMMENT "Measuring the kernels of ${target}"
    VERBATIM)

  # One target writes the header, and everything that needs it depends on this target, so that parallel Makefiles do not
  # write it twice.
  add_custom_target(${target}_warpguard_header DEPENDS "${measured}")
  add_dependencies(${target}_warpguard_header ${target})

  # The targets whose results the check needs.
  set(prepared ${target}_warpguard_header)
  if(checks)
    warpguard_compile_checks(${target} "${folder}" "${header}" "${checks}" "${program}")
    list(APPEND prepared ${target}_warpguard_checks)
  endif()
  if(checks AND (arg_LOCK OR arg_REPORT))
    warpguard_list_contracts(${target} "${folder}" "${contracts}")
    list(APPEND prepared ${target}_warpguard_contracts)
  endif()
  if(arg_LOCK)
    warpguard_add_recording()
  endif()

  # It runs in each build that asks for it, so that it never relies on the result of an earlier one.
  add_custom_target(${target}_warpguard_check
    COMMAND warpguard::program check "${request}"
    COMMENT "Checking the kernels of ${target}"
    VERBATIM)
  add_dependencies(${target}_warpguard_check ${prepared})
  get_property(requests GLOBAL PROPERTY warpguard_requests)
  if(NOT requests)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL warpguard_add_check)
  endif()
  set_property(GLOBAL APPEND PROPERTY warpguard_requests "${request}")
  set_property(GLOBAL APPEND PROPERTY warpguard_prepared ${prepared})
endfunction()

cmake_policy(POP)
