# What `make install` puts where: the program, the public headers, one archive with everything
# Segue stands on (so that a user links -lsegue -lm and nothing else), the model library as files
# to read, and the descriptions by which pkg-config and CMake find it all.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "where archives go, below the prefix")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(archives GLOBAL PROPERTY SG_ARCHIVES)
set(bundle ${PROJECT_BINARY_DIR}/libsegue.a)
set(script "create ${bundle}\n")
foreach(lib ${archives})
  string(APPEND script "addlib $<TARGET_FILE:${lib}>\n")
endforeach()
set(foreign ${SG_SUNDIALS_LIBS} ${SG_SUITESPARSE_LIBS} ${SG_JANSSON} ${SG_QHULL})
set(foreign_shared ${foreign})
list(FILTER foreign INCLUDE REGEX "\\.a$")
list(FILTER foreign_shared EXCLUDE REGEX "\\.a$")
foreach(lib ${foreign})
  string(APPEND script "addlib ${lib}\n")
endforeach()
string(APPEND script "save\nend\n")
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/bundle.mri CONTENT "${script}")
add_custom_command(OUTPUT ${bundle}
  COMMAND ${CMAKE_COMMAND} -D AR=${CMAKE_AR} -D OUT=${bundle}
    -D SCRIPT=${PROJECT_BINARY_DIR}/generated/bundle.mri -P ${PROJECT_SOURCE_DIR}/cmake/bundle.cmake
  DEPENDS ${archives} ${PROJECT_BINARY_DIR}/generated/bundle.mri
  COMMENT "Bundling libsegue.a" VERBATIM)
add_custom_target(bundle DEPENDS ${bundle})

if(TARGET segue)
  install(TARGETS segue RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${bundle} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/segue DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/library DESTINATION ${CMAKE_INSTALL_DATADIR}/segue)

file(RELATIVE_PATH SG_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REPLACE ";" " " SG_FOREIGN_SHARED "${foreign_shared}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/segue.pc.in ${PROJECT_BINARY_DIR}/generated/segue.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/segue.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/segue-config.cmake.in
  ${PROJECT_BINARY_DIR}/generated/segue-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/segue
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/segue-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/segue-config.cmake
  ${PROJECT_BINARY_DIR}/generated/segue-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/segue)
