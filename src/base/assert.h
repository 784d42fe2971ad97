// SG_ASSERT is for our own mistakes, never for input, files or user models. Release builds drop it.
#pragma once

#include <assert.h>

#define SG_ASSERT(condition) assert(condition)
#define SG_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#if defined(__GNUC__)
#define SG_PRINTF(format, first) __attribute__((format(printf, format, first)))
#else
#define SG_PRINTF(format, first)
#endif
