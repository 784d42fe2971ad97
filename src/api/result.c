// The public functions of segue/result.h over result and view.
#include "segue/result.h"

#include "base/options.h"
#include "result/compare.h"
#include "result/glob.h"
#include "result/load.h"
#include "result/result.h"
#include "view/plot.h"
#include "view/table_plot.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const sg_span nowhere = {0, 0, 0};

enum { MOST_ROWS = 100, LARGEST_PICTURE = 20000, LARGEST_SCALE = 20 };

// The run file of a folder that was written last; false if it holds none. *n counts them.
static bool newest_run(const char *folder, char *out, size_t size, size_t *n)
{
    DIR *entries = opendir(folder);
    struct timespec newest = {0};
    *n = 0;
    for (const struct dirent *e; entries && (e = readdir(entries)) != NULL;) {
        char path[PATH_MAX];
        struct stat info;
        if (sg_format_by_suffix(e->d_name) != SG_FORMAT_RUN ||
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path ||
            stat(path, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        struct timespec t = info.st_mtim;
        bool later =
            t.tv_sec > newest.tv_sec || (t.tv_sec == newest.tv_sec && t.tv_nsec > newest.tv_nsec);
        if ((*n)++ == 0 || later) {
            snprintf(out, size, "%s", path);
            newest = t;
        }
    }
    if (entries)
        closedir(entries);
    return *n > 0;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// The readers look into the list that they write to, so there is one in any case.
static sg_status load(const char *path, const sg_allocator *allocator, sg_diags *diags,
                      sg_result **out)
{
    sg_diags unheard;
    allocator = sg_allocator_or_default(allocator);
    sg_diags_init(&unheard, allocator);
    sg_status status = sg_result_load(path, allocator, diags ? diags : &unheard, out);
    sg_diags_destroy(&unheard);
    return status;
}

sg_status sg_result_open(const sg_allocator *allocator, const char *path, sg_diags *diags,
                         sg_result **out)
{
    char file[PATH_MAX];
    size_t n;
    if (out)
        *out = NULL;
    if (!path || !out)
        return sg_misuse(diags, "sg_result_open needs a path and a place for the result");
    if (!is_folder(path))
        return load(path, allocator, diags, out);
    if (!newest_run(path, file, sizeof file, &n)) {
        sg_error(diags, SG_E_IO, nowhere, "the folder '%s' holds no run file (*.segue)", path);
        return SG_ERR_IO;
    }
    if (n > 1)
        sg_note(diags, nowhere, "'%s' holds %zu runs; this is the last one, '%s'", path, n, file);
    return load(file, allocator, diags, out);
}

sg_result_info sg_result_describe(const sg_result *r)
{
    if (!r)
        return (sg_result_info){.path = "", .model = "", .damage = "", .outcome = SG_ERR_USAGE};
    const sg_attribute *model = sg_result_attribute(r, "model.name");
    sg_result_info info = {.path = r->name,
                           .model = model && model->type == SG_ELEMENT_TEXT ? model->text : "",
                           .damage = r->damage,
                           .finished = r->finished,
                           .outcome = r->outcome,
                           .n_points = r->n_points,
                           .n_signals = r->n_signals,
                           .n_parameters = r->n_parameters,
                           .n_attributes = r->n_attributes,
                           .n_segments = r->n_segments,
                           .n_events = r->n_events,
                           .n_contacts = sg_result_contact_count(r)};
    if (r->n_segments) {
        info.start = r->segments[0].start;
        info.stop = r->segments[r->n_segments - 1].stop;
    }
    return info;
}

uint64_t sg_result_points(const sg_result *r) { return r ? r->n_points : 0; }

const sg_signal *sg_result_signal(const sg_result *r, size_t i)
{
    return r && i < r->n_signals ? &r->signals[i].signal : NULL;
}

size_t sg_result_signal_segments(const sg_result *r, size_t i)
{
    return r && i < r->n_signals ? r->signals[i].n_segments : 0;
}

const sg_parameter *sg_result_parameter_at(const sg_result *r, size_t i)
{
    return r && i < r->n_parameters ? &r->parameters[i] : NULL;
}

const sg_attribute *sg_result_attribute_at(const sg_result *r, size_t i)
{
    return r && i < r->n_attributes ? &r->attributes[i] : NULL;
}

const sg_event_entry *sg_result_event(const sg_result *r, size_t i)
{
    return r && i < r->n_events ? &r->events[i] : NULL;
}

sg_segment_info sg_result_segment(const sg_result *r, size_t i)
{
    if (!r || i >= r->n_segments)
        return (sg_segment_info){.action = ""};
    const sg_segment *s = &r->segments[i];
    const sg_schema *schema = &r->schemas[s->schema];
    sg_segment_info info = {.start = s->start,
                            .stop = s->stop,
                            .first_point = s->first_point,
                            .n_points = s->n_points,
                            .action = s->action,
                            .n_signals = schema->n_signals};
    for (uint32_t k = 0; k < schema->n_signals; k++)
        if (schema->signals[k].state)
            info.n_states += sg_signal_count(&schema->signals[k]);
    return info;
}

sg_status sg_result_extent(const sg_result *r, size_t signal, uint32_t element, sg_extent *out,
                           sg_diags *diags)
{
    if (!r || !out)
        return sg_misuse(diags, "sg_result_extent needs a result and a place for the answer");
    if (signal >= r->n_signals || element >= sg_signal_count(&r->signals[signal].signal)) {
        sg_error(diags, SG_E_USAGE, nowhere, "'%s' has no such signal or element", r->name);
        return SG_ERR_USAGE;
    }
    return sg_result_range(r, (int32_t)signal, element, out, diags);
}

bool sg_glob_name(const char *pattern, const char *name)
{
    return pattern && name && sg_glob_match(pattern, name);
}

// Any text begins like CSV, so there the name has to say so too.
bool sg_result_is_one(const char *path)
{
    char file[PATH_MAX];
    size_t n;
    if (!path)
        return false;
    if (is_folder(path))
        return newest_run(path, file, sizeof file, &n);
    sg_result_format format = sg_result_sniff(path);
    return format != SG_FORMAT_UNKNOWN &&
           (format != SG_FORMAT_CSV || sg_format_by_suffix(path) == SG_FORMAT_CSV);
}

sg_convert_options sg_convert_options_make(void)
{
    return (sg_convert_options){.size = sizeof(sg_convert_options)};
}

sg_status sg_result_convert(const sg_result *r, const char *path, const sg_convert_options *options,
                            sg_diags *diags)
{
    sg_convert_options o = sg_convert_options_make();
    bool fits = sg_options_take(&o, sizeof o, options);
    options = &o;
    if (!fits || !r || !path || !sg_glob_list_exists(options->signals, options->n_signals))
        return sg_misuse(diags, "sg_result_convert needs a result, a path, and the patterns that "
                                "it is told of");
    sg_save_options save = {.signals = options->signals,
                            .n_signals = options->n_signals,
                            .csv_units = options->csv_units,
                            .single = options->single};
    return sg_result_save_as(r, path, options->format, &save, diags);
}

// A comparison with the memory that it lives in.
typedef struct owned_comparison {
    sg_comparison comparison; // first, so that one pointer serves both
    sg_arena arena;
} owned_comparison;

sg_compare_options sg_compare_options_make(void)
{
    return (sg_compare_options){.size = sizeof(sg_compare_options), .rtol = 1e-3};
}

sg_status sg_result_compare(const sg_allocator *allocator, const sg_result *a, const sg_result *b,
                            const sg_compare_options *options, sg_diags *diags, sg_comparison **out)
{
    const sg_allocator *memory = sg_allocator_or_default(allocator);
    sg_compare_options o = sg_compare_options_make();
    bool fits = sg_options_take(&o, sizeof o, options);
    options = &o;
    if (out)
        *out = NULL;
    if (!fits || !a || !b || !out || !sg_glob_list_exists(options->signals, options->n_signals))
        return sg_misuse(diags, "sg_result_compare needs two results, a place for the answer, and "
                                "the patterns that it is told of");
    if (!(options->rtol >= 0.0) || !(options->atol >= 0.0))
        return sg_misuse(diags, "sg_result_compare needs tolerances of zero or more");
    owned_comparison *c = memory->resize(memory->context, NULL, 0, sizeof *c);
    if (!c) {
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while comparing");
        return SG_ERR_MEMORY;
    }
    sg_arena_init(&c->arena, memory);
    sg_status status = sg_compare_results(a, b, options, &c->arena, diags, &c->comparison);
    if (status == SG_OK)
        *out = &c->comparison;
    else
        sg_comparison_destroy(&c->comparison);
    return status;
}

void sg_comparison_destroy(sg_comparison *comparison)
{
    if (!comparison)
        return;
    owned_comparison *c = (owned_comparison *)(void *)comparison;
    const sg_allocator *memory = c->arena.allocator;
    sg_arena_destroy(&c->arena);
    memory->resize(memory->context, c, sizeof *c, 0);
}

size_t sg_comparison_count(const sg_comparison *c) { return c ? c->n : 0; }

size_t sg_comparison_different(const sg_comparison *c) { return c ? c->n_different : 0; }

const sg_difference *sg_comparison_get(const sg_comparison *c, size_t i)
{
    return c && i < c->n ? &c->list[i] : NULL;
}

const sg_difference *sg_comparison_worst(const sg_comparison *c)
{
    return c && c->worst < c->n ? &c->list[c->worst] : NULL;
}

sg_figure_options sg_figure_options_make(void)
{
    const double none = (double)NAN;
    return (sg_figure_options){.size = sizeof(sg_figure_options),
                               .grid = true,
                               .max_legend = 100,
                               .scale = 2,
                               .from = none,
                               .to = none,
                               .x_lo = none,
                               .x_hi = none,
                               .y_lo = none,
                               .y_hi = none};
}

sg_figure *sg_figure_create(const sg_allocator *allocator)
{
    const sg_allocator *a = sg_allocator_or_default(allocator);
    sg_figure *f = a->resize(a->context, NULL, 0, sizeof *f);
    if (!f)
        return NULL;
    sg_figure_init(f, a);
    f->is_owned = true;
    return f;
}

sg_status sg_figure_plot(sg_figure *f, uint32_t row, uint32_t column, sg_result *result,
                         const char *signal, const char *prefix, sg_diags *diags)
{
    if (!f || !result || !signal)
        return sg_misuse(diags, "sg_figure_plot needs a figure, a result and a signal");
    if (row >= MOST_ROWS || column >= MOST_ROWS)
        return sg_misuse(diags, "a figure has at most 100 rows and 100 columns");
    return sg_figure_add(f, row, column, result, signal, prefix ? prefix : "", SG_ERROR, diags);
}

// Sizes that a picture can have; 0 stands for a default.
static bool is_size(double x, double most) { return x >= 0.0 && x <= most; }

static sg_status apply(sg_figure *f, const sg_figure_options *o, sg_diags *diags)
{
    if (!is_size(o->width, LARGEST_PICTURE) || !is_size(o->height, LARGEST_PICTURE) ||
        !is_size(o->scale, LARGEST_SCALE))
        return sg_misuse(diags, "a figure is at most 20000 wide and high, its scale at most 20");
    f->grid = o->grid;
    f->events = o->events;
    f->few_x_labels = o->few_x_labels;
    f->max_legend = o->max_legend;
    f->width = o->width;
    f->height = o->height;
    f->band = o->band;
    f->window = (sg_window){.from = o->from,
                            .to = o->to,
                            .x_lo = o->x_lo,
                            .x_hi = o->x_hi,
                            .y_lo = o->y_lo,
                            .y_hi = o->y_hi,
                            .log_x = o->log_x,
                            .log_y = o->log_y,
                            .degrees = o->degrees,
                            .equal = o->equal};
    if (o->from >= o->to || o->x_lo >= o->x_hi || o->y_lo >= o->y_hi || isinf(o->from) ||
        isinf(o->to) || isinf(o->x_lo) || isinf(o->x_hi) || isinf(o->y_lo) || isinf(o->y_hi))
        return sg_misuse(diags, "the lower end of a range must be below the upper one");
    sg_status status = sg_figure_set_x_axis(f, o->x_axis ? o->x_axis : "");
    if (status == SG_OK)
        status = sg_figure_set_right(f, o->right ? o->right : "");
    if (status == SG_OK)
        status = sg_figure_set_color_by(f, o->color_by ? o->color_by : "");
    if (status == SG_OK)
        status = o->heading ? sg_figure_set_heading(f, o->heading) : sg_figure_default_heading(f);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while plotting");
    return status;
}

sg_status sg_figure_save(sg_figure *f, const char *path, const sg_figure_options *options,
                         sg_diags *diags)
{
    sg_figure_options o = sg_figure_options_make();
    if (!sg_options_take(&o, sizeof o, options) || !f || !path)
        return sg_misuse(diags, "sg_figure_save needs a figure and a path");
    sg_status status = apply(f, &o, diags);
    return status == SG_OK ? sg_figure_write(f, path, o.scale, diags) : status;
}

sg_status sg_figure_print(sg_figure *f, const sg_figure_options *options, sg_text_plot style,
                          void (*write)(void *context, const char *text, size_t length),
                          void *context, sg_diags *diags)
{
    sg_figure_options o = sg_figure_options_make();
    if (!sg_options_take(&o, sizeof o, options) || !f || !write)
        return sg_misuse(diags,
                         "sg_figure_print needs a figure and a function that takes the text");
    sg_status status = apply(f, &o, diags);
    if (status != SG_OK)
        return status;
    sg_buf text;
    sg_buf_init(&text, f->allocator);
    status = sg_figure_text(f, style, &text, diags);
    if (status == SG_OK)
        write(context, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return status;
}

sg_table_plot_options sg_table_plot_options_make(void)
{
    return (sg_table_plot_options){.size = sizeof(sg_table_plot_options), .scale = 2};
}

sg_status sg_table_plot(const sg_result *table, const char *const *columns, size_t n,
                        const char *path, const sg_table_plot_options *options, sg_diags *diags)
{
    sg_table_plot_options o = sg_table_plot_options_make();
    bool fits = sg_options_take(&o, sizeof o, options);
    if (!fits || !table || !path || !sg_glob_list_exists(columns, n) ||
        (unsigned)o.kind > SG_TABLE_SCATTER)
        return sg_misuse(diags, "sg_table_plot needs a table, a path, and the columns that it is "
                                "told of");
    if (!is_size(o.width, LARGEST_PICTURE) || !is_size(o.height, LARGEST_PICTURE) ||
        !is_size(o.scale, LARGEST_SCALE) || (o.width > 0 && o.width < 100) ||
        (o.height > 0 && o.height < 100))
        return sg_misuse(diags, "a picture is 100 to 20000 wide and high, its scale at most 20");
    if ((o.kind == SG_TABLE_POINTS || o.kind == SG_TABLE_MAP) &&
        (!o.x || (o.kind == SG_TABLE_MAP && !o.y)))
        return sg_misuse(diags, "points are drawn over a column x, maps over columns x and y");
    return sg_table_plot_write(table, columns, n, path, &o, diags);
}
