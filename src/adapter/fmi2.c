// The functions of FMI 2.0. What they do is in instance.h; here are order, types and messages.
#include "adapter/fmi2.h"

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

typedef struct fmi2_instance {
    sg_adapter *adapter;
    fmi2CallbackFunctions callbacks;
    char *name;
    bool logging;
    bool terminated;     // the model ended the simulation
    double last;         // successful time [s]
    fmi2Status finished; // of the last step
} fmi2_instance;

// The message is the format itself, with its percent signs doubled: importers that are not written
// in C often show the format and nothing behind it.
static void tell(void *user, sg_adapter_status status, const char *message)
{
    const fmi2_instance *c = user;
    bool serious = status >= SG_ADAPTER_ERROR;
    char format[2048];
    size_t n = 0;
    if (!c->callbacks.logger || !(c->logging || serious))
        return;
    for (; *message && n + 2 < sizeof format; message++) {
        format[n++] = *message;
        if (*message == '%')
            format[n++] = '%';
    }
    format[n] = '\0';
    c->callbacks.logger(c->callbacks.componentEnvironment, c->name, (fmi2Status)status,
                        serious ? "logStatusError" : "logStatusWarning", format);
}

const char *fmi2GetTypesPlatform(void) { return "default"; }

const char *fmi2GetVersion(void) { return "2.0"; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    (void)visible;
    fmi2_instance *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->callbacks = functions ? *functions : (fmi2CallbackFunctions){0};
    c->logging = logging != 0;
    c->name = strdup(name ? name : "");
    char *folder = resources ? sg_adapter_path_of(resources) : NULL;
    if (!folder)
        tell(c, SG_ADAPTER_ERROR, "the location of the resources is no file: URI");
    else if (c->name && (type == fmi2CoSimulation || type == fmi2ModelExchange))
        c->adapter = sg_adapter_create(folder, guid, type == fmi2ModelExchange, tell, c);
    free(folder);
    if (c->adapter)
        return c;
    free(c->name);
    free(c);
    return NULL;
}

void fmi2FreeInstance(fmi2Component instance)
{
    fmi2_instance *c = instance;
    if (!c)
        return;
    sg_adapter_destroy(c->adapter);
    free(c->name);
    free(c);
}

// The adapter, if the function may be called now, else null after a message.
static sg_adapter *enter(fmi2Component instance, unsigned modes, const char *function)
{
    fmi2_instance *c = instance;
    return c && sg_adapter_allows(c->adapter, modes, function) ? c->adapter : NULL;
}

static fmi2Status misuse(sg_adapter *a, const char *what)
{
    return (fmi2Status)sg_adapter_say(a, SG_ADAPTER_ERROR, "%s", what);
}

fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean on, size_t n,
                               const fmi2String categories[])
{
    fmi2_instance *c = instance;
    (void)n;
    (void)categories;
    if (!enter(instance, ALWAYS, "fmi2SetDebugLogging"))
        return fmi2Error;
    c->logging = on != 0;
    return fmi2OK;
}

// ---- life -----------------------------------------------------------------------------------

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop)
{
    sg_adapter *a = enter(c, SG_ADAPTER_INSTANTIATED, "fmi2SetupExperiment");
    if (!a)
        return fmi2Error;
    if ((has_tolerance && isnan(tolerance)) || (has_stop && isnan(stop)))
        return misuse(a, "a stop time or a tolerance is no number");
    return (fmi2Status)sg_adapter_setup(a, start, has_stop ? stop : (double)NAN,
                                        has_tolerance ? tolerance : (double)NAN);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    sg_adapter *a = enter(c, SG_ADAPTER_INSTANTIATED, "fmi2EnterInitializationMode");
    return a ? (fmi2Status)sg_adapter_enter_initialization(a) : fmi2Error;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component instance)
{
    fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, SG_ADAPTER_INITIALIZING, "fmi2ExitInitializationMode");
    fmi2Status status = a ? (fmi2Status)sg_adapter_exit_initialization(a) : fmi2Error;
    if (status == fmi2OK)
        c->last = a->time;
    return status;
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    sg_adapter *a = enter(c, RUNNING, "fmi2Terminate");
    return a ? (fmi2Status)sg_adapter_terminate(a) : fmi2Error;
}

