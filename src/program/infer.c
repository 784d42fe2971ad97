// Shapes and linked form of one step.
#include "base/number.h"
#include "program/linker.h"

#include <math.h>
#include <string.h>

// The largest array a model may ask for; beyond it the number is a mistake, not a size.
static const double largest_array = 1e8;

static uint32_t operand(const sg_linker *l, const sg_step *step, uint32_t k)
{
    return l->program->operands.data[step->first_operand + k];
}
static sg_dims shape_of(const sg_linker *l, uint32_t r) { return l->exec->shapes[r]; }
static uint32_t at(const sg_linker *l, uint32_t r) { return l->exec->offsets[r]; }
static double value_of(const sg_linker *l, uint32_t r) { return l->w.data[at(l, r)]; }
static bool is_fixed(const sg_linker *l, uint32_t r) { return l->program->regs.data[r].is_fixed; }
static bool is_scalar(sg_dims s) { return s.dims == SG_SCALAR; }
static bool same_size(sg_dims a, sg_dims b) { return a.rows == b.rows && a.cols == b.cols; }

// A literal zero stands for the zero of any shape: derivatives and eliminated terms leave it.
static bool is_literal_zero(const sg_linker *l, uint32_t r)
{
    const sg_reg_info *info = &l->program->regs.data[r];
    return info->kind == SG_REG_NUMBER && info->number == 0.0;
}

static sg_num result_num(sg_op op, sg_num a, sg_num b)
{
    if (op >= SG_OP_LT && op <= SG_OP_OR)
        return SG_TRUTH;
    switch ((int)op) {
    case SG_OP_NOT:
        return SG_TRUTH;
    case SG_OP_ADD:
    case SG_OP_SUB:
    case SG_OP_MUL:
    case SG_OP_NEG:
    case SG_OP_ABS:
    case SG_OP_SIGN:
    case SG_OP_MOD:
    case SG_OP_REM:
    case SG_OP_IDIV:
    case SG_OP_MIN:
    case SG_OP_MAX:
        return a != SG_REAL && b != SG_REAL ? SG_WHOLE : SG_REAL;
    default:
        return SG_REAL;
    }
}

static void emit2(sg_linker *l, sg_form form, uint32_t dst, uint32_t a, uint32_t b, uint8_t sa,
                  uint8_t sb, uint32_t n)
{
    sg_link_emit(
        l, (sg_linked){
               .form = (uint16_t)form, .sa = sa, .sb = sb, .dst = dst, .a = a, .b = b, .n = n});
}

static void emit_copy(sg_linker *l, uint32_t dst, uint32_t from, uint32_t n, bool fill)
{
    emit2(l, n == 1 ? SG_L_COPY : SG_LV_COPY, dst, from, 0, fill ? 0 : 1, 0, n);
}

static uint32_t result_at(const sg_linker *l, const sg_step *step) { return at(l, step->dst); }

// The result is a part of the operand's memory if it may be, else a copy.
static bool alias(sg_linker *l, const sg_step *step, sg_dims shape, uint32_t from)
{
    const sg_reg_info *info = &l->program->regs.data[step->dst];
    if (info->kind == SG_REG_TEMP && !l->placed[step->dst]) {
        l->exec->shapes[step->dst] = shape;
        l->exec->offsets[step->dst] = from;
        l->placed[step->dst] = true;
        return true;
    }
    if (!sg_link_result(l, shape))
        return false;
    emit_copy(l, result_at(l, step), from, sg_dims_count(shape), false);
    return true;
}

// An operation on whole arrays: operands by register, 0 for a colon.
static sg_wide *add_wide(sg_linker *l, const sg_step *step, sg_form form)
{
    sg_wide wide = {.op = step->op,
                    .step = l->step,
                    .n_operands = step->n_operands,
                    .n_results = step->n_results};
    wide.operands = SG_NEW_ARRAY(&l->exec->arena, sg_operand, step->n_operands + 1);
    wide.offsets = SG_NEW_ARRAY(&l->exec->arena, uint32_t, step->n_operands + 1);
    if (!wide.operands || !wide.offsets || !SG_PUSH(l->exec->allocator, &l->wides, wide)) {
        l->failed = true;
        return NULL;
    }
    for (uint32_t k = 0; k < step->n_operands; k++) {
        uint32_t r = operand(l, step, k);
        wide.operands[k].shape = shape_of(l, r);
        wide.offsets[k] = r ? at(l, r) : 0;
    }
    sg_wide *added = &l->wides.data[l->wides.len - 1];
    if (step->dst) {
        added->result.shape = shape_of(l, step->dst);
        added->result_at = at(l, step->dst);
    }
    sg_link_emit(l, (sg_linked){.form = (uint16_t)form, .a = (uint32_t)(l->wides.len - 1)});
    return added;
}

static bool wide(sg_linker *l, const sg_step *step, sg_dims shape)
{
    return sg_link_result(l, shape) && add_wide(l, step, SG_L_WIDE);
}

static sg_form scalar_form(sg_op op)
{
    switch ((int)op) {
#define SG_UNARY(name, expression)                                                                 \
    case SG_OP_##name:                                                                             \
        return SG_L_##name;
#define SG_BINARY(name, expression)                                                                \
    case SG_OP_##name:                                                                             \
        return SG_L_##name;
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    default:
        return SG_L_END;
    }
}
// The array form follows the scalar one in the list.
static sg_form array_form(sg_op op) { return (sg_form)((int)scalar_form(op) + 1); }

