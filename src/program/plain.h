// Dynamics that are plain arithmetic, in a form of their own.
//
// A small model's evaluation takes as many instructions to get to its equations and back as for
// them. Where all steps of the dynamics are sums, differences, products, quotients and copies of
// numbers, no step calls anything, so that a function that runs nothing else has no registers to
// save; the groups (fused.h) lie one behind the other with the addresses of their code, the last
// one ends the evaluation, and states and derivatives are copied by steps whose lengths are known.
// All results are stored, as evaluate.c does: whoever looks at the workspace afterwards finds the
// same.
#pragma once

#include "program/linked.h"

// At the end of linking: exec->steps.plain, or null if there is another kind of step. False when
// memory ran out.
bool sg_plain_link(sg_exec *exec);
