// The page of a study: the table as it is, curves of many runs in few points, and some runs as
// whole pages of their own.
//
// All of it has to fit into one file that a browser opens at once. So a long table is thinned out,
// curves keep the least and the greatest value of each of a hundred pieces, and as many runs are
// there as a whole as there is room for, evenly among those that were kept (docs/studies.md).
#include "base/options.h"
#include "result/json.h"
#include "result/load.h"
#include "result/outfile.h"
#include "view/page.h"

#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

enum {
    MOST_ROWS = 20000,  // of the table: more are no help to look at, and make a page of many MB
    MOST_CURVES = 1000, // runs that are drawn over each other
    MOST_SIGNALS = 24,
    PIECES = 100,    // of a curve, with two points each
    MOST_PLAIN = 200 // whole runs of models without a picture: their curves say nearly all of it
};
static const double curve_part = 0.4; // of the page for curves at most
static const double run_room = 600e3; // of a whole run for signals, beside its picture [bytes]

typedef struct study_job {
    const sg_study_page *study;
    const sg_allocator *allocator;
    sg_diags *diags;
    sg_arena arena;
    sg_buf head, table;
    sg_page_bytes bytes;
    const char *names[MOST_SIGNALS];
    size_t n_names;
    size_t *chosen; // places of the runs that are there as a whole
    size_t n_chosen;
    sg_study_page_report report;
    sg_status status; // of what is written last
} study_job;

// ---- the table ------------------------------------------------------------------------------

