// Functions that make vectors longer or shorter: push!, pop!, insert!, resize! and the like.
#include "builtins/subjects.h"

#include <string.h>

static sg_status check_growable(sg_vm *vm, const sg_args *args, const sg_array *array)
{
    if (array->ndims == 1 && !(array->head.flags & SG_ARRAY_STATIC))
        return SG_OK;
    return sg_raise(vm, "MethodError", SG_E_SHAPE, args->span,
                    "only vectors of variable length can grow or shrink");
}

static sg_status push_item(sg_vm *vm, sg_array *array, sg_value v)
{
    if (array->eltype && !sg_isa(vm, v, array->eltype)) {
        sg_status status = sg_convert(vm, array->eltype, v, &v);
        if (status != SG_OK)
            return status;
    }
    // A vector that was written empty takes the kind of its first element.
    if (array->len == 0 && array->elem == SG_ELEM_ANY && !array->eltype && array->cap == 0) {
        sg_array *one = sg_array_from_values(vm, &v, 1);
        if (!one)
            return SG_ERR_MEMORY;
        array->elem = SG_ELEM_ANY;
    }
    return sg_array_push(vm, array, v) ? SG_OK : SG_ERR_MEMORY;
}

static sg_status native_push(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = NULL;
    if (args->n && sg_is(args->v[0], SG_OBJ_DICT)) {
        for (uint32_t i = 1; i < args->n; i++) {
            if (!sg_is(args->v[i], SG_OBJ_PAIR)) {
                // A Set is a dictionary from its items to nothing.
                if (!sg_dict_put(vm, (sg_dict *)args->v[0].o, args->v[i], SG_VALUE_NOTHING,
                                 args->span))
                    return SG_ERR_MEMORY;
                continue;
            }
            const sg_tuple *pair = (const sg_tuple *)args->v[i].o;
            if (!sg_dict_put(vm, (sg_dict *)args->v[0].o, pair->items[0], pair->items[1],
                             args->span))
                return SG_ERR_MEMORY;
        }
        *out = args->v[0];
        return SG_OK;
    }
    if (sg_arg_array(vm, args, 0, &array) != SG_OK || check_growable(vm, args, array) != SG_OK)
        return SG_ERR_MODEL;
    sg_status status = SG_OK;
    for (uint32_t i = 1; i < args->n && status == SG_OK; i++)
        status = push_item(vm, array, args->v[i]);
    *out = args->v[0];
    return status;
}

static sg_status native_append(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = NULL;
    if (sg_arg_array(vm, args, 0, &array) != SG_OK || check_growable(vm, args, array) != SG_OK)
        return SG_ERR_MODEL;
    sg_status status = SG_OK;
    for (uint32_t i = 1; i < args->n && status == SG_OK; i++) {
        sg_array *items = sg_is(args->v[i], SG_OBJ_ARRAY) && args->v[i].o != &array->head
                              ? (sg_array *)args->v[i].o
                              : sg_collect(vm, args->v[i]);
        if (!items)
            return SG_ERR_MODEL;
        for (size_t k = 0; k < items->len && status == SG_OK; k++)
            status = push_item(vm, array, sg_array_get(items, k));
    }
    *out = args->v[0];
    return status;
}

static void remove_range(sg_array *array, size_t first, size_t n)
{
    size_t size = sg_elem_size((sg_elem)array->elem);
    memmove((char *)array->data + first * size, (char *)array->data + (first + n) * size,
            (array->len - first - n) * size);
    array->len -= n;
    array->dims[0] = array->len;
}

// pop!, popfirst!; for dictionaries pop!(d, key, default).
static sg_status native_pop(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool first = context != NULL;
    sg_array *array = NULL;
    if (args->n >= 2 && sg_is(args->v[0], SG_OBJ_DICT)) {
        sg_dict *dict = (sg_dict *)args->v[0].o;
        if (sg_dict_get(dict, args->v[1], out)) {
            sg_dict_remove(vm, dict, args->v[1]);
            return SG_OK;
        }
        if (args->n > 2) {
            *out = args->v[2];
            return SG_OK;
        }
        return sg_index(vm, args->v[0], args->v + 1, 1, out); // raises the KeyError
    }
    if (sg_arg_array(vm, args, 0, &array) != SG_OK || check_growable(vm, args, array) != SG_OK)
        return SG_ERR_MODEL;
    if (!array->len)
        return SG_RAISE_ARGUMENT(vm, args, "the array is empty");
    size_t at = first ? 0 : array->len - 1;
    *out = sg_array_get(array, at);
    remove_range(array, at, 1);
    return SG_OK;
}

