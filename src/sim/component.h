// A predefined component as a run sees it: one table of functions for its kind, and its memory.
//
// 3D parts, components written in C and those of the script all fill the same table; what a kind
// does not do stays null. A model that was linked holds an array of them (sim/compiled.h), and the
// functions below ask all of them at once, in the order in which they were built. Two things are
// not in the table: the equations call a component through rows of sg_extern, as they call any
// other function, and before a segment the language lets it define its states, through whatever
// function the model names for that (sg_compiled.define_hidden).
#pragma once

#include "sim/trees.h"

struct sg_archive;  // base/archive.h
struct sg_compiled; // sim/compiled.h
struct sg_flat;     // flat/flat.h

typedef struct sg_component_functions {
    // ---- translation

    // May put something better in place of sorted blocks. `first`: translation of this model. What
    // is new lives in `arena`.
    void (*rewrite)(void *self, sg_exprs *exprs, sg_structure *structure, sg_arena *arena,
                    bool first);
    // After translation failed: what the component may have to do with it.
    void (*explain_translation)(const void *self, const struct sg_flat *flat, sg_diags *diags);
    // After translation: what implicit methods ask of a tree of bodies.
    sg_sim_tree (*tree)(const void *self);

    // ---- segments

    // Did it refuse an action when the present segment was to begin?
    bool (*refused)(const void *self);
    // For the log, when a segment has begun.
    void (*log_segment)(const void *self);

    // ---- steps

    // Whether it may bound steps in this segment; the longest step that may follow, with the model
    // evaluated where it begins; and whether all moved as that took for granted
    // (integration/model.h).
    bool (*bounds_steps)(const void *self);
    double (*bound_step)(void *self);
    double (*foreseen)(void *self, double t0, double t1, bool goes_on);
    // Whether it wants to see where steps end; and does, with the model evaluated there.
    bool (*sees_steps)(const void *self);
    void (*see_step)(void *self);
    // Whether something is under way that keeps the energy it gets.
    bool (*gives_back)(const void *self);
    // Its states as islands, or null (integration/model.h).
    const sg_islands *(*islands)(void *self, const sg_island_whole *whole);

    // Whether evaluations leave something to those that follow in this segment. Those between the
    // next two leave nothing (integration/model.h); of a kind without these the equations see
    // nothing of it, and it only bounds steps by what was evaluated last.
    bool (*remembers)(const void *self);
    sg_status (*keep)(void *self);
    void (*put_back)(void *self);
    // Takes the memory that `keep` needs up to the next event, and copies nothing.
    sg_status (*reserve)(void *self);

    // ---- constraints that states keep to

    // Whether there may be some in any segment; whether there are in this one. The latter also
    // moves the states x of the model back to them, and sets *moved if anything did.
    bool (*may_project)(const void *self);
    bool (*projects)(const void *self);
    sg_status (*project)(void *self, struct sg_compiled *compiled, sg_events *events, double t,
                         double *x, sg_projection how, bool *moved);
    // The same as equations of the solver (sg_sim_constraints, each for the rows of this component
    // alone): whether that is possible in this segment, how many rows at most, and how many since
    // the last beginning.
    bool (*constrains)(const void *self);
    uint32_t (*most_constraints)(const void *self);
    uint32_t (*n_constraints)(const void *self);
    uint32_t (*begin_constraints)(const void *self, const struct sg_compiled *compiled,
                                  bool *differential);
    void (*constraint_forces)(const void *self, double *lambda);
    void (*constraint_sizes)(const void *self, double *lambda, double *mu);
    void (*impose)(const void *self, const double *lambda);
    void (*constraint_residuals)(const void *self, const double *x, const double *mu, double *r,
                                 double *rate, double *gap);
    void (*constraint_accelerations)(const void *self, double *out);
    bool (*constraints_near)(const void *self);
    uint64_t (*constraints_chosen)(const void *self); // another number for other rows
    sg_status (*look_at_constraints)(void *self, struct sg_compiled *compiled, sg_events *events,
                                     double t, double *x, sg_constraint_outlook *out);

    // ---- saved states (sim/saved.c)

    // Why it cannot be saved, or null if it can. A kind without this has no memory.
    const char *(*unsaved)(const void *self);
    // Right after the model was linked, or for the archive: what the present segment is built from.
    // Then, of one that is read, the segment is defined, where `hidden.x` is not null and time has
    // not moved. At last what the component remembers in this segment.
    sg_status (*archive_layout)(void *self, struct sg_archive *a);
    sg_status (*archive)(void *self, struct sg_archive *a);

    // ---- after a run

    // What happened in it that its user should know. After one that failed: what of the component
    // may be the reason.
    void (*report)(const void *self, sg_diags *diags);
    void (*explain)(const void *self, sg_diags *diags);
    // Switches of compatibility: which of those that are on changed something; and, where numbers
    // of the published program were missed, which of the others would have.
    void (*report_compat)(const void *self, sg_diags *diags);
    void (*suggest_compat)(const void *self, sg_diags *diags, sg_span span);
} sg_component_functions;

typedef struct sg_sim_component {
    const sg_component_functions *functions;
    void *self; // first argument of all functions
} sg_sim_component;

typedef struct sg_sim_components {
    const sg_sim_component *data;
    uint32_t n;
} sg_sim_components;

void sg_components_rewrite(sg_sim_components all, sg_exprs *exprs, sg_structure *structure,
                           sg_arena *arena, bool first);
void sg_components_explain_translation(sg_sim_components all, const struct sg_flat *flat,
                                       sg_diags *diags);
// Trees of those that have one, in `arena`; *out is null when memory ran out.
uint32_t sg_components_trees(sg_sim_components all, sg_arena *arena, const sg_sim_tree **out);

bool sg_components_refused(sg_sim_components all);
void sg_components_log_segment(sg_sim_components all);

bool sg_components_bound_steps(sg_sim_components all);
double sg_components_bound_step(sg_sim_components all);
double sg_components_foreseen(sg_sim_components all, double t0, double t1, bool goes_on);
bool sg_components_see_steps(sg_sim_components all);
void sg_components_see_step(sg_sim_components all);
bool sg_components_remember(sg_sim_components all);
// All that bound steps can be put back.
bool sg_components_are_kept(sg_sim_components all);
sg_status sg_components_keep(sg_sim_components all);
void sg_components_put_back(sg_sim_components all);
sg_status sg_components_reserve(sg_sim_components all);
bool sg_components_give_back(sg_sim_components all);
// Of a model whose only component this is, else null.
const sg_islands *sg_components_islands(sg_sim_components all, const sg_island_whole *whole);

bool sg_components_may_project(sg_sim_components all);
sg_status sg_components_project(struct sg_compiled *compiled, sg_events *events, double t,
                                double *x, sg_projection how, bool *moved);
// The constraints of all, one component after the other; `most` is 0 if there are none
// (component_constraints.c).
sg_sim_constraints sg_components_constraints(struct sg_compiled *compiled);

const char *sg_components_unsaved(sg_sim_components all);
sg_status sg_components_archive_layout(sg_sim_components all, struct sg_archive *a);
sg_status sg_components_archive(sg_sim_components all, struct sg_archive *a);

void sg_components_report(sg_sim_components all, sg_diags *diags);
void sg_components_explain(sg_sim_components all, sg_diags *diags);
void sg_components_report_compat(sg_sim_components all, sg_diags *diags);
void sg_components_suggest_compat(sg_sim_components all, sg_diags *diags, sg_span span);
