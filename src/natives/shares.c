#include "natives/shares.h"

#include <math.h>

// What it costs to look at the clock, twice [s]: the least of some, since others may come between.
static double clock_cost(void)
{
    enum { LOOKS = 20, TIMES = 20 };
    double least = INFINITY;
    for (int k = 0; k < TIMES; k++) {
        double begin = sg_wall_time(), now = begin;
        for (int i = 0; i < LOOKS; i++)
            now = sg_wall_time();
        least = fmin(least, 2.0 * (now - begin) / LOOKS);
    }
    return least;
}

sg_run_shares sg_run_shares_of(double translation, const sg_sim_outcome *outcome)
{
    const sg_sim_timing *t = &outcome->timing;
    const sg_sim_stats *stats = &outcome->stats;
    double look = clock_cost(), s[SG_SHARE_COUNT], in_all = 0.0, n_looks = 0.0;
    for (int i = 0; i < SG_SHARE_COUNT; i++) {
        s[i] = fmax(t->seconds[i] - look * (double)t->calls[i], 0.0);
        n_looks += (double)t->calls[i];
    }
    double inner = look * (double)t->solver.n_jacobian_rhs;
    double kept = t->handled[SG_SHARE_OUTPUT] + t->handled[SG_SHARE_SINK];
    sg_run_shares r = {
        .cpu = stats->init_cpu_time + stats->sim_cpu_time,
        .translation = translation,
        .evaluation = fmax(s[SG_SHARE_RHS] - t->handled[SG_SHARE_RHS] - t->solver.jacobian_rhs, 0),
        .jacobian = fmax(t->solver.jacobian - 2.0 * inner, 0.0),
        .factorization = fmax(t->solver.factoring -
                                  look * (double)(t->solver.n_looks - t->solver.n_jacobian_rhs),
                              0.0),
        .events = fmax(t->handling - kept, 0.0) +
                  fmax(t->solver.looking - look * (double)t->calls[SG_SHARE_CROSSINGS], 0.0),
        .output = s[SG_SHARE_OUTPUT] + s[SG_SHARE_SINK],
        .n_steps = stats->n_steps,
        .n_evaluations = stats->nf_total,
        .n_jacobians = stats->n_jac,
        .n_jacobian_evaluations = t->solver.n_jacobian_rhs,
        .n_events = stats->n_time_events + stats->n_state_events,
        .n_points = stats->n_results,
        .n_states = stats->n_states_max,
        .n_factored = (uint32_t)t->solver.n_factored,
        .dense = t->solver.dense};
    in_all = r.evaluation + r.jacobian + r.factorization + r.events + r.output;
    n_looks += (double)t->solver.n_looks;
    r.integrator = fmax(t->total - look * n_looks - in_all, 0.0);
    return r;
}
