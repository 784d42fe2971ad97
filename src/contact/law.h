// The force laws: how hard two bodies press against each other while they overlap.
//
// Hertz' law with damping after Flores, friction and resistance to rolling, as functions of the
// penetration p, its rate, and the relative motion at the contact point. With n the unit normal
// from A to B, v = v_B - v_A, w = w_B - w_A,
//
//     rate = -v n                                          of p
//     f    = max(0, k p^1.5 (1 + d rate))                  pressure, k = k_red 4/3 E* sqrt(R_geo)
//     f_B  = f n - mu_k f v_t / reg(|v_t|)                 v_t the part of v across n
//     t_B  = -mu_r R_geo f w / reg(|w|)
//
// and the opposite on A. reg(x) is |x| but for small ones, where it stays above zero: friction
// directions have no jump. The damping d is that of an impact, from the coefficient of restitution
// and its speed:
//
//     cor' = cor + (0.001 - cor) exp(log(0.01) |v-| / v_min)
//     d    = min(d_max, 8 (1 - cor') / (5 cor' reg(v-)))
//
// v- is the speed of approach when the contact begins. A contact that lasts may be hit again: then
// v- is the fastest |rate| of the present impact up to now (contact/hits.h). Where v- is exchanged
// the force has no jump: while the rate grows it is v- itself, and where it turns round it is zero.
// A rate that grows by less than a tenth, as by weight, is no hit.
//
// Impacts are not all that presses. Something that is squeezed, however slowly, moves on with the
// speed that it came with, and d rate would be a force of its own: 1.6 times Hertz' at 1 mm/s. What
// tells the two apart is how deep it goes: a mass m that comes with v- makes a dent of
//
//     r = (5 m v-^2 / 4 k)^(2/5)
//
// and none that is deeper, for the mass of all that moves. Behind 1.25 r from where the present
// impact began the damping fades, as fast as it can without a pressure that falls with the depth,
// to what adds less than a hundredth to it. In terms of the spring's force S = k p^1.5, from S_1
// where this begins,
//
//     log(f / S) = log(1 + d v-) - ramp(log(S / S_1)),      0 <= ramp' <= 0.9
//
// What swings back by itself is no squeeze: there damping fades later and keeps a tenth of the
// pressure until 50 r, as nothing else calms down what rocks.
//
// Head-on that makes an impact that leaves with u = e v, where x = d v is
//
//     (1 + x) / (1 - e x) = exp(x (1 + e))
//
// whatever masses and stiffness: 0.7 acts as 0.683, 0.3 as 0.256. With `exact` the damping is the
// root x of this for e = cor', over the regularized speed.
//
// The normal must be the gradient of the distance and p its value: then k p^1.5 has the potential
// 2/5 k p^2.5, and what does not come back is counted as lost.
//
// [Neumayr-thesis] (7.1) to (7.13); tables 7.1 and 7.2 are contact/parts.h. The law of the released
// program (components3d.md 8.8) differs at the start of a contact and does not clamp.
//
// The linear response of [OED2005] 4.5 is a spring and a damper along the normal, friction that is
// proportional to the speed below the threshold, and a torque against drilling about the normal:
//
//     f    = max(0, c p + d rate)
//     f_B  = f n - mu_k f v_t / max(|v_t|, v_min)
//     t_B  = -d_w f w_n / max(|w_n|, w_min) n              w_n = w n
//
// Its constants are those of the pair of materials, whatever the shapes and the speed.
#pragma once

#include "contact/hits.h"
#include "math/mat3.h"
#include "shapes/palette.h"

#include <stdbool.h>

typedef struct sg_law_options {
    double reduction;   // k_red, elasticContactReductionFactor; 0 < k_red <= 1, default 1
    double max_damping; // d_max, maximumContactDamping [s/m], default 2000
    bool exact;         // bodies leave with the coefficient of restitution, not with what the
                        // damping of the thesis makes of it
    // The released program, both off by default:
    bool nonsmooth_restitution; // cor' is cor above v_min and 0 below, v- is not regularized, and d
                                // stays until the contact ends
    bool pulls;                 // f is not clamped, and keeps its sign where p is negative
} sg_law_options;

sg_law_options sg_law_options_make(void);