static size_t count_lines(const char *text, size_t n)
{
    size_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

// Every so many rows, and the titles.
static void take_table(study_job *j)
{
    const sg_study_page *p = j->study;
    size_t lines = count_lines(p->table, p->n_table), rows = lines ? lines - 1 : 0;
    size_t stride = (rows + MOST_ROWS - 1) / MOST_ROWS, at = 0, line = 0;
    j->report.of = rows;
    stride = stride ? stride : 1;
    while (at < p->n_table) {
        const char *end = memchr(p->table + at, '\n', p->n_table - at);
        size_t length = end ? (size_t)(end - p->table) + 1 - at : p->n_table - at;
        if (line == 0 || (line - 1) % stride == 0) {
            sg_buf_add(&j->table, p->table + at, length);
            j->report.rows += line > 0;
        }
        at += length;
        line++;
    }
}

// ---- curves ---------------------------------------------------------------------------------

static sg_status open_run(study_job *j, size_t i, sg_result **out)
{
    return sg_result_load(j->study->files[i], j->allocator, j->diags, out);
}

// The signals of the first run, states first; elements of vectors by their names.
static sg_status choose_signals(study_job *j)
{
    sg_result *r = NULL;
    sg_status status = open_run(j, 0, &r);
    double room = curve_part * j->study->max_size;
    size_t runs = j->study->n_runs < MOST_CURVES ? j->study->n_runs : MOST_CURVES;
    double cost = 4.0 / 3.0 * (2 * PIECES * 2 * sizeof(float)) * (double)runs;
    size_t most = (size_t)fmax(1, fmin(room / cost, MOST_SIGNALS));
    for (int state = 1; state >= 0 && status == SG_OK; state--)
        for (size_t i = 0; i < r->n_signals; i++) {
            const sg_signal *s = &r->signals[i].signal;
            for (uint32_t k = 0; k < sg_signal_count(s) && j->n_names < most; k++) {
                char name[300];
                if ((s->state > 0) != (bool)state || s->type == SG_ELEMENT_TEXT)
                    continue;
                sg_element_name(s, k, name, sizeof name);
                const char *copy = sg_arena_text(&j->arena, name, strlen(name));
                if (copy)
                    j->names[j->n_names++] = copy;
            }
        }
    sg_result_destroy(r);
    return status == SG_OK && j->arena.failed ? SG_ERR_MEMORY : status;
}

// The first, least, greatest and last of each piece would be exact; two in their order are enough
// for lines that lie over each other.
static size_t thin_out(const double *t, const double *y, size_t n, float *out)
{
    size_t m = 0;
    for (size_t piece = 0; piece < PIECES; piece++) {
        size_t from = piece * n / PIECES, to = (piece + 1) * n / PIECES;
        size_t lo = from, hi = from;
        bool some = false;
        for (size_t i = from; i < to; i++) {
            if (!isfinite(y[i]))
                continue;
            lo = !some || y[i] < y[lo] ? i : lo;
            hi = !some || y[i] > y[hi] ? i : hi;
            some = true;
        }
        if (!some)
            continue;
        // The ends of the curve are what they are.
        size_t first = piece == 0 ? from : lo < hi ? lo : hi;
        size_t second = piece + 1 == PIECES ? to - 1 : lo < hi ? hi : lo;
        for (int k = 0; k < (first == second ? 1 : 2); k++) {
            size_t i = k ? second : first;
            if (!isfinite(y[i]))
                continue;
            out[2 * m] = (float)t[i];
            out[2 * m + 1] = (float)y[i];
            m++;
        }
    }
    return m;
}

static sg_status put_curves_of(study_job *j, size_t i)
{
    sg_result *r = NULL;
    sg_status status = open_run(j, i, &r);
    if (status != SG_OK)
        return status;
    sg_arena_mark mark = sg_arena_mark_get(&j->arena);
    size_t n = (size_t)r->n_points;
    double *t = SG_NEW_ARRAY(&j->arena, double, n + 1), *y = SG_NEW_ARRAY(&j->arena, double, n + 1);
    float out[2 * PIECES * 2];
    sg_buf *head = &j->head;
    if (!t || !y)
        status = SG_ERR_MEMORY;
    else
        status = sg_result_values(r, "time", 0, n, t, j->diags);
    sg_buf_printf(head, "%s{\"run\":%llu,\"at\":[", j->report.curves ? ",\n" : "",
                  (unsigned long long)j->study->runs[i]);
    for (size_t k = 0; k < j->n_names && status == SG_OK; k++) {
        // A signal that is not there in this run has no points.
        size_t m = sg_result_values(r, j->names[k], 0, n, y, NULL) == SG_OK && n
                       ? thin_out(t, y, n, out)
                       : 0;
        size_t at = sg_page_add(&j->bytes, out, 2 * m * sizeof *out);
        sg_buf_printf(head, "%s[%zu,%zu]", k ? "," : "", at, m);
    }
    sg_buf_puts(head, "]}");
    j->report.curves++;
    sg_arena_release(&j->arena, mark);
    sg_result_destroy(r);
    return status;
}

// The place of one of `m` among `n`, evenly.
static size_t place_of(size_t k, size_t m, size_t n) { return m < 2 ? 0 : k * (n - 1) / (m - 1); }

static sg_status put_curves(study_job *j)
{
    size_t n = j->study->n_runs, m = n < MOST_CURVES ? n : MOST_CURVES;
    sg_status status = n ? choose_signals(j) : SG_OK;
    sg_json_put_key(&j->head, "signals");
    sg_buf_putc(&j->head, '[');
    for (size_t i = 0; i < j->n_names; i++) {
        sg_buf_puts(&j->head, i ? "," : "");
        sg_json_put_string(&j->head, j->names[i]);
    }
    sg_buf_puts(&j->head, "]");
    sg_json_put_key(&j->head, "curves");
    sg_buf_putc(&j->head, '[');
    for (size_t k = 0; k < m && status == SG_OK && j->n_names; k++)
        status = put_curves_of(j, place_of(k, m, n));
    sg_buf_puts(&j->head, "]");
    j->report.n_signals = j->n_names;
    return status;
}

// ---- whole runs -----------------------------------------------------------------------------

static sg_status make_run(study_job *j, size_t i, sg_page_data *data)
{
    sg_result *r = NULL;
    sg_page_options o = sg_page_options_make();
    o.max_size = (double)sg_page_template_length + run_room;
    *data = (sg_page_data){0};
    sg_status status = open_run(j, i, &r);
    if (status == SG_OK && r->n_points)
        status = sg_page_data_make(r, &o, j->diags, data);
    sg_result_destroy(r);
    return status;
}

static double size_of(const sg_page_data *data)
{
    return (double)data->head.len + 4.0 / 3.0 * (double)data->bytes.buf.len;
}

// How many runs there is room for follows from the first one; those that are larger may make the
// page larger.
static sg_status choose_runs(study_job *j)
{
    size_t n = j->study->n_runs;
    if (!n)
        return SG_OK;
    double used = (double)sg_page_template_length + (double)j->head.len +
                  4.0 / 3.0 * (double)(j->bytes.buf.len + j->table.len);
    sg_page_data data;
    sg_status status = make_run(j, 0, &data);
    double each = fmax(size_of(&data), 1);
    size_t most = data.report.n_bodies ? n : n < MOST_PLAIN ? n : MOST_PLAIN;
    sg_page_data_free(&data);
    double fit = (j->study->max_size - used) / each;
    size_t m = fit >= (double)most ? most : fit > 1 ? (size_t)fit : 1;
    j->chosen = SG_NEW_ARRAY(&j->arena, size_t, m);
    if (!j->chosen)
        return SG_ERR_MEMORY;
    for (size_t k = 0; k < m; k++)
        j->chosen[k] = place_of(k, m, n);
    j->n_chosen = m;
    sg_json_put_key(&j->head, "whole");
    sg_buf_putc(&j->head, '[');
    for (size_t k = 0; k < m; k++)
        sg_buf_printf(&j->head, "%s%llu", k ? "," : "",
                      (unsigned long long)j->study->runs[j->chosen[k]]);
    sg_buf_putc(&j->head, ']');
    return status;
}

// ---- the file -------------------------------------------------------------------------------

static void write_all(void *context, sg_outfile *file)
{
    study_job *j = context;
    sg_outfile_puts(file, "<script type=\"application/json\" id=\"segue-study\">");
    sg_page_put_text(file, &j->head);
    sg_outfile_puts(file, "</script>\n");
    sg_page_put_bytes(file, &j->table, "class=\"study-table\"");
    sg_page_put_bytes(file, &j->bytes.buf, "class=\"study-bytes\"");
    for (size_t k = 0; k < j->n_chosen && j->status == SG_OK; k++) {
        sg_page_data data;
        j->status = make_run(j, j->chosen[k], &data);
        if (j->status == SG_OK && data.head.len) {
            sg_page_data_write(file, &data, (long long)j->study->runs[j->chosen[k]]);
            j->report.whole++;
        }
        sg_page_data_free(&data);
    }
}

static sg_status make(study_job *j, const char *path)
{
    const sg_study_page *p = j->study;
    take_table(j);
    sg_buf_putc(&j->head, '{');
    sg_json_put_number_member(&j->head, "version", 1);
    sg_json_put_text_member(&j->head, "generator", "Segue");
    sg_json_put_text_member(&j->head, "title", p->title ? p->title : "study");
    sg_json_put_number_member(&j->head, "variables", (double)p->n_variables);
    sg_json_put_number_member(&j->head, "runs", (double)j->report.of);
    sg_json_put_number_member(&j->head, "kept", (double)p->n_runs);
    sg_status status = put_curves(j);
    if (status == SG_OK)
        status = choose_runs(j);
    sg_buf_puts(&j->head, "}");
    if (status == SG_OK &&
        (j->head.failed || j->bytes.buf.failed || j->table.failed || j->arena.failed))
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_page_file(path, j->allocator, j->diags, write_all, j, &j->report.bytes);
    return status == SG_OK ? j->status : status;
}

sg_study_page sg_study_page_make(void)
{
    return (sg_study_page){.size = sizeof(sg_study_page), .max_size = 20e6};
}

sg_status sg_study_page_write(const sg_allocator *allocator, const sg_study_page *given,
                              const char *path, sg_study_page_report *report, sg_diags *diags)
{
    sg_study_page p = sg_study_page_make();
    bool fits = given && sg_options_take(&p, sizeof p, given);
    const char *why;
    if (report)
        *report = (sg_study_page_report){0};
    if (!fits || !path || !p.table || (p.n_runs && (!p.runs || !p.files)) || !(p.max_size >= 0.0))
        return sg_misuse(diags, "sg_study_page_write needs a table, a path, a size of zero or "
                                "more, and the runs that it is told of");
    if (!sg_page_available(&why)) {
        sg_error(diags, SG_E_PAGE, nowhere, "this build of Segue cannot make pages: %s", why);
        return SG_ERR_USAGE;
    }
    sg_diags unheard; // readers look into the list that they write to
    allocator = sg_allocator_or_default(allocator);
    sg_diags_init(&unheard, allocator);
    study_job j = {.study = &p, .allocator = allocator, .diags = diags ? diags : &unheard};
    sg_arena_init(&j.arena, allocator);
    sg_buf_init(&j.head, allocator);
    sg_buf_init(&j.table, allocator);
    sg_buf_init(&j.bytes.buf, allocator);
    sg_status status = make(&j, path);
    if (status == SG_ERR_MEMORY)
        sg_error(j.diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    sg_buf_free(&j.head);
    sg_buf_free(&j.table);
    sg_buf_free(&j.bytes.buf);
    sg_arena_destroy(&j.arena);
    sg_diags_destroy(&unheard);
    if (report)
        *report = j.report;
    return status;
}
