// Conditions between the points of the method: none is stepped over.
//
// A method chooses its steps by what derivatives and errors tell it. A condition that holds for a
// short while between two points, and is false at both, is not seen there: the sun that rises and
// sets within a step, as long as nobody feels it. So after each step the arguments of all
// conditions are enclosed over the whole of it (program/enclosure.h): time is an interval, the
// states are the polynomials that the method has for the step. An interval in which no argument can
// reach its switch, or all of them move away from it, is done with. One in which each of them moves
// in one direction holds at most one crossing of each, which values at its end show. Everything
// else is halved. So the first crossing is found with certainty, as far as the polynomials are the
// solution, and that is what the tolerance is for.
//
// Conditions that depend on something whose inside is not known here (systems of equations,
// functions with loops) are looked at where the inputs of these are nearly straight lines in
// between.
#include "base/assert.h"
#include "integration/integration.h"
#include "program/enclosure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

// Bounds do not see that terms cancel: max(s, 0) + clamp(d, -max(s, 0), max(s, 0)) is zero for a
// while, and is enclosed by something of both signs however short the interval is, and as far from
// a straight line as it is large. So where bounds get nowhere the number is looked at itself: what
// is the same to the last digits at places that no period fits is constant. Short pulses are no
// longer missed than this part of a step; where an argument was found constant again and again,
// intervals may be longer, up to the second part.
static const double flat_least = 1.0 / 4096, flat_most = 1.0 / 8;
static const double flat_places[] = {0.0, 0.38196601125, 0.72360679775, 1.0};

// Looks of one call, before the solver may have a look of its own and the run may be stopped.
enum { LOOKS = 4096 };
// Intervals are halved down to this part of the step, or to so many units in the last place of
// time.
static const double shortest = 1e-13, units = 8.0;
// An argument that still changes by this part of its size within that is too fast.
static const double too_fast = 1e-3;

// States below this part of the smallest of their absolute tolerances mean nothing; 0 for
// conditions of a model that has none.
static double unknown_below(const sg_integration *g)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        least = fmin(least, sg_integration_atol(g, i) * g->sizes.part[i]);
    return g->segment.n_states && g->looked.enclosure->n_states ? 1e-3 * least : 0.0;
}

// What may happen in an interval, the worst last.
typedef enum prospect {
    NOTHING, // no condition changes
    ONCE,    // conditions may change, each once at most
    ANYTHING
} prospect;

// The bounds between which an argument may move before its condition changes.
static sg_level_cell room_of(const sg_integration *g, uint32_t slot)
{
    const sg_sim_env *env = &g->env;
    const sg_enclosure_slot *s = &g->looked.enclosure->slots[slot];
    double width = fmax(env->bands[slot].width, 8.0 * DBL_EPSILON * s->size);
    sg_level_cell room = {-(double)INFINITY, (double)INFINITY};
    if (s->level)
        room = sg_level_cell_of((sg_level_kind)(s->level - 1), env->events.level[slot]);
    else if (env->events.positive[slot])
        room.low = 0.0;
    else
        room.high = 0.0;
    return (sg_level_cell){room.low - width, room.high + width};
}

// Does the condition hold only until its argument is zero, exactly?
static bool ends_at_zero(const sg_integration *g, uint32_t slot)
{
    return !g->looked.enclosure->slots[slot].level && g->env.events.positive[slot] &&
           sg_sim_band_ends_at_zero(&g->env.bands[slot]);
}

static bool is_beyond(const sg_integration *g, uint32_t slot, double value)
{
    sg_level_cell room = room_of(g, slot);
    return value < room.low || value > room.high || (value == 0.0 && ends_at_zero(g, slot));
}

// At the beginning of the interval every argument is where it belongs.
static prospect prospect_of(const sg_integration *g, uint32_t slot)
{
    const sg_enclosed *x = &g->looked.enclosure->slots[slot].argument;
    sg_level_cell room = room_of(g, slot);
    bool lands = x->lo <= 0.0 && ends_at_zero(g, slot);
    bool falls = (x->lo < room.low || lands) && x->d_lo < 0.0;
    bool rises = x->hi > room.high && x->d_hi > 0.0;
    if (!falls && !rises)
        return NOTHING;
    return x->d_lo >= 0.0 || x->d_hi <= 0.0 ? ONCE : ANYTHING;
}

