# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# The CMake package: find_package(warpguard) gives warpguard::warpguard, and warpguard::program if it was built. And
# warpguard.pc for pkg-config. Both can be moved with the folder in which they are installed.
#
# cpack -G DEB makes two Debian packages, libwarpguard-dev of the component `headers` and warpguard of the component
# `program`; cpack -G TGZ makes an archive with both.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(WARPGUARD_INSTALL_CMAKEDIR ${CMAKE_INSTALL_DATADIR}/cmake/warpguard CACHE STRING "Where the CMake package goes")
mark_as_advanced(WARPGUARD_INSTALL_CMAKEDIR)

# ---- The component `headers` -----------------------------------------------------------------------------------------

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/warpguard DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers)
install(TARGETS warpguard EXPORT warpguardTargets COMPONENT headers)
install(EXPORT warpguardTargets NAMESPACE warpguard:: DESTINATION ${WARPGUARD_INSTALL_CMAKEDIR} COMPONENT headers)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/warpguardConfig.cmake.in
  ${PROJECT_BINARY_DIR}/warpguardConfig.cmake
  INSTALL_DESTINATION ${WARPGUARD_INSTALL_CMAKEDIR}
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpguardConfigVersion.cmake
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT)
install(FILES
  ${PROJECT_BINARY_DIR}/warpguardConfig.cmake
  ${PROJECT_BINARY_DIR}/warpguardConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/WarpguardMeasure.cmake
  DESTINATION ${WARPGUARD_INSTALL_CMAKEDIR} COMPONENT headers)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/measure DESTINATION ${WARPGUARD_INSTALL_CMAKEDIR} COMPONENT headers)
configure_file(${PROJECT_SOURCE_DIR}/cmake/warpguard.pc.in ${PROJECT_BINARY_DIR}/warpguard.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/warpguard.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig COMPONENT headers)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libwarpguard-dev RENAME copyright
  COMPONENT headers)

# ---- The component `program` -----------------------------------------------------------------------------------------

if(TARGET warpguard_program)
  install(TARGETS warpguard_program RUNTIME COMPONENT program)
  # What projects with other build systems copy.
  set(recipes warpguard.mk warpguard.ini warpguard.bzl warpguard_setup.py)
  list(TRANSFORM recipes PREPEND ${PROJECT_SOURCE_DIR}/examples/other_builds/)
  install(FILES ${recipes} DESTINATION ${CMAKE_INSTALL_DATADIR}/warpguard COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpguard RENAME copyright
    COMPONENT program)
  get_target_property(docs warpguard_program WARPGUARD_DOCS)
  if(docs)
    install(FILES ${docs}/warpguard.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
    install(FILES ${docs}/warpguard DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
    install(FILES ${docs}/_warpguard DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
    install(FILES ${docs}/warpguard.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
      COMPONENT program)
  endif()
endif()

# ---- Packages --------------------------------------------------------------------------------------------------------

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_PACKAGE_VENDOR "the warpguard authors")
  # Who packages it sets an address: cpack -D CPACK_PACKAGE_CONTACT=...
  set(CPACK_PACKAGE_CONTACT "the warpguard authors <warpguard@localhost>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_COMPONENTS_ALL headers)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  set(CPACK_DEBIAN_HEADERS_PACKAGE_NAME libwarpguard-dev)
  set(CPACK_DEBIAN_HEADERS_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_HEADERS_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_HEADERS_PACKAGE_DEPENDS "libboost-dev (>= 1.70)")
  set(CPACK_DEBIAN_HEADERS_PACKAGE_SUGGESTS "warpguard (= ${PROJECT_VERSION})")
  # WarpguardMeasure.cmake calls the program of its own version.
  set(CPACK_DEBIAN_HEADERS_PACKAGE_BREAKS "warpguard (<< ${PROJECT_VERSION}), warpguard (>> ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_HEADERS_DESCRIPTION "Headers and the CMake package. A kernel states what it needs and how\n\
many of its blocks must be resident; the build fails if a GPU cannot keep that.")
  if(TARGET warpguard_program)
    list(APPEND CPACK_COMPONENTS_ALL program)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME warpguard)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION devel)
    set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program that holds what ptxas used for CUDA kernels to their\n\
contracts, and to the numbers of an earlier build.")
    # Names the libraries that the program needs, and their versions.
    find_program(WARPGUARD_DPKG_SHLIBDEPS dpkg-shlibdeps)
    mark_as_advanced(WARPGUARD_DPKG_SHLIBDEPS)
    if(WARPGUARD_DPKG_SHLIBDEPS)
      set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
    endif()
  endif()
  include(CPack)
endif()
