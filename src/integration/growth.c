#include "integration/growth.h"

#include "integration/integration.h"
#include "integration/modes.h"
#include "integration/sizes.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Dimensions of the Krylov space: up to so many states that are small together are looked at
// exactly. Above this number of states the space would take more memory than the solver.
enum { MOST_STATES = 20000 };
// Evaluations that looks may take: a few, and a part of all.
enum { FREE_EVALS = 64, PART_EVALS = 16 };
// A direction is new if this part of it is not in the space already, and a mode is one if no more
// than this part of its rate leads out of it.
#define COMPLETE 1e-6
#define CONVERGED 0.1
// ... and if no more than this part of it comes from what is not straight.
#define STRAIGHT 0.5
// States are moved by this many units in the last place to see what rounding does.
#define ULPS 2.0
// No state has more rounding than so much of the largest one.
#define MOST_NOISE (1000.0 * DBL_EPSILON)
// A value is one if it is this many times as large as its noise, and what is not is moved by this
// many times its noise, such that differences mean something: the rate that noise can fake is then
// one over so many times the length of the run.
#define ABOVE_NOISE 10.0
#define FAR_ABOVE_NOISE 1e4
// What the segment before left is a value from so many tolerances on.
#define KNOWN 100.0
// Nothing that grew by less than this has an exponent to speak of; what grows with a power of time
// does as much from one doubling to the next.
#define LEAST_EXPONENT 2.0
#define SOME_EXPONENT 1.0
// Between events stretches are of any length. One is tested, whatever that costs, if it has this
// part of all that is not, and is not if it has this part only: it could not stand for the others.
#define MUCH 0.3
#define LITTLE 0.05

// A state is small up to so many tolerances: where one ought to grow and is not seen, errors of
// this size are all that is left of it.
#define NEAR 10.0
// A state takes part in what grows if it is this part of it, each measured by its own size.
#define MEMBER 1e-3

void sg_growth_make(sg_growth *w, sg_arena *arena, size_t n)
{
    size_t modes = n > MOST_STATES ? 0 : n < SG_MODES ? n : SG_MODES;
    *w = (sg_growth){.noise = SG_NEW_ARRAY(arena, double, n),
                     .errors = SG_NEW_ARRAY(arena, double, n),
                     .weight = SG_NEW_ARRAY(arena, double, n),
                     .work = SG_NEW_ARRAY(arena, double, 3 * n),
                     .basis = SG_NEW_ARRAY(arena, double, (modes + 1) * n),
                     .among = SG_NEW_ARRAY(arena, bool, n),
                     .takes_part = SG_NEW_ARRAY(arena, bool, n),
                     .grew = SG_NEW_ARRAY(arena, bool, n),
                     .given = SG_NEW_ARRAY(arena, bool, n),
                     .seen = SG_NEW_ARRAY(arena, bool, n),
                     .modes = (uint32_t)modes,
                     .next = 1,
                     .t = NAN};
}

void sg_growth_settled(sg_integration *g)
{
    sg_growth *w = &g->watched.growth;
    w->exponent = w->size = w->rate = 0.0;
    memset(w->grew, 0, g->segment.n_states * sizeof *w->grew);
    w->t = g->t;
}

// Which states begin with a value? What a segment of some length leaves below so many tolerances
// may be its error, unless smaller ones than were asked for were kept there.
static void find_given(sg_integration *g)
{
    bool later = g->t > g->options.start;
    double least = sg_sizes_least_value(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        bool left_over = later && !(sg_sizes_handed_on(g, i) < 1.0);
        double known = left_over ? KNOWN * sg_integration_atol(g, i) : 0.0;
        g->watched.growth.given[i] = fabs(g->x[i]) > fmax(least, known);
    }
}

void sg_growth_restart(sg_integration *g)
{
    g->watched.growth.next = 1;
    g->watched.growth.steps = 0;
    if (isnan(g->watched.growth.t))
        find_given(g);
    if (!(g->watched.growth.t <= g->t)) // the run went back, or begins
        sg_growth_settled(g);
}

// ---- noise --------------------------------------------------------------------------------------

// Derivatives of x_out where the run stands, moved in time by `ulps`.
static bool find_rates(sg_integration *g, double ulps, double *rates)
{
    double t = g->t + ulps * DBL_EPSILON * fabs(g->t);
    g->watched.growth.spent++;
    if (sg_sim_env_rhs(&g->env, t, g->x_out, rates) != SG_OK)
        return false;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        if (!isfinite(rates[i]))
            return false;
    return true;
}

