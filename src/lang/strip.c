#include "lang/strip.h"

#include "lang/runtime.h"

static bool has_units(const sg_array *array)
{
    if (array->unit)
        return true;
    for (size_t i = 0; array->elem == SG_ELEM_ANY && i < array->len; i++)
        if (sg_is_quantity(array->v[i]))
            return true;
    return false;
}

static bool all_numbers(const sg_array *array)
{
    for (size_t i = 0; array->elem == SG_ELEM_ANY && i < array->len; i++)
        if (!sg_is_quantity(array->v[i]) && !sg_is_plain_number(array->v[i]))
            return false;
    return true;
}

sg_status sg_strip_to_si(sg_vm *vm, sg_value value, sg_value *out)
{
    const sg_units *units = sg_runtime_of(vm)->units;
    *out = value;
    if (sg_is_quantity(value)) {
        *out = sg_float(sg_quantity_si(units, value));
        return SG_OK;
    }
    if (!sg_is(value, SG_OBJ_ARRAY) || !has_units((sg_array *)value.o) ||
        !all_numbers((sg_array *)value.o))
        return SG_OK;
    const sg_array *from = (sg_array *)value.o;
    sg_array *to = sg_array_make(vm, SG_ELEM_FLOAT, from->ndims, from->dims);
    if (!to)
        return SG_ERR_MEMORY;
    to->head.flags = from->head.flags & (SG_ARRAY_STATIC | SG_ARRAY_FLOAT32);
    for (size_t i = 0; i < from->len; i++)
        to->f[i] = sg_quantity_si(units, sg_array_get(from, i));
    *out = sg_object(to);
    return SG_OK;
}
