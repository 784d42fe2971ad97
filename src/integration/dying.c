#include "integration/dying.h"

#include "integration/integration.h"
#include "integration/smooth.h"

#include <float.h>
#include <math.h>
#include <string.h>

// States may be off by so many of their tolerances: errors of steps add up.
static const double off_by = 3.0;
// A rate is certain from so many times its change on.
static const double surely = 3.0;
// ... or so many, where the argument is not farther away than it may be off by in all of the step.
static const double surely_inside = 30.0;
// An argument goes through zero steadily if it comes and goes at this part of its rate there, at
// least.
static const double steadily = 0.3;
// What a condition that stays was seen to reach beyond zero widens what it is held within, up to so
// many times what it may be off by.
static const double wider = 3.0, widest = 30.0;
// Rates are differences over this part of the last step; and over no less than this part of the
// scale of time, and so many units in the last place of it, since right behind a restart steps are
// so short that nothing moves by more than a system's solution is rounded to.
static const double rate_part = 1e-3, rate_least = 1e-6, rate_units = 64.0;
// States are moved one by one up to this number, in as many groups beyond.
enum { GROUPS = 16 };
// A rate is known to about the relative tolerance where states are of the size that their absolute
// tolerances are meant for. It is hardly known any more where it is worse than that so many times,
// or to so much of itself. Up to there all states moved together, with signs that are as good as
// random, tell enough.
static const double worse = 30.0, hardly = 0.01;
// Who adds less than this part to what a rate changes by has no part in it.
static const double no_part = 1e-3;
// Absolute tolerances become this part of what they were when a stretch is repeated.
static const double finer = 1e-4;
// ... or as soon as states are less than so many tolerances.
static const double ahead = 1e3;
// ... of what began at zero, of a hundredth of what it became.
static const double small_part = 10.0;
// Squares of smaller ones are no numbers any more. Rounding is this many units in the last place of
// states, and tolerances stay so many times above what it does within a step.
static const double least_atol = 1e-140, rounding = 8.0 * DBL_EPSILON, above_rounding = 100.0;
// Crossings pile up when they are less than this part of their longest distance apart.
static const double piled = 0.01;
// An argument that crosses within this part of a step behind a restart began at zero, and has not
// been anywhere from where it could have died away.
static const double at_once = 1e-6;
// A rate is as a root if it is so many times larger, at this part of a distance, than this part of
// what it is there. A square root's is 32 times as large.
static const double closer = 1e-3, like_root = 3.0;
// Steps towards the place where an argument is exactly zero.
enum { ZERO_STEPS = 40 };

typedef struct crossing_view {
    sg_integration *g;
    uint32_t slot;
    double t, eps;   // [s]
    double t0, t1;   // the step [s]
    const double *x; // at the crossing
    double *w;       // what each state may be off by
    double *d;       // how far they are moved
    double *y;       // work: x moved
    double *a, *f;   // work of rates
    double *b, *e;   // ... of their rates
    double *z;       // a place nearby
} crossing_view;

static bool argument_at(const crossing_view *v, double t, const double *x, double *value)
{
    sg_sim_env *env = &v->g->env;
    bool ok = sg_sim_env_arguments(env, t, x) == SG_OK;
    *value = env->sliding.argument[v->slot];
    return ok && isfinite(*value);
}

static void move(const crossing_view *v, const double *x, double h, const double *f, double *to)
{
    for (uint32_t i = 0; i < v->g->segment.n_states; i++)
        to[i] = x[i] + h * f[i];
}

// Derivatives of the model where the states are moved.
static bool derivatives_at(const crossing_view *v, double t, const double *x, double *f)
{
    move(v, x, 1.0, v->d, v->y);
    return sg_sim_env_rhs(&v->g->env, t, v->y, f) == SG_OK;
}

