// Shapes and linked form of one step.
#include "program/infer.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// The largest array a model may ask for; beyond it the number is a mistake, not a size.
static const double largest_array = 1e8;

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

// A copy of elements that were picked is one of the original: registers keep their values for a
// whole evaluation. (Those that two branches write are written by COPY.)
static uint32_t original(const sg_linker *l, uint32_t from, uint32_t n)
{
    enum { LOOK_BACK = 16 };
    size_t first = l->code.len > LOOK_BACK ? l->code.len - LOOK_BACK : 0;
    for (size_t i = l->code.len; i > first; i--) {
        const sg_linked *c = &l->code.data[i - 1];
        uint16_t op = l->program->steps.data[l->code_step.data[i - 1]].op;
        bool copies = (c->form == SG_L_COPY || c->form == SG_LV_COPY) && c->sa && op != SG_OP_COPY;
        if (copies && from >= c->dst && from + n <= c->dst + c->n)
            return c->a + (from - c->dst);
    }
    return from;
}

void sg_link_copy(sg_linker *l, uint32_t dst, uint32_t from, uint32_t n, bool fill)
{
    if (!fill)
        from = original(l, from, n);
    emit2(l, n == 1 ? SG_L_COPY : SG_LV_COPY, dst, from, 0, fill ? 0 : 1, 0, n);
}

// The result is a part of the operand's memory if it may be, else a copy.
bool sg_link_alias(sg_linker *l, const sg_step *step, sg_dims shape, uint32_t from)
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
    sg_link_copy(l, sg_link_result_at(l, step), from, sg_dims_count(shape), false);
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
        uint32_t r = sg_link_operand(l, step, k);
        wide.operands[k].shape = sg_link_shape(l, r);
        wide.offsets[k] = r ? sg_link_at(l, r) : 0;
    }
    sg_wide *added = &l->wides.data[l->wides.len - 1];
    if (step->dst) {
        added->result.shape = sg_link_shape(l, step->dst);
        added->result_at = sg_link_at(l, step->dst);
    }
    sg_link_emit(l, (sg_linked){.form = (uint16_t)form, .a = (uint32_t)(l->wides.len - 1)});
    return added;
}

bool sg_link_wide(sg_linker *l, const sg_step *step, sg_dims shape)
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
    uint32_t a = sg_link_operand(l, step, 0);
    sg_dims shape = sg_link_shape(l, a);
    sg_op op = (sg_op)step->op;
    char text[32];
    if (!sg_link_is_scalar(shape) && !step->dot && op != SG_OP_NEG)
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "a function of numbers is applied to %s; write it with a dot to apply "
                             "it to each element",
                             sg_dims_text(shape, text));
    shape.num = (uint8_t)result_num(op, (sg_num)shape.num, (sg_num)shape.num);
    if (!sg_link_result(l, shape))
        return false;
    uint32_t n = sg_dims_count(shape);
    emit2(l, sg_link_is_scalar(shape) ? scalar_form(op) : array_form(op),
          sg_link_result_at(l, step), sg_link_at(l, a), 0, 1, 0, n);
    return true;
}

// Element by element, with numbers stretched over arrays, columns over matrices and so on.
static bool link_broadcast(sg_linker *l, const sg_step *step, uint32_t a, uint32_t b)
{
    sg_dims sa = sg_link_shape(l, a), sb = sg_link_shape(l, b);
    sg_op op = (sg_op)step->op;
    sg_num num = result_num(op, (sg_num)sa.num, (sg_num)sb.num);
    char text[32], text2[32];
    if (sg_link_is_scalar(sa) || sg_link_is_scalar(sb) || sg_link_same_size(sa, sb)) {
        sg_dims shape = sg_link_is_scalar(sa) ? sb : sa;
        if (shape.dims == SG_VECTOR && !sg_link_is_scalar(sb) && sb.dims == SG_MATRIX)
            shape.dims = SG_MATRIX;
        shape.num = (uint8_t)num;
        if (!sg_link_result(l, shape))
            return false;
        bool scalar = sg_link_is_scalar(shape);
        emit2(l, scalar ? scalar_form(op) : array_form(op), sg_link_result_at(l, step),
              sg_link_at(l, a), sg_link_at(l, b), !sg_link_is_scalar(sa), !sg_link_is_scalar(sb),
              sg_dims_count(shape));
        return true;
    }
    bool rows_fit = sa.rows == sb.rows || sa.rows == 1 || sb.rows == 1;
    bool cols_fit = sa.cols == sb.cols || sa.cols == 1 || sb.cols == 1;
    if (!rows_fit || !cols_fit)
        return sg_link_error(l, SG_E_EQ_SHAPE, "%s and %s cannot be combined element by element",
                             sg_dims_text(sa, text), sg_dims_text(sb, text2));
    sg_dims shape = {(uint8_t)num, SG_MATRIX, sa.rows > sb.rows ? sa.rows : sb.rows,
                     sa.cols > sb.cols ? sa.cols : sb.cols};
    return sg_link_wide(l, step, shape);
}

