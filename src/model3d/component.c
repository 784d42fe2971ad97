// A part as a component of a run: the table of sim/component.h. The work is done where its matter
// is; here void pointers get their type back.
#include "actions/actions.h"
#include "base/buf.h"
#include "model3d/held.h"
#include "model3d/islands.h"
#include "model3d/kept.h"
#include "model3d/loop_constraints.h"
#include "model3d/saved.h"
#include "model3d/segment.h"
#include "parts/coupling.h"
#include "parts/inside.h"
#include "parts/log.h"

// ---- translation --------------------------------------------------------------------------------

static void rewrite(void *self, sg_exprs *exprs, sg_structure *structure, sg_arena *arena,
                    bool first)
{
    sg_part *part = self;
    bool inverse = false,
         inside = sg_solve_inside(exprs, structure, sg_part_coupling(part), arena, &inverse);
    sg_part_set_inside(part, inside, inverse, first);
}

static void explain_translation(const void *self, const sg_flat *flat, sg_diags *diags)
{
    sg_part_explain_coupling(self, flat, diags);
}

static sg_sim_tree tree(const void *self) { return sg_part_tree(self); }

// ---- segments and steps -------------------------------------------------------------------------

static bool refused(const void *self) { return ((const sg_part *)self)->records.programs.refused; }

static void log_segment(const void *self) { sg_part_log_bodies(self); }

static bool bounds_steps(const void *self) { return sg_part_bounds_steps(self); }

static double bound_step(void *self) { return sg_part_bound_step(self); }

static bool sees_steps(const void *self) { return sg_part_sees_steps(self); }

static void see_step(void *self) { sg_part_see_step(self); }

static double foreseen(void *self, double t0, double t1, bool goes_on)
{
    return sg_part_foreseen(self, t0, t1, goes_on);
}

static bool gives_back(const void *self) { return sg_part_gives_back(self); }

static const sg_islands *islands(void *self, const sg_island_whole *whole)
{
    return sg_part_islands(self, whole);
}

static bool remembers(const void *self) { return sg_part_remembers(self); }

static sg_status keep(void *self) { return sg_part_keep(self); }

static sg_status reserve(void *self) { return sg_part_reserve(self); }

static void put_back(void *self) { sg_part_put_back(self); }

// ---- loops --------------------------------------------------------------------------------------

static bool may_project(const void *self) { return ((const sg_part *)self)->built.looped; }

static bool projects(const void *self) { return sg_part_has_loops(self); }

static sg_status project(void *self, struct sg_compiled *compiled, sg_events *events, double t,
                         double *x, sg_projection how, bool *moved)
{
    return sg_part_project(self, compiled, events, t, x, how, moved);
}

static bool constrains(const void *self) { return sg_part_constrains(self); }

static uint32_t most_constraints(const void *self) { return sg_part_most_constraints(self); }

static uint32_t n_constraints(const void *self) { return sg_part_n_constraints(self); }

static uint32_t begin_constraints(const void *self, const struct sg_compiled *compiled,
                                  bool *differential)
{
    return sg_part_begin_constraints(self, compiled, differential);
}

static void constraint_forces(const void *self, double *lambda)
{
    sg_part_constraint_forces(self, lambda);
}

static void constraint_sizes(const void *self, double *lambda, double *mu)
{
    sg_part_constraint_sizes(self, lambda, mu);
}

static void impose(const void *self, const double *lambda) { sg_part_impose(self, lambda); }

static void constraint_residuals(const void *self, const double *x, const double *mu, double *r,
                                 double *rate, double *gap)
{
    sg_part_constraint_residuals(self, x, mu, r, rate, gap);
}

static void constraint_accelerations(const void *self, double *out)
{
    sg_part_constraint_accelerations(self, out);
}

static bool constraints_near(const void *self) { return sg_part_constraints_near(self); }

static uint64_t constraints_chosen(const void *self) { return sg_part_constraints_chosen(self); }

static sg_status look_at_constraints(void *self, struct sg_compiled *compiled, sg_events *events,
                                     double t, double *x, sg_constraint_outlook *out)
{
    return sg_part_look_at_constraints(self, compiled, events, t, x, out);
}

// ---- saved states -------------------------------------------------------------------------------

static sg_status archive_layout(void *self, struct sg_archive *a)
{
    return sg_part_archive_layout(self, a);
}

static sg_status archive(void *self, struct sg_archive *a) { return sg_part_archive(self, a); }

// ---- after a run --------------------------------------------------------------------------------

static void report(const void *self, sg_diags *diags)
{
    sg_part_report_elements(self, diags);
    sg_part_report_actions(self, diags);
}

static void explain(const void *self, sg_diags *diags) { sg_part_explain(self, diags); }

static void report_compat(const void *self, sg_diags *diags) { sg_part_report_compat(self, diags); }

static void suggest_compat(const void *self, sg_diags *diags, sg_span span)
{
    sg_part_suggest_compat(self, diags, span);
}

const sg_component_functions sg_part_component = {.rewrite = rewrite,
                                                  .explain_translation = explain_translation,
                                                  .tree = tree,
                                                  .refused = refused,
                                                  .log_segment = log_segment,
                                                  .bounds_steps = bounds_steps,
                                                  .bound_step = bound_step,
                                                  .sees_steps = sees_steps,
                                                  .see_step = see_step,
                                                  .foreseen = foreseen,
                                                  .gives_back = gives_back,
                                                  .islands = islands,
                                                  .remembers = remembers,
                                                  .keep = keep,
                                                  .reserve = reserve,
                                                  .put_back = put_back,
                                                  .may_project = may_project,
                                                  .projects = projects,
                                                  .project = project,
                                                  .constrains = constrains,
                                                  .most_constraints = most_constraints,
                                                  .n_constraints = n_constraints,
                                                  .begin_constraints = begin_constraints,
                                                  .constraint_forces = constraint_forces,
                                                  .constraint_sizes = constraint_sizes,
                                                  .impose = impose,
                                                  .constraint_residuals = constraint_residuals,
                                                  .constraint_accelerations =
                                                      constraint_accelerations,
                                                  .constraints_near = constraints_near,
                                                  .constraints_chosen = constraints_chosen,
                                                  .look_at_constraints = look_at_constraints,
                                                  .archive_layout = archive_layout,
                                                  .archive = archive,
                                                  .report = report,
                                                  .explain = explain,
                                                  .report_compat = report_compat,
                                                  .suggest_compat = suggest_compat};

void sg_part_log_bodies(const sg_part *part)
{
    static const char indent[] = "         ";
    if (!part->records.programs.all.len)
        return;
    sg_buf text;
    sg_buf_init(&text, part->allocator);
    sg_part_dump(part, &text);
    sg_part_log(part, "      # super-objects\n");
    for (const char *line = sg_buf_text(&text), *end; (end = strchr(line, '\n')); line = end + 1) {
        sg_vm_write(part->vm, indent, sizeof indent - 1);
        sg_vm_write(part->vm, line, (size_t)(end - line) + 1);
    }
    sg_buf_free(&text);
}
