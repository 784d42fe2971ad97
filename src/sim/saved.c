// Saved states: what a run is, apart from the model and its memories.
//
// A solver is not saved: a run that is saved restarts it, and so does one that is resumed. Watches
// that look back over some steps begin anew as well. All that outlives a restart is here, or with
// its owner: events, sliding and delays (env.c), the program (program/saved.c), components
// (sim/component.h).
#include "base/archive.h"
#include "sim/run_internal.h"

#include <string.h>

static void archive_stats(sg_sim_run_state *run, sg_archive *a)
{
    sg_sim_stats *s = &run->outcome->stats;
    sg_archive_section(a, "statistics");
    SG_ARCHIVE(a, s->n_states_min);
    SG_ARCHIVE(a, s->n_states_max);
    SG_ARCHIVE(a, s->n_segments);
    uint64_t *const counts[] = {&s->n_time_events, &s->n_state_events, &s->n_restart_events,
                                &s->n_full_restart_events, &s->n_reselections};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        SG_ARCHIVE(a, *counts[i]);
    if (s->n_reselections && !run->model->reselect)
        a->failed = true;
}

static sg_status archive_storm(sg_integration *g, sg_archive *a)
{
    sg_storm *s = &g->watched.storm;
    size_t n = (size_t)g->env.layout.n_positive + 2;
    sg_rhythm *rhythms = s->rhythms;
    bool any = rhythms != NULL;
    sg_archive_section(a, "storm");
    SG_ARCHIVE(a, any);
    s->rhythms = NULL;
    SG_ARCHIVE(a, *s);
    if (any && !rhythms)
        rhythms = SG_NEW_ARRAY(&g->arena, sg_rhythm, n);
    s->rhythms = any ? rhythms : NULL;
    if (any && !rhythms)
        return SG_ERR_MEMORY;
    if (s->zeno_slot > g->env.layout.n_positive) {
        s->zeno_slot = 0;
        a->failed = true;
    }
    if (any)
        SG_ARCHIVE_ARRAY(a, rhythms, n);
    return SG_OK;
}

// Which tolerances states have by their sizes, and what of these was measured.
static void archive_sizes(sg_integration *g, sg_archive *a)
{
    size_t n = g->segment.n_states;
    sg_archive_section(a, "sizes");
    SG_ARCHIVE(a, g->sizes.refined);
    SG_ARCHIVE(a, g->sizes.some);
    double *const numbers[] = {g->sizes.largest, g->sizes.part, g->sizes.sized,
                               g->watched.growth.noise};
    for (size_t i = 0; n && i < sizeof numbers / sizeof *numbers; i++)
        SG_ARCHIVE_ARRAY(a, numbers[i], n);
    if (n)
        SG_ARCHIVE_ARRAY(a, g->sizes.follows, n);
}

// What is known before the segment is, and behind that.
static void archive_run(sg_sim_run_state *run, sg_archive *a)
{
    sg_integration *g = run->integration;
    sg_integration_stats stats = sg_integration_statistics(g);
    sg_archive_section(a, "run");
    SG_ARCHIVE(a, run->next_grid);
    SG_ARCHIVE(a, run->done);
    SG_ARCHIVE(a, run->outcome->terminated);
    SG_ARCHIVE(a, g->watched.stall.steps);
    SG_ARCHIVE(a, g->watched.stall.from);
    SG_ARCHIVE(a, g->t);
    SG_ARCHIVE(a, g->n_segments);
    SG_ARCHIVE(a, g->event.n);
    SG_ARCHIVE(a, g->event.at);
    SG_ARCHIVE(a, stats);
    if (sg_archive_reads(a))
        g->past = stats;
    SG_ARCHIVE(a, g->watched.told_stiff);
    SG_ARCHIVE(a, g->event.told_held);
    SG_ARCHIVE(a, g->watched.energy);
    archive_stats(run, a);
}

static sg_status archive_rest(sg_sim_run_state *run, bool *carries, sg_archive *a)
{
    sg_integration *g = run->integration;
    *carries = g->memory.carry.on;
    sg_archive_section(a, "formulation");
    SG_ARCHIVE(a, *carries);
    SG_ARCHIVE(a, g->memory.constrained.given_up);
    archive_sizes(g, a);
    sg_dormant_archive(g, a);
    sg_status status = archive_storm(g, a);
    return status == SG_OK ? sg_sim_env_archive(&g->env, &g->segment_arena, a) : status;
}

// ---- saving -----------------------------------------------------------------------------------

