// What every curve of a figure looks like, decided when the figure is complete: a curve alone does
// not know how many others there are.
//
// Signals differ by color, runs of the same signal by their dashes. That serves for a few runs;
// more of them get a color each, and a study of many becomes a bundle of thin lines, or is colored
// by the parameter that it varies.
#include "base/number.h"
#include "result/glob.h"
#include "view/figure.h"
#include "view/plot.h"
#include "view/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// Lines of the usual width cover each other when there are more than this in a diagram.
enum { THIN_BEYOND = 20, THINNER_BEYOND = 60 };
// Runs that dashes tell apart: there are five of them, and more than two are hard to follow.
enum { DASHED_RUNS = 2 };
// Runs that a legend lists by the value of a parameter; more have a bar of colors.
enum { LISTED_VALUES = 10 };
static const double usual_width = 1.6, thin_width = 1, thinner_width = 0.7;
static const double veil_of_bundle = 0.45; // so that it is darker where many runs go

sg_window sg_window_make(void)
{
    const double none = (double)NAN;
    return (sg_window){
        .from = none, .to = none, .x_lo = none, .x_hi = none, .y_lo = none, .y_hi = none};
}

const char *sg_unit_in_degrees(const char *unit, double *factor)
{
    static const char *const table[][2] = {{"rad", "°"},         {"rad*s^-1", "°*s^-1"},
                                           {"rad/s", "°/s"},     {"rad*s^-2", "°*s^-2"},
                                           {"rad/s^2", "°/s^2"}, {"rad*s^-3", "°*s^-3"}};
    *factor = 1;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(unit, table[i][0]) == 0) {
            *factor = 90 / SG_HALF_PI;
            return table[i][1];
        }
    return unit;
}

uint32_t sg_scale_color(const sg_color_scale *scale, double value)
{
    // From dark blue over green to yellow, as bright as it can be on white paper: brightness grows
    // all the way, so that it also serves in print and for color-blind people.
    static const unsigned char stops[][3] = {
        {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {210, 196, 20}};
    enum { LAST = sizeof stops / sizeof stops[0] - 1 };
    double lo = scale->log ? log10(scale->lo) : scale->lo;
    double hi = scale->log ? log10(scale->hi) : scale->hi;
    double at = hi > lo ? ((scale->log ? log10(value) : value) - lo) / (hi - lo) * LAST : 0;
    at = at > 0 ? fmin(at, LAST) : 0; // also what is no number
    int k = (int)fmin(floor(at), LAST - 1);
    uint32_t color = 0;
    for (int i = 0; i < 3; i++) {
        double part = stops[k][i] + (at - k) * (stops[k + 1][i] - stops[k][i]);
        color = color << 8 | (uint32_t)lround(part);
    }
    return color;
}

static sg_status read_scale(sg_figure *f, sg_diags *diags)
{
    f->scale = (sg_color_scale){0};
    if (!f->color_by[0])
        return SG_OK;
    sg_color_scale *s = &f->scale;
    s->values = SG_NEW_ARRAY(&f->arena, double, f->n_results + 1);
    if (!s->values)
        return SG_ERR_MEMORY;
    s->lo = (double)INFINITY;
    s->hi = -(double)INFINITY;
    const char *unit = "";
    for (size_t i = 0; i < f->n_results; i++) {
        sg_selection selection;
        sg_status status =
            sg_select(f->results[i], f->color_by, &f->arena, SG_ERROR, diags, &selection);
        if (status != SG_OK)
            return status;
        if (!selection.parameter || selection.n != 1 || !selection.parameter->value) {
            sg_error(diags, SG_E_PLOT, nowhere,
                     "runs cannot be colored by '%s': it is not a number among the parameters",
                     f->color_by);
            return SG_ERR_USAGE;
        }
        double value = selection.parameter->value[selection.elements[0]], factor = 1;
        unit = f->window.degrees ? sg_unit_in_degrees(selection.unit, &factor) : selection.unit;
        s->values[i] = value * factor;
        s->lo = fmin(s->lo, s->values[i]);
        s->hi = fmax(s->hi, s->values[i]);
    }
    // Values over more than two decades were chosen on such a scale.
    s->log = s->lo > 0 && s->hi > 100 * s->lo;
    s->bar = f->n_results > LISTED_VALUES;
    s->label = sg_quantity_text(&f->arena, "", f->color_by, unit);
    return s->label ? SG_OK : SG_ERR_MEMORY;
}

// Curves of the same name are a family. Returns how many runs the largest one has.
static size_t find_families(sg_diagram *d)
{
    size_t largest = 0;
    d->n_families = 0;
    for (size_t i = 0; i < d->n; i++)
        d->curves[i].family = -1;
    for (size_t i = 0; i < d->n; i++) {
        if (d->curves[i].family >= 0)
            continue;
        size_t runs = 0;
        for (size_t k = i; k < d->n; k++)
            if (strcmp(d->curves[k].name, d->curves[i].name) == 0) {
                d->curves[k].family = d->n_families;
                runs++;
            }
        d->n_families++;
        largest = runs > largest ? runs : largest;
    }
    return largest;
}

// Whether a list such as "a.b,c*" names a curve, by the signal or by its element.
static bool is_named(const char *list, const sg_curve *curve)
{
    char pattern[256], signal[256];
    snprintf(signal, sizeof signal, "%s", curve->name);
    char *bracket = strrchr(signal, '[');
    if (bracket)
        *bracket = '\0';
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n < sizeof pattern) {
            memcpy(pattern, list, n);
            pattern[n] = '\0';
            if (sg_glob_match(pattern, curve->name) || sg_glob_match(pattern, signal))
                return true;
        }
        list += n + (list[n] == ',');
    }
    return false;
}

