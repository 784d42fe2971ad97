// Saved states of whole runs: saved at random moments, restored by another process, the same bits.
//
//     saved_runs SEED FOLDER FILE...
//
// Each file is opened as a handle and run; at some moments of the run, which the seed decides, its
// state is written to a file of FOLDER. For each of them this program starts itself again, opens
// the model, restores the state and runs on, saving at the same later moments, since saving
// restarts the integrator. Every number of its result must be that of the run that went on. That
// run is also held against one that was never saved, if SG_PLAIN is set, and what differs most is
// printed.
//
// Exit status 0: all the same; 1: something differs; 77: no file can be a handle.
#include "segue/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOMENTS = 3 };

typedef struct schedule {
    double part[MOMENTS];  // of the time from start to stop, in order
    bool by_step[MOMENTS]; // saved where a step of the solver ends behind that time
} schedule;

// Splitmix: the same moments everywhere.
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static schedule make_schedule(const char *file, uint64_t seed)
{
    for (const char *c = strrchr(file, '/') ? strrchr(file, '/') : file; *c; c++)
        seed = (seed ^ (unsigned char)*c) * 0x100000001b3ULL;
    schedule s;
    for (int i = 0; i < MOMENTS; i++) {
        s.part[i] = ((double)i + (double)(draw(&seed) >> 11) * 0x1p-53) / MOMENTS;
        s.by_step[i] = draw(&seed) & 1;
    }
    return s;
}

static void tell(const sg_diags *diags)
{
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        if (sg_diags_get(diags, i)->severity == SG_ERROR)
            printf("    %s\n", sg_diags_get(diags, i)->message);
}

static sg_status go_to(sg_model *m, double t, bool by_step)
{
    sg_status status = SG_OK;
    if (!by_step) // a step of before may have gone farther
        return sg_model_look(m).done || sg_model_look(m).time >= t ? SG_OK : sg_model_step_to(m, t);
    while (status == SG_OK && !sg_model_look(m).done && sg_model_look(m).time < t)
        status = sg_model_step(m);
    return status;
}

static char *state_file(const char *folder, int moment)
{
    static char name[4096];
    snprintf(name, sizeof name, "%s/moment%d.state", folder, moment);
    return name;
}

// From the moment `from` on; states are written if there is a folder for them.
static sg_status run(sg_model *m, const schedule *s, double start, int from, const char *folder,
                     double *saved, bool *refused)
{
    sg_status status = SG_OK;
    double stop = sg_model_look(m).stop;
    for (int i = from; i < MOMENTS && status == SG_OK; i++) {
        status = go_to(m, start + s->part[i] * (stop - start), s->by_step[i]);
        sg_model_state *state = NULL;
        if (status == SG_OK)
            status = sg_model_save(m, &state);
        *refused |= status == SG_ERR_USAGE;
        if (status == SG_OK && folder)
            status = sg_model_state_write(state, state_file(folder, i), NULL);
        sg_model_state_destroy(state);
        saved[i] = sg_model_look(m).time;
    }
    return status == SG_OK && !sg_model_look(m).done ? sg_model_step_to(m, stop) : status;
}

// ---- results ------------------------------------------------------------------------------------

static size_t first_behind(sg_result *r, double time)
{
    size_t n = (size_t)sg_result_points(r), first = 0;
    double *t = malloc((n + 1) * sizeof *t);
    if (t && sg_result_values(r, "time", 0, n, t, NULL) == SG_OK)
        while (first < n && !(t[first] > time))
            first++;
    free(t);
    return first;
}

// All numbers behind `time` to a file, one element of a signal after the other.
static bool write_numbers(sg_result *r, double time, FILE *out)
{
    size_t first = first_behind(r, time), n = (size_t)sg_result_points(r) - first;
    double *values = malloc((n + 1) * sizeof *values);
    bool ok = values != NULL;
    size_t n_signals = sg_result_describe(r).n_signals;
    for (size_t i = 0; i < n_signals && ok; i++) {
        const sg_signal *s = sg_result_signal(r, i);
        for (uint32_t k = 0; k < sg_signal_count(s) && ok; k++) {
            char name[512];
            sg_element_name(s, k, name, sizeof name);
            if (sg_result_values(r, name, first, n, values, NULL) != SG_OK)
                continue;
            ok = fprintf(out, "%s %zu\n", name, n) > 0 &&
                 fwrite(values, sizeof *values, n, out) == n;
        }
    }
    free(values);
    return ok;
}

