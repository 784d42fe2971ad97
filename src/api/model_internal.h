// The handle of segue/model.h from the inside.
#pragma once

#include "api/model_state.h"
#include "model3d/model3d.h"
#include "natives/live.h"
#include "segue/model.h"

// Times that differ by less than this part of a run are one: what additions leave.
#define SG_MODEL_TIME_PART 1e-12

enum { SG_MODEL_N_LISTS = SG_MODEL_SIGNALS + 1 };

struct sg_model {
    const sg_allocator *allocator;
    sg_model_options options;
    sg_diags *diags; // of the host, or null
    sg_session *session;
    sg_live live;
    bool opened;               // `live` is there
    bool has_stop;             // somebody said when runs end
    sg_sim_options opened_sim; // what runs go by, as it was opened
    bool opened_stop;
    void (*progress)(void *context, double t); // of the run that goes on, or null
    bool busy;                                 // one of its functions is at work

    // What it consists of, from one segment to the next (model_values.c).
    sg_arena lists;
    bool has_lists;
    sg_model_variable *listed[SG_MODEL_N_LISTS];
    size_t n_listed[SG_MODEL_N_LISTS];
    const sg_signal *signals; // of the segment, as many as are listed
    sg_map signal_of;         // by symbol of its name: number of the signal
    sg_map input_of;          // likewise

    int8_t *signs;  // of a run whose solver is the host's (model_outer.c), else null
    size_t n_signs; // room for so many

    sg_model_settings settings; // values that the host gave (model_state.h)
};

// Around all public functions. False if one of them is at work, which called back.
bool sg_model_enter(sg_model *model);
// Hands on what there is to tell.
sg_status sg_model_leave(sg_model *model, sg_status status);
// The same with a message; `format` has one %s.
sg_status sg_model_refuse(sg_model *model, sg_status status, const char *format, const char *name);

// What was perhaps meant by a name that the lists do not have, as "; did you mean 'x'?"; else "".
enum { SG_MODEL_HINT = 300 };
const char *sg_model_hint(const sg_model *model, const char *name, const sg_model_list *lists,
                          size_t n_lists, char hint[SG_MODEL_HINT]);

sg_status sg_model_make_lists(sg_model *model);
void sg_model_free_lists(sg_model *model);

// ---- running (model.c), for who has entered the model ----

// The run ended, or begins anew.
void sg_model_take_back(sg_model *model);
bool sg_model_is_over(const sg_model *model);
sg_status sg_model_begin(sg_model *model);
sg_status sg_model_step_once(sg_model *model);
sg_status sg_model_go_to(sg_model *model, double t);