// Up or down: any pattern that neither states nor their sums know of will do.
static double sign_of(uint32_t i, uint32_t pass)
{
    uint32_t k = (i + 1) * 2654435761u ^ (pass + 1) * 2246822519u;
    return (k >> 16) & 1u ? 1.0 : -1.0;
}

static bool is_small_by(const sg_integration *g, const sg_tolerances *t, uint32_t i)
{
    return fabs(g->x[i]) < NEAR * sg_tolerance_at(t, i) * g->sizes.part[i];
}

static bool is_small(const sg_integration *g, uint32_t i)
{
    const sg_tolerances t = sg_tolerances_of(g);
    return is_small_by(g, &t, i);
}

bool sg_growth_is_value(const sg_integration *g, uint32_t i)
{
    return fabs(g->x[i]) > ABOVE_NOISE * g->watched.growth.noise[i];
}

// While something slides, a derivative is what is left of both sides, and no more exact than these
// (sim/sliding.h): of a shaft that friction holds, plus and minus what would turn it. Gives the
// largest noise that this makes.
static double add_noise_of_sides(sg_integration *g, double seconds, double *out)
{
    const sg_sim_sliding *s = &g->env.sliding;
    double largest = 0.0;
    for (uint32_t i = 0; i < g->segment.n_states && s->n; i++) {
        double sides = 0.0;
        for (size_t k = 0; k <= s->n; k++)
            sides = fmax(sides, fabs(s->f[k * g->env.n_states + i]));
        out[i] = ULPS * DBL_EPSILON * sides * seconds;
        largest = fmax(largest, out[i]);
    }
    return largest;
}

// What comes together in `seconds` in the states if large ones are off by the part `by` of
// themselves, and time by its last digits; each at most `most`. What is nothing but that then moves
// by it, twice, since it may be felt by others: a speed that is noise makes a place that is.
static void measure(sg_integration *g, double by, double seconds, double most, double *out)
{
    uint32_t n = g->segment.n_states;
    double *rates = g->watched.growth.work, *moved = g->watched.growth.work + n;
    for (uint32_t i = 0; i < n; i++)
        out[i] = 0.0;
    memcpy(g->x_out, g->x, n * sizeof *g->x_out);
    // Contacts remember the motion of their last evaluation, which must be one of the run.
    bool known = !g->model->nonsmooth && find_rates(g, 0.0, rates);
    double sides = known ? add_noise_of_sides(g, seconds, out) : 0.0;
    double bound = fmax(most, sides * fmax(1.0, seconds));
    for (uint32_t pass = 0; known && pass < 4; pass++) {
        for (uint32_t i = 0; i < n; i++) {
            bool value = fabs(g->x[i]) > ABOVE_NOISE * out[i];
            double off =
                pass < 2 ? (is_small(g, i) ? 0.0 : by * fabs(g->x[i])) : (value ? 0.0 : out[i]);
            g->x_out[i] = g->x[i] + sign_of(i, pass) * off;
        }
        known = find_rates(g, pass < 2 ? (pass ? -ULPS : ULPS) : 0.0, moved);
        for (uint32_t i = 0; known && i < n; i++)
            if (pass < 2 || fabs(g->x[i]) > ABOVE_NOISE * out[i])
                out[i] = fmax(out[i], fmin(fabs(moved[i] - rates[i]) * seconds, bound));
    }
    for (uint32_t i = 0; i < n && !known; i++)
        out[i] = most;
}

void sg_growth_measure_noise(sg_integration *g)
{
    double overall = 0.0;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        overall = fmax(overall, fmax(g->sizes.largest[i], fabs(g->x[i])));
    measure(g, ULPS * DBL_EPSILON, g->options.stop - g->options.start, MOST_NOISE * overall,
            g->watched.growth.noise);
}

// A small state that did not go where its own rate leads it, at both ends of the stretch, by this
// factor: a step lost it, and errors of others, which are less than the rate by that factor, too,
// explain nothing.
static const double led = 10.0;

