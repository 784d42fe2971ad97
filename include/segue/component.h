// Components of one's own in C: predefined acausal components behind a table of functions.
//
// Such a component has an acausal side, equations in the language that are translated with those of
// the model around it, and a causal one, functions in C that these equations call. What lies
// between, its memory, is seen by nobody else: its states and crossing functions go straight to the
// solver, so their number may change while a model runs and nothing is translated again.
//
//     static const sg_component_function functions[] = {{"ends", 0, 2, ends}, {"heat", 2, 0,
//     heat}}; static const sg_component rod = {
//         .abi = SG_COMPONENT_ABI, .name = "rod", .memory_size = sizeof(rod_memory),
//         .functions = functions, .n_functions = 2, .init_segment = define_cells,
//         .equations = "(first, last) = ends()\n"
//                      "port_a.Q_flow = k*(port_a.T - first)\n"
//                      "port_b.Q_flow = k*(port_b.T - last)\n"
//                      "heat(port_a.T, port_b.T)\n"};
//
// A program adds it to a session (sg_session_add_component), a model then says
// `Rod = Component("rod", port_a = HeatPort, port_b = HeatPort, k = 2.0)`. A shared library names
// its components by the symbol `segue_components`; `segue run --component ./librod.so model.jl` or
// sg_session_load_components loads it. It needs this header and links nothing: all it may ask for
// stands in the structs that it gets.
//
// All numbers are SI. Implements [Neumayr-thesis] sections 10.1.3 and 10.2; docs/components.md is
// the guide.
#pragma once

#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Grows whenever something in this header changes; a component made for another one is refused.
#define SG_COMPONENT_ABI 3u

// What an instance of a component gets when its model is instantiated.
typedef struct sg_component_builder {
    const char *path; // of the instance: "house.rod", "" for the whole model
    // Adds equations, one a line, to those of the table.
    void (*write)(const struct sg_component_builder *builder, const char *equations);
    void *inside;
} sg_component_builder;

// A variable that exists for one segment. The name is that inside of the component.
typedef struct sg_component_variable {
    const char *name, *unit; // no unit: null
    const double *value;     // `n` numbers, copied: the start value of a state
    size_t n;
    bool vector; // else a number, and n is 1
} sg_component_variable;

// Before a segment: where the component says what it consists of. The `add_` functions return the
// number of what was added, or -1 when that failed (which ends the run, whatever the caller does).
typedef struct sg_component_segment {
    const char *path;
    double time;      // [s]
    bool first;       // of a simulation; otherwise the memory is that of the segment before
    double tolerance; // of the run, relative
    // An evaluated parameter (of a model inside: "valve.area"), `n` numbers (columns of a matrix
    // one after the other); null if there is none of this name, or it is no number. Holds during
    // the call.
    const double *(*parameter)(const struct sg_component_segment *segment, const char *name,
                               size_t *n);
    int (*add_state)(const struct sg_component_segment *segment,
                     const sg_component_variable *variable);
    int (*add_local)(const struct sg_component_segment *segment,
                     const sg_component_variable *variable);
    // Crossing functions, such as z > 0: an event where one changes its sign. The number of the
    // first of them; `what` is for logs.
    int (*add_crossings)(const struct sg_component_segment *segment, const char *what, size_t n);
    // Result number `result` of function number `function` is a vector of this length, in all
    // segments of a simulation. Results are numbers where nothing is said.
    void (*set_length)(const struct sg_component_segment *segment, unsigned function,
                       unsigned result, size_t n);
    // Says why the segment cannot begin; return what it returns.
    sg_status (*fail)(const struct sg_component_segment *segment, const char *message);
    void *inside;
} sg_component_segment;

