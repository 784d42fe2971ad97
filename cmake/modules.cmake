# One static library a folder, one test program a folder. Files are found by name, so a new source
# or test needs no line here; which folder links which is read from src/layers.txt.

set(SG_INCLUDE_DIRS ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)

function(sg_module name)
  cmake_parse_arguments(M "" "" "DEPS;LINK;SYSTEM_INCLUDE;EXTRA" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
  file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*_test.c)
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  set(lib sg_${name})
  if(sources OR M_EXTRA)
    add_library(${lib} STATIC ${sources} ${M_EXTRA})
    set(scope PUBLIC)
    target_include_directories(${lib} SYSTEM PRIVATE ${M_SYSTEM_INCLUDE})
    set_property(GLOBAL APPEND PROPERTY SG_ARCHIVES ${lib})
  else()
    add_library(${lib} INTERFACE)
    set(scope INTERFACE)
  endif()
  # What is constant while a model runs stays so: no cast takes const away where models are built
  # and evaluated.
  if(NOT scope STREQUAL INTERFACE AND NOT name MATCHES "^(base|syntax|lang|builtins|result)$")
    target_compile_options(${lib} PRIVATE -Wcast-qual)
  endif()
  if(name IN_LIST SG_NUMBERS_ONLY AND SG_HAS_fstack_protector_strong)
    target_compile_options(${lib} PRIVATE -fstack-protector)
  endif()
  target_include_directories(${lib} ${scope} ${SG_INCLUDE_DIRS})
  foreach(dep ${M_DEPS})
    target_link_libraries(${lib} ${scope} sg_${dep})
  endforeach()
  target_link_libraries(${lib} ${scope} ${M_LINK} m)
  if(SG_TESTS AND tests)
    add_executable(${name}_test ${tests} ${PROJECT_SOURCE_DIR}/tests/harness/sg_test.c)
    target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_include_directories(${name}_test SYSTEM PRIVATE ${M_SYSTEM_INCLUDE})
    target_link_libraries(${name}_test PRIVATE ${lib})
    set(scratch ${PROJECT_BINARY_DIR}/tests/unit/${name})
    file(MAKE_DIRECTORY ${scratch}) # for who runs the program by hand
    target_compile_definitions(${name}_test PRIVATE
      SG_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SG_SCRATCH="${scratch}")
    add_test(NAME ${name} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/harness/scratch.sh ${scratch}
      $<TARGET_FILE:${name}_test>)
  endif()
endfunction()