static bool link_unary(sg_linker *l, const sg_step *step)
{
    uint32_t a = operand(l, step, 0);
    sg_dims shape = shape_of(l, a);
    sg_op op = (sg_op)step->op;
    char text[32];
    if (!is_scalar(shape) && !step->dot && op != SG_OP_NEG)
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "a function of numbers is applied to %s; write it with a dot to apply "
                             "it to each element",
                             sg_dims_text(shape, text));
    shape.num = (uint8_t)result_num(op, (sg_num)shape.num, (sg_num)shape.num);
    if (!sg_link_result(l, shape))
        return false;
    uint32_t n = sg_dims_count(shape);
    emit2(l, is_scalar(shape) ? scalar_form(op) : array_form(op), result_at(l, step), at(l, a), 0,
          1, 0, n);
    return true;
}

// Element by element, with numbers stretched over arrays, columns over matrices and so on.
static bool link_broadcast(sg_linker *l, const sg_step *step, uint32_t a, uint32_t b)
{
    sg_dims sa = shape_of(l, a), sb = shape_of(l, b);
    sg_op op = (sg_op)step->op;
    sg_num num = result_num(op, (sg_num)sa.num, (sg_num)sb.num);
    char text[32], text2[32];
    if (is_scalar(sa) || is_scalar(sb) || same_size(sa, sb)) {
        sg_dims shape = is_scalar(sa) ? sb : sa;
        if (shape.dims == SG_VECTOR && !is_scalar(sb) && sb.dims == SG_MATRIX)
            shape.dims = SG_MATRIX;
        shape.num = (uint8_t)num;
        if (!sg_link_result(l, shape))
            return false;
        bool scalar = is_scalar(shape);
        emit2(l, scalar ? scalar_form(op) : array_form(op), result_at(l, step), at(l, a), at(l, b),
              !is_scalar(sa), !is_scalar(sb), sg_dims_count(shape));
        return true;
    }
    bool rows_fit = sa.rows == sb.rows || sa.rows == 1 || sb.rows == 1;
    bool cols_fit = sa.cols == sb.cols || sa.cols == 1 || sb.cols == 1;
    if (!rows_fit || !cols_fit)
        return sg_link_error(l, SG_E_EQ_SHAPE, "%s and %s cannot be combined element by element",
                             sg_dims_text(sa, text), sg_dims_text(sb, text2));
    sg_dims shape = {(uint8_t)num, SG_MATRIX, sa.rows > sb.rows ? sa.rows : sb.rows,
                     sa.cols > sb.cols ? sa.cols : sb.cols};
    return wide(l, step, shape);
}

static bool link_sum(sg_linker *l, const sg_step *step, uint32_t a, uint32_t b)
{
    sg_dims sa = shape_of(l, a), sb = shape_of(l, b);
    char text[32], text2[32];
    bool fits = step->dot || (sa.dims == sb.dims && same_size(sa, sb)) || is_literal_zero(l, a) ||
                is_literal_zero(l, b) || (same_size(sa, sb) && sa.dims && sb.dims);
    if (!fits)
        return sg_link_error(
            l, SG_E_EQ_SHAPE, "%s %s %s: both must have the same size%s", sg_dims_text(sa, text),
            step->op == SG_OP_ADD ? "+" : "-", sg_dims_text(sb, text2),
            is_scalar(sa) || is_scalar(sb) ? "; did you mean a dotted operator?" : "");
    return link_broadcast(l, step, a, b);
}

static bool link_product(sg_linker *l, const sg_step *step, uint32_t a, uint32_t b)
{
    sg_dims sa = shape_of(l, a), sb = shape_of(l, b);
    char text[32], text2[32];
    if (step->dot || is_scalar(sa) || is_scalar(sb))
        return link_broadcast(l, step, a, b);
    if (sa.cols != sb.rows)
        return sg_link_error(l, SG_E_EQ_SHAPE, "%s times %s: the inner sizes %u and %u differ",
                             sg_dims_text(sa, text), sg_dims_text(sb, text2), sa.cols, sb.rows);
    sg_dims shape = {SG_REAL, SG_MATRIX, sa.rows, sb.cols};
    if (sa.dims == SG_ROW && sb.dims == SG_VECTOR)
        shape.dims = SG_SCALAR;
    else if (sb.dims == SG_VECTOR)
        shape.dims = SG_VECTOR;
    else if (sa.dims == SG_ROW)
        shape.dims = SG_ROW;
    return wide(l, step, shape);
}

static bool link_left_division(sg_linker *l, const sg_step *step)
{
    uint32_t a = operand(l, step, 0), b = operand(l, step, 1);
    sg_dims sa = shape_of(l, a), sb = shape_of(l, b);
    char text[32], text2[32];
    if (is_scalar(sa)) {
        sb.num = SG_REAL;
        if (!sg_link_result(l, sb))
            return false;
        emit2(l, is_scalar(sb) ? SG_L_DIV : SG_LV_DIV, result_at(l, step), at(l, b), at(l, a), 1, 0,
              sg_dims_count(sb));
        return true;
    }
    bool zero = is_literal_zero(l, b);
    if (sa.rows != sa.cols || (sb.rows != sa.rows && !zero))
        return sg_link_error(l, SG_E_EQ_SHAPE, "%s \\ %s: the left side must be square and fit",
                             sg_dims_text(sa, text), sg_dims_text(sb, text2));
    sg_dims shape = zero ? sg_dims_vector(sa.rows) : sb;
    shape.num = SG_REAL;
    if (!sg_link_result(l, shape))
        return false;
    if (zero) {
        emit_copy(l, result_at(l, step), at(l, b), sa.rows, true);
        return true;
    }
    sg_wide *w = add_wide(l, step, SG_L_WIDE);
    if (!w)
        return false;
    w->work = SG_NEW_ARRAY(&l->exec->arena, double, (size_t)sa.rows *(sa.rows + 1));
    w->pivots = SG_NEW_ARRAY(&l->exec->arena, int, sa.rows);
    l->failed |= !w->work || !w->pivots;
    return !l->failed;
}

