// Results at length: the goals are 200 MB/s written for 1,000 signals at 100,000 points, a plot of
// them in under a second, and less than 100 MB of memory whatever the length. Writing goes to a
// file in the present folder, and the clock of the wall is read, since disks count.
#include "result/result.h"

#include "base/limits.h"
#include "bench/bench.h"
#include "result/load.h"
#include "result/writer.h"
#include "view/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIGNALS = 1000, POINTS = 100000 };
static const char path[] = "result_bench.segue";

static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1e3; // kilobytes to megabytes
}

static void check(bool ok, const sg_diags *diags)
{
    if (ok)
        return;
    fprintf(stderr, "result_bench: %s\n", diags->len ? diags->list[0].message : "failed");
    unlink(path);
    exit(1);
}

static sg_signal *make_signals(void)
{
    sg_signal *signals = calloc(SIGNALS, sizeof *signals);
    for (int i = 0; signals && i < SIGNALS; i++) {
        char *name = malloc(32);
        if (!name)
            exit(1);
        snprintf(name, 32, "robot.link%d.x", i);
        signals[i] = (sg_signal){.name = name, .unit = "m"};
    }
    return signals;
}

// Noise with a trend: nothing that a constant column could save.
static void fill(double *columns, int point, uint64_t *state)
{
    for (int i = 0; i < SIGNALS; i++) {
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        columns[i] = 1e-4 * point + (double)(*state >> 11) * 0x1p-53;
    }
}

static void bench_write(sg_diags *diags)
{
    sg_signal *signals = make_signals();
    double *columns = malloc(SIGNALS * sizeof *columns);
    sg_writer_options options = sg_writer_options_default();
    options.path = path;
    sg_result_writer *writer;
    check(signals && columns && sg_result_writer_create(&options, diags, &writer) == SG_OK, diags);
    check(sg_result_writer_begin_segment(writer, 0, "", signals, SIGNALS) == SG_OK, diags);
    uint64_t state = 1;
    double filling = 0, start = sg_wall_time();
    for (int p = 0; p < POINTS; p++) {
        double before = sg_wall_time();
        fill(columns, p, &state);
        filling += sg_wall_time() - before;
        check(sg_result_writer_point(writer, p * 1e-3, columns) == SG_OK, diags);
    }
    check(sg_result_writer_finish(writer, SG_OK, NULL, 0, NULL) == SG_OK, diags);
    double time = sg_wall_time() - start - filling, size = 8e-6 * SIGNALS * POINTS;
    sg_result_writer_destroy(writer);
    char extra[160];
    snprintf(extra, sizeof extra,
             "\"MB_per_s\": %.0f, \"goal_MB_per_s\": 200, \"peak_MB\": %.0f, \"goal_MB\": 100",
             size / time, peak_memory());
    bench_print("result_write", size, "MB", time, extra);
    for (int i = 0; i < SIGNALS; i++)
        free((char *)signals[i].name);
    free(signals);
    free(columns);
}

static void bench_plot(int n_signals, const char *output, sg_diags *diags)
{
    double start = sg_wall_time();
    sg_result *result;
    check(sg_result_open_run(path, NULL, diags, &result) == SG_OK, diags);
    sg_figure figure;
    sg_figure_init(&figure, NULL);
    for (int i = 0; i < n_signals; i++) {
        char name[32];
        snprintf(name, sizeof name, "robot.link%d.x", i);
        check(sg_figure_add(&figure, 0, 0, result, name, "", SG_ERROR, diags) == SG_OK, diags);
    }
    check(sg_figure_write(&figure, output, 1, diags) == SG_OK, diags);
    sg_figure_destroy(&figure);
    sg_result_destroy(result);
    char extra[128];
    snprintf(extra, sizeof extra, "\"goal_s\": 1, \"peak_MB\": %.0f, \"goal_MB\": 100",
             peak_memory());
    bench_print("result_plot", n_signals, "signals", sg_wall_time() - start, extra);
    unlink(output);
}

static void bench_convert(const char *output, int n_signals, sg_diags *diags)
{
    sg_result *result;
    check(sg_result_open_run(path, NULL, diags, &result) == SG_OK, diags);
    const char *pattern = n_signals == 10 ? "robot.link?.x" : "*";
    sg_save_options options = {.signals = &pattern, .n_signals = 1};
    double start = sg_wall_time();
    check(sg_result_save(result, output, sg_format_by_suffix(output), &options, diags) == SG_OK,
          diags);
    double time = sg_wall_time() - start, size = 8e-6 * n_signals * POINTS;
    char extra[128];
    snprintf(extra, sizeof extra, "\"MB_per_s\": %.0f, \"peak_MB\": %.0f", size / time,
             peak_memory());
    char name[64];
    snprintf(name, sizeof name, "result_convert_%s",
             sg_format_suffix(sg_format_by_suffix(output)) + 1);
    bench_print(name, size, "MB", time, extra);
    sg_result_destroy(result);
    unlink(output);
}

int main(void)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    bench_write(&diags);
    bench_plot(1, "result_bench.svg", &diags);
    bench_plot(10, "result_bench.svg", &diags);
    bench_plot(SIGNALS, "result_bench.svg", &diags);
    bench_convert("result_bench.arrow", SIGNALS, &diags);
    bench_convert("result_bench.mat", SIGNALS, &diags);
    bench_convert("result_bench.csv", 10, &diags);
    bench_convert("result_bench.json", 10, &diags);
    unlink(path);
    sg_diags_destroy(&diags);
    return 0;
}
