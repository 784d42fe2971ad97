// The instantiated model as a value of the script: what @instantiateModel returns, what simulate!
// and the result functions take.
#pragma once

#include "actions/action_functions.h"
#include "model/instance.h"
#include "natives/session.h"
#include "result/result.h"
#include "sim/compiled.h"
#include "sim/sim.h"
#include "vm/script_function.h"

// Where a run is, as components of the script may ask.
typedef struct sg_moment {
    double time;      // [s]
    uint32_t answers; // one bit a question (natives/component_functions.c)
} sg_moment;

typedef struct sg_model_object {
    sg_session *session;
    uint64_t number; // models of a session are counted as they are instantiated
    sg_value self;   // the script's value, for functions that take `instantiatedModel`
    sg_instance instance;
    sg_sim_components components; // that were built, in this order
    sg_part **parts;              // those of them that are 3D parts
    size_t n_parts;
    struct sg_scripted *scripted; // those of the script (natives/scripted.h), or null
    bool may_save;                // a run may be
    const sg_moment *again;       // a segment begins once more: as if it was then; else null
    bool compiled_ok;
    bool alias_reduction;
    sg_translated translated; // constant from then on
    sg_compiled compiled;     // what a run works with
    size_t n_externs;         // rows, with room for derivatives
    sg_extern *externs;
    sg_script_function *functions;
    sg_arena arena;                      // of the two above
    sg_map variants;                     // what components defined in this run, see below
    sg_script_table table;               // objects that functions hand to each other
    sg_action_call action_call;          // behind executeActions and its like
    sg_arena input_arena;                // of the inputs of the last run
    sg_inputs inputs;                    // ... their values over time
    double flatten_time, translate_time; // [s] of CPU time, for logTiming
    bool single;                         // FloatType = Float32: results are rounded

    sg_value extra_keywords; // of the last simulate!: a dictionary, or nothing
    bool failed;             // the last simulate! did
    bool posed;              // start values were changed since, by inverseKinematics!
    bool running;            // between the start and the end of a simulation
    double start_time;       // of the last or present one [s]
    sg_result *result;       // of the last simulation, or null
    const char *result_stem; // name of its files, without suffix; null before the first run
    const char *solver;      // that it used
    double *final_states;
    size_t n_final_states, cap_final_states;
    bool told_negative;        // that a parameter is, which hardly ever can be
    sg_sim_options experiment; // of the last simulate! that was only checked
    bool has_experiment;       // ... and that named a stop time
    bool has_contacts;         // something could touch in the last simulation
    sg_contact_counts contacts;
} sg_model_object;

extern const sg_native_class sg_model_class;

// Raises, and returns true, when the first argument is what a failed @instantiateModel left behind.
bool sg_model_is_missing(sg_vm *vm, const sg_args *args, const char *function);
// The model of the first argument, or null after raising.
sg_model_object *sg_model_argument(sg_vm *vm, const sg_args *args, const char *function);

// The result of the first argument: of a simulated model, or a signal table. Raises otherwise.
sg_status sg_result_argument(sg_vm *vm, const sg_args *args, const char *function, sg_result **out);
// A signal table as a value; takes over the result. SG_UNDEF when memory ran out.
sg_value sg_table_make(sg_vm *vm, sg_result *result);

// The unit that a script sees: none of those that are for people only.
const char *sg_script_unit(const sg_signal *s);
// All points of a signal of a result (SG_TIME for time): a vector, or a matrix (time x element), or
// three dimensions.
sg_status sg_signal_values(sg_vm *vm, const sg_result *result, int32_t index, bool with_unit,
                           sg_value *out);
// The same by name, "u", "u[2]" or "time"; raises when there is no such signal or element.
sg_status sg_named_values(sg_vm *vm, const sg_args *args, sg_result *result, const char *name,
                          bool with_unit, sg_value *out);
// Is this the name of a signal, of a parameter or of elements of one?
bool sg_result_names(sg_vm *vm, const sg_result *result, const char *name);
// What simulate! returns: the points of time and the states there. Keeps the result.
sg_value sg_solution_make(sg_vm *vm, sg_result *result, sg_status status);

// A component is about to define a variable of its own. It may have another length than in earlier
// segments of the run, but it stays a number or a vector, with the same unit
// ([Neumayr-thesis] 10.1.3). Raises otherwise.
sg_status sg_model_variant(sg_model_object *m, const char *name, const char *unit, bool scalar,
                           sg_span span);

// Options of @instantiateModel.
typedef struct sg_instantiate_options {
    bool unitless, alias_reduction, single;
    bool log, log_model, log_code, log_states;
    bool log_details, log_timing, log_execution, log_calculations, log_file;
    const char *code_file; // saveCodeOnFile, or null
} sg_instantiate_options;

// What the log options of @instantiateModel print (model_log.c): before and after it.
void sg_log_file(sg_session *session, const char *name, sg_span span);
sg_status sg_log_model(sg_model_object *model, const sg_instantiate_options *options, sg_span span);

// Translates anew where values of parameters that a run changed contradict what the translation
// assumed about them (flat/flat.h). SG_ERR_MODEL after a reported error.
sg_status sg_model_translate_again(sg_model_object *m, sg_span span);

// Instantiates and translates. *out is nothing after a reported model error.
sg_status sg_model_instantiate(sg_session *session, sg_module *module, sg_value model,
                               const char *name, sg_instantiate_options options, sg_span span,
                               sg_value *out);
