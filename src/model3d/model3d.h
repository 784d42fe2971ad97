// A 3D part as seen from outside: what the session does with it, and its functions in the
// numeric program. Nothing of multibody/ is visible here.
#pragma once

#include "elements/shown.h"

// What a run asks of a part (component.c); `self` is the part.
extern const sg_component_functions sg_part_component;

// What the build function of Model3D does: *new_model becomes the dictionary with the equations
// that couple its joints, *part the value that stands for the part. `id` is the path of the part.
// Raises.
sg_status sg_part_build(sg_vm *vm, const sg_part_host *host, sg_value model, const char *id,
                        sg_span span, sg_value *new_model, sg_value *part);
// The part behind a value, or null.
sg_part *sg_part_of(sg_value value);

// Its path in the model, empty at the top.
const char *sg_part_id(const sg_part *part);
// The super-objects of the present segment, one a line (multibody/tree.h).
void sg_part_dump(const sg_part *part, sg_buf *out);
// The same for the log of a run; nothing where no action can change them.
void sg_part_log_bodies(const sg_part *part);

// Before each segment: reads the evaluated parameters of the part and defines its hidden states and
// result signals. *n_visible will hold the number of states in front of the hidden ones. Problems
// go to the diagnostics of the machine.
// The host must outlive the segment.
sg_status sg_part_begin_segment(sg_part *part, sg_value parameters, const sg_part_compat *compat,
                                sg_part_host *host, sg_hidden *hidden, const uint32_t *n_visible);

// After a run: what its elements have to tell of it.
void sg_part_report_elements(const sg_part *part, sg_diags *diags);

// After a run failed: notes on what in the part may be the reason.
void sg_part_explain(const sg_part *part, sg_diags *diags);

// After a translation: whether its equations were replaced by SG_PART_FORWARD or SG_PART_INVERSE
// (parts/inside.h). Once one translation of a model says no, the answer stays.
void sg_part_set_inside(sg_part *part, bool inside, bool inverse, bool first);

// Whether a function of the equations is linear in forces and accelerations, as long as the motion
// is known.
bool sg_part_is_linear_call(sg_value function);

// The function as the numeric program calls it; false if it is none of a part. The context lives as
// long as the value.
bool sg_part_extern(sg_value function, sg_extern *out);

// Before a step of the solver, with the model evaluated there: the longest step that elements of
// the part allow [s], infinity if they do not mind. Whether there are any that might.
double sg_part_bound_step(const sg_part *part);
// With the part evaluated at t1: up to which time its motion since t0 was as the bound at t0 took
// it to be; t1 if all of it. If it was and the step goes on, t1 is where the next bound holds from.
double sg_part_foreseen(const sg_part *part, double t0, double t1, bool goes_on);
bool sg_part_bounds_steps(const sg_part *part);
// Whether something of it wants to see where steps end; and does, with the part evaluated there.
bool sg_part_sees_steps(const sg_part *part);
void sg_part_see_step(const sg_part *part);

// Moves the states x of `compiled`, at time t, to where the loops are closed and their speeds fit;
// at the `start` also from far, telling what was changed. Sets *moved if anything did.
struct sg_compiled;
sg_status sg_part_project(sg_part *part, struct sg_compiled *compiled, sg_events *events, double t,
                          double *x, sg_projection how, bool *moved);

// One more state of the present segment, for an evaluation beside that of the run. It reads and
// writes the hidden variables `hidden`, which are laid out as those of the run, and ends with the
// segment. Null when memory ran out.
sg_part_state *sg_part_state_create(const sg_part *part, sg_hidden *hidden, sg_diags *diags);
void sg_part_state_destroy(sg_part_state *state);
// A function of the part on this state.
sg_extern sg_part_state_extern(sg_part_state *state, sg_part_function kind);
