#include "natives/natives.h"

bool sg_session_register(sg_session *session, const sg_session_function *list, size_t n)
{
    sg_module *modia = sg_vm_module(session->vm, "Modia");
    for (size_t i = 0; modia && i < n; i++) {
        const void *context = list[i].context ? list[i].context : session;
        if (!sg_vm_register(session->vm, modia, list[i].name, list[i].function,
                            (void *)(uintptr_t)context, NULL))
            return false;
    }
    return modia != NULL;
}

const char *sg_text_argument(const sg_args *args, uint32_t i)
{
    return args->n > i && sg_is(args->v[i], SG_OBJ_STRING) ? ((sg_string *)args->v[i].o)->text
                                                           : NULL;
}

const char *sg_text_of(sg_vm *vm, sg_value value)
{
    if (sg_is(value, SG_OBJ_STRING))
        return ((sg_string *)value.o)->text;
    return value.tag == SG_SYMBOL ? sg_vm_text(vm, value.sym) : NULL;
}

sg_status sg_nothing_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm;
    (void)args;
    (void)context;
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}
