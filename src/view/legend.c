// Legends: what the curves are called, without covering any of them.
//
// A few entries go into a free corner of the diagram. Many, or any when the curves leave no corner,
// go above it in columns, and the picture grows by that unless its size was given. What does not
// fit is counted.
#include "view/plot_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEGEND_SIZE = 11, LEGEND_LINE = 15, LEGEND_SAMPLE = 24, LEGEND_PAD = 6, CELL = 4 };
enum { MOST_INSIDE = 8 };      // entries; more of them hardly find a corner
enum { LONGEST_LABEL = 1024 }; // bytes

// ---- what it lists --------------------------------------------------------------------------

sg_status sg_legend_begin(sg_drawing *d, sg_plate *p)
{
    const sg_diagram *g = p->diagram;
    sg_legend *l = &p->legend;
    *l = (sg_legend){0};
    l->entries = SG_NEW_ARRAY(&d->arena, const sg_curve *, g->n + 1);
    if (!l->entries)
        return SG_ERR_MEMORY;
    int next = 0; // families are numbered in the order of their first curves
    for (size_t i = 0; i < g->n; i++) {
        if (g->bundled && g->curves[i].family != next)
            continue;
        next++;
        l->entries[l->n++] = &g->curves[i];
    }
    l->n_shown = l->n < d->figure->max_legend ? l->n : d->figure->max_legend;
    for (size_t i = 0; i < l->n_shown; i++)
        l->entry_width = fmax(l->entry_width, LEGEND_SAMPLE + 20 +
                                                  sg_text_width(l->entries[i]->label, LEGEND_SIZE));
    bool needed = l->n > 1 || (g->bundled && !d->figure->scale.bar);
    l->place = !needed || l->n_shown == 0 ? SG_LEGEND_NONE
               : l->n_shown > MOST_INSIDE ? SG_LEGEND_ABOVE
                                          : SG_LEGEND_INSIDE;
    return SG_OK;
}

// Lines of text: the entries, and one that counts the rest.
static size_t slots(const sg_legend *l) { return l->n_shown + (l->n_shown < l->n); }

double sg_legend_height(sg_plate *p, double width, double most)
{
    sg_legend *l = &p->legend;
    if (l->place != SG_LEGEND_ABOVE)
        return 0;
    l->columns = (int)fmax(1, floor(width / l->entry_width));
    size_t columns = (size_t)l->columns, lines = (slots(l) + columns - 1) / columns;
    size_t fitting = (size_t)fmax(1, floor(most / LEGEND_LINE));
    if (lines > fitting) {
        l->n_shown = fitting * columns - 1;
        lines = (slots(l) + columns - 1) / columns;
    }
    l->lines = (int)lines;
    return l->lines * LEGEND_LINE + 8.0;
}

// ---- a free corner --------------------------------------------------------------------------

// Which parts of a frame curves go through, in cells of a few points.
typedef struct occupancy {
    unsigned char *cells;
    int columns, rows;
    double left, top, x, y;
} occupancy;

static void occupy(occupancy *o, double x, double y)
{
    int c = (int)floor((x - o->left) / CELL), r = (int)floor((y - o->top) / CELL);
    if (c >= 0 && c < o->columns && r >= 0 && r < o->rows)
        o->cells[r * o->columns + c] = 1;
}

static void occupy_line(void *context, bool start, double x, double y)
{
    occupancy *o = context;
    double dx = x - o->x, dy = y - o->y;
    // Steep lines to far away are cut by the frame; sampling them finely enough near it would cost
    // without end, so lines are sampled only as far as the frame reaches.
    int steps = start ? 0 : (int)fmin(2000, fmax(fabs(dx), fabs(dy)) / (0.5 * CELL));
    for (int i = 1; i < steps; i++)
        occupy(o, o->x + dx * i / steps, o->y + dy * i / steps);
    occupy(o, x, y);
    o->x = x;
    o->y = y;
}