fmi2Status fmi2Reset(fmi2Component instance)
{
    fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, ALWAYS, "fmi2Reset");
    if (!a)
        return fmi2Error;
    c->terminated = false;
    c->finished = fmi2OK;
    return (fmi2Status)sg_adapter_reset(a);
}

// ---- values ---------------------------------------------------------------------------------

// All of a list; the worst status counts.
static fmi2Status get_all(fmi2Component c, const fmi2ValueReference r[], size_t n, char type,
                          double *reals, int *integers, const char *function)
{
    sg_adapter *a = enter(c, SOMETIME, function);
    if (!a)
        return fmi2Error;
    if (n && (!r || (!reals && !integers)))
        return misuse(a, "a list is missing");
    for (size_t i = 0; i < n; i++) {
        double value = 0.0;
        sg_adapter_status status = sg_adapter_get(a, r[i], type, &value);
        if (status != SG_ADAPTER_OK)
            return (fmi2Status)status;
        if (reals)
            reals[i] = value;
        else
            integers[i] = (int)value;
    }
    return fmi2OK;
}

static fmi2Status set_all(fmi2Component c, const fmi2ValueReference r[], size_t n, char type,
                          const double *reals, const int *integers, const char *function)
{
    sg_adapter *a = enter(c, EARLY | RUNNING, function);
    if (!a)
        return fmi2Error;
    if (n && (!r || (!reals && !integers)))
        return misuse(a, "a list is missing");
    for (size_t i = 0; i < n; i++) {
        double value = reals ? reals[i] : type == 'b' ? integers[i] != 0 : integers[i];
        sg_adapter_status status = sg_adapter_set(a, r[i], type, value);
        if (status != SG_ADAPTER_OK)
            return (fmi2Status)status;
    }
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[])
{
    return get_all(c, r, n, 'r', value, NULL, "fmi2GetReal");
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          fmi2Integer value[])
{
    return get_all(c, r, n, 'i', NULL, value, "fmi2GetInteger");
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          fmi2Boolean value[])
{
    return get_all(c, r, n, 'b', NULL, value, "fmi2GetBoolean");
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real value[])
{
    return set_all(c, r, n, 'r', value, NULL, "fmi2SetReal");
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          const fmi2Integer value[])
{
    return set_all(c, r, n, 'i', NULL, value, "fmi2SetInteger");
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          const fmi2Boolean value[])
{
    return set_all(c, r, n, 'b', NULL, value, "fmi2SetBoolean");
}

static fmi2Status no_strings(fmi2Component c, size_t n, const char *function)
{
    sg_adapter *a = enter(c, SOMETIME, function);
    return !a ? fmi2Error : n ? misuse(a, "the FMU has no variables that are strings") : fmi2OK;
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n,
                         fmi2String value[])
{
    (void)r;
    (void)value;
    return no_strings(c, n, "fmi2GetString");
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n,
                         const fmi2String value[])
{
    (void)r;
    (void)value;
    return no_strings(c, n, "fmi2SetString");
}

// ---- states ---------------------------------------------------------------------------------

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    sg_adapter *a = enter(c, SOMETIME, "fmi2GetFMUstate");
    sg_adapter_state *fresh = NULL;
    if (!a)
        return fmi2Error;
    if (!state)
        return misuse(a, "fmi2GetFMUstate needs a place for the state");
    fmi2Status status = (fmi2Status)sg_adapter_save(a, &fresh);
    if (status == fmi2OK) {
        sg_adapter_state_destroy(*state); // one that is handed in is taken over
        *state = fresh;
    }
    return status;
}

