#include "sim/component.h"

#include "base/archive.h"
#include "sim/compiled.h"

#include <math.h>

// Those that have this function, one after the other.
#define EACH(all, c, function)                                                                     \
    for (const sg_sim_component *c = (all).data; c < (all).data + (all).n; c++)                    \
        if (c->functions->function)

// ---- translation --------------------------------------------------------------------------------

void sg_components_rewrite(sg_sim_components all, sg_exprs *exprs, sg_structure *structure,
                           sg_arena *arena, bool first)
{
    EACH(all, c, rewrite)
    c->functions->rewrite(c->self, exprs, structure, arena, first);
}

void sg_components_explain_translation(sg_sim_components all, const sg_flat *flat, sg_diags *diags)
{
    EACH(all, c, explain_translation)
    c->functions->explain_translation(c->self, flat, diags);
}

uint32_t sg_components_trees(sg_sim_components all, sg_arena *arena, const sg_sim_tree **out)
{
    sg_sim_tree *trees = SG_NEW_ARRAY(arena, sg_sim_tree, (size_t)all.n + 1);
    uint32_t n = 0;
    *out = trees;
    if (!trees)
        return 0;
    EACH(all, c, tree)
    trees[n++] = c->functions->tree(c->self);
    return n;
}

// ---- segments -----------------------------------------------------------------------------------

bool sg_components_refused(sg_sim_components all)
{
    EACH(all, c, refused)
    if (c->functions->refused(c->self))
        return true;
    return false;
}

void sg_components_log_segment(sg_sim_components all)
{
    EACH(all, c, log_segment)
    c->functions->log_segment(c->self);
}

// ---- steps --------------------------------------------------------------------------------------

bool sg_components_bound_steps(sg_sim_components all)
{
    EACH(all, c, bounds_steps)
    if (c->functions->bounds_steps(c->self))
        return true;
    return false;
}

double sg_components_bound_step(sg_sim_components all)
{
    double bound = INFINITY;
    EACH(all, c, bound_step)
    {
        double own = c->functions->bound_step(c->self);
        bound = own < bound || isnan(own) ? own : bound; // what is no number is told
    }
    return bound;
}

double sg_components_foreseen(sg_sim_components all, double t0, double t1, bool goes_on)
{
    double until = t1;
    EACH(all, c, foreseen)
    until = fmin(until, c->functions->foreseen(c->self, t0, t1, goes_on));
    return until;
}

bool sg_components_see_steps(sg_sim_components all)
{
    EACH(all, c, sees_steps)
    if (c->functions->sees_steps(c->self))
        return true;
    return false;
}

void sg_components_see_step(sg_sim_components all)
{
    EACH(all, c, see_step)
    c->functions->see_step(c->self);
}

bool sg_components_remember(sg_sim_components all)
{
    EACH(all, c, remembers)
    if (c->functions->remembers(c->self))
        return true;
    return !sg_components_are_kept(all);
}

bool sg_components_are_kept(sg_sim_components all)
{
    EACH(all, c, bounds_steps)
    if (!c->functions->keep && c->functions->bounds_steps(c->self))
        return false;
    return true;
}

sg_status sg_components_keep(sg_sim_components all)
{
    sg_status status = SG_OK;
    EACH(all, c, keep)
    status = status == SG_OK ? c->functions->keep(c->self) : status;
    return status;
}

sg_status sg_components_reserve(sg_sim_components all)
{
    sg_status status = SG_OK;
    EACH(all, c, keep)
    if (status == SG_OK)
        status =
            c->functions->reserve ? c->functions->reserve(c->self) : c->functions->keep(c->self);
    return status;
}

void sg_components_put_back(sg_sim_components all)
{
    EACH(all, c, put_back)
    c->functions->put_back(c->self);
}

const sg_islands *sg_components_islands(sg_sim_components all, const sg_island_whole *whole)
{
    const sg_sim_component *c = all.data;
    return all.n == 1 && c->functions->islands ? c->functions->islands(c->self, whole) : NULL;
}

bool sg_components_give_back(sg_sim_components all)
{
    EACH(all, c, gives_back)
    if (c->functions->gives_back(c->self))
        return true;
    return false;
}

// ---- constraints --------------------------------------------------------------------------------

bool sg_components_may_project(sg_sim_components all)
{
    EACH(all, c, may_project)
    if (c->functions->may_project(c->self))
        return true;
    return false;
}

sg_status sg_components_project(sg_compiled *compiled, sg_events *events, double t, double *x,
                                sg_projection how, bool *moved)
{
    sg_status status = SG_OK;
    *moved = false; // also where nothing constrains just now
    EACH(compiled->components, c, project)
    if (status == SG_OK && c->functions->projects(c->self))
        status = c->functions->project(c->self, compiled, events, t, x, how, moved);
    return status;
}

// ---- saved states -------------------------------------------------------------------------------

const char *sg_components_unsaved(sg_sim_components all)
{
    const char *why = NULL;
    EACH(all, c, unsaved)
    why = why ? why : c->functions->unsaved(c->self);
    return why;
}

sg_status sg_components_archive_layout(sg_sim_components all, sg_archive *a)
{
    sg_status status = SG_OK;
    EACH(all, c, archive_layout)
    status = status == SG_OK ? c->functions->archive_layout(c->self, a) : status;
    return status;
}

sg_status sg_components_archive(sg_sim_components all, sg_archive *a)
{
    sg_status status = SG_OK;
    EACH(all, c, archive)
    status = status == SG_OK ? c->functions->archive(c->self, a) : status;
    return status;
}

// ---- after a run --------------------------------------------------------------------------------

void sg_components_report(sg_sim_components all, sg_diags *diags)
{
    EACH(all, c, report)
    c->functions->report(c->self, diags);
}

void sg_components_explain(sg_sim_components all, sg_diags *diags)
{
    EACH(all, c, explain)
    c->functions->explain(c->self, diags);
}

void sg_components_report_compat(sg_sim_components all, sg_diags *diags)
{
    EACH(all, c, report_compat)
    c->functions->report_compat(c->self, diags);
}

void sg_components_suggest_compat(sg_sim_components all, sg_diags *diags, sg_span span)
{
    EACH(all, c, suggest_compat)
    c->functions->suggest_compat(c->self, diags, span);
}
