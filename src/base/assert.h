// SG_ASSERT is for our own mistakes, never for input, files or user models. Release builds drop it
// but still compile the condition, so that it cannot rot and its variables count as used.
#pragma once

#ifdef NDEBUG
#define SG_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#else
#include <assert.h>
#define SG_ASSERT(condition) assert(condition)
#endif
#define SG_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#if defined(__GNUC__)
#define SG_PRINTF(format, first) __attribute__((format(printf, format, first)))
#else
#define SG_PRINTF(format, first)
#endif
