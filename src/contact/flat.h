// A contact of flat sides, from its start to its end: constants of its law, and its action.
//
// contact/area.h says how two bodies press on each other. The rest is here: what materials make of
// its constants, and friction of the whole patch. With v_t the velocity at the center of pressure
// and w_n the spin about the normal, both are resisted together, as by a ring with the radius r of
// the mean distance of the pressure from its center:
//
//     s   = sqrt(|v_t|^2 + (r w_n)^2)
//     f_B = -mu f v_t / reg(s),    t_B = -mu f r^2 w_n / reg(s) n
//
// so a disk that spins slides without resistance at first, and one that only spins feels mu f r,
// which is 2/3 mu f R for even pressure.
//
// With an anchor the patch sticks. The anchor y = (z, psi) is how far the patch was moved and
// turned since it stuck, in the frame of one of the two; it resists with
//
//     f = sqrt(k_t k_0) z + k_t t_d v_t,          k_t = 2 (1 - nu) / (2 - nu) k A
//     M = sqrt(k_t k_0) r_k R psi + k_t r^2 t_d w_n
//
// (Mindlin's ratio of the stiffness across to that along the normal; t_d damps), clipped to where
// the share phi of the limit (contact/limit.h) is 1. k_0 and R are constants, those of the whole
// smaller face. An anchor beyond the limit flows back to it,
//
//     z' = sqrt(k_t / k_0) (v_t - b(phi - 1) dphi/df / (k_t tau))
//
// where b is 0 below the limit and rises from there without a kink, and psi' = sqrt(k_t / k_0) r_k
// / R (w_n - ...) likewise. The speed s that takes an anchor along counts up to 4 mu f/(k_t tau)
// only, both parts of it alike: slower than that is all that sticks, and an anchor without pressure
// goes nowhere but back. Faces that lie flat have all of their area from the first touch on, so
// with all of the speed its rate would jump there. While the area stays what it is that is a
// spring, f' = k_t v_t. The area changes while bodies rock, and then f v_t + M w_n is still what
// k_0 (z^2 + R^2 psi^2)/2 changes by: a spring k_t z with a k_t that grows would make energy.
//
// so below the limit nothing creeps, and in slip the force is that of Coulomb's law, the one that
// the motion is across the limit at.
//
// A patch on a round side rolls with the radius R, and the materials resist that as they do where
// balls roll, with w_t across the normal; faces do not roll:
//
//     t_B = -mu_r R f w_t / reg(|w_t|)
//
// The center c of pressure is where force and torque are counted from, and it moves when a body
// rocks. What sticks keeps its force where it was; if that went along with c, rocking would turn
// the body and nothing would answer: forces without a potential, which flutter (a cube near tipping
// on a slope did, at 900 Hz). So the torque about c takes up what the force leaves behind,
//
//     psi' = ... - n (c' x z) / (R r_k),    z' = ... + R / r_k psi n x c'
//
// which takes nothing and gives nothing.
#pragma once

#include "contact/area.h"
#include "contact/law.h"

typedef struct sg_flat_pair {
    const sg_area_body *body[2];
    double mass[2]; // of the bodies, 0 for what is not moved by forces [kg]
    double gravity; // [m/s2]
} sg_flat_pair;

enum { SG_ANCHOR = 4 }; // numbers of an anchor: z, psi

// How a patch sticks, and the anchor that it does so with.
typedef struct sg_flat_stick {
    double ratio;             // of k_t to the stiffness along the normal
    double damping, relaxing; // t_d, tau [s]
    double swing;             // the time of a swing, less 2 pi [s]
    double size;              // of the smaller body across [m]
    double whole;             // k_t of a face that is as large [N/m]
} sg_flat_stick;

typedef struct sg_flat_anchor {
    const double *y; // null: there is none
    double *rate;
    const sg_mat3 *frame; // of one of the two,
    double side;          // 1: of A, -1: of B
    bool slips;           // mode: the limit is that of sliding (contact/slip.h)
    bool held;            // it stays on this branch:
    int *branch;          // 1 beyond the limit, 2 clipped, 4 outrun
    double *share;        // out: of the limit that it holds; 0 where nothing presses
} sg_flat_anchor;

// Two bodies of these materials: their foundations are as deep as they are thick.
sg_area_law sg_flat_law_make(const sg_law_options *options, const sg_contact_pair *pair,
                             const sg_flat_pair *flat, sg_flat_stick *stick);

// The action of the patch, at its center. `law` has the constants of friction.
void sg_flat_act(const sg_contact_law *law, const sg_flat_stick *stick, const sg_area_patch *patch,
                 sg_vec3 v, sg_vec3 w, const sg_flat_anchor *anchor, sg_contact_action *out);
// What an anchor does that holds nothing: it forgets.
void sg_flat_let_go(const sg_flat_stick *stick, const sg_flat_anchor *anchor);