static bool link_binary(sg_linker *l, const sg_step *step)
{
    uint32_t a = operand(l, step, 0), b = operand(l, step, 1);
    sg_dims sa = shape_of(l, a), sb = shape_of(l, b);
    char text[32], text2[32];
    switch (step->op) {
    case SG_OP_ADD:
    case SG_OP_SUB:
        return link_sum(l, step, a, b);
    case SG_OP_MUL:
        return link_product(l, step, a, b);
    case SG_OP_POW:
        if (is_scalar(sa) && l->program->regs.data[b].kind == SG_REG_NUMBER &&
            l->program->regs.data[b].number == 2.0) {
            if (!sg_link_result(l, sg_dims_scalar((sg_num)sa.num)))
                return false;
            emit2(l, SG_L_SQUARE, result_at(l, step), at(l, a), 0, 0, 0, 1);
            return true;
        }
        if (step->dot && !is_scalar(sa) && l->program->regs.data[b].kind == SG_REG_NUMBER &&
            l->program->regs.data[b].number == 2.0) { // as of one number
            if (!sg_link_result(l, sa))
                return false;
            emit2(l, SG_LV_MUL, result_at(l, step), at(l, a), at(l, a), 1, 1, sg_dims_count(sa));
            return true;
        }
        break;
    default:
        break;
    }
    bool division = step->op == SG_OP_DIV && is_scalar(sb);
    if (!step->dot && !division && !(is_scalar(sa) && is_scalar(sb)))
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "%s and %s: this operator takes numbers; write it with a dot to apply "
                             "it to each element",
                             sg_dims_text(sa, text), sg_dims_text(sb, text2));
    return link_broadcast(l, step, a, b);
}

static bool link_copy(sg_linker *l, const sg_step *step)
{
    uint32_t a = operand(l, step, 0);
    sg_dims shape = shape_of(l, a);
    const sg_reg_info *info = &l->program->regs.data[step->dst];
    if (info->kind == SG_REG_TEMP && !l->placed[step->dst] && step->is_fixed)
        return alias(l, step, shape, at(l, a));
    // A number fills the array that is waiting for it only if it is the literal zero.
    bool fill = l->placed[step->dst] && is_scalar(shape) && is_literal_zero(l, a);
    if (!fill && !sg_link_result(l, shape))
        return false;
    uint32_t n = sg_dims_count(shape_of(l, step->dst));
    emit_copy(l, result_at(l, step), at(l, a), n, fill && n > 1);
    return true;
}

static bool link_select(sg_linker *l, const sg_step *step)
{
    uint32_t c = operand(l, step, 0), yes = operand(l, step, 1), no = operand(l, step, 2);
    sg_dims sc = shape_of(l, c), sy = shape_of(l, yes), sn = shape_of(l, no);
    char text[32], text2[32];
    sg_dims shape = is_literal_zero(l, yes) ? sn : sy;
    bool fits = (sy.dims == sn.dims && same_size(sy, sn)) || is_literal_zero(l, yes) ||
                is_literal_zero(l, no) || !is_scalar(sc);
    if (!fits)
        return sg_link_error(l, SG_E_EQ_SHAPE, "the branches of the condition are %s and %s",
                             sg_dims_text(sy, text), sg_dims_text(sn, text2));
    if (!is_scalar(sc)) {
        shape = sc;
        if ((!is_scalar(sy) && !same_size(sy, sc)) || (!is_scalar(sn) && !same_size(sn, sc)))
            return sg_link_error(l, SG_E_EQ_SHAPE, "the branches do not fit the condition");
    }
    shape.num = sy.num == sn.num ? sy.num : SG_REAL;
    if (!sg_link_result(l, shape))
        return false;
    bool scalar = is_scalar(shape);
    sg_link_emit(l, (sg_linked){.form = scalar ? SG_L_SELECT : SG_LV_SELECT,
                                .sa = !is_scalar(sc),
                                .sb = !is_scalar(sy),
                                .sc = !is_scalar(sn),
                                .dst = result_at(l, step),
                                .a = at(l, c),
                                .b = at(l, yes),
                                .c = at(l, no),
                                .n = sg_dims_count(shape)});
    return true;
}

// A size must be known when the segment starts.
static bool size_value(sg_linker *l, uint32_t r, uint32_t *size)
{
    if (!is_scalar(shape_of(l, r)))
        return sg_link_error(l, SG_E_EQ_SHAPE, "a size must be a number");
    if (!is_fixed(l, r))
        return sg_link_error(l, SG_E_EQ_SIZE,
                             "this size depends on values that change while the "
                             "simulation runs; it may depend on parameters only");
    double x = value_of(l, r);
    if (!(x >= 0.0 && x <= largest_array) || x != floor(x))
        return sg_link_error(l, SG_E_EQ_SIZE, "%g is not a size", x);
    *size = (uint32_t)x;
    return true;
}

static bool link_filled(sg_linker *l, const sg_step *step, uint32_t first)
{
    sg_dims shape = {SG_REAL, SG_VECTOR, 0, 1};
    if (!size_value(l, operand(l, step, first), &shape.rows))
        return false;
    if (step->n_operands > first + 1) {
        shape.dims = SG_MATRIX;
        if (!size_value(l, operand(l, step, first + 1), &shape.cols))
            return false;
    }
    if ((double)shape.rows * shape.cols > largest_array)
        return sg_link_error(l, SG_E_EQ_SIZE, "an array of %u x %u elements is too large",
                             shape.rows, shape.cols);
    return wide(l, step, shape);
}

