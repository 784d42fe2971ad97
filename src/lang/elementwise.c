// Operators on arrays, element by element, and broadcasting.
//
// Arrays of floats with or without a unit take a loop over plain numbers; the unit of the result
// is found once. All other cases go through the scalar operators.
#include "lang/runtime.h"

#include <string.h>

bool sg_is_sequence(sg_value v) { return sg_is(v, SG_OBJ_ARRAY) || sg_is(v, SG_OBJ_RANGE); }

sg_array *sg_as_array(sg_vm *vm, sg_value value)
{
    if (sg_is(value, SG_OBJ_ARRAY))
        return (sg_array *)value.o;
    if (sg_is(value, SG_OBJ_RANGE)) {
        const sg_range *range = (const sg_range *)value.o;
        bool integer = range->start.tag == SG_INT || range->start.tag == SG_QTY_INT;
        bool any = range->start.tag == SG_CHAR;
        sg_array *array = sg_vector_make(vm,
                                         any       ? SG_ELEM_ANY
                                         : integer ? SG_ELEM_INT
                                                   : SG_ELEM_FLOAT,
                                         (size_t)range->len);
        if (!array)
            return NULL;
        if (!any)
            array->unit = sg_quantity_unit(range->start);
        for (size_t i = 0; i < array->len; i++)
            sg_array_store(array, i, sg_range_get(range, i));
        return array;
    }
    if (sg_is(value, SG_OBJ_TUPLE) || sg_is(value, SG_OBJ_NAMED_TUPLE) ||
        sg_is(value, SG_OBJ_PAIR)) {
        const sg_tuple *tuple = (const sg_tuple *)value.o;
        return sg_array_from_values(vm, tuple->items, tuple->n);
    }
    sg_buf text;
    sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0}, "expected an array, found %s",
             sg_type_text(vm, value, &text));
    sg_buf_free(&text);
    return NULL;
}

sg_array *sg_array_clone(sg_vm *vm, const sg_array *array)
{
    sg_array *copy = sg_array_make(vm, (sg_elem)array->elem, array->ndims, array->dims);
    if (!copy)
        return NULL;
    copy->unit = array->unit;
    copy->eltype = array->eltype;
    copy->head.flags = (uint16_t)(array->head.flags & ~SG_ARRAY_SHARED);
    if (array->len)
        memcpy(copy->data, array->data, array->len * sg_elem_size((sg_elem)array->elem));
    return copy;
}

sg_array *sg_float_copy(sg_vm *vm, const sg_array *array)
{
    sg_array *copy = sg_array_make(vm, SG_ELEM_FLOAT, array->ndims, array->dims);
    if (!copy)
        return NULL;
    copy->unit = array->unit;
    copy->head.flags = (uint16_t)(array->head.flags & SG_ARRAY_STATIC);
    for (size_t i = 0; i < array->len; i++) {
        sg_value v = sg_array_get(array, i);
        if (array->elem == SG_ELEM_ANY && !sg_is_plain_number(v)) {
            sg_buf text;
            sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0},
                     "expected an array of numbers, one element is %s", sg_type_text(vm, v, &text));
            sg_buf_free(&text);
            return NULL;
        }
        copy->f[i] = sg_quantity_number(v);
    }
    return copy;
}

sg_array *sg_array_narrow(sg_vm *vm, sg_array *array)
{
    if (array->elem != SG_ELEM_ANY || array->eltype || !array->len)
        return array;
    sg_array *narrow = sg_array_from_values(vm, array->v, array->len);
    if (!narrow)
        return NULL;
    narrow->ndims = array->ndims;
    memcpy(narrow->dims, array->dims, sizeof narrow->dims);
    narrow->head.flags |= array->head.flags & SG_ARRAY_STATIC;
    return narrow;
}

