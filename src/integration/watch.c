#include "integration/watch.h"

#include "integration/formulation.h"
#include "integration/sizes.h"

// ---- scales -------------------------------------------------------------------------------------

static sg_status look_at_scales(sg_integration *g, const sg_watch_step *step)
{
    sg_scales_watch(g, step->from);
    sg_scales_add_errors(g);
    sg_sizes_follow(g);
    return SG_OK;
}

static void other_scales(sg_integration *g)
{
    sg_integration_forget_scales(g);
    sg_sizes_forget(g); // tolerances were those of others
}

// ---- stiffness ----------------------------------------------------------------------------------

static bool is_not_told(const sg_integration *g) { return !g->watched.told_stiff; }

void sg_integration_watch_stiffness(sg_integration *g, const sg_solver *solver, double t)
{
    double lambda = sg_solver_stiff(solver);
    if (lambda == 0.0 || g->watched.told_stiff)
        return;
    g->watched.told_stiff = true;
    sg_sim_remark(
        g->diags, t, SG_WARNING, SG_E_SIM_STIFF,
        "the model is stiff for %s: since some time its steps are bounded by stability, not "
        "by the tolerance, because of something that decays within %.2g s; an implicit "
        "method such as CVODE_BDF() takes longer steps",
        g->options.method->name, -1.0 / lambda);
}

static sg_status look_at_stiffness(sg_integration *g, const sg_watch_step *step)
{
    (void)step;
    sg_integration_watch_stiffness(g, g->solver, g->t);
    return SG_OK;
}

// ---- stalls -------------------------------------------------------------------------------------

// So many steps, and time moved by less than this part of the whole: a million times as many lie
// between here and the end, which is days for the smallest model.
#define STALL_STEPS 1000000
#define STALL_PART 1e-6

static sg_status look_at_stall(sg_integration *g, const sg_watch_step *step)
{
    (void)step;
    if (!g->formulation->apart) // islands count their own (islands.c)
        g->watched.stall.steps++;
    if (g->watched.stall.steps < STALL_STEPS)
        return SG_OK;
    double moved = g->t - g->watched.stall.from, whole = g->options.stop - g->options.start;
    g->watched.stall.steps = 0;
    g->watched.stall.from = g->t;
    if (moved > STALL_PART * whole || g->options.stop - g->t < STALL_PART * whole)
        return SG_OK;
    return sg_integration_stalled(g, STALL_STEPS, moved);
}

// ---- the list -----------------------------------------------------------------------------------

static const sg_watch watches[] = {
    {.name = "what died away",
     .looks_at = "states far below their tolerances that are zero as long as they are zero",
     .tests = "follows them on a scale of their own, and puts them in place where they come back",
     .restart = sg_dormant_restart,
     .change = sg_dormant_forget},
    {.name = "poles",
     .looks_at = "steps that became short: a derivative that grows beyond all bounds ahead",
     .tests = "searches the line ahead for the pole and measures its exponent",
     .may_speak = sg_integration_poles_fit,
     .restart = sg_integration_forget_poles,
     .step = sg_integration_watch_poles},
    {.name = "scales",
     .looks_at = "states below their absolute tolerances",
     .tests = "repeats the stretch with a tighter twin (stretch.h), or measures growth (growth.h)",
     .restart = sg_scales_forget,
     .change = other_scales,
     .step = look_at_scales,
     .end = sg_integration_check_scales},
    {.name = "stiffness",
     .looks_at = "steps of explicit methods that stability bounds, not the tolerance",
     .tests = "the solver compares both bounds over many steps",
     .may_speak = is_not_told,
     .step = look_at_stiffness},
    {.name = "creep",
     .looks_at = "thousands of steps that hardly move time, along a jump that is no event",
     .tests = "differences over two distances tell a jump from a slope, twice",
     .may_speak = sg_integration_creep_fits,
     .restart = sg_integration_forget_creep,
     .step = sg_integration_watch_creep},
    {.name = "verification",
     .looks_at = "derivatives inside of a step that the solution does not follow",
     .tests = "moves the states along the difference; sends the stretch back before it speaks",
     .may_speak = sg_integration_is_verified,
     .inside = sg_integration_verify},
    {.name = "stalls",
     .looks_at = "a million steps that brought the end no nearer",
     .tests = "nothing to test: at this pace it is never reached",
     .of_any = true,
     .step = look_at_stall},
    {.name = "missed conditions",
     .looks_at = "conditions that changed before an event without being located",
     .tests = "takes what a small part of the tolerances changes for noise (dying.h)",
     .of_any = true,
     .before_event = sg_integration_check_missed},
    {.name = "storms",
     .looks_at = "events that chatter, pile up or leave no time in between",
     .tests = "makes conditions deaf to noise, asks if their sides are felt (smooth.h), and looks "
              "whether the model fell through where they piled up",
     .of_any = true,
     .event = sg_integration_watch_storm,
     .settled = sg_integration_watch_fallen},
    {.name = NULL},
};

const sg_watch *sg_watches(void) { return watches; }

static bool looks(const sg_watch *w, const sg_integration *g)
{
    return (w->of_any || !g->formulation->apart) && (!w->may_speak || w->may_speak(g));
}

void sg_watches_restart(sg_integration *g)
{
    for (const sg_watch *w = watches; w->name; w++)
        if (w->restart)
            w->restart(g);
}

void sg_watches_change(sg_integration *g)
{
    for (const sg_watch *w = watches; w->name; w++)
        if (w->change)
            w->change(g);
}

sg_status sg_watches_step(sg_integration *g, const sg_watch_step *step)
{
    sg_status status = SG_OK;
    for (const sg_watch *w = watches; w->name && !status; w++)
        if (w->step && looks(w, g))
            status = w->step(g, step);
    return status;
}

sg_status sg_watches_inside(sg_integration *g, double t, double h)
{
    sg_status status = SG_OK;
    for (const sg_watch *w = watches; w->name && !status; w++)
        if (w->inside && looks(w, g))
            status = w->inside(g, t, h);
    return status;
}

void sg_watches_end(sg_integration *g)
{
    for (const sg_watch *w = watches; w->name; w++)
        if (w->end)
            w->end(g);
}

sg_status sg_watches_before_event(sg_integration *g)
{
    sg_status status = SG_OK;
    for (const sg_watch *w = watches; w->name && !status; w++)
        if (w->before_event && looks(w, g))
            status = w->before_event(g);
    return status;
}

sg_status sg_watches_event(sg_integration *g)
{
    sg_status status = SG_OK;
    for (const sg_watch *w = watches; w->name && !status; w++)
        if (w->event && looks(w, g))
            status = w->event(g);
    return status;
}

sg_status sg_watches_settled(sg_integration *g)
{
    sg_status status = SG_OK;
    for (const sg_watch *w = watches; w->name && !status; w++)
        if (w->settled && looks(w, g))
            status = w->settled(g);
    return status;
}
