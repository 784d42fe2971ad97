// To be loaded in front of the C library (LD_PRELOAD): the K-th allocation of the program fails.
//   FAIL_AT=K       counts from 1; 0 or nothing: none
//   FAIL_ON=1       ... and all after it
//   FAIL_COUNT=FILE the number of allocations goes there when the program ends
// It sees all of them, those of SUNDIALS, KLU, qhull, jansson and the C library itself as well.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static atomic_long count;
static long fail_at;
static int fail_on;

__attribute__((constructor)) static void read_wishes(void)
{
    const char *at = getenv("FAIL_AT"), *on = getenv("FAIL_ON");
    fail_at = at ? strtol(at, NULL, 10) : 0;
    fail_on = on && *on == '1';
    count = 0;
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("FAIL_COUNT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", (long)count);
    if (fd >= 0 && write(fd, text, (size_t)n) == n)
        close(fd);
}

static int fails(void)
{
    long k = ++count;
    if (!fail_at || (fail_on ? k < fail_at : k != fail_at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }

void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }

void *realloc(void *block, size_t size) { return fails() ? NULL : __libc_realloc(block, size); }

void *aligned_alloc(size_t align, size_t size)
{
    return fails() ? NULL : __libc_memalign(align, size);
}

void *memalign(size_t align, size_t size) { return fails() ? NULL : __libc_memalign(align, size); }

int posix_memalign(void **out, size_t align, size_t size)
{
    *out = fails() ? NULL : __libc_memalign(align, size);
    return *out ? 0 : ENOMEM;
}
