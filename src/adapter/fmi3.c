// The functions of FMI 3.0. What they do is in instance.h; here are order, types and messages.
#include "adapter/fmi3.h"

#include "adapter/exchange.h"
#include "adapter/instance.h"
#include "adapter/location.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EARLY = SG_ADAPTER_INSTANTIATED | SG_ADAPTER_INITIALIZING,
    RUNNING = SG_ADAPTER_STEPPING | SG_ADAPTER_EVENT | SG_ADAPTER_CONTINUOUS,
    SOMETIME = EARLY | RUNNING | SG_ADAPTER_TERMINATED,
    ALWAYS = SOMETIME | SG_ADAPTER_FAILED
};

typedef struct fmi3_instance {
    sg_adapter *adapter;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback update;
    bool logging;
    bool updating; // the importer was called back in the middle of a step
} fmi3_instance;

static void tell(void *user, sg_adapter_status status, const char *message)
{
    const fmi3_instance *i = user;
    bool serious = status >= SG_ADAPTER_ERROR;
    if (i->log && (i->logging || serious))
        i->log(i->environment, (fmi3Status)status, serious ? "logStatusError" : "logStatusWarning",
               message);
}

const char *fmi3GetVersion(void) { return "3.0"; }

static fmi3_instance *make(fmi3_instance settings, fmi3String token, fmi3String resources,
                           bool exchange)
{
    fmi3_instance *i = malloc(sizeof *i);
    if (!i)
        return NULL;
    *i = settings;
    char *folder = resources ? sg_adapter_path_of(resources) : NULL;
    if (folder)
        for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
            folder[n - 1] = '\0';
    if (!folder)
        tell(i, SG_ADAPTER_ERROR, "the FMU needs the path of its resources");
    else
        i->adapter = sg_adapter_create(folder, token, exchange, tell, i);
    free(folder);
    if (i->adapter)
        return i;
    free(i);
    return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    (void)name;
    (void)visible;
    return make((fmi3_instance){.environment = environment, .log = log, .logging = logging}, token,
                resources, true);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[],
                                         size_t n_intermediate, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
    (void)name;
    (void)visible;
    (void)intermediate;
    (void)n_intermediate;
    fmi3_instance *i = make(
        (fmi3_instance){
            .environment = environment, .log = log, .update = update, .logging = logging},
        token, resources, false);
    if (i) {
        i->adapter->event_mode = event_mode;
        i->adapter->early_return = early_return;
    }
    return i;
}

fmi3Instance
fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                  fmi3Boolean visible, fmi3Boolean logging,
                                  fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                  fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
                                  fmi3LockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible;
    (void)clock, (void)lock, (void)unlock;
    fmi3_instance i = {.environment = environment, .log = log, .logging = logging};
    tell(&i, SG_ADAPTER_ERROR, "the FMU has no scheduled execution");
    return NULL;
}

void fmi3FreeInstance(fmi3Instance given)
{
    fmi3_instance *i = given;
    if (!i)
        return;
    sg_adapter_destroy(i->adapter);
    free(i);
}

// The adapter, if the function may be called now, else null after a message.
static sg_adapter *enter(fmi3Instance given, unsigned modes, const char *function)
{
    fmi3_instance *i = given;
    return i && sg_adapter_allows(i->adapter, modes, function) ? i->adapter : NULL;
}

static fmi3Status misuse(sg_adapter *a, const char *what)
{
    return (fmi3Status)sg_adapter_say(a, SG_ADAPTER_ERROR, "%s", what);
}

// What no FMU of Segue has.
static fmi3Status has_not(fmi3Instance i, const char *function, const char *what)
{
    sg_adapter *a = enter(i, ALWAYS, function);
    return a ? misuse(a, what) : fmi3Error;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance given, fmi3Boolean on, size_t n,
                               const fmi3String categories[])
{
    fmi3_instance *i = given;
    (void)n;
    (void)categories;
    if (!enter(given, ALWAYS, "fmi3SetDebugLogging"))
        return fmi3Error;
    i->logging = on;
    return fmi3OK;
}

