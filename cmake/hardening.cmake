# What compiler and linker put between a mistake in memory and its use: canaries on the stack, checked
# copies, stacks that grow page by page, tables of addresses that nobody writes once the program runs,
# addresses that differ from start to start, and marks where an indirect jump may land. Each where the
# compiler knows it; tests/hardening.sh reads them from the binary. Sanitizers find more, and
# _FORTIFY_SOURCE stands in their way.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
  string(MAKE_C_IDENTIFIER "SG_HAS${flag}" known)
  # clang takes what its target has not, and says so.
  set(CMAKE_REQUIRED_FLAGS -Werror)
  check_c_compiler_flag(${flag} ${known})
  unset(CMAKE_REQUIRED_FLAGS)
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()

# 3 also checks sizes that are known only when the program runs; older C libraries warn of it.
if(NOT SG_SANITIZE AND NOT SG_COVERAGE AND NOT SG_THREADS)
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_c_source_compiles("#include <string.h>\nint main(void) { return (int)strlen(\"\"); }"
    SG_HAS_FORTIFY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    set(SG_FORTIFIED ON)
  endif()
  add_compile_options("$<$<NOT:$<CONFIG:Debug>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$<IF:$<BOOL:${SG_HAS_FORTIFY_3}>,3,2>>")
endif()

foreach(flag relro now noexecstack)
  check_linker_flag(C "LINKER:-z,${flag}" SG_LINKS_${flag})
  if(SG_LINKS_${flag})
    add_link_options("LINKER:-z,${flag}")
  endif()
endforeach()
