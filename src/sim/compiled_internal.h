// A compiled model from the inside: shared by compiled.c and the files that change what it runs.
#pragma once

#include "sim/compiled.h"

// The choice with this preference, ready to be linked; null if it cannot be made.
sg_linked_choice *sg_compiled_find_choice(sg_compiled *compiled, const signed char *preference,
                                          uint32_t n, sg_diags *diags, sg_status *status);
// Goes over to a choice with the present values; the hidden states stay as they are.
sg_status sg_compiled_change_over(sg_compiled *compiled, sg_linked_choice *to, const double *x,
                                  sg_sim_segment *next);
// sg_sim_model.reselect and .first_states (compiled_reselect.c).
sg_status sg_compiled_reselect(void *user, double t, const double *x, sg_sim_segment *next,
                               bool *changed);
sg_status sg_compiled_first_states(void *user, double t, const double *x, sg_sim_segment *next);
// The hidden states of the next segment, and what components do in it.
sg_status sg_compiled_define(sg_compiled *compiled);
// The visible states of the program and the hidden ones behind them.
sg_status sg_compiled_describe(sg_compiled *compiled, sg_sim_segment *segment);
// What is said of the first states stays, also when their choice is linked again and however many
// segments are described in between.
sg_status sg_compiled_keep_first(sg_compiled *compiled, sg_sim_segment *segment);
// sg_sim_model.remembers, .keep and .put_back (compiled_kept.c).
bool sg_compiled_remembers(void *user);
sg_status sg_compiled_keep(void *user);
sg_status sg_compiled_reserve(void *user);
void sg_compiled_put_back(void *user);
bool sg_compiled_searches_results(void *user);
// sg_sim_model.archive (compiled_saved.c); `user` is the model.
sg_status sg_compiled_archive(void *user, struct sg_archive *a, const double *x,
                              sg_sim_segment *segment);