static void forget_what_was_lost(sg_integration *g)
{
    const sg_stretch *stretch = &g->watched.stretch;
    uint32_t n = g->segment.n_states;
    double *first = g->watched.growth.work, *last = g->watched.growth.work + n;
    double *errors = g->watched.growth.errors, seconds = g->t - stretch->t;
    bool any = false;
    for (uint32_t i = 0; i < n && !any; i++)
        any = is_small(g, i) && fabs(g->x[i]) <= led * errors[i];
    if (!any || g->model->nonsmooth ||
        sg_sim_env_rhs(&g->env, stretch->t, stretch->x, first) != SG_OK ||
        sg_sim_env_rhs(&g->env, g->t, g->x, last) != SG_OK)
        return;
    for (uint32_t i = 0; i < n; i++) {
        double way = first[i] * last[i] > 0.0 ? fmin(fabs(first[i]), fabs(last[i])) * seconds : 0.0;
        if (is_small(g, i) && way > led * errors[i] &&
            way > led * fmax(fabs(g->x[i]), fabs(stretch->x[i])))
            errors[i] = 0.0;
    }
}

void sg_growth_measure_errors(sg_integration *g)
{
    measure(g, g->options.tolerance, g->t - g->watched.stretch.t, HUGE_VAL,
            g->watched.growth.errors);
    forget_what_was_lost(g);
}

// ---- modes --------------------------------------------------------------------------------------

// The derivatives of the small states for a direction v, in their weights; their own ones are in
// `work`.
static bool apply(sg_integration *g, const double *v, double *out)
{
    sg_growth *w = &g->watched.growth;
    uint32_t n = g->segment.n_states;
    double *moved = w->work + n;
    for (uint32_t i = 0; i < n; i++)
        g->x_out[i] = w->among[i] ? g->x[i] + w->weight[i] * v[i] : g->x[i];
    if (!find_rates(g, 0.0, moved))
        return false;
    for (uint32_t i = 0; i < n; i++)
        out[i] = w->among[i] ? (moved[i] - w->work[i]) / w->weight[i] : 0.0;
    return true;
}

static double dot(const double *a, const double *b, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// Takes from v what it has of the other vectors, twice (once is not enough where little is left),
// and returns what remains of its length.
static double orthogonalize(const double *basis, uint32_t k, uint32_t n, double *v, double *h)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t j = 0; j < k; j++) {
            double part = dot(basis + (size_t)j * n, v, n);
            h[j * SG_MODES] += part;
            for (uint32_t i = 0; i < n; i++)
                v[i] -= part * basis[(size_t)j * n + i];
        }
    return sqrt(dot(v, v, n));
}

// Arnoldi's iteration; returns the size of H, 0 if derivatives are no numbers. `rest` is what leads
// out of the space at its end.
static uint32_t reduce(sg_integration *g, double *H, double *rest)
{
    sg_growth *w = &g->watched.growth;
    uint32_t n = g->segment.n_states;
    memset(H, 0, sizeof(double) * SG_MODES * SG_MODES);
    for (uint32_t k = 0; k < w->modes; k++) {
        double *v = w->basis + ((size_t)k + 1) * n;
        if (!apply(g, w->basis + (size_t)k * n, v))
            return 0;
        double whole = sqrt(dot(v, v, n));
        double left = orthogonalize(w->basis, k + 1, n, v, H + k);
        // Below this part it is what rounding left of it: the space is complete.
        *rest = left;
        if (!(left > COMPLETE * whole) || k + 1 == w->modes)
            return k + 1;
        H[(k + 1) * SG_MODES + k] = left;
        for (uint32_t i = 0; i < n; i++)
            v[i] /= left;
    }
    return 0;
}

// Contacts are so stiff, and change so quickly, that what bodies at rest do from one moment to the
// next says nothing of where they go.
static bool can_look(const sg_integration *g)
{
    return g->watched.growth.modes && !g->memory.carry.on && !g->model->nonsmooth &&
           (!g->segment.n_carried || g->model->keep);
}

// ---- looks --------------------------------------------------------------------------------------

