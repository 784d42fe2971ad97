#include "integration/dormant.h"

#include "base/archive.h"
#include "integration/formulation.h"
#include "integration/kept.h"
#include "integration/sizes.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A state may fall asleep where its absolute tolerance is this part of the relative one times its
// size, or less, but not before it has so few tolerances: errors of steps add up, and what it is
// off by there it stays off by. It must be known to a tenth of that at least.
static const double falls_at = 0.1, falls_from = 1e3, known_part = 0.1;
// ... and is the solver's again when it is so many times larger: oscillations go up and down.
static const double over = 10.0;
// It has been lost, for the solver, if it was below so many tolerances ...
static const double lost_below = 100.0;
// ... and comes back at this part of one; further steps end where they see no more than a factor
// of e of it. What the solver has instead is wrong from so many on.
static const double back_at = 0.1, wrong_from = 10.0;
// What does not grow by this until the end does not grow; a logarithm.
static const double some_growth = 1.0;
// Errors of logarithms are this part of the relative tolerance at each part of a step.
static const double error_part = 0.1;
// A part of a step is not longer than this part of the run: derivatives may be led by time alone.
enum { LOOKS = 250 };
// ... nor shorter than this part of the step.
static const double shortest = 1e-9;
// Evaluations: a few, divided by the number of states, and as many as the run takes; of these that
// look for what falls asleep a part.
enum { FREE_WORK = 2000000, FREE_LOOKS = 64, PART_LOOKS = 16 };
// Tolerances of what comes back are this part of the relative one of its size.
static const double of_size = 0.01;
// ... of which this may be rounding.
static const double rounding = 1000.0 * DBL_EPSILON;

void sg_dormant_make(sg_dormant *d, sg_arena *a, size_t n)
{
    *d = (sg_dormant){.asleep = SG_NEW_ARRAY(a, bool, n),
                      .small = SG_NEW_ARRAY(a, bool, n),
                      .x = SG_NEW_ARRAY(a, double, n),
                      .dx = SG_NEW_ARRAY(a, double, n),
                      .other = SG_NEW_ARRAY(a, double, n),
                      .end = SG_NEW_ARRAY(a, double, n),
                      .told = d->told};
}

bool sg_dormant_has(const sg_integration *g, uint32_t i) { return g->watched.dormant.asleep[i]; }

static bool can_follow(const sg_integration *g)
{
    return sg_stretch_possible(g) && !g->formulation->apart && !g->model->project;
}

static double present_atol(const sg_integration *g, uint32_t i)
{
    return sg_integration_atol(g, i) * g->sizes.part[i];
}

// What a state must have fallen to, in tolerances.
static double fallen_to(const sg_integration *g)
{
    return fmax(falls_from, falls_at / g->options.tolerance);
}

static bool may_spend(const sg_integration *g)
{
    return g->watched.dormant.spent <=
           FREE_WORK / g->segment.n_states + sg_sim_env_own_evals(&g->env);
}

// ---- which states -------------------------------------------------------------------------------

static void mark(sg_integration *g)
{
    sg_dormant *d = &g->watched.dormant;
    memset(d->asleep, 0, g->segment.n_states * sizeof *d->asleep);
    for (uint32_t j = 0; j < d->now.n; j++)
        d->asleep[d->now.of[j].which] = true;
}

void sg_dormant_forget(sg_integration *g)
{
    sg_dormant *d = &g->watched.dormant;
    d->now.n = d->before.n = d->stretch.n = 0;
    memset(d->small, 0, g->segment.n_states * sizeof *d->small);
    d->arrived = true;
    mark(g);
}

// ---- falling asleep -----------------------------------------------------------------------------

// One that never was controlled is another matter (integration/stretch.c): its tolerance has to be
// smaller in any case.
static bool was_large(const sg_integration *g, uint32_t i)
{
    return g->sizes.largest[i] > lost_below * present_atol(g, i);
}

