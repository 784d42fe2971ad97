// Which Segue this is. The macros tell what a program was compiled with, the function what it runs
// with: a shared library may be a newer one. While the first number is 0, programs are compiled
// anew when the second one changes; the name of the shared library (libsegue.so.0.1) sees to it.
#pragma once

#include "segue/export.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SG_VERSION_MAJOR 0
#define SG_VERSION_MINOR 1
#define SG_VERSION_PATCH 0
#define SG_VERSION_TEXT "0.1.0"

// Of the library, as text: "0.1.0". Each of the numbers may be null.
SG_API const char *sg_version(int *major, int *minor, int *patch);

#ifdef __cplusplus
}
#endif