// Chooses the states, their weights and the direction that is there. The size of what is there, in
// tolerances, or 0.
static double choose(sg_integration *g, const bool *left)
{
    sg_growth *w = &g->watched.growth;
    uint32_t n = g->segment.n_states, values = 0;
    const double *x = g->watched.stretch.open ? g->watched.stretch.x : g->x;
    double size = 0.0, most = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double atol = sg_integration_atol(g, i) * g->sizes.part[i];
        w->among[i] = (is_small(g, i) || (left && left[i])) && !sg_dormant_has(g, i);
        bool value = w->among[i] && sg_growth_is_value(g, i);
        w->basis[i] = value ? copysign(1.0, g->x[i]) : 0.0;
        values += value;
        if (!value)
            continue;
        size = fmax(size, fabs(g->x[i]) / atol);
        // Where it began: it may have been made smaller since.
        double then = fmin(fmax(fabs(x[i]), fabs(g->x[i])) / atol, 1.0);
        if (then > most)
            w->which = i;
        most = fmax(most, then);
    }
    for (uint32_t i = 0; i < n; i++) {
        double atol = sg_integration_atol(g, i) * g->sizes.part[i];
        // What began as a value is moved by what it has been; over more it may be another model.
        double own = fmax(fabs(g->x[i]), g->watched.scales.most[i]);
        bool alone = w->basis[i] != 0.0 && w->given[i];
        w->weight[i] =
            fmin(fmax(alone ? own : size * atol, FAR_ABOVE_NOISE * w->noise[i]), 100.0 * atol);
        w->basis[i] /= sqrt((double)values);
    }
    return values ? most : 0.0;
}

// How much more than the matrix does the rate of its fastest mode change? `mode` is exp(H t) after
// a long time: v w' / (w' v) but for a factor, or two of these that turn, and what it is to first
// order is the norm of that. Oscillations of a beam are far from orthogonal in units of their
// tolerances: whatever leads out of a space that is too small makes one of them grow.
static double sensitivity(const double *mode, uint32_t k)
{
    double b[SG_MODES * SG_MODES], trace = 0.0, trace2 = 0.0;
    sg_modes_multiply(mode, mode, k, b);
    for (uint32_t i = 0; i < k; i++) {
        trace += mode[i * SG_MODES + i];
        trace2 += b[i * SG_MODES + i];
    }
    double radius = fmax(0.5 * fabs(trace), sqrt(0.5 * fabs(trace * trace - trace2)));
    return sg_modes_norm(mode, k) / radius;
}

// Is what grows in the space a mode of the whole? What leads out of it must be small against the
// rate, and not be able to make that rate: numbers of a space that is too small are not those of
// the model.
static bool is_mode(const double *mode, uint32_t k, double rest, double rate)
{
    double sum = 0.0;
    for (uint32_t j = 0; j < k; j++)
        sum += mode[j * SG_MODES] * mode[j * SG_MODES];
    double out = rest * fabs(mode[(k - 1) * SG_MODES]) / sqrt(sum);
    return out <= CONVERGED * rate && out * sensitivity(mode, k) <= rate;
}

// Which states take part in the mode that grows?
static void find_members(sg_integration *g, const double *mode, uint32_t k)
{
    sg_growth *w = &g->watched.growth;
    uint32_t n = g->segment.n_states;
    double *sum = w->work + n, most = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        sum[i] = 0.0;
        for (uint32_t j = 0; j < k; j++)
            sum[i] += mode[j * SG_MODES] * w->basis[(size_t)j * n + i];
        most = fmax(most, fabs(sum[i]));
    }
    for (uint32_t i = 0; i < n; i++)
        w->takes_part[i] = w->among[i] && fabs(sum[i]) > MEMBER * most;
}

// Is the matrix that of a model that is straight over such distances? Then the other way leads to
// the opposite. Where a switch is in between, one column belongs to one side of it and the next to
// the other: slopes that are none of the model's, and of which one may grow while everything decays
// on both sides. What is off is felt by the rate as any other error of the matrix is.
static bool is_straight(sg_integration *g, const double *H, const double *mode, uint32_t k,
                        double rate)
{
    sg_growth *w = &g->watched.growth;
    uint32_t n = g->segment.n_states;
    double *back = w->work + (size_t)2 * n, off = 0.0;
    for (uint32_t j = 0; j < k; j++) {
        double *v = w->basis + (size_t)j * n, *out = w->basis + (size_t)k * n;
        for (uint32_t i = 0; i < n; i++)
            back[i] = -v[i];
        // The vector behind the last one is not needed any more.
        if (!apply(g, back, out))
            return false;
        for (uint32_t l = 0; l < k; l++)
            for (uint32_t i = 0; i < n; i++)
                out[i] += H[l * SG_MODES + j] * w->basis[(size_t)l * n + i];
        off += 0.25 * dot(out, out, n);
    }
    return sqrt(off) * sensitivity(mode, k) <= STRAIGHT * rate;
}

