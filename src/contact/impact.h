// An impact: the impulse between two bodies that hit each other in one point, with friction.
//
// The bodies are rigid for it, and it takes no time. All that it needs to know of them is how an
// impulse P on B (and -P on A) changes the relative velocity u of the contact point: u+ = u + W P.
// There are two phases after Poisson, each with Coulomb's friction against the sliding at its end
// ([PG1996]):
//
//     compression  ends where u n = 0; its impulse along n is P_c
//     expansion    has restitution times P_c along n
//     in both      P_t is what stops the sliding, or mu P_n against it
//
// A ball, or whatever is hit along a line through its center of mass, leaves with exactly
// -restitution times the speed it came with. Elsewhere friction and spin change that, while the
// loss of energy is never negative for a restitution of up to 1.
#pragma once

#include "math/mat3.h"
#include "segue/status.h"

typedef struct sg_impact {
    sg_mat3 W; // symmetric, not negative [1/kg]
    sg_vec3 n; // unit normal from A to B
    sg_vec3 u; // velocity of B against A; u n < 0 [m/s]
    double restitution, friction;
} sg_impact;

// The impulse on B [N s] and what the bodies lose by it [J]. SG_ERR_INPUT where there is none:
// nothing that can move along n, or friction that jams a rod (the paradox of Painleve).
sg_status sg_impact_solve(const sg_impact *impact, sg_vec3 *impulse, double *loss);
