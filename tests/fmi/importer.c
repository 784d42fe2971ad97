// An importer of FMUs for model exchange over CVODE: what a foreign solver makes of ours.
//
//     importer X.fmu OUT.csv [--events] [--tolerance T] [--most-steps N]
//     importer X.fmu OUT.csv --steps
//
// Runs the default experiment and writes a table: the time, and behind it all real variables, with
// their value references in the head, at 501 points. With --events each event is told on standard
// output with all digits of its time. With --steps it is one of co-simulation, in steps of several
// lengths; from its middle on a second instance goes the same way from a serialized state, the
// first one goes it again from its own state and, after a reset, from the start, and all come to
// the same bits. Step sizes, orders and roots are CVODE's; nothing here knows Segue but for the
// reader of archives.
#include "adapter/fmi2.h"
#include "adapter/fmi3.h"
#include "base/source.h"
#include "fmi/zip.h"

#include <cvode/cvode.h>
#include <dlfcn.h>
#include <ftw.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_POINTS = 500 };

// The functions of both versions behind one set of names.
typedef struct fmu {
    int version;
    void *library, *instance;
    char id[256], token[128];
    double start, stop, tolerance;
    size_t n_states, n_indicators, n_reals;
    unsigned *reals;
    bool steps; // co-simulation
    long most_steps;
    bool terminated;
    double next_event; // [s], infinity if none
} fmu;

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(1);
}

// Text that has to fit.
__attribute__((format(printf, 3, 4))) static void put(char *out, size_t size, const char *format,
                                                      ...)
{
    va_list list;
    va_start(list, format);
    if (vsnprintf(out, size, format, list) >= (int)size)
        give_up("a name is too long");
    va_end(list);
}

// A function of the FMU; each use knows its type.
typedef void any_function(void);
#define CALL(f, name) ((__typeof__(&name))find_function(f, #name))

static any_function *find_function(const fmu *f, const char *name)
{
    void *found = dlsym(f->library, name);
    any_function *function;
    if (!found)
        give_up("the library has no function %s", name);
    memcpy(&function, &found, sizeof function); // as POSIX wants it
    return function;
}

static void check_status(int status, const char *what)
{
    if (status > 1)
        give_up("%s returned %d", what, status);
}

static void log_2(fmi2ComponentEnvironment e, fmi2String instance, fmi2Status status,
                  fmi2String category, fmi2String message, ...)
{
    (void)e, (void)instance, (void)category;
    va_list list;
    va_start(list, message);
    fprintf(stderr, "fmu, status %d: ", status);
    vfprintf(stderr, message, list);
    fputc('\n', stderr);
    va_end(list);
}

static void log_3(fmi3InstanceEnvironment e, fmi3Status status, fmi3String category,
                  fmi3String message)
{
    (void)e, (void)category;
    fprintf(stderr, "fmu, status %d: %s\n", status, message);
}

// Both versions have the same statuses.
#define check(status, what) check_status((int)(status), what)

// ---- the file -------------------------------------------------------------------------------

static void make_folders(char *path)
{
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
}

static char *unpack(const char *path, const char *folder)
{
    char *bytes, *xml = NULL;
    size_t length, n;
    sg_arena arena;
    sg_zip_entry *entries;
    const char *message;
    sg_arena_init(&arena, NULL);
    if (sg_read_file(sg_allocator_default(), path, &bytes, &length) != SG_OK)
        give_up("cannot read %s", path);
    if (sg_zip_list(bytes, length, &arena, &entries, &n, &message) != SG_OK)
        give_up("%s: %s", path, message);
    for (size_t i = 0; i < n; i++) {
        char name[4096];
        const void *data;
        if (entries[i].folder)
            continue;
        if (sg_zip_read(&entries[i], &arena, &data) != SG_OK)
            give_up("%s is damaged", entries[i].name);
        put(name, sizeof name, "%s/%s", folder, entries[i].name);
        make_folders(name);
        FILE *file = fopen(name, "wb");
        if (!file || fwrite(data, 1, entries[i].length, file) != entries[i].length)
            give_up("cannot write %s", name);
        fclose(file);
        if (strcmp(entries[i].name, "modelDescription.xml") == 0)
            xml = strndup(data, entries[i].length);
    }
    sg_arena_destroy(&arena);
    free(bytes);
    if (!xml)
        give_up("there is no modelDescription.xml");
    return xml;
}