// The rate of the argument along these. Only they are taken where the states are moved, not the
// argument: what is sharper than the tolerance, as a narrow pulse over a state that moves on and
// on, is crossed somewhere.
static bool rate_at(const crossing_view *v, double t, const double *x, double *rate)
{
    double high, low;
    if (!derivatives_at(v, t, x, v->f))
        return false;
    move(v, x, v->eps, v->f, v->a);
    if (!argument_at(v, t + v->eps, v->a, &high))
        return false;
    move(v, x, -v->eps, v->f, v->a);
    if (!argument_at(v, t - v->eps, v->a, &low))
        return false;
    *rate = (high - low) / (2.0 * v->eps);
    return true;
}

// ... and its rate.
static bool second_rate_at(const crossing_view *v, double t, const double *x, double *rate)
{
    double high, low;
    if (!derivatives_at(v, t, x, v->e))
        return false;
    move(v, x, v->eps, v->e, v->b);
    if (!rate_at(v, t + v->eps, v->b, &high))
        return false;
    move(v, x, -v->eps, v->e, v->b);
    if (!rate_at(v, t - v->eps, v->b, &low))
        return false;
    *rate = (high - low) / (2.0 * v->eps);
    return true;
}

// The argument where the states are moved.
static bool moved_argument_at(const crossing_view *v, double t, const double *x, double *value)
{
    move(v, x, 1.0, v->d, v->y);
    return argument_at(v, t, v->y, value);
}

typedef bool argument_quantity(const crossing_view *v, double t, const double *x, double *value);

// A quantity at the crossing, and by how much it changes with what the states may be off by.
typedef struct effect {
    double value, change;
    double each[GROUPS]; // by group
} effect;

static uint32_t groups_of(const crossing_view *v)
{
    return v->g->segment.n_states < GROUPS ? v->g->segment.n_states : GROUPS;
}

// Signs that differ from state to state, so that not always the same ones cancel.
static double sign_of(uint32_t i) { return (i + 1) * 2654435761U >> 31 ? -1.0 : 1.0; }

static void move_back(const crossing_view *v)
{
    memset(v->d, 0, v->g->segment.n_states * sizeof *v->d);
}

// Moves every `stride`-th state by what it may be off by, or by `part` of its size.
static void move_states(const crossing_view *v, uint32_t first, uint32_t stride, double part)
{
    uint32_t n = v->g->segment.n_states;
    move_back(v);
    for (uint32_t i = first; i < n; i += stride)
        v->d[i] = sign_of(i) * (part > 0.0 ? part * fabs(v->x[i]) : v->w[i]);
}

static bool measure(const crossing_view *v, argument_quantity *q, effect *e)
{
    uint32_t n = groups_of(v);
    double sum = 0.0, moved;
    move_back(v);
    bool ok = q(v, v->t, v->x, &e->value);
    for (uint32_t k = 0; k < n && ok; k++) {
        move_states(v, k, n, 0.0);
        ok = q(v, v->t, v->x, &moved);
        e->each[k] = moved - e->value;
        sum += e->each[k] * e->each[k];
    }
    e->change = sqrt(sum);
    // Of a product of two that are both zero only moving both tells something.
    for (int sign = -1; sign <= 1 && ok; sign += 2) {
        move_states(v, 0, 1, 0.0);
        for (uint32_t i = 0; i < v->g->segment.n_states; i++)
            v->d[i] = sign > 0 ? v->w[i] : v->d[i];
        ok = q(v, v->t, v->x, &moved);
        e->change = fmax(e->change, fabs(moved - e->value));
    }
    move_back(v);
    return ok;
}

static double atol_of(const sg_integration *g, uint32_t i)
{
    return sg_integration_atol(g, i) * g->sizes.part[i];
}

static double size_of(const sg_integration *g, uint32_t i, double size)
{
    return g->segment.most ? fmin(size, g->sizes.most[i]) : size;
}

static void weigh(const crossing_view *v)
{
    const sg_integration *g = v->g;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double relative = g->options.tolerance * size_of(g, i, fabs(v->x[i]));
        // What has not moved since the last restart is zero to the last digit.
        bool known = v->x[i] == 0.0 && g->sizes.before[i] == 0.0 && g->sizes.recent[i] == 0.0;
        v->w[i] = known ? 0.0 : off_by * g->sizes.tightened * (relative + atol_of(g, i));
    }
}