sg_status sg_array_negate(sg_vm *vm, const sg_array *array, sg_value *out)
{
    if (array->elem == SG_ELEM_ANY || array->elem == SG_ELEM_BOOL)
        return sg_array_binary(vm, SG_OPER_MUL, sg_int(-1), sg_object((void *)(uintptr_t)array),
                               true, out);
    sg_array *result = sg_array_clone(vm, array);
    if (!result)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < result->len; i++) {
        if (result->elem == SG_ELEM_FLOAT)
            result->f[i] = -result->f[i];
        else
            result->n[i] = (int64_t)(0 - (uint64_t)result->n[i]);
    }
    *out = sg_object(result);
    return SG_OK;
}

// ---- shapes -------------------------------------------------------------------------------------

typedef struct array_shape {
    uint32_t ndims; // 0 for a scalar
    size_t dims[SG_MAX_DIMS];
} array_shape;

static array_shape shape_of(sg_value v)
{
    array_shape s = {0};
    if (sg_is(v, SG_OBJ_ARRAY)) {
        const sg_array *array = (const sg_array *)v.o;
        s.ndims = array->ndims;
        memcpy(s.dims, array->dims, sizeof s.dims);
    } else if (sg_is(v, SG_OBJ_RANGE)) {
        s.ndims = 1;
        s.dims[0] = (size_t)((const sg_range *)v.o)->len;
    } else if (sg_is(v, SG_OBJ_TUPLE)) {
        s.ndims = 1;
        s.dims[0] = ((const sg_tuple *)v.o)->n;
    }
    return s;
}

static void print_shape(const array_shape *s, sg_buf *out)
{
    for (uint32_t i = 0; i < s->ndims; i++)
        sg_buf_printf(out, "%s%zu", i ? "x" : "", s->dims[i]);
    if (s->ndims == 1)
        sg_buf_puts(out, " elements");
}

static sg_status raise_shapes(sg_vm *vm, const array_shape *a, const array_shape *b)
{
    sg_buf ta, tb;
    sg_buf_init(&ta, vm->allocator);
    sg_buf_init(&tb, vm->allocator);
    print_shape(a, &ta);
    print_shape(b, &tb);
    sg_status status =
        sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, (sg_span){0},
                 "sizes of arrays do not match: %s and %s", sg_buf_text(&ta), sg_buf_text(&tb));
    sg_buf_free(&ta);
    sg_buf_free(&tb);
    return status;
}

// Extends `into` so that it covers `s`: length 1 fits any length.
static bool merge_shape(array_shape *into, const array_shape *s)
{
    for (uint32_t i = 0; i < s->ndims; i++) {
        if (i >= into->ndims) {
            into->dims[i] = s->dims[i];
            into->ndims = i + 1;
        } else if (into->dims[i] == 1) {
            into->dims[i] = s->dims[i];
        } else if (s->dims[i] != into->dims[i] && s->dims[i] != 1) {
            return false;
        }
    }
    return true;
}

// Where element `linear` of the result is in an operand.
static size_t element_at(const array_shape *result, const array_shape *s, size_t linear)
{
    if (!s->ndims)
        return 0;
    size_t at = 0, stride = 1;
    for (uint32_t i = 0; i < result->ndims; i++) {
        size_t k = linear % result->dims[i];
        linear /= result->dims[i];
        if (i >= s->ndims)
            continue;
        at += (s->dims[i] == 1 ? 0 : k) * stride;
        stride *= s->dims[i];
    }
    return at;
}

// A 1x1 matrix and a vector of one have the same shape: further dimensions of one do not count.
static bool same_shape(const array_shape *a, const array_shape *b)
{
    uint32_t most = a->ndims > b->ndims ? a->ndims : b->ndims;
    for (uint32_t i = 0; i < most; i++)
        if ((i < a->ndims ? a->dims[i] : 1) != (i < b->ndims ? b->dims[i] : 1))
            return false;
    return (a->ndims == 0) == (b->ndims == 0);
}

