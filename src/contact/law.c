#include "contact/law.h"

#include "contact/law_form.h"
#include "math/scalar.h"

// Least regularized coefficient of restitution, and what is left of the step to it at v_min.
static const double least_restitution = 0.001, left_at_v_min = 0.01;

sg_law_options sg_law_options_make(void)
{
    return (sg_law_options){.reduction = 1.0, .max_damping = 2000.0};
}

double sg_law_regularize(double x, double small)
{
    x = fabs(x);
    return x >= small ? x : x * x / small * (1.0 - x / (3.0 * small)) + small / 3.0;
}

// Zero for e and x that belong together; it rises with both.
static double impact(double e, double x) { return log1p(x) - log1p(-e * x) - x * (1.0 + e); }

// Near e = 1, x = 0 the logarithms cancel, and x = 3/2 (1 - e)/(1 - e + e^2) holds to x^2.
static const double nearly_elastic = 1e-5;
enum { HALVINGS = 200 };

static double middle_of(double low, double high) { return low + 0.5 * (high - low); }

double sg_law_rebound(double x)
{
    if (!(x > nearly_elastic)) // to x^2: 2/3 x = (1 - e)/(1 - e + e^2)
        return 1.0 - 2.0 / 3.0 * s_max(x, 0.0) * (1.0 - 2.0 / 3.0 * s_max(x, 0.0));
    double low = 0.0, high = s_min(1.0, 1.0 / x);
    for (int i = 0; i < HALVINGS; i++) {
        double e = middle_of(low, high);
        if (e == low || e == high)
            break;
        *(impact(e, x) < 0.0 ? &low : &high) = e;
    }
    return middle_of(low, high);
}

double sg_law_rebound_damping(double e)
{
    double first = 1.5 * (1.0 - e) / (1.0 - e + e * e);
    if (first < nearly_elastic)
        return first;
    // Below the root it is negative, and at 1/e it has a pole.
    double low = s_min(0.5 * first, 0.5 / e), high = 1.0 / e;
    for (int i = 0; i < HALVINGS; i++) {
        double x = middle_of(low, high);
        if (x == low || x == high)
            break;
        *(impact(e, x) < 0.0 ? &low : &high) = x;
    }
    return middle_of(low, high);
}

double sg_law_effective(const sg_law_options *o, double restitution)
{
    if (o->exact || !(restitution > 0.0))
        return restitution;
    return sg_law_rebound(8.0 * (1.0 - restitution) / (5.0 * restitution));
}

// A restitution of 0.05, less a hundredth, takes d v = 20.2: the largest damping must leave room
// for it down to the speed at which bodies count as still.
static const double most_exact = 21.0;

// As below, but for what bodies leave with.
static double exact_damping(const sg_law_options *o, double cor, double v, double v_min)
{
    double most = s_max(o->max_damping, most_exact / v_min);
    return cor > 0.0 ? s_min(most, sg_law_rebound_damping(cor) / sg_law_regularize(v, v_min))
                     : o->max_damping;
}

double sg_law_damping(const sg_law_options *o, double restitution, double speed, double v_min)
{
    double v = fabs(speed);
    if (o->exact && o->nonsmooth_restitution)
        return exact_damping(o, v > v_min ? restitution : 0.0, v, v_min);
    if (o->nonsmooth_restitution) {
        if (!(v > v_min) || !(restitution > 0.0))
            return o->max_damping;
        return s_min(o->max_damping, 8.0 * (1.0 - restitution) / (5.0 * restitution * v));
    }
    double cor =
        restitution + (least_restitution - restitution) * exp(log(left_at_v_min) * v / v_min);
    if (o->exact)
        return exact_damping(o, cor, v, v_min);
    if (!(cor > 0.0)) // far above v_min a coefficient of 0 is reached in all digits
        return o->max_damping;
    return s_min(o->max_damping, 8.0 * (1.0 - cor) / (5.0 * cor * sg_law_regularize(v, v_min)));
}

static double stiffness_of(const sg_law_options *o, const sg_contact_pair *pair)
{
    double c[2];
    for (int i = 0; i < 2; i++) {
        double nu = pair->poisson[i];
        if (!(pair->young[i] > 0.0) || !(nu > 0.0 && nu < 1.0))
            return 0.0;
        c[i] = pair->young[i] / (1.0 - nu * nu);
    }
    return o->reduction * (c[0] * c[1] / (c[0] + c[1])) * (4.0 / 3.0 * sqrt(pair->radius));
}

// A rate that is larger by this share than what damping was chosen for is none of a hit yet; with
// twice as much it is.
static const double no_hit = 0.1;

// v- of an impact that began with `first` and whose fastest rate is `fastest`: continuous, so that
// no force jumps where an impact becomes a hit.
static double impact_speed(double first, double fastest)
{
    double over = fastest - (1.0 + no_hit) * first;
    return s_max(first, s_min(fastest, first + 2.0 * over));
}

// The share of the pressure that the law for slow impacts may add in a contact that lasts. It
// serves to bring what is slow to rest; with more a contact under load would hold like friction
// against whatever begins to press on it, and then let go at once.
static const double slow_share = 0.1;

