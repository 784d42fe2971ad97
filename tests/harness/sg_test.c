#include "harness/sg_test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TESTS = 2000, MAX_REPORTS = 20 };

static struct {
    const char *name;
    void (*body)(void);
} tests[MAX_TESTS];
static int n_tests, n_failures, n_skips;

void sg_test_register(const char *name, void (*body)(void))
{
    if (n_tests == MAX_TESTS) {
        fprintf(stderr, "too many tests\n");
        exit(1);
    }
    tests[n_tests].name = name;
    tests[n_tests++].body = body;
}

void sg_test_fail(const char *file, int line, const char *format, ...)
{
    if (n_failures++ >= MAX_REPORTS)
        return;
    printf("%s:%d: check failed: ", file, line);
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}

void sg_test_skip(const char *format, ...)
{
    n_skips++;
    printf("skip: ");
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}

void sg_test_near(const char *file, int line, const char *what, double x, double ref, double rtol,
                  double scale)
{
    double limit = rtol * fmax(fabs(ref), scale);
    if (!(fabs(x - ref) <= limit))
        sg_test_fail(file, line, "%s = %.17g, expected %.17g within %.3g (off by %.3g)", what, x,
                     ref, limit, x - ref);
}

void sg_test_same_text(const char *file, int line, const char *what, const char *text,
                       const char *expected)
{
    if (!text || strcmp(text, expected) != 0)
        sg_test_fail(file, line, "%s is\n--- found\n%s\n--- expected\n%s\n---", what,
                     text ? text : "(null)", expected);
}

const char *sg_test_shared(const char *relative)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/../shared/%s", SG_SOURCE_DIR, relative);
    if (access(path, R_OK) == 0)
        return path;
    sg_test_skip("../shared/%s is not here", relative);
    return NULL;
}

sg_rng sg_rng_seeded(uint64_t seed) { return (sg_rng){seed * 0x9E3779B97F4A7C15ULL + 1}; }

uint64_t sg_rng_u64(sg_rng *rng)
{
    uint64_t z = (rng->state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

double sg_rng_uniform(sg_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(sg_rng_u64(rng) >> 11) * 0x1p-53);
}

double sg_rng_normal(sg_rng *rng)
{
    double u = sg_rng_uniform(rng, 1e-300, 1), v = sg_rng_uniform(rng, 0, 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void *counting_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    sg_test_allocator *self = context;
    if (new_size == 0) {
        if (block) {
            self->live_bytes -= (int64_t)old_size;
            self->live_blocks--;
        }
        free(block);
        return NULL;
    }
    uint64_t n = ++self->requests;
    if (n == self->fail_at || (self->and_after && self->fail_at && n > self->fail_at))
        return NULL;
    void *grown = realloc(block, new_size);
    if (grown) {
        self->live_bytes += (int64_t)new_size - (int64_t)(block ? old_size : 0);
        self->live_blocks += block == NULL;
        if (self->live_bytes > self->most_bytes)
            self->most_bytes = self->live_bytes;
    }
    return grown;
}

void sg_test_allocator_init(sg_test_allocator *allocator, uint64_t fail_at)
{
    *allocator = (sg_test_allocator){.fail_at = fail_at};
    allocator->allocator = (sg_allocator){.resize = counting_resize, .context = allocator};
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    int passed = 0, failed = 0;
    for (int i = 0; i < n_tests; i++) {
        if (argc > 1 && !strstr(tests[i].name, argv[1]))
            continue;
        int before = n_failures;
        tests[i].body();
        if (n_failures == before) {
            passed++;
        } else {
            failed++;
            printf("FAILED %s\n", tests[i].name);
        }
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, n_skips);
    return failed != 0;
}
