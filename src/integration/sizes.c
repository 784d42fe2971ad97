#include "integration/sizes.h"

#include "base/symbol.h"
#include "integration/integration.h"
#include "integration/stretch.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Above this part of one the tolerance for values of one does as well: it is at most ten relative
// ones of such a state.
static const double small = 0.01;
// Else the tolerance is for values of this part of the size: with all of it a population that grows
// by 30 factors of e was off by up to 1.6e-3 at a relative tolerance of 1e-6, now and then, and by
// 1.3e-4 with a tenth and less.
static const double below = 0.1;
// Squares of smaller tolerances are no numbers any more.
static const double least_atol = 1e-140;
// Tolerances stay so many times above what rounding may leave in a state.
static const double above_noise = 10.0;
// What was computed is rounding below this, of one or of the largest state.
static const double computed = 1000.0 * DBL_EPSILON;
// They are changed when a state is so many times as large as they were made for.
static const double larger = 4.0;

double sg_sizes_part(const sg_integration *g, uint32_t i, double size)
{
    double atol = sg_integration_atol(g, i);
    double least = above_noise * g->watched.growth.noise[i] / atol, part = below * size;
    return size < small && part * atol > least_atol ? fmin(fmax(part, least), 1.0) : 1.0;
}

// Contacts have tolerances of their own.
// Where states are moved back to constraints, what that leaves of zero is nobody's value.
static bool can_follow(const sg_integration *g)
{
    return g->segment.n_states && !g->options.plain_atol && !(g->options.atol > 0.0) &&
           !(g->options.h_fixed > 0.0) && !g->model->nonsmooth && !g->model->project &&
           (!g->segment.n_carried || g->model->keep);
}

double sg_sizes_least_value(const sg_integration *g)
{
    double most = 1.0;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        most = fmax(most, fabs(g->env.x[i]));
    return g->model->next_segment ? computed * most : 0.0;
}

// What rounding may do to the states, with systems of equations left as they were solved last.
static void measure_noise(sg_integration *g)
{
    bool keeps = g->segment.n_carried && g->model->keep && !g->model->keep(g->model->user);
    g->x = g->env.x;
    sg_growth_measure_noise(g);
    if (keeps)
        g->model->put_back(g->model->user);
}

double sg_sizes_least_part(const sg_integration *g)
{
    double least = 1.0;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        least = fmin(least, g->sizes.part[i]);
    return least;
}

// Where states are exchanged a stretch ends before anybody could test it, and with delays or
// unknowns that may be carried none can be repeated (integration/stretch.h). Currents of coils
// behind diodes that block are best left alone, unless conditions ask; beside delays, and by
// explicit methods, nothing is carried.
static bool sizes_zero(const sg_integration *g)
{
    if (g->model->reselect)
        return true;
    sg_family family = g->options.method->family;
    bool alone = !g->segment.n_carried || g->env.delays.n_taps || family == SG_FAMILY_ERK ||
                 family == SG_FAMILY_ADAMS;
    return (alone || g->env.layout.n_positive) && !sg_stretch_possible(g);
}

// A look ahead is so much of the run, and so many of them find what moves by way of others.
static const double look = 1e-6;
enum { LOOKS = 3 };

static bool says_nothing(const sg_integration *g, uint32_t i)
{
    return g->x[i] == 0.0 && !(g->sizes.largest[i] > 0.0) && !(g->sizes.part[i] < 1.0) &&
           sg_scales_is_unscaled(g, i);
}

static uint32_t count_silent(const sg_integration *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        n += says_nothing(g, i);
    return n;
}

static void size_by(sg_integration *g, uint32_t i, double size)
{
    if (says_nothing(g, i) && size > 0.0)
        g->sizes.sized[i] = g->sizes.part[i] = sg_sizes_part(g, i, size);
}

// Leads `x` on along `rates` for h, and takes the derivatives there, with systems of equations left
// as they were solved last.
static bool lead_on(sg_integration *g, double t, double h, double *x, double *rates)
{
    bool keeps = g->segment.n_carried && g->model->keep && !g->model->keep(g->model->user);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        x[i] += h * rates[i];
    bool ok = sg_sim_env_rhs(&g->env, t, x, rates) == SG_OK;
    if (keeps)
        g->model->put_back(g->model->user);
    return ok;
}