// All states to where events find them, as if there was one; and a point of the result, from which
// what is told of the time between two points counts.
static sg_status collect_states(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_integration_step here = {.t0 = g->t, .t = g->t};
    if (run->done || !g->solver)
        return SG_OK;
    sg_status status = sg_sim_abandon_stretch(run);
    if (status == SG_OK)
        status = sg_sim_states_now(run, &here.x);
    if (status != SG_OK)
        return status;
    sg_integration_take(g, &here);
    return sg_sim_store(run, g->t, g->env.x);
}

sg_status sg_sim_save(sg_sim_run_state *run, sg_archive *a)
{
    const sg_sim_model *model = run->model;
    sg_integration *g = run->integration;
    sg_status status = SG_OK;
    bool carries;
    while (status == SG_OK && run->segment_over && !run->done)
        status = sg_sim_go_on(run);
    if (status == SG_OK) {
        sg_sim_leave_steps(run);
        status = collect_states(run);
    }
    if (status != SG_OK)
        return status;
    archive_run(run, a);
    if (model->archive)
        status = model->archive(model->user, a, g->env.x, &g->segment);
    if (status == SG_OK)
        status = archive_rest(run, &carries, a);
    return status != SG_OK || !a->failed ? status : SG_ERR_MEMORY;
}

void sg_sim_drop(sg_sim_run_state *run)
{
    const sg_allocator *allocator = run->allocator;
    sg_sim_held_destroy(run);
    sg_integration_destroy(run->integration);
    allocator->resize(allocator->context, run, sizeof *run, 0);
}

// ---- resuming ---------------------------------------------------------------------------------

static sg_status tell_segment(sg_sim_run_state *run)
{
    const sg_integration *g = run->integration;
    sg_status status = SG_OK;
    for (size_t i = 0; i < run->n_sinks && status == SG_OK; i++)
        if (run->sinks[i].begin_segment)
            status = run->sinks[i].begin_segment(
                run->sinks[i].user, run->outcome->stats.n_segments - 1, g->t, &g->segment);
    return status;
}

// From the model's segment to the integrator, in the order in which a segment begins.
static sg_status resume(sg_sim_run_state *run, sg_archive *a, bool tell)
{
    const sg_sim_model *model = run->model;
    sg_integration *g = run->integration;
    bool carries = false;
    archive_run(run, a);
    sg_status status = a->failed ? SG_ERR_INPUT : SG_OK;
    if (status == SG_OK && model->archive)
        status = model->archive(model->user, a, NULL, &g->segment);
    if (status == SG_OK && a->failed)
        status = SG_ERR_INPUT;
    if (status == SG_OK) {
        g->n_segments--; // which counts it once more
        status = sg_integration_begin_segment(g);
    }
    if (status == SG_OK)
        status = archive_rest(run, &carries, a);
    if (status == SG_OK && (a->failed || a->at != a->end))
        status = SG_ERR_INPUT;
    if (status == SG_OK && tell)
        status = tell_segment(run);
    // Whether anybody is told or not, the same is evaluated.
    if (status == SG_OK)
        status =
            tell ? sg_sim_store(run, g->t, g->env.x) : sg_integration_evaluate(g, g->t, g->env.x);
    if (status != SG_OK || run->done)
        return status;
    return sg_integration_change_solver(g, carries);
}

sg_status sg_sim_resume(const sg_allocator *allocator, const sg_sim_model *model,
                        const sg_sim_options *options, const sg_sim_sink *sinks, size_t n_sinks,
                        sg_limits *limits, sg_diags *diags, sg_sim_outcome *outcome, sg_archive *a,
                        bool tell, sg_sim_run_state **out)
{
    sg_sim_run_state *run = *out = allocator->resize(allocator->context, NULL, 0, sizeof *run);
    if (!run)
        return SG_ERR_MEMORY;
    *run = sg_sim_new_run(allocator, model, options, sinks, n_sinks, limits, diags, outcome);
    run->errors = diags ? diags->n_errors : 0;
    sg_status status = sg_sim_check_options(run);
    if (status == SG_OK) {
        sg_integration_options o = sg_sim_integration_options(run);
        status = sg_integration_create(allocator, model, &o, diags, &run->integration);
    }
    if (status == SG_OK)
        status = resume(run, a, tell);
    sg_sim_stats *stats = &outcome->stats;
    stats->method = run->options.method;
    stats->start = run->options.start;
    stats->interval = run->options.interval;
    stats->tolerance = run->options.tolerance;
    return run->integration ? sg_sim_enter_steps(run, status) : status;
}
