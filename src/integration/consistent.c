#include "integration/consistent.h"

#include "math/dense.h"

#include <float.h>
#include <math.h>

enum { MAX_ITERATIONS = 50 };

typedef struct search {
    sg_integration *g;
    int n;
    int *at;           // their places among the states
    double *J, *step;  // n x n by rows, n
    double *r, *r_off; // residuals, of all states
    int *pivot;
} search;

static bool search_init(search *s, sg_integration *g, sg_arena *arena)
{
    const sg_sim_segment *segment = &g->segment;
    uint32_t n_states = segment->n_states;
    *s = (search){.g = g, .at = SG_NEW_ARRAY(arena, int, n_states + 1)};
    for (uint32_t i = 0; s->at && i < n_states; i++)
        if (segment->guessed[i])
            s->at[s->n++] = (int)i;
    size_t n = (size_t)s->n;
    s->J = SG_NEW_ARRAY(arena, double, n *n + 1);
    s->step = SG_NEW_ARRAY(arena, double, n + 1);
    s->r = SG_NEW_ARRAY(arena, double, n_states + 1);
    s->r_off = SG_NEW_ARRAY(arena, double, n_states + 1);
    s->pivot = SG_NEW_ARRAY(arena, int, n + 1);
    return !arena->failed;
}

static sg_status residual(const search *s, double *r)
{
    sg_sim_env *env = &s->g->env;
    return sg_sim_env_residual(env, s->g->t, env->x, env->dx, r);
}

// Half of the digits, of the number or of one where that is small: absolute tolerances are numbers
// in SI units, too.
static double difference(double x) { return sqrt(DBL_EPSILON) * fmax(fabs(x), 1.0); }

static sg_status differentiate(search *s)
{
    double *x = s->g->env.x;
    sg_status status = residual(s, s->r);
    for (int k = 0; k < s->n && !status; k++) {
        double before = x[s->at[k]];
        x[s->at[k]] += difference(before);
        double h = x[s->at[k]] - before;
        status = residual(s, s->r_off);
        x[s->at[k]] = before;
        for (int i = 0; i < s->n; i++)
            s->J[i * s->n + k] = (s->r_off[s->at[i]] - s->r[s->at[i]]) / h;
    }
    return status;
}

// One step; *off is how far it went, in tolerances.
static sg_status improve(search *s, double *off)
{
    double tolerance = s->g->options.tolerance;
    sg_status status = differentiate(s);
    if (!status && sg_lu_factor(s->J, s->n, s->pivot, NULL) != SG_OK)
        status = SG_ERR_SOLVER;
    if (status)
        return status;
    for (int i = 0; i < s->n; i++)
        s->step[i] = -s->r[s->at[i]];
    sg_lu_solve(s->J, s->n, s->pivot, s->step);
    *off = 0.0;
    for (int i = 0; i < s->n; i++) {
        double *x = &s->g->env.x[s->at[i]];
        *x += s->step[i];
        *off = fmax(*off, fabs(s->step[i]) / (tolerance * (fabs(*x) + 0.1)));
        if (!isfinite(*x))
            return SG_ERR_SOLVER;
    }
    return SG_OK;
}

sg_status sg_integration_find_algebraic(sg_integration *g)
{
    if (!g->segment.guessed)
        return SG_OK;
    sg_arena arena;
    search s;
    double off = INFINITY;
    sg_arena_init(&arena, g->allocator);
    sg_status status = search_init(&s, g, &arena) ? SG_OK : SG_ERR_MEMORY;
    // Well inside of the tolerance: steps shrink by squares there.
    for (int it = 0; it < MAX_ITERATIONS && !status && off > 1e-2; it++)
        status = improve(&s, &off);
    sg_arena_destroy(&arena);
    if (status == SG_ERR_SOLVER || (!status && off > 1e-2)) {
        sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_SIM_INIT,
                      "no values of the algebraic unknowns were found at time = %.10g s that fit "
                      "their residuals; give better start values",
                      g->t);
        status = SG_ERR_INIT;
    }
    return status;
}