fmi2Status fmi2SetFMUstate(fmi2Component instance, fmi2FMUstate state)
{
    fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, ALWAYS, "fmi2SetFMUstate");
    fmi2Status status = a ? (fmi2Status)sg_adapter_restore(a, state) : fmi2Error;
    if (status == fmi2OK) {
        c->last = a->time;
        c->terminated = false;
    }
    return status;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    if (!enter(c, ALWAYS, "fmi2FreeFMUstate"))
        return fmi2Error;
    if (state) {
        sg_adapter_state_destroy(*state);
        *state = NULL;
    }
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    sg_adapter *a = enter(c, ALWAYS, "fmi2SerializedFMUstateSize");
    if (!a)
        return fmi2Error;
    if (!state || !size)
        return misuse(a, "there is no state");
    *size = sg_adapter_state_size(state);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    sg_adapter *a = enter(c, ALWAYS, "fmi2SerializeFMUstate");
    if (!a)
        return fmi2Error;
    if (!state || !bytes || size < sg_adapter_state_size(state))
        return misuse(a, "there is no state, or no room for it");
    sg_adapter_state_write(state, bytes);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state)
{
    sg_adapter *a = enter(c, ALWAYS, "fmi2DeSerializeFMUstate");
    if (!a)
        return fmi2Error;
    sg_adapter_state *s = state ? sg_adapter_state_read(a, bytes, size) : NULL;
    if (!s)
        return misuse(a, "these bytes are no state of this FMU");
    *state = s;
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t n_u,
                                        const fmi2ValueReference k[], size_t n_k,
                                        const fmi2Real dk[], fmi2Real du[])
{
    (void)u, (void)n_u, (void)k, (void)n_k, (void)dk, (void)du;
    sg_adapter *a = enter(c, SOMETIME, "fmi2GetDirectionalDerivative");
    return a ? misuse(a, "the FMU provides no directional derivatives") : fmi2Error;
}

// ---- co-simulation --------------------------------------------------------------------------

fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real t, fmi2Real h, fmi2Boolean no_way_back)
{
    fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, SG_ADAPTER_STEPPING, "fmi2DoStep");
    sg_adapter_step step = {0};
    (void)no_way_back; // all states that were handed out stay valid
    if (!a)
        return fmi2Error;
    c->finished = (fmi2Status)sg_adapter_do_step(a, t, h, &step);
    if (c->finished <= fmi2Discard) {
        c->last = step.reached;
        c->terminated = step.terminated;
    }
    return c->finished;
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    sg_adapter *a = enter(c, ALWAYS, "fmi2CancelStep");
    return a ? misuse(a, "no step is pending: steps are done when fmi2DoStep returns") : fmi2Error;
}

static fmi2Status no_derivatives(fmi2Component c, size_t n, const char *function)
{
    sg_adapter *a = enter(c, SOMETIME, function);
    return !a  ? fmi2Error
           : n ? misuse(a, "the FMU has no derivatives of inputs and outputs")
               : fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    (void)r, (void)order, (void)value;
    return no_derivatives(c, n, "fmi2SetRealInputDerivatives");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[])
{
    (void)r, (void)order, (void)value;
    return no_derivatives(c, n, "fmi2GetRealOutputDerivatives");
}

fmi2Status fmi2GetStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Status *value)
{
    const fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, ALWAYS, "fmi2GetStatus");
    if (!a || kind != fmi2DoStepStatus || !value)
        return fmi2Discard;
    *value = c->finished;
    return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Real *value)
{
    const fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, ALWAYS, "fmi2GetRealStatus");
    if (!a || kind != fmi2LastSuccessfulTime || !value)
        return fmi2Discard;
    *value = c->last;
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)kind;
    (void)value;
    return enter(c, ALWAYS, "fmi2GetIntegerStatus") ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component instance, const fmi2StatusKind kind,
                                fmi2Boolean *value)
{
    const fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, ALWAYS, "fmi2GetBooleanStatus");
    if (!a || kind != fmi2Terminated || !value)
        return fmi2Discard;
    *value = c->terminated;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    sg_adapter *a = enter(c, ALWAYS, "fmi2GetStringStatus");
    if (!a || kind != fmi2PendingStatus || !value)
        return fmi2Discard;
    *value = "";
    return fmi2OK;
}