static double damping_of(const sg_contact_law *l, double first, double fastest)
{
    double v = impact_speed(first, fastest), cor = l->restitution;
    double d = sg_law_damping(&l->options, cor, v, l->v_min);
    if (first > 0.0 || !(cor > 0.0 && v > 0.0))
        return d;
    // Without what is for slow ones.
    double x = l->options.exact ? sg_law_rebound_damping(cor) : 8.0 * (1.0 - cor) / (5.0 * cor);
    double fast = x / v;
    return fast < d ? fast + s_min(d - fast, slow_share / v) : d;
}

// A squeeze begins this much deeper than the deepest that an impact can go: loads add to that.
static const double squeezes_from = 1.25;
// What is left of the damping then, as a share of the pressure at the speed of the impact.
static const double squeezed_share = 0.008;
// The damping must not fade so fast that the pressure falls while the contact gets deeper: a body
// between two others would jump to and fro. That is an exponent of one; here it is nearly as much,
// but so that it holds at rates up to `no_hit` above the speed of the impact, too.
static const double fades_by = 0.9;
// It begins and ends to do so smoothly, over this part of the way each.
static const double fades_in = 0.3;

// From 0 to 1, with a slope of 1/(1 - fades_in) between its rounded ends.
static double ramp(double u)
{
    double steep = 1.0 / (1.0 - fades_in);
    if (u <= 0.0 || u >= 1.0)
        return u <= 0.0 ? 0.0 : 1.0;
    if (u < fades_in)
        return 0.5 * steep * u * u / fades_in;
    if (u > 1.0 - fades_in)
        return 1.0 - 0.5 * steep * (1.0 - u) * (1.0 - u) / fades_in;
    return steep * (u - 0.5 * fades_in);
}

// d of what is pressed from outside, where the contact has gone from `origin` to p; `energy` is
// that of the impact over 0.4.
static double fade_squeezed(const sg_contact_law *l, double d, double speed, double energy,
                            double origin, double p)
{
    double x = d * speed, from = origin + squeezes_from * pow(energy / l->stiffness, 0.4);
    if (!(p > from) || !(x > squeezed_share))
        return d;
    double all = log((1.0 + x) / (1.0 + squeezed_share));
    double part = ramp(1.5 * log(p / from) * (1.0 - fades_in) * fades_by / all);
    return ((1.0 + x) * exp(-all * part) - 1.0) / speed;
}

// Bodies that swing about the depth of a load go by up to 1.55 of their reach, what rocks by 25.
// Nothing but the contact calms it down, so its damping fades later, first to the share of slow
// ones, and softly: the exponent is the largest without a pressure that falls, as y (1 + y)/(1 +
// y^2) is 1.207 at most.
static const double swings_until = 2.0, rocks_until = 50.0, softly = 1.1;

static double fade_softly(double share, double d, double speed, double y)
{
    double x = d * speed;
    if (!(y > 0.0) || !(x > share))
        return d;
    double part = pow(1.0 + y * y, -0.5 * softly * (1.0 + 1.0 / x)), left = share / speed;
    return left + part * (d - left);
}

// A motion with this much more than the speed that bodies came back with is theirs, and with twice
// that it comes from outside.
static const double own_swing = 1.5;

// d that holds for an impact, at the depth p.
static double fade(const sg_contact_law *l, double d, const sg_hit *hit, double p)
{
    double speed = impact_speed(hit->first, hit->fastest), origin = sg_hit_origin(hit);
    double way = p - origin, far = way / squeezes_from, energy = 1.25 * l->mass * speed * speed;
    // far^2.5 against the reach without a power: most are impacts.
    if (!(way > 0.0) || !(far * far * sqrt(far) * l->stiffness > energy))
        return d;
    double outside = (hit->fastest - own_swing * hit->swing) / (own_swing * hit->swing);
    outside = hit->swing > 0.0 ? s_max(0.0, s_min(outside, 1.0)) : 1.0;
    double squeezed = fade_squeezed(l, d, speed, energy, origin, p);
    if (outside == 1.0)
        return squeezed;
    double reach = pow(energy / l->stiffness, 0.4);
    double soft = fade_softly(slow_share, d, speed, way / (swings_until * reach) - 1.0);
    soft = fade_softly(squeezed_share, soft, speed, way / (rocks_until * reach) - 1.0);
    return soft + outside * (squeezed - soft);
}

// d at this depth and rate.
static double damping_at(const sg_contact_law *l, double p, double rate)
{
    if (l->stays)
        return l->damping;
    sg_hit hit = sg_hits_at(&l->hits, l->now, p, rate);
    bool same = hit.first == l->hits.hit.first && hit.fastest == l->hits.hit.fastest;
    double d = same ? l->damping : damping_of(l, hit.first, hit.fastest);
    return fade(l, d, &hit, p);
}

void sg_contact_law_follow(sg_contact_law *l, double time, double depth, double rate)
{
    sg_hit before = l->hits.hit;
    if (l->stays || l->kind != SG_CONTACT_ELASTIC)
        return;
    sg_hits_follow(&l->hits, time, depth, rate);
    if (l->hits.hit.first != before.first || l->hits.hit.fastest != before.fastest)
        l->damping = damping_of(l, l->hits.hit.first, l->hits.hit.fastest);
}