static bool is_free(const occupancy *o, double x, double y, double width, double height)
{
    int c0 = (int)floor((x - o->left) / CELL) - 1, r0 = (int)floor((y - o->top) / CELL) - 1;
    int c1 = (int)ceil((x + width - o->left) / CELL) + 1;
    int r1 = (int)ceil((y + height - o->top) / CELL) + 1;
    for (int r = r0 < 0 ? 0 : r0; r < r1 && r < o->rows; r++)
        for (int c = c0 < 0 ? 0 : c0; c < c1 && c < o->columns; c++)
            if (o->cells[r * o->columns + c])
                return false;
    return true;
}

static double box_height(const sg_legend *l) { return (double)slots(l) * LEGEND_LINE + LEGEND_PAD; }

// Looks for a corner or the middle of an edge where the legend covers no curve.
static bool find_corner(const occupancy *o, sg_plate *p)
{
    sg_legend *l = &p->legend;
    double height = box_height(l);
    static const double places[][2] = {{1, 0},   {0, 0},   {1, 1},   {0, 1},
                                       {0.5, 0}, {0.5, 1}, {1, 0.5}, {0, 0.5}};
    double free_x = p->width - l->entry_width - 12, free_y = p->height - height - 12;
    if (free_x < 0 || free_y < 0)
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        l->x = p->left + 6 + places[i][0] * free_x;
        l->y = p->top + 6 + places[i][1] * free_y;
        if (is_free(o, l->x, l->y, l->entry_width, height))
            return true;
    }
    return false;
}

sg_status sg_legend_try_inside(sg_drawing *d, sg_plate *p, bool *fits)
{
    sg_arena_mark mark = sg_arena_mark_get(&d->arena);
    occupancy o = {.columns = (int)(p->width / CELL) + 1,
                   .rows = (int)(p->height / CELL) + 1,
                   .left = p->left,
                   .top = p->top};
    o.cells = sg_arena_alloc(&d->arena, (size_t)o.columns * (size_t)o.rows, 1);
    sg_status status = o.cells ? SG_OK : SG_ERR_MEMORY;
    for (size_t i = 0; i < p->diagram->n && status == SG_OK; i++) {
        const sg_curve *curve = &p->diagram->curves[i];
        status = sg_trace(curve, &d->abscissas[curve->run], &p->sides[curve->right].mapping,
                          occupy_line, &o, d->diags);
    }
    if (status == SG_OK)
        *fits = find_corner(&o, p);
    sg_arena_release(&d->arena, mark);
    return status;
}

// ---- drawing --------------------------------------------------------------------------------

// A label that is longer than its room loses its middle: paths differ at both ends.
static const char *fitted(const char *label, double room, char out[LONGEST_LABEL])
{
    size_t n = strlen(label);
    if (sg_text_width(label, LEGEND_SIZE) <= room || n + 4 > LONGEST_LABEL)
        return label;
    for (size_t keep = n / 2; keep > 2; keep--) {
        size_t head = keep, tail = n - keep;
        while (head > 0 && ((unsigned char)label[head] & 0xC0) == 0x80)
            head--;
        while (tail < n && ((unsigned char)label[tail] & 0xC0) == 0x80)
            tail++;
        snprintf(out, LONGEST_LABEL, "%.*s\u2026%s", (int)head, label, label + tail);
        if (sg_text_width(out, LEGEND_SIZE) <= room)
            break;
    }
    return out;
}

