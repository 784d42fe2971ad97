// How well a solution fulfills its equations.
//
// A residual is a sum of terms, and it can be no smaller than the rounding of the largest of them.
// So each is measured by its terms: their size is carried through the steps of the body beside the
// values, as in an analysis of rounding errors. A variable counts with its own size, whatever it
// was computed from; a sum with those of its terms, a product with |x| size(y) + size(x) |y|, a
// function with what a relative change of its argument does to it. Residual over size then is the
// relative change of the terms for which the solution would be exact (Oettli and Prager), free of
// units, and independent of how an equation is scaled. Inner variables of a torn system count with
// more, see inherit_sizes.
//
// That costs another pass over the body. Most solutions are good, and then two terms of each
// residual are enough to see it.
#include "program/linked.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Sizes change from one evaluation to the next, but not by the inverse of this.
static const double seen_share = 1e-3;

// A coefficient this much smaller than its terms is looked at closely.
static const double noise_suspected = 1e-12;

// Two terms of each residual that are there anyway, and a share of the size it had when it was
// measured last.
bool sg_system_is_exact(const sg_exec *exec, uint32_t index, const sg_space *space,
                        double tolerance)
{
    const sg_system_work *work = &exec->systems[index];
    const double *w = exec->w, *r = space->r;
    uint32_t n_inner = space->whole ? work->n_inner : 0;
    for (uint32_t i = 0; i < n_inner; i++)
        if (!(fabs(r[i]) <= tolerance * fabs(space->t[i])))
            return false;
    r += n_inner;
    for (uint32_t i = 0; i < work->torn.n; i++)
        if (!isfinite(r[i]) ||
            !(fabs(r[i]) <= tolerance * (fabs(w[work->parts[i][0]]) + fabs(w[work->parts[i][1]]) +
                                         seen_share * work->seen[i])))
            return false;
    return true;
}

// |f'(x)|; functions with steps are flat.
static double slope(uint16_t form, double x, double f)
{
    switch (form) {
#define SG_FUNCTION(name, text, value, slope_of, derivative, units, least, most)                   \
    case SG_L_##name:                                                                              \
        return slope_of;
#define SG_FUNCTION_OWN(name, text, value, slope_of, derivative, units)                            \
    case SG_L_##name:                                                                              \
        return slope_of;
#include "base/functions_list.h"
    case SG_L_SQUARE:
        return 2.0 * fabs(x);
    default:
        return 0.0;
    }
}

static double grown_by(double by, double f) { return isfinite(by) ? fabs(f) + by : fabs(f); }

// Size of a result from values and sizes of one or two operands.
static double size_of(uint16_t form, double x, double sx, double y, double sy, double f)
{
    switch (form) {
    case SG_L_NEG:
    case SG_L_ABS:
    case SG_L_COPY:
        return sx;
    case SG_L_ADD:
    case SG_L_SUB:
        return sx + sy;
    case SG_L_MUL:
        return sx * fabs(y) + fabs(x) * sy;
    case SG_L_DIV:
        return (sx + fabs(f) * sy) / fabs(y);
    case SG_L_MIN:
    case SG_L_MAX:
        return f == x ? sx : sy;
    case SG_L_POW:
        return grown_by(fabs(y) * pow(fabs(x), y - 1.0) * sx, f);
#define GROWN(by) grown_by(by, f)
#define SG_FUNCTION2(name, text, value, derivative, size)                                          \
    case SG_L_##name:                                                                              \
        return size;
#include "base/functions2_list.h"
#undef GROWN
    default:
        return grown_by(slope(form, x, f) * sx, f);
    }
}

// The scalar form of an operation on arrays.
static uint16_t scalar_form(uint16_t form)
{
    switch (form) {
#define SG_UNARY(name, expression)                                                                 \
    case SG_LV_##name:                                                                             \
        return SG_L_##name;
#define SG_BINARY(name, expression)                                                                \
    case SG_LV_##name:                                                                             \
        return SG_L_##name;
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    case SG_LV_COPY:
        return SG_L_COPY;
    default:
        return form;
    }
}

static bool is_unary(uint16_t form)
{
    return form < SG_L_ADD || form == SG_L_SQUARE || form == SG_L_COPY;
}

static void set_plain(const sg_exec *exec, uint32_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        exec->sizes[at + i] = fabs(exec->w[at + i]);
}

// The largest size among the operands, as far as it is known.
static double largest_operand(const sg_exec *exec, const sg_wide *wide)
{
    double most = 0.0;
    for (uint32_t k = wide->n_results; k < wide->n_operands; k++)
        for (uint32_t i = 0; i < sg_dims_count(wide->operands[k].shape); i++)
            if (!(exec->sizes[wide->offsets[k] + i] <= most))
                most = exec->sizes[wide->offsets[k] + i];
    return most;
}

