#include "view/figure.h"

#include "base/vec.h"

#include <string.h>

static const sg_span nowhere = {0, 0, 0};

enum { MAX_DIAGRAMS = 1024, MAX_LABEL = 1024 };

static void set_defaults(sg_figure *f, const sg_allocator *allocator)
{
    *f = (sg_figure){.allocator = allocator,
                     .heading = "",
                     .x_axis = "",
                     .right = "",
                     .color_by = "",
                     .grid = true,
                     .max_legend = 10,
                     .window = sg_window_make()};
    sg_arena_init(&f->arena, allocator);
}

void sg_figure_init(sg_figure *f, const sg_allocator *allocator)
{
    set_defaults(f, allocator ? allocator : sg_allocator_default());
}

static void release(sg_figure *f)
{
    for (size_t i = 0; i < (size_t)f->rows * f->columns; i++)
        sg_vec_free(f->allocator, (void **)&f->diagrams[i].curves, &f->diagrams[i].cap,
                    sizeof(sg_curve));
    sg_vec_free(f->allocator, (void **)&f->diagrams, &f->cap_diagrams, sizeof *f->diagrams);
    for (size_t i = 0; i < f->n_results; i++)
        sg_result_destroy(f->results[i]);
    sg_vec_free(f->allocator, (void **)&f->results, &f->cap_results, sizeof(sg_result *));
    sg_arena_destroy(&f->arena);
    f->rows = f->columns = 0;
    f->n_results = 0;
}

// In place or on the heap: what was made goes.
void sg_figure_destroy(sg_figure *f)
{
    if (!f)
        return;
    release(f);
    if (f->is_owned)
        f->allocator->resize(f->allocator->context, f, sizeof *f, 0);
}

void sg_figure_clear(sg_figure *f)
{
    const sg_allocator *allocator = f->allocator;
    bool is_owned = f->is_owned;
    release(f);
    set_defaults(f, allocator);
    f->is_owned = is_owned;
}

sg_status sg_figure_resize(sg_figure *f, uint32_t rows, uint32_t columns)
{
    uint32_t old_rows = f->rows, old_columns = f->columns;
    rows = rows < old_rows ? old_rows : rows;
    columns = columns < old_columns ? old_columns : columns;
    if ((uint64_t)rows * columns > MAX_DIAGRAMS)
        return SG_ERR_LIMIT;
    size_t n = (size_t)rows * columns;
    if (!sg_vec_reserve(f->allocator, (void **)&f->diagrams, &f->cap_diagrams, n,
                        sizeof *f->diagrams))
        return SG_ERR_MEMORY;
    // From the end, so that no diagram is overwritten before it has moved.
    for (size_t i = n; i-- > 0;) {
        uint32_t row = (uint32_t)(i / columns), column = (uint32_t)(i % columns);
        f->diagrams[i] = row < old_rows && column < old_columns
                             ? f->diagrams[(size_t)row * old_columns + column]
                             : (sg_diagram){0};
    }
    f->rows = rows;
    f->columns = columns;
    return SG_OK;
}

// The place of a result among those of the figure; a new one is kept.
static bool place_of(sg_figure *f, sg_result *result, size_t *place)
{
    for (*place = 0; *place < f->n_results; ++*place)
        if (f->results[*place] == result)
            return true;
    if (!sg_vec_reserve(f->allocator, (void **)&f->results, &f->cap_results, f->n_results + 1,
                        sizeof(sg_result *)))
        return false;
    f->results[f->n_results++] = sg_result_retain(result);
    return true;
}

static sg_status add_curve(sg_figure *f, sg_diagram *d, sg_result *r, size_t place,
                           const sg_selection *selection, uint32_t i, const char *prefix)
{
    char name[MAX_LABEL];
    sg_selection_name(r, selection, i, name, sizeof name);
    const sg_signal *signal = selection->signal >= 0 ? &r->signals[selection->signal].signal : NULL;
    sg_curve curve = {.result = r,
                      .signal = selection->signal,
                      .element = selection->elements[i],
                      .run = place,
                      .unit = selection->unit,
                      .prefix = sg_arena_text(&f->arena, prefix, strlen(prefix)),
                      .name = sg_arena_text(&f->arena, name, strlen(name)),
                      .steps = signal && (signal->variability != SG_CONTINUOUS ||
                                          signal->type != SG_ELEMENT_REAL),
                      .logical = signal && signal->type == SG_ELEMENT_BOOLEAN};
    if (selection->parameter)
        curve.value = selection->parameter->value[curve.element];
    if (!curve.name || !curve.prefix ||
        !sg_vec_reserve(f->allocator, (void **)&d->curves, &d->cap, d->n + 1, sizeof curve))
        return SG_ERR_MEMORY;
    d->curves[d->n++] = curve;
    return SG_OK;
}

sg_status sg_figure_add(sg_figure *f, uint32_t row, uint32_t column, sg_result *r,
                        const char *signal, const char *prefix, sg_severity unknown,
                        sg_diags *diags)
{
    sg_selection selection;
    sg_status status = sg_figure_resize(f, row + 1, column + 1);
    if (status == SG_OK)
        status = sg_select(r, signal, &f->arena, unknown, diags, &selection);
    size_t place;
    if (status == SG_OK && !place_of(f, r, &place))
        status = SG_ERR_MEMORY;
    sg_diagram *d = status == SG_OK ? &f->diagrams[(size_t)row * f->columns + column] : NULL;
    for (uint32_t i = 0; status == SG_OK && i < selection.n; i++)
        status = add_curve(f, d, r, place, &selection, i, prefix);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while plotting '%s'", signal);
    if (status == SG_ERR_LIMIT)
        sg_error(diags, SG_E_PLOT, nowhere, "a figure has at most %d diagrams", MAX_DIAGRAMS);
    return status;
}

static sg_status set_text(sg_figure *f, const char **slot, const char *text)
{
    char *copy = sg_arena_text(&f->arena, text, strlen(text));
    if (!copy)
        return SG_ERR_MEMORY;
    *slot = copy;
    return SG_OK;
}

sg_status sg_figure_set_heading(sg_figure *f, const char *heading)
{
    return set_text(f, &f->heading, heading);
}

sg_status sg_figure_set_x_axis(sg_figure *f, const char *signal)
{
    return set_text(f, &f->x_axis, signal);
}

sg_status sg_figure_set_right(sg_figure *f, const char *patterns)
{
    return set_text(f, &f->right, patterns);
}

sg_status sg_figure_set_color_by(sg_figure *f, const char *parameter)
{
    return set_text(f, &f->color_by, parameter);
}

sg_status sg_figure_default_heading(sg_figure *f)
{
    if (!f->n_results)
        return SG_OK;
    const sg_attribute *model = sg_result_attribute(f->results[0], "model.name");
    const sg_attribute *algorithm = sg_result_attribute(f->results[0], "experiment.algorithm");
    if (!model || model->type != SG_ELEMENT_TEXT || !model->text[0])
        return SG_OK;
    bool named = algorithm && algorithm->type == SG_ELEMENT_TEXT && algorithm->text[0];
    char *heading = sg_arena_printf(&f->arena, "%s%s%s%s", model->text, named ? " (" : "",
                                    named ? algorithm->text : "", named ? ")" : "");
    if (!heading)
        return SG_ERR_MEMORY;
    f->heading = heading;
    return SG_OK;
}
