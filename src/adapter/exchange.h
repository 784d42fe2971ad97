// Model exchange: the solver is the importer's, and the model answers for a time and states.
#pragma once

#include "adapter/instance.h"

typedef struct sg_exchange_event {
    bool again;                            // the event is not settled yet
    bool terminates;                       // the model ends the simulation
    bool states_changed, nominals_changed; // by the event
    double next_time;                      // of a time event [s], infinity if none is known
} sg_exchange_event;

// Once the model is initialized: its solver is the importer's.
sg_adapter_status sg_exchange_begin(sg_adapter *a);
// Elements of states, their derivatives, or crossing functions that are variables.
sg_status sg_exchange_get_elements(sg_adapter *a, const sg_adapter_variable *v);
// How many states and crossing functions there are; null: nobody asks.
sg_adapter_status sg_exchange_sizes(sg_adapter *a, size_t *n_states, size_t *n_indicators);
sg_adapter_status sg_exchange_enter_event(sg_adapter *a);
sg_adapter_status sg_exchange_new_discrete_states(sg_adapter *a, sg_exchange_event *event);
sg_adapter_status sg_exchange_enter_continuous(sg_adapter *a);
sg_adapter_status sg_exchange_completed_step(sg_adapter *a, bool *event);
sg_adapter_status sg_exchange_set_time(sg_adapter *a, double time);
sg_adapter_status sg_exchange_set_states(sg_adapter *a, const double *x, size_t n);
sg_adapter_status sg_exchange_get_states(sg_adapter *a, double *x, size_t n);
sg_adapter_status sg_exchange_get_rates(sg_adapter *a, double *dx, size_t n);
sg_adapter_status sg_exchange_get_indicators(sg_adapter *a, double *z, size_t n);
sg_adapter_status sg_exchange_get_nominals(sg_adapter *a, double *x, size_t n);