// Takes those that are known: which are large enough still, or belong to some that are followed.
static void keep_known(sg_integration *g, sg_asleep *s)
{
    uint32_t part[SG_MODES];
    bool known[SG_MODES] = {false};
    double B[SG_MODES * SG_MODES], own[SG_MODES * SG_MODES], nearby[SG_MODES * SG_MODES];
    if (!sg_asleep_find_matrix(g, s, s->t, 1.0, s->A) ||
        !sg_asleep_find_matrix(g, s, s->t, sg_asleep_nearer, B)) {
        s->n = 0;
        return;
    }
    sg_asleep_parts(s, s->A, part);
    for (uint32_t p = 0; p < s->n; p++) {
        uint32_t of[SG_MODES];
        if (part[p] != p)
            continue;
        bool enough = sg_asleep_size(s, part, p) >= log(known_part * fallen_to(g)), were = true;
        uint32_t k = sg_asleep_take_part(s, s->A, part, p, of, own);
        sg_asleep_take_part(s, B, part, p, of, nearby);
        for (uint32_t i = 0; i < k; i++) {
            bool asleep = g->watched.dormant.asleep[s->of[of[i]].which];
            enough |= asleep;
            were &=
                asleep || (was_large(g, s->of[of[i]].which) && s->of[of[i]].log >= log(lost_below));
        }
        for (uint32_t i = 0; i < k; i++) {
            known[of[i]] = enough && were && sg_asleep_is_straight(own, nearby, k);
            g->watched.dormant.arrived |= enough && !were; // it may just pass through zero
            s->of[of[i]].least = fmin(s->of[of[i]].least, sg_asleep_size(s, part, p));
        }
    }
    bool rated = true;
    for (uint32_t j = s->n; j-- > 0;)
        if (!known[j]) {
            sg_asleep_drop(s, j);
            rated = false;
        }
    s->rated = rated;
}

// Looks which of the small states may be followed from (t, x) on.
static void fall_asleep(sg_integration *g, double t, const double *x)
{
    sg_dormant *d = &g->watched.dormant;
    sg_asleep s = d->now;
    s.t = t;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        if (!d->small[i] || d->asleep[i])
            continue;
        if (s.n == SG_MODES)
            return;
        s.of[s.n] =
            (sg_sleeper){.which = i, .atol = present_atol(g, i), .least = HUGE_VAL, .solver = x[i]};
        sg_asleep_set(&s, s.n, x[i] / s.of[s.n].atol);
        s.n++;
    }
    uint64_t before = d->spent;
    memcpy(d->x, x, g->segment.n_states * sizeof *d->x);
    if (!sg_asleep_keep_homogeneous(g, &s, t))
        s.n = 0;
    if (s.n)
        keep_known(g, &s);
    d->looks += d->spent - before;
    d->now = s;
    mark(g);
}

// Which states are small at x? True if there is one that was not.
static bool find_small(sg_integration *g, const double *x)
{
    sg_dormant *d = &g->watched.dormant;
    const sg_tolerances t = sg_tolerances_of(g);
    double most = fallen_to(g);
    bool arrived = d->arrived, any = false;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double size = fabs(x[i]);
        bool small = size > 0.0 && size < most * (sg_tolerance_at(&t, i) * g->sizes.part[i]);
        arrived |= small && !d->small[i];
        any |= small && !d->asleep[i];
        d->small[i] = small;
    }
    d->arrived = false;
    return arrived && any && d->looks <= FREE_LOOKS + sg_sim_env_own_evals(&g->env) / PART_LOOKS;
}

// ---- over a step --------------------------------------------------------------------------------

// The states of the run at t, a point of its last step.
static bool find_states(sg_integration *g, double t, const sg_advance *step)
{
    double *x = g->watched.dormant.x;
    if (t == step->t) {
        memcpy(x, step->x, g->segment.n_states * sizeof *x);
        return true;
    }
    return sg_solver_interpolate(g->solver, t, x, NULL) == SG_OK;
}

typedef enum step_verdict { GOES_ON, TOO_LONG, ENDS } step_verdict;

