// u"...", and the functions on quantities of language.md 2.9.
#include "builtins/subjects.h"

#include <string.h>

static sg_status native_unit_text(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    const sg_string *text = NULL;
    if (sg_args_check_count(vm, args, "u\"...\"", 1, 1) != SG_OK ||
        sg_arg_string(vm, args, 0, &text) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf message;
    sg_buf_init(&message, vm->allocator);
    uint32_t first = 0, last = 0;
    uint32_t unit =
        sg_unit_parse(sg_runtime_of(vm)->units, text->text, text->len, &message, &first, &last);
    sg_status status = SG_OK;
    if (unit == SG_UNIT_BAD)
        status =
            sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span, "%s", sg_buf_text(&message));
    else
        *out = (sg_value){.tag = SG_UNIT, .aux = unit};
    sg_buf_free(&message);
    return status;
}

typedef enum part { STRIP, PREFERRED, STRIP_SI, TO_UNIT } part;

static sg_status convert_one(sg_vm *vm, part which, sg_value v, uint32_t unit, sg_value *out)
{
    sg_units *units = sg_runtime_of(vm)->units;
    switch (which) {
    case STRIP:
        *out = sg_quantity_strip(v);
        return SG_OK;
    case PREFERRED:
        *out = sg_is_quantity(v) ? sg_quantity_upreferred(units, v) : v;
        return SG_OK;
    case STRIP_SI:
        *out = sg_is_quantity(v) ? sg_float(sg_quantity_si(units, v)) : v;
        return SG_OK;
    case TO_UNIT:
        return sg_quantity_convert(vm, units, v, unit, out);
    }
    return SG_OK;
}

static sg_status map_part(sg_vm *vm, part which, sg_value v, uint32_t unit, sg_value *out);

// Each element of an array or a tuple.
static sg_status map_elements(sg_vm *vm, part which, sg_value v, uint32_t unit, sg_value *out)
{
    if (sg_is(v, SG_OBJ_TUPLE)) {
        const sg_tuple *tuple = (const sg_tuple *)v.o;
        sg_tuple *result = sg_tuple_make(vm, tuple->n);
        sg_status status = result ? SG_OK : SG_ERR_MEMORY;
        for (uint32_t i = 0; i < tuple->n && status == SG_OK; i++)
            status = map_part(vm, which, tuple->items[i], unit, &result->items[i]);
        *out = sg_object(result);
        return status;
    }
    const sg_array *array = (const sg_array *)v.o;
    sg_array *any = sg_array_make(vm, SG_ELEM_ANY, array->ndims, array->dims);
    if (!any)
        return SG_ERR_MEMORY;
    any->head.flags |= (uint16_t)(array->head.flags & SG_ARRAY_STATIC);
    for (size_t i = 0; i < array->len; i++) {
        sg_status status = map_part(vm, which, sg_array_get(array, i), unit, &any->v[i]);
        if (status != SG_OK)
            return status;
    }
    if (!array->len && array->elem != SG_ELEM_ANY)
        any->elem = array->elem;
    *out = sg_object(sg_array_narrow(vm, any));
    return SG_OK;
}

// A function of one quantity, on each element of an array.
static sg_status map_part(sg_vm *vm, part which, sg_value v, uint32_t unit, sg_value *out)
{
    *out = v;
    if (sg_is_quantity(v) || sg_is_plain_number(v))
        return convert_one(vm, which, v, unit, out);
    if (sg_is(v, SG_OBJ_RANGE)) {
        sg_array *array = sg_as_array(vm, v);
        if (!array)
            return SG_ERR_MEMORY;
        v = sg_object(array);
    }
    if (!sg_is(v, SG_OBJ_ARRAY) && !sg_is(v, SG_OBJ_TUPLE))
        return SG_OK;
    if (!sg_nest_begin(vm))
        return SG_ERR_MODEL;
    sg_status status = map_elements(vm, which, v, unit, out);
    sg_nest_end(vm);
    return status;
}