// By rates: for as long as they stay what they are, which those a little later tell, of the run at
// most. What has none, but will have by way of others, is as large as this makes it in the shortest
// of these times. Too small is no harm, since tolerances grow with states.
static void size_by_rates(sg_integration *g)
{
    uint32_t n = g->segment.n_states;
    double *first = g->x_out, *rates = g->env.dx_work, *x = g->env.x_new;
    double length = g->options.stop - g->t, h = look * length, shortest = length, power = 1.0;
    if (sg_sim_env_rhs(&g->env, g->t, g->x, rates) != SG_OK)
        return;
    memcpy(first, rates, n * sizeof *rates);
    memcpy(x, g->x, n * sizeof *x);
    if (!lead_on(g, g->t + h, h, x, rates))
        memcpy(rates, first, n * sizeof *rates);
    for (uint32_t i = 0; i < n; i++) {
        double change = fabs(rates[i] - first[i]), rate = fabs(first[i]);
        double stays = h * rate < length * change ? h * rate / change : length;
        shortest = rate > 0.0 ? fmin(shortest, stays) : shortest;
        size_by(g, i, rate * stays);
    }
    for (int k = 1; k <= LOOKS; k++) {
        power *= shortest / h;
        for (uint32_t i = 0; i < n; i++)
            size_by(g, i, fabs(rates[i]) * power * shortest);
        if (!lead_on(g, g->t + (k + 1) * h, h, x, rates))
            return;
    }
}

// Start values of the others tell how large a state is that begins at zero, and so do rates. Only
// where nobody tests what becomes of it (integration/scales.h). A velocity is sized beside the
// place that it moves, and tolerances grow with states.
static void size_what_is_zero(sg_integration *g)
{
    // What is delayed is, before the start, what the last evaluation made of it: later.
    if (g->env.delays.n_taps && !g->env.delays.begun)
        return;
    size_by_rates(g);
    double least = sg_sizes_least_part(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        size_by(g, i, least / below);
}

static void size_what_is_given(sg_integration *g)
{
    double least = sg_sizes_least_value(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double size = fabs(g->x[i]);
        bool value = size > least && sg_growth_is_value(g, i) && sg_scales_is_unscaled(g, i);
        g->sizes.sized[i] = g->sizes.part[i] = value ? sg_sizes_part(g, i, size) : 1.0;
    }
}

static uint64_t key_of(const sg_integration *g, uint32_t i)
{
    const char *name = g->segment.state_names[i];
    return sg_hash_bytes(name, strlen(name));
}

sg_status sg_sizes_hand_on(sg_integration *g)
{
    sg_map *m = &g->sizes.handed_on;
    bool ok = true;
    sg_map_clear(m);
    for (uint32_t i = 0; ok && g->segment.state_names && i < g->segment.n_states; i++) {
        uint64_t part;
        memcpy(&part, &g->sizes.part[i], sizeof part);
        ok = !(g->sizes.part[i] < 1.0) || sg_map_put(m, key_of(g, i), part);
    }
    return ok ? SG_OK : SG_ERR_MEMORY;
}

double sg_sizes_handed_on(const sg_integration *g, uint32_t i)
{
    bool any = g->sizes.handed_on.len && g->segment.state_names;
    const uint64_t *found = any ? sg_map_get(&g->sizes.handed_on, key_of(g, i)) : NULL;
    double part = 1.0;
    if (found)
        memcpy(&part, found, sizeof part);
    return part;
}

static void take_over(sg_integration *g)
{
    if (!g->sizes.handed_on.len)
        return;
    measure_noise(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double part = sg_sizes_handed_on(g, i), size = fmax(fabs(g->env.x[i]), part / below);
        if (part < 1.0 && sg_scales_is_unscaled(g, i))
            g->sizes.sized[i] = g->sizes.part[i] = sg_sizes_part(g, i, size);
    }
    g->sizes.refined = g->sizes.some = sg_sizes_least_part(g) < 1.0;
}

void sg_sizes_begin(sg_integration *g)
{
    bool any = false;
    if (!can_follow(g))
        return;
    // What a segment of some length leaves behind is no start value: a state of 1e-9 may be its
    // error, unless it was controlled there.
    if (g->t > g->options.start) {
        take_over(g);
        return;
    }
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        any |= fabs(g->env.x[i]) < small && sg_scales_is_unscaled(g, i) &&
               (g->env.x[i] != 0.0 || sizes_zero(g));
    if (!any)
        return;
    measure_noise(g);
    size_what_is_given(g);
    if (sizes_zero(g))
        size_what_is_zero(g);
    g->sizes.refined = g->sizes.some = sg_sizes_least_part(g) < 1.0;
}

void sg_sizes_wake(sg_integration *g)
{
    if (!can_follow(g) || sg_stretch_possible(g) || !sizes_zero(g))
        return;
    g->x = g->env.x;
    uint32_t silent = count_silent(g);
    if (!silent)
        return;
    measure_noise(g);
    size_what_is_zero(g);
    if (count_silent(g) < silent) // tolerances are those that a solver is made with
        g->sizes.refined = g->sizes.some = g->sizes.resized = true;
}

// So many times larger they become at once.
static const double way = 1e3;

bool sg_sizes_give_way(sg_integration *g)
{
    bool any = false;
    if (!can_follow(g) || !sizes_zero(g) || g->memory.carry.on)
        return false;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double part = fmin(1.0, way * g->sizes.part[i]);
        if (!(g->sizes.part[i] < 1.0) || g->watched.growth.given[i])
            continue;
        g->sizes.floor[i] = g->sizes.part[i] = g->sizes.sized[i] = part;
        any = true;
    }
    if (!any)
        return false;
    memmove(g->env.x, g->x, g->segment.n_states * sizeof *g->x);
    return sg_integration_change_solver(g, false) == SG_OK;
}