static bool link_range(sg_linker *l, const sg_step *step)
{
    bool has_step = step->n_operands == 3;
    uint32_t first = operand(l, step, 0), last = operand(l, step, has_step ? 2 : 1);
    if (!is_fixed(l, step->dst))
        return sg_link_error(l, SG_E_EQ_SIZE,
                             "the limits of a range may depend on parameters and sizes only");
    double a = value_of(l, first), b = value_of(l, last);
    double by = has_step ? value_of(l, operand(l, step, 1)) : 1.0;
    double n = floor((b - a) / by * (1.0 + 4e-16)) + 1.0;
    if (!(n <= largest_array))
        return sg_link_error(l, SG_E_EQ_SIZE, "the range %g:%g:%g has no sensible length", a, by,
                             b);
    sg_dims shape = sg_dims_vector(n > 0.0 ? (uint32_t)n : 0);
    shape.num = a == floor(a) && by == floor(by) ? SG_WHOLE : SG_REAL;
    return wide(l, step, shape);
}

static bool link_size(sg_linker *l, const sg_step *step)
{
    sg_dims s = shape_of(l, operand(l, step, 0));
    uint32_t dimension = step->aux, value;
    if (step->op == SG_OP_SIZE_AT) {
        if (!size_value(l, operand(l, step, 1), &dimension))
            return false;
        if (dimension == 0)
            return sg_link_error(l, SG_E_EQ_SHAPE, "dimensions count from 1");
    }
    value = dimension == 0   ? sg_dims_count(s)
            : dimension == 1 ? s.rows
            : dimension == 2 ? s.cols
                             : 1;
    if (!sg_link_result(l, sg_dims_scalar(SG_WHOLE)))
        return false;
    l->w.data[result_at(l, step)] = value;
    return true;
}

// How many elements one index picks; a colon picks all.
static uint32_t picked(const sg_linker *l, uint32_t r, uint32_t all)
{
    return r ? sg_dims_count(shape_of(l, r)) : all;
}

static double pick_at(const sg_linker *l, uint32_t r, uint32_t i)
{
    return r ? l->w.data[at(l, r) + i] : i + 1.0;
}

static bool index_shape(sg_linker *l, const sg_step *step, sg_dims base, sg_dims *shape)
{
    uint32_t first = operand(l, step, 1), second = step->n_operands > 2 ? operand(l, step, 2) : 0;
    bool one = step->n_operands == 2;
    char text[32];
    *shape = (sg_dims){base.num, SG_SCALAR, 1, 1};
    if (is_scalar(base) && !first)
        return sg_link_error(l, SG_E_EQ_SHAPE, "a number has no elements to pick");
    if (!one && base.dims != SG_MATRIX && base.dims != SG_ROW && base.cols == 1 && second == 0 &&
        base.dims != SG_VECTOR)
        return sg_link_error(l, SG_E_EQ_SHAPE, "two indices for %s", sg_dims_text(base, text));
    bool many_rows = !first || !is_scalar(shape_of(l, first));
    if (one) {
        shape->rows = picked(l, first, sg_dims_count(base));
        shape->dims = many_rows ? SG_VECTOR : SG_SCALAR;
        return true;
    }
    bool many_cols = !second || !is_scalar(shape_of(l, second));
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
    uint32_t first = operand(l, step, 1), second = step->n_operands > 2 ? operand(l, step, 2) : 0;
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
    uint32_t first = operand(l, step, from);
    uint32_t second = step->n_operands > from + 1 ? operand(l, step, from + 1) : 0;
    sg_dims base = shape_of(l, operand(l, step, 0)), one = shape_of(l, first);
    sg_dims other = second ? shape_of(l, second) : one;
    uint32_t limit = second ? base.rows : sg_dims_count(base);
    *shape = is_scalar(one) ? other : one;
    if (!is_scalar(one) && !is_scalar(other) && !same_size(one, other)) {
        sg_link_error(l, SG_E_EQ_SHAPE, "the two indices have different sizes");
        return NULL;
    }
    if (!is_fixed(l, first) || (second && !is_fixed(l, second))) {
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
        double row = pick_at(l, first, is_scalar(one) ? 0 : i);
        double col = second ? pick_at(l, second, is_scalar(other) ? 0 : i) : 1.0;
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
        picks[i] = nowhere - at(l, operand(l, step, 0));
    }
    return picks;
}

static bool link_single(sg_linker *l, const sg_step *step)
{
    sg_dims shape, base = shape_of(l, operand(l, step, 0));
    uint32_t *picks = single_picks(l, step, 1, &shape);
    if (!picks)
        return false;
    shape.num = base.num;
    uint32_t n = sg_dims_count(shape);
    bool in_a_row = n > 0;
    for (uint32_t i = 1; i < n; i++)
        in_a_row &= picks[i] == picks[i - 1] + 1;
    if (in_a_row)
        return alias(l, step, shape, at(l, operand(l, step, 0)) + picks[0]);
    if (!wide(l, step, shape))
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

static bool link_replace(sg_linker *l, const sg_step *step)
{
    uint32_t values = operand(l, step, 1);
    sg_dims base = shape_of(l, operand(l, step, 0)), vs = shape_of(l, values), shape;
    uint32_t *picks = single_picks(l, step, 2, &shape);
    char text[32];
    if (!picks)
        return false;
    uint32_t n = sg_dims_count(shape);
    if (!is_scalar(vs) && sg_dims_count(vs) != n)
        return sg_link_error(l, SG_E_EQ_SHAPE, "%u elements are replaced by %s", n,
                             sg_dims_text(vs, text));
    if (step->dot && !picks_differ(l, picks, n, sg_dims_count(base)))
        return false;
    bool all = n == sg_dims_count(base) && !is_scalar(vs);
    for (uint32_t i = 0; i < n && all; i++)
        all = picks[i] == i;
    base.num = base.num == vs.num ? base.num : SG_REAL;
    if (all)
        return alias(l, step, base, at(l, values));
    if (!wide(l, step, base))
        return false;
    l->wides.data[l->wides.len - 1].picks = picks;
    l->wides.data[l->wides.len - 1].n_picks = n;
    return true;
}

static bool link_only(sg_linker *l, const sg_step *step)
{
    uint32_t a = operand(l, step, 0);
    sg_dims shape = shape_of(l, a);
    char text[32];
    if (sg_dims_count(shape) != 1)
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "%s stands where one number is needed; in a loop, take its elements "
                             "by an index",
                             sg_dims_text(shape, text));
    return alias(l, step, sg_dims_scalar((sg_num)shape.num), at(l, a));
}

