// Are the states still the right ones? For constraints that cannot be solved once and for all.
//
// A pendulum in Cartesian coordinates can be described by x while y follows from x^2 + y^2 = L^2,
// or the other way round; each choice fails where the other is best. After a step the caller asks
// here; when the present choice is much worse than the best one it ends the step as an event,
// translates again with the preferences it gets, takes the new states from the present values, and
// goes on. Choices are judged by the pivots of the constraint matrix, as an elimination with full
// pivoting would choose them.
#pragma once

#include "equations/translate.h"

// Present dummies are kept as long as their smallest pivot is at least this part of the best
// choice's. Errors of the states are held to their tolerances, those of dummies are not: a place
// that is computed with a ratio r is off by 1/r times as much, its speed by 1/r^2. At a half that
// is 4 (a fifth made 25 of it, and a pendulum that turns over was 350 tolerances off where its
// twin in angles is 93), and the way back is still a factor of four away.
#define SG_RESELECT_RATIO 0.5

// The entries of the constraint matrices, one set after the other: what the caller computes at the
// point to be judged.
uint32_t sg_reselect_count(const sg_structure *structure);
void sg_reselect_entries(const sg_structure *structure, sg_expr_id *entries);

// `entries` are the values of those; a set with one that is not finite is left alone. `preference`
// (by variable id, as for sg_translate_options) is only written when the result is true. `work`
// holds sg_reselect_work_size numbers; nothing is allocated.
size_t sg_reselect_work_size(const sg_structure *structure);
bool sg_reselect_states(const sg_structure *structure, const double *entries, double *work,
                        signed char *preference);
