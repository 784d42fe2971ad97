# Each fuzz/fuzz_*.c defines LLVMFuzzerTestOneInput. With SG_FUZZ it becomes a libFuzzer program;
# otherwise a plain program that replays files, so that CTest runs the corpus in every build.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c)
set(fuzz_shared ${PROJECT_SOURCE_DIR}/fuzz/mutate.c ${PROJECT_SOURCE_DIR}/fuzz/mesh_check.c
  ${PROJECT_SOURCE_DIR}/fuzz/robot_check.c
  ${PROJECT_SOURCE_DIR}/fuzz/mend.c ${PROJECT_SOURCE_DIR}/fuzz/round_trip.c)
add_custom_target(fuzz_targets)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  if(SG_FUZZ)
    add_executable(${name} ${source} ${fuzz_shared})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  elseif(SG_TESTS)
    add_executable(${name} ${source} ${fuzz_shared} ${PROJECT_SOURCE_DIR}/fuzz/replay.c)
    add_test(NAME fuzz/${name}_replays_its_corpus
      COMMAND ${name} ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name})
  else()
    continue()
  endif()
  target_link_libraries(${name} PRIVATE sg_api)
  add_dependencies(fuzz_targets ${name})
endforeach()