static bool can_judge(const sg_integration *g)
{
    return g->segment.n_states && !g->env.fixed && !g->env.sliding.n && !g->memory.carry.on &&
           !g->memory.constrained.by && !(g->options.h_fixed > 0.0);
}

static crossing_view view_of(sg_integration *g, const sg_advance *step, double h)
{
    uint32_t n = g->segment.n_states;
    double *w = g->watched.dying_work;
    crossing_view v = {.g = g, .t = step->t, .x = w, .w = w + n, .d = w + 2 * (size_t)n};
    v.t1 = sg_solver_time(g->solver);
    v.t0 = fmax(v.t1 - h, g->restarted);
    v.eps = fmax(fmax(rate_part * h, rate_least * g->env.sliding.scale),
                 rate_units * DBL_EPSILON * fabs(step->t));
    v.y = v.d + n;
    v.a = v.y + n;
    v.f = v.a + n;
    v.b = v.f + n;
    v.e = v.b + n;
    v.z = v.e + n;
    memcpy(w, step->x, n * sizeof *w);
    weigh(&v);
    return v;
}

// ---- what a crossing is -------------------------------------------------------------------------

typedef enum verdict {
    NOT_SEEN, // nothing speaks against it
    CERTAIN,  // it is there
    HARDLY,   // it is, but soon nobody could say so
    DOUBTED,  // it is there, unless smaller tolerances say otherwise
    NONE,     // it is not
    UNKNOWN   // the states are not known well enough to tell
} verdict;

// The one state that the argument depends on; false if there are several.
static bool find_only(const crossing_view *v, const effect *argument, uint32_t *only)
{
    uint32_t n = groups_of(v), found = 0, group = 0;
    for (uint32_t k = 0; k < n; k++)
        if (argument->each[k] != 0.0) {
            group = k;
            found++;
        }
    if (found != 1)
        return false;
    found = 0;
    for (uint32_t i = group; i < v->g->segment.n_states; i += n) {
        double moved;
        memcpy(v->y, v->x, v->g->segment.n_states * sizeof *v->y);
        v->y[i] += v->w[i];
        if (!argument_at(v, v->t, v->y, &moved))
            return false;
        if (moved != argument->value) {
            *only = i;
            found++;
        }
    }
    return found == 1;
}

// Moves `only` to where the argument is zero, as exactly as numbers allow: to y.
static bool find_zero(const crossing_view *v, uint32_t only, double slope)
{
    double value, last = INFINITY;
    memcpy(v->y, v->x, v->g->segment.n_states * sizeof *v->y);
    for (int k = 0; k < ZERO_STEPS; k++) {
        if (!argument_at(v, v->t, v->y, &value))
            return false;
        if (value == 0.0 || !(fabs(value) < last))
            return true;
        last = fabs(value);
        v->y[only] -= value / slope;
    }
    return true;
}

// Beside z, where nothing moves, is the rate as a root of the distance of `only`, on either side?
// Then solutions come to z in a finite time: with der(x) = -sqrt(x) after 2*sqrt(x).
static bool is_like_root(const crossing_view *v, uint32_t only)
{
    double zero = v->z[only], far, near;
    bool is = false;
    for (int side = -1; side <= 1 && !is; side += 2) {
        v->z[only] = zero + side * v->w[only];
        bool ok = rate_at(v, v->t, v->z, &far);
        v->z[only] = zero + side * closer * v->w[only];
        is = ok && rate_at(v, v->t, v->z, &near) && fabs(near) > like_root * closer * fabs(far);
    }
    v->z[only] = zero;
    return is;
}

