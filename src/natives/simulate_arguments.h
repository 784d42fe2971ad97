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
} sg_simulate_arguments;

// Raises or reports what makes no sense. Free in any case.
sg_status sg_simulate_read(sg_model_object *model, const sg_args *args, sg_simulate_arguments *a);
void sg_simulate_arguments_free(sg_vm *vm, sg_simulate_arguments *a);

// Keeps the values of the keywords that the script registered, for the code of components.
sg_status sg_simulate_keep_extra(sg_model_object *model, const sg_args *args);
