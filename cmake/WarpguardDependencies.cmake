# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# The libraries that warpguard is built with. Each is used where it is installed. Otherwise, or with
# WARPGUARD_FETCH_DEPENDENCIES, it is downloaded in a fixed version. All of them are headers only.

option(WARPGUARD_FETCH_DEPENDENCIES "Download the libraries that warpguard needs, even if they are installed" OFF)

if(POLICY CMP0167)
  cmake_policy(SET CMP0167 OLD)  # finds Boost by its headers, without BoostConfig.cmake
endif()

# warpguard_find_headers(<result> <package> [VERSION <v>] TARGET <target> HEADERS <folder> DEBIAN <package>
#   REPOSITORY <url> TAG <tag>)
# Sets `result` to a target with the headers of a library: `TARGET` of the installed package, or a target of this build
# with the folder HEADERS of the repository. What can be neither found nor downloaded is recorded, and
# warpguard_require_dependencies() reports all of it at once.
function(warpguard_find_headers result package)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "VERSION;TARGET;HEADERS;DEBIAN;REPOSITORY;TAG" "")
  if(NOT WARPGUARD_FETCH_DEPENDENCIES)
    if(NOT TARGET ${arg_TARGET})
      find_package(${package} ${arg_VERSION} QUIET)
    endif()
    if(TARGET ${arg_TARGET})
      set(${result} ${arg_TARGET} PARENT_SCOPE)
      return()
    endif()
  endif()

  string(REGEX REPLACE ".*/|\\.git$" "" name "${arg_REPOSITORY}")
  string(TOLOWER "warpguard_${name}" name)
  set(${result} ${name} PARENT_SCOPE)
  if(TARGET ${name})
    return()
  endif()
  add_library(${name} INTERFACE)
  include(FetchContent)
  warpguard_cannot_fetch(reason ${name} ${arg_REPOSITORY} ${arg_TAG})
  if(reason)
    set(version "")
    if(arg_VERSION)
      set(version " ${arg_VERSION}")
    endif()
    set_property(GLOBAL APPEND PROPERTY warpguard_missing "${package}${version}: ${reason}")
    set_property(GLOBAL APPEND PROPERTY warpguard_missing_debian ${arg_DEBIAN})
    set_property(GLOBAL APPEND PROPERTY warpguard_missing_names ${name})
    return()
  endif()
  message(STATUS "warpguard: downloading ${arg_REPOSITORY} ${arg_TAG}")
  FetchContent_Declare(${name}
    GIT_REPOSITORY ${arg_REPOSITORY}
    GIT_TAG ${arg_TAG}
    GIT_SHALLOW TRUE
    SOURCE_SUBDIR headers-only)  # does not exist, so that its CMakeLists.txt is not used
  FetchContent_MakeAvailable(${name})
  target_include_directories(${name} SYSTEM INTERFACE "${${name}_SOURCE_DIR}/${arg_HEADERS}")
endfunction()

# Sets `result` to the reason why FetchContent cannot get a tag, or to nothing. Without this question FetchContent would
# print fifty lines about its own build.
function(warpguard_cannot_fetch result name repository tag)
  set(${result} "" PARENT_SCOPE)
  string(TOUPPER ${name} upper)
  if(FETCHCONTENT_FULLY_DISCONNECTED OR FETCHCONTENT_SOURCE_DIR_${upper}
      OR EXISTS "${FETCHCONTENT_BASE_DIR}/${name}-src")
    return()
  endif()
  set(searched "not installed, and ")
  if(WARPGUARD_FETCH_DEPENDENCIES)
    set(searched "")
  endif()
  find_package(Git QUIET)
  if(NOT GIT_EXECUTABLE)
    set(${result} "${searched}there is no git to download it" PARENT_SCOPE)
    return()
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env GIT_TERMINAL_PROMPT=0
      ${GIT_EXECUTABLE} ls-remote --exit-code ${repository} refs/tags/${tag}
    TIMEOUT 20 RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    string(REGEX REPLACE "\n.*" "" error "${error}")
    if(NOT error)
      set(error "git ended with ${status}")
    endif()
    set(${result} "${searched}no download of ${tag} from ${repository} (${error})" PARENT_SCOPE)
  endif()
endfunction()

# Stops with one error if a library is missing.
function(warpguard_require_dependencies)
  get_property(missing GLOBAL PROPERTY warpguard_missing)
  if(NOT missing)
    return()
  endif()
  get_property(packages GLOBAL PROPERTY warpguard_missing_debian)
  get_property(names GLOBAL PROPERTY warpguard_missing_names)
  list(GET names 0 name)
  string(TOUPPER ${name} name)
  list(JOIN missing "\n  " missing)
  list(JOIN packages " " packages)
  message(FATAL_ERROR "warpguard: these libraries are missing:\n"
    "  ${missing}\n"
    "Install them and configure again; on Debian and Ubuntu:\n"
    "  apt-get install ${packages}\n"
    "Or name a folder that you downloaded, as in -DFETCHCONTENT_SOURCE_DIR_${name}=<folder>.")
endfunction()
