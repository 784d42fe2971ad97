// Signed distances on the shared cases: mean time of a query by regime, cold; closed forms; warm
// along a smooth motion against cold, in time and in support points. The goals are those of
// Bullet's GJK/EPA in double precision.
//
// Each case is timed by itself and the least of many rounds counts. A file of cases may be given;
// the default is the shared one beside the source tree.
#include "segue/distance.h"

#include "bench/bench.h"

#include <math.h>
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
    size_t got = text ? fread(text, 1, (size_t)size, file) : 0, line;
    fclose(file);
    sg_distance_cases *cases = NULL;
    const char *why;
    if (text && sg_distance_cases_read(NULL, text, got, &cases, &line, &why) != SG_OK)
        fprintf(stderr, "%s:%zu: %s\n", path, line, why);
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

static void bench_mode(const sg_distance_cases *cases, sg_distance_mode mode, const char *name)
{
    static const char *const regimes[3] = {"separated", "shallow", "deep"};
    static const double goal[3] = {1.8, 3.8, 5.8};
    double time[3] = {0}, closed = 0.0, cold[3] = {0}, warm[3] = {0};
    int count[3] = {0}, n_closed = 0;
    long cold_supports[3] = {0}, warm_supports[3] = {0};
    sg_distance_settings settings = sg_distance_settings_make();
    settings.mode = mode;
    probe p = {.repeat = 20};
    if (sg_distance_query_create(NULL, &settings, &p.query) != SG_OK)
        exit(1);
    for (size_t i = 0; i < sg_distance_cases_count(cases); i++) {
        p.k = sg_distance_cases_get(cases, i);
        if (p.k->message)
            continue;
        int g = strcmp(p.k->regime, "deep") == 0 ? 2 : strcmp(p.k->regime, "shallow") == 0 ? 1 : 0;
        double t = least_time(run_cold, &p, 20) / p.repeat;
        time[g] += t;
        count[g]++;
        if (p.iterations == 0) {
            closed += t;
            n_closed++;
            continue;
        }
        make_path(&p.k->place_b, 1e-3);
        p.path = 0.0;
        cold[g] += least_time(run_motion, &p, 10);
        cold_supports[g] += p.supports;
        p.path = 1e-3;
        warm[g] += least_time(run_motion, &p, 10);
        warm_supports[g] += p.supports;
    }
    for (int g = 0; g < 3; g++) {
        char extra[200], label[64];
        double mean = time[g] / fmax(1, count[g]);
        snprintf(label, sizeof label, "distance/%s/%s", name, regimes[g]);
        snprintf(extra, sizeof extra,
                 "\"us\": %.3f, \"goal_us\": %.1f, \"warm_over_cold\": %.3f, \"supports\": %.3f",
                 1e6 * mean, goal[g], warm[g] / cold[g],
                 (double)warm_supports[g] / (double)cold_supports[g]);
        bench_print(label, count[g], "cases", mean, extra);
    }
    if (n_closed) {
        char extra[64];
        snprintf(extra, sizeof extra, "\"ns\": %.1f, \"goal_ns\": 100", 1e9 * closed / n_closed);
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
    bench_mode(cases, SG_DISTANCE_DEFAULT, "default");
    bench_mode(cases, SG_DISTANCE_EXACT, "exact");
    sg_distance_cases_destroy(cases);
    return 0;
}
