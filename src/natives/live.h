// A model that is run step by step by somebody outside, instead of by simulate!: what stands behind
// the handle of segue/model.h.
//
// It does what simulate! does, in the same order and with the same functions: parameters are
// evaluated where they changed, the model is linked, a run is opened (sim/sim.h), its points become
// signals (sim/recorder.h) for a result in memory and for the sinks of the host. Nothing is
// translated and no file is written. Inputs are a table of one row (sim/inputs.h), whose numbers
// the host changes between steps.
#pragma once

#include "base/archive.h"
#include "elements/film.h"
#include "natives/model_object.h"
#include "natives/touches.h"
#include "sim/compiled_depends.h"
#include "sim/recorder.h"

typedef struct sg_live_input {
    uint32_t var; // of the flat model
    size_t at, n; // its numbers
    bool hold;    // an integer or a Bool
    bool truth;   // a Bool
} sg_live_input;

typedef struct sg_live {
    sg_session *session;
    sg_model_object *model;
    sg_sim_options sim;
    bool record;
    sg_tuple *roots;  // of the script's memory: the model, and values that wait to be merged
    size_t heap_left; // in that memory when it was last collected [bytes]
    bool stale;       // parameters wait to be evaluated
    bool linked;      // and the model is, with the present ones

    sg_arena fixed; // as long as it lives
    sg_live_input *inputs;
    size_t n_inputs;
    double *input_values, *input_next; // of all of them; present, and from the next event on

    // A run, from `begin` to `end`.
    sg_sim_run_state *run; // null: none
    sg_sim_outcome outcome;
    sg_recorder recorder;
    sg_touches touches;
    sg_result_writer *writer; // null: nothing is recorded
    sg_film film;             // the scene of its 3D parts, for the result
    sg_sim_sink list[3];
    sg_sink *sinks;
    sg_arena arena; // of the run
    bool evaluated; // the columns of the recorder belong to the present instant
    bool failed;
    sg_result *result; // of a run that ended, or null
} sg_live;

// Takes over a model that the script of the session instantiated. Destroy in any case.
sg_status sg_live_init(sg_live *live, sg_session *session, sg_model_object *model);
void sg_live_destroy(sg_live *live);

// A value for a parameter or start value, from the next run on; the numbers are in SI units. "r[2]"
// is an element of an array.
// SG_ERR_USAGE if the model has no such name, SG_ERR_INPUT if their number does not fit.
sg_status sg_live_set(sg_live *live, const char *name, const double *values, size_t n);
sg_status sg_live_set_value(sg_live *live, const char *name, sg_value value);
sg_status sg_live_set_text(sg_live *live, const char *name, const char *text);
// Back to what the text says.
void sg_live_forget_values(sg_live *live);
// Evaluates what was set, and links: sizes and values are known afterwards.
sg_status sg_live_link(sg_live *live);

// Do these numbers fit? SG_ERR_INPUT if not.
sg_status sg_live_check_input(const sg_live_input *input, const double *values, size_t n);
// `input` is a number of the list. Between runs it holds from the next one on.
sg_status sg_live_set_input(sg_live *live, size_t input, const double *values, size_t n);

// What derivatives and the variables `vars` of the flat model depend on; inputs in their order.
sg_status sg_live_depends(sg_live *live, const uint32_t *vars, size_t n, sg_arena *arena,
                          sg_compiled_dependence *out);
// What was set since the last step becomes true, all of it at once.
sg_status sg_live_take_inputs(sg_live *live);

// Initial values; a run that goes on is ended.
sg_status sg_live_begin(sg_live *live);
// One step, not beyond `target`.
sg_status sg_live_step(sg_live *live, double target);
// Values of all signals where it stands, in the columns of the recorder.
sg_status sg_live_evaluate(sg_live *live);
// Writes where the run stands (sim/sim.h), with inputs and random numbers, and goes on from what
// was written, as whoever resumes from it does; the result goes on as it was. SG_ERR_USAGE if
// something of the model cannot be saved, and a->refused says what: nothing has changed then.
sg_status sg_live_save(sg_live *live, sg_archive *a);
// Stands where an archive says, with the values that were set. A run that goes on is ended; the
// result begins here. SG_ERR_INPUT if it was another model, or was damaged.
sg_status sg_live_resume(sg_live *live, sg_archive *a);
// A whole run, by the functions of simulate!, with the experiment of `sim` and the options of the
// session. The result may be there after a failure, too.
sg_status sg_live_run(sg_live *live);
// Ends the run; with a result, if it was recorded.
sg_status sg_live_end(sg_live *live);
