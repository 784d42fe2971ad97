// The C interface of FMI 2.0 and 3.0 as an importer sees it: one struct of functions a version,
// named as in the standard without the prefix. Statuses and enumerations are plain ints here.
// Ref: FMI 2.0.4, sections 2.1, 3.2 and 4.2; FMI 3.0.1, sections 2.2, 3.2 and 4.2.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_fmi2_callbacks {
    void (*logger)(void *environment, const char *instance, int status, const char *category,
                   const char *message, ...);
    void *(*allocate)(size_t n, size_t size);
    void (*release)(void *piece);
    void (*step_finished)(void *environment, int status);
    void *environment;
} sg_fmi2_callbacks;

typedef struct sg_fmi2_event_info {
    int again, terminate, nominals, values, next_defined;
    double next;
} sg_fmi2_event_info;

typedef struct sg_fmi2_functions {
    void *(*Instantiate)(const char *name, int type, const char *guid, const char *resources,
                         const sg_fmi2_callbacks *callbacks, int visible, int logging);
    void (*FreeInstance)(void *c);
    int (*SetupExperiment)(void *c, int has_tolerance, double tolerance, double start, int has_stop,
                           double stop);
    int (*EnterInitializationMode)(void *c);
    int (*ExitInitializationMode)(void *c);
    int (*Terminate)(void *c);
    int (*Reset)(void *c);
    int (*GetReal)(void *c, const uint32_t *r, size_t n, double *x);
    int (*GetInteger)(void *c, const uint32_t *r, size_t n, int *x);
    int (*GetBoolean)(void *c, const uint32_t *r, size_t n, int *x);
    int (*SetReal)(void *c, const uint32_t *r, size_t n, const double *x);
    int (*SetInteger)(void *c, const uint32_t *r, size_t n, const int *x);
    int (*SetBoolean)(void *c, const uint32_t *r, size_t n, const int *x);
    int (*SetString)(void *c, const uint32_t *r, size_t n, const char *const *x);
    int (*GetFMUstate)(void *c, void **state);
    int (*SetFMUstate)(void *c, void *state);
    int (*FreeFMUstate)(void *c, void **state);
    int (*EnterEventMode)(void *c);
    int (*NewDiscreteStates)(void *c, sg_fmi2_event_info *info);
    int (*EnterContinuousTimeMode)(void *c);
    int (*CompletedIntegratorStep)(void *c, int no_way_back, int *event, int *terminate);
    int (*SetTime)(void *c, double t);
    int (*SetContinuousStates)(void *c, const double *x, size_t n);
    int (*GetDerivatives)(void *c, double *dx, size_t n);
    int (*GetEventIndicators)(void *c, double *z, size_t n);
    int (*GetContinuousStates)(void *c, double *x, size_t n);
    int (*GetNominalsOfContinuousStates)(void *c, double *x, size_t n);
    int (*DoStep)(void *c, double t, double h, int no_way_back);
    int (*SetRealInputDerivatives)(void *c, const uint32_t *r, size_t n, const int *order,
                                   const double *x);
    int (*GetRealStatus)(void *c, int kind, double *x);
    int (*GetBooleanStatus)(void *c, int kind, int *x);
} sg_fmi2_functions;

typedef void sg_fmi3_log(void *environment, int status, const char *category, const char *message);

// Getting and setting numbers of one type.
#define SG_FMI3_VALUES(name, type)                                                                 \
    int (*Get##name)(void *c, const uint32_t *r, size_t n, type *x, size_t n_x);                   \
    int (*Set##name)(void *c, const uint32_t *r, size_t n, const type *x, size_t n_x)

typedef struct sg_fmi3_functions {
    void *(*InstantiateModelExchange)(const char *name, const char *token, const char *resources,
                                      bool visible, bool logging, void *environment,
                                      sg_fmi3_log *log);
    void *(*InstantiateCoSimulation)(const char *name, const char *token, const char *resources,
                                     bool visible, bool logging, bool event_mode, bool early_return,
                                     const uint32_t *intermediate, size_t n_intermediate,
                                     void *environment, sg_fmi3_log *log, void (*update)(void));
    void (*FreeInstance)(void *c);
    int (*EnterInitializationMode)(void *c, bool has_tolerance, double tolerance, double start,
                                   bool has_stop, double stop);
    int (*ExitInitializationMode)(void *c);
    int (*Terminate)(void *c);
    int (*Reset)(void *c);
    SG_FMI3_VALUES(Float64, double);
    SG_FMI3_VALUES(Float32, float);
    SG_FMI3_VALUES(Int8, int8_t);
    SG_FMI3_VALUES(UInt8, uint8_t);
    SG_FMI3_VALUES(Int16, int16_t);
    SG_FMI3_VALUES(UInt16, uint16_t);
    SG_FMI3_VALUES(Int32, int32_t);
    SG_FMI3_VALUES(UInt32, uint32_t);
    SG_FMI3_VALUES(Int64, int64_t);
    SG_FMI3_VALUES(UInt64, uint64_t);
    SG_FMI3_VALUES(Boolean, bool);
    int (*SetString)(void *c, const uint32_t *r, size_t n, const char *const *x, size_t n_x);
    int (*GetFMUState)(void *c, void **state);
    int (*SetFMUState)(void *c, void *state);
    int (*FreeFMUState)(void *c, void **state);
    int (*EnterEventMode)(void *c);
    int (*UpdateDiscreteStates)(void *c, bool *again, bool *terminate, bool *nominals, bool *values,
                                bool *next_defined, double *next);
    int (*EnterContinuousTimeMode)(void *c);
    int (*CompletedIntegratorStep)(void *c, bool no_way_back, bool *event, bool *terminate);
    int (*SetTime)(void *c, double t);
    int (*SetContinuousStates)(void *c, const double *x, size_t n);
    int (*GetContinuousStateDerivatives)(void *c, double *dx, size_t n);
    int (*GetEventIndicators)(void *c, double *z, size_t n);
    int (*GetContinuousStates)(void *c, double *x, size_t n);
    int (*GetNominalsOfContinuousStates)(void *c, double *x, size_t n);
    int (*EnterStepMode)(void *c);
    int (*DoStep)(void *c, double t, double h, bool no_way_back, bool *event, bool *terminate,
                  bool *early, double *last);
} sg_fmi3_functions;
