// What the library hands out: the functions of these headers, and nothing else.
//
// Both forms of it, libsegue.so and libsegue.a, keep all other names to themselves, ours and those
// of the libraries within (cmake/install.cmake), so a host may have a SUNDIALS of its own.
#pragma once

#if defined(__GNUC__)
#define SG_API __attribute__((visibility("default")))
#else
#define SG_API
#endif
