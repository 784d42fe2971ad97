// What a model may say and Segue does not simulate yet. It is said, so that nobody trusts a result
// in which it is missing.
#include "base/assert.h"
#include "parts/elements.h"
#include "parts/functions.h"

sg_status sg_read_unsupported(sg_part *part, const sg_part_element *element)
{
    sg_warning(part->vm->diags, SG_E_UNSUPPORTED, element->span,
               "%s '%s' is not simulated yet; it is ignored", element->kind, element->path);
    return SG_OK;
}

// ---- functions ------------------------------------------------------------------------------

typedef struct later {
    const char *name, *what;
} later;

static const char actions[] = "action programs of ModelActions cannot be run yet";

static const later later_functions[] = {
    {"executeActions", actions},         {"addReferencePath", actions},
    {"ptpJointSpace", actions},          {"ActionWait", actions},
    {"EventAfterPeriod", actions},       {"ActionAttach", actions},
    {"ActionReleaseAndAttach", actions}, {"ActionRelease", actions},
    {"ActionDelete", actions},           {"ActionFlipChain", actions},
    {"getRefPathPosition", actions},     {"getRefPathInitPosition", actions}};

static sg_status later_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const later *function = &later_functions[(uintptr_t)context];
    *out = SG_VALUE_NOTHING;
    return sg_raise(vm, "ErrorException", SG_E_UNSUPPORTED, args->span, "'%s': %s", function->name,
                    function->what);
}

bool sg_parts_register_later(sg_vm *vm, sg_module *module)
{
    for (size_t i = 0; i < SG_COUNT(later_functions); i++)
        if (!sg_vm_register(vm, module, later_functions[i].name, later_native, (void *)(uintptr_t)i,
                            NULL))
            return false;
    return true;
}
