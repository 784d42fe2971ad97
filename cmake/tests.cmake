# Tests that are not C programs of one folder: the repository itself, model files with their
# expectations in the line, and shell scripts that use the program as a person does.
if(NOT SG_TESTS)
  return()
endif()

set(tests ${PROJECT_SOURCE_DIR}/tests)
# Tests that write have a folder each, which passing tests leave empty.
set(in_scratch sh ${tests}/harness/scratch.sh)

add_test(NAME repo/layers_include_downward
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -P ${tests}/include_direction.cmake)
add_test(NAME repo/layers_an_upward_include_is_found
  COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/self_test
    ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D SELF_TEST=${PROJECT_BINARY_DIR}/tests/self_test
    -P ${tests}/include_direction.cmake)
add_test(NAME repo/layers_have_no_cycles COMMAND sh ${tests}/module_cycles.sh ${PROJECT_SOURCE_DIR})
add_test(NAME repo/layers_a_cycle_is_found
  COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/module_cycles
    sh ${tests}/module_cycles.sh --self ${PROJECT_BINARY_DIR}/tests/module_cycles)

add_test(NAME repo/committed_files_are_clean COMMAND sh ${tests}/repository.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(repo/committed_files_are_clean PROPERTIES SKIP_RETURN_CODE 77)

add_test(NAME repo/names_in_pages_exist COMMAND sh ${tests}/names_in_pages.sh ${PROJECT_SOURCE_DIR})
add_test(NAME repo/a_wrong_name_in_a_page_is_found
  COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/names_in_pages
    sh ${tests}/names_in_pages.sh --self ${PROJECT_BINARY_DIR}/tests/names_in_pages)
add_test(NAME repo/leftovers_are_found
  COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/leftovers
    sh ${tests}/repository.sh --self ${PROJECT_BINARY_DIR}/tests/leftovers)

# Headers: each compiles alone, all compile together, and no name of a type is given twice. The
# public ones serve C++ as well; a program there calls a function of each.
include(CheckLanguage)
if(CMAKE_C_COMPILER_ID MATCHES Clang AND NOT CMAKE_CXX_COMPILER)
  find_program(SG_CLANGXX NAMES clang++ clang++-14) # of the same family: sanitizers do not mix
  mark_as_advanced(SG_CLANGXX)
  if(SG_CLANGXX)
    set(CMAKE_CXX_COMPILER ${SG_CLANGXX})
  endif()
endif()
check_language(CXX)
set(header_flags "-I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include")
foreach(folder ${SG_SYSTEM_INCLUDE_solver})
  string(APPEND header_flags " -isystem ${folder}")
endforeach()
foreach(mode alone together types usage self)
  set(scratch ${PROJECT_BINARY_DIR}/tests/headers_${mode})
  add_test(NAME repo/headers_${mode} COMMAND ${in_scratch} ${scratch}
    sh ${tests}/headers/check.sh ${mode} ${PROJECT_SOURCE_DIR} ${scratch})
  set_tests_properties(repo/headers_${mode} PROPERTIES
    ENVIRONMENT "CC=${CMAKE_C_COMPILER};CXX=$<$<BOOL:${CMAKE_CXX_COMPILER}>:${CMAKE_CXX_COMPILER}>;FLAGS=${header_flags}")
endforeach()
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  add_executable(link_cpp ${tests}/headers/link.cpp)
  set_target_properties(link_cpp PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
  target_include_directories(link_cpp PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(link_cpp PRIVATE $<LINK_ONLY:sg_api> m)
  add_test(NAME repo/a_cpp_program_links COMMAND link_cpp)
else()
  add_test(NAME repo/a_cpp_program_links COMMAND sh -c "echo no C++ compiler; exit 77")
  set_tests_properties(repo/a_cpp_program_links PROPERTIES SKIP_RETURN_CODE 77)
endif()

# Not under the sanitizers: the archive then wants their runtime, which a stranger does not link.
if(NOT SG_SANITIZE AND NOT SG_COVERAGE AND NOT SG_THREADS)
  add_test(NAME repo/embed_the_installed_library_serves_strangers
    COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/install
      sh ${tests}/library/install.sh ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/tests/install
      ${tests}/library)
  add_test(NAME repo/symbols_are_those_of_the_headers
    COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/symbols
      sh ${tests}/library/symbols.sh ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/tests/symbols
      ${PROJECT_SOURCE_DIR}/include/segue)
  # Both build the library first.
  set_tests_properties(repo/embed_the_installed_library_serves_strangers
    repo/symbols_are_those_of_the_headers PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77
    RESOURCE_LOCK libsegue)
endif()

# Handles in many threads under the thread sanitizer, which takes a build of its own.
if(NOT SG_SANITIZE AND NOT SG_COVERAGE AND NOT SG_THREADS)
  add_test(NAME long/threads_share_nothing COMMAND sh ${tests}/library/threads.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/tests/threads)
  set_tests_properties(long/threads_share_nothing PROPERTIES LABELS long TIMEOUT 3600)
endif()

# The same test as in `make test`, at ten times as many moments.
if(TARGET result_test)
  add_test(NAME long/result_kill COMMAND result_test killed)
  set_tests_properties(long/result_kill PROPERTIES LABELS long ENVIRONMENT "SG_KILLS=200")
endif()

# Another version of clang-format sees things differently, so only the one of the style page judges.
add_test(NAME repo/files_are_formatted COMMAND sh ${tests}/formatting.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(repo/files_are_formatted PROPERTIES SKIP_RETURN_CODE 77)

add_executable(json_get ${tests}/harness/json_get.c)
target_link_libraries(json_get PRIVATE ${SG_JANSSON})
add_executable(expect ${tests}/harness/expect.c)
add_executable(stop ${tests}/harness/stop.c)
add_executable(fail_loop ${tests}/harness/fail_loop.c)
add_executable(count_mallocs ${tests}/harness/count_mallocs.c)
target_include_directories(count_mallocs PRIVATE ${PROJECT_SOURCE_DIR}/include ${tests})
target_link_libraries(count_mallocs PRIVATE $<LINK_ONLY:sg_api> m)
# With an arena of its own, so that each request can be refused and not just some.
add_executable(refused_memory ${tests}/harness/refused_memory.c
  ${PROJECT_SOURCE_DIR}/src/base/arena.c)
target_compile_definitions(refused_memory PRIVATE SG_TINY_BLOCKS)
target_include_directories(refused_memory PRIVATE ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(refused_memory PRIVATE $<LINK_ONLY:sg_api> m)
add_executable(saved_runs ${tests}/harness/saved_runs.c)
target_include_directories(saved_runs PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(saved_runs PRIVATE $<LINK_ONLY:sg_api> m)
add_executable(wall_probe ${tests}/harness/wall_probe.c)
target_include_directories(wall_probe PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(wall_probe PRIVATE $<LINK_ONLY:sg_wall>)
add_executable(sweep ${tests}/sweep/sweep.c ${tests}/sweep/watched.c
  ${tests}/sweep/random_models.c)
target_include_directories(sweep PRIVATE ${PROJECT_SOURCE_DIR}/include ${tests})
target_link_libraries(sweep PRIVATE $<LINK_ONLY:sg_api> m)
foreach(ahead failing_malloc no_nameless_files) # of the C library
  add_library(${ahead} MODULE ${tests}/harness/${ahead}.c)
  set_target_properties(${ahead} PROPERTIES PREFIX "" SUFFIX .so C_VISIBILITY_PRESET default)
  target_compile_options(${ahead} PRIVATE -fvisibility=default)
endforeach()
add_test(NAME repo/the_judge_of_model_files_judges_rightly COMMAND
  ${in_scratch} ${PROJECT_BINARY_DIR}/tests/expect_test
  sh ${tests}/harness/expect_test.sh $<TARGET_FILE:expect> ${PROJECT_BINARY_DIR}/tests/expect_test)

# A million random pairs against the oracle, and ten million calls with any numbers. A hundred
# million calls: SG_CALLS=100000000 build/collide_test any_call.
if(TARGET collide_test)
  add_test(NAME long/a_million_random_pairs COMMAND collide_test a_million)
  add_test(NAME long/ten_million_calls COMMAND collide_test any_call)
  set_tests_properties(long/a_million_random_pairs long/ten_million_calls PROPERTIES LABELS long
    TIMEOUT 1500 ENVIRONMENT "SG_PAIRS=1000000;SG_CALLS=10000000")
endif()

# Damaged mesh files in the hands of our own readers.
add_executable(mesh_readers ${tests}/mesh_readers.c ${PROJECT_SOURCE_DIR}/fuzz/mesh_check.c)
target_include_directories(mesh_readers PRIVATE ${PROJECT_SOURCE_DIR}/fuzz)
target_link_libraries(mesh_readers PRIVATE sg_multibody sg_view)
add_test(NAME mesh_readers COMMAND mesh_readers ${PROJECT_SOURCE_DIR}/fuzz/corpus 800)

# The C programs of the documentation: against the public headers alone, and run.
file(GLOB embed_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/embed/*.c)
foreach(source ${embed_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(embed_${name} ${source})
  target_include_directories(embed_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(embed_${name} PRIVATE $<LINK_ONLY:sg_api> m)
  add_test(NAME examples/embed_${name} COMMAND embed_${name})
endforeach()

# Results in the hands of libraries that know nothing of Segue.
add_executable(write_sample ${tests}/readers/write_sample.c
  ${PROJECT_SOURCE_DIR}/src/result/sample_test.c)
target_link_libraries(write_sample PRIVATE sg_result)
target_compile_definitions(write_sample PRIVATE SG_SCRATCH="${PROJECT_BINARY_DIR}/tests/readers")
foreach(format mat csv json arrow)
  set(name readers/${format}_files_are_read_by_others)
  add_test(NAME ${name} COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/readers/${format}
    sh ${tests}/readers/read.sh $<TARGET_FILE:write_sample> ${format}
    ${PROJECT_BINARY_DIR}/tests/readers)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

# From here on the program is needed.
if(NOT TARGET segue)
  message(STATUS "no command yet (src/cli is empty): its tests are left out")
  return()
endif()

add_test(NAME readers/animations_are_read_by_three_js COMMAND ${in_scratch}
  ${PROJECT_BINARY_DIR}/tests/readers/three sh ${tests}/readers/read.sh $<TARGET_FILE:segue> three ${PROJECT_BINARY_DIR}/tests/readers)
set_tests_properties(readers/animations_are_read_by_three_js PROPERTIES SKIP_RETURN_CODE 77)

add_test(NAME readers/glb_files_pass_the_validator COMMAND ${in_scratch}
  ${PROJECT_BINARY_DIR}/tests/readers/glb sh ${tests}/readers/read.sh $<TARGET_FILE:segue> glb ${PROJECT_BINARY_DIR}/tests/readers)
set_tests_properties(readers/glb_files_pass_the_validator PROPERTIES SKIP_RETURN_CODE 77)

# The page in a real browser (tests/page); .ci/run has a shorter one.
find_program(SG_NODE NAMES node nodejs)
mark_as_advanced(SG_NODE)
if(SG_NODE)
  add_test(NAME page/in_a_browser COMMAND ${SG_NODE} ${tests}/page/page.mjs)
  add_test(NAME page/contacts_in_a_browser COMMAND ${SG_NODE} ${tests}/page/contacts.mjs)
  add_test(NAME page/a_study_in_a_browser COMMAND ${SG_NODE} ${tests}/page/study.mjs)
  set_tests_properties(page/in_a_browser page/contacts_in_a_browser page/a_study_in_a_browser PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 900
    ENVIRONMENT "SEGUE=$<TARGET_FILE:segue>;SG_BINARY_DIR=${PROJECT_BINARY_DIR};SG_SKIP_STATUS=77")
endif()

# What cmake/hardening.cmake asked for, read from the program.
set(hardening)
foreach(pair protector:SG_HAS_fstack_protector_strong clash:SG_HAS_fstack_clash_protection
    control:SG_HAS_fcf_protection_full relro:SG_LINKS_relro now:SG_LINKS_now fortify:SG_FORTIFIED)
  string(REGEX MATCH "^(.*):(.*)$" _ ${pair})
  if(${CMAKE_MATCH_2})
    string(APPEND hardening " ${CMAKE_MATCH_1}")
  endif()
endforeach()
add_test(NAME repo/hardening COMMAND sh ${tests}/hardening.sh $<TARGET_FILE:segue> "${hardening}")
set_tests_properties(repo/hardening PROPERTIES SKIP_RETURN_CODE 77)

function(sg_model_file_tests folder)
  file(GLOB files CONFIGURE_DEPENDS ${tests}/${folder}/*.jl)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    set(scratch ${PROJECT_BINARY_DIR}/tests/${folder}/${name})
    add_test(NAME ${folder}/${name} COMMAND ${in_scratch} ${scratch} $<TARGET_FILE:expect>
      $<TARGET_FILE:segue> ${file} ${scratch})
  endforeach()
endfunction()

# Scripts name themselves long with a line "# label: long".
function(sg_script_tests folder)
  file(GLOB files CONFIGURE_DEPENDS ${tests}/${folder}/*.sh)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME ${folder}/${name} COMMAND
      ${in_scratch} ${PROJECT_BINARY_DIR}/tests/${folder}/${name} sh ${tests}/harness/script.sh ${file})
    set_tests_properties(${folder}/${name} PROPERTIES SKIP_RETURN_CODE 77
      ENVIRONMENT "SG_SLOWNESS=$<IF:$<BOOL:${SG_SANITIZE}>,20,1>;SEGUE=$<TARGET_FILE:segue>;SG_SOURCE_DIR=${PROJECT_SOURCE_DIR};SG_BINARY_DIR=${PROJECT_BINARY_DIR}")
    file(STRINGS ${file} label REGEX "^# label: ")
    if(label)
      string(REGEX REPLACE "^# label: " "" label "${label}")
      set_tests_properties(${folder}/${name} PROPERTIES LABELS "${label}")
    endif()
  endforeach()
endfunction()

# FMUs of model exchange under a foreign solver: an importer of our own over CVODE (tests/fmi).
if(NOT SG_SANITIZE AND NOT SG_COVERAGE AND NOT SG_THREADS AND NOT SG_FUZZ)
  add_executable(fmu_importer ${tests}/fmi/importer.c)
  target_include_directories(fmu_importer PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(fmu_importer PRIVATE _XOPEN_SOURCE=700) # nftw
  foreach(lib nvecserial sunmatrixdense sunlinsoldense generic)
    find_library(SG_SUNDIALS_${lib} sundials_${lib})
    mark_as_advanced(SG_SUNDIALS_${lib})
    list(APPEND importer_libs ${SG_SUNDIALS_${lib}})
  endforeach()
  target_link_libraries(fmu_importer PRIVATE sg_fmi ${SG_SUNDIALS_cvode} ${importer_libs}
    ${SG_SUNDIALS_generic} m ${CMAKE_DL_LIBS})
  # All models of the list; cli/fmus_of_models has a sample.
  add_test(NAME long/fmu_check COMMAND ${in_scratch} ${PROJECT_BINARY_DIR}/tests/fmu_check
    /usr/bin/python3 ${tests}/fmi/check.py --segue $<TARGET_FILE:segue>
    --tools ${PROJECT_SOURCE_DIR}/../shared/tools/fmi --importer $<TARGET_FILE:fmu_importer>
    --scratch ${PROJECT_BINARY_DIR}/tests/fmu_check ${tests}/fmi/models.txt)
  set_tests_properties(long/fmu_check PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 5400)
endif()

# The figures that examples/systems quote, computed once more by SciPy.
add_test(NAME long/library_systems_by_scipy COMMAND /usr/bin/python3 ${tests}/peers/systems.py)
set_tests_properties(long/library_systems_by_scipy PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 900)

# Parts of the library run in the tests that name them.
add_test(NAME long/library_parts_run COMMAND sh ${tests}/harness/script.sh ${tests}/library/parts_run.sh)
set_tests_properties(long/library_parts_run PROPERTIES LABELS long TIMEOUT 900 ENVIRONMENT
  "SEGUE=$<TARGET_FILE:segue>;SG_SOURCE_DIR=${PROJECT_SOURCE_DIR};SG_BINARY_DIR=${PROJECT_BINARY_DIR}")

# Studies by queues of jobs and by ranks: with daemons that the tests start and end.
foreach(name slurm mpi)
  add_test(NAME long/study_on_${name} COMMAND sh ${tests}/harness/script.sh ${tests}/studies/${name}.sh)
  set_tests_properties(long/study_on_${name} PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 900
    RUN_SERIAL TRUE ENVIRONMENT
    "SEGUE=$<TARGET_FILE:segue>;SG_SOURCE_DIR=${PROJECT_SOURCE_DIR};SG_BINARY_DIR=${PROJECT_BINARY_DIR}")
endforeach()

# What is said about mistakes: several small scripts a file.
file(GLOB files CONFIGURE_DEPENDS ${tests}/mistakes/*.jl)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  add_test(NAME mistakes/${name} COMMAND
    ${in_scratch} ${PROJECT_BINARY_DIR}/tests/mistakes/${name} sh ${tests}/harness/mistakes.sh ${file})
  set_tests_properties(mistakes/${name} PROPERTIES
    ENVIRONMENT "SEGUE=$<TARGET_FILE:segue>;SG_BINARY_DIR=${PROJECT_BINARY_DIR}")
endforeach()

sg_model_file_tests(lang)
sg_model_file_tests(regress)
sg_script_tests(cli)
sg_script_tests(regress)

# Models whose checks stand in the file (requiredFinalStates, @test), and every example: run from
# top to bottom, and read by `segue check` too.
function(sg_run_tests folder)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.jl)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    get_filename_component(group ${folder} NAME)
    set(out ${PROJECT_BINARY_DIR}/tests/${folder}/${name})
    add_test(NAME ${group}/${name} COMMAND
      ${in_scratch} ${out} $<TARGET_FILE:segue> run -q -o ${out} ${file})
    add_test(NAME ${group}/check_${name} COMMAND segue check -q ${file})
  endforeach()
endfunction()

sg_run_tests(tests/models)
file(GLOB topics CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*)
foreach(topic ${topics})
  file(RELATIVE_PATH topic ${PROJECT_SOURCE_DIR} ${topic})
  if(NOT topic MATCHES "^examples/(component|fmu)$")
    sg_run_tests(${topic})
  endif()
endforeach()

# Patterns of Jacobians, tried by differences: some here, all examples among the long tests.
file(GLOB tried CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*/*.jl ${tests}/models/flat*.jl)
list(FILTER tried EXCLUDE REGEX "examples/(component|fmu)/")
foreach(file ${tried})
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
  string(REGEX REPLACE "^(tests|examples)/|\\.jl$" "" name ${name})
  set(out ${PROJECT_BINARY_DIR}/tests/patterns/${name})
  add_test(NAME patterns/${name} COMMAND
    ${in_scratch} ${out} $<TARGET_FILE:segue> run -q --check-patterns -o ${out} ${file})
  if(NOT name MATCHES "/(stewart|trios|servo_arm|heated_chain|crates|two_stage_rocket)$")
    set_tests_properties(patterns/${name} PROPERTIES LABELS long)
  endif()
endforeach()

# No refusal that a converged run contradicts (tests/sweep): a part of it here, all examples, all
# models of the tests and 100 random ones among the long tests.
function(sg_sweep_test name seconds)
  string(REPLACE / _ folder ${name})
  set(scratch ${PROJECT_BINARY_DIR}/tests/sweep/${folder})
  file(MAKE_DIRECTORY ${scratch})
  add_test(NAME ${name} COMMAND ${in_scratch} ${scratch}
    sh -c "cd \"$1\" && shift && exec \"$@\"" sh ${scratch} $<TARGET_FILE:sweep> ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds})
endfunction()
sg_sweep_test(sweep/false_alarm_sample 300 --one --random 0 20
  ${PROJECT_SOURCE_DIR}/examples/first/rc_filter.jl ${PROJECT_SOURCE_DIR}/examples/events/stick_slip.jl)
foreach(first RANGE 0 90 10)
  sg_sweep_test(long/sweep_random_${first} 600 --random ${first} 10)
  set_tests_properties(long/sweep_random_${first} PROPERTIES LABELS long)
endforeach()
file(GLOB swept CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*/*.jl ${tests}/models/*.jl
  ${tests}/regress/*.jl)
list(FILTER swept EXCLUDE REGEX "examples/(component|fmu)/") # need libraries of others
foreach(file ${swept})
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
  string(REGEX REPLACE "^tests/|\\.jl$" "" name ${name})
  sg_sweep_test(long/sweep_${name} 900 ${file})
  set_tests_properties(long/sweep_${name} PROPERTIES LABELS long)
endforeach()

# States saved at random times and restored by another process: the same bits. A sample here, every
# model of the tests and examples among the long tests.
function(sg_saved_test name seed)
  string(REPLACE / _ folder ${name})
  set(scratch ${PROJECT_BINARY_DIR}/tests/${folder})
  add_test(NAME ${name} COMMAND ${in_scratch} ${scratch} $<TARGET_FILE:saved_runs> ${seed} ${scratch} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endfunction()
set(saved_sample events/dead_time events/stick_slip mechanics/cartesian_pendulum contact/two_balls
  thesis/heated_rod robots/gripping_robot)
list(TRANSFORM saved_sample PREPEND ${PROJECT_SOURCE_DIR}/examples/)
list(APPEND saved_sample ${tests}/models/segments_of_components ${tests}/models/actions_joint
  ${tests}/models/carried_unknowns)
list(TRANSFORM saved_sample APPEND .jl)
sg_saved_test(saved_runs/state_sample 1 ${saved_sample})
foreach(file ${swept})
  if(NOT file MATCHES /regress/)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
    string(REGEX REPLACE "^tests/|\\.jl$" "" name ${name})
    sg_saved_test(long/saved_runs/${name} 2 ${file})
    set_tests_properties(long/saved_runs/${name} PROPERTIES LABELS long)
  endif()
endforeach()

# Three output intervals: the same runs, bit for bit. cli/the_interval_changes_no_step has a sample; every model of the tests and
# examples is among the long tests, but one whose second run reads what the first one stored.
foreach(file ${swept})
  if(NOT file MATCHES "/regress/|/sources_and_filters")
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
    string(REGEX REPLACE "^tests/|\\.jl$" "" name ${name})
    set(scratch ${PROJECT_BINARY_DIR}/tests/interval/${name})
    file(MAKE_DIRECTORY ${scratch})
    add_test(NAME long/interval_${name} COMMAND ${in_scratch} ${scratch}
      sh -c "cd \"$1\" && shift && exec \"$@\"" sh ${scratch} sh ${tests}/harness/intervals.sh $<TARGET_FILE:segue> ${file})
    set_tests_properties(long/interval_${name} PROPERTIES LABELS long TIMEOUT 1800)
  endif()
endforeach()

# Memory that is refused, once or from then on, over all examples: a sample here, all among the long
# tests. tests/cli/failing_allocations_are_told.sh does the same to the command.
function(sg_refused_test name kind samples)
  string(REPLACE / _ folder ${name})
  set(scratch ${PROJECT_BINARY_DIR}/tests/refused/${folder})
  add_test(NAME ${name} COMMAND ${in_scratch} ${scratch} $<TARGET_FILE:refused_memory> ${kind} ${samples}
    ${scratch} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 5400) # a shared machine took 1380 s for contacts
endfunction()
set(sample first/rc_filter.jl events/bouncing_ball.jl contact/two_balls.jl mechanics/trapeze.jl
  loops/fourbar.jl robots/inverse_dynamics.jl) # the last has no states
list(TRANSFORM sample PREPEND ${PROJECT_SOURCE_DIR}/examples/)
foreach(kind once forever)
  sg_refused_test(examples/memory_refused_${kind}_sample ${kind} 12 ${sample})
  # A model so small that requests come close together: a quarter of them here, then each.
  set(small ${tests}/models/scenes/ball_above_plate.jl)
  sg_refused_test(models/memory_refused_${kind}_small ${kind} 700 ${small})
  sg_refused_test(long/memory_refused_${kind}_small ${kind} 0 ${small})
  set_tests_properties(long/memory_refused_${kind}_small PROPERTIES LABELS long)
  foreach(topic ${topics})
    get_filename_component(name ${topic} NAME)
    file(GLOB files CONFIGURE_DEPENDS ${topic}/*.jl)
    if(files AND NOT name MATCHES "^(component|fmu)$")
      set(samples 60)
      if(name STREQUAL first) # where a run takes a hundredth of a second, all
        set(samples 0)
      endif()
      sg_refused_test(long/memory_refused_${kind}_${name} ${kind} ${samples} ${files})
      set_tests_properties(long/memory_refused_${kind}_${name} PROPERTIES LABELS long)
    endif()
  endforeach()
endforeach()

# Every example in every format, `make test-long` runs these under the sanitizers, too; and under a
# command whose allocations fail.
foreach(topic ${topics})
  get_filename_component(name ${topic} NAME)
  file(GLOB files CONFIGURE_DEPENDS ${topic}/*.jl)
  if(files AND NOT name MATCHES "^(component|fmu)$")
    add_test(NAME long/formats_${name} COMMAND sh ${tests}/harness/script.sh
      ${tests}/models/scenes/formats_of_all.sh ${name})
    add_test(NAME long/failing_allocations_${name} COMMAND sh ${tests}/harness/script.sh
      ${tests}/models/scenes/failing_of_all.sh ${name})
    set_tests_properties(long/formats_${name} long/failing_allocations_${name} PROPERTIES LABELS long
      TIMEOUT 5400 SKIP_RETURN_CODE 77
      ENVIRONMENT "SG_SLOWNESS=$<IF:$<BOOL:${SG_SANITIZE}>,20,1>;SEGUE=$<TARGET_FILE:segue>;SG_SOURCE_DIR=${PROJECT_SOURCE_DIR};SG_BINARY_DIR=${PROJECT_BINARY_DIR}")
  endif()
endforeach()

# A component in a shared library, made from nothing but the public headers.
add_library(example_rod MODULE ${PROJECT_SOURCE_DIR}/examples/component/rod.c)
target_include_directories(example_rod PRIVATE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(example_rod PROPERTIES PREFIX "" OUTPUT_NAME rod)
set(rod ${PROJECT_SOURCE_DIR}/examples/component/heated_rod.jl)
set(out ${PROJECT_BINARY_DIR}/tests/examples/component/heated_rod)
add_test(NAME component/heated_rod COMMAND ${in_scratch} ${out}
  $<TARGET_FILE:segue> run -q --component $<TARGET_FILE:example_rod> -o ${out} ${rod})
add_test(NAME component/check_heated_rod
  COMMAND segue check -q --component $<TARGET_FILE:example_rod> ${rod})
