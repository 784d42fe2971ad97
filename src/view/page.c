#include "view/page.h"

#include "base/options.h"
#include "result/catalog.h"
#include "result/glob.h"
#include "result/json.h"
#include "result/outfile.h"
#include "result/touches.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

enum { PIECE = 3 << 20 }; // bytes of one script element; base64 takes three at a time

sg_page_options sg_page_options_make(void)
{
    return (sg_page_options){.size = sizeof(sg_page_options), .max_size = 5e6};
}

bool sg_page_available(const char **why)
{
    if (why)
        *why = sg_page_why;
    return sg_page_template_length > 0;
}

size_t sg_page_add(sg_page_bytes *bytes, const void *list, size_t length)
{
    sg_buf_pad(&bytes->buf, '\0', (8 - bytes->buf.len % 8) % 8);
    size_t at = bytes->buf.len;
    sg_buf_add(&bytes->buf, list, length);
    return at;
}

typedef struct page_job {
    const sg_result *result;
    const sg_page_options *options;
    sg_diags *diags;
    sg_arena arena;
    sg_buf head;
    sg_page_bytes bytes;
    double *column; // one signal's values
    size_t n;       // points
    bool *kept;     // by signal
    sg_page_report report;
} page_job;

// ---- signals --------------------------------------------------------------------------------

// States come first where there is not room for all, then what the picture does not show anyhow.
static int rank_of(const sg_signal *s)
{
    const char *dot = strrchr(s->name, '.');
    const char *last = dot ? dot + 1 : s->name;
    if (s->state)
        return 0;
    return strcmp(last, "r_abs") == 0 || strcmp(last, "rot123_abs") == 0 ? 2 : 1;
}

static bool is_wanted(const page_job *j, const sg_signal *s)
{
    return s->type != SG_ELEMENT_TEXT &&
           sg_glob_any(j->options->signals, j->options->n_signals, s->name);
}

// Signals whose values need room: no aliases of kept ones, no constants.
static bool needs_columns(const page_job *j, uint32_t i)
{
    return sg_result_alias(j->result, i).target < 0 && !sg_result_constant(j->result, i);
}

// Chooses by rank and order until the page is full. An alias counts as what it stands for.
static void choose_signals(page_job *j, double room)
{
    const double factor = 4.0 / 3.0; // base64
    for (int rank = 0; rank < 3; rank++)
        for (uint32_t i = 0; i < j->result->n_signals; i++) {
            const sg_signal *s = &j->result->signals[i].signal;
            if (rank_of(s) != rank || !is_wanted(j, s) || !needs_columns(j, i))
                continue;
            double cost = factor * 8.0 * (double)j->n * sg_signal_count(s);
            if (cost > room)
                continue;
            room -= cost;
            j->kept[i] = true;
        }
    for (uint32_t i = 0; i < j->result->n_signals; i++) {
        const sg_signal *s = &j->result->signals[i].signal;
        if (needs_columns(j, i) || !is_wanted(j, s))
            continue;
        int32_t target = sg_result_alias(j->result, i).target;
        j->kept[i] = target < 0 || j->kept[target];
    }
    for (uint32_t i = 0; i < j->result->n_signals; i++) {
        bool wanted = is_wanted(j, &j->result->signals[i].signal);
        j->report.n_signals += j->kept[i];
        j->report.n_left += wanted && !j->kept[i];
    }
}

// The place of a column; one that never changes is a single number.
static sg_status put_column(page_job *j, uint32_t signal, uint32_t element)
{
    sg_status status =
        sg_result_read(j->result, (int32_t)signal, element, 0, j->n, j->column, j->diags);
    size_t same = 1;
    while (same < j->n && memcmp(&j->column[same], &j->column[0], sizeof(double)) == 0)
        same++;
    size_t n = same >= j->n ? 1 : j->n;
    size_t at = status == SG_OK ? sg_page_add(&j->bytes, j->column, n * sizeof(double)) : 0;
    sg_buf_printf(&j->head, "[%zu,%zu]", at, n);
    return status;
}

static sg_status put_signal(page_job *j, uint32_t i, const uint32_t *number)
{
    const sg_signal *s = &j->result->signals[i].signal;
    sg_signal_alias alias = sg_result_alias(j->result, i);
    sg_status status = SG_OK;
    sg_buf *out = &j->head;
    sg_buf_putc(out, '{');
    sg_json_put_text_member(out, "name", s->name);
    sg_json_put_text_member(out, "unit", s->unit);
    if (s->info[0])
        sg_json_put_text_member(out, "info", s->info);
    if (s->state)
        sg_json_put_flag_member(out, "state", true);
    if (s->variability != SG_CONTINUOUS || s->type != SG_ELEMENT_REAL)
        sg_json_put_flag_member(out, "steps", true);
    if (s->rank) {
        const double size[2] = {s->size[0], s->size[1]};
        sg_json_put_numbers_member(out, "size", size, s->rank);
    }
    if (alias.target >= 0) {
        sg_json_put_number_member(out, "same", number[alias.target]);
        if (alias.negated)
            sg_json_put_flag_member(out, "negated", true);
    } else {
        sg_json_put_key(out, "columns");
        sg_buf_putc(out, '[');
        for (uint32_t k = 0; k < sg_signal_count(s) && status == SG_OK; k++) {
            if (k)
                sg_buf_putc(out, ',');
            status = put_column(j, i, k);
        }
        sg_buf_putc(out, ']');
    }
    sg_buf_putc(out, '}');
    return status;
}

