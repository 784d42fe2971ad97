// The library of an FMU: functions of FMI 2.0 and 3.0 behind one set of names, for one instance.
//
// Values travel as doubles, whatever type a variable has; integers beyond 2^53 lose digits. Every
// function says in `words` what went wrong, with what the FMU told its logger.
#pragma once

#include "fmi/foreign.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_fmu_binary sg_fmu_binary;

// What a call of an FMU came to.
typedef enum sg_fmu_result {
    SG_FMU_DONE,
    SG_FMU_DISCARDED, // not like this: a shorter step, other states
    SG_FMU_FAILED     // the instance is of no use any more
} sg_fmu_result;

typedef struct sg_fmu_event {
    bool terminate, nominals, next_defined;
    double next; // [s]
} sg_fmu_event;

// Loads binaries/.../ID.so below `folder` and makes an instance. Null with words.
sg_fmu_binary *sg_fmu_binary_open(const sg_fmu_foreign *fmu, bool exchange, const char *folder,
                                  const char *name, char words[SG_FMU_WORDS]);
void sg_fmu_binary_close(sg_fmu_binary *b);
const char *sg_fmu_binary_words(const sg_fmu_binary *b);

// One variable: all its elements.
sg_fmu_result sg_fmu_set(sg_fmu_binary *b, const sg_foreign_variable *v, const double *x);
sg_fmu_result sg_fmu_set_text(sg_fmu_binary *b, const sg_foreign_variable *v, const char *text);
sg_fmu_result sg_fmu_get(sg_fmu_binary *b, const sg_foreign_variable *v, double *x);
// How fast an input of co-simulation changes; 2.0 only.
sg_fmu_result sg_fmu_set_slope(sg_fmu_binary *b, const sg_foreign_variable *v, const double *x);

sg_fmu_result sg_fmu_reset(sg_fmu_binary *b);
sg_fmu_result sg_fmu_enter_initialization(sg_fmu_binary *b, double tolerance, double start,
                                          double stop);
// Behind it model exchange is in event mode.
sg_fmu_result sg_fmu_exit_initialization(sg_fmu_binary *b);

// Model exchange.
sg_fmu_result sg_fmu_enter_events(sg_fmu_binary *b);
sg_fmu_result sg_fmu_update(sg_fmu_binary *b, sg_fmu_event *out); // until nothing is new
sg_fmu_result sg_fmu_leave_events(sg_fmu_binary *b);
sg_fmu_result sg_fmu_move(sg_fmu_binary *b, double t, const double *x, size_t n);
sg_fmu_result sg_fmu_rates(sg_fmu_binary *b, double *dx, size_t n);
sg_fmu_result sg_fmu_indicators(sg_fmu_binary *b, double *z, size_t n);
sg_fmu_result sg_fmu_states(sg_fmu_binary *b, double *x, double *nominals, size_t n);
sg_fmu_result sg_fmu_completed(sg_fmu_binary *b, bool *event, bool *terminate);

// Co-simulation. `reached` may be less than t + h.
sg_fmu_result sg_fmu_step(sg_fmu_binary *b, double t, double h, double *reached, bool *event,
                          bool *terminate);
sg_fmu_result sg_fmu_save(sg_fmu_binary *b);
sg_fmu_result sg_fmu_restore(sg_fmu_binary *b);
