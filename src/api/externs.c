#include "api/externs.h"

#include "lang/strip.h"

#include <string.h>

enum { MAX_ARGS = 64, MAX_RESULTS = 256 };

bool sg_opaques_init(sg_opaques *opaques, sg_vm *vm)
{
    *opaques = (sg_opaques){0};
    sg_map_init(&opaques->slot_of, vm->allocator);
    return SG_PUSH(vm->allocator, &opaques->values, SG_VALUE_NOTHING);
}

void sg_opaques_destroy(sg_opaques *opaques, sg_vm *vm)
{
    SG_VEC_FREE(vm->allocator, &opaques->values);
    sg_map_free(&opaques->slot_of);
}

void sg_opaques_mark(sg_opaques *opaques, sg_vm *vm)
{
    for (size_t i = 0; i < opaques->values.len; i++)
        sg_mark_value(vm, opaques->values.data[i]);
}

void sg_opaques_relink(sg_opaques *opaques) { sg_map_clear(&opaques->slot_of); }

uint32_t sg_opaques_add(sg_opaques *opaques, sg_vm *vm, sg_value value)
{
    if (!SG_PUSH(vm->allocator, &opaques->values, value))
        return 0;
    return (uint32_t)(opaques->values.len - 1);
}

// ---- to the script --------------------------------------------------------------------------

static bool operand_value(const sg_extern_function *f, const sg_operand *operand, sg_value *out)
{
    sg_shape shape = operand->shape;
    if (shape.dims == SG_SCALAR) {
        double number = operand->data[0];
        switch ((sg_num)shape.num) {
        case SG_REAL:
            *out = sg_float(number);
            return true;
        case SG_WHOLE:
            *out = sg_int((int64_t)number);
            return true;
        case SG_TRUTH:
            *out = sg_bool(number != 0.0);
            return true;
        case SG_OPAQUE:
            *out = f->opaques->values.data[(size_t)number];
            return true;
        }
    }
    size_t dims[2] = {shape.rows, shape.cols};
    bool whole = shape.num == SG_WHOLE;
    sg_array *array = sg_array_make(f->vm, whole ? SG_ELEM_INT : SG_ELEM_FLOAT,
                                    shape.dims == SG_VECTOR ? 1 : 2, dims);
    if (!array)
        return false;
    for (size_t i = 0; i < array->len; i++) {
        if (whole)
            array->n[i] = (int64_t)operand->data[i];
        else
            array->f[i] = operand->data[i];
    }
    *out = sg_object(array);
    return true;
}

// ---- back to the program --------------------------------------------------------------------

static sg_shape shape_of(sg_value value)
{
    switch ((int)value.tag) {
    case SG_BOOL:
        return sg_shape_scalar(SG_TRUTH);
    case SG_INT:
        return sg_shape_scalar(SG_WHOLE);
    case SG_FLOAT:
    case SG_FLOAT32:
    case SG_QTY:
    case SG_QTY_INT:
        return sg_shape_scalar(SG_REAL);
    default:
        break;
    }
    if (sg_is(value, SG_OBJ_ARRAY)) {
        const sg_array *array = (sg_array *)value.o;
        if (array->elem != SG_ELEM_ANY && array->ndims == 1)
            return sg_shape_vector((uint32_t)array->dims[0]);
        if (array->elem != SG_ELEM_ANY && array->ndims == 2)
            return sg_shape_matrix((uint32_t)array->dims[0], (uint32_t)array->dims[1]);
    }
    return sg_shape_scalar(SG_OPAQUE);
}

static bool same_shape(sg_shape a, sg_shape b) { return a.rows == b.rows && a.cols == b.cols; }

static bool store_opaque(const sg_extern_function *f, const sg_operand *result, sg_value value)
{
    // The place in the workspace; its address moves while the program is linked.
    uint64_t key = (uint64_t)(result->data - f->compiled->exec->w);
    uint64_t *slot = sg_map_get(&f->opaques->slot_of, key);
    if (!slot) {
        uint32_t index = sg_opaques_add(f->opaques, f->vm, value);
        if (!index || !sg_map_put(&f->opaques->slot_of, key, index))
            return false;
        result->data[0] = (double)index;
        return true;
    }
    f->opaques->values.data[*slot] = value;
    result->data[0] = (double)*slot;
    return true;
}

