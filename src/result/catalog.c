#include "result/catalog.h"

#include "base/assert.h"
#include "result/glob.h"
#include "result/json.h"

#include <stdlib.h>
#include <string.h>

// What an entry is sorted by, with its place for a stable order.
typedef struct sort_key {
    const char *text;
    size_t length, place;
} sort_key;

static int compare_keys(const void *a, const void *b)
{
    const sort_key *x = a, *y = b;
    size_t n = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->text, y->text, n);
    if (order == 0 && x->length != y->length)
        order = x->length < y->length ? -1 : 1;
    return order ? order : x->place < y->place ? -1 : 1;
}

sg_status sg_catalog(const sg_result *r, const char *const *patterns, size_t n_patterns,
                     sg_arena *arena, sg_catalog_entry **out, size_t *n)
{
    size_t count = r->n_signals + r->n_parameters;
    sg_catalog_entry *all = SG_NEW_ARRAY(arena, sg_catalog_entry, count);
    sg_catalog_entry *sorted = SG_NEW_ARRAY(arena, sg_catalog_entry, count);
    sort_key *keys = SG_NEW_ARRAY(arena, sort_key, count);
    if (!all || !sorted || !keys)
        return SG_ERR_MEMORY;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool parameter = i >= r->n_signals;
        uint32_t index = (uint32_t)(parameter ? i - r->n_signals : i);
        const char *name = parameter ? r->parameters[index].name : r->signals[index].signal.name;
        if (!sg_glob_any(patterns, n_patterns, name))
            continue;
        const char *dot = strrchr(name, '.');
        keys[kept] = (sort_key){name, dot ? (size_t)(dot - name) : strlen(name), kept};
        all[kept++] = (sg_catalog_entry){parameter, index, name};
    }
    qsort(keys, kept, sizeof *keys, compare_keys);
    for (size_t i = 0; i < kept; i++)
        sorted[i] = all[keys[i].place];
    *out = sorted;
    *n = kept;
    return SG_OK;
}

sg_signal_alias sg_result_alias(const sg_result *r, uint32_t signal)
{
    sg_signal_alias alias = {-1, false};
    for (size_t k = 0; k < r->n_schemas; k++) {
        int32_t at = r->places[k][signal];
        if (at < 0)
            continue;
        const sg_signal *s = &r->schemas[k].signals[at];
        if (s->kind != SG_SIGNAL_ALIAS && s->kind != SG_SIGNAL_NEGATED)
            return (sg_signal_alias){-1, false};
        int32_t target = sg_result_find(r, s->alias);
        bool negated = s->kind == SG_SIGNAL_NEGATED;
        if (alias.target >= 0 && (alias.target != target || alias.negated != negated))
            return (sg_signal_alias){-1, false};
        alias = (sg_signal_alias){target, negated};
    }
    if (alias.target < 0 || (uint32_t)alias.target == signal)
        return (sg_signal_alias){-1, false};
    for (size_t k = 0; k < r->n_schemas; k++)
        if ((r->places[k][signal] < 0) != (r->places[k][alias.target] < 0))
            return (sg_signal_alias){-1, false};
    // The target must have values of its own, and the same shape as a whole.
    const sg_signal *a = &r->signals[signal].signal, *b = &r->signals[alias.target].signal;
    if (a->rank != b->rank || a->size[0] != b->size[0] || a->size[1] != b->size[1] ||
        sg_result_alias(r, (uint32_t)alias.target).target >= 0)
        return (sg_signal_alias){-1, false};
    return alias;
}

const double *sg_result_constant(const sg_result *r, uint32_t signal)
{
    const double *value = NULL;
    size_t size = sg_signal_count(&r->signals[signal].signal) * sizeof(double);
    for (size_t k = 0; k < r->n_schemas; k++) {
        int32_t at = r->places[k][signal];
        const sg_signal *s = at >= 0 ? &r->schemas[k].signals[at] : NULL;
        if (!s || s->kind != SG_SIGNAL_CONSTANT || sg_signal_count(s) * sizeof(double) != size)
            return NULL;
        if (value && memcmp(value, s->value, size) != 0)
            return NULL;
        value = s->value;
    }
    return value;
}

const char *sg_event_kind_name(sg_event_kind kind)
{
    static const char *const names[] = {"time", "state", "restart", "segment", "action", "stop"};
    return (size_t)kind < SG_COUNT(names) ? names[kind] : "event";
}

static void put_names(const sg_result *r, const sg_segment *segment, bool absent, sg_buf *out)
{
    const sg_schema *schema = &r->schemas[segment->schema];
    const int32_t *place = r->places[segment->schema];
    bool first = true;
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < (absent ? r->n_signals : schema->n_signals); i++) {
        const char *name = absent ? r->signals[i].signal.name : schema->signals[i].name;
        if (absent ? place[i] >= 0 : schema->signals[i].state == 0)
            continue;
        sg_buf_puts(out, first ? "" : ",");
        sg_json_put_string(out, name);
        first = false;
    }
    sg_buf_putc(out, ']');
}

void sg_put_segments(const sg_result *r, sg_buf *out)
{
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < r->n_segments; i++) {
        const sg_segment *s = &r->segments[i];
        sg_buf_puts(out, i ? ",{\"start\":" : "{\"start\":");
        sg_json_put_number(out, s->start, true);
        sg_buf_puts(out, ",\"stop\":");
        sg_json_put_number(out, s->stop, true);
        sg_buf_printf(out, ",\"firstPoint\":%llu,\"action\":", (unsigned long long)s->first_point);
        sg_json_put_string(out, s->action);
        sg_buf_puts(out, ",\"stateNames\":");
        put_names(r, s, false, out);
        sg_buf_puts(out, ",\"absent\":");
        put_names(r, s, true, out);
        sg_buf_putc(out, '}');
    }
    sg_buf_putc(out, ']');
}

void sg_put_events(const sg_result *r, sg_buf *out)
{
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < r->n_events; i++) {
        const sg_event_entry *e = &r->events[i];
        sg_buf_puts(out, i ? ",{\"time\":" : "{\"time\":");
        sg_json_put_number(out, e->time, true);
        sg_buf_printf(out,
                      ",\"point\":%llu,\"kind\":\"%s\",\"text\":", (unsigned long long)e->point,
                      sg_event_kind_name(e->kind));
        sg_json_put_string(out, e->text);
        sg_buf_putc(out, '}');
    }
    sg_buf_putc(out, ']');
}
