// Mutation that knows the words of the language: for fuzz targets whose input is a model file.
//
// Changing bytes gives texts that the parser refuses, and nothing behind it is ever tried. Here a
// text is cut into words (names, numbers, texts, operators, brackets) and phrases (an operand: a
// call, a bracket with what is in it, a single word), and these are replaced by others, moved,
// doubled and left out. Numbers become awkward ones. Two models are spliced phrase by phrase or
// line by line. Most of what comes out can still be read, and fails later or runs.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Words that replace others; null where a list ends.
typedef struct mutate_pool {
    const char *const *names;   // functions, constructors, keywords: stand alone
    const char *const *phrases; // whole operands
    const char *const *lines;   // whole lines, to be put between others
} mutate_pool;

typedef struct mutate_rng {
    uint64_t state;
} mutate_rng;

mutate_rng mutate_rng_seeded(unsigned seed);
// From 0 to n - 1; 0 for n = 0.
size_t mutate_below(mutate_rng *rng, size_t n);

// Changes `text` of `size` bytes in place, which has room for `most`; returns its new size.
size_t mutate_text(char *text, size_t size, size_t most, const mutate_pool *pool, unsigned seed);
// Parts of `a` replaced by parts of `b`, into `out`.
size_t mutate_splice(const char *a, size_t a_size, const char *b, size_t b_size, char *out,
                     size_t most, unsigned seed);
