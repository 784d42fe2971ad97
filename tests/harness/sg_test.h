// The test harness: one process, tests register themselves, a failed check reports and goes on.
//
//     SG_TEST(the_sentence_that_should_be_true) { SG_CHECK(1 + 1 == 2); }
//
// A program takes a part of a test name as its only argument and then runs just the matching ones.
// Data that may be absent (../shared) is asked for with sg_test_shared, which makes the skip
// visible.
#pragma once

#include "segue/alloc.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void sg_test_register(const char *name, void (*body)(void));
void sg_test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sg_test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define SG_TEST(name)                                                                              \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void register_##name(void)                                 \
    {                                                                                              \
        sg_test_register(#name, name);                                                             \
    }                                                                                              \
    static void name(void)

#define SG_CHECK(condition)                                                                        \
    ((condition) ? (void)0 : sg_test_fail(__FILE__, __LINE__, "%s", #condition))
#define SG_CHECK_MSG(condition, ...)                                                               \
    ((condition) ? (void)0 : sg_test_fail(__FILE__, __LINE__, __VA_ARGS__))
#define SG_REQUIRE(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            sg_test_fail(__FILE__, __LINE__, "%s", #condition);                                    \
            return;                                                                                \
        }                                                                                          \
    } while (0)
// |x - ref| <= rtol * max(|ref|, scale); the problem names the scale.
#define SG_NEAR(x, ref, rtol, scale)                                                               \
    sg_test_near(__FILE__, __LINE__, #x, (x), (ref), (rtol), (scale))
#define SG_SAME_TEXT(text, expected) sg_test_same_text(__FILE__, __LINE__, #text, text, expected)

void sg_test_near(const char *file, int line, const char *what, double x, double ref, double rtol,
                  double scale);
void sg_test_same_text(const char *file, int line, const char *what, const char *text,
                       const char *expected);

// Path of a file below ../shared, or null after noting a skip. Valid until the next call.
const char *sg_test_shared(const char *relative);

// splitmix64; the same sequence everywhere.
typedef struct sg_rng {
    uint64_t state;
} sg_rng;

sg_rng sg_rng_seeded(uint64_t seed);
uint64_t sg_rng_u64(sg_rng *rng);
double sg_rng_uniform(sg_rng *rng, double lo, double hi);
double sg_rng_normal(sg_rng *rng);

// An allocator that counts, and fails the `fail_at`-th request (from 1; 0 never fails), and all
// behind it where `and_after` is set: memory that is over stays so.
typedef struct sg_test_allocator {
    sg_allocator allocator; // pass &x.allocator
    uint64_t requests, fail_at;
    int64_t live_bytes, live_blocks;
    int64_t most_bytes; // that were live at a time
    bool and_after;
} sg_test_allocator;

void sg_test_allocator_init(sg_test_allocator *allocator, uint64_t fail_at);
