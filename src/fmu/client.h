// An instance of an FMU as the process that simulates sees it: values in SI units, in the order of
// its lists (fmu/lists.h); the FMU itself is elsewhere (server.c).
#pragma once

#include "fmu/lists.h"
#include "segue/helper.h"

typedef struct sg_fmu_instance {
    sg_helper *helper;
    const sg_fmu_foreign *fmu;
    const sg_fmu_lists *lists;
    bool exchange;
    uint32_t id;                 // 0: none
    bool (*over)(void *context); // asked while waiting: nobody needs an answer any more; or null
    void *context;
    struct sg_buf *message; // work space
    double *room;           // for all inputs, states, or outputs, whichever are most
    char words[SG_HELPER_WORDS];
} sg_fmu_instance;

// A value for START.
typedef struct sg_fmu_setting {
    uint32_t variable; // index
    const double *x;   // all its elements in SI; or null and
    const char *text;
} sg_fmu_setting;

// What holds behind the start, or an event.
typedef struct sg_fmu_point {
    bool terminate, next_defined;
    double next;              // [s]
    double *x, *nominals, *y; // states, their nominals, outputs
} sg_fmu_point;

// All functions: SG_OK; SG_ERR_INPUT where the FMU does not want to (other states, a shorter step);
// other statuses where it is of no use any more; each with `words`.

// The file's bytes. `fmu`, `lists`, `helper` and `exchange` are set. Memory is `arena`'s.
sg_status sg_fmu_load(sg_fmu_instance *i, sg_arena *arena, const char *name, const void *bytes,
                      size_t n);
void sg_fmu_free(sg_fmu_instance *i);
sg_status sg_fmu_start(sg_fmu_instance *i, double tolerance, double start, double stop,
                       const sg_fmu_setting *settings, size_t n, const double *u,
                       sg_fmu_point *out);
// Model exchange. `u` may be null: as they are. Results that are null are not asked for.
sg_status sg_fmu_evaluate(sg_fmu_instance *i, double t, const double *x, const double *u,
                          double *dx, double *z, double *y);
sg_status sg_fmu_at_event(sg_fmu_instance *i, double t, const double *x, const double *u,
                          sg_fmu_point *out);
sg_status sg_fmu_step_completed(sg_fmu_instance *i, double t, const double *x, bool *event,
                                bool *terminate);
// Co-simulation: from t on by h; `reached` may be earlier. With `save` the FMU can go back.
sg_status sg_fmu_do_step(sg_fmu_instance *i, double t, double h, const double *u,
                         const double *slopes, bool save, double *reached, bool *event,
                         bool *terminate, double *y);
sg_status sg_fmu_go_back(sg_fmu_instance *i);
// All that is shown besides. x: states of model exchange.
sg_status sg_fmu_read(sg_fmu_instance *i, double t, const double *x, double *shown);
