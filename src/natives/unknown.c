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

static const sg_native_class unknown_class = {.name = "Unknown",
                                              .stands_in = true,
                                              .print = print_unknown,
                                              .get_field = unknown_field,
                                              .call = call_unknown};

sg_value sg_unknown_value(sg_vm *vm)
{
    sg_session_of(vm)->models.n_unknown++;
    return sg_native_make(vm, &unknown_class, NULL);
}

bool sg_is_unknown(sg_value value)
{
    return sg_is(value, SG_OBJ_NATIVE) && ((sg_native *)value.o)->class_ == &unknown_class;
}

// Values may contain themselves; models that are nested deeper than this are no models.
enum { DEEPEST = 100 };

static bool holds_unknown(sg_value value, int depth)
{
    if (depth > DEEPEST || sg_is_unknown(value))
        return depth <= DEEPEST;
    if (sg_is(value, SG_OBJ_DICT)) {
        sg_dict_entry entry;
        for (size_t at = 0; sg_dict_next((const sg_dict *)value.o, &at, &entry);)
            if (holds_unknown(entry.value, depth + 1))
                return true;
    }
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    for (size_t i = 0; array && array->elem == SG_ELEM_ANY && i < array->len; i++)
        if (holds_unknown(array->v[i], depth + 1))
            return true;
    return false;
}

bool sg_holds_unknown(sg_value value) { return holds_unknown(value, 0); }