static sg_status insert_item(sg_vm *vm, sg_array *array, size_t at, sg_value v)
{
    sg_status status = push_item(vm, array, v);
    if (status != SG_OK)
        return status;
    for (size_t i = array->len - 1; i > at; i--) {
        sg_value before = sg_array_get(array, i - 1);
        sg_value here = sg_array_get(array, i);
        sg_array_store(array, i, before);
        sg_array_store(array, i - 1, here);
    }
    return SG_OK;
}

static sg_status native_insert(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool front = context != NULL; // pushfirst!
    sg_array *array = NULL;
    int64_t at = 1;
    if (sg_arg_array(vm, args, 0, &array) != SG_OK || check_growable(vm, args, array) != SG_OK)
        return SG_ERR_MODEL;
    *out = args->v[0];
    if (front) {
        sg_status status = SG_OK;
        for (uint32_t i = args->n; i-- > 1 && status == SG_OK;)
            status = insert_item(vm, array, 0, args->v[i]);
        return status;
    }
    if (sg_args_check_count(vm, args, "insert!", 3, 3) != SG_OK ||
        sg_arg_int(vm, args, 1, &at) != SG_OK)
        return SG_ERR_MODEL;
    if (at < 1 || (size_t)at > array->len + 1)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span,
                        "position %lld is outside of 1:%zu", (long long)at, array->len + 1);
    return insert_item(vm, array, (size_t)at - 1, args->v[2]);
}

static sg_status native_deleteat(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = NULL;
    if (sg_args_check_count(vm, args, "deleteat!", 2, 2) != SG_OK ||
        sg_arg_array(vm, args, 0, &array) != SG_OK || check_growable(vm, args, array) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *list = args->v[1].tag == SG_INT ? sg_array_from_values(vm, &args->v[1], 1)
                                              : sg_as_array(vm, args->v[1]);
    if (!list)
        return SG_ERR_MODEL;
    if (list->elem != SG_ELEM_INT && list->len)
        return SG_RAISE_ARGUMENT(vm, args, "deleteat! needs positions");
    for (size_t i = list->len; i-- > 0;) {
        if ((uint64_t)list->n[i] - 1 >= array->len)
            return sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span,
                            "position %lld is outside of 1:%zu", (long long)list->n[i], array->len);
        remove_range(array, (size_t)list->n[i] - 1, 1);
    }
    *out = args->v[0];
    return SG_OK;
}

static sg_status native_empty(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n == 1 && sg_is(args->v[0], SG_OBJ_DICT)) {
        sg_dict *dict = (sg_dict *)args->v[0].o;
        size_t at = 0;
        sg_dict_entry entry;
        while (at = 0, sg_dict_next(dict, &at, &entry))
            sg_dict_remove(vm, dict, entry.key);
    } else {
        sg_array *array = NULL;
        if (sg_arg_array(vm, args, 0, &array) != SG_OK || check_growable(vm, args, array) != SG_OK)
            return SG_ERR_MODEL;
        array->len = array->dims[0] = 0;
    }
    *out = args->v[0];
    return SG_OK;
}

static sg_status native_resize(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *array = NULL;
    int64_t n = 0;
    if (sg_args_check_count(vm, args, "resize!", 2, 2) != SG_OK ||
        sg_arg_array(vm, args, 0, &array) != SG_OK || sg_arg_int(vm, args, 1, &n) != SG_OK ||
        check_growable(vm, args, array) != SG_OK)
        return SG_ERR_MODEL;
    if (n < 0)
        return SG_RAISE_ARGUMENT(vm, args, "a length cannot be negative");
    if (!sg_array_reserve(vm, array, (size_t)n))
        return SG_ERR_MEMORY;
    for (size_t i = array->len; i < (size_t)n; i++)
        sg_array_store(array, i, array->elem == SG_ELEM_ANY ? SG_VALUE_NOTHING : sg_int(0));
    array->len = array->dims[0] = (size_t)n;
    *out = args->v[0];
    return SG_OK;
}

bool sg_register_growing(sg_vm *vm)
{
    static const sg_builtin_form list[] = {
        {"push!", native_push, 0},         {"append!", native_append, 0},
        {"pop!", native_pop, 0},           {"popfirst!", native_pop, 1},
        {"insert!", native_insert, 0},     {"pushfirst!", native_insert, 1},
        {"deleteat!", native_deleteat, 0}, {"empty!", native_empty, 0},
        {"resize!", native_resize, 0}};
    return sg_register_forms(vm, list, SG_COUNT(list));
}
