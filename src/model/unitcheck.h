// Units through equations (language.md 2.9, 9): what each variable is measured in follows from what
// is known of others, and an equation whose sides disagree is an error before anything runs.
//
// Numbers in the flat model are SI; units exist only here and in the results. Knowledge starts at
// parameters, start values, literals and `time` and is pushed through sums, products, quotients and
// derivatives, equation by equation, until nothing new is learnt. A variable nothing is known of
// stays open. The literal 0 fits every unit; functions of the user hide what they do.
#pragma once

#include "model/convert.h"
#include "model/instance.h"
#include "syntax/ast.h"

// Not called for unitless models. SG_ERR_MODEL after errors were reported. Fills in the unit of
// every variable of the flat model that could be determined.
sg_status sg_unitcheck(sg_instance *instance);
