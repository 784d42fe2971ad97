// Signed distances on the shared cases: mean time of a query by regime, cold; warm along a smooth
// motion, and against cold in time and in support points; cold in shuffled order; closed forms.
//
// Each case is timed by itself and the least of many rounds counts. In shuffled order each query is
// another pair of shapes in another pose, as in a scene, so that nothing is in the caches. A file
// of cases may be given; the default is the shared one beside the source tree.
#include "segue/distance.h"

#include "bench/bench.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_distance_cases *read_cases(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    size_t got = text ? fread(text, 1, (size_t)size, file) : 0;
    fclose(file);
    sg_distance_cases *cases = NULL;
    sg_diags *diags = sg_diags_create(NULL);
    if (text && sg_distance_cases_read(NULL, text, got, diags, &cases) != SG_OK)
        fprintf(stderr, "%s: %s\n", path,
                sg_diags_count(diags) ? sg_diags_get(diags, 0)->message : "");
    sg_diags_destroy(diags);
    free(text);
    return cases;
}

typedef struct probe {
    sg_distance_query *query;
    const sg_distance_case *k;
    int repeat, iterations;
    long supports; // of the last motion
    double path;   // 0: the same place again and again, cold; else a step of the motion, warm
} probe;

static void turn_slightly(const double R[9], double angle, double out[9])
{
    double c = cos(angle), s = sin(angle);
    for (int j = 0; j < 3; j++) {
        out[j] = c * R[j] - s * R[3 + j];
        out[3 + j] = s * R[j] + c * R[3 + j];
        out[6 + j] = R[6 + j];
    }
}

#define STEPS 64

static void run_cold(void *context)
{
    probe *p = context;
    sg_distance_answer r;
    for (int i = 0; i < p->repeat; i++) {
        sg_distance_query_reset(p->query);
        sg_distance_between(p->query, p->k->a, &p->k->place_a, p->k->b, &p->k->place_b, &r);
    }
    p->iterations = r.iterations;
}

static sg_placement path[STEPS];

// The same motion, cold when p->path is 0.
static void run_motion(void *context)
{
    probe *p = context;
    sg_distance_answer r;
    sg_distance_query_reset(p->query);
    p->supports = 0;
    for (int i = 0; i < STEPS; i++) {
        if (p->path == 0.0)
            sg_distance_query_reset(p->query);
        sg_distance_between(p->query, p->k->a, &p->k->place_a, p->k->b, &path[i], &r);
        p->supports += r.support_points;
    }
}

static void make_path(const sg_placement *from, double step)
{
    for (int i = 0; i < STEPS; i++) {
        path[i] = *from;
        turn_slightly(from->R, step * i, path[i].R);
        path[i].r[0] += 0.5 * step * i;
        path[i].r[1] -= 0.3 * step * i;
    }
}

// Many short rounds: hundreds of cases share the patience of one.
static double least_time(void (*body)(void *), void *context, int rounds)
{
    double least = INFINITY;
    for (int i = 0; i < rounds; i++) {
        double start = bench_clock();
        body(context);
        least = fmin(least, bench_clock() - start);
    }
    return least;
}

typedef struct regime_times {
    double cold, warm, moving; // sums of least times; moving: the motion of warm, but cold
    double closed;             // of cold, those with closed forms
    int n, n_iterative;        // cases; those without a closed form
    long moving_supports, warm_supports;
} regime_times;

static int regime_of(const sg_distance_case *k)
{
    return strcmp(k->regime, "deep") == 0 ? 2 : strcmp(k->regime, "shallow") == 0 ? 1 : 0;
}

static void time_case(probe *p, regime_times *t)
{
    double cold = least_time(run_cold, p, 20) / p->repeat;
    t->cold += cold;
    t->n++;
    if (p->iterations == 0) {
        t->closed += cold;
        return;
    }
    t->n_iterative++;
    make_path(&p->k->place_b, 1e-3);
    p->path = 0.0;
    t->moving += least_time(run_motion, p, 10) / STEPS;
    t->moving_supports += p->supports;
    p->path = 1e-3;
    t->warm += least_time(run_motion, p, 10) / STEPS;
    t->warm_supports += p->supports;
}

