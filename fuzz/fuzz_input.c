// Any bytes are a file of --input for a model, or are refused with a message.
//
// The model has inputs of every kind: a number with a unit, one without, a vector, an integer, a
// Bool. Where a run comes to its end, its input must be what the file says: between the values of
// the rows around each point. The file exists in memory only, and nothing is written.
#define _GNU_SOURCE // memfd_create
#include "natives/session.h"
#include "result/load.h"
#include "segue/session.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char model[] =
    "using Modia\n"
    "M = Model(u = Var(input = true, start = 0.0), s = Var(input = true, start = 0.0u\"m\"),\n"
    "          v = Var(input = true, start = [0.0, 0.0]), n = Var(input = true, start = 1),\n"
    "          on = Var(input = true, start = false), x = Var(init = 0.0), z = Var(init = 0.0),\n"
    "          equations = :[der(x) = (u - x)/1.0u\"s\"\n"
    "                        y = 1.0*u\n"
    "                        der(z) = (if on; 1.0*n else 0.0 end + v[1] - v[2])/1.0u\"s\"])\n"
    "m = @instantiateModel(M)\n";
static const char run[] = "simulate!(m, stopTime = 1.0, interval = 0.125)\n";

// Translating the model takes longer than all else, so one session serves many inputs: fewer than
// the errors that a list of messages keeps.
enum { MAX_ROWS = 2000, INPUTS_OF_A_SESSION = 50 };

typedef struct watch {
    size_t n_errors;
    uint32_t y; // its column
    bool has_y, has_u;
    const double *times, *values; // of the column `u` of the file
    size_t n_rows;
} watch;

_Noreturn static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_input: %s\n", why);
    abort();
}

static void count_errors(void *context, const sg_diag *diag, const char *rendered)
{
    watch *seen = context;
    if (strlen(rendered) == 0)
        give_up("a message without text");
    seen->n_errors += diag->severity == SG_ERROR;
}

static sg_status begin_segment(void *context, const char *name, uint32_t segment, double t,
                               const sg_signal *signals, size_t n)
{
    watch *seen = context;
    (void)name, (void)segment, (void)t;
    seen->has_y = false;
    for (size_t i = 0; i < n; i++)
        if (signals[i].kind == SG_SIGNAL_VAR && signals[i].rank == 0 &&
            (strcmp(signals[i].name, "y") == 0 || strcmp(signals[i].name, "u") == 0)) {
            seen->y = signals[i].column;
            seen->has_y = true;
        }
    return SG_OK;
}

// `y` lies between the values of the rows around t: linear between these, and at two rows of one
// time one of both. Times of points and of rows may differ by rounding.
static sg_status point(void *context, double t, const double *values, size_t n)
{
    const watch *seen = context;
    if (!seen->has_y || !seen->has_u || seen->y >= n)
        return SG_OK;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < seen->n_rows; i++) {
        bool last_before = seen->times[i] <= t && (i + 1 == seen->n_rows || seen->times[i + 1] > t);
        bool first_behind = seen->times[i] >= t && (i == 0 || seen->times[i - 1] < t);
        if (last_before || first_behind || fabs(seen->times[i] - t) <= 1e-9) {
            least = fmin(least, seen->values[i]);
            most = fmax(most, seen->values[i]);
        }
    }
    double slack = 1e-12 * fmax(fabs(least), fabs(most));
    if (!(values[seen->y] >= least - slack && values[seen->y] <= most + slack)) {
        fprintf(stderr, "at %.17g s: %.17g, but the file has %.17g to %.17g\n", t, values[seen->y],
                least, most);
        give_up("an input that is not in the file");
    }
    return SG_OK;
}

// What the file says of `u`, if it is a table that says it plainly.
static void look(const char *path, watch *seen)
{
    static double times[MAX_ROWS], values[MAX_ROWS];
    sg_diags diags;
    sg_result *table = NULL;
    sg_diags_init(&diags, sg_allocator_default());
    if (sg_result_load(path, sg_allocator_default(), &diags, &table) == SG_OK &&
        table->n_points <= MAX_ROWS) {
        int32_t u = sg_result_find(table, "u");
        size_t n = (size_t)table->n_points;
        seen->has_u = u >= 0 && table->signals[u].signal.rank == 0 &&
                      table->signals[u].signal.unit[0] == 0 &&
                      sg_result_read(table, SG_TIME, 0, 0, n, times, &diags) == SG_OK &&
                      sg_result_read(table, u, 0, 0, n, values, &diags) == SG_OK;
        seen->times = times;
        seen->values = values;
        seen->n_rows = n;
    }
    sg_result_destroy(table);
    sg_diags_destroy(&diags);
}

// A session with the model; it reads its inputs from `path`.
static sg_session *begin_session(const char *path, watch *seen, const sg_sink *sink)
{
    sg_session_options options = sg_session_options_make();
    options.report = count_errors;
    options.context = seen;
    options.output_dir = "/dev/null/nowhere";
    options.input_file = path;
    options.max_memory = (size_t)256 << 20;
    options.max_events = 1000;
    options.sinks = sink;
    options.n_sinks = 1;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK ||
        sg_session_run_text(session, "model.jl", model, sizeof model - 1) != SG_OK)
        give_up("the model cannot be translated");
    return session;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sg_session *session;
    static watch seen;
    static sg_sink sink = {.context = &seen, .begin_segment = begin_segment, .point = point};
    static char path[64];
    static int fd = -1, n_inputs;
    if (fd < 0) {
        fd = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    // The same message at the same place is given once a session, so its errors count on.
    seen = (watch){.n_errors = session ? seen.n_errors : 0};
    look(path, &seen);
    if (!session)
        session = begin_session(path, &seen, &sink);
    sg_result_destroy(session->input_table); // of the input before
    session->input_table = NULL;
    session->failure = SG_OK;
    sg_status status = sg_session_run_text(session, "run.jl", run, sizeof run - 1);
    if (status == SG_ERR_INTERNAL)
        give_up("our own mistake");
    if (sg_session_exit_status(session) != 0 && seen.n_errors == 0)
        give_up("a failure without a message");
    if (++n_inputs % INPUTS_OF_A_SESSION == 0) {
        sg_session_destroy(session);
        session = NULL;
    }
    return 0;
}
