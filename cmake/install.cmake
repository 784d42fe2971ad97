# What `make install` puts where: the program, the public headers, the library as libsegue.so and as
# libsegue.a, each with everything Segue stands on (so that a user links -lsegue -lm and nothing
# else), the model library, examples and pages as files to read, manual pages, completions for
# shells, and the descriptions by which pkg-config and CMake find
# it all.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "where archives go, below the prefix")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# All our archives and what they need of the foreign ones become one object, in which every name is
# local but those of the public headers: ours that are not marked SG_API are hidden, and of the
# foreign ones, which are not, none begins with sg_. Archive and shared library are made of that
# object, so a host may have its own SUNDIALS, KLU, qhull, jansson or expat beside either.
get_property(archives GLOBAL PROPERTY SG_ARCHIVES)
set(foreign ${SG_SUNDIALS_LIBS} ${SG_SUITESPARSE_LIBS} ${SG_JANSSON} ${SG_QHULL}
  ${SG_ZLIB} ${SG_EXPAT})
set(foreign_shared ${foreign})
list(FILTER foreign INCLUDE REGEX "\\.a$")
list(FILTER foreign_shared EXCLUDE REGEX "\\.a$")
set(ours)
foreach(lib ${archives})
  list(APPEND ours $<TARGET_FILE:${lib}>)
endforeach()
set(object ${PROJECT_BINARY_DIR}/segue_whole.o)
set(bundle ${PROJECT_BINARY_DIR}/libsegue.a)
add_library(segue_streams OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/streams.c)
add_custom_command(OUTPUT ${object} ${bundle}
  COMMAND ${CMAKE_LINKER} -r -o ${object}.part --whole-archive ${ours} --no-whole-archive
    --start-group ${foreign} --end-group
  COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=sg_foreign_stdin
    --redefine-sym stderr=sg_foreign_stderr ${object}.part
  COMMAND ${CMAKE_LINKER} -r -o ${object} ${object}.part $<TARGET_OBJECTS:segue_streams>
  COMMAND ${CMAKE_COMMAND} -E rm -f ${object}.part
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard "--keep-global-symbol=sg_*" ${object}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${bundle}
  COMMAND ${CMAKE_AR} rcs ${bundle} ${object}
  DEPENDS ${archives} segue_streams $<TARGET_OBJECTS:segue_streams> COMMENT "Bundling libsegue.a" VERBATIM)
add_custom_target(bundle_object DEPENDS ${object} ${bundle})

set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
add_library(segue_shared SHARED EXCLUDE_FROM_ALL ${object})
add_dependencies(segue_shared bundle_object)
# Before 1.0 the second number tells what fits together.
set_target_properties(segue_shared PROPERTIES OUTPUT_NAME segue LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(segue_shared PRIVATE ${foreign_shared} m ${CMAKE_DL_LIBS})
if(NOT SG_SANITIZE AND NOT SG_COVERAGE AND NOT SG_THREADS)
  target_link_options(segue_shared PRIVATE LINKER:-z,defs)
endif()
add_custom_target(bundle DEPENDS segue_shared bundle_object)

# What FMUs have inside: Segue behind the functions of the FMI standard, which are all it exports.
# `segue export` finds it beside the program, or in lib/segue beside the folder of the program.
file(GLOB adapter_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/adapter/*.c)
set(adapter_map ${PROJECT_SOURCE_DIR}/cmake/fmu.map)
set(adapter_all ALL)
if(SG_SANITIZE OR SG_COVERAGE OR SG_THREADS OR SG_FUZZ)
  set(adapter_all EXCLUDE_FROM_ALL) # no foreign program could load it
endif()
add_library(segue_fmu MODULE EXCLUDE_FROM_ALL ${adapter_sources} ${object})
add_dependencies(segue_fmu bundle_object)
target_include_directories(segue_fmu PRIVATE ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_SOURCE_DIR}/src)
set_target_properties(segue_fmu PROPERTIES PREFIX "" LINK_DEPENDS ${adapter_map})
target_link_libraries(segue_fmu PRIVATE ${foreign_shared} m ${CMAKE_DL_LIBS})
target_link_options(segue_fmu PRIVATE LINKER:--version-script=${adapter_map} LINKER:-Bsymbolic
  LINKER:-s)
add_dependencies(bundle segue_fmu)
if(adapter_all STREQUAL ALL)
  add_custom_target(segue_fmu_built ALL)
  add_dependencies(segue_fmu_built segue_fmu)
  target_link_options(segue_fmu PRIVATE LINKER:-z,defs)
endif()

# Manual pages and completions, made of what the program prints.
if(TARGET segue)
  set(manuals ${PROJECT_BINARY_DIR}/manuals)
  add_custom_command(OUTPUT ${manuals}/done
    COMMAND sh ${PROJECT_SOURCE_DIR}/tools/manuals $<TARGET_FILE:segue> ${manuals}
    COMMAND ${CMAKE_COMMAND} -E touch ${manuals}/done
    DEPENDS segue ${PROJECT_SOURCE_DIR}/tools/manuals COMMENT "Writing manual pages" VERBATIM)
  add_custom_target(manuals DEPENDS ${manuals}/done)
  add_dependencies(bundle manuals)
  install(DIRECTORY ${manuals}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    FILES_MATCHING PATTERN *.1)
  install(FILES ${manuals}/completions/segue
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manuals}/completions/_segue
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manuals}/completions/segue.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

if(TARGET segue)
  install(TARGETS segue RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${bundle} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS segue_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS segue_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/segue)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/segue DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/library DESTINATION ${CMAKE_INSTALL_DATADIR}/segue)
# Side by side, as in the sources, so that links between pages and examples hold.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*-results" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

file(RELATIVE_PATH SG_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REPLACE ";" " " SG_FOREIGN_SHARED "${foreign_shared}")
foreach(form segue segue-static)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${form}.pc.in
    ${PROJECT_BINARY_DIR}/generated/${form}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/${form}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/segue-config.cmake.in
  ${PROJECT_BINARY_DIR}/generated/segue-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/segue
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/segue-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/segue-config.cmake
  ${PROJECT_BINARY_DIR}/generated/segue-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/segue)