static bool link_sum(sg_linker *l, const sg_step *step, uint32_t a, uint32_t b)
{
    sg_dims sa = sg_link_shape(l, a), sb = sg_link_shape(l, b);
    char text[32], text2[32];
    bool fits = step->dot || (sa.dims == sb.dims && sg_link_same_size(sa, sb)) ||
                sg_link_is_zero(l, a) || sg_link_is_zero(l, b) ||
                (sg_link_same_size(sa, sb) && sa.dims && sb.dims);
    if (!fits)
        return sg_link_error(
            l, SG_E_EQ_SHAPE, "%s %s %s: both must have the same size%s", sg_dims_text(sa, text),
            step->op == SG_OP_ADD ? "+" : "-", sg_dims_text(sb, text2),
            sg_link_is_scalar(sa) || sg_link_is_scalar(sb) ? "; did you mean a dotted operator?"
                                                           : "");
    return link_broadcast(l, step, a, b);
}

static bool link_product(sg_linker *l, const sg_step *step, uint32_t a, uint32_t b)
{
    sg_dims sa = sg_link_shape(l, a), sb = sg_link_shape(l, b);
    char text[32], text2[32];
    if (step->dot || sg_link_is_scalar(sa) || sg_link_is_scalar(sb))
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
    return sg_link_wide(l, step, shape);
}

static bool link_left_division(sg_linker *l, const sg_step *step)
{
    uint32_t a = sg_link_operand(l, step, 0), b = sg_link_operand(l, step, 1);
    sg_dims sa = sg_link_shape(l, a), sb = sg_link_shape(l, b);
    char text[32], text2[32];
    if (sg_link_is_scalar(sa)) {
        sb.num = SG_REAL;
        if (!sg_link_result(l, sb))
            return false;
        emit2(l, sg_link_is_scalar(sb) ? SG_L_DIV : SG_LV_DIV, sg_link_result_at(l, step),
              sg_link_at(l, b), sg_link_at(l, a), 1, 0, sg_dims_count(sb));
        return true;
    }
    bool zero = sg_link_is_zero(l, b);
    if (sa.rows != sa.cols || (sb.rows != sa.rows && !zero))
        return sg_link_error(l, SG_E_EQ_SHAPE, "%s \\ %s: the left side must be square and fit",
                             sg_dims_text(sa, text), sg_dims_text(sb, text2));
    sg_dims shape = zero ? sg_dims_vector(sa.rows) : sb;
    shape.num = SG_REAL;
    if (!sg_link_result(l, shape))
        return false;
    if (zero) {
        sg_link_copy(l, sg_link_result_at(l, step), sg_link_at(l, b), sa.rows, true);
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
    uint32_t a = sg_link_operand(l, step, 0), b = sg_link_operand(l, step, 1);
    sg_dims sa = sg_link_shape(l, a), sb = sg_link_shape(l, b);
    char text[32], text2[32];
    switch (step->op) {
    case SG_OP_ADD:
    case SG_OP_SUB:
        return link_sum(l, step, a, b);
    case SG_OP_MUL:
        return link_product(l, step, a, b);
    case SG_OP_POW:
        if (sg_link_is_scalar(sa) && l->program->regs.data[b].kind == SG_REG_NUMBER &&
            l->program->numbers.data[l->program->regs.data[b].index] == 2.0) {
            if (!sg_link_result(l, sg_dims_scalar((sg_num)sa.num)))
                return false;
            emit2(l, SG_L_SQUARE, sg_link_result_at(l, step), sg_link_at(l, a), 0, 0, 0, 1);
            return true;
        }
        if (step->dot && !sg_link_is_scalar(sa) && l->program->regs.data[b].kind == SG_REG_NUMBER &&
            l->program->numbers.data[l->program->regs.data[b].index] == 2.0) { // as of one number
            if (!sg_link_result(l, sa))
                return false;
            emit2(l, SG_LV_MUL, sg_link_result_at(l, step), sg_link_at(l, a), sg_link_at(l, a), 1,
                  1, sg_dims_count(sa));
            return true;
        }
        break;
    default:
        break;
    }
    bool division = step->op == SG_OP_DIV && sg_link_is_scalar(sb);
    if (!step->dot && !division && !(sg_link_is_scalar(sa) && sg_link_is_scalar(sb)))
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "%s and %s: this operator takes numbers; write it with a dot to apply "
                             "it to each element",
                             sg_dims_text(sa, text), sg_dims_text(sb, text2));
    return link_broadcast(l, step, a, b);
}