// Does no solution lead through zero here? Shown where the argument is a function of one state,
// whose derivative depends on nothing else, and is zero, up to rounding, where the argument is.
static bool leads_nowhere(const crossing_view *v, const effect *argument, const effect *rate,
                          bool *arrives)
{
    uint32_t n = groups_of(v), only = 0;
    if (!find_only(v, argument, &only))
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (k != only % n && rate->each[k] != 0.0)
            return false;
    double slope = argument->each[only % n] / (sign_of(only) * v->w[only]);
    double at_zero, rounded;
    if (!find_zero(v, only, slope))
        return false;
    double *zero = v->z;
    memcpy(zero, v->y, v->g->segment.n_states * sizeof *zero);
    if (!rate_at(v, v->t, zero, &at_zero))
        return false;
    double place = zero[only];
    zero[only] = place * (1.0 + rounding);
    if (at_zero != 0.0 &&
        !(rate_at(v, v->t, zero, &rounded) && fabs(at_zero) <= fabs(rounded - at_zero)))
        return false;
    zero[only] = place;
    *arrives = is_like_root(v, only);
    return !*arrives;
}

static double unknown_part(const crossing_view *v)
{
    return fmin(hardly, worse * off_by * v->g->options.tolerance);
}

// How much of what state i may be off by is its absolute tolerance?
static double absolute_part(const crossing_view *v, uint32_t i)
{
    return v->w[i] > 0.0 ? off_by * v->g->sizes.tightened * atol_of(v->g, i) / v->w[i] : 0.0;
}

// Has the argument been so small, since the condition changed last, that absolute tolerances begin
// to matter?
static bool is_small(const crossing_view *v, const effect *argument)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < groups_of(v); k++) {
        double most = 0.0;
        for (uint32_t i = k; i < v->g->segment.n_states; i += groups_of(v))
            most = fmax(most, absolute_part(v, i));
        sum += fabs(argument->each[k]) * most;
    }
    return sum > unknown_part(v) * v->g->env.bands[v->slot].visit;
}

// A first look, with few evaluations.
static bool is_plain(const crossing_view *v)
{
    double rate, moved, at, near;
    move_back(v);
    if (!rate_at(v, v->t, v->x, &rate) || !argument_at(v, v->t, v->x, &at))
        return true;
    move_states(v, 0, 1, 0.0);
    if (!rate_at(v, v->t, v->x, &moved) || !moved_argument_at(v, v->t, v->x, &near))
        return true;
    v->g->env.bands[v->slot].known = fabs(near - at) / off_by;
    return fabs(moved - rate) < unknown_part(v) * fabs(rate);
}

// How far from zero is the argument at t, within the step?
static double distance_at(const crossing_view *v, double t)
{
    double value;
    bool ok = sg_solver_interpolate(v->g->solver, t, v->y, NULL) == SG_OK &&
              argument_at(v, t, v->y, &value);
    return ok ? fabs(value) : (double)INFINITY;
}

// What was found out about a crossing.
typedef struct findings {
    effect argument, rate, second;
    double off; // what the argument may be off by
} findings;

// Does the argument go through zero for good within this step, or steadily from farther away than
// it may be off by? What is followed closely by something stiff does so, although its rate would be
// another one at once if it were off.
static bool goes_through(const crossing_view *v, const findings *f, double before, double behind)
{
    double come = fabs(f->rate.value) * (v->t - v->t0), go = fabs(f->rate.value) * (v->t1 - v->t);
    return behind > f->off ||
           (before > f->off && come > steadily * before && behind >= steadily * go);
}

static bool acts_on(const crossing_view *v, const effect *e, uint32_t i)
{
    return fabs(e->each[i % groups_of(v)]) > no_part * e->change;
}

// Does what is known of the crossing depend on the absolute tolerance of state i?
static bool takes_part(const crossing_view *v, const findings *f, uint32_t i)
{
    return absolute_part(v, i) > 0.5 && (acts_on(v, &f->rate, i) || acts_on(v, &f->argument, i));
}

static bool is_limited_by_absolute(const crossing_view *v, const findings *f)
{
    bool any = false;
    for (uint32_t i = 0; i < v->g->segment.n_states && !any; i++)
        any = takes_part(v, f, i);
    return any;
}

