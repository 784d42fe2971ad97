// From an empty part to a segment that runs: what the files of this room ask of each other.
#pragma once

#include "model3d/model3d.h"
#include "parts/part.h"

extern const sg_native_class sg_part_class;

// An empty part with this path (build.c). SG_ERR_MEMORY.
sg_status sg_part_make(sg_vm *vm, const char *id, sg_span span, sg_value *out);
// The shape of what one of the functions returns (evaluate.c).
sg_dims sg_part_result_shape(const sg_part *part, sg_part_function kind);

// Forgets the elements of the last run (segment.c).
void sg_part_clear_records(sg_part *part);
// Reads every element below the evaluated parameters (elements.c).
sg_status sg_part_read_elements(sg_part *part, const sg_dict *parameters);
// Connects what the records say, checks that objects and joints form a tree, builds the multibody
// system and numbers the coordinates (segment.c).
sg_status sg_part_join(sg_part *part);

// Nothing about the motion of a free object depends on how it is turned (segment.c).
bool sg_part_is_round(const sg_part *part, const sg_part_free *free);

// A segment from the records: joined, its state begun, and hidden states and result signals defined
// in part->segment.hidden. `first`: of a run. SG_ERR_MODEL after reporting what does not fit.
sg_status sg_part_build_segment(sg_part *part, bool first);

// A state: empty; ready for the segment that was joined, with what lasts over segments new if it is
// the first one of a run; given back (state.c).
void sg_part_state_init(sg_part_state *state, const sg_part *part);
sg_status sg_part_state_begin(sg_part_state *state, bool first);
void sg_part_state_free(sg_part_state *state);
// Once the actors have defined the segment: the memory of the state for them; and back.
sg_status sg_part_state_begin_actors(sg_part_state *state);
void sg_part_state_end_actors(sg_part_state *state);

// Coordinates of a free object from its twelve states (evaluate.c).
void sg_part_read_free(sg_part_state *s, const sg_part_free *f, const double *x);
// And derivatives of these from its accelerations.
void sg_part_write_free(sg_part_state *s, const sg_part_free *f, double *dx);
// The crossing function of its angles: negative where their sequence is good.
double sg_part_turned_far(const double *angles);
// The same for a ball, from the variables of its joint and the sequence of its angles, and back.
void sg_part_set_ball(sg_part_state *s, const sg_part_joint *joint, const double *rot,
                      const double *w, bool xzy);
void sg_part_get_ball(const sg_part_state *s, const sg_part_joint *joint, bool xzy, double *rot,
                      double *w);
// Forces of all elements at the present motion; of those that equations have a part in, or of the
// others.
sg_status sg_part_apply_forces(sg_part_eval *e);
sg_status sg_part_apply_some(sg_part_eval *e, bool given);
