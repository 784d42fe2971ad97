# Segue in Python: the extension module, and the wheel around it (python/README.md). Nothing of it is
# built by `make` or `make test` where Python's headers are missing.
set(SG_PYTHON "" CACHE FILEPATH "the Python whose headers the extension module is built with")
if(SG_SANITIZE OR SG_THREADS OR SG_COVERAGE OR NOT TARGET segue)
  return()
endif()

# The first interpreter that has its headers. Which one makes no difference to the module: it is made
# for the limited API of 3.9.
set(python_include)
if(SG_PYTHON) # this one, or none: SG_PYTHON=none builds as where there are no headers
  set(candidates ${SG_PYTHON})
else()
  set(candidates python3 /usr/bin/python3)
endif()
foreach(candidate ${candidates})
  execute_process(COMMAND ${candidate} -c
      "import sysconfig, sys; print(sysconfig.get_paths()['include']); sys.exit(sys.version_info < (3, 9))"
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND EXISTS "${folder}/Python.h")
    set(python_include ${folder})
    set(SG_PYTHON_FOUND ${candidate})
    break()
  endif()
endforeach()
# Tests of the package skip where it cannot be built, and say so.
function(sg_python_test name)
  add_test(NAME python/${name} COMMAND ${ARGN})
  set_tests_properties(python/${name} PROPERTIES SKIP_RETURN_CODE 77 FIXTURES_REQUIRED python_wheel)
endfunction()
if(NOT python_include)
  set(SG_PYTHON_MISSING "no headers of Python (the package python3-dev of Debian): tools/setup wheel installs them")
  message(STATUS "the wheel is not built: ${SG_PYTHON_MISSING}")
  add_custom_target(wheel COMMAND ${CMAKE_COMMAND} -E echo "${SG_PYTHON_MISSING}" COMMAND false VERBATIM)
  if(SG_TESTS)
    add_test(NAME python/wheel COMMAND sh -c "echo '${SG_PYTHON_MISSING}'; exit 77")
    set_tests_properties(python/wheel PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  return()
endif()

file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.c)
add_library(segue_python MODULE EXCLUDE_FROM_ALL ${python_sources})
set_target_properties(segue_python PROPERTIES PREFIX "" OUTPUT_NAME _segue SUFFIX .abi3.so
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
target_compile_definitions(segue_python PRIVATE Py_LIMITED_API=0x03090000)
# Python's tables hold functions as pointers to data.
target_compile_options(segue_python PRIVATE -Wno-pedantic)
target_include_directories(segue_python PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_include_directories(segue_python SYSTEM PRIVATE ${python_include})
# All of Segue inside, and none of its names outside.
target_link_libraries(segue_python PRIVATE ${bundle} ${foreign_shared} m ${CMAKE_DL_LIBS})
target_link_options(segue_python PRIVATE LINKER:--exclude-libs,ALL)
add_dependencies(segue_python bundle_object)

file(GLOB_RECURSE python_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/segue/*.py
  ${PROJECT_SOURCE_DIR}/python/segue/*.pyi)
set(wheel_done ${PROJECT_BINARY_DIR}/python/wheel.txt)
add_custom_command(OUTPUT ${wheel_done}
  COMMAND ${SG_PYTHON_FOUND} ${PROJECT_SOURCE_DIR}/python/wheel.py --version ${PROJECT_VERSION}
    --module $<TARGET_FILE:segue_python> --command $<TARGET_FILE:segue>
    --objcopy ${CMAKE_OBJCOPY} --source ${PROJECT_SOURCE_DIR} --to ${PROJECT_BINARY_DIR}/python
    --name ${wheel_done}
  DEPENDS segue_python segue ${python_files} ${PROJECT_SOURCE_DIR}/python/wheel.py
  COMMENT "The wheel" VERBATIM)
add_custom_target(wheel DEPENDS ${wheel_done})

if(NOT SG_TESTS)
  return()
endif()
# The wheel in a fresh environment, without network; the other tests use that.
set(python_tests ${PROJECT_SOURCE_DIR}/python/tests)
set(environment ${PROJECT_BINARY_DIR}/python/environment)
add_test(NAME python/wheel COMMAND sh ${python_tests}/install.sh ${PROJECT_BINARY_DIR} ${environment})
set_tests_properties(python/wheel PROPERTIES SKIP_RETURN_CODE 77 FIXTURES_SETUP python_wheel
  RESOURCE_LOCK libsegue TIMEOUT 600)
set(in_environment env PYTHONDONTWRITEBYTECODE=1 ${environment}/bin/python)
sg_python_test(package ${in_environment} ${python_tests}/test_segue.py)
sg_python_test(symbols ${in_environment} ${python_tests}/check_symbols.py
  $<TARGET_FILE_DIR:segue_python>/_segue.abi3.so ${python_tests}/stable_abi.txt)
sg_python_test(symbols_self ${in_environment} ${python_tests}/check_symbols.py --self)
sg_python_test(types sh ${python_tests}/types.sh ${PROJECT_SOURCE_DIR} ${environment}
  ${PROJECT_BINARY_DIR}/python/types)
sg_python_test(ten_thousand_loads env SG_LOADS=10000 ${environment}/bin/python
  ${python_tests}/test_segue.py Memory)
set_tests_properties(python/ten_thousand_loads PROPERTIES LABELS long TIMEOUT 3600)
sg_python_test(notebook sh ${python_tests}/notebook.sh ${environment} ${PROJECT_BINARY_DIR}/python/notebook)
set_tests_properties(python/notebook PROPERTIES LABELS long TIMEOUT 600)
file(GLOB python_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/python/*.py)
foreach(file ${python_examples})
  get_filename_component(name ${file} NAME_WE)
  sg_python_test(example_${name} ${in_environment} ${file})
endforeach()
