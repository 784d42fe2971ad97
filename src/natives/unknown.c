// The value of a run that did not happen: `segue check` simulates nothing, so what a script would
// compute from a result is unknown. Whatever touches it is unknown, too; a statement that fails
// because of it is skipped and counted.
#include "natives/session.h"

static void print_unknown(sg_vm *vm, void *data, sg_buf *out)
{
    (void)vm;
    (void)data;
    sg_buf_puts(out, "unknown");
}

static sg_status unknown_field(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out)
{
    (void)data;
    (void)name;
    *found = true;
    *out = sg_unknown_value(vm);
    return SG_OK;
}

static sg_status call_unknown(sg_vm *vm, void *data, const sg_args *args, sg_value *out)
{
    (void)data;
    (void)args;
    *out = sg_unknown_value(vm);
    return SG_OK;
}

static const sg_native_class unknown_class = {
    .name = "Unknown", .print = print_unknown, .get_field = unknown_field, .call = call_unknown};

sg_value sg_unknown_value(sg_vm *vm)
{
    sg_session_of(vm)->n_unknown++;
    return sg_native_make(vm, &unknown_class, NULL);
}

bool sg_is_unknown(sg_value value)
{
    return sg_is(value, SG_OBJ_NATIVE) && ((sg_native *)value.o)->class_ == &unknown_class;
}