// Two units and no more: the second one goes to the right, as nobody can compare them.
static const char *unit_of_the_right(const sg_diagram *d)
{
    const char *second = NULL;
    for (size_t i = 0; i < d->n; i++) {
        const char *unit = d->curves[i].shown_unit;
        if (!unit[0])
            return NULL;
        if (strcmp(unit, d->curves[0].shown_unit) == 0)
            continue;
        if (second && strcmp(unit, second) != 0)
            return NULL;
        second = unit;
    }
    return second;
}

static size_t choose_axes(sg_figure *f, sg_diagram *d)
{
    size_t n_right = 0;
    const char *unit = f->right[0] || f->window.equal ? NULL : unit_of_the_right(d);
    for (size_t i = 0; i < d->n; i++) {
        sg_curve *c = &d->curves[i];
        c->right = unit ? strcmp(c->shown_unit, unit) == 0 : f->right[0] && is_named(f->right, c);
        n_right += c->right;
    }
    for (size_t i = 0; n_right == d->n && i < d->n; i++)
        d->curves[i].right = false; // an axis of its own needs another beside it
    return n_right;
}

static const char *label_of(sg_figure *f, const sg_diagram *d, const sg_curve *c, size_t n_runs)
{
    const char *name = sg_quantity_text(&f->arena, "", c->name, c->shown_unit);
    const char *right = c->right ? " (right)" : "";
    if (!name)
        return NULL;
    if (f->band && n_runs > 1)
        return sg_arena_printf(&f->arena,
                               "%s: median of %zu runs, where 9 of 10 are, where all are%s", name,
                               n_runs, right);
    if (d->bundled && n_runs > 1)
        return sg_arena_printf(&f->arena, "%s, %zu runs%s", name, n_runs, right);
    if (!f->scale.label || f->scale.bar)
        return sg_arena_printf(&f->arena, "%s%s%s", c->prefix, name, right);
    double value = f->scale.values[c->run];
    const char *unit = strchr(f->scale.label, '[');
    int length = unit ? (int)strcspn(unit + 1, "]") : 0;
    bool named = d->n_families > 1;
    return sg_arena_printf(&f->arena, "%s%s%s = %.4g%s%.*s%s", named ? name : "", named ? ", " : "",
                           f->color_by, value, length ? " " : "", length, unit ? unit + 1 : "",
                           right);
}

static sg_stroke stroke_of(const sg_figure *f, const sg_diagram *d, const sg_curve *c, size_t i,
                           size_t n_runs)
{
    bool many = d->n > THIN_BEYOND && !f->band;
    double thin = d->n > THINNER_BEYOND ? thinner_width : thin_width;
    sg_stroke s = {.width = many ? thin : usual_width};
    int place = c->family, size = sg_palette_size();
    if (f->scale.label) {
        s.color = sg_scale_color(&f->scale, f->scale.values[c->run]);
        s.dash = c->family % SG_DASHES;
        return s;
    }
    if (d->bundled) {
        s.veil = f->band ? 0 : veil_of_bundle;
    } else if (d->n_families == 1 && n_runs > DASHED_RUNS) {
        place = (int)i;
    } else {
        s.dash = (int)(c->run % SG_DASHES);
    }
    s.color = sg_palette_color(place);
    s.dash += place / size;
    return s;
}

static sg_status settle_diagram(sg_figure *f, sg_diagram *d, size_t *n_right)
{
    size_t runs = find_families(d);
    d->bundled = runs > THIN_BEYOND || (f->scale.label && f->scale.bar) || (f->band && runs > 1);
    for (size_t i = 0; i < d->n; i++) {
        sg_curve *c = &d->curves[i];
        c->factor = 1;
        c->shown_unit = f->window.degrees ? sg_unit_in_degrees(c->unit, &c->factor) : c->unit;
        c->log = f->window.log_y;
    }
    *n_right += choose_axes(f, d);
    for (size_t i = 0; i < d->n; i++) {
        sg_curve *c = &d->curves[i];
        c->stroke = stroke_of(f, d, c, i, runs);
        c->label = label_of(f, d, c, runs);
        if (!c->label)
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

sg_status sg_figure_settle(sg_figure *f, sg_diags *diags)
{
    size_t n_right = 0;
    sg_status status = read_scale(f, diags);
    for (size_t i = 0; status == SG_OK && i < (size_t)f->rows * f->columns; i++)
        status = settle_diagram(f, &f->diagrams[i], &n_right);
    if (status == SG_OK && f->right[0] && n_right == 0) {
        sg_error(diags, SG_E_PLOT, nowhere, "no curve of the figure is called '%s' (right axis)",
                 f->right);
        return SG_ERR_USAGE;
    }
    return status;
}