// What a part ought to grow by until the end, if it goes on like this; a logarithm.
static double growth_of(const sg_integration *g, const sg_asleep *s, const uint32_t *part,
                        uint32_t p)
{
    double own[SG_MODES * SG_MODES], mode[SG_MODES * SG_MODES], left = g->options.stop - s->t;
    double unit[SG_MODES];
    uint32_t of[SG_MODES], k = sg_asleep_take_part(s, s->A, part, p, of, own);
    sg_modes_balance(own, k, unit);
    sg_modes_change_units(own, k, unit);
    return left * (k == 1 ? own[0] : sg_modes_rate(own, k, left, mode));
}

// Does a part whose size was `from` come back?
static bool comes_back(const sg_integration *g, const sg_asleep *s, const uint32_t *part,
                       uint32_t p, double size, double from)
{
    if (size < log(back_at) || size <= from)
        return false;
    // The largest of an oscillation is not always the same, in tolerances.
    double growth = size < log(fallen_to(g)) ? growth_of(g, s, part, p) : HUGE_VAL;
    return growth > 0.0 && size + growth > 0.0;
}

// Is what the solver has of a part of this size noise that is felt, or will be if it grows?
static bool is_noise(const sg_integration *g, const sg_asleep *s, const uint32_t *part, uint32_t p,
                     double size, double wrong)
{
    if (size >= log(wrong_from) || wrong <= wrong_from * exp(size))
        return false;
    double growth = wrong > wrong_from || s->of[p].righted ? 0.0 : growth_of(g, s, part, p);
    return wrong > wrong_from || (growth > some_growth && log(wrong) + growth > log(back_at));
}

// The largest difference to what the solver has, of the states of a part, in tolerances.
static double wrong_by(const sg_asleep *s, const uint32_t *part, uint32_t p)
{
    double most = 0.0;
    for (uint32_t i = 0; i < s->n; i++)
        if (part[i] == p)
            most = fmax(most, fabs(s->of[i].solver - sg_asleep_value(s, i)) / s->of[i].atol);
    return most;
}

static void tell(sg_integration *g, const sg_asleep *s, uint32_t j)
{
    if (g->watched.dormant.told)
        return;
    g->watched.dormant.told = true;
    uint32_t i = s->of[j].which;
    sg_sim_report(g->diags, s->t, SG_NOTE, SG_E_SIM_SCALE,
                  "'%s' has fallen below its absolute tolerance %.2g, which does not control it, "
                  "and grows again; what was left of it was followed on a scale of its own since, "
                  "and is put in place at time = %.10g s: %.4g",
                  g->segment.state_names ? g->segment.state_names[i] : "a state", s->of[j].atol,
                  s->t, sg_asleep_value(s, j));
}

// From here on it is the solver's again, with a tolerance for its size.
static void wake(sg_integration *g, sg_asleep *s, uint32_t j)
{
    uint32_t i = s->of[j].which;
    double size = fabs(sg_asleep_value(s, j)), asked = sg_integration_atol(g, i);
    double part = of_size * g->options.tolerance * size / asked;
    if (part < g->sizes.part[i] && size > 0.0) {
        g->sizes.part[i] = g->sizes.sized[i] = part;
        g->sizes.largest[i] = size;
        // Rounding of what is zero as long as it is zero is a part of itself.
        double *noise = &g->watched.growth.noise[i];
        *noise = fmin(*noise, rounding * size);
        g->sizes.refined = g->sizes.some = g->sizes.resized = true;
    }
    g->watched.scales.low[i] = g->watched.scales.grown[i] = false;
    sg_asleep_drop(s, j);
}

// Has it a smaller tolerance now, by which the solver knows it as well?
static bool is_controlled(const sg_integration *g, const sg_asleep *s, uint32_t j)
{
    return fabs(sg_asleep_value(s, j)) > over * fallen_to(g) * present_atol(g, s->of[j].which);
}