static void draw_entry(sg_drawing *d, const sg_legend *l, size_t i, double x, double y, double room)
{
    char text[LONGEST_LABEL];
    double from = x + LEGEND_SAMPLE + 6;
    if (i >= l->n_shown) {
        snprintf(text, sizeof text, "and %zu more", l->n - l->n_shown);
        sg_draw_text(d, from, y, text, LEGEND_SIZE, SG_ANCHOR_START);
        return;
    }
    sg_stroke stroke = l->entries[i]->stroke;
    stroke.veil = 0;
    stroke.width = fmax(stroke.width, 1.2); // a sample is seen at its thinnest
    sg_draw_line(d, x, y - 4, x + LEGEND_SAMPLE, y - 4, stroke);
    sg_draw_text(d, from, y, fitted(l->entries[i]->label, room - LEGEND_SAMPLE - 6, text),
                 LEGEND_SIZE, SG_ANCHOR_START);
}

void sg_legend_draw(sg_drawing *d, const sg_plate *p)
{
    const sg_legend *l = &p->legend;
    if (l->place == SG_LEGEND_INSIDE) {
        d->canvas->ops->rectangle(d->canvas, l->x, l->y, l->entry_width, box_height(l), 0xFFFFFF,
                                  0.85);
        for (size_t i = 0; i < slots(l); i++)
            draw_entry(d, l, i, l->x + LEGEND_PAD, l->y + LEGEND_LINE * (double)(i + 1),
                       l->entry_width);
    } else if (l->place == SG_LEGEND_ABOVE) {
        double base = p->top - 8 - (p->sides[SG_LEFT].axis.exponent ? 14 : 0);
        for (size_t i = 0; i < slots(l); i++) {
            int line = (int)i / l->columns, column = (int)i % l->columns;
            draw_entry(d, l, i, p->left + column * l->entry_width,
                       base - (l->lines - 1 - line) * LEGEND_LINE, fmin(l->entry_width, p->width));
        }
    }
}

void sg_draw_bar(sg_drawing *d)
{
    enum { SHADES = 64, THICK = 12 };
    const sg_color_scale *s = &d->figure->scale;
    double left = d->width - d->bar + 4, height = fmin(260, d->height - d->head - 60);
    double top = d->head + 14, bottom = top + height;
    double lo = s->log ? log10(s->lo) : s->lo, hi = s->log ? log10(s->hi) : s->hi;
    sg_axis axis = s->log ? sg_axis_make_log(lo, hi, 6, false) : sg_axis_make(lo, hi, 6, false);
    for (int i = 0; i < SHADES; i++) {
        double at = lo + (hi - lo) * (i + 0.5) / SHADES;
        // A little higher than a shade, so that no light shows between two of them.
        d->canvas->ops->rectangle(d->canvas, left, bottom - height * (i + 1) / SHADES, THICK,
                                  height / SHADES + (i ? 0.6 : 0),
                                  sg_scale_color(s, s->log ? pow(10, at) : at), 1);
    }
    double widest = 0;
    for (int i = 0; i < axis.n; i++) {
        char text[64];
        double y = bottom - (sg_axis_tick(&axis, i) - axis.lo) / (axis.hi - axis.lo) * height;
        sg_axis_label(&axis, i, text, sizeof text);
        sg_draw_line(d, left + THICK, y, left + THICK + 3, y,
                     (sg_stroke){.color = SG_INK, .width = 1});
        sg_draw_text(d, left + THICK + 6, y + 0.36 * SG_TICK_SIZE, text, SG_TICK_SIZE,
                     SG_ANCHOR_START);
        widest = fmax(widest, sg_text_width(text, SG_TICK_SIZE));
    }
    if (axis.exponent) {
        sg_buf text;
        sg_buf_init(&text, NULL);
        sg_buf_puts(&text, "\u00D7");
        sg_put_power_of_ten(axis.exponent, &text);
        sg_draw_text(d, left, top - 4, sg_buf_text(&text), SG_TICK_SIZE, SG_ANCHOR_START);
        sg_buf_free(&text);
    }
    d->canvas->ops->text(
        d->canvas, left + THICK + widest + 20, top + height / 2, s->label,
        (sg_text_style){
            .size = SG_LABEL_SIZE, .anchor = SG_ANCHOR_MIDDLE, .vertical = true, .color = SG_INK});
}