// If the condition changed here, would its argument leave for certain? That of an ideal diode that
// conducts is the current, a small difference of voltages over a tiny resistance, which nobody
// knows; but once it blocks, the argument is its voltage, and that falls. What dies away would go
// on doing so on either side. (Not asked where absolute tolerances are what limits it: smaller ones
// tell more.)
static bool leaves_on_other_side(const crossing_view *v)
{
    sg_sim_env *env = &v->g->env;
    bool *now = &env->events.positive[v->slot], was = *now;
    effect rate;
    if (env->levels[v->slot])
        return false;
    *now = !was;
    move_back(v);
    bool ok = rate_at(v, v->t, v->x, &rate.value) && (was ? rate.value < 0.0 : rate.value > 0.0) &&
              measure(v, rate_at, &rate);
    *now = was;
    return ok && (was ? -rate.value : rate.value) > surely_inside * rate.change;
}

// Is the argument another one on the other side, as that of an ideal diode, current or voltage?
// Then a condition that changes without need changes back. What dies away does so on either side.
static bool answers_itself(const crossing_view *v)
{
    sg_sim_env *env = &v->g->env;
    bool *now = &env->events.positive[v->slot], was = *now;
    double here, there;
    if (env->levels[v->slot] || !argument_at(v, v->t, v->x, &here))
        return false;
    *now = !was;
    bool ok = argument_at(v, v->t, v->x, &there);
    *now = was;
    return ok && here != there;
}

static verdict judge(const crossing_view *v, findings *f)
{
    sg_sim_band *band = &v->g->env.bands[v->slot];
    if (is_plain(v))
        return CERTAIN;
    if (!measure(v, moved_argument_at, &f->argument) || !rate_at(v, v->t, v->x, &f->rate.value))
        return NOT_SEEN;
    f->off = wider * fmax(f->argument.change + fabs(f->argument.value), band->hold);
    if (!(f->off > 0.0) || !isfinite(f->off) || f->off > widest * f->argument.change)
        return NOT_SEEN;
    double before = distance_at(v, v->t0), behind = distance_at(v, v->t1);
    double times = fmax(before, behind) > f->off ? surely : surely_inside;
    bool small = is_small(v, &f->argument);
    bool through =
        goes_through(v, f, before, behind) ||
        sg_sim_band_comes_from_afar(band, v->t, f->argument.value, f->rate.value, f->off);
    // By what a rate changes takes three times as many evaluations as all of that. Which states
    // have a part in it is asked where tolerances are to follow them.
    if (through && !small)
        return CERTAIN;
    if (!measure(v, rate_at, &f->rate))
        return NOT_SEEN;
    if (fabs(f->rate.value) > times * f->rate.change || through)
        return small ? HARDLY : CERTAIN;
    // What needs no side is nothing to be in doubt about; that takes a tenth of the evaluations
    // that follow.
    double limit;
    if (sg_smooth_agrees(v->g, v->slot, v->t, v->x, &limit)) {
        band->asked = true;
        return NOT_SEEN;
    }
    // Between the ends of a step that is held up by stability, curves swing.
    times = band->hold > 0.0 ? surely_inside : surely;
    if (!measure(v, second_rate_at, &f->second) ||
        !(fabs(f->second.value) <= times * f->second.change))
        return NOT_SEEN;
    if (fabs(f->second.value) > f->second.change && !(band->hold > 0.0))
        return DOUBTED;
    bool arrives = false;
    bool nowhere = leads_nowhere(v, &f->argument, &f->rate, &arrives);
    // What is stiff is known better than its tolerances say: the current of an ideal diode between
    // two capacitors follows others, whatever it was before.
    if (!nowhere && sg_sim_band_comes_steadily(band, v->t) && answers_itself(v))
        return NOT_SEEN;
    if (!nowhere && !arrives && !is_limited_by_absolute(v, f) && leaves_on_other_side(v))
        return NOT_SEEN;
    return nowhere ? NONE : arrives ? NOT_SEEN : UNKNOWN;
}

// ---- smaller tolerances -------------------------------------------------------------------------