// What follows from where the states have gone to at s->t, from sizes `from` of the parts.
static step_verdict judge(sg_integration *g, sg_asleep *s, const sg_asleep *from, bool last,
                          bool least)
{
    uint32_t part[SG_MODES];
    bool ended[SG_MODES] = {false}, ends = false;
    double agree = sg_scales_same(g);
    sg_asleep_circles(s, s->A, part);
    for (uint32_t p = 0; p < s->n; p++) {
        if (part[p] != p)
            continue;
        double size = sg_asleep_size(s, part, p), was = sg_asleep_size(from, part, p);
        double wrong = wrong_by(s, part, p);
        bool lost = s->of[p].least < log(lost_below);
        bool back = lost && comes_back(g, s, part, p, size, was) && wrong > agree * exp(size);
        if (back && !least && size > fmax(was, log(back_at)) + 1.0)
            return TOO_LONG;
        bool noise = lost && last && is_noise(g, s, part, p, size, wrong);
        bool large = size >= log(over * fallen_to(g));
        for (uint32_t i = 0; i < s->n; i++) {
            if (part[i] != p)
                continue;
            s->of[i].wakes = back;
            s->of[i].wrong = noise;
            ended[i] = !back && (large || (wrong <= agree * exp(size) && is_controlled(g, s, i)));
            s->of[i].least = fmin(s->of[i].least, size);
        }
        if (back || noise)
            tell(g, s, p);
        ends |= back || noise;
    }
    for (uint32_t j = s->n; j-- > 0;)
        if (ended[j])
            sg_asleep_drop(s, j);
    return ends ? ENDS : GOES_ON;
}

// What comes back, or is wrong, goes to the states of the step that ends here.
static void put_in_place(sg_integration *g, sg_asleep *s)
{
    for (uint32_t j = s->n; j-- > 0;) {
        s->of[j].righted |= s->of[j].wrong;
        if (s->of[j].wakes || s->of[j].wrong)
            g->watched.dormant.end[s->of[j].which] = s->of[j].solver = sg_asleep_value(s, j);
        if (s->of[j].wakes)
            wake(g, s, j);
    }
    s->rated = false;
}

// One part of the step, to b. `off` is how much its exponent may be off (combine).
static bool cross(sg_integration *g, sg_asleep *s, double b, const sg_advance *step, double *off)
{
    double M[SG_MODES * SG_MODES], B[SG_MODES * SG_MODES], exponent[SG_MODES * SG_MODES];
    double h = b - s->t, middle = s->t + 0.5 * h;
    if (!find_states(g, b, step))
        return false;
    for (uint32_t j = 0; j < s->n; j++)
        s->of[j].solver = g->watched.dormant.x[s->of[j].which];
    *off = 0.0;
    if (sg_asleep_is_same(g, s, b, s->A)) {
        for (uint32_t i = 0; i < s->n * SG_MODES; i++)
            exponent[i] = h * s->A[i];
    } else {
        if (!sg_asleep_find_matrix(g, s, b, 1.0, B) || !find_states(g, middle, step) ||
            !sg_asleep_find_matrix(g, s, middle, 1.0, M))
            return false;
        *off = sg_asleep_exponent(s->A, M, B, s->n, h, exponent);
        memcpy(s->A, B, sizeof B);
    }
    sg_asleep_move(s, exponent);
    s->t = b;
    return true;
}

// Is what is followed still a system of its own, with this matrix?
static bool begin_step(sg_integration *g, sg_asleep *s, const sg_advance *step)
{
    if (!find_states(g, s->t, step) || !sg_asleep_keep_homogeneous(g, s, s->t))
        return false;
    if (s->rated)
        return true;
    s->rated = s->n && sg_asleep_find_matrix(g, s, s->t, 1.0, s->A);
    return s->rated || !s->n;
}

// True if the step ends where g->watched.dormant.now stands.
static bool follow_step(sg_integration *g, sg_advance *step, bool *ends)
{
    sg_asleep *now = &g->watched.dormant.now;
    double whole = step->t - now->t, h = whole;
    double most = (g->options.stop - g->options.start) / LOOKS;
    double enough = sqrt(error_part * g->options.tolerance);
    *ends = false;
    bool changed = false;
    while (now->n && now->t < step->t && !*ends) {
        if (!may_spend(g) || (!now->rated && !begin_step(g, now, step)))
            return false;
        h = fmin(h, most);
        bool last = now->t + h * (1.0 + shortest) >= step->t, least = h <= shortest * whole;
        sg_asleep next = *now;
        double off;
        if (!now->n)
            return true;
        if (!cross(g, &next, last ? step->t : now->t + h, step, &off))
            return false;
        step_verdict what = off > enough && !least ? TOO_LONG : judge(g, &next, now, last, least);
        h *= what == TOO_LONG ? 0.5 : 2.0;
        if (what == TOO_LONG)
            continue;
        changed |= memcmp(next.A, now->A, sizeof next.A) != 0;
        *now = next;
        *ends = what == ENDS;
    }
    // Sources that came up in the step.
    return !changed || *ends || !now->n || begin_step(g, now, step);
}