static bool link_copy(sg_linker *l, const sg_step *step)
{
    uint32_t a = sg_link_operand(l, step, 0);
    sg_dims shape = sg_link_shape(l, a);
    const sg_reg_info *info = &l->program->regs.data[step->dst];
    if (info->kind == SG_REG_TEMP && !l->placed[step->dst] && step->is_fixed)
        return sg_link_alias(l, step, shape, sg_link_at(l, a));
    // A number fills the array that is waiting for it only if it is the literal zero.
    bool fill = l->placed[step->dst] && sg_link_is_scalar(shape) && sg_link_is_zero(l, a);
    if (!fill && !sg_link_result(l, shape))
        return false;
    uint32_t n = sg_dims_count(sg_link_shape(l, step->dst));
    sg_link_copy(l, sg_link_result_at(l, step), sg_link_at(l, a), n, fill && n > 1);
    return true;
}

// Where conditions are known when linking, as at the ends of a rod, the values stand in rows of one
// branch or the other.
static bool choose_rows(sg_linker *l, const sg_step *step, uint32_t condition, uint32_t n)
{
    const double *truth = l->w.data + sg_link_at(l, condition);
    uint32_t rows = 1;
    for (uint32_t i = 1; i < n; i++)
        rows += truth[i] != truth[i - 1];
    if (n / SG_LONG_ROW < rows)
        return false;
    for (uint32_t i = 0, next; i < n; i = next) {
        next = i + 1;
        while (next < n && l->w.data[sg_link_at(l, condition) + next] ==
                               l->w.data[sg_link_at(l, condition) + i])
            next++;
        uint32_t r =
            sg_link_operand(l, step, l->w.data[sg_link_at(l, condition) + i] != 0.0 ? 1 : 2);
        bool same = sg_link_is_scalar(sg_link_shape(l, r));
        sg_link_copy(l, sg_link_result_at(l, step) + i, sg_link_at(l, r) + (same ? 0 : i), next - i,
                     same);
    }
    return true;
}