// The value of an attribute of the element that begins at `at`; "" if it has none.
static const char *attribute(const char *at, const char *name, char *out, size_t size)
{
    const char *end = strchr(at, '>');
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=\"", name);
    const char *found = strstr(at, pattern);
    out[0] = '\0';
    if (found && end && found < end) {
        found += strlen(pattern);
        size_t n = strcspn(found, "\"");
        snprintf(out, size, "%.*s", (int)n, found);
    }
    return out;
}

static size_t count(const char *from, const char *to, const char *what)
{
    size_t n = 0;
    for (const char *at = from; at && (at = strstr(at, what)) && at < to; at += strlen(what))
        n++;
    return n;
}

static void read_description(fmu *f, const char *xml)
{
    char text[256];
    const char *root = strstr(xml, "<fmiModelDescription");
    const char *kind = strstr(xml, f->steps ? "<CoSimulation" : "<ModelExchange");
    if (!root || !kind)
        give_up("it is no FMU for %s", f->steps ? "co-simulation" : "model exchange");
    f->version = atoi(attribute(root, "fmiVersion", text, sizeof text));
    attribute(root, f->version == 2 ? "guid" : "instantiationToken", f->token, sizeof f->token);
    attribute(kind, "modelIdentifier", f->id, sizeof f->id);
    const char *experiment = strstr(xml, "<DefaultExperiment");
    f->start = atof(attribute(experiment, "startTime", text, sizeof text));
    f->stop = atof(attribute(experiment, "stopTime", text, sizeof text));
    f->tolerance = atof(attribute(experiment, "tolerance", text, sizeof text));
    const char *end = xml + strlen(xml);
    if (f->version == 2) {
        f->n_indicators =
            (size_t)atol(attribute(root, "numberOfEventIndicators", text, sizeof text));
        const char *list = strstr(xml, "<Derivatives>");
        f->n_states = list ? count(list, strstr(list, "</Derivatives>"), "<Unknown ") : 0;
    } else {
        f->n_indicators = count(xml, end, "<EventIndicator ");
        f->n_states = count(xml, end, "<ContinuousStateDerivative ");
    }
    const char *real = f->version == 2 ? "<Real" : "<Float64 ";
    f->reals = calloc(count(xml, end, real) + 1, sizeof *f->reals);
    for (const char *at = strstr(xml, "<ModelVariables>"); (at = strstr(at, real)); at++) {
        const char *element = at;
        if (f->version == 2)
            while (strncmp(element, "<ScalarVariable", 15) != 0)
                element--;
        unsigned r = (unsigned)atol(attribute(element, "valueReference", text, sizeof text));
        if (r)
            f->reals[f->n_reals++] = r;
    }
}

// ---- both versions --------------------------------------------------------------------------

static void load(fmu *f, const char *folder)
{
    char path[4096];
    put(path, sizeof path, "%s/binaries/%s/%s.so", folder,
        f->version == 2 ? "linux64" : "x86_64-linux", f->id);
    f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!f->library)
        give_up("%s", dlerror());
}

static void instantiate(fmu *f, const char *folder)
{
    char resources[4200];
    put(resources, sizeof resources, "%s%s/resources%s", f->version == 2 ? "file://" : "", folder,
        f->version == 2 ? "" : "/");
    static const fmi2CallbackFunctions callbacks = {.logger = log_2};
    if (f->version == 2)
        f->instance = CALL(f, fmi2Instantiate)("a", f->steps ? fmi2CoSimulation : fmi2ModelExchange,
                                               f->token, resources, &callbacks, 0, 0);
    else if (f->steps)
        f->instance = CALL(f, fmi3InstantiateCoSimulation)(
            "a", f->token, resources, false, false, false, false, NULL, 0, NULL, log_3, NULL);
    else
        f->instance = CALL(f, fmi3InstantiateModelExchange)("a", f->token, resources, false, false,
                                                            NULL, log_3);
    if (!f->instance)
        give_up("no instance");
}

