// The C interface of FMI 2.0, as far as Segue answers it: types and the functions that an FMU has.
// Ref: FMI 2.0.4, sections 2.1, 3.2 and 4.2.
#pragma once

#include <stddef.h>

#define FMI2_API __attribute__((visibility("default")))

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;

typedef enum fmi2Status {
    fmi2OK,
    fmi2Warning,
    fmi2Discard,
    fmi2Error,
    fmi2Fatal,
    fmi2Pending
} fmi2Status;
typedef enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum fmi2StatusKind {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef struct fmi2CallbackFunctions {
    void (*logger)(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                   fmi2String category, fmi2String message, ...);
    void *(*allocateMemory)(size_t n, size_t size);
    void (*freeMemory)(void *piece);
    void (*stepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct fmi2EventInfo {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

FMI2_API const char *fmi2GetTypesPlatform(void);
FMI2_API const char *fmi2GetVersion(void);
FMI2_API fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                                        const fmi2String categories[]);
FMI2_API fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                       fmi2String resources, const fmi2CallbackFunctions *functions,
                                       fmi2Boolean visible, fmi2Boolean logging);
FMI2_API void fmi2FreeInstance(fmi2Component c);
FMI2_API fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance,
                                        fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                                        fmi2Real stop);
FMI2_API fmi2Status fmi2EnterInitializationMode(fmi2Component c);
FMI2_API fmi2Status fmi2ExitInitializationMode(fmi2Component c);
FMI2_API fmi2Status fmi2Terminate(fmi2Component c);
FMI2_API fmi2Status fmi2Reset(fmi2Component c);

FMI2_API fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                fmi2Real value[]);
FMI2_API fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                   fmi2Integer value[]);
FMI2_API fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                   fmi2Boolean value[]);
FMI2_API fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                  fmi2String value[]);
FMI2_API fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                const fmi2Real value[]);
FMI2_API fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                   const fmi2Integer value[]);
FMI2_API fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                   const fmi2Boolean value[]);
FMI2_API fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                  const fmi2String value[]);

FMI2_API fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state);
FMI2_API fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state);
FMI2_API fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state);
FMI2_API fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size);
FMI2_API fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                          size_t size);
FMI2_API fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                            fmi2FMUstate *state);
FMI2_API fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[],
                                                 size_t n_u, const fmi2ValueReference k[],
                                                 size_t n_k, const fmi2Real dk[], fmi2Real du[]);

FMI2_API fmi2Status fmi2EnterEventMode(fmi2Component c);
FMI2_API fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info);
FMI2_API fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c);
FMI2_API fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_way_back,
                                                fmi2Boolean *event, fmi2Boolean *terminate);
FMI2_API fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time);
FMI2_API fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n);
FMI2_API fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n);
FMI2_API fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n);
FMI2_API fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n);
FMI2_API fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n);

FMI2_API fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[],
                                                size_t n, const fmi2Integer order[],
                                                const fmi2Real value[]);
FMI2_API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[],
                                                 size_t n, const fmi2Integer order[],
                                                 fmi2Real value[]);
FMI2_API fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_way_back);
FMI2_API fmi2Status fmi2CancelStep(fmi2Component c);
FMI2_API fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value);
FMI2_API fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value);
FMI2_API fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind,
                                         fmi2Integer *value);
FMI2_API fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind,
                                         fmi2Boolean *value);
FMI2_API fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind,
                                        fmi2String *value);
