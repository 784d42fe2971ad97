#include "sim/entries.h"

#include <stdlib.h>

static int compare_rows(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_rows(int32_t *rows, int32_t n)
{
    for (int32_t i = 1; i < n; i++)
        if (rows[i] < rows[i - 1]) {
            qsort(rows, (size_t)n, sizeof *rows, compare_rows);
            return;
        }
}

// After counting: space for the rows.
static bool reserve(sg_entries *e, sg_arena *arena)
{
    int64_t sum = 0;
    for (int32_t j = 0; j <= e->n; j++) {
        sum += e->start[j + 1];
        if (sum >= INT32_MAX)
            return false;
        e->start[j + 1] = (int32_t)sum;
    }
    e->rows = SG_NEW_ARRAY(arena, int32_t, sum + 1);
    return e->rows != NULL;
}

// Ascending, each row once.
static sg_sparsity finish(sg_entries *e)
{
    int32_t at = 0;
    for (int32_t j = 0; j < e->n; j++) {
        int32_t first = e->start[j], n = e->start[j + 1] - first;
        sort_rows(e->rows + first, n);
        e->start[j] = at;
        for (int32_t i = 0; i < n; i++)
            if (i == 0 || e->rows[first + i] != e->rows[at - 1])
                e->rows[at++] = e->rows[first + i];
    }
    e->start[e->n] = at;
    return (sg_sparsity){e->n, e->start, e->rows};
}

bool sg_sparsity_make(int32_t n, sg_list_entries *list, const void *context, sg_arena *arena,
                      sg_sparsity *out)
{
    sg_entries e = {.n = n, .start = SG_NEW_ARRAY(arena, int32_t, n + 2)};
    if (!e.start)
        return false;
    list(context, &e);
    if (!reserve(&e, arena))
        return false;
    list(context, &e);
    *out = finish(&e);
    return true;
}
