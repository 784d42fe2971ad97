// Functions that make and change arrays.
#include "builtins/subjects.h"

#include <math.h>
#include <string.h>

// Dimensions from arguments `first`..: integers, or one tuple of them.
static sg_status read_dims(sg_vm *vm, const sg_args *args, uint32_t first, size_t *dims,
                           uint32_t *n)
{
    *n = 0;
    sg_args inner = *args;
    if (args->n == first + 1 && sg_is(args->v[first], SG_OBJ_TUPLE)) {
        inner.v = ((sg_tuple *)args->v[first].o)->items;
        inner.n = ((sg_tuple *)args->v[first].o)->n;
        first = 0;
    }
    if (inner.n - first > SG_MAX_DIMS)
        return SG_RAISE_ARGUMENT(vm, args, "arrays have at most %d dimensions", SG_MAX_DIMS);
    for (uint32_t i = first; i < inner.n; i++) {
        int64_t d = 0;
        if (sg_arg_int(vm, &inner, i, &d) != SG_OK)
            return SG_ERR_MODEL;
        if (d < 0)
            return SG_RAISE_ARGUMENT(vm, args, "the size of an array cannot be negative: %lld",
                                     (long long)d);
        dims[(*n)++] = (size_t)d;
    }
    return SG_OK;
}

static sg_elem elem_of(const sg_vm *vm, const sg_type *type)
{
    if (type == vm->types.Float64 || type == vm->types.Float32)
        return SG_ELEM_FLOAT;
    if (sg_type_wide(type) == vm->types.Int64)
        return SG_ELEM_INT;
    return type == vm->types.Bool ? SG_ELEM_BOOL : SG_ELEM_ANY;
}

// zeros(T, dims...), ones(T, dims...); context is the number.
static sg_status native_zeros(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool one = context != NULL;
    size_t dims[SG_MAX_DIMS];
    uint32_t n, first = 0;
    const sg_type *type = vm->types.Float64;
    if (args->n && sg_is(args->v[0], SG_OBJ_TYPE)) {
        type = (const sg_type *)args->v[0].o;
        first = 1;
    }
    sg_status status = read_dims(vm, args, first, dims, &n);
    if (status != SG_OK)
        return status;
    if (!n) {
        *out = sg_type_wide(type) == vm->types.Int64 ? sg_int(one) : sg_float(one);
        return SG_OK;
    }
    sg_elem elem = elem_of(vm, type);
    if (elem == SG_ELEM_ANY)
        elem = SG_ELEM_FLOAT; // other number types are stripped of what Segue does not have
    sg_array *array = sg_array_make(vm, elem, n, dims);
    if (!array)
        return SG_ERR_MEMORY;
    if (type == vm->types.Float32)
        array->head.flags |= SG_ARRAY_FLOAT32;
    for (size_t i = 0; one && i < array->len; i++)
        sg_array_store(array, i, sg_int(1));
    *out = sg_object(array);
    return SG_OK;
}

// The zero or one of a number's kind; the one of a quantity has no unit.
static bool neutral(sg_value v, bool one, sg_value *out)
{
    *out = v;
    switch ((int)v.tag) {
    case SG_BOOL:
        *out = sg_bool(one);
        return true;
    case SG_INT:
        *out = sg_int(one);
        return true;
    case SG_FLOAT:
    case SG_FLOAT32:
        out->d = one;
        return true;
    case SG_QTY_INT:
        *out = one ? sg_int(1) : (sg_value){.tag = SG_QTY_INT, .aux = v.aux, .i = 0};
        return true;
    case SG_QTY:
        *out = one ? sg_float(1.0) : sg_quantity_make(0.0, v.aux);
        return true;
    default:
        return false;
    }
}

