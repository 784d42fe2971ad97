#include "model/literal.h"

#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "vm/vm.h"

#include <string.h>

enum { MAX_LITERAL = 4096 }; // rows and columns of an array that is written out as an expression

static const sg_expr_id none = {0};

// An array of numbers, written out.
static sg_expr_id convert_numbers(sg_instance *instance, const sg_flat_value *a)
{
    sg_exprs *exprs = &instance->flat.exprs;
    sg_arena_mark mark = sg_arena_mark_get(&instance->scratch);
    sg_expr_id *rows = SG_NEW_ARRAY(&instance->scratch, sg_expr_id, a->rows);
    sg_expr_id *row = SG_NEW_ARRAY(&instance->scratch, sg_expr_id, a->cols + 1);
    if (!rows || !row)
        exprs->failed = true;
    for (uint32_t i = 0; rows && row && i < a->rows; i++) {
        for (uint32_t j = 0; j < a->cols; j++)
            row[j] = sg_expr_num(exprs, a->numbers[i + (size_t)a->rows * j]);
        rows[i] = a->cols == 1 ? row[0] : sg_expr_make(exprs, SG_X_HCAT, row, a->cols);
    }
    sg_expr_id all = none;
    if (rows && row)
        all = sg_expr_make(exprs, a->cols == 1 ? SG_X_VECT : SG_X_VCAT, rows, a->rows);
    sg_arena_release(&instance->scratch, mark);
    return all;
}

sg_expr_id sg_convert_value(sg_instance *instance, sg_value value, sg_span span)
{
    sg_exprs *exprs = &instance->flat.exprs;
    sg_flat_value numbers;
    sg_sym unit;
    (void)span;
    if (value.tag == SG_BOOL)
        return sg_expr_bool(exprs, value.b);
    if (value.tag == SG_INT)
        return sg_expr_int(exprs, (double)value.i);
    if (sg_model_numbers(instance, value, &numbers, &unit)) {
        if (numbers.kind == SG_FLAT_NUMBER)
            return sg_expr_num(exprs, numbers.numbers[0]);
        if (numbers.kind == SG_FLAT_ARRAY && numbers.rows && numbers.rows < MAX_LITERAL &&
            numbers.cols < MAX_LITERAL)
            return convert_numbers(instance, &numbers);
    }
    sg_buf text;
    sg_buf_init(&text, instance->vm->allocator);
    sg_show_value(instance->vm, sg_runtime_of(instance->vm)->units, value, &text);
    sg_sym sym = sg_sym_intern(instance->vm->symbols, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    uint32_t handle = sg_instance_handle(instance, value);
    return sg_expr_const(exprs,
                         sg_flat_const_add(&instance->flat, sym, (void *)(uintptr_t)(handle + 1)));
}

static const struct {
    const char *name;
    sg_expr_op unary, binary, n_ary;
} operators[] = {
    {"+", SG_X_ADD, SG_X_ADD, SG_X_ADD},     {"-", SG_X_NEG, SG_X_SUB, SG_X_NULL},
    {"*", SG_X_NULL, SG_X_MUL, SG_X_MUL},    {"/", SG_X_NULL, SG_X_DIV, SG_X_NULL},
    {"\\", SG_X_NULL, SG_X_LDIV, SG_X_NULL}, {"^", SG_X_NULL, SG_X_POW, SG_X_NULL},
    {"<", SG_X_NULL, SG_X_LT, SG_X_NULL},    {"<=", SG_X_NULL, SG_X_LE, SG_X_NULL},
    {">", SG_X_NULL, SG_X_GT, SG_X_NULL},    {">=", SG_X_NULL, SG_X_GE, SG_X_NULL},
    {"==", SG_X_NULL, SG_X_EQ, SG_X_NULL},   {"!=", SG_X_NULL, SG_X_NE, SG_X_NULL},
    {"≤", SG_X_NULL, SG_X_LE, SG_X_NULL},    {"≥", SG_X_NULL, SG_X_GE, SG_X_NULL},
    {"≠", SG_X_NULL, SG_X_NE, SG_X_NULL},    {"!", SG_X_NOT, SG_X_NULL, SG_X_NULL},
    {"%", SG_X_NULL, SG_X_REM, SG_X_NULL},   {"÷", SG_X_NULL, SG_X_IDIV, SG_X_NULL},
};

static sg_expr_op find_operator(const char *name, uint32_t n)
{
    for (size_t i = 0; i < SG_COUNT(operators); i++)
        if (strcmp(operators[i].name, name) == 0)
            return n == 1 ? operators[i].unary : n == 2 ? operators[i].binary : operators[i].n_ary;
    return SG_X_NULL;
}

sg_expr_op sg_convert_operator(const char *name, uint32_t n)
{
    sg_expr_op op = find_operator(name, n);
    return op != SG_X_NULL ? op : sg_expr_op_by_name(name, n);
}