static sg_status wrong_shape(const sg_extern_function *f, sg_value value)
{
    sg_shape shape = shape_of(value);
    return sg_raise(f->vm, "DimensionMismatch", SG_E_FUNCTION, sg_vm_where(f->vm),
                    "function '%s' returned a value of %u x %u numbers; at the start it had "
                    "another size",
                    sg_vm_text(f->vm, f->name), shape.rows, shape.cols);
}

static sg_status store_result(const sg_extern_function *f, const sg_operand *result, sg_value value)
{
    if (result->shape.num == SG_OPAQUE)
        return store_opaque(f, result, value) ? SG_OK : SG_ERR_MEMORY;
    sg_status status = sg_strip_to_si(f->vm, value, &value);
    if (status != SG_OK)
        return status;
    if (!same_shape(shape_of(value), result->shape))
        return wrong_shape(f, value);
    uint32_t n = sg_shape_count(result->shape);
    for (uint32_t i = 0; i < n; i++) {
        sg_value item = sg_is(value, SG_OBJ_ARRAY) ? sg_array_get((sg_array *)value.o, i) : value;
        double number = item.tag == SG_INT ? (double)item.i : item.tag == SG_BOOL ? item.b : item.d;
        result->data[i] = f->single ? (double)(float)number : number;
    }
    return SG_OK;
}

// The k-th of n results: of a tuple, a vector, or the value itself.
static bool pick_result(sg_value value, uint32_t n, uint32_t k, sg_value *out)
{
    *out = value;
    if (n == 1)
        return true;
    if (sg_is(value, SG_OBJ_TUPLE) && k < ((sg_tuple *)value.o)->n) {
        *out = ((sg_tuple *)value.o)->items[k];
        return true;
    }
    if (sg_is(value, SG_OBJ_ARRAY) && k < ((sg_array *)value.o)->len) {
        *out = sg_array_get((sg_array *)value.o, k);
        return true;
    }
    return false;
}

static sg_status run(const sg_extern_function *f, const sg_extern_call *call, sg_value *out)
{
    sg_value args[MAX_ARGS];
    if (call->n_args > MAX_ARGS)
        return sg_raise(f->vm, "ArgumentError", SG_E_FUNCTION, sg_vm_where(f->vm),
                        "function '%s' is called with more than %d arguments in an equation",
                        sg_vm_text(f->vm, f->name), (int)MAX_ARGS);
    for (uint32_t i = 0; i < call->n_args; i++)
        if (!operand_value(f, &call->args[i], &args[i]))
            return SG_ERR_MEMORY;
    return sg_call_values(f->vm, f->function, args, call->n_args, out);
}

static sg_status too_few(const sg_extern_function *f, uint32_t n)
{
    return sg_raise(f->vm, "ArgumentError", SG_E_FUNCTION, sg_vm_where(f->vm),
                    "function '%s' must return %u values here", sg_vm_text(f->vm, f->name), n);
}

// What the function itself says comes before what the program says about the equation.
static sg_status report(const sg_extern_function *f, sg_status status)
{
    if (status != SG_OK && f->vm->exception.tag != SG_UNDEF)
        sg_report_exception(f->vm);
    return status;
}

static sg_status find_shapes(void *context, const sg_extern_call *call, sg_shape *results)
{
    const sg_extern_function *f = context;
    sg_value value, one;
    sg_status status = run(f, call, &value);
    for (uint32_t k = 0; status == SG_OK && k < call->n_results; k++) {
        if (pick_result(value, call->n_results, k, &one))
            results[k] = shape_of(one);
        else
            status = too_few(f, call->n_results);
    }
    return report(f, status);
}

static sg_status call_function(void *context, const sg_extern_call *call)
{
    const sg_extern_function *f = context;
    sg_value value, one;
    sg_status status = run(f, call, &value);
    for (uint32_t k = 0; status == SG_OK && k < call->n_results; k++) {
        if (pick_result(value, call->n_results, k, &one))
            status = store_result(f, &call->results[k], one);
        else
            status = too_few(f, call->n_results);
    }
    return report(f, status);
}

sg_extern sg_extern_make(sg_extern_function *function)
{
    return (sg_extern){.context = function, .shapes = find_shapes, .call = call_function};
}