void sg_sizes_forget(sg_integration *g)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        g->sizes.part[i] = g->sizes.sized[i] = 1.0;
    g->sizes.refined = g->sizes.some = false;
}

void sg_sizes_exchange(sg_integration *g, double least_part)
{
    if (!(least_part < 1.0))
        return;
    measure_noise(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double size = fmax(fabs(g->x[i]), least_part / below);
        if (sg_scales_is_unscaled(g, i))
            g->sizes.sized[i] = g->sizes.part[i] = sg_sizes_part(g, i, size);
    }
    g->sizes.refined = g->sizes.some = sg_sizes_least_part(g) < 1.0;
}

// Rejections are counted over so many steps. Where they are more than this part of them so many
// times in a row, tolerances that are smaller than was asked for are rounding, and become so many
// times larger.
enum { COUNTED = 64, IN_A_ROW = 4 };
static const double many = 0.4, relented = 10.0;

static bool rejects_many(sg_integration *g)
{
    sg_state_sizes *s = &g->sizes;
    sg_solver_stats stats = sg_solver_statistics(g->solver);
    bool begun = stats.n_steps >= s->n_steps && stats.n_rejected >= s->n_rejected;
    uint64_t steps = begun ? stats.n_steps - s->n_steps : COUNTED;
    uint64_t rejected = begun ? stats.n_rejected - s->n_rejected : 0;
    if (steps < COUNTED)
        return false;
    s->n_steps = stats.n_steps;
    s->n_rejected = stats.n_rejected;
    s->n_bad = (double)rejected > many * (double)steps ? s->n_bad + 1 : 0;
    if (s->n_bad < IN_A_ROW)
        return false;
    s->n_bad = 0;
    return true;
}

// Nobody asked for these: where they cost most of the steps there is nothing to be known that
// exactly. A capacitor behind diodes that block has a leak of 1e-11 V beside 10 V, which systems of
// equations are solved to 1e-12 of.
static void relent(sg_integration *g)
{
    bool changed = false;
    if (!g->sizes.refined || !rejects_many(g))
        return;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double part = fmin(1.0, relented * g->sizes.part[i]);
        if (!(g->sizes.part[i] < 1.0))
            continue;
        g->sizes.atol[i] *= part / g->sizes.part[i];
        g->sizes.floor[i] = g->sizes.part[i] = part;
        g->sizes.sized[i] = fmax(g->sizes.sized[i], part);
        changed = true;
    }
    if (changed)
        sg_solver_retake_tolerances(g->solver);
}

void sg_sizes_follow(sg_integration *g)
{
    bool changed = false, any = false;
    relent(g);
    if (!g->sizes.some)
        return;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        // Whoever made one smaller since knows why.
        if (!(g->sizes.sized[i] < 1.0) || g->sizes.part[i] < g->sizes.sized[i])
            continue;
        any = true;
        if (!(below * g->sizes.largest[i] > larger * g->sizes.sized[i]))
            continue;
        g->sizes.atol[i] /= g->sizes.part[i];
        g->sizes.sized[i] = g->sizes.part[i] = sg_sizes_part(g, i, g->sizes.largest[i]);
        g->sizes.atol[i] *= g->sizes.part[i];
        changed = true;
    }
    g->sizes.some = any;
    if (changed)
        sg_solver_retake_tolerances(g->solver);
}