static sg_status put_signals(page_job *j)
{
    uint32_t *number = SG_NEW_ARRAY(&j->arena, uint32_t, j->result->n_signals + 1), next = 0;
    sg_status status = number ? SG_OK : SG_ERR_MEMORY;
    for (uint32_t i = 0; number && i < j->result->n_signals; i++)
        if (j->kept[i])
            number[i] = next++;
    sg_json_put_key(&j->head, "signals");
    sg_buf_putc(&j->head, '[');
    next = 0;
    for (uint32_t i = 0; i < j->result->n_signals && status == SG_OK; i++)
        if (j->kept[i]) {
            sg_buf_puts(&j->head, next++ ? ",\n" : "");
            status = put_signal(j, i, number);
        }
    sg_buf_puts(&j->head, "]");
    return status;
}

// ---- the rest of the head -------------------------------------------------------------------

static void put_segments(page_job *j)
{
    sg_buf *out = &j->head;
    sg_json_put_key(out, "segments");
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < j->result->n_segments; i++) {
        const sg_segment *s = &j->result->segments[i];
        sg_buf_puts(out, i ? ",{" : "{");
        sg_json_put_number_member(out, "start", s->start);
        sg_json_put_number_member(out, "stop", s->stop);
        sg_json_put_number_member(out, "first", (double)s->first_point);
        sg_json_put_number_member(out, "points", (double)s->n_points);
        sg_json_put_text_member(out, "action", s->action);
        sg_buf_putc(out, '}');
    }
    sg_buf_putc(out, ']');
}

enum { MOST_CONTACTS = 2000 }; // in the list of a page: the deepest

static int compare_depths(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static int compare_begins(const void *a, const void *b)
{
    double x = ((const sg_contact_entry *)a)->begin, y = ((const sg_contact_entry *)b)->begin;
    return (x > y) - (x < y);
}

// Which depth makes one of the deepest.
static sg_status find_least_depth(page_job *j, size_t n, double *least)
{
    *least = -(double)INFINITY;
    if (n <= MOST_CONTACTS)
        return SG_OK;
    double *depth = SG_NEW_ARRAY(&j->arena, double, n);
    sg_status status = depth ? SG_OK : SG_ERR_MEMORY;
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        sg_contact_entry e;
        status = sg_result_contacts(j->result, i, 1, &e, j->diags);
        depth[i] = e.depth;
    }
    if (status == SG_OK) {
        qsort(depth, n, sizeof *depth, compare_depths);
        *least = depth[MOST_CONTACTS - 1];
    }
    return status;
}

static sg_status choose_contacts(page_job *j, sg_contact_entry *list, size_t *chosen)
{
    size_t n = sg_result_contact_count(j->result);
    double least;
    sg_status status = find_least_depth(j, n, &least);
    *chosen = 0;
    for (size_t i = 0; i < n && *chosen < MOST_CONTACTS && status == SG_OK; i++) {
        status = sg_result_contacts(j->result, i, 1, &list[*chosen], j->diags);
        *chosen += status == SG_OK && list[*chosen].depth >= least;
    }
    if (status == SG_OK)
        qsort(list, *chosen, sizeof *list, compare_begins);
    return status;
}

static sg_status put_contacts(page_job *j)
{
    size_t n = sg_result_contact_count(j->result), chosen;
    sg_buf *out = &j->head;
    if (!n)
        return SG_OK;
    sg_contact_entry *list = SG_NEW_ARRAY(&j->arena, sg_contact_entry, MOST_CONTACTS);
    sg_status status = list ? choose_contacts(j, list, &chosen) : SG_ERR_MEMORY;
    if (status != SG_OK)
        return status;
    sg_json_put_number_member(out, "contactCount", (double)n);
    sg_json_put_key(out, "touches");
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < chosen; i++) {
        double x[SG_TOUCH_NUMBERS];
        sg_touch_numbers(&list[i], x);
        sg_buf_puts(out, i ? ",{" : "{");
        sg_json_put_text_member(out, "a", list[i].object1);
        sg_json_put_text_member(out, "b", list[i].object2);
        for (size_t k = 0; k < SG_TOUCH_NUMBERS; k++)
            sg_json_put_number_member(out, sg_touch_names[k], x[k]);
        sg_json_put_text_member(out, "law", list[i].law);
        sg_buf_putc(out, '}');
    }
    sg_buf_putc(out, ']');
    return SG_OK;
}

