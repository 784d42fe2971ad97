// The run file of a simulation, spooled or kept.
//
// With -o the run file stays in that folder as MODEL.segue; without, it is begun in the default
// output folder after a second and goes when the run has ended well. A model that is simulated
// again gets MODEL-2.segue and so on, so that no result overwrites another of the same session.
#pragma once

#include "natives/session.h"
#include "result/writer.h"
#include "sim/sim.h"

// The name of the next result of a model, without folder and suffix; null when memory ran out.
const char *sg_result_stem(sg_session *session, const char *model, enum sg_keep keep);
// The name of the script that is run, without its folder: results tell whose they are.
const char *sg_script_name(const sg_session *session);
// A writer as the session's options want it.
sg_status sg_result_files_open(sg_session *session, const char *stem, enum sg_keep keep,
                               sg_span span, sg_result_writer **out);
// A writer that touches no file, for a host. What it stores is chosen by the same options, whose
// copy lies in the arena.
sg_status sg_result_files_in_memory(sg_session *session, sg_arena *arena, sg_result_writer **out);
// A warning about the size of the result before the run, if it is large; SG_ERR_USAGE, reported, if
// it is larger than anybody wants without saying so, or than the disk. Patterns of --signals
// without a match are a warning; if no pattern has one, and no signal can appear later
// (`may_change`), they are an error.
sg_status sg_result_files_estimate(sg_session *session, const sg_signal *signals, size_t n,
                                   bool may_change, const sg_sim_options *options, sg_span span);
// Ends the writer; `*result` may be null after a failure. `restitution`: what coefficients of it
// acted as, in words, or "".
sg_status sg_result_files_finish(sg_result_writer *writer, const sg_sim_outcome *outcome,
                                 const char *restitution, sg_status status, sg_result **result);