typedef struct judgement {
    prospect prospect;
    uint32_t slot; // the worst
    bool rough;    // something unknown has to be looked at in shorter intervals
} judgement;

static judgement judge(sg_integration *g, const sg_expansion *x, double a, double b)
{
    sg_enclosure *e = g->looked.enclosure;
    judgement all = {.prospect = NOTHING};
    bool unknown = false;
    sg_enclosure_run(e, &g->env.events, a + 0.5 * (b - a), 0.5 * (b - a), x->origin, x->unit,
                     x->degree);
    for (uint32_t i = 0; i < e->n_slots; i++) {
        if (e->slots[i].kind == SG_ENCLOSURE_NONE || sg_sim_env_has_no_side(&g->env, i) ||
            sg_sim_env_is_unfelt(&g->env, i))
            continue;
        unknown |= e->slots[i].kind == SG_ENCLOSURE_UNKNOWN;
        g->looked.untold[i] = e->slots[i].kind == SG_ENCLOSURE_UNKNOWN && e->calls;
        prospect o = e->slots[i].kind == SG_ENCLOSURE_KNOWN ? prospect_of(g, i) : NOTHING;
        g->looked.may[i] = o == ANYTHING;
        if (o > all.prospect) {
            all.prospect = o;
            all.slot = i;
        }
    }
    all.rough = unknown && e->rough;
    return all;
}

// Are all arguments of which bounds know nothing, as of the last run, the same at the k-th place of
// [a, b] as at the first?
static bool are_same(sg_integration *g, const sg_expansion *x, double a, double b, int k)
{
    sg_enclosure *e = g->looked.enclosure;
    sg_enclosure_run(e, &g->env.events, a + flat_places[k] * (b - a), 0.0, x->origin, x->unit,
                     x->degree);
    for (uint32_t i = 0; i < e->n_slots; i++) {
        if (!g->looked.may[i])
            continue;
        double value = e->slots[i].argument.mid;
        double least = SG_ENCLOSURE_ROUNDINGS * DBL_EPSILON * fabs(g->looked.first[i]);
        if (k == 0)
            g->looked.first[i] = value;
        else if (!(fabs(value - g->looked.first[i]) <= least))
            return false;
        if (e->slots[i].kind != SG_ENCLOSURE_KNOWN || is_beyond(g, i, value))
            return false;
    }
    return true;
}

// Are they constant over [a, b], and so is what makes it rough?
static bool are_flat(sg_integration *g, const sg_expansion *x, double a, double b, bool rough)
{
    sg_enclosure *e = g->looked.enclosure;
    bool flat = true;
    e->watching = rough;
    for (int k = 0; k < (int)SG_COUNT(flat_places) && flat; k++) {
        flat = are_same(g, x, a, b, k) && (k == 0 || !e->moved);
        e->moved = false;
    }
    e->watching = false;
    return flat;
}

// ... and if so, may that be taken for all of the interval? What only goes into something that is
// not known is as good at the longest ones: nobody knows more of what comes out.
static bool pass_as_flat(sg_integration *g, const sg_expansion *x, double a, double b, judgement j)
{
    double *most = &g->looked.flat;
    *most = fmax(*most, flat_least);
    if (b - a > (j.prospect == ANYTHING ? *most : flat_most) * g->looked.whole)
        return false;
    bool flat = are_flat(g, x, a, b, j.rough);
    if (j.prospect == ANYTHING)
        *most = flat ? fmin(2.0 * *most, flat_most) : flat_least;
    return flat;
}