// The mean time of all steps of the motions of a regime in shuffled order, cold.
static double time_shuffled(sg_distance_query *query, const sg_distance_cases *cases, int regime)
{
    typedef struct one {
        const sg_distance_case *k;
        sg_placement place;
    } one;
    size_t n = 0, n_cases = sg_distance_cases_count(cases);
    one *list = malloc((n_cases * STEPS + 1) * sizeof *list);
    for (size_t i = 0; list && i < n_cases; i++) {
        const sg_distance_case *k = sg_distance_cases_get(cases, i);
        if (k->message || regime_of(k) != regime)
            continue;
        make_path(&k->place_b, 1e-3);
        for (int j = 0; j < STEPS; j++)
            list[n++] = (one){k, path[j]};
    }
    uint64_t seed = 1;
    double least = INFINITY;
    for (int round = 0; round < 5; round++) {
        for (size_t i = n; i > 1; i--) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t j = (size_t)(seed >> 33) % i;
            one kept = list[i - 1];
            list[i - 1] = list[j];
            list[j] = kept;
        }
        sg_distance_answer r;
        double start = bench_clock();
        for (size_t i = 0; i < n; i++) {
            sg_distance_query_reset(query);
            sg_distance_between(query, list[i].k->a, &list[i].k->place_a, list[i].k->b,
                                &list[i].place, &r);
        }
        least = fmin(least, bench_clock() - start);
    }
    free(list);
    return n ? least / (double)n : 0.0;
}

static void bench_all(const sg_distance_cases *cases)
{
    static const char *const regimes[3] = {"separated", "shallow", "deep"};
    regime_times times[3] = {{0}};
    sg_distance_query_options settings = sg_distance_query_options_make();
    probe p = {.repeat = 20};
    if (sg_distance_query_create(NULL, &settings, &p.query) != SG_OK)
        exit(1);
    for (size_t i = 0; i < sg_distance_cases_count(cases); i++) {
        p.k = sg_distance_cases_get(cases, i);
        if (!p.k->message)
            time_case(&p, &times[regime_of(p.k)]);
    }
    double closed = 0.0;
    int n_closed = 0;
    for (int g = 0; g < 3; g++) {
        const regime_times *t = &times[g];
        char extra[200], label[64];
        double mean = t->cold / fmax(1, t->n);
        double warm = (t->warm + t->closed) / fmax(1, t->n);
        snprintf(label, sizeof label, "distance/%s", regimes[g]);
        snprintf(extra, sizeof extra,
                 "\"us\": %.3f, \"warm_us\": %.3f, \"shuffled_us\": %.3f, "
                 "\"warm_over_cold\": %.3f, \"supports\": %.3f",
                 1e6 * mean, 1e6 * warm, 1e6 * time_shuffled(p.query, cases, g),
                 t->warm / t->moving, (double)t->warm_supports / (double)t->moving_supports);
        bench_print(label, t->n, "cases", mean, extra);
        closed += t->closed;
        n_closed += t->n - t->n_iterative;
    }
    if (n_closed) {
        char extra[64];
        snprintf(extra, sizeof extra, "\"ns\": %.1f", 1e9 * closed / n_closed);
        bench_print("distance/closed_forms", n_closed, "cases", closed / n_closed, extra);
    }
    sg_distance_query_destroy(p.query);
}

int main(int argc, char **argv)
{
    sg_distance_cases *cases =
        read_cases(argc > 1 ? argv[1] : SG_SOURCE_DIR "/../shared/data/distance/cases.txt");
    if (!cases) {
        fprintf(stderr, "distance_bench: no cases; give their file as the argument\n");
        return 0;
    }
    bench_all(cases);
    sg_distance_cases_destroy(cases);
    return 0;
}
