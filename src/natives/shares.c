#include "natives/shares.h"

#include <math.h>

// What it costs to read the clock [s]: the least of some, since others may come between.
static double clock_cost(void)
{
    enum { READS = 20, TIMES = 20 };
    double least = INFINITY;
    for (int k = 0; k < TIMES; k++) {
        double begin = sg_wall_time(), now = begin;
        for (int i = 0; i < READS; i++)
            now = sg_wall_time();
        least = fmin(least, (now - begin) / READS);
    }
    return least;
}

// What was read off the clock before and after something holds one reading, and two for each pair
// that was read within. An evaluation of a small model is shorter than that.
static double without(double seconds, double reading, uint64_t n)
{
    return fmax(seconds - reading * (double)n, 0.0);
}

sg_run_shares sg_run_shares_of(double translation, const sg_sim_outcome *outcome)
{
    const sg_sim_timing *t = &outcome->timing;
    const sg_solver_timing *solver = &t->solver;
    const sg_sim_stats *stats = &outcome->stats;
    double reading = clock_cost(), s[SG_SHARE_COUNT];
    uint64_t inner = solver->n_jacobian_rhs, pairs = solver->n_looks;
    for (int i = 0; i < SG_SHARE_COUNT; i++) {
        s[i] = without(t->seconds[i], reading, t->calls[i]);
        pairs += t->calls[i];
    }
    // Evaluations for Jacobians were timed by the model, too.
    double for_jacobians = without(solver->jacobian_rhs, reading, 3 * inner);
    double kept = t->handled[SG_SHARE_OUTPUT] + t->handled[SG_SHARE_SINK];
    sg_run_shares r = {
        .cpu = stats->init_cpu_time + stats->sim_cpu_time,
        .translation = translation,
        .evaluation = fmax(s[SG_SHARE_RHS] - t->handled[SG_SHARE_RHS] - for_jacobians, 0.0),
        .jacobian = without(solver->jacobian, reading, 4 * inner + stats->n_jac),
        .factorization = without(solver->factoring, reading, solver->n_looks - inner),
        .events = fmax(t->handling - kept, 0.0) +
                  without(solver->looking, reading, 2 * t->calls[SG_SHARE_CROSSINGS]),
        .output = s[SG_SHARE_OUTPUT] + s[SG_SHARE_SINK],
        .n_steps = stats->n_steps,
        .n_evaluations = stats->nf_total,
        .n_jacobians = stats->n_jac,
        .n_jacobian_evaluations = solver->n_jacobian_rhs,
        .n_events = stats->n_time_events + stats->n_state_events,
        .n_points = stats->n_results,
        .n_states = stats->n_states_max,
        .n_factored = (uint32_t)solver->n_factored,
        .dense = solver->dense};
    double in_all = r.evaluation + r.jacobian + r.factorization + r.events + r.output;
    r.integrator = fmax(without(t->total, reading, 2 * pairs) - in_all, 0.0);
    return r;
}
