// 3D parts in the session: the functions that Model3D names, and what happens around translation.
#pragma once

#include "natives/model_object.h"

// Between instantiation and translation: the functions of 3D parts that only a rewritten block
// calls become known to the flat model, and what equations name of their elements gets equations.
// SG_ERR_MODEL after reporting what they do not have.
sg_status sg_parts_prepare(sg_model_object *m);
// After translation: what implicit methods ask the parts (sim/trees.h).
bool sg_parts_trees(sg_model_object *m);
// Of sg_compiled: the longest step that elements of the parts allow (sg_part_bound_step). Whether
// there are elements that might.
double sg_parts_bound_step(void *model, double t, const double *x);
double sg_parts_foreseen(void *model, double t0, double t1, bool goes_on);
bool sg_parts_bound_steps(const sg_model_object *m);
// Of sg_compiled: whether something in the parts keeps the energy it gets (sg_part_gives_back).
bool sg_parts_give_back(void *model);
// Of sg_compiled: states that keep to the loops of the parts (sg_part_project). Whether there are
// parts that may have some.
sg_status sg_parts_project(void *model, sg_events *events, double t, double *x, bool start,
                           bool *moved);
bool sg_parts_project_any(const sg_model_object *m);
// Of sg_compiled: the same loops as constraints of the solver, of this segment; `most` is 0 if
// there are none.
void sg_parts_constraints(sg_model_object *m, sg_sim_constraints *out);
// After translation failed: what joints may have to do with it.
void sg_parts_explain(const sg_model_object *m);
// Of sg_compile_options: blocks that a part solves better itself (parts/inside.h).
void sg_parts_rewrite(void *model, sg_exprs *exprs, sg_structure *structure, sg_arena *arena,
                      bool first);
// Did one of the parts refuse an action when the present segment was to begin?
bool sg_parts_refused(const sg_model_object *m);