static bool link_index(sg_linker *l, const sg_step *step)
{
    if (step->dot)
        return link_single(l, step);
    uint32_t base = operand(l, step, 0);
    sg_dims bs = shape_of(l, base), shape;
    if (!index_shape(l, step, bs, &shape))
        return false;
    bool fixed = true;
    for (uint32_t k = 1; k < step->n_operands; k++)
        fixed &= !operand(l, step, k) || is_fixed(l, operand(l, step, k));
    if (!fixed)
        return wide(l, step, shape);
    uint32_t n = sg_dims_count(shape);
    uint32_t *picks = fixed_picks(l, step, bs, n);
    if (!picks)
        return false;
    bool in_a_row = true;
    for (uint32_t i = 1; i < n; i++)
        in_a_row &= picks[i] == picks[i - 1] + 1;
    if (in_a_row)
        return alias(l, step, shape, at(l, base) + (n ? picks[0] : 0));
    if (!wide(l, step, shape))
        return false;
    l->wides.data[l->wides.len - 1].picks = picks;
    return true;
}

// [a, b, c] of numbers.
static bool link_vect(sg_linker *l, const sg_step *step)
{
    sg_dims shape = sg_dims_vector(step->n_operands);
    char text[32];
    bool whole = step->n_operands > 0;
    for (uint32_t k = 0; k < step->n_operands; k++) {
        sg_dims s = shape_of(l, operand(l, step, k));
        whole &= s.num == SG_WHOLE;
        if (!is_scalar(s))
            return sg_link_error(l, SG_E_EQ_SHAPE,
                                 "element %u of the vector is %s; write [a; b] to join arrays",
                                 k + 1, sg_dims_text(s, text));
    }
    shape.num = whole ? SG_WHOLE : SG_REAL;
    if (!sg_link_result(l, shape))
        return false;
    for (uint32_t k = 0; k < step->n_operands; k++)
        emit_copy(l, result_at(l, step) + k, at(l, operand(l, step, k)), 1, false);
    return true;
}

static bool link_vcat(sg_linker *l, const sg_step *step)
{
    sg_dims shape = sg_dims_vector(0);
    char text[32], text2[32];
    sg_dims first = shape_of(l, operand(l, step, 0));
    shape.cols = first.cols;
    for (uint32_t k = 0; k < step->n_operands; k++) {
        sg_dims s = shape_of(l, operand(l, step, k));
        if (s.cols != shape.cols)
            return sg_link_error(l, SG_E_EQ_SHAPE, "%s below %s: the numbers of columns differ",
                                 sg_dims_text(s, text), sg_dims_text(first, text2));
        shape.rows += s.rows;
        if (s.dims == SG_MATRIX || s.dims == SG_ROW)
            shape.dims = SG_MATRIX;
    }
    if (shape.dims == SG_MATRIX)
        return wide(l, step, shape);
    if (!sg_link_result(l, shape))
        return false;
    uint32_t to = result_at(l, step);
    for (uint32_t k = 0; k < step->n_operands; k++) {
        uint32_t r = operand(l, step, k), n = sg_dims_count(shape_of(l, r));
        if (n)
            emit_copy(l, to, at(l, r), n, false);
        to += n;
    }
    return true;
}

// Columns lie one after the other, so this is always a run of copies.
static bool link_hcat(sg_linker *l, const sg_step *step)
{
    sg_dims first = shape_of(l, operand(l, step, 0));
    sg_dims shape = sg_dims_matrix(first.rows, 0);
    char text[32], text2[32];
    for (uint32_t k = 0; k < step->n_operands; k++) {
        sg_dims s = shape_of(l, operand(l, step, k));
        if (s.rows != shape.rows)
            return sg_link_error(l, SG_E_EQ_SHAPE, "%s beside %s: the numbers of rows differ",
                                 sg_dims_text(s, text), sg_dims_text(first, text2));
        shape.cols += s.cols;
    }
    if (!sg_link_result(l, shape))
        return false;
    uint32_t to = result_at(l, step);
    for (uint32_t k = 0; k < step->n_operands; k++) {
        uint32_t r = operand(l, step, k), n = sg_dims_count(shape_of(l, r));
        if (n)
            emit_copy(l, to, at(l, r), n, false);
        to += n;
    }
    return true;
}

static bool link_transpose(sg_linker *l, const sg_step *step)
{
    uint32_t a = operand(l, step, 0);
    sg_dims s = shape_of(l, a), shape = {s.num, s.dims, s.cols, s.rows};
    if (s.dims == SG_VECTOR)
        shape.dims = SG_ROW;
    else if (s.dims == SG_ROW)
        shape.dims = SG_VECTOR;
    if (s.rows == 1 || s.cols == 1)
        return alias(l, step, shape, at(l, a));
    return wide(l, step, shape);
}

static bool link_reduction(sg_linker *l, const sg_step *step)
{
    sg_dims a = shape_of(l, operand(l, step, 0));
    char text[32], text2[32];
    if (step->op == SG_OP_DOT) {
        sg_dims b = shape_of(l, operand(l, step, 1));
        if (sg_dims_count(a) != sg_dims_count(b))
            return sg_link_error(l, SG_E_EQ_SHAPE, "dot of %s and %s", sg_dims_text(a, text),
                                 sg_dims_text(b, text2));
    }
    if ((step->op == SG_OP_MAXIMUM || step->op == SG_OP_MINIMUM) && sg_dims_count(a) == 0)
        return sg_link_error(l, SG_E_EQ_SHAPE, "the extreme of an empty array");
    return wide(l, step, sg_dims_scalar(SG_REAL));
}