// ---- life -----------------------------------------------------------------------------------

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop)
{
    sg_adapter *a = enter(i, SG_ADAPTER_INSTANTIATED, "fmi3EnterInitializationMode");
    if (!a)
        return fmi3Error;
    if ((has_tolerance && isnan(tolerance)) || (has_stop && isnan(stop)))
        return misuse(a, "a stop time or a tolerance is no number");
    fmi3Status status = (fmi3Status)sg_adapter_setup(a, start, has_stop ? stop : (double)NAN,
                                                     has_tolerance ? tolerance : (double)NAN);
    return status == fmi3OK ? (fmi3Status)sg_adapter_enter_initialization(a) : status;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i)
{
    sg_adapter *a = enter(i, SG_ADAPTER_INITIALIZING, "fmi3ExitInitializationMode");
    return a ? (fmi3Status)sg_adapter_exit_initialization(a) : fmi3Error;
}

fmi3Status fmi3Terminate(fmi3Instance i)
{
    sg_adapter *a = enter(i, RUNNING, "fmi3Terminate");
    return a ? (fmi3Status)sg_adapter_terminate(a) : fmi3Error;
}

fmi3Status fmi3Reset(fmi3Instance i)
{
    sg_adapter *a = enter(i, ALWAYS, "fmi3Reset");
    return a ? (fmi3Status)sg_adapter_reset(a) : fmi3Error;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance i)
{
    return has_not(i, "fmi3EnterConfigurationMode", "the FMU has no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance i)
{
    return has_not(i, "fmi3ExitConfigurationMode", "the FMU has no structural parameters");
}

// ---- values ---------------------------------------------------------------------------------

// All variables are scalars, so there are as many values as references.
static sg_adapter *enter_values(fmi3Instance i, unsigned modes, const char *function,
                                const fmi3ValueReference r[], size_t n, const void *values,
                                size_t n_values)
{
    sg_adapter *a = enter(i, modes, function);
    if (!a)
        return NULL;
    if (n == n_values && (!n || (r && values)))
        return a;
    misuse(a, "there must be one value for each value reference");
    return NULL;
}

#define GET_SET(Type, letter)                                                                      \
    fmi3Status fmi3Get##Type(fmi3Instance i, const fmi3ValueReference r[], size_t n,               \
                             fmi3##Type values[], size_t n_values)                                 \
    {                                                                                              \
        sg_adapter *a = enter_values(i, SOMETIME, "fmi3Get" #Type, r, n, values, n_values);        \
        for (size_t k = 0; a && k < n; k++) {                                                      \
            double value = 0.0;                                                                    \
            fmi3Status status = (fmi3Status)sg_adapter_get(a, r[k], letter, &value);               \
            if (status != fmi3OK)                                                                  \
                return status;                                                                     \
            values[k] = (fmi3##Type)value;                                                         \
        }                                                                                          \
        return a ? fmi3OK : fmi3Error;                                                             \
    }                                                                                              \
    fmi3Status fmi3Set##Type(fmi3Instance i, const fmi3ValueReference r[], size_t n,               \
                             const fmi3##Type values[], size_t n_values)                           \
    {                                                                                              \
        sg_adapter *a = enter_values(i, EARLY | RUNNING, "fmi3Set" #Type, r, n, values, n_values); \
        for (size_t k = 0; a && k < n; k++) {                                                      \
            fmi3Status status = (fmi3Status)sg_adapter_set(a, r[k], letter, (double)values[k]);    \
            if (status != fmi3OK)                                                                  \
                return status;                                                                     \
        }                                                                                          \
        return a ? fmi3OK : fmi3Error;                                                             \
    }

GET_SET(Float64, 'r')
GET_SET(Int64, 'i')
GET_SET(Boolean, 'b')

// Types that no variable of the FMU has; empty lists are fine.
static fmi3Status no_such(fmi3Instance i, size_t n, const char *function)
{
    sg_adapter *a = enter(i, SOMETIME, function);
    return !a ? fmi3Error : n ? misuse(a, "the FMU has no variables of this type") : fmi3OK;
}

#define NO_GET_SET(Type)                                                                           \
    fmi3Status fmi3Get##Type(fmi3Instance i, const fmi3ValueReference r[], size_t n,               \
                             fmi3##Type values[], size_t n_values)                                 \
    {                                                                                              \
        (void)r, (void)values, (void)n_values;                                                     \
        return no_such(i, n, "fmi3Get" #Type);                                                     \
    }                                                                                              \
    fmi3Status fmi3Set##Type(fmi3Instance i, const fmi3ValueReference r[], size_t n,               \
                             const fmi3##Type values[], size_t n_values)                           \
    {                                                                                              \
        (void)r, (void)values, (void)n_values;                                                     \
        return no_such(i, n, "fmi3Set" #Type);                                                     \
    }

NO_GET_SET(Float32)
NO_GET_SET(Int8)
NO_GET_SET(UInt8)
NO_GET_SET(Int16)
NO_GET_SET(UInt16)
NO_GET_SET(Int32)
NO_GET_SET(UInt32)
NO_GET_SET(UInt64)
NO_GET_SET(String)

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference r[], size_t n, size_t sizes[],
                         fmi3Binary values[], size_t n_values)
{
    (void)r, (void)sizes, (void)values, (void)n_values;
    return no_such(i, n, "fmi3GetBinary");
}

fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                         const size_t sizes[], const fmi3Binary values[], size_t n_values)
{
    (void)r, (void)sizes, (void)values, (void)n_values;
    return no_such(i, n, "fmi3SetBinary");
}

fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference r[], size_t n, fmi3Clock values[])
{
    (void)r, (void)values;
    return no_such(i, n, "fmi3GetClock");
}

fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                        const fmi3Clock values[])
{
    (void)r, (void)values;
    return no_such(i, n, "fmi3SetClock");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference r, size_t *n)
{
    (void)r, (void)n;
    return has_not(i, "fmi3GetNumberOfVariableDependencies",
                   "dependencies of elements are in modelDescription.xml");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference dependent,
                                       size_t elements[], fmi3ValueReference from[],
                                       size_t from_elements[], fmi3DependencyKind kinds[], size_t n)
{
    (void)dependent, (void)elements, (void)from, (void)from_elements, (void)kinds, (void)n;
    return has_not(i, "fmi3GetVariableDependencies",
                   "dependencies of elements are in modelDescription.xml");
}

// ---- states ---------------------------------------------------------------------------------

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState *state)
{
    sg_adapter *a = enter(i, SOMETIME, "fmi3GetFMUState");
    sg_adapter_state *fresh = NULL;
    if (!a)
        return fmi3Error;
    if (!state)
        return misuse(a, "fmi3GetFMUState needs a place for the state");
    fmi3Status status = (fmi3Status)sg_adapter_save(a, &fresh);
    if (status == fmi3OK) {
        sg_adapter_state_destroy(*state); // one that is handed in is taken over
        *state = fresh;
    }
    return status;
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state)
{
    sg_adapter *a = enter(i, ALWAYS, "fmi3SetFMUState");
    return a ? (fmi3Status)sg_adapter_restore(a, state) : fmi3Error;
}

fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState *state)
{
    if (!enter(i, ALWAYS, "fmi3FreeFMUState"))
        return fmi3Error;
    if (state) {
        sg_adapter_state_destroy(*state);
        *state = NULL;
    }
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t *size)
{
    sg_adapter *a = enter(i, ALWAYS, "fmi3SerializedFMUStateSize");
    if (!a)
        return fmi3Error;
    if (!state || !size)
        return misuse(a, "there is no state");
    *size = sg_adapter_state_size(state);
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    sg_adapter *a = enter(i, ALWAYS, "fmi3SerializeFMUState");
    if (!a)
        return fmi3Error;
    if (!state || !bytes || size < sg_adapter_state_size(state))
        return misuse(a, "there is no state, or no room for it");
    sg_adapter_state_write(state, bytes);
    return fmi3OK;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state)
{
    sg_adapter *a = enter(i, ALWAYS, "fmi3DeserializeFMUState");
    if (!a)
        return fmi3Error;
    sg_adapter_state *s = state ? sg_adapter_state_read(a, bytes, size) : NULL;
    if (!s)
        return misuse(a, "these bytes are no state of this FMU");
    *state = s;
    return fmi3OK;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference u[], size_t n_u,
                                        const fmi3ValueReference k[], size_t n_k,
                                        const fmi3Float64 seed[], size_t n_seed, fmi3Float64 out[],
                                        size_t n_out)
{
    (void)u, (void)n_u, (void)k, (void)n_k, (void)seed, (void)n_seed, (void)out, (void)n_out;
    return has_not(i, "fmi3GetDirectionalDerivative",
                   "the FMU provides no directional derivatives");
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference u[], size_t n_u,
                                    const fmi3ValueReference k[], size_t n_k,
                                    const fmi3Float64 seed[], size_t n_seed, fmi3Float64 out[],
                                    size_t n_out)
{
    (void)u, (void)n_u, (void)k, (void)n_k, (void)seed, (void)n_seed, (void)out, (void)n_out;
    return has_not(i, "fmi3GetAdjointDerivative", "the FMU provides no adjoint derivatives");
}

// ---- clocks ---------------------------------------------------------------------------------

static const char no_clocks[] = "the FMU has no clocks";

fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
    (void)r, (void)n, (void)intervals, (void)qualifiers;
    return has_not(i, "fmi3GetIntervalDecimal", no_clocks);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[])
{
    (void)r, (void)n, (void)counters, (void)resolutions, (void)qualifiers;
    return has_not(i, "fmi3GetIntervalFraction", no_clocks);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                               fmi3Float64 shifts[])
{
    (void)r, (void)n, (void)shifts;
    return has_not(i, "fmi3GetShiftDecimal", no_clocks);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    (void)r, (void)n, (void)counters, (void)resolutions;
    return has_not(i, "fmi3GetShiftFraction", no_clocks);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                  const fmi3Float64 intervals[])
{
    (void)r, (void)n, (void)intervals;
    return has_not(i, "fmi3SetIntervalDecimal", no_clocks);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                   const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)r, (void)n, (void)counters, (void)resolutions;
    return has_not(i, "fmi3SetIntervalFraction", no_clocks);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                               const fmi3Float64 shifts[])
{
    (void)r, (void)n, (void)shifts;
    return has_not(i, "fmi3SetShiftDecimal", no_clocks);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)r, (void)n, (void)counters, (void)resolutions;
    return has_not(i, "fmi3SetShiftFraction", no_clocks);
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock, (void)time;
    return has_not(i, "fmi3ActivateModelPartition", no_clocks);
}

