#include "result/compare.h"

#include "base/symbol.h"
#include "result/columns.h"
#include "result/glob.h"

#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// A series in memory.
typedef struct series {
    const sg_result *result;
    size_t n;
    double *time, *value;
} series;

typedef struct comparer {
    series a, b;
    const sg_compare_options *options;
    sg_diags *diags;
    double slack; // of the times of events [s]
    bool same_grid;
} comparer;

static sg_status load_time(series *s, const sg_result *r, sg_arena *arena, sg_diags *diags)
{
    s->result = r;
    s->n = (size_t)r->n_points;
    s->time = SG_NEW_ARRAY(arena, double, s->n + 1);
    s->value = SG_NEW_ARRAY(arena, double, s->n + 1);
    if (!s->time || !s->value)
        return SG_ERR_MEMORY;
    return sg_result_read(r, SG_TIME, 0, 0, s->n, s->time, diags);
}

static bool near_event(const series *s, size_t i, double t, double slack)
{
    // Doubled points around the index; times do not decrease.
    for (size_t k = i; k > 0 && s->time[k] >= t - slack; k--)
        if (s->time[k] == s->time[k - 1])
            return true;
    for (size_t k = i + 1; k < s->n && s->time[k - 1] <= t + slack; k++)
        if (s->time[k] == s->time[k - 1] && s->time[k] <= t + slack)
            return true;
    return false;
}

// The index of the point of `s` that stands for the `nth` of `count` points at time t, with the
// fraction of the way to the next one.
typedef struct compared_spot {
    size_t index;
    double fraction;
} compared_spot;

static compared_spot locate(const series *s, size_t *hint, double t, size_t nth, size_t count)
{
    while (*hint + 1 < s->n && s->time[*hint + 1] < t)
        ++*hint;
    size_t i = *hint;
    if (i + 1 < s->n && s->time[i] < t)
        i++;
    if (s->time[i] == t) { // the group of equal times begins here
        size_t members = 1;
        while (i + members < s->n && s->time[i + members] == t)
            members++;
        size_t pick = members == count ? nth : nth + 1 == count ? members - 1 : 0;
        return (compared_spot){i + pick, 0};
    }
    if (i == 0 || s->time[i] < t)
        return (compared_spot){i, 0}; // before the first or behind the last point
    double left = s->time[i - 1];
    return (compared_spot){i - 1, (t - left) / (s->time[i] - left)};
}

static double value_at(const series *s, compared_spot p)
{
    double x = s->value[p.index];
    if (p.fraction == 0)
        return x;
    return x + p.fraction * (s->value[p.index + 1] - x);
}

// Whether some value of the other result within the slack of an event fits.
static bool excused(const comparer *c, size_t ia, compared_spot p, double t, double a,
                    double tolerance)
{
    const series *b = &c->b;
    if (c->slack <= 0 ||
        (!near_event(&c->a, ia, t, c->slack) && !near_event(b, p.index, t, c->slack)))
        return false;
    double lo = (double)INFINITY, hi = -(double)INFINITY;
    bool nothing = false;
    size_t first = p.index, last = p.index + 1 < b->n ? p.index + 1 : p.index;
    while (first > 0 && b->time[first] >= t - c->slack)
        first--;
    while (last + 1 < b->n && b->time[last] <= t + c->slack)
        last++;
    for (size_t k = first; k <= last; k++) {
        nothing |= isnan(b->value[k]);
        lo = fmin(lo, b->value[k]);
        hi = fmax(hi, b->value[k]);
    }
    return isnan(a) ? nothing : a >= lo - tolerance && a <= hi + tolerance;
}