static void initialize(fmu *f)
{
    if (f->version == 2) {
        check(CALL(f, fmi2SetupExperiment)(f->instance, 1, f->tolerance, f->start, 1, f->stop),
              "fmi2SetupExperiment");
        check(CALL(f, fmi2EnterInitializationMode)(f->instance), "fmi2EnterInitializationMode");
        check(CALL(f, fmi2ExitInitializationMode)(f->instance), "fmi2ExitInitializationMode");
    } else {
        check(CALL(f, fmi3EnterInitializationMode)(f->instance, true, f->tolerance, f->start, true,
                                                   f->stop),
              "fmi3EnterInitializationMode");
        check(CALL(f, fmi3ExitInitializationMode)(f->instance), "fmi3ExitInitializationMode");
        size_t n = f->n_states;
        if (!f->steps)
            check(CALL(f, fmi3GetNumberOfContinuousStates)(f->instance, &n),
                  "the number of states");
        if (n != f->n_states)
            give_up("the description has %zu states, the FMU %zu", f->n_states, n);
    }
}

// Event mode until nothing changes, and back.
static void handle_event(fmu *f)
{
    bool again = true;
    for (int k = 0; again && !f->terminated; k++) {
        if (k > 100)
            give_up("the event does not settle");
        if (f->version == 2) {
            fmi2EventInfo info = {0};
            check(CALL(f, fmi2NewDiscreteStates)(f->instance, &info), "fmi2NewDiscreteStates");
            again = info.newDiscreteStatesNeeded;
            f->terminated = info.terminateSimulation;
            f->next_event = info.nextEventTimeDefined ? info.nextEventTime : (double)INFINITY;
        } else {
            fmi3Boolean nominals, values, has_next;
            fmi3Float64 next;
            check(CALL(f, fmi3UpdateDiscreteStates)(f->instance, &again, &f->terminated, &nominals,
                                                    &values, &has_next, &next),
                  "fmi3UpdateDiscreteStates");
            f->next_event = has_next ? next : (double)INFINITY;
        }
    }
    if (!f->terminated)
        check(f->version == 2 ? (int)CALL(f, fmi2EnterContinuousTimeMode)(f->instance)
                              : (int)CALL(f, fmi3EnterContinuousTimeMode)(f->instance),
              "EnterContinuousTimeMode");
}

static int move_to(fmu *f, double t, const double *x)
{
    int status = f->version == 2 ? (int)CALL(f, fmi2SetTime)(f->instance, t)
                                 : (int)CALL(f, fmi3SetTime)(f->instance, t);
    if (status <= 1 && f->n_states)
        status = f->version == 2
                     ? (int)CALL(f, fmi2SetContinuousStates)(f->instance, x, f->n_states)
                     : (int)CALL(f, fmi3SetContinuousStates)(f->instance, x, f->n_states);
    return status;
}

static void get_states(fmu *f, double *x)
{
    if (f->n_states)
        check(f->version == 2 ? (int)CALL(f, fmi2GetContinuousStates)(f->instance, x, f->n_states)
                              : (int)CALL(f, fmi3GetContinuousStates)(f->instance, x, f->n_states),
              "GetContinuousStates");
}

// What errors of the states are small against, as the standard wants it: a part of their nominals.
static void set_tolerances(fmu *f, void *cvode, N_Vector bounds)
{
    double *b = N_VGetArrayPointer(bounds);
    b[0] = 1.0; // where there is no state
    if (f->n_states)
        check(f->version == 2
                  ? (int)CALL(f, fmi2GetNominalsOfContinuousStates)(f->instance, b, f->n_states)
                  : (int)CALL(f, fmi3GetNominalsOfContinuousStates)(f->instance, b, f->n_states),
              "GetNominalsOfContinuousStates");
    N_VScale(0.1 * f->tolerance, bounds, bounds);
    CVodeSVtolerances(cvode, f->tolerance, bounds);
}