// ---- events ---------------------------------------------------------------------------------

fmi3Status fmi3EnterEventMode(fmi3Instance i)
{
    sg_adapter *a = enter(i, SG_ADAPTER_CONTINUOUS | SG_ADAPTER_STEPPING, "fmi3EnterEventMode");
    if (!a)
        return fmi3Error;
    if (a->exchange)
        return (fmi3Status)sg_exchange_enter_event(a);
    if (!a->event_mode)
        return misuse(a, "the instance was made without event mode");
    a->mode = SG_ADAPTER_EVENT;
    return fmi3OK;
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i)
{
    sg_adapter *a =
        enter(i, SG_ADAPTER_INITIALIZING | SG_ADAPTER_EVENT, "fmi3EvaluateDiscreteStates");
    return a ? fmi3OK : fmi3Error;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean *again, fmi3Boolean *terminates,
                                    fmi3Boolean *nominals, fmi3Boolean *values,
                                    fmi3Boolean *has_next, fmi3Float64 *next)
{
    sg_adapter *a = enter(i, SG_ADAPTER_EVENT, "fmi3UpdateDiscreteStates");
    sg_exchange_event event = {.next_time = (double)INFINITY};
    if (!a)
        return fmi3Error;
    if (!again || !terminates || !nominals || !values || !has_next || !next)
        return misuse(a, "fmi3UpdateDiscreteStates needs places for what it tells");
    // Events of a co-simulation are over when their step is.
    event.terminates = !a->exchange && sg_model_look(a->model).terminated;
    fmi3Status status =
        a->exchange ? (fmi3Status)sg_exchange_new_discrete_states(a, &event) : fmi3OK;
    *again = event.again;
    *terminates = event.terminates;
    *nominals = event.nominals_changed;
    *values = event.states_changed;
    *has_next = isfinite(event.next_time);
    *next = *has_next ? event.next_time : 0.0;
    return status;
}

