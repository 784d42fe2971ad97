// Var(...), Par(...) among the values of a run.
//
// The parameter dictionary of an instance holds start values by the names of their variables, so
// merge = Map(x = 2.0) starts x at 2. Who writes Map(x = Var(init = 2.0)), as in the model, means
// the same. What else stands in such a Var takes effect where a run can still do so, and is told
// where it cannot: the equations and their states were made by @instantiateModel.
#pragma once

#include "model/instance.h"

typedef enum sg_merged {
    SG_MERGED_AS_IS,   // nothing of this kind: leave the entry to the merge
    SG_MERGED_VALUE,   // it stands for `out`
    SG_MERGED_NOTHING, // it gives no value: leave the entry out
    SG_MERGED_FAILED   // after an error
} sg_merged;

// The value that the entry `e` of a merge stands for; `name` is its full name. Typical sizes and
// bounds go to the flat model.
sg_merged sg_merged_var(sg_instance *instance, sg_sym name, const sg_dict_entry *e, sg_value *out);

// Warns about attributes of a Var that are not known and resemble known ones.
void sg_merged_check_attributes(const sg_instance *instance, const sg_dict *var);
