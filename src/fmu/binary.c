#include "fmu/binary.h"

#include "fmu/interface.h"

#include <dlfcn.h>
#include <elf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ITERATIONS = 1000 }; // of an event inside of an FMU

struct sg_fmu_binary {
    const sg_fmu_foreign *fmu;
    const sg_fmu_kind_info *kind;
    bool exchange, initialized, event_mode;
    void *library, *instance, *saved;
    sg_fmi2_functions f2;
    sg_fmi3_functions f3;
    sg_fmi2_callbacks callbacks;
    char words[SG_FMU_WORDS], said[SG_FMU_WORDS];
    char resources[4400];
};

const char *sg_fmu_binary_words(const sg_fmu_binary *b) { return b->words; }

// ---- what it says -------------------------------------------------------------------------------

// Texts of strangers: what cannot be printed becomes a blank.
static void keep_words(sg_fmu_binary *b, int status, const char *message)
{
    if (!b || status < 1 || !message)
        return;
    snprintf(b->said, sizeof b->said, "%s", message);
    for (char *at = b->said; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
}

static void log_2(void *environment, const char *instance, int status, const char *category,
                  const char *message, ...)
{
    char text[SG_FMU_WORDS] = "";
    (void)instance, (void)category;
    va_list list;
    va_start(list, message);
    if (message)
        vsnprintf(text, sizeof text, message, list);
    va_end(list);
    keep_words(environment, status, text);
}

static void log_3(void *environment, int status, const char *category, const char *message)
{
    (void)category;
    keep_words(environment, status, message);
}

// Statuses of both versions: OK, warning, discard, error, fatal.
static sg_fmu_result judge(sg_fmu_binary *b, int status, const char *what)
{
    static const char *const names[] = {"", "", "discards", "reports an error in",
                                        "reports a fatal error in"};
    if (status == 0 || status == 1)
        return SG_FMU_DONE;
    snprintf(b->words, sizeof b->words, "the FMU %s %s%s%.150s",
             status >= 2 && status <= 4 ? names[status] : "gives no sensible answer to", what,
             b->said[0] ? ": " : "", b->said);
    return status == 2 ? SG_FMU_DISCARDED : SG_FMU_FAILED;
}

#define IS_2(b) ((b)->fmu->version == 2)
// The same function of both versions, with the same arguments.
#define BOTH(b, name, ...)                                                                         \
    judge(b, IS_2(b) ? (b)->f2.name(__VA_ARGS__) : (b)->f3.name(__VA_ARGS__), #name)

// ---- loading ------------------------------------------------------------------------------------

typedef struct symbol_row {
    const char *name;
    size_t at;
} symbol_row;

static bool find_symbols(void *library, const symbol_row *rows, void *table, char *words)
{
    for (; rows->name; rows++) {
        void *found = dlsym(library, rows->name);
        if (!found) {
            snprintf(words, SG_FMU_WORDS, "its library has no function %s", rows->name);
            return false;
        }
        memcpy((char *)table + rows->at, &found, sizeof found); // as POSIX wants it
    }
    return true;
}

#define ROW2(name)                                                                                 \
    {                                                                                              \
        "fmi2" #name, offsetof(sg_fmi2_functions, name)                                            \
    }
#define ROW3(name)                                                                                 \
    {                                                                                              \
        "fmi3" #name, offsetof(sg_fmi3_functions, name)                                            \
    }

static const symbol_row common_2[] = {ROW2(Instantiate),
                                      ROW2(FreeInstance),
                                      ROW2(SetupExperiment),
                                      ROW2(EnterInitializationMode),
                                      ROW2(ExitInitializationMode),
                                      ROW2(Terminate),
                                      ROW2(Reset),
                                      ROW2(GetReal),
                                      ROW2(GetInteger),
                                      ROW2(GetBoolean),
                                      ROW2(SetReal),
                                      ROW2(SetInteger),
                                      ROW2(SetBoolean),
                                      ROW2(SetString),
                                      ROW2(GetFMUstate),
                                      ROW2(SetFMUstate),
                                      ROW2(FreeFMUstate),
                                      {0}};
static const symbol_row exchange_2[] = {ROW2(EnterEventMode),
                                        ROW2(NewDiscreteStates),
                                        ROW2(EnterContinuousTimeMode),
                                        ROW2(CompletedIntegratorStep),
                                        ROW2(SetTime),
                                        ROW2(SetContinuousStates),
                                        ROW2(GetDerivatives),
                                        ROW2(GetEventIndicators),
                                        ROW2(GetContinuousStates),
                                        ROW2(GetNominalsOfContinuousStates),
                                        {0}};
static const symbol_row simulation_2[] = {
    ROW2(DoStep), ROW2(SetRealInputDerivatives), ROW2(GetRealStatus), ROW2(GetBooleanStatus), {0}};

static const symbol_row common_3[] = {ROW3(FreeInstance),
                                      ROW3(EnterInitializationMode),
                                      ROW3(ExitInitializationMode),
                                      ROW3(Terminate),
                                      ROW3(Reset),
                                      ROW3(GetFloat64),
                                      ROW3(SetFloat64),
                                      ROW3(GetFloat32),
                                      ROW3(SetFloat32),
                                      ROW3(GetInt8),
                                      ROW3(SetInt8),
                                      ROW3(GetUInt8),
                                      ROW3(SetUInt8),
                                      ROW3(GetInt16),
                                      ROW3(SetInt16),
                                      ROW3(GetUInt16),
                                      ROW3(SetUInt16),
                                      ROW3(GetInt32),
                                      ROW3(SetInt32),
                                      ROW3(GetUInt32),
                                      ROW3(SetUInt32),
                                      ROW3(GetInt64),
                                      ROW3(SetInt64),
                                      ROW3(GetUInt64),
                                      ROW3(SetUInt64),
                                      ROW3(GetBoolean),
                                      ROW3(SetBoolean),
                                      ROW3(SetString),
                                      ROW3(GetFMUState),
                                      ROW3(SetFMUState),
                                      ROW3(FreeFMUState),
                                      ROW3(EnterEventMode),
                                      ROW3(UpdateDiscreteStates),
                                      {0}};
static const symbol_row exchange_3[] = {ROW3(InstantiateModelExchange),
                                        ROW3(EnterContinuousTimeMode),
                                        ROW3(CompletedIntegratorStep),
                                        ROW3(SetTime),
                                        ROW3(SetContinuousStates),
                                        ROW3(GetContinuousStateDerivatives),
                                        ROW3(GetEventIndicators),
                                        ROW3(GetContinuousStates),
                                        ROW3(GetNominalsOfContinuousStates),
                                        {0}};
static const symbol_row simulation_3[] = {
    ROW3(InstantiateCoSimulation), ROW3(EnterStepMode), ROW3(DoStep), {0}};

#if defined(__x86_64__)
enum { OUR_MACHINE = EM_X86_64 };
static const char *const platforms[] = {"linux64", "x86_64-linux"};
#else
enum { OUR_MACHINE = EM_AARCH64 };
static const char *const platforms[] = {"linux64", "aarch64-linux"};
#endif

// Whether the file is a library for this machine; says what it is otherwise.
static bool is_ours(const char *path, char *words)
{
    unsigned char head[20] = {0};
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    if (n == sizeof head && !memcmp(head, ELFMAG, SELFMAG) && head[EI_CLASS] == ELFCLASS64 &&
        head[18] + 256 * head[19] == OUR_MACHINE)
        return true;
    snprintf(words, SG_FMU_WORDS, "its library is for another machine: %s",
             n >= 4 && !memcmp(head, ELFMAG, SELFMAG) ? "another processor than this one"
             : n >= 2 && !memcmp(head, "MZ", 2)       ? "Windows"
                                                      : "no library of Linux at all");
    return false;
}

static bool find_library(const sg_fmu_binary *b, const char *folder, char path[4400], char *words)
{
    snprintf(path, 4400, "%s/binaries/%s/%s.so", folder, platforms[IS_2(b) ? 0 : 1],
             b->kind->identifier);
    if (access(path, F_OK) != 0) {
        snprintf(words, SG_FMU_WORDS,
                 "it has no library for this machine (binaries/%s/%.80s.so); it may have been made "
                 "for another system, or as source only",
                 platforms[IS_2(b) ? 0 : 1], b->kind->identifier);
        return false;
    }
    return is_ours(path, words);
}

static void instantiate(sg_fmu_binary *b, const char *name)
{
    const char *token = b->fmu->token;
    b->callbacks =
        (sg_fmi2_callbacks){.logger = log_2, .allocate = calloc, .release = free, .environment = b};
    if (IS_2(b))
        b->instance =
            b->f2.Instantiate(name, b->exchange ? 0 : 1, token, b->resources, &b->callbacks, 0, 0);
    else if (b->exchange)
        b->instance =
            b->f3.InstantiateModelExchange(name, token, b->resources, false, false, b, log_3);
    else
        b->instance =
            b->f3.InstantiateCoSimulation(name, token, b->resources, false, false, b->event_mode,
                                          b->event_mode, NULL, 0, b, log_3, NULL);
}

sg_fmu_binary *sg_fmu_binary_open(const sg_fmu_foreign *fmu, bool exchange, const char *folder,
                                  const char *name, char words[SG_FMU_WORDS])
{
    char path[4400];
    sg_fmu_binary *b = calloc(1, sizeof *b);
    if (!b) {
        snprintf(words, SG_FMU_WORDS, "out of memory");
        return NULL;
    }
    b->fmu = fmu;
    b->exchange = exchange;
    b->kind = exchange ? &fmu->me : &fmu->cs;
    bool ok = find_library(b, folder, path, words);
    if (ok) {
        b->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        ok = b->library != NULL;
        if (!ok)
            snprintf(words, SG_FMU_WORDS, "its library cannot be loaded: %.180s", dlerror());
    }
    if (ok && IS_2(b))
        ok = find_symbols(b->library, common_2, &b->f2, words) &&
             find_symbols(b->library, exchange ? exchange_2 : simulation_2, &b->f2, words);
    else if (ok)
        ok = find_symbols(b->library, common_3, &b->f3, words) &&
             find_symbols(b->library, exchange ? exchange_3 : simulation_3, &b->f3, words);
    if (ok) {
        snprintf(b->resources, sizeof b->resources,
                 IS_2(b) ? "file://%s/resources" : "%s/resources/", folder);
        b->event_mode = !exchange && !IS_2(b) && b->kind->event_mode;
        instantiate(b, name);
        if (!b->instance && b->event_mode) { // some say they have it, and refuse
            b->event_mode = false;
            instantiate(b, name);
        }
        ok = b->instance != NULL;
        if (!ok)
            snprintf(words, SG_FMU_WORDS, "it makes no instance%s%.180s", b->said[0] ? ": " : "",
                     b->said);
    }
    if (ok)
        return b;
    if (b->library)
        dlclose(b->library);
    free(b);
    return NULL;
}

static void free_saved(sg_fmu_binary *b)
{
    if (b->saved && IS_2(b))
        b->f2.FreeFMUstate(b->instance, &b->saved);
    else if (b->saved)
        b->f3.FreeFMUState(b->instance, &b->saved);
    b->saved = NULL;
}

void sg_fmu_binary_close(sg_fmu_binary *b)
{
    if (!b)
        return;
    free_saved(b);
    if (IS_2(b))
        b->f2.FreeInstance(b->instance);
    else
        b->f3.FreeInstance(b->instance);
    dlclose(b->library);
    free(b);
}

// ---- values -------------------------------------------------------------------------------------

// Integers as near as the type can hold; what is no number is refused by the caller.
static double to_range(double x, double least, double most)
{
    return x != x ? 0.0 : fmin(fmax(nearbyint(x), least), most);
}

#define INTEGERS(b, v, x, n, type, name, least, most, set)                                         \
    do {                                                                                           \
        type *values = malloc(((n) + 1) * sizeof *values);                                         \
        if (!values)                                                                               \
            break;                                                                                 \
        for (size_t i = 0; (set) && i < (n); i++)                                                  \
            values[i] = (type)to_range((x)[i], least, most);                                       \
        status = (set) ? (b)->f3.Set##name((b)->instance, &(v)->reference, 1, values, n)           \
                       : (b)->f3.Get##name((b)->instance, &(v)->reference, 1, values, n);          \
        for (size_t i = 0; !(set) && i < (n); i++)                                                 \
            (x)[i] = (double)values[i];                                                            \
        free(values);                                                                              \
    } while (0)

static int exchange_3_values(sg_fmu_binary *b, const sg_foreign_variable *v, double *x, bool set)
{
    int status = 3;
    size_t n = v->n;
    switch (v->type) {
    case SG_FMU_FLOAT64:
        return set ? b->f3.SetFloat64(b->instance, &v->reference, 1, x, n)
                   : b->f3.GetFloat64(b->instance, &v->reference, 1, x, n);
    case SG_FMU_FLOAT32: {
        float *values = malloc((n + 1) * sizeof *values);
        for (size_t i = 0; values && set && i < n; i++)
            values[i] = (float)x[i];
        if (values)
            status = set ? b->f3.SetFloat32(b->instance, &v->reference, 1, values, n)
                         : b->f3.GetFloat32(b->instance, &v->reference, 1, values, n);
        for (size_t i = 0; values && !set && i < n; i++)
            x[i] = (double)values[i];
        free(values);
        break;
    }
    case SG_FMU_INT8:
        INTEGERS(b, v, x, n, int8_t, Int8, INT8_MIN, INT8_MAX, set);
        break;
    case SG_FMU_UINT8:
        INTEGERS(b, v, x, n, uint8_t, UInt8, 0, UINT8_MAX, set);
        break;
    case SG_FMU_INT16:
        INTEGERS(b, v, x, n, int16_t, Int16, INT16_MIN, INT16_MAX, set);
        break;
    case SG_FMU_UINT16:
        INTEGERS(b, v, x, n, uint16_t, UInt16, 0, UINT16_MAX, set);
        break;
    case SG_FMU_INT32:
        INTEGERS(b, v, x, n, int32_t, Int32, INT32_MIN, INT32_MAX, set);
        break;
    case SG_FMU_UINT32:
        INTEGERS(b, v, x, n, uint32_t, UInt32, 0, UINT32_MAX, set);
        break;
    case SG_FMU_INT64: // the largest doubles below 2^63 and 2^64
        INTEGERS(b, v, x, n, int64_t, Int64, -0x1p63, 0x1.fffffffffffffp62, set);
        break;
    case SG_FMU_UINT64:
        INTEGERS(b, v, x, n, uint64_t, UInt64, 0, 0x1.fffffffffffffp63, set);
        break;
    case SG_FMU_BOOLEAN:
        INTEGERS(b, v, x, n, bool, Boolean, 0, 1, set);
        break;
    case SG_FMU_STRING:
    case SG_FMU_OTHER:
        break;
    }
    return status;
}

static int exchange_2_values(sg_fmu_binary *b, const sg_foreign_variable *v, double *x, bool set)
{
    int integer = 0, status;
    if (v->type == SG_FMU_FLOAT64)
        return set ? b->f2.SetReal(b->instance, &v->reference, 1, x)
                   : b->f2.GetReal(b->instance, &v->reference, 1, x);
    if (v->type != SG_FMU_INT32 && v->type != SG_FMU_BOOLEAN)
        return 3;
    bool truth = v->type == SG_FMU_BOOLEAN;
    if (set) {
        integer = truth ? x[0] > 0.5 : (int)to_range(x[0], INT32_MIN, INT32_MAX);
        return truth ? b->f2.SetBoolean(b->instance, &v->reference, 1, &integer)
                     : b->f2.SetInteger(b->instance, &v->reference, 1, &integer);
    }
    status = truth ? b->f2.GetBoolean(b->instance, &v->reference, 1, &integer)
                   : b->f2.GetInteger(b->instance, &v->reference, 1, &integer);
    x[0] = truth ? integer != 0 : integer;
    return status;
}

static sg_fmu_result transfer(sg_fmu_binary *b, const sg_foreign_variable *v, double *x, bool set)
{
    char what[120];
    if (v->n == 0)
        return SG_FMU_DONE;
    int status = IS_2(b) ? exchange_2_values(b, v, x, set) : exchange_3_values(b, v, x, set);
    if (status <= 1)
        return SG_FMU_DONE;
    snprintf(what, sizeof what, "%s '%.80s'", set ? "setting" : "getting", v->name);
    return judge(b, status, what);
}

sg_fmu_result sg_fmu_set(sg_fmu_binary *b, const sg_foreign_variable *v, const double *x)
{
    double one = x[0];
    if (v->n <= 1)
        return transfer(b, v, &one, true);
    double *copy = malloc(v->n * sizeof *copy);
    if (!copy)
        return judge(b, 3, "getting memory");
    memcpy(copy, x, v->n * sizeof *copy);
    sg_fmu_result result = transfer(b, v, copy, true);
    free(copy);
    return result;
}

sg_fmu_result sg_fmu_get(sg_fmu_binary *b, const sg_foreign_variable *v, double *x)
{
    return transfer(b, v, x, false);
}

sg_fmu_result sg_fmu_set_text(sg_fmu_binary *b, const sg_foreign_variable *v, const char *text)
{
    return judge(b,
                 IS_2(b) ? b->f2.SetString(b->instance, &v->reference, 1, &text)
                         : b->f3.SetString(b->instance, &v->reference, 1, &text, 1),
                 "setting a text");
}

sg_fmu_result sg_fmu_set_slope(sg_fmu_binary *b, const sg_foreign_variable *v, const double *x)
{
    const int first = 1;
    return judge(b, b->f2.SetRealInputDerivatives(b->instance, &v->reference, 1, &first, x),
                 "SetRealInputDerivatives");
}

// ---- the beginning ------------------------------------------------------------------------------

sg_fmu_result sg_fmu_reset(sg_fmu_binary *b)
{
    free_saved(b);
    if (!b->initialized)
        return SG_FMU_DONE;
    b->initialized = false;
    b->said[0] = '\0';
    return BOTH(b, Reset, b->instance);
}

sg_fmu_result sg_fmu_enter_initialization(sg_fmu_binary *b, double tolerance, double start,
                                          double stop)
{
    bool bounded = isfinite(stop);
    b->initialized = true;
    if (!IS_2(b))
        return judge(b,
                     b->f3.EnterInitializationMode(b->instance, true, tolerance, start, bounded,
                                                   bounded ? stop : 0.0),
                     "EnterInitializationMode");
    sg_fmu_result result = judge(
        b, b->f2.SetupExperiment(b->instance, 1, tolerance, start, bounded, bounded ? stop : 0.0),
        "SetupExperiment");
    return result ? result
                  : judge(b, b->f2.EnterInitializationMode(b->instance), "EnterInitializationMode");
}

sg_fmu_result sg_fmu_exit_initialization(sg_fmu_binary *b)
{
    sg_fmu_result result = BOTH(b, ExitInitializationMode, b->instance);
    if (result || !b->event_mode)
        return result;
    sg_fmu_event event; // co-simulation with event mode begins in it
    result = sg_fmu_update(b, &event);
    return result ? result : sg_fmu_leave_events(b);
}

// ---- model exchange -----------------------------------------------------------------------------

sg_fmu_result sg_fmu_enter_events(sg_fmu_binary *b) { return BOTH(b, EnterEventMode, b->instance); }

static int update_once(sg_fmu_binary *b, sg_fmu_event *e, bool *again)
{
    if (IS_2(b)) {
        sg_fmi2_event_info info = {0};
        int status = b->f2.NewDiscreteStates(b->instance, &info);
        *again = info.again;
        e->terminate = info.terminate;
        e->nominals |= info.nominals != 0;
        e->next_defined = info.next_defined;
        e->next = info.next;
        return status;
    }
    bool more = false, ends = false, nominals = false, values = false, next = false;
    double when = 0.0;
    int status =
        b->f3.UpdateDiscreteStates(b->instance, &more, &ends, &nominals, &values, &next, &when);
    *again = more;
    e->terminate = ends;
    e->nominals |= nominals;
    e->next_defined = next;
    e->next = when;
    return status;
}

sg_fmu_result sg_fmu_update(sg_fmu_binary *b, sg_fmu_event *out)
{
    *out = (sg_fmu_event){0};
    bool again = true;
    for (int k = 0; again && !out->terminate; k++) {
        if (k >= MOST_ITERATIONS) {
            snprintf(b->words, sizeof b->words,
                     "an event inside of the FMU does not settle in %d passes", MOST_ITERATIONS);
            return SG_FMU_FAILED;
        }
        sg_fmu_result result =
            judge(b, update_once(b, out, &again), "an update of discrete states");
        if (result)
            return result;
    }
    return SG_FMU_DONE;
}

sg_fmu_result sg_fmu_leave_events(sg_fmu_binary *b)
{
    if (!b->exchange)
        return judge(b, b->f3.EnterStepMode(b->instance), "EnterStepMode");
    return BOTH(b, EnterContinuousTimeMode, b->instance);
}

sg_fmu_result sg_fmu_move(sg_fmu_binary *b, double t, const double *x, size_t n)
{
    sg_fmu_result result = BOTH(b, SetTime, b->instance, t);
    return result || n == 0 ? result : BOTH(b, SetContinuousStates, b->instance, x, n);
}

sg_fmu_result sg_fmu_rates(sg_fmu_binary *b, double *dx, size_t n)
{
    if (n == 0)
        return SG_FMU_DONE;
    return judge(b,
                 IS_2(b) ? b->f2.GetDerivatives(b->instance, dx, n)
                         : b->f3.GetContinuousStateDerivatives(b->instance, dx, n),
                 "the derivatives");
}

sg_fmu_result sg_fmu_indicators(sg_fmu_binary *b, double *z, size_t n)
{
    return n == 0 ? SG_FMU_DONE : BOTH(b, GetEventIndicators, b->instance, z, n);
}

sg_fmu_result sg_fmu_states(sg_fmu_binary *b, double *x, double *nominals, size_t n)
{
    if (n == 0)
        return SG_FMU_DONE;
    sg_fmu_result result = BOTH(b, GetContinuousStates, b->instance, x, n);
    return result ? result : BOTH(b, GetNominalsOfContinuousStates, b->instance, nominals, n);
}

sg_fmu_result sg_fmu_completed(sg_fmu_binary *b, bool *event, bool *terminate)
{
    if (IS_2(b)) {
        int wants = 0, ends = 0;
        sg_fmu_result result =
            judge(b, b->f2.CompletedIntegratorStep(b->instance, 1, &wants, &ends),
                  "CompletedIntegratorStep");
        *event = wants != 0;
        *terminate = ends != 0;
        return result;
    }
    return judge(b, b->f3.CompletedIntegratorStep(b->instance, true, event, terminate),
                 "CompletedIntegratorStep");
}

// ---- co-simulation ------------------------------------------------------------------------------

// What a step of 2.0 that was not completed came to.
static sg_fmu_result step_2(sg_fmu_binary *b, double t, double h, double *reached, bool *terminate)
{
    enum { DISCARD = 2, LAST_TIME = 2, TERMINATED = 3 };
    int status = b->f2.DoStep(b->instance, t, h, b->saved == NULL), ends = 0;
    if (status != DISCARD)
        return judge(b, status, "DoStep");
    b->f2.GetBooleanStatus(b->instance, TERMINATED, &ends);
    *terminate = ends != 0;
    double last = t;
    if (b->f2.GetRealStatus(b->instance, LAST_TIME, &last) <= 1 && last >= t && last <= t + h)
        *reached = last;
    else
        *reached = t;
    return *terminate || *reached > t ? SG_FMU_DONE : judge(b, DISCARD, "DoStep");
}

sg_fmu_result sg_fmu_step(sg_fmu_binary *b, double t, double h, double *reached, bool *event,
                          bool *terminate)
{
    *reached = t + h;
    *event = *terminate = false;
    if (IS_2(b))
        return step_2(b, t, h, reached, terminate);
    bool early = false;
    double last = t + h;
    sg_fmu_result result =
        judge(b, b->f3.DoStep(b->instance, t, h, b->saved == NULL, event, terminate, &early, &last),
              "DoStep");
    if (early && last >= t && last <= t + h)
        *reached = last;
    return result;
}

sg_fmu_result sg_fmu_save(sg_fmu_binary *b)
{
    return judge(b,
                 IS_2(b) ? b->f2.GetFMUstate(b->instance, &b->saved)
                         : b->f3.GetFMUState(b->instance, &b->saved),
                 "saving its state");
}

sg_fmu_result sg_fmu_restore(sg_fmu_binary *b)
{
    if (!b->saved)
        return judge(b, 3, "going back");
    return judge(b,
                 IS_2(b) ? b->f2.SetFMUstate(b->instance, b->saved)
                         : b->f3.SetFMUState(b->instance, b->saved),
                 "going back");
}