// To e: what rounding of the states does to them within a step.
static bool find_floor(const crossing_view *v, double h)
{
    sg_integration *g = v->g;
    move_back(v);
    bool ok = derivatives_at(v, v->t, v->x, v->f);
    move_states(v, 0, 1, rounding);
    if (!ok || !derivatives_at(v, v->t, v->x, v->e))
        return false;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        v->e[i] = above_rounding * fmax(h * fabs(v->e[i] - v->f[i]), rounding * fabs(v->x[i]));
    return true;
}

// What the absolute tolerance of state i may be at least, of that which was asked for.
static double least_part(const crossing_view *v, uint32_t i)
{
    return fmax(fmax(v->e[i], least_atol) / sg_integration_atol(v->g, i), v->g->sizes.floor[i]);
}

// Values of the start, or of an event that sets states, are what they are, however small. So are
// those where the stretch before was tested and found right, in the middle of a run.
static bool began_set(const sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    return s->t == g->options.start || s->t == g->env.set_at || s->t == s->known;
}

// Where the stretch began, was there anything known about the argument? Else what is left of the
// states there is noise, and smaller tolerances would only follow that more exactly. What is zero
// to the last digit has not left from there yet, and such a state is known.
static bool began_known(const crossing_view *v, double h)
{
    sg_integration *g = v->g;
    sg_advance there = {.t = g->watched.stretch.t, .x = g->watched.stretch.x};
    effect e;
    crossing_view b = view_of(g, &there, h);
    b.slot = v->slot;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        b.w[i] = there.x[i] == 0.0 ? 0.0 : b.w[i];
    double at;
    bool known = (argument_at(&b, there.t, there.x, &at) && at == 0.0) ||
                 (measure(&b, moved_argument_at, &e) && fabs(e.value) > surely * e.change) ||
                 (measure(&b, rate_at, &e) && fabs(e.value) > surely * e.change);
    sg_advance here = {.t = v->t, .x = g->x};
    view_of(g, &here, h); // the work space is that of the crossing again
    return known;
}

// Has the argument just left from zero, where the stretch began? With smaller tolerances it is seen
// sooner still, and may be smaller beside them than before, without end. That it left is all that
// an event needs to know: what both sides lead to from here sticks, else it goes on.
static bool leaves_zero(const crossing_view *v)
{
    sg_integration *g = v->g;
    double there;
    return sg_stretch_is_brief(g) && sg_stretch_asked_often(g) &&
           argument_at(v, g->watched.stretch.t, g->watched.stretch.x, &there) && there == 0.0;
}

// Would the crossing depend on the absolute tolerance of state i if those of all others were small?
static bool would_take_part(const crossing_view *v, const findings *f, uint32_t i)
{
    uint32_t k = i % groups_of(v);
    double visit = v->g->env.bands[v->slot].visit, rate = fabs(f->rate.value);
    bool acts =
        fabs(f->argument.each[k]) > no_part * visit || fabs(f->rate.each[k]) > no_part * rate;
    return takes_part(v, f, i) || (absolute_part(v, i) > 0.5 && acts);
}

// The stretch is to be repeated with smaller tolerances of the states that the rate depends on;
// false if it cannot be.
static bool ask_for_repeat(const crossing_view *v, const findings *f, double h)
{
    sg_integration *g = v->g;
    bool smaller = false, set = began_set(g);
    if (!g->watched.stretch.open || sg_stretch_was_in_vain(g) || !(set || began_known(v, h)) ||
        !find_floor(v, h))
        return false;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double now = g->sizes.part[i], next = finer * now, size = fabs(g->watched.stretch.x[i]);
        // What began at zero is about as large as it became, if it had some time for that.
        if (!(size > 0.0) && v->t - g->watched.stretch.t > g->env.sliding.scale)
            size = small_part * g->watched.scales.most[i];
        if (set && size > 0.0)
            next = fmin(next, size / (ahead * sg_integration_atol(g, i)));
        next = fmax(next, least_part(v, i));
        bool changes = would_take_part(v, f, i) && next < 0.1 * now;
        g->sizes.follows[i] |= changes;
        g->watched.stretch.part[i] = changes ? next : now;
        smaller |= changes;
    }
    if (smaller)
        sg_stretch_ask(g, v->slot);
    return smaller;
}