static sg_value element(sg_value v, size_t i)
{
    if (v.tag != SG_OBJECT)
        return v;
    if (v.o->kind == SG_OBJ_ARRAY)
        return sg_array_get((const sg_array *)v.o, i);
    if (v.o->kind == SG_OBJ_RANGE)
        return sg_range_get((const sg_range *)v.o, i);
    if (v.o->kind == SG_OBJ_TUPLE)
        return ((const sg_tuple *)v.o)->items[i];
    return v;
}

// ---- the fast loop ------------------------------------------------------------------------------

static void float_loop(sg_operator op, size_t n, const double *a, size_t da, const double *b,
                       size_t db, double *out)
{
    for (size_t i = 0; i < n; i++, a += da, b += db) {
        switch ((int)op) {
        case SG_OPER_ADD:
            out[i] = *a + *b;
            break;
        case SG_OPER_SUB:
            out[i] = *a - *b;
            break;
        case SG_OPER_MUL:
            out[i] = *a * *b;
            break;
        default:
            out[i] = *a / *b;
            break;
        }
    }
}

// Both operands are plain float arrays of one shape, or one is a float scalar.
static bool fast_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b,
                        const array_shape *result, sg_value *out, sg_status *status)
{
    if (op > SG_OPER_DIV)
        return false;
    sg_value both[2] = {a, b};
    const double *data[2];
    double scalar[2];
    size_t step[2];
    uint32_t unit[2], flags = 0;
    for (int i = 0; i < 2; i++) {
        sg_value v = both[i];
        if (sg_is(v, SG_OBJ_ARRAY)) {
            const sg_array *array = (const sg_array *)v.o;
            array_shape s = shape_of(v);
            if (array->elem != SG_ELEM_FLOAT || array->head.flags & SG_ARRAY_FLOAT32 ||
                !same_shape(&s, result))
                return false;
            data[i] = array->f;
            step[i] = 1;
            unit[i] = array->unit;
            flags |= array->head.flags & SG_ARRAY_STATIC;
        } else if (v.tag == SG_FLOAT || v.tag == SG_QTY || v.tag == SG_INT || v.tag == SG_QTY_INT) {
            scalar[i] = sg_quantity_number(v);
            data[i] = &scalar[i];
            step[i] = 0;
            unit[i] = sg_quantity_unit(v);
        } else {
            return false;
        }
    }
    sg_unit_rule rule = {0, 1, 1};
    if (unit[0] || unit[1]) {
        *status = sg_quantity_rule(vm, sg_runtime_of(vm)->units, op, unit[0], unit[1], &rule);
        if (*status != SG_OK)
            return true;
        if (rule.scale_a != 1 || rule.scale_b != 1)
            return false;
    }
    sg_array *array = sg_array_make(vm, SG_ELEM_FLOAT, result->ndims, result->dims);
    *status = array ? SG_OK : SG_ERR_MEMORY;
    if (!array)
        return true;
    array->unit = rule.unit;
    array->head.flags = (uint16_t)flags;
    float_loop(op, array->len, data[0], step[0], data[1], step[1], array->f);
    *out = sg_object(array);
    return true;
}

static bool has_static(sg_value v)
{
    return sg_is(v, SG_OBJ_ARRAY) && v.o->flags & SG_ARRAY_STATIC;
}

static sg_status elementwise(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out)
{
    array_shape sa = shape_of(a), sb = shape_of(b), result = sa;
    if (!merge_shape(&result, &sb))
        return raise_shapes(vm, &sa, &sb);
    sg_status status = SG_OK;
    if (fast_binary(vm, op, a, b, &result, out, &status))
        return status;
    sg_array *array = sg_array_make(vm, SG_ELEM_ANY, result.ndims, result.dims);
    if (!array)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(array));
    bool plain_a = same_shape(&sa, &result), plain_b = same_shape(&sb, &result);
    for (size_t i = 0; i < array->len && status == SG_OK; i++) {
        sg_value x = element(a, plain_a ? i : element_at(&result, &sa, i));
        sg_value y = element(b, plain_b ? i : element_at(&result, &sb, i));
        status = sg_binary(vm, op, x, y, &array->v[i]);
        if (status == SG_OK)
            status = sg_vm_worked(vm, 1);
    }
    sg_root_pop(vm, mark);
    if (status != SG_OK)
        return status;
    array->head.flags |= has_static(a) || has_static(b) ? SG_ARRAY_STATIC : 0;
    *out = sg_object(sg_array_narrow(vm, array));
    return SG_OK;
}