// One element of a signal out of such a file: its name and how many numbers follow; null at the
// end.
static const char *next_name(FILE *in, char *line, int size, size_t *n)
{
    char *blank = fgets(line, size, in) ? strrchr(line, ' ') : NULL;
    if (!blank)
        return NULL;
    *n = (size_t)strtoul(blank, NULL, 10);
    *blank = '\0';
    return line;
}

// The numbers of this name, most likely the next ones; null if there are none.
static double *find_numbers(FILE *in, const char *name, size_t *n, bool again)
{
    char line[600];
    while (next_name(in, line, sizeof line, n)) {
        if (strcmp(line, name) == 0) {
            double *numbers = malloc((*n + 1) * sizeof *numbers);
            if (numbers && fread(numbers, sizeof *numbers, *n, in) == *n)
                return numbers;
            free(numbers);
            return NULL;
        }
        if (fseek(in, (long)(*n * sizeof(double)), SEEK_CUR) != 0)
            break;
    }
    rewind(in);
    return again ? find_numbers(in, name, n, false) : NULL;
}

static bool same_numbers(const char *name, const double *p, size_t n, const double *q, size_t n_q)
{
    for (size_t i = 0; i < n; i++) {
        // A signal of earlier segments only is not in a result that begins later.
        bool same = q ? n == n_q && memcmp(&p[i], &q[i], sizeof *p) == 0 : isnan(p[i]);
        if (same)
            continue;
        printf("    %s, %zu of %zu (%zu): %.17g, not %.17g\n", name, i, n, n_q,
               q && i < n_q ? q[i] : (double)NAN, p[i]);
        return false;
    }
    return true;
}

// All of what the one has, and nothing else.
static bool same_files(const char *a, const char *b, const char *file, int moment)
{
    FILE *in[2] = {fopen(a, "rb"), fopen(b, "rb")};
    bool same = in[0] && in[1];
    for (int side = 0; side < 2 && same; side++) {
        char name[600];
        size_t n, n_q = 0;
        rewind(in[0]);
        rewind(in[1]);
        while (same && next_name(in[side], name, sizeof name, &n)) {
            double *p = malloc((n + 1) * sizeof *p);
            same = p && fread(p, sizeof *p, n, in[side]) == n;
            double *q = find_numbers(in[1 - side], name, &n_q, true);
            same = same && same_numbers(name, p, n, q, n_q);
            free(p);
            free(q);
        }
    }
    if (!same)
        printf("%s: moment %d: the restored run is another one\n", file, moment);
    for (int side = 0; side < 2; side++)
        if (in[side])
            fclose(in[side]);
    return same;
}

static bool store(sg_model *m, double time, const char *path)
{
    sg_result *result = NULL;
    FILE *out = fopen(path, "wb");
    bool ok = out && sg_model_result(m, &result) == SG_OK && write_numbers(result, time, out);
    sg_result_destroy(result);
    if (out)
        ok = fclose(out) == 0 && ok;
    return ok;
}

// ---- the other process ----------------------------------------------------------------------

static int restore(const char *folder, const char *file, uint64_t seed, int moment)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *m = NULL;
    sg_model_state *state = NULL;
    schedule s = make_schedule(file, seed);
    double saved[MOMENTS] = {0};
    bool refused = false;
    char path[4200];
    snprintf(path, sizeof path, "%s/restored", folder);
    sg_status status = sg_model_open_file(NULL, file, NULL, diags, &m);
    double start = status == SG_OK ? sg_model_look(m).time : 0.0;
    if (status == SG_OK)
        status = sg_model_state_read(NULL, state_file(folder, moment), diags, &state);
    if (status == SG_OK)
        status = sg_model_restore(m, state);
    double time = status == SG_OK ? sg_model_look(m).time : 0.0;
    if (status == SG_OK)
        status = run(m, &s, start, moment + 1, NULL, saved, &refused);
    bool ok = store(m, time, path) || status != SG_OK;
    if (!ok)
        tell(diags);
    sg_model_state_destroy(state);
    sg_model_destroy(m);
    sg_diags_destroy(diags);
    return ok ? status == SG_OK ? 0 : 3 : 2; // a run that failed may fail again
}

static int start_again(const char *self, const char *folder, const char *file, uint64_t seed,
                       int moment)
{
    char number[2][32];
    snprintf(number[0], sizeof number[0], "%llu", (unsigned long long)seed);
    snprintf(number[1], sizeof number[1], "%d", moment);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, "--restore", folder, file, number[0], number[1], (char *)NULL);
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