// The rate of what grows fastest among the small states and those that just `left`, 0 if nothing
// does. `size` is that of the largest.
static double find_rate(sg_integration *g, const bool *left, double *size)
{
    double H[SG_MODES * SG_MODES], mode[SG_MODES * SG_MODES], rest = 0.0;
    // Nonlinear systems begin where they were solved last, and where little decides about much
    // another beginning is another run.
    bool keeps = g->segment.n_carried && g->model->keep && !g->model->keep(g->model->user);
    sg_growth_measure_noise(g);
    *size = choose(g, left);
    uint32_t k = *size > 0.0 ? reduce(g, H, &rest) : 0;
    double rate = k ? sg_modes_rate(H, k, g->options.stop - g->options.start, mode) : 0.0;
    bool grows = rate > 0.0 && is_mode(mode, k, rest, rate) && is_straight(g, H, mode, k, rate);
    if (keeps)
        g->model->put_back(g->model->user);
    if (!grows)
        return 0.0;
    find_members(g, mode, k);
    return rate;
}

static void look(sg_integration *g)
{
    sg_growth *w = &g->watched.growth;
    double before = w->rate, size;
    bool first = !(w->looked <= g->t);
    double since = first ? 0.0 : g->t - w->looked;
    w->rate = find_rate(g, NULL, &size);
    w->looked = g->t;
    bool same = w->rate > 0.5 * before && w->rate < 2.0 * before;
    w->steady = same ? w->steady + 1 : 0;
    if (!(w->rate > 0.0)) {
        w->exponent = w->size = 0.0;
        return;
    }
    if (!(w->size > 0.0))
        w->size = size;
    // What came together with the rate of the look before is known better now.
    w->exponent = fmax(0.0, w->exponent + 0.5 * (w->rate - before) * since);
}

void sg_growth_watch(sg_integration *g, bool closing)
{
    sg_growth *w = &g->watched.growth;
    if (w->rate > 0.0 && g->t > w->t)
        w->exponent += w->rate * (g->t - w->t);
    w->t = g->t;
    for (uint32_t i = 0; w->exponent > SOME_EXPONENT && i < g->segment.n_states; i++)
        w->grew[i] = w->grew[i] || w->takes_part[i];
    w->steps += !closing;
    if (!can_look(g) || (w->steps < w->next && !closing) || w->looked == g->t)
        return;
    const sg_tolerances t = sg_tolerances_of(g);
    bool any = false;
    for (uint32_t i = 0; i < g->segment.n_states && !any; i++)
        any = g->x[i] != 0.0 && is_small_by(g, &t, i) && !sg_dormant_has(g, i);
    if (!any) {
        w->exponent = w->size = w->rate = 0.0;
        return;
    }
    if (w->spent > FREE_EVALS + sg_sim_env_own_evals(&g->env) / PART_EVALS)
        return;
    w->next = 2 * w->steps + 1;
    look(g);
}

bool sg_growth_of(sg_integration *g, const bool *left)
{
    double size;
    return can_look(g) && find_rate(g, left, &size) > 0.0;
}

bool sg_growth_missing(const sg_integration *g, double factor)
{
    const sg_growth *w = &g->watched.growth;
    return w->rate > 0.0 && w->size > 0.0 && w->exponent > LEAST_EXPONENT &&
           w->exponent > log(factor / w->size);
}

bool sg_growth_promises(const sg_integration *g)
{
    const sg_growth *w = &g->watched.growth;
    double rest = w->rate * (g->options.stop - g->t);
    return w->rate > 0.0 && w->size > 0.0 && w->exponent + rest > LEAST_EXPONENT &&
           w->exponent + rest > log(1.0 / w->size);
}

double sg_growth_own(const sg_integration *g)
{
    return g->watched.stretch.open ? g->watched.growth.rate * (g->t - g->watched.stretch.t) : 0.0;
}

bool sg_growth_is_much(const sg_integration *g)
{
    return sg_growth_own(g) > MUCH * g->watched.growth.pending;
}

bool sg_growth_is_little(const sg_integration *g)
{
    return sg_growth_own(g) < LITTLE * g->watched.growth.pending;
}