// Compares the loaded series and keeps the worst point.
static void compare_series(const comparer *c, sg_difference *d)
{
    const series *a = &c->a, *b = &c->b;
    size_t hint = 0;
    double begin = fmax(a->time[0], b->time[0]);
    double end = fmin(a->time[a->n - 1], b->time[b->n - 1]);
    for (size_t i = 0, group = 0; i < a->n; i++) {
        double t = a->time[i], x = a->value[i];
        if (i == 0 || t != a->time[i - 1])
            group = i;
        if (t < begin || t > end)
            continue;
        size_t count = i - group + 1;
        while (group + count < a->n && a->time[group + count] == t)
            count++;
        compared_spot p =
            c->same_grid ? (compared_spot){i, 0} : locate(b, &hint, t, i - group, count);
        double y = value_at(b, p);
        bool presence = isnan(x) != isnan(y);
        if (isnan(x) && isnan(y))
            continue;
        double error = presence ? (double)INFINITY : x == y ? 0 : fabs(x - y);
        if (error <= d->error && !(presence && d->kind == SG_SAME))
            continue;
        if (error > d->tolerance && excused(c, i, p, t, x, d->tolerance))
            continue;
        d->error = error;
        d->time = t;
        d->first = x;
        d->second = y;
        d->kind = presence               ? SG_DIFFERENT_PRESENCE
                  : error > d->tolerance ? SG_DIFFERENT_VALUE
                                         : d->kind;
        if (presence)
            return;
    }
}

// Largest magnitude of the finite values.
static double magnitude(const series *s)
{
    double largest = 0;
    for (size_t i = 0; i < s->n; i++)
        if (isfinite(s->value[i]) && fabs(s->value[i]) > largest)
            largest = fabs(s->value[i]);
    return largest;
}

// A signal of the one result may be a parameter of the other: formats keep constants so.
static const double *parameter_value(const sg_result *r, const char *name)
{
    for (size_t i = 0; i < r->n_parameters; i++) {
        const sg_parameter *p = &r->parameters[i];
        size_t n = strlen(p->name);
        if (p->type == SG_ELEMENT_TEXT || strncmp(name, p->name, n) != 0)
            continue;
        sg_signal s = {.name = p->name, .rank = p->rank, .size = {p->size[0], p->size[1]}};
        for (uint32_t e = 0; e < sg_signal_count(&s); e++) {
            char element[1024];
            sg_element_name(&s, e, element, sizeof element);
            if (strcmp(element, name) == 0)
                return &p->value[e];
        }
    }
    return NULL;
}

static sg_status compare_element(comparer *c, const sg_flat_column *x, const sg_flat_column *y,
                                 const double *constant, sg_difference *d)
{
    *d = (sg_difference){.name = x->name, .tolerance = c->options->atol};
    sg_status status =
        sg_result_read(c->a.result, x->signal, x->element, 0, c->a.n, c->a.value, c->diags);
    if (status == SG_OK && y)
        status =
            sg_result_read(c->b.result, y->signal, y->element, 0, c->b.n, c->b.value, c->diags);
    for (size_t i = 0; !y && i < c->b.n; i++)
        c->b.value[i] = *constant;
    if (status != SG_OK || c->a.n == 0 || c->b.n == 0)
        return status;
    double scale = fmax(magnitude(&c->a), magnitude(&c->b));
    d->tolerance = c->options->atol + c->options->rtol * scale;
    d->error = -1;
    compare_series(c, d);
    d->error = fmax(d->error, 0);
    return SG_OK;
}

static void compare_times(comparer *c, sg_comparison *out)
{
    if (c->a.n == 0 || c->b.n == 0) {
        if (c->a.n != c->b.n)
            out->list[out->n++] = (sg_difference){.kind = SG_DIFFERENT_TIMES, .name = "time"};
        return;
    }
    double begin = c->a.time[0] - c->b.time[0];
    double end = c->a.time[c->a.n - 1] - c->b.time[c->b.n - 1];
    bool at_end = fabs(end) >= fabs(begin);
    sg_difference d = {.name = "time", .tolerance = fmax(c->slack, c->options->atol)};
    d.first = at_end ? c->a.time[c->a.n - 1] : c->a.time[0];
    d.second = at_end ? c->b.time[c->b.n - 1] : c->b.time[0];
    d.error = fabs(at_end ? end : begin);
    d.time = d.first;
    d.kind = d.error > d.tolerance ? SG_DIFFERENT_TIMES : SG_SAME;
    out->list[out->n++] = d;
}