static bool step_completed(fmu *f)
{
    if (f->version == 2) {
        fmi2Boolean event = 0, ends = 0;
        check(CALL(f, fmi2CompletedIntegratorStep)(f->instance, 1, &event, &ends),
              "fmi2CompletedIntegratorStep");
        return event;
    }
    fmi3Boolean event = false, ends = false;
    check(CALL(f, fmi3CompletedIntegratorStep)(f->instance, true, &event, &ends),
          "fmi3CompletedIntegratorStep");
    return event;
}

static void enter_event_mode(fmu *f)
{
    check(f->version == 2 ? (int)CALL(f, fmi2EnterEventMode)(f->instance)
                          : (int)CALL(f, fmi3EnterEventMode)(f->instance),
          "EnterEventMode");
}

// ---- CVODE ----------------------------------------------------------------------------------

// 1 lets CVODE try a shorter step.
static int rates(realtype t, N_Vector y, N_Vector dy, void *user)
{
    fmu *f = user;
    double *dx = N_VGetArrayPointer(dy);
    dx[0] = 0.0; // where there is no state
    if (move_to(f, t, N_VGetArrayPointer(y)) > 1)
        return -1;
    if (!f->n_states)
        return 0;
    int status = f->version == 2 ? (int)CALL(f, fmi2GetDerivatives)(f->instance, dx, f->n_states)
                                 : (int)CALL(f, fmi3GetContinuousStateDerivatives)(f->instance, dx,
                                                                                   f->n_states);
    return status == 2 ? 1 : status > 2 ? -1 : 0;
}

static int indicators(realtype t, N_Vector y, realtype *z, void *user)
{
    fmu *f = user;
    if (move_to(f, t, N_VGetArrayPointer(y)) > 1)
        return -1;
    return f->version == 2 ? CALL(f, fmi2GetEventIndicators)(f->instance, z, f->n_indicators) > 2
                           : CALL(f, fmi3GetEventIndicators)(f->instance, z, f->n_indicators) > 2;
}

static void get_values(fmu *f, double *values)
{
    check(f->version == 2
              ? (int)CALL(f, fmi2GetReal)(f->instance, f->reals, f->n_reals, values)
              : (int)CALL(f, fmi3GetFloat64)(f->instance, f->reals, f->n_reals, values, f->n_reals),
          "getting all variables");
}

static void write_values(fmu *f, FILE *out, double t, double *values)
{
    get_values(f, values);
    fprintf(out, "%.17g", t);
    for (size_t i = 0; i < f->n_reals; i++)
        fprintf(out, ",%.17g", values[i]);
    fputc('\n', out);
}

static void write_row(fmu *f, FILE *out, double t, const double *x, double *values)
{
    check(move_to(f, t, x), "SetContinuousStates");
    write_values(f, out, t, values);
}