sg_status sg_array_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, bool dotted,
                          sg_value *out)
{
    bool array_a = sg_is_sequence(a), array_b = sg_is_sequence(b);
    if (dotted)
        return elementwise(vm, op, a, b, out);
    bool scalar_a = sg_is_plain_number(a) || sg_is_quantity(a);
    bool scalar_b = sg_is_plain_number(b) || sg_is_quantity(b);
    bool both = array_a && array_b;
    if (both && (op == SG_OPER_ADD || op == SG_OPER_SUB)) {
        array_shape sa = shape_of(a), sb = shape_of(b);
        return same_shape(&sa, &sb) ? elementwise(vm, op, a, b, out) : raise_shapes(vm, &sa, &sb);
    }
    if ((op == SG_OPER_MUL && ((array_a && scalar_b) || (scalar_a && array_b))) ||
        (op == SG_OPER_DIV && array_a && scalar_b) || (op == SG_OPER_LDIV && scalar_a && array_b) ||
        op == SG_OPER_PM || op == SG_OPER_MP)
        return elementwise(vm, op, a, b, out);
    if (both && (op == SG_OPER_MUL || op == SG_OPER_LDIV || op == SG_OPER_DIV)) {
        sg_array *x = sg_as_array(vm, a), *y = x ? sg_as_array(vm, b) : NULL;
        if (!y)
            return SG_ERR_MEMORY;
        if (op == SG_OPER_MUL)
            return sg_matrix_multiply(vm, x, y, out);
        if (op == SG_OPER_LDIV)
            return sg_matrix_divide(vm, x, y, out);
        // x / y is (y' \ x')'
        sg_value tx, ty, solved;
        sg_status status = sg_matrix_adjoint(vm, sg_object(x), &tx);
        if (status == SG_OK)
            status = sg_matrix_adjoint(vm, sg_object(y), &ty);
        if (status == SG_OK)
            status = sg_matrix_divide(vm, (sg_array *)ty.o, (sg_array *)tx.o, &solved);
        return status == SG_OK ? sg_matrix_adjoint(vm, solved, out) : status;
    }
    if (op == SG_OPER_POW && array_a && b.tag == SG_INT)
        return sg_matrix_power(vm, sg_as_array(vm, a), b.i, out);
    if (op >= SG_OPER_LT && op <= SG_OPER_GE && both) {
        // Lexicographic order, as for tuples.
        sg_array *x = sg_as_array(vm, a), *y = x ? sg_as_array(vm, b) : NULL;
        if (!y)
            return SG_ERR_MEMORY;
        sg_status status = SG_OK;
        size_t n = x->len < y->len ? x->len : y->len, i = 0;
        for (bool same = true; i < n && same; i += same)
            if (sg_value_equal(vm, sg_array_get(x, i), sg_array_get(y, i), true, &same) != SG_OK)
                return SG_ERR_MODEL;
        if (i < n)
            return sg_binary(vm, op, sg_array_get(x, i), sg_array_get(y, i), out);
        status = sg_binary(vm, op, sg_int((int64_t)x->len), sg_int((int64_t)y->len), out);
        return status;
    }
    if ((scalar_a || scalar_b) && (op == SG_OPER_ADD || op == SG_OPER_SUB))
        return sg_raise(vm, "MethodError", SG_E_METHOD, (sg_span){0},
                        "an array and a number cannot be combined by '%s'; write '.%s' to do it "
                        "for each element",
                        sg_operator_text(op), sg_operator_text(op));
    return sg_raise_operands(vm, op, a, b);
}

