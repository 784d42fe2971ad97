// Points behind which there is no solution.
//
// x der(x) = -1 comes to x = 0 with an infinite slope, and nothing follows. A method with error
// control goes there with ever shorter steps. But once the state is known to its tolerance only,
// and that holds the pole, no test sees it any more: an explicit method jumps from side to side, an
// implicit one stands still, since its matrix makes any correction small. Both are content, and go
// on with numbers that mean nothing.
//
// So when steps have become much shorter than they were, the model is looked at along three lines:
// the step itself, the tangent ahead for a few tolerances, and time alone for the length of some
// steps. A pole tells itself apart from anything steep by a search for the largest derivative: that
// of a finite function settles, while next to a pole it grows by the same factor whenever the
// interval shrinks by the same factor. The factor gives the exponent. On a tangent a derivative
// that points to the pole from both sides ends the solution whatever its exponent is; else it must
// be one that cannot be integrated, as 1/(t - 1).
#include "integration/watch.h"

#include <math.h>
#include <string.h>

// A step is short at this part of the longest one since the last restart. It is looked at if it is
// shorter than all before by a factor, as steps toward a pole are. Of the others the first of a run
// are all looked at, of many each n-th, n being this part of them. A look costs about as much as a
// step of an explicit Runge-Kutta method, and more than those of others, which see their way more
// clearly. Steps that drown in the resolution of time, of which there are never many, are all
// looked at: one of them goes across.
static const double short_explicit = 0.1, short_other = 0.01, shorter = 0.7;
enum { SELDOM_EXPLICIT = 64, SELDOM_OTHER = 8 };
// How far to look: along the tangent in tolerances and in steps, in time in steps.
static const double near = 10.0, ahead = 30.0;
// The search shrinks its interval by the golden section, so many times in each block. Behind the
// first block, in which a pole may not have stood out yet, each must show at least the smallest
// exponent. The smallest of the last ones counts: where times can no longer be told apart, one of
// them may be the very point, and what has an integral, as 1/sqrt(abs(t - 1) + 1e-30), seems to
// leap.
enum { SECTIONS = 6, BLOCKS = 6, ALIKE = 3 };
static const double golden = 0.6180339887498949, least_exponent = 0.2;
// Nothing is searched where derivatives at the first points differ by less than this factor.
static const double even = 1.25;
// From this exponent on a derivative is taken for one that has no integral.
static const double no_integral = 0.9;

// Points x + s * direction at the times t + s * h, s from `from` to `to`.
typedef struct sg_pole_line {
    sg_integration *g;
    double h, from, to;
    double size;             // of the derivatives at s = 0, in tolerances
    const double *direction; // null: time alone
    uint32_t only;           // 1 + the state whose derivative is looked at; 0: the largest of all
    double s;                // where the search ended
    uint32_t state;          // whose derivative is the largest there, in tolerances
    double exponent;
    bool turns; // the derivative has other signs on the two sides
} sg_pole_line;

static double tolerance_of(const sg_integration *g, uint32_t i)
{
    return g->options.tolerance * fabs(g->x[i]) + sg_integration_atol(g, i);
}

// Derivatives at a point of the line, in dx_out. False where the model has none.
static bool evaluate(const sg_pole_line *line, double s)
{
    sg_integration *g = line->g;
    uint32_t n = g->segment.n_states;
    for (uint32_t i = 0; i < n; i++)
        g->x_out[i] = g->x[i] + (line->direction ? s * line->direction[i] : 0.0);
    if (sg_sim_env_rhs(&g->env, g->t + s * line->h, g->x_out, g->dx_out) != SG_OK)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(g->dx_out[i]))
            return false;
    return true;
}

// The largest derivative in tolerances, and whose it is.
static double size_of(const sg_pole_line *line, uint32_t *state)
{
    const sg_integration *g = line->g;
    const double *dx = g->dx_out;
    double most = 0.0;
    uint32_t n = g->segment.n_states, first = line->only ? line->only - 1 : 0;
    for (uint32_t i = first; i < (line->only ? line->only : n); i++) {
        double size = fabs(dx[i]) / tolerance_of(g, i);
        if (size > most) {
            most = size;
            *state = i;
        }
    }
    return most;
}

// Has the derivative of the line's state other signs at the ends of the interval?
static bool turns_between(const sg_pole_line *line, double a, double b)
{
    if (!evaluate(line, a))
        return false;
    double before = line->g->dx_out[line->state];
    return evaluate(line, b) && before * line->g->dx_out[line->state] < 0.0;
}

// Would an event come before the end of the search? Conditions keep their side up to there, so that
// the branch that holds the pole is evaluated beyond its end: if x > 0.01; 1/x else 100.0 end.
static bool has_event(const sg_pole_line *line)
{
    sg_sim_env *env = &line->g->env;
    const sg_events *events = &env->events;
    for (uint32_t i = 0; i < line->g->segment.n_states; i++)
        line->g->x_out[i] = line->g->x[i] + (line->direction ? line->s * line->direction[i] : 0.0);
    if (env->layout.n_positive == 0 ||
        sg_sim_env_crossings(env, line->g->t + line->s * line->h, line->g->x_out, events->z))
        return false;
    for (uint32_t i = 0; i < env->layout.n_positive; i++)
        if (events->positive[i] ? events->z[i] < 0.0 : events->z[i] > 0.0)
            return true;
    return false;
}

