// Modifications that miss their target.
//
// A merge takes any name, so a misspelt one makes a new key that nothing uses, and the model runs
// with the old value. What a Map adds, no expression uses and resembles another name is told with
// its place. What a run overrides (merge, --set) must be there and have the same dimension.
#pragma once

#include "model/instance.h"

// Warns about keys that modifications added to components of the flattened model and that were
// meant for others.
void sg_modifiers_find_unused(sg_instance *instance);

// Reports values of modifications that have another dimension than those that they replaced: as
// errors, if units in the equations do not fit; else quantities only, in warnings. True after
// errors.
bool sg_modifiers_blame_units(sg_instance *instance, bool misfit);

// Looks at the entries of `map`, which is to be merged into the parameters of a run. Names that the
// model does not have get `unknown`, SG_WARNING or SG_ERROR. False after an error: one of those, a
// component with equations, which no run can take up, or a value of another dimension.
bool sg_modifiers_check(sg_instance *instance, const sg_dict *map, sg_severity unknown);

// The map without what only declares variables that the model has: who merges a complete component
// gives its connectors once more (language.md 3.10). In place of a Var with init or start stands
// that value (merged_var.h). SG_OK, SG_ERR_MEMORY, or SG_ERR_MODEL after an error was reported.
sg_status sg_modifiers_values(sg_instance *instance, sg_value map, sg_value *out);

// The map with units where plain SI numbers replace quantities, so that these stay what they are:
// R = 5.0 for 1.0 Ω is 5.0 Ω.
sg_status sg_modifiers_units(sg_instance *instance, sg_value map, sg_value *out);

// Whether the model has a parameter, start value or component of this full name.
bool sg_modifiers_has(const sg_instance *instance, const char *name);
