// One instance of an FMU of Segue, as far as both versions of the standard agree: its model, the
// values that were set, and what may be called when.
//
// Nothing is computed before the end of the initialization unless somebody asks for a value that is
// computed; then it is initialized, and again if something is set after that. A call that makes no
// sense is refused with a message and changes nothing. A run that fails is over: only a reset, and
// a state that was saved before, lead out of that.
#pragma once

#include "adapter/table.h"
#include "segue/model.h"

typedef enum sg_adapter_mode {
    SG_ADAPTER_INSTANTIATED = 1 << 0,
    SG_ADAPTER_INITIALIZING = 1 << 1,
    SG_ADAPTER_STEPPING = 1 << 2,   // co-simulation
    SG_ADAPTER_EVENT = 1 << 3,      // an event is handled
    SG_ADAPTER_CONTINUOUS = 1 << 4, // model exchange, between events
    SG_ADAPTER_TERMINATED = 1 << 5,
    SG_ADAPTER_FAILED = 1 << 6,
} sg_adapter_mode;

// The statuses of both versions; FMI 2 has one more behind these.
typedef enum sg_adapter_status {
    SG_ADAPTER_OK,
    SG_ADAPTER_WARNING,
    SG_ADAPTER_DISCARD,
    SG_ADAPTER_ERROR,
    SG_ADAPTER_FATAL
} sg_adapter_status;

typedef struct sg_adapter {
    sg_adapter_mode mode;
    bool exchange;     // model exchange
    bool event_mode;   // FMI 3: the importer handles events of a co-simulation
    bool early_return; // ... and lets steps end there
    sg_adapter_table table;
    char *resources, *main, *modia3d;
    sg_model *model;
    sg_diags *diags;
    size_t n_told; // messages that were handed on

    // The experiment; NaN where the importer said nothing.
    double start, stop, tolerance;
    double length; // by which an open end is moved on [s]

    double *values; // of all variables: set by the importer, or last read
    bool *given;    // by variable: set since the instance was made or reset
    bool *fresh;    // by variable: `values` are those of this instant
    bool current;   // the model is initialized with all that was given

    // Handed on to the importer; `user` is what the version keeps.
    void (*tell)(void *user, sg_adapter_status status, const char *message);
    void *user;

    // Model exchange.
    double time;    // [s], as the importer set it
    bool event_due; // something was touched since the last event
    double *work;   // as many numbers as there are states and indicators
    size_t n_states, n_indicators;
} sg_adapter;

// Null after a message to `tell`. `resources` is a path.
sg_adapter *sg_adapter_create(const char *resources, const char *token, bool exchange,
                              void (*tell)(void *user, sg_adapter_status status,
                                           const char *message),
                              void *user);
void sg_adapter_destroy(sg_adapter *a);

// A message of the adapter itself; returns `status`.
sg_adapter_status sg_adapter_say(sg_adapter *a, sg_adapter_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Hands on what the library had to say since the last time.
void sg_adapter_pass_on(sg_adapter *a);
// False after a message if `function` may not be called in this mode.
bool sg_adapter_allows(sg_adapter *a, unsigned modes, const char *function);

sg_adapter_status sg_adapter_setup(sg_adapter *a, double start, double stop, double tolerance);
sg_adapter_status sg_adapter_enter_initialization(sg_adapter *a);
sg_adapter_status sg_adapter_exit_initialization(sg_adapter *a);
// In the middle of the initialization: computes what was not asked for before.
sg_adapter_status sg_adapter_compute(sg_adapter *a);
sg_adapter_status sg_adapter_terminate(sg_adapter *a);
sg_adapter_status sg_adapter_reset(sg_adapter *a);

// One number; `type` is that of the variable.
sg_adapter_status sg_adapter_get(sg_adapter *a, uint32_t reference, char type, double *value);
sg_adapter_status sg_adapter_set(sg_adapter *a, uint32_t reference, char type, double value);

// A communication step from `t` on. Steps end at events where that is allowed.
typedef struct sg_adapter_step {
    // Asked after each step of the solver, may be null: true ends the communication step there.
    bool (*look)(void *user, double t);
    void *user;
    double reached; // [s]
    bool event, early, terminated;
} sg_adapter_step;
sg_adapter_status sg_adapter_do_step(sg_adapter *a, double t, double h, sg_adapter_step *step);

// ---- states ----

typedef struct sg_adapter_state sg_adapter_state;
sg_adapter_status sg_adapter_save(sg_adapter *a, sg_adapter_state **state);
sg_adapter_status sg_adapter_restore(sg_adapter *a, const sg_adapter_state *state);
void sg_adapter_state_destroy(sg_adapter_state *state);
size_t sg_adapter_state_size(const sg_adapter_state *state);
void sg_adapter_state_write(const sg_adapter_state *state, void *bytes);
// Null if these are no bytes of a state.
sg_adapter_state *sg_adapter_state_read(const sg_adapter *a, const void *bytes, size_t n);