static const sg_flat_column *find_column(const sg_map *names, const sg_flat_column *columns,
                                         const char *name)
{
    const uint64_t *found = sg_map_get(names, sg_hash_bytes(name, strlen(name)));
    return found && strcmp(columns[*found].name, name) == 0 ? &columns[*found] : NULL;
}

static void summarize(sg_comparison *out)
{
    double worst = -1;
    out->worst = out->n;
    for (size_t i = 0; i < out->n; i++) {
        const sg_difference *d = &out->list[i];
        if (d->kind == SG_SAME)
            continue;
        out->n_different++;
        double ratio = d->kind == SG_DIFFERENT_VALUE && d->tolerance > 0 ? d->error / d->tolerance
                       : d->kind == SG_DIFFERENT_VALUE                   ? d->error
                                                                         : 0;
        if (d->kind == SG_DIFFERENT_PRESENCE)
            ratio = (double)INFINITY;
        if (ratio > worst) {
            worst = ratio;
            out->worst = i;
        }
    }
}

// All columns by name; the first of a name holds.
static bool index_columns(sg_map *names, const sg_flat_column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t key = sg_hash_bytes(columns[i].name, strlen(columns[i].name));
        if (!sg_map_get(names, key) && !sg_map_put(names, key, i))
            return false;
    }
    return true;
}

static sg_status compare_all(comparer *c, sg_arena *arena, sg_comparison *out)
{
    const sg_compare_options *o = c->options;
    sg_flat_column *a, *b;
    size_t n_a, n_b;
    sg_status status =
        sg_flat_columns(c->a.result, o->signals, o->n_signals, arena, c->diags, &a, &n_a);
    if (status == SG_OK)
        status = sg_flat_columns(c->b.result, o->signals, o->n_signals, arena, c->diags, &b, &n_b);
    if (status != SG_OK)
        return status;
    out->list = SG_NEW_ARRAY(arena, sg_difference, n_a + n_b + 1);
    sg_map in_a, in_b;
    sg_map_init(&in_a, arena->allocator);
    sg_map_init(&in_b, arena->allocator);
    if (!out->list || !index_columns(&in_a, a, n_a) || !index_columns(&in_b, b, n_b))
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        compare_times(c, out);
    for (size_t i = 0; i < n_a && status == SG_OK; i++) {
        const sg_flat_column *y = find_column(&in_b, b, a[i].name);
        const double *constant = y ? NULL : parameter_value(c->b.result, a[i].name);
        sg_difference *d = &out->list[out->n++];
        if (y || constant)
            status = compare_element(c, &a[i], y, constant, d);
        else
            *d = (sg_difference){.kind = SG_ONLY_FIRST, .name = a[i].name};
    }
    for (size_t i = 0; i < n_b && status == SG_OK; i++)
        if (!find_column(&in_a, a, b[i].name) && !parameter_value(c->a.result, b[i].name))
            out->list[out->n++] = (sg_difference){.kind = SG_ONLY_SECOND, .name = b[i].name};
    sg_map_free(&in_a);
    sg_map_free(&in_b);
    return status;
}

sg_status sg_compare_results(const sg_result *a, const sg_result *b,
                             const sg_compare_options *options, sg_arena *arena, sg_diags *diags,
                             sg_comparison *out)
{
    comparer c = {.options = options, .diags = diags};
    *out = (sg_comparison){0};
    sg_status status = load_time(&c.a, a, arena, diags);
    if (status == SG_OK)
        status = load_time(&c.b, b, arena, diags);
    if (status == SG_OK) {
        c.same_grid = c.a.n == c.b.n &&
                      (c.a.n == 0 || memcmp(c.a.time, c.b.time, c.a.n * sizeof *c.a.time) == 0);
        c.slack = c.a.n ? options->rtol * (c.a.time[c.a.n - 1] - c.a.time[0]) : 0;
        status = compare_all(&c, arena, out);
    }
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while comparing '%s' and '%s'",
                 a->name, b->name);
    if (status == SG_OK)
        summarize(out);
    return status;
}