// ---- f.(x, y) -----------------------------------------------------------------------------------

// The operator that a function value stands for, or SG_OPER_COUNT.
static sg_operator operator_of(const sg_vm *vm, sg_value function, uint32_t n)
{
    for (int i = 0; i < SG_OPER_COUNT; i++)
        if (n == 2 && i < SG_OPER_NEG && vm->operators[i] && function.o == &vm->operators[i]->head)
            return (sg_operator)i;
    return SG_OPER_COUNT;
}

static bool spreads(sg_value v)
{
    return sg_is(v, SG_OBJ_ARRAY) || sg_is(v, SG_OBJ_RANGE) || sg_is(v, SG_OBJ_TUPLE);
}

sg_status sg_broadcast(sg_vm *vm, sg_value function, const sg_args *args, sg_value *out)
{
    enum { MOST = 16 };
    sg_value items[MOST], values[MOST];
    array_shape shapes[MOST], result = {0};
    if (args->n > MOST)
        return sg_raise(vm, "ArgumentError", SG_E_LIMIT, args->span, "too many arguments");
    bool any = false, all_tuples = true, is_static = false;
    for (uint32_t i = 0; i < args->n; i++) {
        items[i] = args->v[i];
        // Ref(x) protects x from being spread.
        if (sg_is(items[i], SG_OBJ_STRUCT) && ((sg_struct *)items[i].o)->type == vm->types.Ref) {
            items[i] = ((sg_struct *)items[i].o)->fields[0];
            shapes[i] = (array_shape){0};
            continue;
        }
        shapes[i] = spreads(items[i]) ? shape_of(items[i]) : (array_shape){0};
        if (!shapes[i].ndims)
            continue;
        any = true;
        all_tuples = all_tuples && sg_is(items[i], SG_OBJ_TUPLE);
        is_static = is_static || has_static(items[i]);
        if (!merge_shape(&result, &shapes[i]))
            return raise_shapes(vm, &result, &shapes[i]);
    }
    if (!any)
        return sg_call(vm, function, args, out);
    sg_operator op =
        sg_is(function, SG_OBJ_FUNCTION) ? operator_of(vm, function, args->n) : SG_OPER_COUNT;
    if (op != SG_OPER_COUNT && !vm->operators[op]->n_methods && !all_tuples && shapes[0].ndims &&
        shapes[1].ndims && op <= SG_OPER_DIV)
        return elementwise(vm, op, items[0], items[1], out);
    sg_array *array = sg_array_make(vm, SG_ELEM_ANY, result.ndims, result.dims);
    if (!array)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(array));
    sg_args one = *args;
    one.v = values;
    sg_status status = SG_OK;
    for (size_t k = 0; k < array->len && status == SG_OK; k++) {
        for (uint32_t i = 0; i < args->n; i++)
            values[i] =
                shapes[i].ndims ? element(items[i], element_at(&result, &shapes[i], k)) : items[i];
        status = op != SG_OPER_COUNT && !vm->operators[op]->n_methods
                     ? sg_binary(vm, op, values[0], values[1], &array->v[k])
                     : sg_call(vm, function, &one, &array->v[k]);
        if (status == SG_OK)
            status = sg_vm_worked(vm, 1);
    }
    sg_root_pop(vm, mark);
    if (status != SG_OK)
        return status;
    if (all_tuples) {
        sg_tuple *tuple = sg_tuple_make(vm, (uint32_t)array->len);
        if (!tuple)
            return SG_ERR_MEMORY;
        if (array->len)
            memcpy(tuple->items, array->v, array->len * sizeof(sg_value));
        *out = sg_object(tuple);
        return SG_OK;
    }
    array->head.flags |= is_static ? SG_ARRAY_STATIC : 0;
    *out = sg_object(sg_array_narrow(vm, array));
    return SG_OK;
}
