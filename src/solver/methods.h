// The solver names that models use, and what each of them runs here.
//
// Models name solvers of the Julia world. Each name maps to the nearest method of SUNDIALS; the
// list is solver/solver_names.h and is printed by the documentation, so nobody has to guess.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum sg_family {
    SG_FAMILY_BDF,   // CVODE, backward differentiation, Newton
    SG_FAMILY_ADAMS, // CVODE, Adams-Moulton, fixed-point iteration
    SG_FAMILY_IDA,   // IDA, backward differentiation on F(t, x, dx) = 0
    SG_FAMILY_ERK,   // ARKODE, explicit Runge-Kutta
    SG_FAMILY_DIRK   // ARKODE, diagonally implicit Runge-Kutta
} sg_family;

// Runge-Kutta tables: those of ARKODE and those that are ours (solver/tables.h).
typedef enum sg_table {
    SG_TABLE_NONE,
    SG_TABLE_EULER,
    SG_TABLE_HEUN_EULER,
    SG_TABLE_MIDPOINT,
    SG_TABLE_RALSTON,
    SG_TABLE_BS3,
    SG_TABLE_RK4,
    SG_TABLE_ZONNEVELD,
    SG_TABLE_TSIT5,
    SG_TABLE_DP5,
    SG_TABLE_CASH_KARP,
    SG_TABLE_FEHLBERG5,
    SG_TABLE_VERNER6,
    SG_TABLE_VERNER7,
    SG_TABLE_VERNER8,
    SG_TABLE_PRINCE_DORMAND8,
    SG_TABLE_IMPLICIT_EULER,
    SG_TABLE_IMPLICIT_MIDPOINT,
    SG_TABLE_TRAPEZOID,
    SG_TABLE_TRBDF2,
    SG_TABLE_KVAERNO3,
    SG_TABLE_KVAERNO4,
    SG_TABLE_KVAERNO5,
    SG_TABLE_CASH4,
    SG_TABLE_SDIRK4,
    SG_TABLE_KENCARP3,
    SG_TABLE_KENCARP4,
    SG_TABLE_KENCARP47,
    SG_TABLE_KENCARP5,
    SG_TABLE_ESDIRK3,
    SG_TABLE_ESDIRK4,
    SG_TABLE_ESDIRK5
} sg_table;

typedef struct sg_algorithm {
    const char *name; // as models write it, without parentheses
    sg_family family;
    sg_table adaptive, fixed; // Runge-Kutta: with and without step control
    int max_order;            // multistep: largest order, 0 is the method's own limit
    const char *runs;         // one line for the documentation
} sg_algorithm;

// Null if the name is unknown. Arguments, type parameters and a module in front are ignored:
// "Sundials.CVODE_BDF()", "AutoVern6(Rodas4())", "QBDF(autodiff=false)".
const sg_algorithm *sg_algorithm_find(const char *name);
// The whole list, for documentation and for "did you mean".
const sg_algorithm *sg_algorithm_list(size_t *n);

static inline bool sg_algorithm_is_dae(const sg_algorithm *m) { return m->family == SG_FAMILY_IDA; }
static inline bool sg_algorithm_is_one_step(const sg_algorithm *m)
{
    return m->family == SG_FAMILY_ERK || m->family == SG_FAMILY_DIRK;
}