// ---- a run that was never saved ---------------------------------------------------------------

static void compare_plain(const char *file, sg_model *m)
{
    sg_model *plain = NULL;
    sg_result *x = NULL, *y = NULL;
    sg_status status = sg_model_open_file(NULL, file, NULL, NULL, &plain);
    if (status == SG_OK)
        status = sg_model_initialize(plain);
    if (status == SG_OK)
        status = sg_model_step_to(plain, sg_model_look(plain).stop);
    double worst = 0.0, worst_size = 0.0;
    char worst_name[512] = "";
    if (status == SG_OK && sg_model_result(plain, &x) == SG_OK && sg_model_result(m, &y) == SG_OK)
        for (size_t i = 0; i < sg_result_describe(x).n_signals; i++) {
            const sg_signal *s = sg_result_signal(x, i);
            for (uint32_t k = 0; k < sg_signal_count(s); k++) {
                char name[512];
                double p, q, size = 0.0;
                size_t n = (size_t)sg_result_points(x), n_y = (size_t)sg_result_points(y);
                double *all = malloc((n + 1) * sizeof *all);
                sg_element_name(s, k, name, sizeof name);
                if (all && n && n_y && sg_result_values(x, name, 0, n, all, NULL) == SG_OK &&
                    sg_result_values(y, name, n_y - 1, 1, &q, NULL) == SG_OK) {
                    for (size_t j = 0; j < n; j++)
                        size = isfinite(all[j]) ? fmax(size, fabs(all[j])) : size;
                    p = all[n - 1];
                    if (size > 0.0 && fabs(p - q) > worst * size) {
                        worst = fabs(p - q) / size;
                        worst_size = size;
                        snprintf(worst_name, sizeof worst_name, "%s", name);
                    }
                }
                free(all);
            }
        }
    printf("%s: %.2g of %s, whose size is %.2g\n", file, worst, worst_name, worst_size);
    sg_result_destroy(x);
    sg_result_destroy(y);
    sg_model_destroy(plain);
}

// 0: the same, 1: not, 77: cannot be a handle.
static int try_file(const char *self, const char *file, uint64_t seed, const char *folder)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *m = NULL;
    schedule s = make_schedule(file, seed);
    double saved[MOMENTS] = {0};
    bool refused = false;
    char path[4200], other[4200];
    snprintf(path, sizeof path, "%s/went_on", folder);
    snprintf(other, sizeof other, "%s/restored", folder);
    sg_status status = sg_model_open_file(NULL, file, NULL, diags, &m);
    if (status == SG_OK && !isfinite(sg_model_look(m).stop))
        status = SG_ERR_USAGE;
    if (status == SG_OK)
        status = sg_model_initialize(m);
    if (status != SG_OK) {
        sg_model_destroy(m);
        sg_diags_destroy(diags);
        return 77;
    }
    sg_status outcome = run(m, &s, sg_model_look(m).time, 0, folder, saved, &refused);
    if (refused)
        tell(diags);
    bool same = !refused;
    if (getenv("SG_PLAIN") && outcome == SG_OK)
        compare_plain(file, m);
    for (int i = 0; i < MOMENTS && same; i++) {
        if (access(state_file(folder, i), F_OK) != 0) // it failed before
            break;
        int restored = start_again(self, folder, file, seed, i);
        if (restored != (outcome == SG_OK ? 0 : 3)) {
            printf("%s: moment %d, t = %.9g: status %d\n", file, i, saved[i], restored);
            same = false;
        } else {
            same = store(m, saved[i], path) && same_files(path, other, file, i);
        }
        unlink(state_file(folder, i));
    }
    for (int i = 0; i < MOMENTS; i++)
        unlink(state_file(folder, i));
    unlink(path);
    unlink(other);
    sg_model_destroy(m);
    sg_diags_destroy(diags);
    return same ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "--restore") == 0)
        return restore(argv[2], argv[3], strtoull(argv[4], NULL, 10), atoi(argv[5]));
    if (argc < 4) {
        fprintf(stderr, "usage: saved_runs SEED FOLDER FILE...\n");
        return 2;
    }
    int worst = 77;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 3; i < argc; i++) {
        int status = try_file(argv[0], argv[i], strtoull(argv[1], NULL, 10), argv[2]);
        if (status == 77)
            printf("%s: no handle\n", argv[i]);
        worst = status == 1 || worst == 1 ? 1 : status == 0 ? 0 : worst;
    }
    return worst;
}
