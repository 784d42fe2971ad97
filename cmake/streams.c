// Standard streams for the foreign code within the library.
//
// Distributions compile static archives for programs, not for shared libraries: qhull and jansson
// there reach stdin and stderr by their distance, which nobody knows when a shared library is made.
// So these names lead to variables of the library itself (cmake/install.cmake), which are set when
// it is loaded. This file is linked behind that, so that here they are those of the C library.
#include <stdio.h>

extern FILE *sg_foreign_stdin, *sg_foreign_stderr;
FILE *sg_foreign_stdin, *sg_foreign_stderr;

__attribute__((constructor)) static void find_streams(void)
{
    sg_foreign_stdin = stdin;
    sg_foreign_stderr = stderr;
}
