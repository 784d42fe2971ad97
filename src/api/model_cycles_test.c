// Handles in large numbers: one after the other, and many at once.
#include "harness/sg_test.h"
#include "segue/model.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "using Modia\n"
                           "Filter = Model(R = 0.5, C = 2.0, u = Var(input = true, start = 1.0),\n"
                           "    v = Var(init = 0.0), n = Var(start = 0.0),\n"
                           "    equations = :[R*C*der(v) = u - v\n"
                           "                  n = if after(1.0); 1.0 else 0.0 end])\n"
                           "filter = @instantiateModel(Filter, log = false)\n"
                           "simulate!(filter, stopTime = 2.0, tolerance = 1e-6, log = false)\n";

// An allocator that knows how much is in use.
typedef struct ledger {
    size_t live;
} ledger;

static void *count(void *context, void *block, size_t old_size, size_t new_size)
{
    ledger *l = context;
    void *fresh = NULL;
    if (new_size && !(fresh = realloc(block, new_size)))
        return NULL;
    if (!new_size)
        free(block);
    l->live += new_size - (block ? old_size : 0);
    return fresh;
}

static sg_status run_once(sg_model *model, double R, double *v)
{
    sg_status status = sg_model_set(model, "R", &R, 1);
    if (status == SG_OK)
        status = sg_model_initialize(model);
    if (status == SG_OK)
        status = sg_model_step_to(model, 2.0);
    if (status == SG_OK)
        status = sg_model_get(model, "v", v, 1);
    return status == SG_OK ? sg_model_reset(model) : status;
}

SG_TEST(a_handle_takes_no_more_memory_after_ten_thousand_cycles)
{
    ledger l = {0};
    sg_allocator allocator = {.resize = count, .context = &l};
    sg_model_options options = sg_model_options_make();
    sg_model *model = NULL;
    SG_CHECK(sg_model_open_text(&allocator, "f.jl", text, strlen(text), &options, NULL, &model) ==
             SG_OK);
    size_t early = 0, late = 0;
    double v = 0.0;
    for (int i = 0; i < 10000; i++) {
        double R = 0.5 + 1e-5 * i;
        if (run_once(model, R, &v) != SG_OK || fabs(v - (1.0 - exp(-2.0 / (2.0 * R)))) > 1e-4) {
            SG_CHECK_MSG(false, "cycle %d", i);
            break;
        }
        // What the script's memory holds goes up and down: it is collected after a megabyte or so.
        size_t *most = i < 3000 ? &early : &late;
        *most = l.live > *most ? l.live : *most;
    }
    // Each value that is set is kept until the end: 16 bytes, with what belongs to it.
    SG_CHECK_MSG(late < early + 7000 * 64, "%zu bytes, %zu before", late, early);
    sg_model_destroy(model);
    SG_CHECK_MSG(l.live == 0, "%zu bytes are left", l.live);
}

SG_TEST(values_that_are_set_as_texts_leave_little_more_than_their_texts)
{
    ledger l = {0};
    sg_allocator allocator = {.resize = count, .context = &l};
    sg_model_options options = sg_model_options_make();
    options.record = false;
    sg_model *model = NULL;
    SG_CHECK(sg_model_open_text(&allocator, "f.jl", text, strlen(text), &options, NULL, &model) ==
             SG_OK);
    size_t early = SIZE_MAX, late = SIZE_MAX;
    double R = 0.0;
    for (int i = 0; i < 20000; i++) {
        char value[60];
        snprintf(value, sizeof value, "maximum([1.0 + %d*1e-3, sqrt(0.25)])*2", i);
        SG_CHECK(sg_model_set_text(model, "R", value) == SG_OK);
        SG_CHECK(sg_model_get(model, "R", &R, 1) == SG_OK && R == 2.0 * (1.0 + i * 1e-3));
        // Garbage goes once in some thousand times: the least of ten thousand is what stays.
        size_t *least = i < 10000 ? &early : &late;
        *least = i > 1000 && l.live < *least ? l.live : *least;
    }
    // Text, name and their place in the table of sources, which grows by halves. Both may be
    // nearly 19,000 values apart.
    SG_CHECK_MSG(late < early + 19000 * 300, "%zu bytes, %zu before", late, early);
    sg_model_destroy(model);
    SG_CHECK_MSG(l.live == 0, "%zu bytes are left", l.live);
}

