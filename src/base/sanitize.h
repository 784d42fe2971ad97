// What AddressSanitizer is told of memory that is handed out in pieces. Elsewhere it costs nothing.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SG_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(SG_ASAN)
#define SG_ASAN 1
#endif
#if defined(SG_ASAN)
#include <sanitizer/asan_interface.h>
#define SG_POISON(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define SG_UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define SG_ASAN 0
#define SG_POISON(p, n) ((void)(p), (void)(n))
#define SG_UNPOISON(p, n) ((void)(p), (void)(n))
#endif
