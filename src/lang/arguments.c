// Arguments of native functions: what they must be, and what is said where they are not.
#include "lang/runtime.h"

#include <math.h>

static sg_value argument(const sg_args *args, uint32_t i)
{
    return i < args->n ? args->v[i] : SG_VALUE_NOTHING;
}

static sg_status wrong_type(sg_vm *vm, const sg_args *args, uint32_t i, const char *expected)
{
    sg_buf text;
    sg_status status =
        sg_raise(vm, "MethodError", SG_E_TYPE, args->span, "argument %u must be %s, not %s", i + 1,
                 expected, sg_type_text(vm, argument(args, i), &text));
    sg_buf_free(&text);
    return status;
}

sg_status sg_arg_int(sg_vm *vm, const sg_args *args, uint32_t i, int64_t *out)
{
    sg_value v = argument(args, i);
    if (v.tag == SG_INT || v.tag == SG_CHAR)
        *out = v.i;
    else if (v.tag == SG_BOOL)
        *out = v.b;
    else if (v.tag == SG_FLOAT && v.d == floor(v.d) && fabs(v.d) < 0x1p62)
        *out = (int64_t)v.d;
    else
        return wrong_type(vm, args, i, "an integer");
    return SG_OK;
}

sg_status sg_arg_float(sg_vm *vm, const sg_args *args, uint32_t i, double *out)
{
    return sg_to_float(argument(args, i), out) ? SG_OK : wrong_type(vm, args, i, "a number");
}

sg_status sg_arg_string(sg_vm *vm, const sg_args *args, uint32_t i, const sg_string **out)
{
    sg_value v = argument(args, i);
    if (!sg_is(v, SG_OBJ_STRING))
        return wrong_type(vm, args, i, "a string");
    *out = (const sg_string *)v.o;
    return SG_OK;
}

sg_status sg_arg_array(sg_vm *vm, const sg_args *args, uint32_t i, sg_array **out)
{
    sg_value v = argument(args, i);
    if (!sg_is(v, SG_OBJ_ARRAY))
        return wrong_type(vm, args, i, "an array");
    *out = (sg_array *)v.o;
    return SG_OK;
}

sg_status sg_raise_no_number(sg_vm *vm, const sg_args *args, const char *name, sg_value v)
{
    sg_buf text;
    sg_status status =
        sg_is_sequence(v)
            ? sg_raise(vm, "MethodError", SG_E_TYPE, args->span,
                       "%s is defined for numbers; write %s.(x) to apply it to each element", name,
                       name)
            : sg_raise(vm, "MethodError", SG_E_TYPE, args->span,
                       "%s is defined for numbers, not for %s", name, sg_type_text(vm, v, &text));
    if (!sg_is_sequence(v))
        sg_buf_free(&text);
    return status;
}
