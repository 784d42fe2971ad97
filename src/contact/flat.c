#include "contact/flat.h"

#include "contact/limit.h"

// Modulus of a layer that cannot give way sideways.
static double layer_modulus(double young, double poisson)
{
    return young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
}

static double stiffness_of(const sg_contact_pair *pair, const sg_flat_pair *flat, int i)
{
    double poisson = fmin(pair->poisson[i], 0.45); // beyond, a layer hardly gives way at all
    return layer_modulus(pair->young[i], poisson) / flat->body[i]->thickness;
}

// Of the two against each other; 0 where both are led [1/kg].
static double inverse_mass(const sg_flat_pair *flat)
{
    double inverse = 0.0;
    for (int i = 0; i < 2; i++)
        inverse += flat->mass[i] > 0.0 ? 1.0 / flat->mass[i] : 0.0;
    return inverse;
}

// How fast the two swing on each other [1/s].
static double swing_rate(const sg_flat_pair *flat, double k)
{
    double area = fmin(flat->body[0]->girth, flat->body[1]->girth);
    return sqrt(k * area * inverse_mass(flat));
}

// At rest two bodies swing on each other with this part of the critical damping. A tall body that
// spins or slides needs it: friction below its center feeds swings, by mu h/4 <x^2/rho>/<x^2> of
// what is critical for a cube of height h that spins, 0.28 with mu = 0.5. A tower of ten cubes
// sways 120 times slower than a cube swings, and dies away with 18/s by all of it; with 0.6 with
// 11/s.
static const double damped_at_rest = 1.0;
// Materials that lose nothing, or nearly so, have a dashpot in this part of g/omega.
static const double least_v_min = 0.01;

// The speed below which damping is that of a dashpot, in g/omega: pressure p = m g damped by a
// v/v_s is 2 damped_at_rest m omega v.
static double rest_v_min(double loss) { return fmax(0.5 * loss / damped_at_rest, least_v_min); }

// Where there is no uniform gravity, nobody knows how hard bodies that rest are pressed; as by this
// [m/s2], less than on earth, so that restitution is what it should be down to slower impacts. The
// speeds that materials have for points are a hundred times as large.
static const double light_gravity = 1.0;

// Where an impact turns round, v_s is this part, times e^2, of the speed that the energy stored
// would make: pressure that fell by 1 - e^2 within the time that v_s at rest takes would cost
// hundreds of steps. What is missing of the loss there would make e larger by turning_gain (1 -
// e^5), measured on the law by itself for e from 0.05 to 0.9; so that much less is aimed at.
static const double turning_part = 0.1, turning_gain = 0.0035;
// What carries less than this many of its own weights is no impact: towers shall not sway longer.
// The part of an impact that it is grows with the fourth power below, so that ten weights are none.
static const double stacked = 60.0;

// Across the normal swings die away with this part of the critical damping.
static const double damped_across = 0.3;
// Patches whose swings are slower than this part of those of the whole face are damped as if they
// were not; near the first touch friction is what the limit says, not what damps.
static const double least_part = 0.01;
// An anchor beyond the limit is back in a quarter of the time of a swing, less 2 pi.
static const double relaxes_in = 0.25;
// Without masses there is no swing: both bodies are led.
static const double led_rate = 1e4;

sg_area_law sg_flat_law_make(const sg_law_options *options, const sg_contact_pair *pair,
                             const sg_flat_pair *flat, sg_flat_stick *stick)
{
    sg_area_law law = {0};
    for (int i = 0; i < 2; i++)
        law.kappa[i] = options->reduction * stiffness_of(pair, flat, i);
    double k = law.kappa[0] * law.kappa[1] / (law.kappa[0] + law.kappa[1]);
    double e = fmin(1.0, fmax(0.0, pair->restitution)), rate = swing_rate(flat, k);
    double aim = e * (1.0 - turning_gain * (1.0 - pow(e, 5.0)));
    law.loss = (1.0 - aim * aim) / (1.0 + aim * aim);
    double gravity = flat->gravity > 0.0 ? flat->gravity : light_gravity;
    law.v_min = rate > 0.0 ? rest_v_min(law.loss) * gravity / rate : pair->v_min;
    double turns = turning_part * e * e;
    double light = inverse_mass(flat), falls = rate > 0.0 ? flat->gravity / rate : 0.0;
    law.weight = light > 0.0 ? gravity / light : 0.0;
    law.whole = fmin(flat->body[0]->girth, flat->body[1]->girth);
    law.swift = 2.0 * turns * turns * light;
    law.load = light > 0.0 ? 0.5 * stacked * stacked * falls * falls / light : 0.0;
    double nu = 0.5 * (pair->poisson[0] + pair->poisson[1]);
    rate = rate > 0.0 ? rate : led_rate;
    stick->ratio = 2.0 * (1.0 - nu) / (2.0 - nu);
    stick->damping = 2.0 * damped_across / (rate * sqrt(stick->ratio));
    stick->relaxing = relaxes_in / rate;
    stick->swing = 1.0 / rate;
    double girth = fmin(flat->body[0]->girth, flat->body[1]->girth);
    stick->size = sqrt(girth);
    stick->whole = stick->ratio * k * girth;
    return law;
}

