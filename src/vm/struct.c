// Instances of structs: inferred type parameters, converted fields.
#include "vm/script_exec.h"

// What a field of S{Float64} accepts, when the declaration says T.
static const sg_type *field_type(const sg_type *type, const sg_type *shape, uint32_t field)
{
    const sg_type *wanted = shape->field_types ? shape->field_types[field] : NULL;
    if (!wanted || !wanted->is_var)
        return wanted;
    for (uint32_t i = 0; i < shape->n_vars && i < type->n_params; i++)
        if (shape->var_names[i].i == wanted->name.i)
            return sg_is(type->params[i], SG_OBJ_TYPE) ? (const sg_type *)type->params[i].o : NULL;
    return wanted;
}

// S(1.0) of a parametric S is an S{Float64}: each variable takes the type of its first field.
static sg_type *infer_type(sg_vm *vm, sg_type *type, const sg_value *fields, uint32_t n)
{
    enum { MOST = 8 };
    sg_value params[MOST];
    if (type->generic || !type->n_vars || type->n_vars > MOST)
        return type;
    for (uint32_t k = 0; k < type->n_vars; k++) {
        params[k] = sg_undef();
        for (uint32_t i = 0; i < n && params[k].tag == SG_UNDEF; i++) {
            const sg_type *declared = type->field_types[i];
            if (declared && declared->is_var && declared->name.i == type->var_names[k].i)
                params[k] = sg_object(sg_typeof(vm, fields[i]));
        }
        if (params[k].tag == SG_UNDEF)
            return type;
    }
    sg_type *applied = sg_type_apply(vm, type, params, type->n_vars);
    return applied ? applied : type;
}

sg_status sg_struct_new(sg_vm *vm, sg_type *type, const sg_value *fields, uint32_t n, sg_value *out)
{
    const sg_type *shape = type->generic ? type->generic : type;
    if (n > shape->n_fields)
        return sg_raise(vm, "ArgumentError", SG_E_METHOD, (sg_span){0},
                        "%s has %u field%s, %u values given", sg_vm_text(vm, type->name),
                        shape->n_fields, shape->n_fields == 1 ? "" : "s", n);
    sg_struct *s = sg_heap_new(vm, SG_OBJ_STRUCT, sizeof *s + shape->n_fields * sizeof(sg_value));
    if (!s)
        return SG_ERR_MEMORY;
    s->type = type = infer_type(vm, type, fields, n);
    s->n = shape->n_fields;
    for (uint32_t i = 0; i < s->n; i++) {
        s->fields[i] = i < n ? fields[i] : sg_undef();
        const sg_type *wanted = field_type(type, shape, i);
        if (i >= n || !wanted ||
            (sg_isa(vm, fields[i], wanted) && !sg_type_has_unit(vm, wanted) && !wanted->wide))
            continue;
        sg_status status = vm->hooks->convert(vm, wanted, fields[i], &s->fields[i]);
        if (status != SG_OK)
            return status;
    }
    *out = sg_object(s);
    return SG_OK;
}