static bool link_cross(sg_linker *l, const sg_step *step)
{
    sg_dims a = shape_of(l, operand(l, step, 0)), b = shape_of(l, operand(l, step, 1));
    if (sg_dims_count(a) != 3 || sg_dims_count(b) != 3)
        return sg_link_error(l, SG_E_EQ_SHAPE, "cross takes two vectors of three elements");
    return wide(l, step, sg_dims_vector(3));
}

static bool link_call(sg_linker *l, const sg_step *step)
{
    const sg_extern *function = l->exec->externs ? &l->exec->externs[step->aux] : NULL;
    uint32_t n_args = step->n_operands - step->n_results;
    sg_operand *args = SG_NEW_ARRAY(&l->exec->arena, sg_operand, n_args + 1);
    sg_dims *shapes = SG_NEW_ARRAY(&l->exec->arena, sg_dims, step->n_results + 1);
    const char *name = l->program->func_names && step->aux < l->program->n_funcs
                           ? l->program->func_names[step->aux]
                           : "?";
    if (!args || !shapes) {
        l->failed = true;
        return false;
    }
    if (!function || !function->call)
        return sg_link_error(l, SG_E_EQ_CALL, "function '%s' is not known", name);
    for (uint32_t k = 0; k < n_args; k++) {
        uint32_t r = operand(l, step, step->n_results + k);
        args[k] = (sg_operand){shape_of(l, r), l->w.data + at(l, r)};
    }
    for (uint32_t k = 0; k < step->n_results; k++)
        shapes[k] = sg_dims_scalar(SG_REAL);
    sg_extern_call call = {.args = args,
                           .n_args = n_args,
                           .n_results = step->n_results,
                           .time = l->w.data[l->exec->time_at],
                           .events = l->exec->events,
                           .eq = step->eq};
    if (function->shapes && function->shapes(function->context, &call, shapes) != SG_OK)
        return sg_link_error(l, SG_E_EQ_CALL, "function '%s' failed while its result was examined",
                             name);
    for (uint32_t k = 0; k < step->n_results; k++) {
        uint32_t r = operand(l, step, k);
        l->exec->shapes[r] = shapes[k];
        l->exec->offsets[r] = sg_link_room(l, sg_dims_count(shapes[k]));
        l->placed[r] = true;
    }
    return add_wide(l, step, SG_L_CALL) != NULL;
}

static bool is_number(sg_linker *l, const sg_step *step, uint32_t k)
{
    if (is_scalar(shape_of(l, operand(l, step, k))))
        return true;
    return sg_link_error(l, SG_E_EQ_SHAPE, "%s takes a number, not an array",
                         sg_op_name((sg_op)step->op));
}

static bool link_condition(sg_linker *l, const sg_step *step)
{
    sg_linked c = {.b = step->aux, .n = 1};
    for (uint32_t k = 0; k < step->n_operands; k++)
        if (!is_number(l, step, k))
            return false;
    if (!sg_link_result(l, sg_dims_scalar(SG_TRUTH)))
        return false;
    c.dst = result_at(l, step);
    c.a = step->n_operands ? at(l, operand(l, step, step->n_operands - 1)) : 0;
    switch (step->op) {
    case SG_OP_POSITIVE:
        c.form = SG_L_POSITIVE;
        break;
    case SG_OP_NEGATIVE:
        c.form = SG_L_NEGATIVE;
        break;
    case SG_OP_AFTER:
        c.form = SG_L_AFTER;
        break;
    case SG_OP_ASSERT:
        c.form = SG_L_ASSERT;
        break;
    case SG_OP_TERMINATE:
        c.form = SG_L_TERMINATE;
        break;
    case SG_OP_INITIAL:
        c.form = SG_L_INITIAL;
        break;
    case SG_OP_TERMINAL:
        c.form = SG_L_TERMINAL;
        break;
    default: // CLOCK: the period is the last operand
        c.form = SG_L_CLOCK;
        c.n = step->aux;
        c.b = step->n_operands == 2 ? at(l, operand(l, step, 0)) : 0;
        c.c = step->n_operands == 1;
    }
    sg_link_emit(l, c);
    return true;
}

// A function that jumps. The elements of an array have slots in a row, behind those of the program,
// which knows no sizes.
static bool link_level(sg_linker *l, const sg_step *step)
{
    const sg_program *p = l->program;
    sg_dims shape = shape_of(l, operand(l, step, 0));
    shape.num = SG_REAL;
    sg_linked c = {.form = SG_L_LEVEL,
                   .sb = (uint8_t)(step->op - SG_OP_HELD_SIGN + SG_LEVEL_SIGN),
                   .b = step->aux,
                   .n = sg_dims_count(shape)};
    if (!is_scalar(shape)) {
        c.b = (uint32_t)(p->positive_text.len + l->more_text.len);
        for (uint32_t i = 0; i < c.n; i++)
            l->failed |=
                !SG_PUSH(l->exec->allocator, &l->more_text, p->positive_text.data[step->aux]);
    }
    if (l->failed || !sg_link_result(l, shape))
        return false;
    c.dst = result_at(l, step);
    c.a = at(l, operand(l, step, 0));
    c.sc = step->n_operands > 1;
    c.c = c.sc ? at(l, operand(l, step, 1)) : 0;
    sg_link_emit(l, c);
    return true;
}

static const sg_memory *memory_of(const sg_program *p, const sg_step *step)
{
    switch (step->op) {
    case SG_OP_SET_DELAY:
        return &p->delays.data[step->aux];
    case SG_OP_SAMPLE:
        return &p->samples.data[step->aux];
    case SG_OP_HOLD:
        return &p->holds.data[step->aux];
    case SG_OP_PREVIOUS:
    case SG_OP_SET_PREVIOUS:
        return &p->previouses.data[step->aux];
    default:
        return &p->pres.data[step->aux];
    }
}

