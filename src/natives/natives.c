#include "natives/natives.h"

#include "lang/runtime.h"
#include "lang/strip.h"

bool sg_session_register(sg_session *session, const sg_session_function *list, size_t n)
{
    sg_module *modia = sg_vm_module(session->vm, "Modia");
    for (size_t i = 0; modia && i < n; i++) {
        const void *context = list[i].context ? list[i].context : session;
        if (!sg_vm_offer(session->vm, modia, list[i].name, list[i].function,
                         (void *)(uintptr_t)context, NULL))
            return false;
    }
    return modia != NULL;
}

const char *sg_text_argument(const sg_args *args, uint32_t i)
{
    if (args->n <= i || !sg_is(args->v[i], SG_OBJ_STRING))
        return NULL;
    const sg_string *text = (const sg_string *)args->v[i].o;
    return sg_string_is_plain(text) ? text->text : NULL;
}

const char *sg_text_of(sg_vm *vm, sg_value value)
{
    if (sg_is(value, SG_OBJ_STRING))
        return sg_string_is_plain((sg_string *)value.o) ? ((sg_string *)value.o)->text : NULL;
    return value.tag == SG_SYMBOL ? sg_vm_text(vm, value.sym) : NULL;
}

sg_status sg_numbers_of(sg_vm *vm, sg_value value, sg_span span, sg_numbers *out)
{
    sg_status status = sg_strip_to_si(vm, value, &value);
    if (status != SG_OK)
        return status;
    *out = (sg_numbers){.n = 1, .scalar = true};
    if (sg_to_float(value, &out->one))
        return SG_OK;
    sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (sg_array *)value.o : NULL;
    if (array && array->elem == SG_ELEM_INT)
        array = sg_float_copy(vm, array);
    if (!array || array->len > SG_MAX_NUMBERS || (array->len && array->elem != SG_ELEM_FLOAT))
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, span,
                        "a number or a vector of numbers is needed here");
    *out = (sg_numbers){.n = (uint32_t)array->len, .rank = array->ndims, .many = array->f};
    return SG_OK;
}

sg_status sg_model_of_keywords(sg_vm *vm, const char *functions, const sg_args *args, sg_value *out)
{
    sg_session *session = sg_session_of(vm);
    if (!session->prelude(session))
        return SG_ERR_MEMORY;
    sg_value first = sg_module_get(sg_vm_module(vm, "Modia3D"), sg_vm_sym(vm, functions));
    sg_dict *model = sg_dict_make(vm, sg_vm_sym(vm, "Model"));
    bool ok = model && sg_is(first, SG_OBJ_DICT);
    sg_dict_entry e;
    for (size_t at = 0; ok && sg_dict_next((sg_dict *)first.o, &at, &e);)
        ok = sg_dict_put(vm, model, e.key, e.value, args->span);
    for (uint32_t i = 0; ok && i < args->n_kw; i++)
        ok = sg_dict_put(vm, model, sg_symbol(args->kw[i]), args->kwv[i],
                         args->spans ? args->spans[args->n + i] : args->span);
    if (ok)
        model->span = args->span;
    *out = sg_object(model);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_nothing_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm;
    (void)args;
    (void)context;
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}
