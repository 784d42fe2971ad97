// The table of a study, from rows that came in any order and in pieces.
#include "study/table.h"

#include "base/digits.h"
#include "base/vec.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table_row {
    uint32_t line, length; // in units of bytes of `text`; length 0: there is none
    uint32_t time;         // length of the CPU time before the line
    bool failed;
} table_row;

struct sg_study_table {
    const sg_study *study;
    table_row *rows; // as many as runs
    SG_VEC(char) text;
    uint64_t count, failures;
};

sg_status sg_study_table_create(const sg_study *study, sg_study_table **out)
{
    if (out)
        *out = NULL;
    if (!study || !out)
        return SG_ERR_USAGE;
    const sg_allocator *a = study->allocator;
    sg_study_table *t = a->resize(a->context, NULL, 0, sizeof *t);
    size_t n = (size_t)study->plan.runs * sizeof(table_row);
    table_row *rows = t ? a->resize(a->context, NULL, 0, n ? n : 1) : NULL;
    if (!rows) {
        if (t)
            a->resize(a->context, t, sizeof *t, 0);
        return SG_ERR_MEMORY;
    }
    memset(rows, 0, n);
    *t = (sg_study_table){.study = study, .rows = rows};
    *out = t;
    return SG_OK;
}

void sg_study_table_destroy(sg_study_table *t)
{
    if (!t)
        return;
    const sg_allocator *a = t->study->allocator;
    size_t n = (size_t)t->study->plan.runs * sizeof(table_row);
    SG_VEC_FREE(a, &t->text);
    a->resize(a->context, t->rows, n ? n : 1, 0);
    a->resize(a->context, t, sizeof *t, 0);
}

// The field of a status is the third from the end of a line, and has no quotes; the message before
// the seed may have commas in quotes.
static bool has_failed(const sg_study *s, const char *line, const char *end)
{
    size_t fields = 1 + s->plan.n + s->n_metrics; // before the status, none of them in quotes
    for (size_t i = 0; i < fields && line < end; i++) {
        const char *comma = memchr(line, ',', (size_t)(end - line));
        line = comma ? comma + 1 : end;
    }
    return end - line < 3 || memcmp(line, "ok,", 3) != 0;
}

// Whether a row has the values that the study gives its run: one of another plan is none of it.
static bool belongs(const sg_study_table *t, uint64_t run, const char *line, const char *end)
{
    const sg_plan *plan = &t->study->plan;
    for (size_t i = 0; i < plan->n; i++) {
        char text[64];
        line = memchr(line, ',', (size_t)(end - line));
        size_t n = sg_format_shortest(sg_plan_value(plan, &plan->variables[i], run), text);
        if (!line || (size_t)(end - line) < n + 2 || memcmp(line + 1, text, n) != 0 ||
            line[n + 1] != ',')
            return false;
        line++;
    }
    return true;
}

static bool keep_line(sg_study_table *t, const char *line, const char *end)
{
    const char *tab = memchr(line, '\t', (size_t)(end - line));
    const char *text = tab ? tab + 1 : line;
    char *after;
    unsigned long long run = strtoull(text, &after, 10);
    if (after == text || *after != ',' || run >= t->study->plan.runs || !belongs(t, run, text, end))
        return true; // titles, or nothing of ours
    size_t length = (size_t)(end - line), at = t->text.len;
    if (at + length > UINT32_MAX ||
        !sg_vec_reserve(t->study->allocator, (void **)&t->text.data, &t->text.cap, at + length, 1))
        return false;
    memcpy(t->text.data + at, line, length);
    t->text.len += length;
    table_row *r = &t->rows[run];
    t->count += !r->length;
    t->failures -= r->length && r->failed;
    *r = (table_row){.line = (uint32_t)at,
                     .length = (uint32_t)length,
                     .time = tab ? (uint32_t)(tab - line) : 0,
                     .failed = has_failed(t->study, text, end)};
    t->failures += r->failed;
    return true;
}

sg_status sg_study_table_add(sg_study_table *t, const char *bytes, size_t n)
{
    if (!t || (n && !bytes))
        return SG_ERR_USAGE;
    const char *at = bytes, *end = bytes + n;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            break; // cut off
        if (!keep_line(t, at, line_end))
            return SG_ERR_MEMORY;
        at = line_end + 1;
    }
    return SG_OK;
}

bool sg_study_table_has(const sg_study_table *t, uint64_t run)
{
    return t && run < t->study->plan.runs && t->rows[run].length;
}

bool sg_study_table_failed(const sg_study_table *t, uint64_t run)
{
    return sg_study_table_has(t, run) && t->rows[run].failed;
}

void sg_study_table_drop_failed(sg_study_table *t)
{
    for (uint64_t i = 0; t && i < t->study->plan.runs; i++)
        if (t->rows[i].length && t->rows[i].failed) {
            t->rows[i] = (table_row){0};
            t->count--;
            t->failures--;
        }
}

const sg_study *sg_study_table_study(const sg_study_table *t) { return t->study; }

const char *sg_study_table_row(const sg_study_table *t, uint64_t run, size_t *length)
{
    if (!sg_study_table_has(t, run))
        return NULL;
    const table_row *r = &t->rows[run];
    size_t skip = r->time ? r->time + 1 : 0;
    *length = r->length - skip;
    return t->text.data + r->line + skip;
}

double sg_study_table_metric(const sg_study_table *t, uint64_t run, size_t metric)
{
    if (!sg_study_table_has(t, run) || metric >= t->study->n_metrics || t->rows[run].failed)
        return (double)NAN;
    const table_row *r = &t->rows[run];
    const char *at = t->text.data + r->line + (r->time ? r->time + 1 : 0);
    const char *end = t->text.data + r->line + r->length;
    for (size_t i = 0; i < 1 + t->study->plan.n + metric && at; i++) {
        at = memchr(at, ',', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return at ? strtod(at, NULL) : (double)NAN; // a comma ends it
}

uint64_t sg_study_table_count(const sg_study_table *t) { return t ? t->count : 0; }
uint64_t sg_study_table_failures(const sg_study_table *t) { return t ? t->failures : 0; }

typedef void row_writer(void *context, const char *text, size_t length);

void sg_study_table_write(const sg_study_table *t, row_writer *write, void *context)
{
    if (!t || !write)
        return;
    write(context, t->study->header, strlen(t->study->header));
    write(context, "\n", 1);
    for (uint64_t i = 0; i < t->study->plan.runs; i++) {
        const table_row *r = &t->rows[i];
        size_t skip = r->time ? r->time + 1 : 0;
        if (!r->length)
            continue;
        write(context, t->text.data + r->line + skip, r->length - skip);
        write(context, "\n", 1);
    }
}

void sg_study_table_write_times(const sg_study_table *t, row_writer *write, void *context)
{
    if (!t || !write)
        return;
    write(context, "run,cpuTime\n", 12);
    for (uint64_t i = 0; i < t->study->plan.runs; i++) {
        const table_row *r = &t->rows[i];
        if (!r->length || !r->time)
            continue;
        char text[64];
        int n = snprintf(text, sizeof text, "%llu,%.*s\n", (unsigned long long)i,
                         r->time < 40 ? (int)r->time : 40, t->text.data + r->line);
        write(context, text, (size_t)n);
    }
}