// Friction of the patch on B.
typedef struct friction {
    sg_vec3 force;
    double torque; // about the normal
} friction;

static friction slide(const sg_contact_law *law, double f, double r, sg_vec3 vt, double spin)
{
    double speed = sqrt(v3_norm2(vt) + r * r * spin * spin);
    double share = f > 0.0 ? law->friction * f / sg_law_regularize(speed, law->v_min) : 0.0;
    return (friction){v3_scale(vt, -share), -share * r * r * spin};
}

// Numbers too small to matter keep quotients of nothing finite [N], [m].
static const double no_force = 1e-12, no_arm = 1e-9;

// Anchors flow back from the limit on, with the square of what is beyond it at first: where they
// began at once with a slope, Newton's method failed at each turn from stick to slip, and the
// following step was rejected by its error. From twice this part of the limit on it is a line
// again.
static const double begins_over = 0.3;

static double flows(double share)
{
    double beyond = share - 1.0;
    return beyond < 2.0 * begins_over ? beyond * beyond / (4.0 * begins_over)
                                      : beyond - begins_over;
}

// Damping of motion that would turn the force along the limit fades beyond it, to a half where this
// part of the limit is passed. In slip the anchor alone shall say which force belongs to the
// motion.
static const double fades_over = 0.2;

static double fading(double share)
{
    double beyond = (share - 1.0) / fades_over, sum = 1.0 + (M_SQRT2 - 1.0) * beyond * beyond;
    return 1.0 / (sum * sum);
}

// What damping adds to a force beyond the limit, both over the limit: in full what makes the force
// larger, of what turns it a part.
static friction fade(const sg_limit_use *over, double arm, friction force, friction damping)
{
    // On a branch that is held, or at the very start of slip, there may be no force yet.
    if (!(over->share > 1.0))
        return damping;
    double grows =
        (v3_dot(over->slip, damping.force) + over->spin * damping.torque / arm) / over->share;
    double part = fading(over->share), along = grows * (1.0 - part);
    return (friction){v3_add_scaled(v3_scale(damping.force, part), force.force, along),
                      part * damping.torque + along * force.torque};
}

// Patches below this part of the smaller body are points to what is said next.
static const double like_a_point = 0.02;

// How an anchor goes that keeps force and torque where they are while the center of pressure, which
// they are counted from, moves within the patch (flat.h). What slips has its force at the center;
// so has a patch that goes on by its own size while anchors flow, and one that is a point.
typedef struct carried {
    sg_vec3 z;
    double psi;
} carried;

static carried carry(const sg_flat_stick *stick, const sg_area_patch *patch, sg_vec3 z, double psi,
                     double share)
{
    double r2 = patch->arm * patch->arm, point = like_a_point * stick->size;
    double wide = r2 / (r2 + point * point);
    double steps = v3_norm(patch->shift) * stick->relaxing / (patch->arm + no_arm);
    double kept = (share > 1.0 ? fading(share) : 1.0) * wide * wide / (1.0 + steps * steps);
    if (!(patch->spread > 0.0))
        return (carried){V3_ZERO, 0.0};
    sg_vec3 turn = v3_scale(v3_cross(patch->n, patch->shift), kept / sqrt(patch->spread));
    return (carried){v3_scale(turn, stick->size * psi), -v3_dot(turn, z) / stick->size};
}

// How long damping across the normal counts: swings are slower on an edge than on the whole face,
// and a time that is right there would leave them alone here.
static double damping_time(const sg_flat_stick *stick, double part)
{
    return stick->damping / fmin(1.0, fmax(least_part, part));
}

// Motion takes an anchor along by this many times its limit within the time of flowing back, not
// more. Swings that stick are four times slower.
static const double outruns = 4.0;

