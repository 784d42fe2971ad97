#include "round_trip.h"

#include "base/source.h"
#include "result/catalog.h"
#include "result/columns.h"
#include "result/load.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_VALUES = 20000, MAX_COLUMNS = 500, MAX_PATH = 256 };

static const char *const formats[] = {"segue", "json", "csv", "mat", "arrow"};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static const sg_save_options all;

_Noreturn static void give_up(const char *format, const char *why, const char *name)
{
    fprintf(stderr, "round trip: %s: %s '%s'\n", format, why, name ? name : "");
    abort();
}

// What a value becomes in a format: JSON has neither NaN nor infinity, MAT nothing that is missing.
static double expected(double x, const char *format)
{
    if (strcmp(format, "json") == 0 && !isfinite(x))
        return sg_missing();
    return strcmp(format, "mat") == 0 && isnan(x) ? (double)NAN : x;
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) && sg_is_missing(a) == sg_is_missing(b) : a == b;
}

typedef struct table {
    const sg_result *result;
    sg_flat_column *columns;
    size_t n;
    sg_arena arena;
} table;

// False if there is too much in it.
static bool flatten(const sg_result *result, table *t, sg_diags *diags)
{
    *t = (table){.result = result};
    sg_arena_init(&t->arena, sg_allocator_default());
    return sg_flat_columns(result, NULL, 0, &t->arena, diags, &t->columns, &t->n) == SG_OK &&
           t->n <= MAX_COLUMNS && (t->n + 1) * result->n_points <= MAX_VALUES;
}

// The only column of that name; null if there is none or more than one, as in tables that hold both
// a vector `r` and a scalar `r[1]`, where nobody can tell which is meant.
static const sg_flat_column *only(const table *t, const char *name)
{
    const sg_flat_column *found = NULL;
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->columns[i].name, name) == 0) {
            if (found)
                return NULL;
            found = &t->columns[i];
        }
    return found;
}

static void compare_column(const table *a, const sg_flat_column *x, const table *b,
                           const sg_flat_column *y, const char *format, sg_diags *diags)
{
    static double u[MAX_VALUES + 1], v[MAX_VALUES + 1];
    size_t n = (size_t)a->result->n_points;
    int32_t i = x ? x->signal : SG_TIME, k = y ? y->signal : SG_TIME;
    if (sg_result_read(a->result, i, x ? x->element : 0, 0, n, u, diags) != SG_OK)
        return; // a damaged column, which its writer refuses
    if (sg_result_read(b->result, k, y ? y->element : 0, 0, n, v, diags) != SG_OK)
        give_up(format, "cannot be read back:", x ? x->name : "time");
    for (size_t p = 0; p < n; p++)
        if (!same(expected(u[p], format), v[p])) {
            fprintf(stderr, "point %zu: %.17g became %.17g\n", p, u[p], v[p]);
            give_up(format, "a value has changed:", x ? x->name : "time");
        }
}

// Constants may come back as parameters.
static bool is_parameter(const sg_result *a, const sg_flat_column *x, const sg_result *b)
{
    const double *value = sg_result_constant(a, (uint32_t)x->signal);
    const sg_parameter *p = sg_result_parameter(b, a->signals[x->signal].signal.name);
    return value && p &&
           (!p->value || same(p->value[x->element], value[x->element]) ||
            !isfinite(value[x->element]));
}

// A run that ended before a segment began may know signals, or elements, that only this one has.
static bool is_nowhere(const sg_result *a, const sg_flat_column *x, sg_diags *diags)
{
    static double values[MAX_VALUES + 1];
    size_t n = (size_t)a->n_points;
    if (sg_result_read(a, x->signal, x->element, 0, n, values, diags) != SG_OK)
        return false;
    for (size_t p = 0; p < n; p++)
        if (!sg_is_missing(values[p]))
            return false;
    return true;
}

// Where a segment that never began would have made an array of it, what was a number stays one.
static const sg_flat_column *as_number(const table *s, const sg_flat_column *x, const table *t)
{
    return x->element == 0 && !s->result->finished
               ? only(t, s->result->signals[x->signal].signal.name)
               : NULL;
}

