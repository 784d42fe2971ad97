// Files that were damaged on their way: bytes changed, cut out or doubled.
#pragma once

#include "harness/sg_test.h"

#include <string.h>

// The text with so many such places, in `out`, which has room for `room` bytes; its length.
static inline size_t damage(sg_rng *rng, const char *text, size_t n, int times, char *out,
                            size_t room)
{
    memcpy(out, text, n);
    for (; times > 0 && n > 0; times--) {
        size_t at = (size_t)(sg_rng_uniform(rng, 0.0, 1.0) * (double)n);
        size_t length = 1 + (size_t)(sg_rng_uniform(rng, 0.0, 40.0));
        length = at + length < n ? length : n - at;
        switch ((int)sg_rng_uniform(rng, 0.0, 3.0)) {
        case 0:
            out[at] = (char)sg_rng_uniform(rng, 0.0, 256.0);
            break;
        case 1:
            memmove(out + at, out + at + length, n - at - length);
            n -= length;
            break;
        default:
            if (n + length > room)
                break;
            memmove(out + at + length, out + at, n - at);
            n += length;
        }
    }
    return n;
}