static double size_of_product(const sg_exec *exec, const sg_wide *wide, uint32_t i)
{
    sg_dims a = wide->operands[0].shape, b = wide->operands[1].shape;
    const double *x = wide->operands[0].data, *y = wide->operands[1].data, *sizes = exec->sizes;
    uint32_t row = i % a.rows, column = i / a.rows;
    double sum = 0.0;
    for (uint32_t p = 0; p < a.cols; p++) {
        uint32_t l = row + p * a.rows, m = p + column * b.rows;
        sum += fabs(x[l]) * sizes[wide->offsets[1] + m] + sizes[wide->offsets[0] + l] * fabs(y[m]);
    }
    return sum;
}

// Products and sums of arrays have terms, elements are taken over; of other operations the result
// counts with its operands. What a function of the table adds up nobody knows here: its result may
// be off by anything.
static void size_wide(const sg_exec *exec, const sg_wide *wide)
{
    double *sizes = exec->sizes;
    for (uint32_t k = 0; k < wide->n_results; k++)
        for (uint32_t i = 0; i < sg_dims_count(wide->operands[k].shape); i++)
            sizes[wide->offsets[k] + i] = (double)INFINITY;
    if (wide->n_results > 0)
        return;
    uint32_t to = wide->result_at, n = sg_dims_count(wide->result.shape);
    uint32_t count = wide->n_operands ? sg_dims_count(wide->operands[0].shape) : 0;
    uint32_t from = wide->n_operands ? wide->offsets[0] : 0;
    double most = largest_operand(exec, wide);
    bool product = wide->op == SG_OP_MUL &&
                   wide->operands[0].shape.cols == wide->operands[1].shape.rows &&
                   n == wide->operands[0].shape.rows * wide->operands[1].shape.cols;
    for (uint32_t i = 0; i < n; i++) {
        if (!isfinite(most))
            sizes[to + i] = most;
        else if (wide->op == SG_OP_DEPEND)
            sizes[to + i] = sizes[from + i];
        else if (wide->op == SG_OP_INDEX && wide->picks)
            sizes[to + i] = sizes[from + wide->picks[i]];
        else if (product)
            sizes[to + i] = size_of_product(exec, wide, i);
        else
            sizes[to + i] = fmax(most, fabs(exec->w[to + i]));
    }
    if (!isfinite(most) || (wide->op != SG_OP_SUM && wide->op != SG_OP_DOT))
        return;
    sizes[to] = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sizes[to] += wide->op == SG_OP_SUM
                         ? sizes[from + i]
                         : fabs(wide->operands[0].data[i]) * sizes[wide->offsets[1] + i] +
                               sizes[from + i] * fabs(wide->operands[1].data[i]);
}

// What is not computed in the range comes in with its own size.
static void size_operands(const sg_exec *exec, const sg_linked *c)
{
    if (c->form == SG_L_WIDE || c->form == SG_L_CALL) {
        const sg_wide *wide = &exec->wides[c->a];
        for (uint32_t k = wide->n_results; k < wide->n_operands; k++)
            set_plain(exec, wide->offsets[k], sg_dims_count(wide->operands[k].shape));
        return;
    }
    bool array = scalar_form(c->form) != c->form || c->form == SG_LV_SELECT;
    if (c->form >= SG_L_JUMP && c->form != SG_L_POSITIVE && c->form != SG_L_NEGATIVE)
        return;
    set_plain(exec, c->a, array && (c->sa || is_unary(scalar_form(c->form))) ? c->n : 1);
    if (is_unary(scalar_form(c->form)) || c->form >= SG_L_JUMP)
        return;
    set_plain(exec, c->b, array && c->sb ? c->n : 1);
    if (c->form == SG_L_SELECT || c->form == SG_LV_SELECT)
        set_plain(exec, c->c, array && c->sc ? c->n : 1);
}

static void size_entry(const sg_exec *exec, const sg_linked *c)
{
    const double *w = exec->w;
    double *sizes = exec->sizes;
    uint16_t form = scalar_form(c->form);
    if (c->form == SG_L_WIDE || c->form == SG_L_CALL) {
        size_wide(exec, &exec->wides[c->a]);
    } else if (c->form == SG_L_SELECT || c->form == SG_LV_SELECT) {
        uint32_t n = c->form == SG_L_SELECT ? 1 : c->n;
        for (uint32_t i = 0; i < n; i++)
            sizes[c->dst + i] =
                w[c->a + i * c->sa] != 0.0 ? sizes[c->b + i * c->sb] : sizes[c->c + i * c->sc];
    } else if (form != c->form) {
        bool unary = is_unary(form);
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t a = c->a + (unary && form != SG_L_COPY ? i : i * c->sa);
            uint32_t b = unary ? a : c->b + i * c->sb;
            sizes[c->dst + i] = size_of(form, w[a], sizes[a], w[b], sizes[b], w[c->dst + i]);
        }
    } else if (form < SG_L_JUMP) {
        uint32_t b = is_unary(form) ? c->a : c->b;
        sizes[c->dst] = size_of(form, w[c->a], sizes[c->a], w[b], sizes[b], w[c->dst]);
    } else if (form >= SG_L_POSITIVE) { // conditions and memories
        set_plain(exec, c->dst, c->form <= SG_L_CLOCK ? 1 : c->n);
    }
}

