// Steps that pick elements of arrays, or replace them.
#include "program/infer.h"

#include <math.h>

// How many elements one index picks; a colon picks all.
static uint32_t picked(const sg_linker *l, uint32_t r, uint32_t all)
{
    return r ? sg_dims_count(sg_link_shape(l, r)) : all;
}

static double pick_at(const sg_linker *l, uint32_t r, uint32_t i)
{
    return r ? l->w.data[sg_link_at(l, r) + i] : i + 1.0;
}

static bool index_shape(sg_linker *l, const sg_step *step, sg_dims base, sg_dims *shape)
{
    uint32_t first = sg_link_operand(l, step, 1),
             second = step->n_operands > 2 ? sg_link_operand(l, step, 2) : 0;
    bool one = step->n_operands == 2;
    char text[32];
    *shape = (sg_dims){base.num, SG_SCALAR, 1, 1};
    if (sg_link_is_scalar(base) && !first)
        return sg_link_error(l, SG_E_EQ_SHAPE, "a number has no elements to pick");
    if (!one && base.dims != SG_MATRIX && base.dims != SG_ROW && base.cols == 1 && second == 0 &&
        base.dims != SG_VECTOR)
        return sg_link_error(l, SG_E_EQ_SHAPE, "two indices for %s", sg_dims_text(base, text));
    bool many_rows = !first || !sg_link_is_scalar(sg_link_shape(l, first));
    if (one) {
        shape->rows = picked(l, first, sg_dims_count(base));
        shape->dims = many_rows ? SG_VECTOR : SG_SCALAR;
        return true;
    }
    bool many_cols = !second || !sg_link_is_scalar(sg_link_shape(l, second));
    uint32_t n_rows = picked(l, first, base.rows), n_cols = picked(l, second, base.cols);
    shape->rows = many_rows ? n_rows : n_cols;
    if (many_rows && many_cols) {
        shape->cols = n_cols;
        shape->dims = SG_MATRIX;
    } else {
        shape->dims = many_rows || many_cols ? SG_VECTOR : SG_SCALAR;
    }
    return true;
}

// The elements that fixed indices pick, from 0. Null after an error.
static uint32_t *fixed_picks(sg_linker *l, const sg_step *step, sg_dims base, uint32_t count)
{
    uint32_t first = sg_link_operand(l, step, 1),
             second = step->n_operands > 2 ? sg_link_operand(l, step, 2) : 0;
    bool one = step->n_operands == 2;
    uint32_t limit = one ? sg_dims_count(base) : base.rows;
    uint32_t n_first = picked(l, first, limit), n_second = one ? 1 : picked(l, second, base.cols);
    uint32_t *picks = SG_NEW_ARRAY(&l->exec->arena, uint32_t, count + 1), n = 0;
    if (!picks) {
        l->failed = true;
        return NULL;
    }
    for (uint32_t j = 0; j < n_second; j++)
        for (uint32_t i = 0; i < n_first; i++) {
            double row = pick_at(l, first, i), col = one ? 1.0 : pick_at(l, second, j);
            bool inside = row >= 1.0 && row <= limit && row == floor(row) && col >= 1.0 &&
                          (one || col <= base.cols) && col == floor(col);
            if (!inside) {
                if (one)
                    sg_link_error(l, SG_E_EQ_INDEX, "index %g is not between 1 and %u", row, limit);
                else
                    sg_link_error(l, SG_E_EQ_INDEX, "index [%g, %g] is outside of %u x %u", row,
                                  col, base.rows, base.cols);
                return NULL;
            }
            picks[n++] = (uint32_t)row - 1 + ((uint32_t)col - 1) * base.rows;
        }
    return picks;
}

// Where elements lie that are picked or replaced one by one: one for each number of the indices,
// which begin at operand `from`. Null after an error.
static uint32_t *single_picks(sg_linker *l, const sg_step *step, uint32_t from, sg_dims *shape)
{
    uint32_t first = sg_link_operand(l, step, from);
    uint32_t second = step->n_operands > from + 1 ? sg_link_operand(l, step, from + 1) : 0;
    sg_dims base = sg_link_shape(l, sg_link_operand(l, step, 0)), one = sg_link_shape(l, first);
    sg_dims other = second ? sg_link_shape(l, second) : one;
    uint32_t limit = second ? base.rows : sg_dims_count(base);
    *shape = sg_link_is_scalar(one) ? other : one;
    if (!sg_link_is_scalar(one) && !sg_link_is_scalar(other) && !sg_link_same_size(one, other)) {
        sg_link_error(l, SG_E_EQ_SHAPE, "the two indices have different sizes");
        return NULL;
    }
    if (!sg_link_is_fixed(l, first) || (second && !sg_link_is_fixed(l, second))) {
        sg_link_error(l, SG_E_EQ_SIZE,
                      "an index in a loop may depend on parameters and sizes only");
        return NULL;
    }
    uint32_t n = sg_dims_count(*shape), nowhere = 0;
    uint32_t *picks = SG_NEW_ARRAY(&l->exec->arena, uint32_t, n + 1);
    if (!picks) {
        l->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < n && !l->failed; i++) {
        double row = pick_at(l, first, sg_link_is_scalar(one) ? 0 : i);
        double col = second ? pick_at(l, second, sg_link_is_scalar(other) ? 0 : i) : 1.0;
        bool inside = row >= 1.0 && row <= limit && row == floor(row) && col >= 1.0 &&
                      (!second || col <= base.cols) && col == floor(col);
        if (inside) {
            picks[i] = (uint32_t)row - 1 + ((uint32_t)col - 1) * base.rows;
            continue;
        }
        if (!step->aux) {
            if (second)
                sg_link_error(l, SG_E_EQ_INDEX, "index [%g, %g] is outside of %u x %u", row, col,
                              base.rows, base.cols);
            else
                sg_link_error(l, SG_E_EQ_INDEX, "index %g is not between 1 and %u", row, limit);
            return NULL;
        }
        if (!nowhere) { // behind the base in any case
            nowhere = sg_link_room(l, 1);
            if (!l->failed)
                l->w.data[nowhere] = (double)NAN;
        }
        picks[i] = nowhere - sg_link_at(l, sg_link_operand(l, step, 0));
    }
    return picks;
}