SG_TEST(a_handle_gives_everything_back)
{
    ledger l = {0};
    sg_allocator allocator = {.resize = count, .context = &l};
    sg_model_options options = sg_model_options_make();
    for (int i = 0; i < 50; i++) {
        sg_model *model = NULL;
        SG_CHECK(sg_model_open_text(&allocator, "f.jl", text, strlen(text), &options, NULL,
                                    &model) == SG_OK);
        // Wherever it is: not begun, in the middle, at the end, with a result.
        sg_result *result = NULL;
        if (i % 5 > 0)
            SG_CHECK(sg_model_initialize(model) == SG_OK);
        if (i % 5 > 1)
            SG_CHECK(sg_model_step_to(model, 0.5) == SG_OK);
        if (i % 5 > 2)
            SG_CHECK(sg_model_step_to(model, 2.0) == SG_OK);
        if (i % 5 > 3)
            SG_CHECK(sg_model_result(model, &result) == SG_OK);
        sg_result_destroy(result);
        sg_model_destroy(model);
        SG_CHECK_MSG(l.live == 0, "%zu bytes are left", l.live);
    }
}

// ---- threads --------------------------------------------------------------------------------

enum { THREADS = 4, RUNS = 60 };

typedef struct worker {
    pthread_t thread;
    int first;
    double v[RUNS];
    sg_status status;
} worker;

static void *work(void *context)
{
    worker *w = context;
    sg_model *model = NULL;
    w->status = sg_model_open_text(NULL, "f.jl", text, strlen(text), NULL, NULL, &model);
    for (int i = 0; i < RUNS && w->status == SG_OK; i++)
        w->status = run_once(model, 0.5 + 0.01 * (w->first + i), &w->v[i]);
    sg_model_destroy(model);
    return NULL;
}

SG_TEST(a_handle_in_each_of_four_threads_computes_the_same_bits_as_alone)
{
    static worker workers[THREADS], alone[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i].first = alone[i].first = i * RUNS;
        SG_CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) {
        work(&alone[i]);
        SG_CHECK(workers[i].status == SG_OK && alone[i].status == SG_OK);
        SG_CHECK(memcmp(workers[i].v, alone[i].v, sizeof alone[i].v) == 0);
    }
}

// ... and with 3D parts, components of the script, delays and random states that are saved and
// restored on the way: contacts, loops, and other segments.
typedef struct part_worker {
    pthread_t thread;
    const char *file;
    uint64_t bits; // of all states at the end
    sg_status status;
} part_worker;

static void *work_parts(void *context)
{
    part_worker *w = context;
    char path[512];
    sg_model *model = NULL;
    snprintf(path, sizeof path, "%s/examples/%s", SG_SOURCE_DIR, w->file);
    w->status = sg_model_open_file(NULL, path, NULL, NULL, &model);
    if (w->status == SG_OK)
        w->status = sg_model_initialize(model);
    for (int i = 0; w->status == SG_OK && !sg_model_look(model).done; i++) {
        w->status = sg_model_step(model);
        sg_model_state *state = NULL;
        if (w->status == SG_OK && i % 100 == 50)
            w->status = sg_model_save(model, &state);
        if (w->status == SG_OK && state)
            w->status = sg_model_restore(model, state);
        sg_model_state_destroy(state);
    }
    for (size_t i = 0; w->status == SG_OK && i < sg_model_count(model, SG_MODEL_STATES); i++) {
        const sg_model_variable *v = sg_model_at(model, SG_MODEL_STATES, i);
        double x[64];
        uint64_t bits;
        if (v->n > 64)
            continue;
        w->status = sg_model_get(model, v->name, x, v->n);
        for (uint32_t k = 0; k < v->n; k++) {
            memcpy(&bits, &x[k], sizeof bits);
            w->bits = w->bits * 31 + bits;
        }
    }
    sg_model_destroy(model);
    return NULL;
}

SG_TEST(a_handle_of_each_kind_in_a_thread_of_its_own_computes_the_same_bits_as_alone)
{
    static const char *const files[] = {"contact/two_balls.jl", "loops/fourbar.jl",
                                        "mechanics/trapeze.jl", "contact/two_balls.jl",
                                        "thesis/heated_rod.jl", "events/dead_time.jl",
                                        "events/stick_slip.jl", "events/bouncing_ball.jl"};
    enum { N = sizeof files / sizeof *files };
    static part_worker workers[N], alone[N];
    for (int i = 0; i < N; i++) {
        workers[i].file = alone[i].file = files[i];
        SG_CHECK(pthread_create(&workers[i].thread, NULL, work_parts, &workers[i]) == 0);
    }
    for (int i = 0; i < N; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < N; i++) {
        work_parts(&alone[i]);
        SG_CHECK_MSG(workers[i].status == SG_OK && workers[i].bits && alone[i].status == SG_OK &&
                         workers[i].bits == alone[i].bits,
                     "%s: %d", files[i], (int)workers[i].status);
    }
}