// Is there a point on the line toward which derivatives grow without bound?
static bool find_pole(sg_pole_line *line)
{
    double a = line->from, b = line->to, least = pow(golden, -least_exponent * SECTIONS);
    double s[2] = {b - golden * (b - a), a + golden * (b - a)}, size[2], last = 0.0;
    uint32_t state[2] = {0, 0};
    line->exponent = INFINITY;
    for (int k = 0; k < 2; k++) {
        if (!evaluate(line, s[k]))
            return false;
        size[k] = size_of(line, &state[k]);
    }
    double smallest = fmin(line->size, fmin(size[0], size[1]));
    if (!(fmax(line->size, fmax(size[0], size[1])) > even * smallest))
        return false;
    for (int block = 0; block < BLOCKS; block++) {
        for (int k = 0; k < SECTIONS; k++) {
            int worse = size[0] < size[1] ? 0 : 1, better = 1 - worse;
            *(worse ? &b : &a) = s[worse];
            s[worse] = s[better];
            size[worse] = size[better];
            state[worse] = state[better];
            s[better] = better ? a + golden * (b - a) : b - golden * (b - a);
            if (!evaluate(line, s[better]))
                return false;
            size[better] = size_of(line, &state[better]);
        }
        double most = fmin(size[0], size[1]); // the other one may have hit the pole by chance
        if (block > 0 && !(most > least * last))
            return false;
        if (block >= BLOCKS - ALIKE)
            line->exponent = fmin(line->exponent, log(most / last) / (-SECTIONS * log(golden)));
        last = most;
    }
    line->state = state[size[0] < size[1]];
    line->s = 0.5 * (a + b);
    line->turns = turns_between(line, a, b);
    return !has_event(line);
}

// The state whose derivative differs most inside of the step from that at its end, among those that
// it moves by as many tolerances as may hold a pole; + 1, or 0 if there is none. Beside a state
// that moves on steadily by many of them, a derivative shows only where it is far steeper than
// that.
static uint32_t find_uneven(const sg_pole_line *step, double *end)
{
    sg_integration *g = step->g;
    double most = even;
    uint32_t found = 0, n = g->segment.n_states;
    if (!evaluate(step, 0.0))
        return 0;
    memcpy(end, g->dx_out, n * sizeof *end);
    if (!evaluate(step, -golden))
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        double size = fabs(g->dx_out[i]), ratio = size / fabs(end[i]);
        if (ratio > most && step->h * size > near * tolerance_of(g, i)) {
            most = ratio;
            found = i + 1;
        }
    }
    return found;
}

static bool ends_solution(const sg_pole_line *line)
{
    return line->turns || line->exponent > no_integral;
}

static sg_status report(sg_integration *g, const sg_pole_line *line)
{
    const char *const *names = g->segment.state_names;
    sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_POLE,
                  "the solution ends at about time = %.10g s: the derivative of '%s' grows beyond "
                  "all bounds there. Look for a denominator or a coefficient of a derivative that "
                  "becomes zero, or end the simulation before",
                  g->t + line->s * line->h, names ? names[line->state] : "a state");
    return SG_ERR_SOLVER;
}

// Looks along the three lines; `h` is the length of the last step, which is zero when it drowned in
// rounding, and `left` what is ahead of it.
static sg_status look(sg_integration *g, double h, double left)
{
    uint32_t n = g->segment.n_states, ignored = 0;
    double *chord = g->watched.pole.work, *tangent = chord + n,
           most = left < ahead * h ? left / h : ahead;
    sg_pole_line time = {.g = g, .h = h, .to = most};
    if (!evaluate(&time, 0.0))
        return SG_OK;
    for (uint32_t i = 0; i < n; i++) {
        chord[i] = g->x[i] - g->sizes.before[i];
        tangent[i] = h * g->dx_out[i];
    }
    double size = time.size = size_of(&time, &ignored), to = fmin(most, near / (h * size));
    sg_pole_line step = {.g = g, .h = h, .from = -1.0, .direction = chord, .size = size};
    sg_pole_line on = {.g = g, .h = h, .to = to, .direction = tangent, .size = size};
    if (find_pole(&step) && ends_solution(&step))
        return report(g, &step);
    if (find_pole(&on) && ends_solution(&on))
        return report(g, &on);
    if (find_pole(&time) && time.exponent > no_integral)
        return report(g, &time);
    step.only = find_uneven(&step, tangent);
    return step.only && find_pole(&step) && ends_solution(&step) ? report(g, &step) : SG_OK;
}

void sg_integration_forget_poles(sg_integration *g)
{
    g->watched.pole.h = 0.0;
    g->watched.pole.least = INFINITY;
}

bool sg_integration_poles_fit(const sg_integration *g)
{
    bool unfit =
        g->model->nonsmooth || g->memory.constrained.by || g->memory.carry.on || g->env.sliding.n;
    return !unfit && !(g->options.h_fixed > 0.0) && !g->options.plain_atol &&
           g->segment.n_states > 0;
}

sg_status sg_integration_watch_poles(sg_integration *g, const sg_watch_step *step)
{
    double h = step->h;
    bool is_explicit = g->options.method->family == SG_FAMILY_ERK;
    g->watched.pole.h = fmax(g->watched.pole.h, h);
    if (h > (is_explicit ? short_explicit : short_other) * g->watched.pole.h)
        return SG_OK;
    bool due = h < shorter * g->watched.pole.least ||
               g->watched.pole.steps >= g->watched.pole.next ||
               h <= SG_SIM_INSTANT_PART * fabs(g->t);
    g->watched.pole.least = fmin(g->watched.pole.least, h);
    g->watched.pole.steps++;
    if (!due)
        return SG_OK;
    g->watched.pole.next = g->watched.pole.steps +
                           g->watched.pole.steps / (is_explicit ? SELDOM_EXPLICIT : SELDOM_OTHER);
    bool keeps = g->segment.n_carried && g->model->keep;
    if (keeps)
        g->model->keep(g->model->user);
    sg_status status = look(g, h, fmin(step->left, g->env.delays.shortest));
    if (keeps)
        g->model->put_back(g->model->user);
    return status;
}