// What two materials and two shapes say of an elastic contact.
typedef struct sg_contact_pair {
    double young[2], poisson[2]; // [Pa], ratio
    double radius;               // R_geo [m]
    double restitution, friction, rolling;
    double adhesion;     // static coefficient of friction, for what sticks
    double v_min, w_min; // v_min [m/s], w_min [rad/s]
} sg_contact_pair;

// And of one by springs.
typedef struct sg_spring_pair {
    double spring, damping; // c [N/m], d [N s/m]
    double drilling;        // d_w [m]
    double friction, v_min, w_min;
} sg_spring_pair;

// The constants of one contact, from its start to its end, and what is remembered of the present
// impact; behind the semicolon of one by springs.
typedef struct sg_contact_law {
    sg_contact_response kind; // elastic, or one by springs (contact/law_form.h)
    bool stays;               // the damping does, whatever happens
    sg_hits hits;             // the impact up to the end of the last step
    double now;               // time of the evaluation [s]
    double mass;              // that may strike [kg], infinite until somebody tells
    double lightest;          // that opposes an impulse here [kg], 0 until somebody tells
    double stiffness;         // k [N/m^1.5]; c [N/m]
    double damping;           // d [s/m]; [N s/m]
    double radius;            // R_geo [m]; 1
    double friction, rolling; // mu_k, mu_r; d_w [m] for the latter
    double adhesion;          // mu_s of what sticks; below mu_k: the same
    double v_min, w_min;
    double restitution;
    sg_law_options options;
    double pull;  // 1 where f keeps its sign, else 0
    double floor; // of f [N]: 0, or minus infinity
} sg_contact_law;

// The coefficient of friction of a contact that has an anchor: the static one until it slips.
static inline double sg_contact_law_grip(const sg_contact_law *law, bool slips)
{
    return slips || !(law->adhesion > law->friction) ? law->friction : law->adhesion;
}

// reg(|x|) with its threshold.
double sg_law_regularize(double x, double small);
// d for an approach with `speed` [m/s], of either sign.
double sg_law_damping(const sg_law_options *options, double restitution, double speed,
                      double v_min);
// What is left of the speed of an impact with the damping d v = x, and the x that leaves this part
// of it (0 < e <= 1); each the inverse of the other, from 1e-6 on to 1e-9 at least.
double sg_law_rebound(double x);
double sg_law_rebound_damping(double e);
// The restitution that a coefficient acts as in impacts that are much faster than `unmoved`.
double sg_law_effective(const sg_law_options *options, double restitution);
// Constants for a contact that begins with this speed. No stiffness, so no force, where a modulus
// is not positive or a ratio not between 0 and 1.
sg_contact_law sg_contact_law_start(const sg_law_options *options, const sg_contact_pair *pair,
                                    double speed);

sg_contact_law sg_contact_law_spring(sg_contact_response kind, const sg_spring_pair *pair);

// A step has ended where p is this depth [m] and changes with this rate [m/s].
void sg_contact_law_follow(sg_contact_law *law, double time, double depth, double rate);

// The longest step from there on [s]. A contact that has just begun is gone through in some steps:
// the first one of an explicit method would put its stages far behind it.
double sg_contact_law_bound(const sg_contact_law *law);

// Whether a contact that is hit with this speed [m/s], or as fast as it is now, gives back what the
// normal force takes, all but a part so small that errors of steps would be seen beside it.
bool sg_contact_law_gives_back(const sg_contact_law *law, double speed);

typedef struct sg_contact_action {
    double penetration, rate;    // p [m] and its rate [m/s]
    double pressure;             // f [N]
    double slide, spin;          // |v_t| [m/s], |w| [rad/s]
    double friction, rolling;    // sizes of the friction force [N] and of the torque [N m]
    sg_vec3 force, torque;       // on B at the contact point, world
    double stored;               // elastic energy [J]
    double kept;                 // by an anchor, and not lost yet [J]
    double damped, slid, rolled; // losses [W], none negative but for what an anchor gives back
} sg_contact_action;

// At least the pressure at any depth up to p and any rate up to `rate`, both not negative, at any
// time; infinite where that is not known.
double sg_contact_law_most(const sg_contact_law *law, double p, double rate);
void sg_contact_law_act(const sg_contact_law *law, double penetration, sg_vec3 n, sg_vec3 v,
                        sg_vec3 w, sg_contact_action *out);