// In parts of the time that the lightest impact takes to its deepest point. Without it DP8 left
// with up to 6e5 times its speed: balls of 2 mm against 0.5 m, restitution 0.05 to 0.3.
static const double first_step = 0.1;
// Steps behind the beginning of a contact that are bounded; from then on methods know its forces.
enum { FIRST_STEPS = 2 };

double sg_contact_law_bound(const sg_contact_law *l)
{
    double v = l->hits.hit.first, bound = (double)INFINITY;
    if (l->stays || l->kind != SG_CONTACT_ELASTIC)
        return bound;
    if (!sg_contact_law_gives_back(l, 0.0))
        bound = sg_hits_bound(&l->hits, l->v_min);
    if (l->hits.n > FIRST_STEPS || !(v > 0.0 && l->lightest > 0.0 && l->stiffness > 0.0))
        return bound;
    double energy = 1.25 * l->lightest * v * v / (1.0 + 0.5 * l->damping * v);
    return s_min(bound, first_step * pow(energy / l->stiffness, 0.4) / v);
}

sg_contact_law sg_contact_law_start(const sg_law_options *o, const sg_contact_pair *pair,
                                    double speed)
{
    return (sg_contact_law){
        .stiffness = stiffness_of(o, pair),
        .damping = sg_law_damping(o, pair->restitution, speed, pair->v_min),
        .stays = o->nonsmooth_restitution,
        .hits = sg_hits_start(speed, no_hit),
        .restitution = pair->restitution,
        .options = *o,
        .radius = pair->radius,
        .friction = pair->friction,
        .adhesion = pair->adhesion,
        .rolling = pair->rolling,
        .v_min = pair->v_min,
        .w_min = pair->w_min,
        .pull = o->pulls ? 1.0 : 0.0,
        .floor = o->pulls ? -(double)INFINITY : 0.0,
        .mass = (double)INFINITY,
    };
}

// ---- elastic --------------------------------------------------------------------------------

// k p^1.5, odd in p or zero below zero.
static double elastic(const sg_contact_law *l, double p)
{
    return l->stiffness * p * (p > 0.0 ? sqrt(p) : l->pull * sqrt(-p));
}

// The damping takes 4/3 d v of the energy of an impact, for small ones: a thousandth is much beside
// the errors of steps at any sensible tolerance, and nothing has to be done about them.
static const double little_damping = 1e-3;

bool sg_contact_law_gives_back(const sg_contact_law *law, double speed)
{
    if (law->kind != SG_CONTACT_ELASTIC || !(law->stiffness > 0.0))
        return law->stiffness > 0.0 && law->damping == 0.0;
    // One at rest moves as fast as what counts for that.
    const sg_hit *hit = &law->hits.hit;
    speed = s_max(s_max(speed, impact_speed(hit->first, hit->fastest)), law->v_min);
    double damping = law->stays || hit->leaving
                         ? law->damping
                         : damping_of(law, hit->first, s_max(speed, hit->fastest));
    return damping * speed < little_damping;
}

double sg_contact_law_most(const sg_contact_law *l, double p, double rate)
{
    if (l->kind != SG_CONTACT_ELASTIC || !(l->stiffness > 0.0))
        return (double)INFINITY;
    // What hits choose, and what fading leaves of it, is no more than these.
    double damping = s_max(l->damping, l->options.max_damping);
    if (l->options.exact)
        damping = s_max(damping, most_exact / l->v_min);
    return elastic(l, p) * (1.0 + damping * rate);
}

void sg_contact_law_act(const sg_contact_law *l, double p, sg_vec3 n, sg_vec3 v, sg_vec3 w,
                        sg_contact_action *out)
{
    if (l->kind != SG_CONTACT_ELASTIC) {
        sg_law_spring_act(l, p, n, v, w, out);
        return;
    }
    double apart = v3_dot(v, n), rate = -apart, spring = elastic(l, p);
    double f = s_max(spring * (1.0 + damping_at(l, p, rate) * rate), l->floor);
    sg_vec3 vt = v3_add_scaled(v, n, -apart);
    double slide = v3_norm(vt), spin = v3_norm(w);
    double grip = l->friction * f / sg_law_regularize(slide, l->v_min);
    double hold = l->rolling * l->radius * f / sg_law_regularize(spin, l->w_min);
    *out = (sg_contact_action){
        .penetration = p,
        .rate = rate,
        .pressure = f,
        .slide = slide,
        .spin = spin,
        .friction = fabs(grip) * slide,
        .rolling = fabs(hold) * spin,
        .force = v3_add_scaled(v3_scale(n, f), vt, -grip),
        .torque = v3_scale(w, -hold),
        .stored = 0.4 * spring * p,
        // What the pressure takes from the motion and the spring does not keep.
        .damped = (f - spring) * rate,
        .slid = grip * slide * slide,
        .rolled = hold * spin * spin,
    };
}
