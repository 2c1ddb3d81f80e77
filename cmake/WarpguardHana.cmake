# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Sets WARPGUARD_HANA to a target with the headers of Boost.Hana, from an installed Boost or else downloaded in a fixed
# version.

if(POLICY CMP0167)
  cmake_policy(SET CMP0167 OLD)  # finds Boost by its headers, without BoostConfig.cmake
endif()
find_package(Boost 1.70 QUIET)
if(Boost_FOUND AND NOT WARPGUARD_FETCH_DEPENDENCIES)
  set(WARPGUARD_HANA Boost::headers)
else()
  message(STATUS "warpguard: Boost is not installed; fetching Boost.Hana 1.86.0")
  include(FetchContent)
  FetchContent_Declare(warpguard_hana
    GIT_REPOSITORY https://github.com/boostorg/hana.git
    GIT_TAG boost-1.86.0
    GIT_SHALLOW TRUE
    SOURCE_SUBDIR headers-only)  # does not exist, so that its CMakeLists.txt is not used
  FetchContent_MakeAvailable(warpguard_hana)
  add_library(warpguard_hana INTERFACE)
  target_include_directories(warpguard_hana SYSTEM INTERFACE ${warpguard_hana_SOURCE_DIR}/include)
  set(WARPGUARD_HANA warpguard_hana)
endif()