static sg_memory_place *place_of(sg_exec *exec, const sg_step *step)
{
    switch (step->op) {
    case SG_OP_SET_DELAY:
        return &exec->delays[step->aux];
    case SG_OP_SAMPLE:
        return &exec->samples[step->aux];
    case SG_OP_HOLD:
        return &exec->holds[step->aux];
    case SG_OP_PREVIOUS:
    case SG_OP_SET_PREVIOUS:
        return &exec->previouses[step->aux];
    default:
        return &exec->pres[step->aux];
    }
}

// Gives a memory its place when it is first met; operators in two branches share it.
static void make_place(sg_linker *l, const sg_step *step, sg_memory_place *place, uint32_t n,
                       const double *start)
{
    const sg_allocator *allocator = l->exec->allocator;
    const char *name = memory_of(l->program, step)->name;
    place->n = n;
    place->made = true;
    place->at = step->op == SG_OP_SAMPLE     ? l->n_sample
                : step->op == SG_OP_HOLD     ? (uint32_t)l->hold_start.len
                : step->op == SG_OP_PREVIOUS ? (uint32_t)l->previous_start.len
                                             : (uint32_t)l->pre_start.len;
    if (step->op == SG_OP_SAMPLE)
        l->n_sample += n;
    for (uint32_t i = 0; i < n && step->op != SG_OP_SAMPLE && !l->failed; i++) {
        double value = start ? start[i] : 0.0;
        if (step->op == SG_OP_HOLD)
            l->failed = !SG_PUSH(allocator, &l->hold_start, value);
        else if (step->op == SG_OP_PREVIOUS)
            l->failed = !SG_PUSH(allocator, &l->previous_start, value);
        else
            l->failed = !SG_PUSH(allocator, &l->pre_start, value) ||
                        !SG_PUSH(allocator, &l->pre_names, name);
    }
}

static sg_form memory_form(sg_op op)
{
    switch ((int)op) {
    case SG_OP_SAMPLE:
        return SG_L_SAMPLE;
    case SG_OP_HOLD:
        return SG_L_HOLD;
    case SG_OP_PREVIOUS:
        return SG_L_PREVIOUS;
    case SG_OP_PRE:
        return SG_L_PRE;
    case SG_OP_EDGE:
        return SG_L_EDGE;
    default:
        return SG_L_CHANGE;
    }
}

// What pre, previous and delay return comes before the variable itself is computed: its shape is
// that of the start value, or known already, or a number.
static sg_dims shape_of_past(sg_linker *l, uint32_t var, sg_given *start, bool *has_start)
{
    const sg_program *p = l->program;
    *start = (sg_given){sg_dims_scalar(SG_REAL), NULL};
    *has_start = var && l->source->start && l->source->start(l->source->context, var, start);
    uint32_t reg = var && var < p->n_vars ? p->var_regs[var].i : 0;
    return !*has_start && reg && l->placed[reg] ? shape_of(l, reg) : start->shape;
}

static bool link_memory(sg_linker *l, const sg_step *step)
{
    const sg_memory *memory = memory_of(l->program, step);
    sg_memory_place *place = place_of(l->exec, step);
    sg_given start;
    bool has_start, has_value = step->op != SG_OP_PRE && step->op != SG_OP_PREVIOUS;
    sg_dims shape = shape_of_past(l, memory->var, &start, &has_start);
    if (has_value)
        shape = shape_of(l, operand(l, step, 0));
    uint32_t n = sg_dims_count(shape);
    if (has_start && sg_dims_count(start.shape) != n)
        return sg_link_error(l, SG_E_EQ_SHAPE, "'%s' has %u elements, its start value has %u",
                             memory->name ? memory->name : "?", n, sg_dims_count(start.shape));
    if (!place->made)
        make_place(l, step, place, n, start.data);
    if (step->op == SG_OP_EDGE || step->op == SG_OP_CHANGE)
        shape = sg_dims_scalar(SG_TRUTH);
    if (l->failed || !sg_link_result(l, shape))
        return false;
    sg_linked c = {.form = (uint16_t)memory_form((sg_op)step->op),
                   .dst = result_at(l, step),
                   .a = has_value ? at(l, operand(l, step, 0)) : 0,
                   .c = place->at,
                   .n = n};
    if (step->op == SG_OP_SAMPLE || step->op == SG_OP_HOLD)
        c.b = at(l, operand(l, step, 1));
    else if (step->op == SG_OP_PREVIOUS)
        c.b = at(l, operand(l, step, 0));
    sg_link_emit(l, c);
    return true;
}

// The time is known when a run begins; so the steps of the solver can be kept below it.
static bool link_delay(sg_linker *l, const sg_step *step)
{
    const struct sg_program_tap *tap = &l->program->taps.data[step->aux];
    const sg_memory *memory = &l->program->delays.data[tap->memory];
    sg_memory_place *place = &l->exec->delays[tap->memory];
    uint32_t r = operand(l, step, 0);
    if (!is_scalar(shape_of(l, r)))
        return sg_link_error(l, SG_E_DELAY, "the time of a delay must be a number");
    if (!is_fixed(l, r))
        return sg_link_error(l, SG_E_DELAY,
                             "the time of a delay is not known before the run; make "
                             "it a parameter");
    // Values are rounded, and pieces of the past may be short: twice differentiated they are noise.
    if (tap->order > 1)
        return sg_link_error(l, SG_E_DELAY,
                             "the delayed '%s' would have to be differentiated %u times, once is "
                             "possible; delay a state, or its derivatives one by one",
                             memory->name ? memory->name : "?", tap->order);
    double time = value_of(l, r);
    if (!(time > 0.0) || !isfinite(time))
        return sg_link_error(l, SG_E_DELAY, "the time of a delay must be positive, but is %g s",
                             time);
    sg_given start;
    bool has_start;
    sg_dims shape = shape_of_past(l, memory->var, &start, &has_start);
    if (!place->made) {
        *place = (sg_memory_place){l->n_delay, sg_dims_count(shape), true};
        l->n_delay += place->n;
    }
    if (!sg_link_result(l, shape))
        return false;
    l->exec->taps[step->aux] =
        (sg_delay_tap){place->at, place->n, tap->order, tap->is_rate, time, memory->name};
    sg_link_emit(
        l,
        (sg_linked){.form = SG_L_DELAY, .dst = result_at(l, step), .b = step->aux, .n = place->n});
    return true;
}

