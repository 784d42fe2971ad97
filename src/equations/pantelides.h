// Which equations must be differentiated, and how often, so that the highest derivatives can be
// computed: Pantelides' algorithm on the structure alone.
//
// A model of rigidly coupled parts hides conditions on its velocities and accelerations behind an
// equation between positions. The algorithm finds them by trying to assign a highest derivative to
// every equation; where that fails, the equations reached are differentiated. Order as in language
// 4.5: new variables and equations are appended in ascending order of what they derive from.
#pragma once

#include "equations/graph.h"

typedef struct sg_index_reduction {
    sg_ints var_der; // per column: the column of its derivative or SG_NONE
    sg_ints eq_der;  // per row: the row of its derivative or SG_NONE
    sg_ints row_of;  // the assignment of the highest derivatives
} sg_index_reduction;

// Appends rows to `graph` and columns to its count. `red->var_der` comes in with one entry per
// column (x has der(x)) and goes out extended. More than `max_order` derivatives of one equation
// are refused with SG_ERR_LIMIT: the caller has checked that the system is not singular, so that
// cannot happen in a sound model. `*culprit` is then the equation.
sg_status sg_pantelides(sg_graph *graph, sg_index_reduction *red, int max_order, int *culprit);
void sg_index_reduction_free(const sg_allocator *allocator, sg_index_reduction *red);