// States that a crossing was found to depend on are not left alone again: when all of them are
// small beside their tolerances, these become smaller, before anything is lost.
sg_status sg_dying_follow(sg_integration *g)
{
    bool any = false; // what is zero has nothing to lose, e.g. where the run has just begun again
    if (!can_judge(g) || !g->sizes.refined)
        return SG_OK;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        if (!g->sizes.follows[i])
            continue;
        any |= g->x[i] != 0.0;
        if (fabs(g->x[i]) > ahead * atol_of(g, i) || !(atol_of(g, i) > 10.0 * least_atol))
            return SG_OK;
    }
    if (!any)
        return SG_OK;
    sg_advance here = {.t = g->t, .x = g->x};
    double h = sg_solver_last_step(g->solver);
    crossing_view v = view_of(g, &here, h);
    bool smaller = false;
    if (!find_floor(&v, h))
        return SG_OK;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double next = fmax(finer * g->sizes.part[i], least_part(&v, i));
        if (!g->sizes.follows[i] || !(next < 0.1 * g->sizes.part[i]))
            continue;
        g->sizes.part[i] = next;
        smaller = true;
    }
    if (!smaller)
        return SG_OK;
    memcpy(g->env.x, v.x, (size_t)g->n_solver * sizeof *v.x);
    return sg_integration_change_solver(g, false);
}

// From this event on tolerances follow the sizes that the states had since the last one.
static void follow(const crossing_view *v, const findings *f, double h)
{
    sg_integration *g = v->g;
    if (g->options.plain_atol || !find_floor(v, h))
        return;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double wanted = 0.1 * g->options.tolerance * size_of(g, i, g->sizes.recent[i]);
        double part = fmin(1.0, wanted / sg_integration_atol(g, i));
        if (!takes_part(v, f, i) || !(part > 0.0) || part >= g->sizes.part[i])
            continue;
        g->sizes.part[i] = fmin(g->sizes.part[i], fmax(part, least_part(v, i)));
        g->sizes.refined = g->sizes.resized = true;
    }
}

// ---- noise --------------------------------------------------------------------------------------

// What changes with this part of the tolerances is nothing that anybody asked for.
static const double nobody_asked = 1e-3;

bool sg_dying_is_noise(sg_integration *g, uint32_t slot, double off)
{
    sg_sim_env *env = &g->env;
    double moved;
    memcpy(g->x_out, env->x, (size_t)g->n_solver * sizeof *g->x_out);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        g->x_out[i] +=
            sign_of(i) * nobody_asked * (g->options.tolerance * fabs(env->x[i]) + atol_of(g, i));
    if (sg_sim_env_arguments(env, g->t, g->x_out) != SG_OK)
        return false;
    moved = env->sliding.argument[slot];
    return sg_sim_env_arguments(env, g->t, env->x) == SG_OK &&
           fabs(moved - env->sliding.argument[slot]) > off;
}

// ---- all crossings of a step --------------------------------------------------------------------

// Do crossings follow each other ever faster? There is an end to that, and nothing to follow.
static bool piles_up(const crossing_view *v)
{
    const sg_sim_band *band = &v->g->env.bands[v->slot];
    return v->t - band->crossed < piled * band->pause;
}

// Began the argument at zero? Then nothing is known of how large it will be.
static bool begins_there(const crossing_view *v)
{
    return v->t - v->g->restarted < at_once * (v->t1 - v->t0);
}

static void note_crossing(const crossing_view *v)
{
    sg_sim_band *band = &v->g->env.bands[v->slot];
    if (band->crossed > v->g->options.start)
        band->pause = fmax(band->pause, v->t - band->crossed);
    band->crossed = v->t;
}