// Follows the branches that were taken.
static void size_range(const sg_exec *exec, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to; pc++) {
        const sg_linked *c = &exec->steps.list[pc];
        if (c->form == SG_L_JUMP || (c->form == SG_L_UNLESS && exec->w[c->b] == 0.0))
            pc = c->a - 1;
        else if (c->form != SG_L_UNLESS)
            size_entry(exec, c);
    }
}

// Through the body once more, for a torn system: an inner variable is the rounded result of what it
// was computed from, and known no better than that. So it counts with the size of its terms, which
// counts with those of theirs, and so on; but no more than the largest term there is. Without this
// bound a chain that enlarges errors from link to link would excuse itself.
static void inherit_sizes(const sg_exec *exec, const sg_torn_system *s, const sg_system_work *work)
{
    double most = 0.0;
    uint32_t pc = work->body;
    for (uint32_t i = 0; i < work->n_inner; i++)
        most = isfinite(work->inner_size[i]) ? fmax(most, work->inner_size[i]) : most;
    for (uint32_t k = 0; k < s->n_inner; k++) {
        const sg_inner_place *inner = &work->inners[k];
        size_range(exec, pc, inner->done);
        pc = inner->done;
        for (uint32_t i = 0; i < inner->n; i++) {
            double size = exec->sizes[inner->at + i];
            exec->sizes[inner->at + i] = isfinite(size) ? fmin(size, most) : size;
        }
    }
    size_range(exec, pc, work->prep);
}

// Sizes of the terms of each residual of the space, at the point where it was evaluated last.
static void find_sizes(const sg_exec *exec, uint32_t index, const sg_space *space)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    uint32_t pc = work->body, row = 0, seen = 0;
    for (uint32_t k = work->body; k < work->prep; k++)
        size_operands(exec, &exec->steps.list[k]);
    for (uint32_t k = 0; k < s->n_inner; k++) {
        const sg_inner_place *inner = &work->inners[k];
        size_range(exec, pc, inner->done);
        pc = inner->done;
        for (uint32_t i = 0; i < inner->n; i++)
            work->inner_size[row++] = exec->sizes[inner->at + i] + fabs(exec->w[inner->at + i]);
        set_plain(exec, inner->at, inner->n);
    }
    size_range(exec, pc, work->prep);
    if (!space->whole && work->n_inner > 0)
        inherit_sizes(exec, s, work);
    row = space->whole ? work->n_inner : 0;
    memcpy(space->size, work->inner_size, row * sizeof(double));
    for (uint32_t k = 0; k < s->n_residuals; k++) {
        uint32_t at = exec->offsets[s->residuals[k]];
        for (uint32_t i = 0; i < sg_dims_count(exec->shapes[s->residuals[k]]); i++) {
            double size = exec->sizes[at + i];
            work->seen[seen++] = isfinite(size) ? size : DBL_MAX;
            space->size[row++] = size;
        }
    }
}

double sg_system_error(sg_exec *exec, uint32_t index, sg_space *space)
{
    double worst = 0.0;
    space->unjudged = false;
    find_sizes(exec, index, space);
    for (uint32_t i = 0; i < space->n; i++) {
        double size = space->size[i];
        if (!isfinite(space->r[i]))
            return (double)INFINITY;
        if (space->r[i] == 0.0)
            continue;
        if (isfinite(size))
            worst = fmax(worst, fabs(space->r[i]) / size);
        else
            space->unjudged = true;
    }
    return worst;
}

bool sg_system_is_noise(const sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    const double *w = exec->w;
    double slope = fabs(work->matrix[0]);
    if (slope > noise_suspected * (fabs(w[work->slope_parts[0]]) + fabs(w[work->slope_parts[1]])))
        return false;
    for (uint32_t k = work->prep; k < work->whole_at; k++)
        size_operands(exec, &exec->steps.list[k]);
    size_range(exec, work->prep, work->whole_at);
    return slope <= 4.0 * DBL_EPSILON * exec->sizes[exec->offsets[s->d_residuals[0]]];
}
