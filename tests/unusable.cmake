# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DCOMPILER=<path> -DKIND=<g++|clang|nvcc> -DINCLUDE=<folder with warpguard/> -DWORK=<folder> -P unusable.cmake
# What makes warpguard unusable stops the compiler or the linker with one line that says what is wrong: a compiler that
# is too old, a missing Boost.Hana, and two versions of warpguard in one file or in one program.

cmake_minimum_required(VERSION 3.22)

set(ENV{LC_ALL} C)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(language c++)
if(KIND STREQUAL "nvcc")
  set(language cu)
endif()

# Compiles a file with these lines. Sets `status`, `output`, and `object`.
function(compile name lines)
  set(source "${WORK}/${name}.cpp")
  set(object "${WORK}/${name}.o")
  file(WRITE "${source}" "${lines}")
  execute_process(COMMAND "${COMPILER}" -x ${language} -std=c++17 ${ARGN} "-I${INCLUDE}" -c "${source}" -o "${object}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  foreach(result status output object)
    set(${result} "${${result}}" PARENT_SCOPE)
  endforeach()
endfunction()

function(must_compile name lines)
  compile(${name} "${lines}" ${ARGN})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${name} (${KIND}) does not compile:\n${output}")
  endif()
  set(object "${object}" PARENT_SCOPE)
endfunction()

function(must_stop name lines rule)
  compile(${name} "${lines}" ${ARGN})
  string(REGEX MATCHALL "(error|warning):" reports "${output}")
  string(FIND "${output}" "${rule}" at)
  if(status EQUAL 0 OR at LESS 0 OR NOT reports STREQUAL "error:")
    message(FATAL_ERROR "${name} (${KIND}): not the one line: ${rule}\n${output}")
  endif()
endfunction()

# ---- A compiler that is too old --------------------------------------------------------------------------------------

function(too_old compiler anchor oldest newest)
  set(rule "warpguard needs g++ 11, clang 13 or CUDA 11.8 at least: this ${compiler} is older [old_${anchor}]")
  must_stop(too_old "#include <warpguard/core.hpp>\n" "${rule}" ${newest})
  must_compile(old_enough "#include <warpguard/core.hpp>\n" ${oldest})
endfunction()
if(KIND STREQUAL "g++")
  too_old(g++ gxx "-U__GNUC__;-D__GNUC__=11" "-U__GNUC__;-D__GNUC__=10")
  # nvcc does not let a command line change its version.
  too_old(nvcc nvcc "-D__CUDACC_VER_MAJOR__=11;-D__CUDACC_VER_MINOR__=8"
    "-D__CUDACC_VER_MAJOR__=11;-D__CUDACC_VER_MINOR__=7")
elseif(KIND STREQUAL "clang")
  too_old(clang clang "-U__clang_major__;-D__clang_major__=13" "-U__clang_major__;-D__clang_major__=12")
endif()

# ---- No Boost --------------------------------------------------------------------------------------------------------

# These options hide all installed headers. Those of the standard library come after Boost's, and the headers that need
# no Boost need no standard library either.
if(NOT KIND STREQUAL "nvcc")
  set(hidden -nostdinc -nostdinc++ -DWARPGUARD_TARGETS=750,900)
  foreach(header warpguard.hpp hana.hpp)
    must_stop(no_boost "#include <warpguard/${header}>\n"
      "warpguard needs Boost.Hana here: install libboost-dev, or include warpguard/contract.hpp instead [boost]"
      ${hidden})
  endforeach()
  must_compile(without_boost "#include <warpguard/answers.hpp>\n#include <warpguard/contract.hpp>\n\
#include <warpguard/products.hpp>\n\
struct ok : warpguard::contract<warpguard::threads_per_block<256>, warpguard::max_registers<40>> {};\n\
static_assert(warpguard::guarantee<ok>);\n" ${hidden})
endif()

# ---- Two versions ----------------------------------------------------------------------------------------------------

# With a new time, because g++ takes two files with the same time and text for one.
file(COPY "${INCLUDE}/warpguard" DESTINATION "${WORK}/other")
file(GLOB_RECURSE copied "${WORK}/other/*")
file(TOUCH ${copied})
file(READ "${WORK}/other/warpguard/version.hpp" text)
string(REGEX REPLACE "(VERSION_PATCH) [0-9]+" "\\1 99" other_text "${text}")
if(text STREQUAL other_text)
  message(FATAL_ERROR "version.hpp has no patch version")
endif()
file(WRITE "${WORK}/other/warpguard/version.hpp" "${other_text}")
must_stop(two_in_a_file "#include <warpguard/core.hpp>\n#include \"${WORK}/other/warpguard/contract.hpp\"\n"
  "warpguard: this file includes two copies of warpguard: leave one of them in the include path [two_copies]")

# Links two files, the second of which is compiled with a version in another folder.
function(link_with folder)
  must_compile(main "#include <warpguard/core.hpp>\nint other();\nint main() { return other(); }\n")
  set(main "${object}")
  must_compile(other "#include <warpguard/contract.hpp>\nint other() { return 0; }\n" "-I${folder}")
  execute_process(COMMAND "${COMPILER}" "${main}" "${object}" -o "${WORK}/program"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
link_with("${WORK}/other")
set(rule "(multiple definition of|duplicate symbol).*warpguard_two_versions_in_one_program")
if(status EQUAL 0 OR NOT output MATCHES "${rule}")
  message(FATAL_ERROR "the linker (${KIND}) accepts two versions of warpguard, or does not say so:\n${output}")
endif()
link_with("${INCLUDE}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the linker (${KIND}) refuses two files with one version of warpguard:\n${output}")
endif()
