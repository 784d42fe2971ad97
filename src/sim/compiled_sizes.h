// The states of a compiled model: which they are, their units, and how large they are for a solver.
// By number, the visible ones first; null when memory ran out.
#pragma once

#include "sim/compiled.h"

// For components: the state that a variable is, by its own name or that of its alias; -1 if it is
// none. `context` is the compiled model.
int32_t sg_compiled_state_of(const void *context, uint32_t var);
const char *const *sg_compiled_units(const sg_compiled *compiled, sg_arena *arena);
// Typical sizes; null when the model gives none. And how much of them counts; null when it is all.
const double *sg_compiled_nominals(const sg_compiled *compiled, sg_arena *arena);
// Increments of differences that components ask for; null when they do not.
const double *sg_compiled_increments(const sg_compiled *compiled, sg_arena *arena);
// For differences around the point where branches were noted, which are held closely or not.
void sg_compiled_renew_increments(const sg_compiled *compiled, bool closely, double *increment);
// Which states are parts of one motion, or elements of one field (integration/model.h).
const uint32_t *sg_compiled_families(const sg_compiled *compiled, sg_arena *arena);
// And which three are a vector.
const uint32_t *sg_compiled_vectors(const sg_compiled *compiled, sg_arena *arena, uint32_t *n);
const double *sg_compiled_most(sg_compiled *compiled, sg_arena *arena);
// The same, where components have changed it since.
void sg_compiled_renew_most(const sg_compiled *compiled, double *most);