static void put_parameters(page_job *j)
{
    sg_buf *out = &j->head;
    bool first = true;
    sg_json_put_key(out, "parameters");
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < j->result->n_parameters; i++) {
        const sg_parameter *p = &j->result->parameters[i];
        if (p->rank || p->type == SG_ELEMENT_TEXT)
            continue;
        sg_buf_puts(out, first ? "{" : ",{");
        first = false;
        sg_json_put_text_member(out, "name", p->name);
        sg_json_put_text_member(out, "unit", p->unit);
        sg_json_put_number_member(out, "value", p->value[0]);
        sg_buf_putc(out, '}');
    }
    sg_buf_putc(out, ']');
}

static void put_attributes(page_job *j)
{
    sg_buf *out = &j->head;
    sg_json_put_key(out, "attributes");
    sg_buf_putc(out, '{');
    for (size_t i = 0; i < j->result->n_attributes; i++) {
        const sg_attribute *a = &j->result->attributes[i];
        if (a->type == SG_ELEMENT_TEXT)
            sg_json_put_text_member(out, a->key, a->text);
        else
            sg_json_put_number_member(out, a->key, a->number);
    }
    sg_buf_putc(out, '}');
}

static sg_status put_head(page_job *j, const sg_scene *scene)
{
    sg_buf *out = &j->head;
    const sg_attribute *model = sg_result_attribute(j->result, "model.name");
    const char *title = j->options->title;
    if (!title)
        title = model && model->type == SG_ELEMENT_TEXT ? model->text : j->result->name;
    sg_buf_putc(out, '{');
    sg_json_put_number_member(out, "version", 1);
    sg_json_put_text_member(out, "generator", "Segue " SG_VERSION_TEXT);
    sg_json_put_text_member(out, "title", title);
    sg_json_put_flag_member(out, "complete", j->result->finished && j->result->outcome == SG_OK);
    sg_json_put_number_member(out, "points", (double)j->n);
    put_attributes(j);
    put_segments(j);
    sg_json_put_key(out, "events");
    sg_put_events(j->result, out);
    put_parameters(j);
    sg_status status = put_contacts(j);
    if (status == SG_OK)
        status = sg_result_read(j->result, SG_TIME, 0, 0, j->n, j->column, j->diags);
    if (status == SG_OK)
        sg_json_put_number_member(out, "time",
                                  (double)sg_page_add(&j->bytes, j->column, j->n * sizeof(double)));
    if (status == SG_OK && scene) {
        status = sg_page_put_scene(out, &j->bytes, scene);
        j->report.n_bodies = scene->animation.visuals.len;
        j->report.n_frames = scene->animation.time.len;
    }
    if (status != SG_OK)
        return status;
    double fixed =
        (double)sg_page_template_length + (double)out->len + 4.0 / 3.0 * (double)j->bytes.buf.len;
    // What stands in the head of a signal takes about this much.
    const double words = 120.0 * (double)j->result->n_signals;
    choose_signals(j, j->options->max_size - fixed - words);
    sg_json_put_number_member(out, "left", (double)j->report.n_left);
    status = put_signals(j);
    sg_buf_puts(out, "}");
    return status;
}

// ---- the file -------------------------------------------------------------------------------

// Text of a model must never become markup, so nothing that begins a tag stands in the head.
void sg_page_put_text(sg_outfile *file, const sg_buf *head)
{
    const char *text = sg_buf_text(head);
    for (size_t i = 0, from = 0; i <= head->len; i++)
        if (i == head->len || text[i] == '<') {
            sg_outfile_write(file, text + from, i - from);
            if (i < head->len)
                sg_outfile_puts(file, "\\u003c");
            from = i + 1;
        }
}

static void write_base64(sg_outfile *file, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;
        three |= i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0;
        three |= i + 2 < n ? bytes[i + 2] : 0;
        text[used++] = digits[three >> 18];
        text[used++] = digits[three >> 12 & 63];
        text[used++] = i + 1 < n ? digits[three >> 6 & 63] : '=';
        text[used++] = i + 2 < n ? digits[three & 63] : '=';
        if (used == sizeof text || i + 3 >= n) {
            sg_outfile_write(file, text, used);
            used = 0;
        }
    }
}

void sg_page_put_bytes(sg_outfile *file, const sg_buf *b, const char *attributes)
{
    for (size_t at = 0; at < b->len; at += PIECE) {
        size_t n = b->len - at < PIECE ? b->len - at : PIECE;
        sg_outfile_puts(file, "<script type=\"text/plain\" ");
        sg_outfile_puts(file, attributes);
        sg_outfile_puts(file, ">");
        write_base64(file, (const unsigned char *)b->text + at, n);
        sg_outfile_puts(file, "</script>\n");
    }
}