// The variable behind pre, previous or delay must have the size its memory was given.
static bool link_store(sg_linker *l, const sg_step *step)
{
    const sg_memory_place *place = place_of(l->exec, step);
    const char *name = memory_of(l->program, step)->name;
    uint32_t r = operand(l, step, 0), n = sg_dims_count(shape_of(l, r));
    if (!place->made)
        return true;
    if (n != place->n && step->op == SG_OP_SET_DELAY)
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "'%s' has %u elements, but is delayed as %u; give it a start value of "
                             "that size",
                             name ? name : "?", n, place->n);
    if (n != place->n)
        return sg_link_error(l, SG_E_EQ_SHAPE, "'%s' has %u elements, its start value has %u",
                             name ? name : "?", n, place->n);
    sg_link_emit(l, (sg_linked){.form = step->op == SG_OP_SET_PRE     ? SG_L_SET_PRE
                                        : step->op == SG_OP_SET_DELAY ? SG_L_SET_DELAY
                                                                      : SG_L_SET_PREVIOUS,
                                .a = at(l, r),
                                .c = place->at,
                                .n = n});
    return true;
}

static bool link_reinit(sg_linker *l, const sg_step *step)
{
    uint32_t r = operand(l, step, 0);
    sg_dims shape = shape_of(l, r);
    uint32_t first = l->exec->state_at[step->aux];
    uint32_t next =
        step->aux + 1 < l->program->n_states ? l->exec->state_at[step->aux + 1] : l->exec->n_x;
    if (sg_dims_count(shape) != next - first)
        return sg_link_error(l, SG_E_EQ_SHAPE, "reinit gives %u elements to a state of %u",
                             sg_dims_count(shape), next - first);
    if (!sg_link_result(l, shape))
        return false;
    sg_link_emit(l, (sg_linked){.form = SG_L_REINIT,
                                .dst = result_at(l, step),
                                .a = at(l, r),
                                .b = first,
                                .n = sg_dims_count(shape)});
    return true;
}

bool sg_link_step(sg_linker *l, const sg_step *step)
{
    if (step->op >= SG_OP_NEG && step->op <= SG_OP_NOT)
        return link_unary(l, step);
    if (step->op >= SG_OP_ADD && step->op <= SG_OP_OR)
        return link_binary(l, step);
    switch (step->op) {
    case SG_OP_COPY:
        return link_copy(l, step);
    case SG_OP_DEPEND:
        return wide(l, step, shape_of(l, operand(l, step, 0)));
    case SG_OP_SELECT:
        return link_select(l, step);
    case SG_OP_CALL:
        return link_call(l, step);
    case SG_OP_LDIV:
        return link_left_division(l, step);
    case SG_OP_VECT:
        return link_vect(l, step);
    case SG_OP_VCAT:
        return link_vcat(l, step);
    case SG_OP_HCAT:
        return link_hcat(l, step);
    case SG_OP_RANGE:
        return link_range(l, step);
    case SG_OP_INDEX:
        return link_index(l, step);
    case SG_OP_SETINDEX:
        return link_replace(l, step);
    case SG_OP_ONLY:
        return link_only(l, step);
    case SG_OP_SIZE:
    case SG_OP_SIZE_AT:
        return link_size(l, step);
    case SG_OP_TRANSPOSE:
        return link_transpose(l, step);
    case SG_OP_ZEROS:
    case SG_OP_ONES:
        return link_filled(l, step, 0);
    case SG_OP_FILL:
        return link_filled(l, step, 1);
    case SG_OP_ZERO:
        return sg_link_result(l, shape_of(l, operand(l, step, 0)));
    case SG_OP_SUM:
    case SG_OP_PROD:
    case SG_OP_MAXIMUM:
    case SG_OP_MINIMUM:
    case SG_OP_NORM:
    case SG_OP_DOT:
        return link_reduction(l, step);
    case SG_OP_CROSS:
        return link_cross(l, step);
    case SG_OP_DIAGONAL: {
        uint32_t n = sg_dims_count(shape_of(l, operand(l, step, 0)));
        return wide(l, step, sg_dims_matrix(n, n));
    }
    case SG_OP_SAMPLE:
    case SG_OP_HOLD:
    case SG_OP_PREVIOUS:
    case SG_OP_PRE:
    case SG_OP_EDGE:
    case SG_OP_CHANGE:
        return link_memory(l, step);
    case SG_OP_SET_PRE:
    case SG_OP_SET_PREVIOUS:
    case SG_OP_SET_DELAY:
        return link_store(l, step);
    case SG_OP_DELAY:
        return link_delay(l, step);
    case SG_OP_REINIT:
        return link_reinit(l, step);
    case SG_OP_HELD_SIGN:
    case SG_OP_HELD_FLOOR:
    case SG_OP_HELD_CEIL:
    case SG_OP_HELD_ROUND:
    case SG_OP_HELD_TRUNC:
        return link_level(l, step);
    default:
        return link_condition(l, step);
    }
}