// Has a condition changed at t?
static bool has_changed(sg_integration *g, const sg_expansion *x, double t)
{
    sg_enclosure *e = g->looked.enclosure;
    sg_enclosure_run(e, &g->env.events, t, 0.0, x->origin, x->unit, x->degree);
    for (uint32_t i = 0; i < e->n_slots; i++) {
        if (e->slots[i].kind != SG_ENCLOSURE_KNOWN || sg_sim_env_has_no_side(&g->env, i) ||
            sg_sim_env_is_unfelt(&g->env, i))
            continue;
        if (is_beyond(g, i, e->slots[i].argument.mid))
            return true;
    }
    return false;
}

static sg_status refuse(sg_integration *g, uint32_t slot, double t)
{
    char text[512];
    snprintf(text, sizeof text,
             "%s changes too fast to be followed: at time = %.10g s it may switch more than once "
             "between two times that differ in their last digits. Is a frequency or a unit wrong?",
             sg_integration_crossing_text(g, slot), t);
    sg_span span = sg_enclosure_span(g->looked.enclosure, slot);
    sg_diags_put(g->diags, (sg_diag){SG_ERROR, SG_E_FAST_CONDITION, span, t, text, true});
    return SG_ERR_SOLVER;
}

static bool is_too_fast(const sg_integration *g, const judgement *j)
{
    const sg_enclosure_slot *s = &g->looked.enclosure->slots[j->slot];
    // What is far below its tolerance, or all that it ever was, is not known so exactly that its
    // sign would mean something: where a difference of two voltages is zero but for rounding, say.
    double known = fmax(s->size, g->env.bands[j->slot].reach);
    return s->argument.hi - s->argument.lo > too_fast * fmax(known, g->looked.enclosure->nothing);
}

// Takes over the polynomials of the states that matter.
static void take_polynomials(sg_enclosure *e, const sg_expansion *x)
{
    for (uint32_t i = 0; i < e->n_states; i++)
        for (int k = 0; k <= x->degree; k++)
            e->coefficients[(size_t)i * e->stride + (size_t)k] = x->c[k][e->states[i]];
}

static sg_status look_again(sg_integration *g, double from, double to, double *next)
{
    g->looked.from = *next = from;
    g->looked.to = to;
    return SG_OK;
}

sg_status sg_integration_look(void *user, double t0, double t1, const sg_expansion *x, double *next)
{
    sg_integration *g = user;
    double least = fmax(shortest * (t1 - t0), units * DBL_EPSILON * fmax(fabs(t0), fabs(t1)));
    bool goes_on = t0 == g->looked.from && g->looked.to > t0;
    double a = t0, b = goes_on ? fmin(t1, g->looked.to) : t1;
    g->looked.rough &= goes_on;
    g->looked.whole = goes_on ? g->looked.whole : t1 - t0;
    take_polynomials(g->looked.enclosure, x);
    g->looked.enclosure->nothing = unknown_below(g);
    g->looked.enclosure->known = g->options.tolerance;
    *next = t1;
    for (int n = 0; a < t1; n++) {
        judgement j = judge(g, x, a, b);
        bool divisible = b - a > least;
        bool open = (j.prospect == ANYTHING || j.rough) && divisible;
        if (open && pass_as_flat(g, x, a, b, j)) {
            j.prospect = j.prospect == ANYTHING ? ONCE : j.prospect; // others: the end shows it
            open = false;
        }
        if (open) {
            b = a + 0.5 * (b - a);
            g->looked.rough |= j.rough;
            continue;
        }
        if (j.prospect == ANYTHING && is_too_fast(g, &j))
            return refuse(g, j.slot, a);
        if (b >= t1) // the solver looks there anyway
            return SG_OK;
        if (j.prospect != NOTHING && has_changed(g, x, b))
            return look_again(g, a > t0 ? a : b, b, next);
        double length = b - a;
        a = b;
        b = fmin(t1, a + 2.0 * length);
        if (g->looked.rough || n >= LOOKS)
            return look_again(g, a, b, next);
    }
    return SG_OK;
}

double sg_integration_foreseen(void *user, double t0, double t1, bool goes_on)
{
    const sg_sim_model *model = ((sg_integration *)user)->model;
    return model->foreseen ? model->foreseen(model->user, t0, t1, goes_on) : t1;
}