static bool rows_are_long(const uint32_t *picks, uint32_t n)
{
    uint32_t rows = 1;
    for (uint32_t i = 1; i < n; i++)
        rows += picks[i] != picks[i - 1] + 1;
    return n / SG_LONG_ROW >= rows;
}

static void copy_rows(sg_linker *l, uint32_t to, uint32_t from, const uint32_t *picks, uint32_t n)
{
    for (uint32_t i = 0, next; i < n; i = next) {
        next = i + 1;
        while (next < n && picks[next] == picks[next - 1] + 1)
            next++;
        sg_link_copy(l, to + i, from + picks[i], next - i, false);
    }
}

static bool link_single(sg_linker *l, const sg_step *step)
{
    sg_dims shape, base = sg_link_shape(l, sg_link_operand(l, step, 0));
    uint32_t *picks = single_picks(l, step, 1, &shape);
    if (!picks)
        return false;
    shape.num = base.num;
    uint32_t n = sg_dims_count(shape);
    bool in_a_row = n > 0;
    for (uint32_t i = 1; i < n; i++)
        in_a_row &= picks[i] == picks[i - 1] + 1;
    if (in_a_row)
        return sg_link_alias(l, step, shape, sg_link_at(l, sg_link_operand(l, step, 0)) + picks[0]);
    if (rows_are_long(picks, n)) {
        if (!sg_link_result(l, shape))
            return false;
        copy_rows(l, sg_link_result_at(l, step), sg_link_at(l, sg_link_operand(l, step, 0)), picks,
                  n);
        return true;
    }
    if (!sg_link_wide(l, step, shape))
        return false;
    l->wides.data[l->wides.len - 1].picks = picks;
    return true;
}

// The last value wins where an element is replaced twice in one loop. With a dot that is an error:
// two loops inside each other come in another order than they are written.
static bool picks_differ(sg_linker *l, const uint32_t *picks, uint32_t n, uint32_t of)
{
    bool *met = SG_NEW_ARRAY(&l->exec->arena, bool, of + 1);
    l->failed |= !met;
    for (uint32_t i = 0; i < n && met; i++) {
        if (met[picks[i]])
            return sg_link_error(l, SG_E_EQ_INDEX,
                                 "two rounds of a loop write to the same element of an array");
        met[picks[i]] = true;
    }
    return !l->failed;
}

bool sg_link_replace(sg_linker *l, const sg_step *step)
{
    uint32_t values = sg_link_operand(l, step, 1);
    sg_dims base = sg_link_shape(l, sg_link_operand(l, step, 0)), vs = sg_link_shape(l, values),
            shape;
    uint32_t *picks = single_picks(l, step, 2, &shape);
    char text[32];
    if (!picks)
        return false;
    uint32_t n = sg_dims_count(shape);
    if (!sg_link_is_scalar(vs) && sg_dims_count(vs) != n)
        return sg_link_error(l, SG_E_EQ_SHAPE, "%u elements are replaced by %s", n,
                             sg_dims_text(vs, text));
    if (step->dot && !picks_differ(l, picks, n, sg_dims_count(base)))
        return false;
    bool all = n == sg_dims_count(base) && !sg_link_is_scalar(vs);
    for (uint32_t i = 0; i < n && all; i++)
        all = picks[i] == i;
    base.num = base.num == vs.num ? base.num : SG_REAL;
    if (all)
        return sg_link_alias(l, step, base, sg_link_at(l, values));
    if (!sg_link_wide(l, step, base))
        return false;
    l->wides.data[l->wides.len - 1].picks = picks;
    l->wides.data[l->wides.len - 1].n_picks = n;
    return true;
}

bool sg_link_only(sg_linker *l, const sg_step *step)
{
    uint32_t a = sg_link_operand(l, step, 0);
    sg_dims shape = sg_link_shape(l, a);
    char text[32];
    if (sg_dims_count(shape) != 1)
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "%s stands where one number is needed; in a loop, take its elements "
                             "by an index",
                             sg_dims_text(shape, text));
    return sg_link_alias(l, step, sg_dims_scalar((sg_num)shape.num), sg_link_at(l, a));
}

bool sg_link_index(sg_linker *l, const sg_step *step)
{
    if (step->dot)
        return link_single(l, step);
    uint32_t base = sg_link_operand(l, step, 0);
    sg_dims bs = sg_link_shape(l, base), shape;
    if (!index_shape(l, step, bs, &shape))
        return false;
    bool fixed = true;
    for (uint32_t k = 1; k < step->n_operands; k++)
        fixed &= !sg_link_operand(l, step, k) || sg_link_is_fixed(l, sg_link_operand(l, step, k));
    if (!fixed)
        return sg_link_wide(l, step, shape);
    uint32_t n = sg_dims_count(shape);
    uint32_t *picks = fixed_picks(l, step, bs, n);
    if (!picks)
        return false;
    bool in_a_row = true;
    for (uint32_t i = 1; i < n; i++)
        in_a_row &= picks[i] == picks[i - 1] + 1;
    if (in_a_row)
        return sg_link_alias(l, step, shape, sg_link_at(l, base) + (n ? picks[0] : 0));
    if (!sg_link_wide(l, step, shape))
        return false;
    l->wides.data[l->wides.len - 1].picks = picks;
    return true;
}