static void simulate(fmu *f, FILE *out, bool tell)
{
    SUNContext context;
    SUNContext_Create(NULL, &context);
    long n = f->n_states ? (long)f->n_states : 1;
    N_Vector y = N_VNew_Serial(n, context), point = N_VNew_Serial(n, context);
    N_Vector bounds = N_VNew_Serial(n, context);
    double *x = N_VGetArrayPointer(y), *values = calloc(f->n_reals + 1, sizeof *values);
    SUNMatrix matrix = SUNDenseMatrix(n, n, context);
    SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
    void *cvode = CVodeCreate(CV_BDF, context);
    double t = f->start, whole = f->stop - f->start;
    x[0] = 0.0;
    handle_event(f);
    get_states(f, x);
    CVodeInit(cvode, rates, t, y);
    set_tolerances(f, cvode, bounds);
    CVodeSetUserData(cvode, f);
    CVodeSetLinearSolver(cvode, linear, matrix);
    CVodeSetMaxStep(cvode, 0.2 * whole);
    CVodeSetMaxNumSteps(cvode, f->most_steps);
    if (f->n_indicators)
        CVodeRootInit(cvode, (int)f->n_indicators, indicators);
    write_row(f, out, t, x, values);
    int next = 1;
    for (long k = 0; t < f->stop && !f->terminated; k++) {
        if (k > f->most_steps)
            give_up("too many steps");
        double from = t, limit = fmin(f->next_event, f->stop);
        CVodeSetStopTime(cvode, limit);
        int flag = CVode(cvode, limit, y, &t, CV_ONE_STEP);
        if (flag < 0)
            give_up("CVODE gives up at %.10g s with %d", t, flag);
        for (; next <= N_POINTS && f->start + next * whole / N_POINTS < t; next++) {
            double at = f->start + next * whole / N_POINTS;
            if (at > from && CVodeGetDky(cvode, at, 0, point) == 0)
                write_row(f, out, at, N_VGetArrayPointer(point), values);
        }
        check(move_to(f, t, x), "SetContinuousStates");
        bool timed = t >= f->next_event, root = flag == CV_ROOT_RETURN;
        bool asked = step_completed(f);
        if (timed || root || asked) {
            if (tell && (timed || root))
                printf("%s event at %.17g s\n", root ? "state" : "time", t);
            enter_event_mode(f);
            handle_event(f);
            get_states(f, x);
            CVodeReInit(cvode, t, y);
            set_tolerances(f, cvode, bounds);
        }
        if (next <= N_POINTS && t >= f->start + next * whole / N_POINTS && !f->terminated) {
            write_row(f, out, t, x, values);
            next++;
        }
    }
    N_VDestroy(y);
    N_VDestroy(point);
    N_VDestroy(bounds);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    CVodeFree(&cvode);
    SUNContext_Free(&context);
    free(values);
}

// ---- co-simulation --------------------------------------------------------------------------

enum { N_STEPS = 60 };

// Where step `k` begins: each is one to three times as long as the shortest.
static double begin_of(const fmu *f, int k)
{
    int units = k / 3 * 6 + (k % 3 == 1 ? 1 : k % 3 == 2 ? 3 : 0);
    return k == N_STEPS ? f->stop : f->start + units * (f->stop - f->start) / (N_STEPS / 3 * 6);
}

static void steps(fmu *f, int from, int to, FILE *out, double *values)
{
    for (int k = from; k < to; k++) {
        double t = begin_of(f, k), h = begin_of(f, k + 1) - t;
        bool event, ends, early;
        double reached;
        check(f->version == 2 ? (int)CALL(f, fmi2DoStep)(f->instance, t, h, 1)
                              : (int)CALL(f, fmi3DoStep)(f->instance, t, h, true, &event, &ends,
                                                         &early, &reached),
              "DoStep");
        if (out)
            write_values(f, out, begin_of(f, k + 1), values);
    }
    get_values(f, values);
}

static void *save(fmu *f)
{
    void *state = NULL;
    check(f->version == 2 ? (int)CALL(f, fmi2GetFMUstate)(f->instance, &state)
                          : (int)CALL(f, fmi3GetFMUState)(f->instance, &state),
          "GetFMUState");
    return state;
}

static void restore(fmu *f, void *state)
{
    check(f->version == 2 ? (int)CALL(f, fmi2SetFMUstate)(f->instance, state)
                          : (int)CALL(f, fmi3SetFMUState)(f->instance, state),
          "SetFMUState");
}

static void free_state(fmu *f, void *state)
{
    check(f->version == 2 ? (int)CALL(f, fmi2FreeFMUstate)(f->instance, &state)
                          : (int)CALL(f, fmi3FreeFMUState)(f->instance, &state),
          "FreeFMUState");
}

// The state of one instance as bytes, and these as a state of another one.
static void *carry(fmu *f, void *state, fmu *other)
{
    size_t size = 0;
    void *copy = NULL;
    check(f->version == 2 ? (int)CALL(f, fmi2SerializedFMUstateSize)(f->instance, state, &size)
                          : (int)CALL(f, fmi3SerializedFMUStateSize)(f->instance, state, &size),
          "SerializedFMUStateSize");
    char *bytes = malloc(size);
    check(f->version == 2
              ? (int)CALL(f, fmi2SerializeFMUstate)(f->instance, state, bytes, size)
              : (int)CALL(f, fmi3SerializeFMUState)(f->instance, state, (void *)bytes, size),
          "SerializeFMUState");
    check(f->version == 2
              ? (int)CALL(f, fmi2DeSerializeFMUstate)(other->instance, bytes, size, &copy)
              : (int)CALL(f, fmi3DeserializeFMUState)(other->instance, (void *)bytes, size, &copy),
          "DeserializeFMUState");
    free(bytes);
    return copy;
}