// ---- co-simulation --------------------------------------------------------------------------

fmi3Status fmi3EnterStepMode(fmi3Instance i)
{
    sg_adapter *a = enter(i, SG_ADAPTER_EVENT, "fmi3EnterStepMode");
    if (!a)
        return fmi3Error;
    if (a->exchange)
        return misuse(a, "the instance is one of model exchange");
    a->mode = SG_ADAPTER_STEPPING;
    return fmi3OK;
}

// Tells the importer of a point on the way; true if it wants to stop there.
static bool look(void *user, double t)
{
    const fmi3_instance *i = user;
    fmi3Boolean wanted = false;
    fmi3Float64 time = t;
    i->update(i->environment, t, false, true, true, i->adapter->early_return, &wanted, &time);
    return wanted && time <= t;
}

fmi3Status fmi3DoStep(fmi3Instance given, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_way_back,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early,
                      fmi3Float64 *reached)
{
    fmi3_instance *i = given;
    sg_adapter *a = enter(given, SG_ADAPTER_STEPPING, "fmi3DoStep");
    sg_adapter_step step = {.look = i && i->update ? look : NULL, .user = i};
    (void)no_way_back; // all states that were handed out stay valid
    if (!a)
        return fmi3Error;
    if (!event || !terminate || !early || !reached)
        return misuse(a, "fmi3DoStep needs places for what it tells");
    if (i->updating)
        return misuse(a, "a step cannot begin within another one");
    i->updating = true;
    fmi3Status status = (fmi3Status)sg_adapter_do_step(a, t, h, &step);
    i->updating = false;
    *event = step.event && a->event_mode;
    *terminate = step.terminated;
    *early = step.early;
    *reached = step.reached;
    // The model that ends the simulation did what it was asked for.
    return status == fmi3Discard && step.terminated ? fmi3OK : status;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference r[], size_t n,
                                    const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values)
{
    (void)r, (void)orders, (void)values, (void)n_values;
    sg_adapter *a = enter(i, SOMETIME, "fmi3GetOutputDerivatives");
    return !a ? fmi3Error : n ? misuse(a, "the FMU has no derivatives of outputs") : fmi3OK;
}

