// Finding where root functions change sign within the step that an engine has just taken. The
// rules are those of solver/solver.h.
#pragma once

#include "solver/engine.h"

// After a (re)start: takes the signs at s->t.
sg_status sg_roots_arm(sg_solver *s);

// Where the last root was found: what has not crossed after all is as if it had not been found.
sg_status sg_roots_take_back(sg_solver *s, sg_advance *step);

// Looks at (s->roots.t_out, t_end], stops at the first root, and fills `step`.
sg_status sg_roots_scan(sg_solver *s, double t_end, double t_stop, sg_advance *step);