static bool link_select(sg_linker *l, const sg_step *step)
{
    uint32_t c = sg_link_operand(l, step, 0), yes = sg_link_operand(l, step, 1),
             no = sg_link_operand(l, step, 2);
    sg_dims sc = sg_link_shape(l, c), sy = sg_link_shape(l, yes), sn = sg_link_shape(l, no);
    char text[32], text2[32];
    sg_dims shape = sg_link_is_zero(l, yes) ? sn : sy;
    bool fits = (sy.dims == sn.dims && sg_link_same_size(sy, sn)) || sg_link_is_zero(l, yes) ||
                sg_link_is_zero(l, no) || !sg_link_is_scalar(sc);
    if (!fits)
        return sg_link_error(l, SG_E_EQ_SHAPE, "the branches of the condition are %s and %s",
                             sg_dims_text(sy, text), sg_dims_text(sn, text2));
    if (!sg_link_is_scalar(sc)) {
        shape = sc;
        if ((!sg_link_is_scalar(sy) && !sg_link_same_size(sy, sc)) ||
            (!sg_link_is_scalar(sn) && !sg_link_same_size(sn, sc)))
            return sg_link_error(l, SG_E_EQ_SHAPE, "the branches do not fit the condition");
    }
    shape.num = sy.num == sn.num ? sy.num : SG_REAL;
    if (!sg_link_result(l, shape))
        return false;
    bool scalar = sg_link_is_scalar(shape);
    if (!scalar && !sg_link_is_scalar(sc) && sg_link_is_fixed(l, c) &&
        choose_rows(l, step, c, sg_dims_count(shape)))
        return true;
    sg_link_emit(l, (sg_linked){.form = scalar ? SG_L_SELECT : SG_LV_SELECT,
                                .sa = !sg_link_is_scalar(sc),
                                .sb = !sg_link_is_scalar(sy),
                                .sc = !sg_link_is_scalar(sn),
                                .dst = sg_link_result_at(l, step),
                                .a = sg_link_at(l, c),
                                .b = sg_link_at(l, yes),
                                .c = sg_link_at(l, no),
                                .n = sg_dims_count(shape)});
    return true;
}

// A size must be known when the segment starts.
static bool size_value(sg_linker *l, uint32_t r, uint32_t *size)
{
    if (!sg_link_is_scalar(sg_link_shape(l, r)))
        return sg_link_error(l, SG_E_EQ_SHAPE, "a size must be a number");
    if (!sg_link_is_fixed(l, r))
        return sg_link_error(l, SG_E_EQ_SIZE,
                             "this size depends on values that change while the "
                             "simulation runs; it may depend on parameters only");
    double x = sg_link_value(l, r);
    if (!(x >= 0.0 && x <= largest_array) || x != floor(x))
        return sg_link_error(l, SG_E_EQ_SIZE, "%g is not a size", x);
    *size = (uint32_t)x;
    return true;
}

static bool link_filled(sg_linker *l, const sg_step *step, uint32_t first)
{
    sg_dims shape = {SG_REAL, SG_VECTOR, 0, 1};
    if (!size_value(l, sg_link_operand(l, step, first), &shape.rows))
        return false;
    if (step->n_operands > first + 1) {
        shape.dims = SG_MATRIX;
        if (!size_value(l, sg_link_operand(l, step, first + 1), &shape.cols))
            return false;
    }
    if ((double)shape.rows * shape.cols > largest_array)
        return sg_link_error(l, SG_E_EQ_SIZE, "an array of %u x %u elements is too large",
                             shape.rows, shape.cols);
    return sg_link_wide(l, step, shape);
}

static bool link_range(sg_linker *l, const sg_step *step)
{
    bool has_step = step->n_operands == 3;
    uint32_t first = sg_link_operand(l, step, 0), last = sg_link_operand(l, step, has_step ? 2 : 1);
    if (!sg_link_is_fixed(l, step->dst))
        return sg_link_error(l, SG_E_EQ_SIZE,
                             "the limits of a range may depend on parameters and sizes only");
    double a = sg_link_value(l, first), b = sg_link_value(l, last);
    double by = has_step ? sg_link_value(l, sg_link_operand(l, step, 1)) : 1.0;
    double n = floor((b - a) / by * (1.0 + 4e-16)) + 1.0;
    if (!(n <= largest_array))
        return sg_link_error(l, SG_E_EQ_SIZE, "the range %g:%g:%g has no sensible length", a, by,
                             b);
    sg_dims shape = sg_dims_vector(n > 0.0 ? (uint32_t)n : 0);
    shape.num = a == floor(a) && by == floor(by) ? SG_WHOLE : SG_REAL;
    return sg_link_wide(l, step, shape);
}