// ---- model exchange -------------------------------------------------------------------------

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i)
{
    sg_adapter *a = enter(i, SG_ADAPTER_EVENT, "fmi3EnterContinuousTimeMode");
    return a ? (fmi3Status)sg_exchange_enter_continuous(a) : fmi3Error;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean no_way_back, fmi3Boolean *event,
                                       fmi3Boolean *terminate)
{
    sg_adapter *a = enter(i, SG_ADAPTER_CONTINUOUS, "fmi3CompletedIntegratorStep");
    bool wants_event = false;
    (void)no_way_back;
    if (!a || !event || !terminate)
        return fmi3Error;
    fmi3Status status = (fmi3Status)sg_exchange_completed_step(a, &wants_event);
    *event = wants_event;
    *terminate = false;
    return status;
}

fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 time)
{
    sg_adapter *a = enter(i, SG_ADAPTER_CONTINUOUS | SG_ADAPTER_EVENT, "fmi3SetTime");
    return a ? (fmi3Status)sg_exchange_set_time(a, time) : fmi3Error;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64 x[], size_t n)
{
    sg_adapter *a = enter(i, SG_ADAPTER_CONTINUOUS, "fmi3SetContinuousStates");
    return a ? (fmi3Status)sg_exchange_set_states(a, x, n) : fmi3Error;
}

enum { COMPUTED = SOMETIME & ~SG_ADAPTER_INSTANTIATED };

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 dx[], size_t n)
{
    sg_adapter *a = enter(i, COMPUTED, "fmi3GetContinuousStateDerivatives");
    return a ? (fmi3Status)sg_exchange_get_rates(a, dx, n) : fmi3Error;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64 z[], size_t n)
{
    sg_adapter *a = enter(i, COMPUTED, "fmi3GetEventIndicators");
    return a ? (fmi3Status)sg_exchange_get_indicators(a, z, n) : fmi3Error;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t n)
{
    sg_adapter *a = enter(i, COMPUTED, "fmi3GetContinuousStates");
    return a ? (fmi3Status)sg_exchange_get_states(a, x, n) : fmi3Error;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t n)
{
    sg_adapter *a = enter(i, COMPUTED, "fmi3GetNominalsOfContinuousStates");
    return a ? (fmi3Status)sg_exchange_get_nominals(a, x, n) : fmi3Error;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t *n)
{
    sg_adapter *a = enter(i, SOMETIME, "fmi3GetNumberOfEventIndicators");
    return a && n ? (fmi3Status)sg_exchange_sizes(a, NULL, n) : fmi3Error;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t *n)
{
    sg_adapter *a = enter(i, SOMETIME, "fmi3GetNumberOfContinuousStates");
    return a && n ? (fmi3Status)sg_exchange_sizes(a, n, NULL) : fmi3Error;
}