// zero(x) and one(x) of a number or a type, zero(x) of an array.
static sg_status native_zero(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool one = context != NULL;
    if (sg_args_check_count(vm, args, one ? "one" : "zero", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (sg_is(v, SG_OBJ_TYPE))
        return native_zeros(vm, args, context, out);
    if (neutral(v, one, out))
        return SG_OK;
    if (one || !sg_is(v, SG_OBJ_ARRAY))
        return SG_RAISE_ARGUMENT(vm, args, "%s needs a number or a type of numbers%s",
                                 one ? "one" : "zero", one ? "" : ", or an array of them");
    const sg_array *array = (const sg_array *)v.o;
    sg_array *any = sg_array_make(vm, SG_ELEM_ANY, array->ndims, array->dims);
    if (!any)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < array->len; i++)
        if (!neutral(sg_array_get(array, i), false, &any->v[i]))
            return SG_RAISE_ARGUMENT(vm, args, "zero needs an array of numbers");
    if (!array->len && array->elem != SG_ELEM_ANY)
        any->elem = array->elem;
    *out = sg_object(sg_array_narrow(vm, any));
    return SG_OK;
}

static sg_status native_fill(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    size_t dims[SG_MAX_DIMS];
    uint32_t n = 0;
    if (sg_args_check_count(vm, args, "fill", 1, 1 + SG_MAX_DIMS) != SG_OK ||
        read_dims(vm, args, 1, dims, &n) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (!n) {
        dims[0] = 1;
        n = 1;
    }
    sg_array *one = sg_array_from_values(vm, &v, 1);
    sg_array *array = one ? sg_array_make(vm, (sg_elem)one->elem, n, dims) : NULL;
    if (!array)
        return SG_ERR_MEMORY;
    array->unit = one->unit;
    array->head.flags |= (uint16_t)(one->head.flags & SG_ARRAY_FLOAT32);
    for (size_t i = 0; i < array->len; i++)
        sg_array_store(array, i, v);
    *out = sg_object(array);
    return SG_OK;
}

static sg_status native_fill_in(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = NULL;
    if (sg_args_check_count(vm, args, "fill!", 2, 2) != SG_OK ||
        sg_arg_array(vm, args, 0, &array) != SG_OK)
        return SG_ERR_MODEL;
    sg_value colon = {.tag = SG_COLON};
    *out = args->v[0];
    return sg_index_set(vm, args->v[0], &colon, 1, args->v[1]);
}

static sg_status native_similar(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = NULL;
    if (sg_arg_array(vm, args, 0, &array) != SG_OK)
        return SG_ERR_MODEL;
    size_t dims[SG_MAX_DIMS];
    uint32_t n = array->ndims, first = 1;
    memcpy(dims, array->dims, sizeof dims);
    sg_elem elem = (sg_elem)array->elem;
    if (args->n > 1 && sg_is(args->v[1], SG_OBJ_TYPE)) {
        elem = elem_of(vm, (sg_type *)args->v[1].o);
        first = 2;
    }
    if (args->n > first && read_dims(vm, args, first, dims, &n) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *result = sg_array_make(vm, elem, n, dims);
    if (result)
        result->unit = elem == SG_ELEM_ANY ? 0 : array->unit;
    *out = sg_object(result);
    return SG_OK;
}

// Vector{T}(undef, n), Vector{T}(values), Array{T}(undef, m, n), Matrix(...)
static sg_status native_array_type(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_type *type = context;
    bool undef = args->n && args->v[0].tag == SG_SYMBOL &&
                 strcmp(sg_vm_text(vm, args->v[0].sym), "undef") == 0;
    if (!args->n || undef) {
        size_t dims[SG_MAX_DIMS] = {0};
        uint32_t n = 1;
        const sg_type *element = NULL;
        for (uint32_t i = 0; i < type->n_params; i++)
            if (sg_is(type->params[i], SG_OBJ_TYPE))
                element = (const sg_type *)type->params[i].o;
        if (undef && read_dims(vm, args, 1, dims, &n) != SG_OK)
            return SG_ERR_MODEL;
        sg_array *array =
            sg_array_make(vm, element ? elem_of(vm, element) : SG_ELEM_ANY, n ? n : 1, dims);
        if (!array)
            return SG_ERR_MEMORY;
        if (array->elem == SG_ELEM_ANY && element && element != vm->types.Any)
            array->eltype = (sg_type *)(uintptr_t)element;
        if (element == vm->types.Float32)
            array->head.flags |= SG_ARRAY_FLOAT32;
        *out = sg_object(array);
        return SG_OK;
    }
    if (sg_args_check_count(vm, args, sg_vm_text(vm, type->name), 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value source = args->v[0];
    if (!sg_is_sequence(source)) {
        sg_array *list = sg_collect(vm, source);
        if (!list)
            return SG_ERR_MODEL;
        source = sg_object(sg_array_narrow(vm, list));
    }
    sg_array *array = sg_as_array(vm, source);
    sg_array *copy = array ? sg_array_clone(vm, array) : NULL;
    if (!copy)
        return SG_ERR_MEMORY;
    copy->head.flags &= (uint16_t) ~(SG_ARRAY_STATIC | SG_ARRAY_ROW);
    return sg_convert(vm, type, sg_object(copy), out);
}

// SVector(a, b, c), SVector{3,Float64}(v), SMatrix{2,2}(m)
static sg_status native_static(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_type *type = context;
    sg_array *array = NULL;
    if (args->n == 1 && (sg_is_sequence(args->v[0]) || sg_is(args->v[0], SG_OBJ_TUPLE))) {
        array = sg_as_array(vm, args->v[0]);
        array = array ? sg_array_clone(vm, array) : NULL;
    } else {
        array = sg_array_from_values(vm, args->v, args->n);
    }
    if (!array)
        return SG_ERR_MODEL;
    array->head.flags &= (uint16_t)~SG_ARRAY_ROW;
    array->head.flags |= SG_ARRAY_STATIC;
    size_t dims[2] = {0, 0};
    uint32_t n_dims = 0;
    const sg_type *element = NULL;
    for (uint32_t i = 0; type && i < type->n_params; i++) {
        if (type->params[i].tag == SG_INT && n_dims < 2)
            dims[n_dims++] = (size_t)type->params[i].i;
        else if (sg_is(type->params[i], SG_OBJ_TYPE) && !((sg_type *)type->params[i].o)->is_var)
            element = (const sg_type *)type->params[i].o;
    }
    bool matrix =
        type && (type->generic == vm->types.SMatrix || type->generic == vm->types.MMatrix);
    if (n_dims && !matrix && array->len != dims[0])
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "a static vector of length %zu cannot be made of %zu values", dims[0],
                        array->len);
    if (matrix && n_dims == 2) {
        if (array->len != dims[0] * dims[1])
            return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                            "a static %zux%zu matrix cannot be made of %zu values", dims[0],
                            dims[1], array->len);
        array->ndims = 2;
        array->dims[0] = dims[0];
        array->dims[1] = dims[1];
    }
    *out = sg_object(array);
    if (!element)
        return SG_OK;
    sg_value param = sg_object((void *)(uintptr_t)element);
    sg_type *vector = sg_type_apply(vm, vm->types.Vector, &param, 1);
    array->head.flags &= (uint16_t)~SG_ARRAY_STATIC;
    uint8_t ndims = array->ndims;
    array->ndims = 1;
    size_t keep[2] = {array->dims[0], array->dims[1]};
    array->dims[0] = array->len;
    sg_status status = vector ? sg_convert(vm, vector, *out, out) : SG_ERR_MEMORY;
    if (status != SG_OK)
        return status;
    array = (sg_array *)out->o;
    array->ndims = ndims;
    array->dims[0] = keep[0];
    array->dims[1] = keep[1];
    array->head.flags |= SG_ARRAY_STATIC;
    return SG_OK;
}

static sg_status helper_static(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return native_static(vm, args, NULL, out);
}

// ---- ranges -------------------------------------------------------------------------------------

// range(a, b; length, step), range(a; stop, length, step), LinRange(a, b, n)
static sg_status native_range(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool lin = context != NULL;
    static const char *const keywords[] = {"start", "stop", "length", "step"};
    if (sg_args_check_count(vm, args, "range", 0, 3) != SG_OK ||
        sg_args_check_keywords(vm, args, "range", keywords, 4) != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *start = sg_args_find(vm, args, "start"), *stop = sg_args_find(vm, args, "stop");
    const sg_value *length = sg_args_find(vm, args, "length"),
                   *step = sg_args_find(vm, args, "step");
    if (args->n > 0)
        start = &args->v[0];
    if (args->n > 1)
        stop = &args->v[1];
    if (args->n > 2)
        length = &args->v[2];
    sg_value one = sg_int(1);
    if (!start)
        start = &one;
    if (stop && step && !length)
        return sg_range_build(vm, *start, *step, *stop, out);
    if (stop && !length)
        return sg_range_build(vm, *start, (sg_value){.tag = SG_UNDEF}, *stop, out);
    if (!length || length->tag != SG_INT || length->i < 0)
        return SG_RAISE_ARGUMENT(vm, args, "range needs a length (an integer) or a step");
    int64_t n = length->i;
    if (stop) {
        sg_units *units = sg_runtime_of(vm)->units;
        uint32_t unit = sg_quantity_unit(*start);
        sg_value last = *stop;
        if (sg_is_quantity(*start) || sg_is_quantity(*stop)) {
            sg_status status = sg_quantity_convert(vm, units, *stop, unit, &last);
            if (status != SG_OK)
                return status;
        }
        if (!sg_is_plain_number(last) && !sg_is_quantity(last))
            return SG_RAISE_ARGUMENT(vm, args, "range needs numbers");
        double a = sg_quantity_number(*start), b = sg_quantity_number(last);
        int64_t way = 0;
        bool ints = !lin && start->tag == SG_INT && stop->tag == SG_INT && n > 1 &&
                    !__builtin_sub_overflow(stop->i, start->i, &way) && way % (n - 1) == 0 && way;
        if (ints) {
            int64_t whole = way / (n - 1);
            *out = sg_range_make(vm, sg_float(a), sg_float((double)whole), n);
            return SG_OK;
        }
        if (n == 1 && a != b)
            return SG_RAISE_ARGUMENT(vm, args, "a range of length 1 has equal ends");
        *out = sg_range_by_length(vm, a, b, n, unit);
        return SG_OK;
    }
    sg_value by = step ? *step : sg_int(1);
    if (start->tag == SG_INT && by.tag == SG_INT) {
        int64_t way, end;
        if (n && (__builtin_mul_overflow(by.i, n - 1, &way) ||
                  __builtin_add_overflow(start->i, way, &end)))
            return sg_raise(vm, "OverflowError", SG_E_ARGUMENT, args->span,
                            "the last of these %lld numbers is too large for an integer",
                            (long long)n);
        *out = sg_range_make(vm, *start, by, n);
        return SG_OK;
    }
    sg_value offset, last;
    sg_status status = sg_binary(vm, SG_OPER_MUL, by, sg_int(n > 0 ? n - 1 : 0), &offset);
    if (status == SG_OK)
        status = sg_binary(vm, SG_OPER_ADD, *start, offset, &last);
    if (status != SG_OK)
        return status;
    *out = sg_range_by_length(vm, sg_quantity_number(*start), sg_quantity_number(last), n,
                              sg_quantity_unit(*start));
    return SG_OK;
}

// ---- sizes --------------------------------------------------------------------------------------

static sg_status native_length(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "length", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    int64_t n = sg_length(vm, args->v[0]);
    if (n < 0) {
        sg_buf text;
        sg_status status = sg_raise(vm, "MethodError", SG_E_TYPE, args->span, "%s has no length",
                                    sg_type_text(vm, args->v[0], &text));
        sg_buf_free(&text);
        return status;
    }
    *out = sg_int(n);
    return SG_OK;
}

static sg_status native_size(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "size", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    size_t dims[SG_MAX_DIMS] = {0};
    uint32_t n = 0;
    if (sg_is(v, SG_OBJ_ARRAY)) {
        n = ((sg_array *)v.o)->ndims;
        memcpy(dims, ((sg_array *)v.o)->dims, sizeof dims);
    } else if (sg_is(v, SG_OBJ_RANGE)) {
        n = 1;
        dims[0] = (size_t)((sg_range *)v.o)->len;
    } else if (!sg_is_plain_number(v) && !sg_is_quantity(v)) {
        sg_array *array = sg_as_array(vm, v);
        if (!array)
            return SG_ERR_MODEL;
        n = 1;
        dims[0] = array->len;
    }
    if (args->n == 2) {
        int64_t d = 0;
        if (sg_arg_int(vm, args, 1, &d) != SG_OK)
            return SG_ERR_MODEL;
        if (d < 1)
            return SG_RAISE_ARGUMENT(vm, args, "dimensions are counted from 1");
        *out = sg_int(d <= n ? (int64_t)dims[d - 1] : 1);
        return SG_OK;
    }
    sg_tuple *tuple = sg_tuple_make(vm, n);
    for (uint32_t i = 0; tuple && i < n; i++)
        tuple->items[i] = sg_int((int64_t)dims[i]);
    *out = sg_object(tuple);
    return SG_OK;
}

static sg_status native_ndims(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "ndims", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_int(sg_is(args->v[0], SG_OBJ_ARRAY) ? ((sg_array *)args->v[0].o)->ndims
                  : args->v[0].tag == SG_OBJECT   ? 1
                                                  : 0);
    return SG_OK;
}

static sg_status native_eachindex(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int dim = (int)(uintptr_t)context; // 0: all elements; -1: axes of the given dimension
    int64_t n = args->n ? sg_length(vm, args->v[0]) : -1;
    if (args->n == 2 && dim && sg_is(args->v[0], SG_OBJ_ARRAY) && args->v[1].tag == SG_INT) {
        const sg_array *array = (const sg_array *)args->v[0].o;
        int64_t d = args->v[1].i;
        n = d >= 1 && d <= array->ndims ? (int64_t)array->dims[d - 1] : 1;
    }
    if (n < 0)
        return SG_RAISE_ARGUMENT(vm, args, "this value has no indices");
    *out = sg_range_make(vm, sg_int(1), sg_int(1), n);
    return SG_OK;
}

static sg_status native_lastindex(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool first = context != NULL;
    if (first) {
        *out = sg_int(1);
        return SG_OK;
    }
    if (args->n == 1 && sg_is(args->v[0], SG_OBJ_STRING)) {
        *out = sg_int(((sg_string *)args->v[0].o)->len);
        return SG_OK;
    }
    return native_length(vm, args, NULL, out);
}

static sg_status native_reshape(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = args->n ? sg_as_array(vm, args->v[0]) : NULL;
    size_t dims[SG_MAX_DIMS];
    uint32_t n = 0, colon = UINT32_MAX;
    if (!array)
        return SG_RAISE_ARGUMENT(vm, args, "reshape needs an array and sizes");
    if (args->n == 2 && sg_is(args->v[1], SG_OBJ_TUPLE)) {
        if (read_dims(vm, args, 1, dims, &n) != SG_OK)
            return SG_ERR_MODEL;
    } else {
        for (uint32_t i = 1; i < args->n && n < SG_MAX_DIMS; i++, n++) {
            if (args->v[i].tag == SG_COLON) {
                colon = n;
                dims[n] = 1;
            } else {
                int64_t d = 0;
                if (sg_arg_int(vm, args, i, &d) != SG_OK)
                    return SG_ERR_MODEL;
                dims[n] = d < 0 ? 0 : (size_t)d;
            }
        }
    }
    size_t total = 1;
    for (uint32_t i = 0; i < n; i++)
        total *= dims[i];
    if (colon != UINT32_MAX && total)
        dims[colon] = array->len / total, total *= dims[colon];
    if (total != array->len || !n)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "%zu elements cannot be arranged in the given sizes", array->len);
    sg_array *result = sg_array_clone(vm, array);
    if (!result)
        return SG_ERR_MEMORY;
    result->head.flags &= (uint16_t)~SG_ARRAY_ROW;
    result->ndims = (uint8_t)n;
    memcpy(result->dims, dims, n * sizeof(size_t));
    *out = sg_object(result);
    return SG_OK;
}

static sg_status native_vec(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = args->n == 1 ? sg_as_array(vm, args->v[0]) : NULL;
    sg_array *result = array ? sg_array_clone(vm, array) : NULL;
    if (!result)
        return SG_ERR_MODEL;
    result->head.flags &= (uint16_t)~SG_ARRAY_ROW;
    result->ndims = 1;
    result->dims[0] = result->len;
    *out = sg_object(result);
    return SG_OK;
}

static sg_status native_cat(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return context ? sg_hcat(vm, args->v, args->n, out) : sg_vcat(vm, args->v, args->n, out);
}

// copyto!(a, b) and a .= b
static sg_status native_copyto(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "copyto!", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    *out = args->v[0];
    if (!sg_is(args->v[0], SG_OBJ_ARRAY)) {
        sg_array *unused;
        return sg_arg_array(vm, args, 0, &unused);
    }
    sg_value colon = {.tag = SG_COLON};
    return sg_index_set(vm, args->v[0], &colon, 1, args->v[1]);
}

static sg_status native_getindex(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool set = context != NULL;
    if (sg_args_check_count(vm, args, set ? "setindex!" : "getindex", set ? 2 : 1, 16) != SG_OK)
        return SG_ERR_MODEL;
    if (!set)
        return sg_index(vm, args->v[0], args->v + 1, args->n - 1, out);
    *out = args->v[0];
    return sg_index_set(vm, args->v[0], args->v + 2, args->n - 2, args->v[1]);
}

bool sg_register_arrays(sg_vm *vm)
{
    static const sg_builtin_form list[] = {{"zeros", native_zeros, 0},
                                           {"ones", native_zeros, 1},
                                           {"zero", native_zero, 0},
                                           {"one", native_zero, 1},
                                           {"fill", native_fill, 0},
                                           {"fill!", native_fill_in, 0},
                                           {"similar", native_similar, 0},
                                           {"Vector", native_array_type, 0},
                                           {"Matrix", native_array_type, 0},
                                           {"Array", native_array_type, 0},
                                           {"SVector", native_static, 0},
                                           {"SMatrix", native_static, 0},
                                           {"SArray", native_static, 0},
                                           {"MVector", native_static, 0},
                                           {"MMatrix", native_static, 0},
                                           {"_static", helper_static, 0},
                                           {"range", native_range, 0},
                                           {"LinRange", native_range, 1},
                                           {"length", native_length, 0},
                                           {"size", native_size, 0},
                                           {"ndims", native_ndims, 0},
                                           {"eachindex", native_eachindex, 0},
                                           {"axes", native_eachindex, 1},
                                           {"lastindex", native_lastindex, 0},
                                           {"firstindex", native_lastindex, 1},
                                           {"reshape", native_reshape, 0},
                                           {"vec", native_vec, 0},
                                           {"vcat", native_cat, 0},
                                           {"hcat", native_cat, 1},
                                           {"copyto!", native_copyto, 0},
                                           {"getindex", native_getindex, 0},
                                           {"setindex!", native_getindex, 1}};
    if (!sg_register_forms(vm, list, SG_COUNT(list)))
        return false;
    return sg_module_set(vm, vm->base, sg_vm_sym(vm, "undef"), sg_symbol(sg_vm_sym(vm, "undef")));
}
