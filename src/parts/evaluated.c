#include "parts/evaluated.h"

#include "lang/strip.h"

static sg_status strip_keys(sg_vm *vm, const sg_dict *from, sg_dict *to)
{
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(from, &at, &e);) {
        sg_value value;
        if (e.key.tag != SG_SYMBOL || sg_vm_text(vm, e.key.sym)[0] == '_')
            continue;
        sg_status status = sg_evaluated(vm, e.value, &value);
        if (status != SG_OK)
            return status;
        if (!sg_dict_put(vm, to, e.key, value, e.span))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

sg_status sg_evaluated(sg_vm *vm, sg_value value, sg_value *out)
{
    sg_value name;
    *out = value;
    if (!sg_is(value, SG_OBJ_DICT))
        return sg_strip_to_si(vm, value, out);
    const sg_dict *dict = (const sg_dict *)value.o;
    if (!sg_dict_get_sym(dict, sg_vm_sym(vm, "_constructor"), &name) || name.tag != SG_SYMBOL)
        return SG_OK;
    sg_dict *object = sg_dict_make(vm, name.sym);
    if (!object)
        return SG_ERR_MEMORY;
    object->span = dict->span;
    *out = sg_object(object);
    return strip_keys(vm, dict, object);
}
