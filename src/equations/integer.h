// Equations that only add and subtract variables: connections, sums of currents, differences of
// potentials. They are most of the equations of a model made of components, and they can be solved
// exactly, with integers, before anything numeric happens.
//
// The elimination finds variables that are equal up to the sign (aliases), variables that are zero,
// variables that may have any value (the potential of a circuit without ground), equations that say
// nothing new, and equations between potential states that hide behind other equations. Rows are
// linked lists with a hash index, and the next pivot comes from queues ordered by the row number:
// that keeps the order of language 4.3 and the cost near linear, also for the one long sum of a
// ground node.
#pragma once

#include "base/arena.h"
#include "equations/graph.h"

enum { // flags of a variable
    SG_INT_STATE = 1,
    SG_INT_DERIVATIVE = 2,
    SG_INT_ELSEWHERE = 4,
    SG_INT_KNOWN = 8 // never a pivot
};

// c1*v1 + c2*v2 + ... = 0 as given: rows over variables 0..n_vars-1 with small whole coefficients.
typedef struct sg_int_system {
    sg_graph rows;
    sg_ints coefs;              // parallel to rows.cols
    const unsigned char *flags; // per variable
} sg_int_system;

typedef enum sg_int_fate {
    SG_INT_UNTOUCHED,   // the equation stays as it was written
    SG_INT_TRANSFORMED, // it stays as sum = 0, see `sums`
    SG_INT_ORIGINAL,    // elimination made it longer; the written form stays
    SG_INT_ALIAS,       // removed: it defines an alias
    SG_INT_ZERO,        // removed: it says that a variable is zero
    SG_INT_REDUNDANT    // removed: it follows from the others
} sg_int_fate;

typedef struct sg_int_result {
    unsigned char *fate; // per row, sg_int_fate
    // Per variable: sign 0 and root SG_NONE: stays; sign 0 and root = itself: is zero;
    // sign +1 or -1: is +root or -root.
    signed char *sign;
    int *root;
    sg_ints removed;    // rows of fate ALIAS and ZERO in the order they were found (last to first)
    sg_ints free_zeros; // variables that could have any value and are set to zero
    sg_graph sums;      // row i is the transformed form of row i (empty unless TRANSFORMED)
    SG_VEC(int64_t) sum_coefs;
} sg_int_result;

// `arena` holds the arrays of the result; sums, removed and free_zeros are freed by
// sg_int_result_free. The system is not changed.
sg_status sg_int_eliminate(const sg_int_system *system, sg_arena *arena, sg_int_result *out);
void sg_int_result_free(const sg_allocator *allocator, sg_int_result *result);
