# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# The CMake package: find_package(warpguard) gives warpguard::warpguard, and warpguard::program if it was built. And
# warpguard.pc for pkg-config. Both can be moved with the folder in which they are installed.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/warpguard)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/warpguard DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET warpguard_program)
  install(TARGETS warpguard_program)
  # What projects with other build systems copy.
  set(recipes warpguard.mk warpguard.ini warpguard.bzl warpguard_setup.py)
  list(TRANSFORM recipes PREPEND ${PROJECT_SOURCE_DIR}/examples/other_builds/)
  install(FILES ${recipes} DESTINATION ${CMAKE_INSTALL_DATADIR}/warpguard)
  get_target_property(docs warpguard_program WARPGUARD_DOCS)
  if(docs)
    install(FILES ${docs}/warpguard.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${docs}/warpguard DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${docs}/_warpguard DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${docs}/warpguard.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/warpguardConfig.cmake.in
  ${PROJECT_BINARY_DIR}/warpguardConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpguardConfigVersion.cmake
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT)
install(FILES
  ${PROJECT_BINARY_DIR}/warpguardConfig.cmake
  ${PROJECT_BINARY_DIR}/warpguardConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/WarpguardMeasure.cmake
  DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/measure DESTINATION ${package_dir})
configure_file(${PROJECT_SOURCE_DIR}/cmake/warpguard.pc.in ${PROJECT_BINARY_DIR}/warpguard.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/warpguard.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
