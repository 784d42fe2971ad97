// Where a run begins: the states that have no init value move until the conditions of the start
// hold. Conditions are initial equations, variables that are steady, and init values of variables
// that are no states.
//
// States with init stay. Of the others those without any value move first; those with a start
// value, which is a guess, move only if that does not do. What the conditions leave open is told,
// unless no condition depends on it: then it begins where it would have begun. Init values alone
// that cannot be met are left to the check of language 4.8, which reports them as ever.
#pragma once

#include "sim/compiled.h"

// Is there anything to do?
bool sg_start_has_conditions(const sg_compiled *compiled);
// For sg_sim_model.solve_start; `user` is the compiled model.
sg_status sg_start_solve(void *user, sg_events *events, double t, double *x, int round,
                         bool *moved);
