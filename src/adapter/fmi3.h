// The C interface of FMI 3.0, as far as Segue answers it: types and the functions that an FMU has.
// Ref: FMI 3.0.1, sections 2.2, 3.2, 4.2 and 5.2.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMI3_API __attribute__((visibility("default")))

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum fmi3DependencyKind {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum fmi3IntervalQualifier {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment,
                                               fmi3Float64 time, fmi3Boolean set_requested,
                                               fmi3Boolean get_allowed, fmi3Boolean step_finished,
                                               fmi3Boolean can_return_early,
                                               fmi3Boolean *return_requested,
                                               fmi3Float64 *return_time);

FMI3_API const char *fmi3GetVersion(void);
FMI3_API fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t n,
                                        const fmi3String categories[]);
FMI3_API fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                   fmi3String resources, fmi3Boolean visible,
                                                   fmi3Boolean logging,
                                                   fmi3InstanceEnvironment environment,
                                                   fmi3LogMessageCallback log);
FMI3_API fmi3Instance
fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                            fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                            fmi3Boolean early_return, const fmi3ValueReference intermediate[],
                            size_t n_intermediate, fmi3InstanceEnvironment environment,
                            fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update);
FMI3_API fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
    fmi3LockPreemptionCallback unlock);
FMI3_API void fmi3FreeInstance(fmi3Instance i);
FMI3_API fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean has_tolerance,
                                                fmi3Float64 tolerance, fmi3Float64 start,
                                                fmi3Boolean has_stop, fmi3Float64 stop);
FMI3_API fmi3Status fmi3ExitInitializationMode(fmi3Instance i);
FMI3_API fmi3Status fmi3EnterEventMode(fmi3Instance i);
FMI3_API fmi3Status fmi3Terminate(fmi3Instance i);
FMI3_API fmi3Status fmi3Reset(fmi3Instance i);

// One pair of functions for each type of numbers.
#define FMI3_GET_SET(Type)                                                                         \
    FMI3_API fmi3Status fmi3Get##Type(fmi3Instance i, const fmi3ValueReference r[], size_t n,      \
                                      fmi3##Type values[], size_t n_values);                       \
    FMI3_API fmi3Status fmi3Set##Type(fmi3Instance i, const fmi3ValueReference r[], size_t n,      \
                                      const fmi3##Type values[], size_t n_values);
FMI3_GET_SET(Float32)
FMI3_GET_SET(Float64)
FMI3_GET_SET(Int8)
FMI3_GET_SET(UInt8)
FMI3_GET_SET(Int16)
FMI3_GET_SET(UInt16)
FMI3_GET_SET(Int32)
FMI3_GET_SET(UInt32)
FMI3_GET_SET(Int64)
FMI3_GET_SET(UInt64)
FMI3_GET_SET(Boolean)
FMI3_GET_SET(String)
#undef FMI3_GET_SET
FMI3_API fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                  size_t sizes[], fmi3Binary values[], size_t n_values);
FMI3_API fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                  const size_t sizes[], const fmi3Binary values[], size_t n_values);
FMI3_API fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                 fmi3Clock values[]);
FMI3_API fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                 const fmi3Clock values[]);

FMI3_API fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference r,
                                                        size_t *n);
FMI3_API fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference dependent,
                                                size_t elements[], fmi3ValueReference from[],
                                                size_t from_elements[], fmi3DependencyKind kinds[],
                                                size_t n);
FMI3_API fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState *state);
FMI3_API fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state);
FMI3_API fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState *state);
FMI3_API fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t *size);
FMI3_API fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[],
                                          size_t size);
FMI3_API fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size,
                                            fmi3FMUState *state);
FMI3_API fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference u[],
                                                 size_t n_u, const fmi3ValueReference k[],
                                                 size_t n_k, const fmi3Float64 seed[],
                                                 size_t n_seed, fmi3Float64 out[], size_t n_out);
FMI3_API fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference u[],
                                             size_t n_u, const fmi3ValueReference k[], size_t n_k,
                                             const fmi3Float64 seed[], size_t n_seed,
                                             fmi3Float64 out[], size_t n_out);
FMI3_API fmi3Status fmi3EnterConfigurationMode(fmi3Instance i);
FMI3_API fmi3Status fmi3ExitConfigurationMode(fmi3Instance i);

// Clocks, which no FMU of Segue has.
FMI3_API fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                           fmi3Float64 intervals[],
                                           fmi3IntervalQualifier qualifiers[]);
FMI3_API fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                            fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                            fmi3IntervalQualifier qualifiers[]);
FMI3_API fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                        fmi3Float64 shifts[]);
FMI3_API fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                         fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
FMI3_API fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                           const fmi3Float64 intervals[]);
FMI3_API fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                            const fmi3UInt64 counters[],
                                            const fmi3UInt64 resolutions[]);
FMI3_API fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                        const fmi3Float64 shifts[]);
FMI3_API fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                         const fmi3UInt64 counters[],
                                         const fmi3UInt64 resolutions[]);
FMI3_API fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i);
FMI3_API fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference clock,
                                               fmi3Float64 time);

FMI3_API fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean *again,
                                             fmi3Boolean *terminates, fmi3Boolean *nominals,
                                             fmi3Boolean *values, fmi3Boolean *has_next,
                                             fmi3Float64 *next);
FMI3_API fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i);
FMI3_API fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean no_way_back,
                                                fmi3Boolean *event, fmi3Boolean *terminate);
FMI3_API fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 time);
FMI3_API fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64 x[], size_t n);
FMI3_API fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 dx[], size_t n);
FMI3_API fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64 z[], size_t n);
FMI3_API fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t n);
FMI3_API fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t n);
FMI3_API fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t *n);
FMI3_API fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t *n);

FMI3_API fmi3Status fmi3EnterStepMode(fmi3Instance i);
FMI3_API fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                             const fmi3Int32 orders[], fmi3Float64 values[],
                                             size_t n_values);
FMI3_API fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h,
                               fmi3Boolean no_way_back, fmi3Boolean *event, fmi3Boolean *terminate,
                               fmi3Boolean *early, fmi3Float64 *reached);