// Back with the run, to where it began its last step or a stretch.
static void go_back(sg_integration *g)
{
    sg_dormant *d = &g->watched.dormant;
    d->now = d->before.t == g->t ? d->before : d->stretch;
    if (d->now.t != g->t)
        d->now.n = 0;
    d->now.rated = false;
    mark(g);
}

// A stretch begins with a step.
static void remember(sg_integration *g)
{
    sg_dormant *d = &g->watched.dormant;
    if (g->watched.stretch.open && g->watched.stretch.t == d->before.t)
        d->stretch = d->before;
    d->before = d->now;
    d->before.t = g->t;
}

static bool follow(sg_integration *g, sg_advance *step, bool arrived)
{
    sg_dormant *d = &g->watched.dormant;
    bool ends = false;
    if (d->start && find_states(g, g->t, step)) {
        memcpy(d->end, d->x, g->segment.n_states * sizeof *d->x);
        fall_asleep(g, g->t, d->end);
    }
    d->start = false;
    d->now.t = g->t;
    remember(g);
    if (d->now.n && !follow_step(g, step, &ends))
        d->now.n = 0;
    if (ends && find_states(g, d->now.t, step)) {
        memcpy(d->end, d->x, g->segment.n_states * sizeof *d->x);
        put_in_place(g, &d->now);
        d->ended = true;
        *step = (sg_advance){.kind = SG_STEP_INNER, .t0 = step->t0, .t = d->now.t, .x = d->end};
    }
    mark(g);
    d->now.t = step->t;
    for (uint32_t j = 0; j < d->now.n; j++)
        d->now.of[j].solver = step->x[d->now.of[j].which];
    if (arrived && !ends)
        fall_asleep(g, step->t, step->x);
    return ends;
}

bool sg_dormant_follow(sg_integration *g, sg_advance *step)
{
    sg_dormant *d = &g->watched.dormant;
    if (!can_follow(g) || step->kind == SG_STEP_PAUSE) {
        if (d->now.n)
            sg_dormant_forget(g);
        return false;
    }
    if (d->now.n && d->now.t != g->t)
        go_back(g);
    bool arrived = find_small(g, step->x);
    if (!d->now.n && !d->start && !arrived) {
        d->before.n = 0;
        return false;
    }
    if (sg_kept_begin(g) != SG_OK)
        return false;
    bool ends = follow(g, step, arrived);
    sg_kept_end(g);
    return ends;
}

void sg_dormant_restart(sg_integration *g)
{
    sg_dormant *d = &g->watched.dormant;
    sg_asleep *s = &d->now;
    bool back = s->t != g->t;
    if (back)
        go_back(g);
    for (uint32_t j = s->n; j-- > 0;) {
        s->of[j].righted &= d->ended;
        if (!back && g->env.x[s->of[j].which] != s->of[j].solver) // the event has set it
            sg_asleep_drop(s, j);
    }
    d->ended = false;
    s->rated = false;
    mark(g);
    d->arrived = true;
    d->start =
        g->n_segments == 1 && g->t == g->options.start && can_follow(g) && find_small(g, g->env.x);
    d->arrived = true;
}

void sg_dormant_archive(sg_integration *g, sg_archive *a)
{
    sg_asleep *s = &g->watched.dormant.now;
    sg_archive_section(a, "asleep");
    SG_ARCHIVE(a, *s);
    bool fits = s->n <= SG_MODES;
    for (uint32_t j = 0; fits && j < s->n; j++)
        fits = s->of[j].which < g->segment.n_states;
    if (!fits) {
        s->n = 0;
        a->failed = true;
    }
    if (sg_archive_reads(a) && g->segment.n_states)
        mark(g);
}
