// A point contact that sticks: friction with a memory of where the two bodies held on to each
// other.
//
// The law of the thesis lets friction fall to zero with the speed (contact/law.h), so whatever
// leans on it creeps. Here the pair has an anchor y = (z, psi): how far the two surfaces were moved
// and turned against each other, at the point where they touch, since they stuck. It resists with
//
//     f = sqrt(k_t k_0) z + c v_t,      z' = sqrt(k_t/k_0) v_t,      c = 2 d sqrt(k_t m)
//     M = sqrt(k_m m_0) psi + c_m w_n,  psi' = sqrt(k_m/m_0) w_n,    c_m = 2 d sqrt(k_m J)
//
// where k_0 and m_0 are constants, those at a common depth; there it is f = k_t z. The depth
// changes while it holds, and counted so, f v_t is what k_0 z^2/2 changes by, whatever k_t does:
// nothing is won by pressing, pulling, letting go and turning back. With the mass m and the moment
// of inertia J of the two against each other, where k_t is that of Mindlin, 2 (1 - nu)/(2 - nu) of
// the stiffness along the normal at the present depth, which for Hertz' law is 3/2 k sqrt(p). With
// the radius a = sqrt(R p) of the area that Hertz speaks of, the one that resists turning is k_m =
// 2/3 (2 - nu) a^2 k_t, and turning on the spot is worth r = 3 pi/16 a of sliding: both share one
// limit (Contensou),
//
//     phi = |(f, M/r)| / (mu f_n) <= 1
//
// Beyond it the force is cut to the limit, and the anchor flows back to it,
//
//     z' = sqrt(k_t/k_0) v_t - max(0, 1 - 1/phi) z/tau
//
// so below the limit nothing creeps, and in slip it is Coulomb's law.
//
// The anchor belongs to the two bodies, not to the point that wanders over them: v_t is the
// velocity of the material points that touch at present, so a body that rolls winds nothing up. z
// is kept in the frame of the flatter of the two, which the normal turns with; spin of one of them
// about the normal turns z by half of it. Where the normal turns otherwise, z turns along and keeps
// its size.
//
// [Mindlin1949]; docs/theory/stick.md has the limits.
#pragma once

#include "contact/flat.h"

typedef struct sg_stick {
    double ratio;         // of k_t to the stiffness along the normal
    double turned;        // of k_m to a^2 k_t; 0 where no radius is known
    double mass, inertia; // that swing [kg], [kg m2]; 0: both bodies are led
} sg_stick;

// What a body opposes to forces: its mass, and a typical moment of inertia; 0 for one that they do
// not move.
typedef struct sg_stick_body {
    double mass, inertia; // [kg], [kg m2]
} sg_stick_body;

// Two parts of these elasticities.
sg_stick sg_stick_make(const double poisson[2], const sg_stick_body body[2], bool linear);

// Where the anchor is kept, and in which mode it is.
typedef struct sg_stick_anchor {
    const double *y; // SG_ANCHOR numbers
    double *rate;
    const sg_mat3 *frame; // of one of the two,
    double side;          // 1: of A, -1: of B
    bool slips;           // mode: the limit is that of sliding
    bool held;            // it stays on this branch:
    int *branch;          // 1 beyond the limit, 2 cut
} sg_stick_anchor;

// sg_contact_law_act with such friction. *share is phi of what the anchor holds; 0 where nothing
// presses.
void sg_stick_act(const sg_contact_law *law, const sg_stick *stick, double penetration, sg_vec3 n,
                  sg_vec3 v, sg_vec3 w, const sg_stick_anchor *anchor, double *share,
                  sg_contact_action *out);