sg_status sg_to_unit(sg_vm *vm, sg_value value, uint32_t unit, sg_value *out)
{
    return map_part(vm, TO_UNIT, value, unit, out);
}

static bool unit_argument(sg_value v, uint32_t *unit)
{
    if (v.tag != SG_UNIT && v.tag != SG_QTY && v.tag != SG_QTY_INT)
        return false;
    *unit = v.aux;
    return true;
}

static sg_status native_part(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const names[] = {"ustrip", "upreferred", "stripUnit", "uconvert"};
    part which = (part)(uintptr_t)context;
    if (sg_args_check_count(vm, args, names[which], 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    uint32_t unit = 0;
    if (which == TO_UNIT || args->n == 2) {
        if (args->n != 2 || !unit_argument(args->v[0], &unit))
            return SG_RAISE_ARGUMENT(vm, args, "%s needs a unit and a quantity", names[which]);
        sg_value converted;
        sg_status status = map_part(vm, TO_UNIT, args->v[1], unit, &converted);
        if (status != SG_OK || which == TO_UNIT) {
            *out = converted;
            return status;
        }
        return map_part(vm, which, converted, 0, out);
    }
    return map_part(vm, which, args->v[0], 0, out);
}

static uint32_t unit_of(sg_value v)
{
    if (sg_is(v, SG_OBJ_ARRAY)) {
        const sg_array *array = (const sg_array *)v.o;
        return array->elem != SG_ELEM_ANY ? array->unit
               : array->len               ? sg_quantity_unit(array->v[0])
                                          : 0;
    }
    if (sg_is(v, SG_OBJ_RANGE))
        return sg_quantity_unit(((sg_range *)v.o)->start);
    return sg_quantity_unit(v);
}

static sg_status native_unit(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "unit", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    *out = (sg_value){.tag = SG_UNIT, .aux = unit_of(args->v[0])};
    return SG_OK;
}

static sg_status native_unit_string(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "unitAsParseableString", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_string_value(vm, sg_unit_text(sg_runtime_of(vm)->units, unit_of(args->v[0])));
    return SG_OK;
}

static sg_status native_is_quantity(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "isQuantity", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    bool type = sg_is(v, SG_OBJ_TYPE) && sg_subtype((sg_type *)v.o, vm->types.Quantity);
    *out = sg_bool(type || sg_is_quantity(v) || unit_of(v) != 0);
    return SG_OK;
}

// quantity(T, u"..."): the type of such quantities.
static sg_status native_quantity(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = sg_object(vm->types.Quantity);
    if (args->n == 2 && !sg_is(args->v[0], SG_OBJ_TYPE))
        return sg_binary(vm, SG_OPER_MUL, args->v[0], args->v[1], out);
    if (args->n == 2 && args->v[1].tag == SG_UNIT)
        *out = sg_object(sg_type_apply(vm, vm->types.Quantity, args->v, 2));
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

static sg_status native_dimension(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "dimension", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_units *units = sg_runtime_of(vm)->units;
    uint32_t unit = unit_of(args->v[0]);
    *out = (sg_value){.tag = SG_UNIT, .aux = sg_unit_preferred(units, unit)};
    return SG_OK;
}

bool sg_register_units(sg_vm *vm)
{
    static const sg_builtin_form list[] = {{"u_str", native_unit_text, 0},
                                           {"uparse", native_unit_text, 0},
                                           {"ustrip", native_part, STRIP},
                                           {"upreferred", native_part, PREFERRED},
                                           {"stripUnit", native_part, STRIP_SI},
                                           {"uconvert", native_part, TO_UNIT},
                                           {"unit", native_unit, 0},
                                           {"unitAsParseableString", native_unit_string, 0},
                                           {"unitAsString", native_unit_string, 0},
                                           {"isQuantity", native_is_quantity, 0},
                                           {"quantity", native_quantity, 0},
                                           {"Quantity", native_quantity, 0},
                                           {"dimension", native_dimension, 0}};
    return sg_register_forms(vm, list, SG_COUNT(list));
}
