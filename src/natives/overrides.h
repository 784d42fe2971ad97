// What the command line adds to a simulate! of a script: values by --set, results in other formats,
// the comparison of --converge.
#pragma once

#include "natives/model_object.h"

// Whether there are the solver and the result formats that the command line names; false with a
// sentence in `message`, before anything is run.
bool sg_overrides_known(const sg_session_options *options, sg_buf *message);

// `merge` of the script with the values of --set on top. Raises when a value cannot be evaluated;
// SG_ERR_USAGE, reported, for names that neither this model nor one before has, and for values of
// another dimension.
sg_status sg_override_values(sg_model_object *m, sg_value merge, sg_value *out);

// Map(a = Map(b = value)) for the name a.b.
sg_status sg_put_nested(sg_vm *vm, sg_dict *map, const char *name, sg_value value, sg_span span);

// The name of a file of the model's last result: "Pendulum.csv", "Pendulum-2.csv" for the second.
// Lives in the arena of the session.
const char *sg_output_name(sg_session *session, const sg_model_object *m, const char *suffix);

// Writes the result in the formats of --result-format; SG_OK when none is asked for.
sg_status sg_write_formats(sg_model_object *m, sg_span span);

// How far two results of one model are apart, signal by signal. With --strict the session fails if
// they are further apart than runs at these tolerances may be.
sg_status sg_report_difference(sg_session *session, const sg_result *coarse, const sg_result *fine,
                               double tolerance, sg_span span);