static void end(fmu *f)
{
    if (f->version == 2) {
        check(CALL(f, fmi2Terminate)(f->instance), "fmi2Terminate");
        CALL(f, fmi2FreeInstance)(f->instance);
    } else {
        check(CALL(f, fmi3Terminate)(f->instance), "fmi3Terminate");
        CALL(f, fmi3FreeInstance)(f->instance);
    }
}

static void simulate_steps(fmu *f, const char *folder, FILE *out)
{
    size_t size = (f->n_reals + 1) * sizeof(double);
    double *middle = calloc(1, size), *last = calloc(1, size), *again = calloc(1, size);
    fmu other = *f;
    instantiate(&other, folder);
    write_values(f, out, f->start, middle);
    steps(f, 0, N_STEPS / 2, out, middle);
    void *state = save(f), *copy = carry(f, state, &other);
    steps(f, N_STEPS / 2, N_STEPS, out, last);
    restore(&other, copy);
    steps(&other, N_STEPS / 2, N_STEPS, NULL, again);
    if (memcmp(last, again, size) != 0)
        give_up("another instance comes from the same state to other values");
    restore(f, state);
    steps(f, N_STEPS / 2, N_STEPS, NULL, again);
    if (memcmp(last, again, size) != 0)
        give_up("the instance comes from its own state to other values");
    free_state(f, state);
    free_state(&other, copy);
    end(&other);
    check(f->version == 2 ? (int)CALL(f, fmi2Reset)(f->instance)
                          : (int)CALL(f, fmi3Reset)(f->instance),
          "Reset");
    initialize(f);
    steps(f, 0, N_STEPS / 2, NULL, again);
    if (memcmp(middle, again, size) != 0)
        give_up("after a reset the values are other ones");
    free(middle);
    free(last);
    free(again);
}

static int remove_one(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
    (void)info, (void)flag, (void)walk;
    return remove(path);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        give_up(
            "usage: importer X.fmu OUT.csv [--events] [--tolerance T] [--most-steps N] [--steps]");
    char folder[] = "unpacked-XXXXXX", whole[4096], here[2048];
    fmu f = {.next_event = (double)INFINITY, .most_steps = 2000000};
    if (!mkdtemp(folder) || !getcwd(here, sizeof here))
        give_up("cannot make a folder");
    put(whole, sizeof whole, "%s/%s", here, folder);
    char *xml = unpack(argv[1], whole);
    f.steps = strcmp(argv[argc - 1], "--steps") == 0;
    read_description(&f, xml);
    bool tell = false;
    for (int i = 3; i < argc - f.steps; i++)
        if (strcmp(argv[i], "--events") == 0)
            tell = true;
        else if (strcmp(argv[i], "--tolerance") == 0 && i + 1 < argc)
            f.tolerance = atof(argv[++i]);
        else if (strcmp(argv[i], "--most-steps") == 0 && i + 1 < argc)
            f.most_steps = atol(argv[++i]);
        else
            give_up("no such option: %s", argv[i]);
    load(&f, whole);
    instantiate(&f, whole);
    initialize(&f);
    FILE *out = fopen(argv[2], "w");
    if (!out)
        give_up("cannot write %s", argv[2]);
    fputs("time", out);
    for (size_t i = 0; i < f.n_reals; i++)
        fprintf(out, ",%u", f.reals[i]);
    fputc('\n', out);
    if (f.steps)
        simulate_steps(&f, whole, out);
    else
        simulate(&f, out, tell);
    fclose(out);
    end(&f);
    dlclose(f.library);
    free(f.reals);
    free(xml);
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0;
}