static friction hold(const sg_contact_law *law, const sg_flat_stick *stick,
                     const sg_area_patch *patch, double f, sg_vec3 vt, sg_vec3 w,
                     const sg_flat_anchor *anchor)
{
    sg_vec3 n = patch->n, y = v3_scale(m3_mul_v(anchor->frame, v3_from(anchor->y)), anchor->side);
    double along = v3_dot(y, n), spin = v3_dot(w, n), r = patch->arm + no_arm, psi = anchor->y[3];
    sg_vec3 z = v3_add_scaled(y, n, -along);
    double kt = stick->ratio * patch->stiffness,
           limit = sg_contact_law_grip(law, anchor->slips) * f + no_force;
    // What the patch has of the whole, for moving and for turning.
    double part = sqrt(kt / stick->whole), turns = part * sqrt(patch->spread) / stick->size;
    // Forces and torques over the limit.
    double unit = kt / limit, damps = unit * damping_time(stick, part),
           whole = stick->whole / limit;
    friction elastic = {v3_scale(z, whole * part), whole * turns * stick->size * stick->size * psi};
    friction damping = {v3_scale(vt, damps), damps * r * r * spin};
    sg_limit surface = sg_limit_make(n, r, patch->along, patch->second);
    sg_limit_use over = sg_limit_use_of(&surface, elastic.force, elastic.torque);
    bool held = anchor->held, slips = held ? *anchor->branch & 1 : over.share > 1.0;
    double back = slips ? flows(over.share) / (stick->relaxing * unit) : 0.0;
    carried goes = carry(stick, patch, z, psi, over.share);
    // Nothing is held by no pressure: the rate goes to that of an anchor that lets go.
    double speed = sqrt(v3_norm2(vt) + r * r * spin * spin),
           fastest = outruns * (limit - no_force) / (kt * stick->relaxing);
    bool outrun = held ? *anchor->branch & 4 : speed > fastest;
    double drive = outrun && speed > 0.0 ? fastest / speed : 1.0;
    // The anchor turns with the mean of both bodies, so that it does not matter which one is A.
    sg_vec3 rate = v3_scale(v3_add_scaled(v3_scale(vt, drive), over.slip, -back), part);
    rate = v3_add(v3_add_scaled(rate, v3_cross(w, y), 0.5 * anchor->side), goes.z);
    // What is no longer across the normal, which turns, is forgotten.
    rate = v3_add_scaled(rate, n, -0.1 * along / stick->relaxing);
    v3_store(v3_scale(m3_tmul_v(anchor->frame, rate), anchor->side), anchor->rate);
    anchor->rate[3] = turns * (drive * spin - back * over.spin / r) + goes.psi;
    if (slips)
        damping = fade(&over, r, elastic, damping);
    friction all = {v3_add(elastic.force, damping.force), elastic.torque + damping.torque};
    double used = sg_limit_share_of(&surface, all.force, all.torque);
    bool clipped = held ? *anchor->branch & 2 : used > 1.0;
    double cut = -limit * (clipped && used > 0.0 ? 1.0 / used : 1.0);
    if (!held)
        *anchor->branch = slips + 2 * clipped + 4 * outrun;
    *anchor->share = over.share;
    return (friction){v3_scale(all.force, cut), all.torque * cut};
}

// What an anchor keeps and can give back: beyond the limit no more than at it.
static double kept_by(const sg_flat_stick *stick, const sg_flat_anchor *anchor)
{
    const double *y = anchor->y;
    double turned = stick->size * y[3], over = fmax(1.0, *anchor->share);
    return 0.5 * stick->whole * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + turned * turned) /
           (over * over);
}

void sg_flat_let_go(const sg_flat_stick *stick, const sg_flat_anchor *anchor)
{
    bool moved = false;
    for (int i = 0; anchor->y && i < SG_ANCHOR; i++) {
        anchor->rate[i] = -anchor->y[i] / stick->relaxing;
        moved |= anchor->y[i] != 0.0;
    }
    // Nothing can be held by no force, so a Jacobian that looks from here into the contact sees it
    // slip, not what was noted elsewhere.
    if (anchor->y && !anchor->held)
        *anchor->branch = moved + 2 + 4;
}

// Resistance to rolling, a torque on B across the normal.
static sg_vec3 resist(const sg_contact_law *law, const sg_area_patch *patch, double f, sg_vec3 wt)
{
    double most = law->rolling * patch->roll * f;
    return most > 0.0 ? v3_scale(wt, -most / sg_law_regularize(v3_norm(wt), law->w_min)) : V3_ZERO;
}

void sg_flat_act(const sg_contact_law *law, const sg_flat_stick *stick, const sg_area_patch *patch,
                 sg_vec3 v, sg_vec3 w, const sg_flat_anchor *anchor, sg_contact_action *out)
{
    sg_vec3 n = patch->n;
    double f = v3_norm(patch->force), apart = v3_dot(v, n), spin = v3_dot(w, n);
    sg_vec3 vt = v3_add_scaled(v, n, -apart);
    sg_vec3 torque = v3_sub(patch->torque, v3_cross(patch->center, patch->force));
    friction rubs = {V3_ZERO, 0.0};
    if (!(f > 0.0))
        sg_flat_let_go(stick, anchor);
    else
        rubs = anchor->y ? hold(law, stick, patch, f, vt, w, anchor)
                         : slide(law, f, patch->arm, vt, spin);
    sg_vec3 wt = v3_add_scaled(w, n, -spin), rolling = resist(law, patch, f, wt);
    *out = (sg_contact_action){
        .rate = -apart,
        .pressure = f,
        .slide = v3_norm(vt),
        .spin = fabs(spin),
        .friction = v3_norm(rubs.force),
        .rolling = sqrt(rubs.torque * rubs.torque + v3_norm2(rolling)),
        .force = v3_add(patch->force, rubs.force),
        .torque = v3_add(v3_add_scaled(torque, n, rubs.torque), rolling),
        .stored = patch->stored,
        .kept = anchor->y && f > 0.0 ? kept_by(stick, anchor) : 0.0,
        .damped = patch->damped,
        .slid = -v3_dot(rubs.force, vt),
        .rolled = -rubs.torque * spin - v3_dot(rolling, wt),
    };
}
