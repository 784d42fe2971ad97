// What simulate! and linearize! are told: keywords, the solver, and what the command line says
// instead (language 5.2).
#pragma once

#include "natives/model_object.h"
#include "sim/sim.h"

typedef struct sg_simulate_arguments {
    sg_sim_options sim;
    sg_value merge;
    double *final_states;
    bool log_parameters, log_evaluated, log_contacts;
    bool other_run;     // requiredFinalStates are not those of this run
    bool no_stop;       // nobody gave a stop time
    bool zero_interval; // interval = 0, which stands for the default
    enum sg_keep keep;  // which run files stay
    bool by_host;       // not by a script: no file is written, and inputs are bound already
} sg_simulate_arguments;

// Raises or reports what makes no sense. Free in any case.
sg_status sg_simulate_read(sg_model_object *model, const sg_args *args, sg_simulate_arguments *a);
// The same for a run that a host asks for, by an experiment and by the options of the session.
void sg_simulate_arguments_of(sg_model_object *model, const sg_sim_options *experiment,
                              sg_simulate_arguments *a);
void sg_simulate_arguments_free(sg_vm *vm, sg_simulate_arguments *a);

// simulate! of arguments that were read: the result is that of the model. Messages that have no
// place of their own have none.
sg_status sg_simulate_by_host(sg_model_object *model, sg_simulate_arguments *a);

// Keeps the values of the keywords that the script registered, for the code of components.
sg_status sg_simulate_keep_extra(sg_model_object *model, const sg_args *args);