// ---- model exchange -------------------------------------------------------------------------

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    sg_adapter *a = enter(c, SG_ADAPTER_CONTINUOUS, "fmi2EnterEventMode");
    return a ? (fmi2Status)sg_exchange_enter_event(a) : fmi2Error;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component instance, fmi2EventInfo *info)
{
    fmi2_instance *c = instance;
    sg_adapter *a = enter(instance, SG_ADAPTER_EVENT, "fmi2NewDiscreteStates");
    sg_exchange_event event;
    if (!a)
        return fmi2Error;
    if (!info)
        return misuse(a, "fmi2NewDiscreteStates needs a place for what it tells");
    fmi2Status status = (fmi2Status)sg_exchange_new_discrete_states(a, &event);
    if (status != fmi2OK)
        return status;
    c->terminated |= event.terminates;
    *info = (fmi2EventInfo){.newDiscreteStatesNeeded = event.again,
                            .terminateSimulation = event.terminates,
                            .nominalsOfContinuousStatesChanged = event.nominals_changed,
                            .valuesOfContinuousStatesChanged = event.states_changed,
                            .nextEventTimeDefined = isfinite(event.next_time),
                            .nextEventTime = isfinite(event.next_time) ? event.next_time : 0.0};
    return fmi2OK;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    sg_adapter *a = enter(c, SG_ADAPTER_EVENT, "fmi2EnterContinuousTimeMode");
    return a ? (fmi2Status)sg_exchange_enter_continuous(a) : fmi2Error;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_way_back, fmi2Boolean *event,
                                       fmi2Boolean *terminate)
{
    sg_adapter *a = enter(c, SG_ADAPTER_CONTINUOUS, "fmi2CompletedIntegratorStep");
    bool wants_event = false;
    (void)no_way_back;
    if (!a || !event || !terminate)
        return fmi2Error;
    fmi2Status status = (fmi2Status)sg_exchange_completed_step(a, &wants_event);
    *event = wants_event;
    *terminate = 0;
    return status;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    sg_adapter *a = enter(c, SG_ADAPTER_CONTINUOUS | SG_ADAPTER_EVENT, "fmi2SetTime");
    return a ? (fmi2Status)sg_exchange_set_time(a, time) : fmi2Error;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n)
{
    sg_adapter *a = enter(c, SG_ADAPTER_CONTINUOUS, "fmi2SetContinuousStates");
    return a ? (fmi2Status)sg_exchange_set_states(a, x, n) : fmi2Error;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n)
{
    sg_adapter *a = enter(c, SOMETIME & ~SG_ADAPTER_INSTANTIATED, "fmi2GetDerivatives");
    return a ? (fmi2Status)sg_exchange_get_rates(a, dx, n) : fmi2Error;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n)
{
    sg_adapter *a = enter(c, SOMETIME & ~SG_ADAPTER_INSTANTIATED, "fmi2GetEventIndicators");
    return a ? (fmi2Status)sg_exchange_get_indicators(a, z, n) : fmi2Error;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n)
{
    sg_adapter *a = enter(c, SOMETIME & ~SG_ADAPTER_INSTANTIATED, "fmi2GetContinuousStates");
    return a ? (fmi2Status)sg_exchange_get_states(a, x, n) : fmi2Error;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n)
{
    sg_adapter *a =
        enter(c, SOMETIME & ~SG_ADAPTER_INSTANTIATED, "fmi2GetNominalsOfContinuousStates");
    return a ? (fmi2Status)sg_exchange_get_nominals(a, x, n) : fmi2Error;
}