static void compare(const sg_result *a, const sg_result *b, const char *format)
{
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    table s, t;
    if (flatten(a, &s, &diags)) {
        if (a->n_points != b->n_points)
            give_up(format, "points are lost", NULL);
        if (!flatten(b, &t, &diags))
            give_up(format, "has become larger", NULL);
        compare_column(&s, NULL, &t, NULL, format, &diags);
        for (size_t i = 0; i < s.n; i++) {
            const sg_flat_column *x = &s.columns[i], *y = only(&t, x->name);
            if (only(&s, x->name) != x)
                continue;
            y = y ? y : as_number(&s, x, &t);
            if (y)
                compare_column(&s, x, &t, y, format, &diags);
            else if (!is_parameter(a, x, b) && !is_nowhere(a, x, &diags))
                give_up(format, "is lost:", x->name);
        }
        sg_arena_destroy(&t.arena);
    }
    sg_arena_destroy(&s.arena);
    sg_diags_destroy(&diags);
}

// Writes and reads back; null if the writer refuses, in words.
static sg_result *convert(const sg_result *a, const char *path, const char *format)
{
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    sg_result *b = NULL;
    if (sg_result_save_as(a, path, format, &all, &diags) != SG_OK) {
        if (diags.n_errors == 0)
            give_up(format, "refused without a word", NULL);
        if (access(path, F_OK) == 0)
            give_up(format, "refused, but there is a file", path);
    } else if (sg_result_load(path, sg_allocator_default(), &diags, &b) != SG_OK) {
        give_up(format, "was written and cannot be read:",
                diags.len ? diags.list[diags.len - 1].message : "");
    } else {
        compare(a, b, format);
    }
    sg_diags_destroy(&diags);
    return b;
}

static void same_bytes(const char *first, const char *second, const char *format)
{
    char *a = NULL, *b = NULL;
    size_t n = 0, m = 0;
    if (sg_read_file(sg_allocator_default(), first, &a, &n) != SG_OK ||
        sg_read_file(sg_allocator_default(), second, &b, &m) != SG_OK)
        give_up(format, "is not there:", second);
    if (n != m || memcmp(a, b, n) != 0)
        give_up(format, "does not stay the same when it is converted again", NULL);
    free(a);
    free(b);
}

// One format: a -> b -> c -> d, of which c and d are the same files.
static void round_trips(const sg_result *a, const char *folder, const char *format)
{
    char path[3][MAX_PATH];
    for (int i = 0; i < 3; i++)
        snprintf(path[i], MAX_PATH, "%s/%d.%s", folder, i, format);
    sg_result *b = convert(a, path[0], format);
    sg_result *c = b ? convert(b, path[1], format) : NULL;
    sg_result *d = c ? convert(c, path[2], format) : NULL;
    if (b && !(c && d))
        give_up(format, "refuses what it wrote itself", NULL);
    if (d && strcmp(format, "segue") != 0) // whose blocks follow the clock
        same_bytes(path[1], path[2], format);
    sg_result_destroy(d);
    sg_result_destroy(c);
    sg_result_destroy(b);
    for (int i = 0; i < 3; i++) {
        char beside[MAX_PATH + 32];
        unlink(path[i]);
        snprintf(beside, sizeof beside, "%s/%d.units.csv", folder, i);
        unlink(beside);
        snprintf(beside, sizeof beside, "%s/%d.contacts.csv", folder, i);
        unlink(beside);
    }
}

void round_trip_all(const sg_result *result)
{
    char folder[64];
    sg_diags diags;
    table t;
    snprintf(folder, sizeof folder, "%s/round_trip.XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    sg_diags_init(&diags, sg_allocator_default());
    if (flatten(result, &t, &diags)) {
        if (!mkdtemp(folder))
            abort();
        for (int i = 0; i < N_FORMATS; i++)
            round_trips(result, folder, formats[i]);
        if (rmdir(folder) != 0)
            give_up("all", "a file is left behind in", folder);
    }
    sg_arena_destroy(&t.arena);
    sg_diags_destroy(&diags);
}