// Is a condition that is held because its sign was not known overdue by now? Then it changes as
// soon as its argument is twice as far. Errors do not lead away from zero on a straight line.
static void look_for_overdue(sg_integration *g, const sg_advance *step, uint32_t slot, double off)
{
    sg_sim_band *band = &g->env.bands[slot];
    crossing_view v = view_of(g, step, sg_solver_last_step(g->solver));
    v.slot = slot;
    bool goes = sg_sim_band_goes_steadily(band, g->env.events.positive[slot]) && answers_itself(&v);
    if (!goes && !(band->loosely && leaves_on_other_side(&v)))
        return;
    if (goes)
        sg_integration_tell_late(g, slot, v.t);
    sg_sim_band_release(band);
    sg_sim_band_widen(band, off);
}

// At the end of a step: what is held, and has come back?
static void look_for_returned(sg_integration *g, const sg_advance *step)
{
    sg_sim_env *env = &g->env;
    bool any = false;
    for (uint32_t i = 0; i < env->layout.n_positive; i++)
        any |= env->bands[i].hold > 0.0;
    if (!any || sg_sim_env_arguments(env, step->t, step->x) != SG_OK)
        return;
    for (uint32_t i = 0; i < env->layout.n_positive; i++) {
        // Crossing functions are wider by the band, on the side where the condition stands.
        double inside = fabs(env->events.z[i]) - env->bands[i].width;
        if (env->bands[i].hold > 0.0)
            sg_sim_band_return(&env->bands[i], inside);
        if (!(env->bands[i].hold > 0.0) || inside >= 0.0)
            continue;
        look_for_overdue(g, step, i, -inside);
        if (sg_sim_env_arguments(env, step->t, step->x) != SG_OK)
            return;
    }
}

// At the end of a step that is no event: where the arguments of conditions are.
static void pass_step(sg_integration *g, double t)
{
    const double *z = sg_solver_root_values(g->solver);
    const sg_sim_env *env = &g->env;
    for (uint32_t i = 0; i < env->layout.n_positive; i++)
        if (!env->levels[i])
            sg_sim_band_pass(
                &env->bands[i], t,
                z[i] - copysign(env->bands[i].width, env->events.positive[i] ? 1.0 : -1.0));
}

sg_status sg_dying_sort_out(sg_integration *g, sg_advance *step)
{
    if (!can_judge(g))
        return SG_OK;
    if (step->kind != SG_STEP_ROOT) {
        pass_step(g, step->t);
        look_for_returned(g, step);
        return SG_OK;
    }
    double h = sg_solver_last_step(g->solver);
    crossing_view v = view_of(g, step, h);
    bool stays = false;
    for (v.slot = 0; v.slot < g->env.layout.n_positive; v.slot++) {
        findings f;
        bool judged = step->found[v.slot] && !(g->env.bands[v.slot].free > 0.0);
        verdict is = judged ? judge(&v, &f) : NOT_SEEN;
        if ((is == UNKNOWN || is == DOUBTED) && leaves_zero(&v))
            is = NOT_SEEN;
        if ((is == UNKNOWN || is == DOUBTED) && ask_for_repeat(&v, &f, h))
            return SG_OK;
        if (is == CERTAIN || is == HARDLY)
            sg_sim_band_moves(&g->env.bands[v.slot]);
        if (is == HARDLY && !piles_up(&v) && !begins_there(&v))
            follow(&v, &f, h);
        if (is < NONE) {
            note_crossing(&v);
            continue;
        }
        if (is == UNKNOWN)
            sg_integration_tell_held(g, v.slot, v.t);
        bool loosely = is == UNKNOWN && !is_limited_by_absolute(&v, &f);
        sg_sim_band_hold(&g->env.bands[v.slot], f.off, loosely);
        stays = true;
    }
    double value; // systems of equations begin their iterations where they were last
    v.slot = 0;
    if (g->env.layout.n_positive) // there may be crossings of components only
        argument_at(&v, v.t, v.x, &value);
    // What went farther than it was held within stands there, or a rounding short of it: the event
    // must not hold it any more.
    for (uint32_t i = 0; i < g->env.layout.n_positive && !stays; i++)
        if (step->found[i])
            sg_sim_band_release(&g->env.bands[i]);
    return stays ? sg_solver_look_again(g->solver, step) : SG_OK;
}