// What an evaluation is for.
typedef enum sg_component_purpose {
    SG_COMPONENT_DERIVATIVES, // nothing but these
    SG_COMPONENT_RESULT,      // a point of the result: local variables, too
    SG_COMPONENT_TERMINAL,    // the end of a segment: the last chance to remember something
    SG_COMPONENT_CROSSINGS,   // crossing functions, too
    SG_COMPONENT_EVENT        // likewise; and this is where decisions are taken
} sg_component_purpose;

typedef struct sg_component_value {
    double *data;
    size_t n;
} sg_component_value;

// A call out of an equation. Between events its results and derivatives must depend on nothing but
// time, states, arguments, and what was decided at the last event: the solver also tries states
// that it then rejects.
typedef struct sg_component_call {
    double time; // [s]
    sg_component_purpose purpose;
    bool initial;         // the iteration of events with which a segment begins
    bool first_iteration; // of an event
    const sg_component_value *arguments, *results; // as the equation says, and as many as declared
    // The present value of a state.
    const double *(*state)(const struct sg_component_call *call, int number);
    // Stores as many numbers as the variable has.
    void (*set_derivative)(const struct sg_component_call *call, int state, const double *value);
    void (*set_local)(const struct sg_component_call *call, int local, const double *value);
    void (*set_crossing)(const struct sg_component_call *call, int crossing, double value);
    // At events: another value for a state, an event to come, the end of this segment.
    void (*set_state)(const struct sg_component_call *call, int state, const double *value);
    void (*set_next_event)(const struct sg_component_call *call, double time);
    void (*end_segment)(const struct sg_component_call *call);
    // At events: something was decided that results depend on, so the equations are to be evaluated
    // once more, and the integrator begins anew.
    void (*again)(const struct sg_component_call *call);
    // Says why there is no result here; return what it returns. A solver tries a shorter step
    // before it gives up.
    sg_status (*fail)(const struct sg_component_call *call, const char *message);
    void *inside;
} sg_component_call;

enum { SG_COMPONENT_MOST_ARGUMENTS = 63, SG_COMPONENT_MOST_RESULTS = 16 };

// A function that equations may call by its name. One without results stands alone in its line, and
// is called in every evaluation.
typedef struct sg_component_function {
    const char *name;
    unsigned n_arguments, n_results;
    sg_status (*call)(void *memory, const sg_component_call *call);
} sg_component_function;

typedef struct sg_component {
    uint32_t abi; // SG_COMPONENT_ABI
    const char *name;
    size_t memory_size; // of an instance; zeros at first
    // The memory holds numbers only, nothing that is true of this process alone: no pointers, no
    // files. It can be copied then, and a model with this component can be saved (segue/model.h).
    bool plain_memory;
    const sg_component_function *functions;
    size_t n_functions;
    const char *equations; // one a line; may be null
    // When a model is instantiated, may be null: equations that depend on something.
    sg_status (*build)(void *memory, const sg_component_builder *builder);
    // Before the first segment of a simulation and at every full restart; may be null.
    sg_status (*init_segment)(void *memory, const sg_component_segment *segment);
    // When the instance ends, may be null: frees what the memory points at.
    void (*destroy)(void *memory);
    // Before each step, behind the one that was taken last, may be null: the longest step that may
    // follow [s], infinite if it does not matter. The functions were called for this instant and
    // these states before.
    double (*bound_step)(void *memory);
    // Not null: each memory begins with this pointer instead of zeros. For components that a
    // program makes while it runs.
    const void *context;
} sg_component;

// What a shared library exports: SG_COMPONENT_EXPORT const sg_component_library segue_components.
typedef struct sg_component_library {
    uint32_t abi; // SG_COMPONENT_ABI
    uint32_t n;
    const sg_component *const *components;
} sg_component_library;

#define SG_COMPONENT_LIBRARY "segue_components"
#if defined(__GNUC__)
#define SG_COMPONENT_EXPORT __attribute__((visibility("default")))
#else
#define SG_COMPONENT_EXPORT
#endif

#ifdef __cplusplus
}
#endif