void sg_page_data_write(sg_outfile *file, const sg_page_data *data, long long run)
{
    char attributes[80] = "id=\"segue-head\"", bytes[80] = "class=\"segue-bytes\"";
    if (run >= 0) {
        snprintf(attributes, sizeof attributes, "class=\"run-head\" data-run=\"%lld\"", run);
        snprintf(bytes, sizeof bytes, "class=\"run-bytes\" data-run=\"%lld\"", run);
    }
    sg_outfile_puts(file, "<script type=\"application/json\" ");
    sg_outfile_puts(file, attributes);
    sg_outfile_puts(file, ">");
    sg_page_put_text(file, &data->head);
    sg_outfile_puts(file, "</script>\n");
    sg_page_put_bytes(file, &data->bytes.buf, bytes);
}

sg_status sg_page_file(const char *path, const sg_allocator *allocator, sg_diags *diags,
                       void (*write)(void *context, sg_outfile *file), void *context,
                       uint64_t *bytes)
{
    const char *page = (const char *)sg_page_template, *mark = strstr(page, SG_PAGE_MARK);
    const char *rest = mark ? mark + strlen(SG_PAGE_MARK) : NULL;
    sg_outfile file;
    if (!mark)
        return SG_ERR_INTERNAL;
    sg_status status = sg_outfile_open(&file, path, allocator, diags);
    if (status != SG_OK)
        return status;
    sg_outfile_write(&file, page, (size_t)(mark - page));
    write(context, &file);
    sg_outfile_puts(&file, rest);
    *bytes = file.written;
    status = sg_outfile_commit(&file, diags);
    sg_outfile_abandon(&file);
    return status;
}

static sg_status fill(page_job *j)
{
    sg_scene *scene;
    sg_status status = sg_scene_open(j->result, j->arena.allocator, j->diags, &scene);
    j->n = (size_t)j->result->n_points;
    j->column = SG_NEW_ARRAY(&j->arena, double, j->n + 1);
    j->kept = SG_NEW_ARRAY(&j->arena, bool, j->result->n_signals + 1);
    if (status == SG_OK)
        status = j->column && j->kept ? put_head(j, scene) : SG_ERR_MEMORY;
    sg_scene_close(scene);
    if (status == SG_OK && (j->head.failed || j->bytes.buf.failed || j->arena.failed))
        status = SG_ERR_MEMORY;
    return status;
}

sg_status sg_page_data_make(const sg_result *result, const sg_page_options *options,
                            sg_diags *diags, sg_page_data *out)
{
    const sg_allocator *allocator = result->arena.allocator;
    page_job j = {.result = result, .options = options, .diags = diags};
    sg_arena_init(&j.arena, allocator);
    sg_buf_init(&j.head, allocator);
    sg_buf_init(&j.bytes.buf, allocator);
    sg_status status = fill(&j);
    sg_arena_destroy(&j.arena);
    *out = (sg_page_data){.head = j.head, .bytes = j.bytes, .report = j.report};
    return status;
}

void sg_page_data_free(sg_page_data *data)
{
    sg_buf_free(&data->head);
    sg_buf_free(&data->bytes.buf);
}

static void write_only_run(void *context, sg_outfile *file)
{
    sg_page_data_write(file, context, -1);
}

sg_status sg_page_write(const sg_result *result, const char *path, const sg_page_options *options,
                        sg_page_report *report, sg_diags *diags)
{
    sg_page_options o = sg_page_options_make();
    bool fits = sg_options_take(&o, sizeof o, options);
    options = &o;
    if (report)
        *report = (sg_page_report){0};
    if (!fits || !result || !path || !sg_glob_list_exists(options->signals, options->n_signals) ||
        !(options->max_size >= 0.0))
        return sg_misuse(diags, "sg_page_write needs a result, a path, a size of zero or more, and "
                                "the patterns that it is told of");
    const sg_allocator *allocator = result->arena.allocator;
    const char *why;
    if (!sg_page_available(&why)) {
        sg_error(diags, SG_E_PAGE, nowhere, "this build of Segue cannot make pages: %s", why);
        return SG_ERR_USAGE;
    }
    if (!result->n_points) {
        sg_error(diags, SG_E_PAGE, nowhere, "'%s' has no points, so there is nothing to show",
                 result->name);
        return SG_ERR_USAGE;
    }
    sg_page_data data;
    sg_status status = sg_page_data_make(result, options, diags, &data);
    if (status == SG_OK)
        status = sg_page_file(path, allocator, diags, write_only_run, &data, &data.report.bytes);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    sg_page_data_free(&data);
    if (report)
        *report = data.report;
    return status;
}