# The model library travels inside the program as bytes, and so does the page.
file(GLOB_RECURSE SG_EMBEDDED_FILES CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/library/*.jl ${PROJECT_SOURCE_DIR}/library/*.json
  ${PROJECT_SOURCE_DIR}/library/*.txt)
list(SORT SG_EMBEDDED_FILES)
set(embedded ${PROJECT_BINARY_DIR}/generated/embedded_data.c)
list(TRANSFORM SG_EMBEDDED_FILES PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE embedded_paths)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/embedded_list.txt
  CONTENT "${SG_EMBEDDED_FILES}\n")
add_custom_command(OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUT=${embedded}
    -D LIST=${PROJECT_BINARY_DIR}/generated/embedded_list.txt
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${embedded_paths} ${PROJECT_BINARY_DIR}/generated/embedded_list.txt
    ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the model library" VERBATIM)
set(SG_EXTRA_natives ${embedded})

# The page is bundled by node. Whether it can be is looked at in every build, so that one without node
# or network goes on, and the next one with it has the page (cmake/page.cmake).
set(page ${PROJECT_BINARY_DIR}/generated/page_template.c)
add_custom_target(page_template BYPRODUCTS ${page}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUT=${page}
    -P ${PROJECT_SOURCE_DIR}/cmake/page.cmake
  COMMENT "The page" VERBATIM)
set_source_files_properties(${page} PROPERTIES GENERATED TRUE)
set(SG_EXTRA_view ${page})

# gcc propagates the next entry of a program through all labels of its interpreter, which takes two
# more instructions for each of them.
if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/program/evaluate.c
    ${PROJECT_SOURCE_DIR}/src/program/plain.c PROPERTIES COMPILE_OPTIONS -fno-tree-forwprop)
endif()

# Loops over numbers, and nothing but those: here the compiler may unroll and use wide registers.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/solver/vector.c
  ${PROJECT_SOURCE_DIR}/src/solver/bodies.c
  ${PROJECT_SOURCE_DIR}/src/program/kernels.c
  ${PROJECT_SOURCE_DIR}/src/math/blocked_lu.c
  ${PROJECT_SOURCE_DIR}/src/contact/area.c
  ${PROJECT_SOURCE_DIR}/src/contact/region.c
  PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")

# These folders see numbers that were read and checked above them, no bytes of a file. Canaries stand in
# front of their texts and not of every small vector whose address is taken, which costs 2 % of a run.
set(SG_NUMBERS_ONLY math program multibody contact solver integration sim shapes collide)
file(GLOB mesh_readers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/shapes/mesh*.c)
if(SG_HAS_fstack_protector_strong)
  set_property(SOURCE ${mesh_readers} APPEND PROPERTY COMPILE_OPTIONS -fstack-protector-strong)
endif()

# What a saved state is known by: all that goes into the library.
file(GLOB_RECURSE identity_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/src/*.c ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/include/*.h)
list(FILTER identity_files EXCLUDE REGEX "_test\\.c$|^src/(cli|adapter)/")
list(APPEND identity_files ${SG_EMBEDDED_FILES})
list(SORT identity_files)
list(TRANSFORM identity_files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE identity_paths)
list(JOIN identity_files "\n" identity_lines)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/identity_list.txt
  CONTENT "${identity_lines}\n")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(identity_how "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR}")
string(APPEND identity_how " ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}")
set(identity ${PROJECT_BINARY_DIR}/generated/api/build_identity.h)
add_custom_command(OUTPUT ${identity}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUT=${identity}
    -D LIST=${PROJECT_BINARY_DIR}/generated/identity_list.txt "-D HOW=${identity_how}"
    -P ${PROJECT_SOURCE_DIR}/cmake/identity.cmake
  DEPENDS ${identity_paths} ${PROJECT_BINARY_DIR}/generated/identity_list.txt
    ${PROJECT_SOURCE_DIR}/cmake/identity.cmake
  COMMENT "The identity of this build" VERBATIM)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/api/model_state.c PROPERTIES
  OBJECT_DEPENDS ${identity} INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/generated)

set(layers_file ${PROJECT_SOURCE_DIR}/src/layers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${layers_file})
file(STRINGS ${layers_file} layers REGEX "^[a-z0-9]+:")
foreach(line ${layers})
  string(REGEX MATCH "^([a-z0-9]+):(.*)$" _ "${line}")
  set(name ${CMAKE_MATCH_1})
  separate_arguments(deps UNIX_COMMAND "${CMAKE_MATCH_2}")
  if(NOT name MATCHES "^(cli|adapter)$")
    sg_module(${name} DEPS ${deps} LINK ${SG_LINK_${name}} EXTRA ${SG_EXTRA_${name}}
      SYSTEM_INCLUDE ${SG_SYSTEM_INCLUDE_${name}})
  endif()
endforeach()

add_dependencies(sg_view page_template)

# The command sees the public headers and nothing else; that src is not even on its include path
# keeps it honest.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.c)
file(GLOB cli_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*_test.c)
list(REMOVE_ITEM cli_sources ${cli_tests})
if(EXISTS ${PROJECT_SOURCE_DIR}/src/cli/main.c)
  add_library(sg_public INTERFACE)
  target_link_libraries(sg_public INTERFACE $<LINK_ONLY:sg_api>)
  target_include_directories(sg_public INTERFACE ${PROJECT_SOURCE_DIR}/include)
  # What is kept back for the end of memory stands in front of malloc, by means of the linker.
  set(reserve ${PROJECT_SOURCE_DIR}/src/cli/reserve.c)
  set(reserve_flags
    LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free)
  set(counts CLI_COUNTS_MALLOC)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR SG_SANITIZE OR SG_THREADS)
    list(REMOVE_ITEM cli_sources ${reserve})
    set(reserve_flags)
    set(counts)
  endif()
  add_executable(segue ${cli_sources})
  target_link_options(segue PRIVATE ${reserve_flags})
  target_compile_definitions(segue PRIVATE ${counts})
  target_link_libraries(segue PRIVATE sg_public)
  target_include_directories(segue PRIVATE ${PROJECT_SOURCE_DIR}/src/cli
    ${PROJECT_BINARY_DIR}/generated/cli)
  add_custom_target(commit_header
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
      -DOUT=${PROJECT_BINARY_DIR}/generated/cli/commit.h -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake
    BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/cli/commit.h VERBATIM)
  add_dependencies(segue commit_header)
  # Studies by the ranks of MPI: the same command beside a main of its own, where MPI is there.
  set(SG_MPI ON CACHE BOOL "build segue-mpi if MPI is found")
  if(SG_MPI AND NOT SG_SANITIZE AND NOT SG_THREADS)
    find_package(MPI QUIET COMPONENTS C)
  endif()
  if(MPI_C_FOUND)
    set(mpi_parts ${cli_sources})
    list(FILTER mpi_parts EXCLUDE REGEX "/main\\.c$")
    add_executable(segue-mpi ${PROJECT_SOURCE_DIR}/src/cli/mpi/main.c ${mpi_parts})
    target_link_options(segue-mpi PRIVATE ${reserve_flags})
    target_compile_definitions(segue-mpi PRIVATE ${counts})
    target_link_libraries(segue-mpi PRIVATE sg_public MPI::MPI_C)
    target_include_directories(segue-mpi PRIVATE ${PROJECT_SOURCE_DIR}/src/cli
      ${PROJECT_BINARY_DIR}/generated/cli)
    add_dependencies(segue-mpi commit_header)
  endif()
  if(SG_TESTS)
    set(cli_parts ${cli_sources})
    list(FILTER cli_parts EXCLUDE REGEX "/(main|reserve)\\.c$")
    add_executable(cli_test ${cli_tests} ${cli_parts} ${PROJECT_SOURCE_DIR}/tests/harness/sg_test.c)
    target_link_libraries(cli_test PRIVATE sg_public)
    target_include_directories(cli_test PRIVATE ${PROJECT_SOURCE_DIR}/src/cli ${PROJECT_SOURCE_DIR}/tests
      ${PROJECT_BINARY_DIR}/generated/cli)
    target_compile_definitions(cli_test PRIVATE SG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_dependencies(cli_test commit_header)
    add_test(NAME cli COMMAND cli_test)
  endif()
endif()
