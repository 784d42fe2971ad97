#include "builtins/builtins.h"

#include "builtins/subjects.h"

bool sg_builtins_register(sg_vm *vm)
{
    static bool (*const subjects[])(sg_vm * vm) = {
        sg_register_operators,   sg_register_math,         sg_register_rounding,
        sg_register_arrays,      sg_register_growing,      sg_register_strings,
        sg_register_collections, sg_register_higher_order, sg_register_sorting,
        sg_register_types,       sg_register_output,       sg_register_testing,
        sg_register_units,       sg_register_system,       sg_register_interpolation};
    for (size_t i = 0; i < SG_COUNT(subjects); i++)
        if (!subjects[i](vm))
            return false;
    return true;
}
