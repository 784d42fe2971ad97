// The table of a study as a result, which all formats of results can hold.
#include "base/buf.h"
#include "base/vec.h"
#include "result/import.h"
#include "study/study.h"
#include "study/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct table_taking {
    const sg_study_table *table;
    const sg_study *study;
    sg_arena arena;
    sg_buf text;
    SG_VEC(sg_event_entry) events;
    double *row;
} table_taking;

// The field at `*at`, which goes behind the comma after it. Quotes are taken away.
static const char *take_field(table_taking *t, const char **at, const char *end)
{
    bool quoted = *at < end && **at == '"';
    const char *c = *at + quoted;
    sg_buf_clear(&t->text);
    for (; c < end && (quoted || *c != ','); c++) {
        if (quoted && *c == '"' && (c + 1 >= end || *++c != '"'))
            break;
        sg_buf_putc(&t->text, *c);
    }
    while (c < end && *c != ',')
        c++;
    *at = c < end ? c + 1 : end;
    return sg_buf_text(&t->text);
}

// The numbers of a run; and what is said of it, if there is something, as an event (`telling`).
static bool take_row(table_taking *t, uint64_t run, const char *at, const char *end, uint64_t point,
                     bool telling)
{
    size_t n = t->study->plan.n + t->study->n_metrics;
    take_field(t, &at, end); // the number of the run
    for (size_t i = 0; i < n; i++) {
        const char *text = take_field(t, &at, end);
        t->row[i] = *text ? strtod(text, NULL) : (double)NAN;
    }
    const char *word = take_field(t, &at, end);
    char status[40];
    size_t length = strlen(word) < sizeof status ? strlen(word) : sizeof status - 1;
    memcpy(status, word, length);
    status[length] = '\0';
    bool failed = strcmp(status, "ok") != 0;
    const char *message = take_field(t, &at, end);
    if (telling && (failed || *message)) {
        const char *said = sg_arena_printf(&t->arena, *message ? "%s: %s" : "%s", status, message);
        const sg_event_entry event = {.kind = failed ? SG_EVENT_STOP : SG_EVENT_TIME,
                                      .time = (double)run,
                                      .point = point,
                                      .text = said};
        if (!said || !SG_PUSH(t->arena.allocator, &t->events, event))
            return false;
    }
    t->row[n] = failed;
    t->row[n + 1] = strtod(take_field(t, &at, end), NULL); // less than 2^53
    return !t->text.failed;
}

static sg_import_entry *make_entries(table_taking *t, size_t n)
{
    const sg_study *s = t->study;
    sg_import_entry *entries = SG_NEW_ARRAY(&t->arena, sg_import_entry, n);
    for (size_t i = 0; entries && i < n; i++) {
        bool own = i >= s->plan.n + s->n_metrics;
        entries[i] = (sg_import_entry){
            .name = i < s->plan.n ? s->plan.variables[i].name
                    : !own        ? s->metrics[i - s->plan.n].name
                    : i == n - 1  ? "seed"
                                  : "failed",
            .unit = "",
            .info = "",
            .column = (uint32_t)i,
        };
    }
    return entries;
}

static sg_status import_rows(table_taking *t, sg_import *import)
{
    uint64_t point = 0;
    size_t length;
    sg_status status = SG_OK;
    for (uint64_t i = 0; i < t->study->plan.runs; i++) { // events are known before the first row
        const char *line = sg_study_table_row(t->table, i, &length);
        if (line && !take_row(t, i, line, line + length, point++, true))
            return SG_ERR_MEMORY;
    }
    sg_import_events(import, t->events.data, t->events.len);
    for (uint64_t i = 0; i < t->study->plan.runs && status == SG_OK; i++) {
        const char *line = sg_study_table_row(t->table, i, &length);
        if (line && !take_row(t, i, line, line + length, 0, false))
            return SG_ERR_MEMORY;
        if (line)
            status = sg_import_row(import, (double)i, t->row);
    }
    return status;
}

sg_status sg_study_table_result(const sg_study_table *table, sg_diags *diags, sg_result **out)
{
    if (out)
        *out = NULL;
    if (!table || !out)
        return SG_ERR_USAGE;
    const sg_study *study = sg_study_table_study(table);
    table_taking t = {.table = table, .study = study};
    size_t n = study->plan.n + study->n_metrics + 2;
    sg_arena_init(&t.arena, study->allocator);
    sg_buf_init(&t.text, study->allocator);
    t.row = SG_NEW_ARRAY(&t.arena, double, n);
    sg_import_entry *entries = make_entries(&t, n);
    sg_import import;
    sg_status status = t.row && entries
                           ? sg_import_begin(&import, entries, n, NULL, 0, study->allocator, diags)
                           : SG_ERR_MEMORY;
    if (status == SG_OK) {
        status = import_rows(&t, &import);
        if (status == SG_OK)
            status = sg_import_finish(&import, "the table", out);
        else
            sg_import_abandon(&import);
    }
    SG_VEC_FREE(study->allocator, &t.events);
    sg_buf_free(&t.text);
    sg_arena_destroy(&t.arena);
    return status;
}
