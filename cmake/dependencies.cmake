# The libraries we stand on. Debian ships static archives of all of them, and we prefer those, so
# that the program needs nothing but libc where it runs. A plain search keeps this in one place.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)

# Debian's SUNDIALS is compiled without optimization, which makes small stiff runs up to half as long again
# (docs/performance.md). tools/sundials compiles the same sources with it.
set(SG_SUNDIALS_DIR "" CACHE PATH "folder with archives of SUNDIALS 6.4 to use instead of the system's")

function(sg_find_archive var)
  find_library(${var} NAMES ${ARGN})
  mark_as_advanced(${var})
  if(NOT ${var})
    message(FATAL_ERROR "library ${ARGN} not found; tools/setup demo installs it")
  endif()
endfunction()

# Vectors, matrices and linear solvers are ours (src/solver/vector.h, linear.c), so that their speed
# does not depend on how a distribution compiled them.
foreach(lib cvode ida arkode sunnonlinsolnewton sunnonlinsolfixedpoint)
  if(SG_SUNDIALS_DIR)
    set(SG_SUNDIALS_${lib} ${SG_SUNDIALS_DIR}/libsundials_${lib}.a)
    if(NOT EXISTS ${SG_SUNDIALS_${lib}})
      message(FATAL_ERROR "no ${SG_SUNDIALS_${lib}}; tools/sundials makes it")
    endif()
  else()
    sg_find_archive(SG_SUNDIALS_${lib} sundials_${lib})
  endif()
  list(APPEND SG_SUNDIALS_LIBS ${SG_SUNDIALS_${lib}})
endforeach()
foreach(lib klu amd colamd btf suitesparseconfig)
  sg_find_archive(SG_SUITESPARSE_${lib} ${lib})
  list(APPEND SG_SUITESPARSE_LIBS ${SG_SUITESPARSE_${lib}})
endforeach()
sg_find_archive(SG_JANSSON jansson)
sg_find_archive(SG_QHULL qhullstatic_r)
sg_find_archive(SG_ZLIB z)
sg_find_archive(SG_EXPAT expat)
find_path(SG_SUITESPARSE_INCLUDE klu.h PATH_SUFFIXES suitesparse)
mark_as_advanced(SG_SUITESPARSE_INCLUDE)

# What each folder links from outside; the folders among themselves are in src/layers.txt.
set(SG_LINK_shapes ${SG_QHULL} ${CMAKE_DL_LIBS})
set(SG_LINK_math ${SG_SUITESPARSE_LIBS})
set(SG_SYSTEM_INCLUDE_math ${SG_SUITESPARSE_INCLUDE})
set(SG_LINK_solver ${SG_SUNDIALS_LIBS} ${SG_SUITESPARSE_LIBS})
set(SG_SYSTEM_INCLUDE_solver ${SG_SUITESPARSE_INCLUDE})
set(SG_LINK_result ${SG_JANSSON})
set(SG_LINK_fmi ${SG_ZLIB})
set(SG_LINK_xml ${SG_EXPAT})
set(SG_LINK_fmu ${CMAKE_DL_LIBS})
set(SG_LINK_view ${CMAKE_DL_LIBS})
set(SG_LINK_natives ${CMAKE_DL_LIBS})
set(SG_LINK_api ${SG_JANSSON})
