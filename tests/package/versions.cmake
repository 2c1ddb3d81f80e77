# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DSOURCE=<repository> -DVERSION=... -P versions.cmake
# VERSION is that of the CMake project, which is read from version.hpp. Where a file has to repeat it, or the list of
# libraries, it says the same. package.cmake, packed.cmake and wheel.cmake compare what they make with VERSION.

cmake_minimum_required(VERSION 3.22)

set(errors "")
macro(same what found expected)
  if(NOT "${found}" STREQUAL "${expected}")
    list(APPEND errors "${what}: ${found}, and not ${expected}")
  endif()
endmacro()

file(READ "${SOURCE}/include/warpguard/version.hpp" header)
string(REGEX MATCHALL "WARPGUARD_VERSION_[A-Z]+ [0-9]+" parts "${header}")
list(TRANSFORM parts REPLACE ".* " "")
list(JOIN parts "." written)
same("version.hpp" "${written}" "${VERSION}")

set(port cmake/packaging/vcpkg/vcpkg.json)
file(READ "${SOURCE}/${port}" json)
string(JSON written GET "${json}" version)
same("${port}" "${written}" "${VERSION}")
string(JSON needed GET "${json}" dependencies 0)
same("${port}: first dependency" "${needed}" "boost-hana")

# What the program needs is written in tools/CMakeLists.txt, in vcpkg's port and in Conan's recipe.
file(READ "${SOURCE}/tools/CMakeLists.txt" text)
string(REGEX MATCHALL "warpguard_find_headers\\([a-z0-9]+ [A-Za-z0-9_]+" libraries "${text}")
list(TRANSFORM libraries REPLACE ".* " "")
list(TRANSFORM libraries TOLOWER)
string(JSON count LENGTH "${json}" features program dependencies)
set(written "")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON name GET "${json}" features program dependencies ${index})
  string(REPLACE "-" "_" name "${name}")
  list(APPEND written ${name})
endforeach()
same("${port}: the program's dependencies" "${written}" "${libraries}")
file(READ "${SOURCE}/cmake/packaging/conan/conanfile.py" text)
string(REGEX MATCHALL "requires\\(\"[a-z0-9_]+/[^\"]*\", visible=False" written "${text}")
list(TRANSFORM written REPLACE "requires\\(\"([a-z0-9_]+)/.*" "\\1")
same("conanfile.py: the program's requirements" "${written}" "${libraries}")

# The changelog begins with this version, and the pages find its minor version.
file(READ "${SOURCE}/docs/changelog.md" text)
string(REGEX MATCH "\n## ([0-9.]+)" _ "${text}")
same("the first version in docs/changelog.md" "${CMAKE_MATCH_1}" "${VERSION}")
string(REGEX REPLACE "\\.[0-9]+$" "" minor "${VERSION}")
file(GLOB pages "${SOURCE}/README.md" "${SOURCE}/docs/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  string(REGEX MATCHALL "(find_package\\(warpguard|FIND_PACKAGE_ARGS) [0-9.]+" found "${text}")
  foreach(one IN LISTS found)
    string(REGEX REPLACE ".* " "" one "${one}")
    same("${page}" "${one}" "${minor}")
  endforeach()
endforeach()

if(errors)
  list(JOIN errors "\n  " errors)
  message(FATAL_ERROR "versions or libraries differ:\n  ${errors}")
endif()