static bool link_size(sg_linker *l, const sg_step *step)
{
    sg_dims s = sg_link_shape(l, sg_link_operand(l, step, 0));
    uint32_t dimension = step->aux, value;
    if (step->op == SG_OP_SIZE_AT) {
        if (!size_value(l, sg_link_operand(l, step, 1), &dimension))
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
    l->w.data[sg_link_result_at(l, step)] = value;
    return true;
}

// [a, b, c] of numbers.
static bool link_vect(sg_linker *l, const sg_step *step)
{
    sg_dims shape = sg_dims_vector(step->n_operands);
    char text[32];
    bool whole = step->n_operands > 0;
    for (uint32_t k = 0; k < step->n_operands; k++) {
        sg_dims s = sg_link_shape(l, sg_link_operand(l, step, k));
        whole &= s.num == SG_WHOLE;
        if (!sg_link_is_scalar(s))
            return sg_link_error(l, SG_E_EQ_SHAPE,
                                 "element %u of the vector is %s; write [a; b] to join arrays",
                                 k + 1, sg_dims_text(s, text));
    }
    shape.num = whole ? SG_WHOLE : SG_REAL;
    if (!sg_link_result(l, shape))
        return false;
    for (uint32_t k = 0; k < step->n_operands; k++)
        sg_link_copy(l, sg_link_result_at(l, step) + k, sg_link_at(l, sg_link_operand(l, step, k)),
                     1, false);
    return true;
}

// Operands one after the other.
static bool link_row_of_copies(sg_linker *l, const sg_step *step, sg_dims shape)
{
    if (!sg_link_result(l, shape))
        return false;
    uint32_t to = sg_link_result_at(l, step);
    for (uint32_t k = 0; k < step->n_operands; k++) {
        uint32_t r = sg_link_operand(l, step, k), n = sg_dims_count(sg_link_shape(l, r));
        if (n)
            sg_link_copy(l, to, sg_link_at(l, r), n, false);
        to += n;
    }
    return true;
}

static bool link_vcat(sg_linker *l, const sg_step *step)
{
    sg_dims shape = sg_dims_vector(0);
    char text[32], text2[32];
    sg_dims first = sg_link_shape(l, sg_link_operand(l, step, 0));
    shape.cols = first.cols;
    for (uint32_t k = 0; k < step->n_operands; k++) {
        sg_dims s = sg_link_shape(l, sg_link_operand(l, step, k));
        if (s.cols != shape.cols)
            return sg_link_error(l, SG_E_EQ_SHAPE, "%s below %s: the numbers of columns differ",
                                 sg_dims_text(s, text), sg_dims_text(first, text2));
        shape.rows += s.rows;
        if (s.dims == SG_MATRIX || s.dims == SG_ROW)
            shape.dims = SG_MATRIX;
    }
    if (shape.dims == SG_MATRIX)
        return sg_link_wide(l, step, shape);
    return link_row_of_copies(l, step, shape);
}

// Columns lie one after the other, so this is always a run of copies.
static bool link_hcat(sg_linker *l, const sg_step *step)
{
    sg_dims first = sg_link_shape(l, sg_link_operand(l, step, 0));
    sg_dims shape = sg_dims_matrix(first.rows, 0);
    char text[32], text2[32];
    for (uint32_t k = 0; k < step->n_operands; k++) {
        sg_dims s = sg_link_shape(l, sg_link_operand(l, step, k));
        if (s.rows != shape.rows)
            return sg_link_error(l, SG_E_EQ_SHAPE, "%s beside %s: the numbers of rows differ",
                                 sg_dims_text(s, text), sg_dims_text(first, text2));
        shape.cols += s.cols;
    }
    return link_row_of_copies(l, step, shape);
}

static bool link_transpose(sg_linker *l, const sg_step *step)
{
    uint32_t a = sg_link_operand(l, step, 0);
    sg_dims s = sg_link_shape(l, a), shape = {s.num, s.dims, s.cols, s.rows};
    if (s.dims == SG_VECTOR)
        shape.dims = SG_ROW;
    else if (s.dims == SG_ROW)
        shape.dims = SG_VECTOR;
    if (s.rows == 1 || s.cols == 1)
        return sg_link_alias(l, step, shape, sg_link_at(l, a));
    return sg_link_wide(l, step, shape);
}

static bool link_reduction(sg_linker *l, const sg_step *step)
{
    sg_dims a = sg_link_shape(l, sg_link_operand(l, step, 0));
    char text[32], text2[32];
    if (step->op == SG_OP_DOT) {
        sg_dims b = sg_link_shape(l, sg_link_operand(l, step, 1));
        if (sg_dims_count(a) != sg_dims_count(b))
            return sg_link_error(l, SG_E_EQ_SHAPE, "dot of %s and %s", sg_dims_text(a, text),
                                 sg_dims_text(b, text2));
    }
    if ((step->op == SG_OP_MAXIMUM || step->op == SG_OP_MINIMUM) && sg_dims_count(a) == 0)
        return sg_link_error(l, SG_E_EQ_SHAPE, "the extreme of an empty array");
    return sg_link_wide(l, step, sg_dims_scalar(SG_REAL));
}

static bool link_cross(sg_linker *l, const sg_step *step)
{
    sg_dims a = sg_link_shape(l, sg_link_operand(l, step, 0)),
            b = sg_link_shape(l, sg_link_operand(l, step, 1));
    if (sg_dims_count(a) != 3 || sg_dims_count(b) != 3)
        return sg_link_error(l, SG_E_EQ_SHAPE, "cross takes two vectors of three elements");
    return sg_link_wide(l, step, sg_dims_vector(3));
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
        uint32_t r = sg_link_operand(l, step, step->n_results + k);
        args[k] = (sg_operand){sg_link_shape(l, r), l->w.data + sg_link_at(l, r)};
    }
    for (uint32_t k = 0; k < step->n_results; k++)
        shapes[k] = sg_dims_scalar(SG_REAL);
    sg_extern_call call = {.args = args,
                           .n_args = n_args,
                           .n_results = step->n_results,
                           .time = l->w.data[l->exec->at.time],
                           .events = l->exec->events,
                           .eq = step->eq};
    if (function->shapes && function->shapes(function->context, &call, shapes) != SG_OK)
        return sg_link_error(l, SG_E_EQ_CALL, "function '%s' failed while its result was examined",
                             name);
    for (uint32_t k = 0; k < step->n_results; k++) {
        uint32_t r = sg_link_operand(l, step, k);
        l->exec->shapes[r] = shapes[k];
        l->exec->offsets[r] = sg_link_room(l, sg_dims_count(shapes[k]));
        l->placed[r] = true;
    }
    return add_wide(l, step, SG_L_CALL) != NULL;
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
        return sg_link_wide(l, step, sg_link_shape(l, sg_link_operand(l, step, 0)));
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
        return sg_link_index(l, step);
    case SG_OP_SETINDEX:
        return sg_link_replace(l, step);
    case SG_OP_ONLY:
        return sg_link_only(l, step);
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
        return sg_link_result(l, sg_link_shape(l, sg_link_operand(l, step, 0)));
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
        uint32_t n = sg_dims_count(sg_link_shape(l, sg_link_operand(l, step, 0)));
        return sg_link_wide(l, step, sg_dims_matrix(n, n));
    }
    case SG_OP_SAMPLE:
    case SG_OP_HOLD:
    case SG_OP_PREVIOUS:
    case SG_OP_PRE:
    case SG_OP_EDGE:
    case SG_OP_CHANGE:
        return sg_link_memory(l, step);
    case SG_OP_SET_PRE:
    case SG_OP_SET_PREVIOUS:
    case SG_OP_SET_DELAY:
        return sg_link_store(l, step);
    case SG_OP_DELAY:
        return sg_link_delay(l, step);
    case SG_OP_REINIT:
        return sg_link_reinit(l, step);
    case SG_OP_HELD_SIGN:
    case SG_OP_HELD_FLOOR:
    case SG_OP_HELD_CEIL:
    case SG_OP_HELD_ROUND:
    case SG_OP_HELD_TRUNC:
        return sg_link_level(l, step);
    default:
        return sg_link_condition(l, step);
    }
}
