#include "report.h"
#include "session_cli.h"
#include "study_cli.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_study_take(cli_study *s, const char *name, const char *value, bool *good)
{
    const struct {
        const char *name, **place;
    } texts[] = {{"points", &s->points},   {"sampler", &s->sampler},
                 {"keep-runs", &s->keep},  {"on", &s->on},
                 {"task", &s->task},       {"partition", &s->partition},
                 {"job-time", &s->time},   {"job-memory", &s->memory},
                 {"account", &s->account}, {"minimise", &s->minimise}};
    const struct {
        const char *name;
        double least, *place;
    } numbers[] = {{"runs", 1, &s->runs},
                   {"seed", 0, &s->seed},
                   {"jobs", 1, &s->jobs},
                   {"runs-per-task", 1, &s->per_task}};
    const struct {
        const char *name;
        bool *place;
    } flags[] = {{"again", &s->again}, {"dry-run", &s->dry_run}};
    *good = true;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].place = value;
            return true;
        }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(name, numbers[i].name) == 0) {
            *good = cli_take_number(name, value, numbers[i].least, numbers[i].place);
            double x = *numbers[i].place;
            if (*good && (x != floor(x) || x > 9e15)) {
                cli_complain("segue: --%s needs a whole number, not '%s'\n", name, value);
                *good = false;
            }
            return true;
        }
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].place = true;
    if (strcmp(name, "vary") == 0)
        s->vary[s->n_vary++] = value;
    else if (strcmp(name, "metric") == 0)
        s->metrics[s->n_metrics++] = value;
    else if (strcmp(name, "resume") == 0) {
        s->resume = true;
        *good = snprintf(s->folder, sizeof s->folder, "%s", value) < (int)sizeof s->folder;
    } else
        return false;
    return true;
}

// ---- files of options ---------------------------------------------------------------------------

// A line is the name of an option and its value: `vary k=1,2,3`. `file` is the model's, seen from
// the folder of the file of options.
static char *argument_of(char *line, const char *beside)
{
    char *value = line + strcspn(line, " \t");
    if (*value)
        *value++ = '\0';
    value += strspn(value, " \t");
    size_t room = strlen(line) + strlen(value) + strlen(beside) + 8;
    char *out = malloc(room);
    if (!out)
        return NULL;
    const char *slash = strrchr(beside, '/');
    bool is_path = strcmp(line, "file") == 0 || strcmp(line, "points") == 0;
    int folder = is_path && value[0] != '/' && slash ? (int)(slash - beside) + 1 : 0;
    if (strcmp(line, "file") == 0)
        snprintf(out, room, "%.*s%s", folder, beside, value);
    else if (*value)
        snprintf(out, room, "--%s=%.*s%s", line, folder, beside, value);
    else
        snprintf(out, room, "--%s", line);
    return out;
}

void cli_study_free_arguments(cli_study_arguments *a)
{
    for (int i = 0; i < a->n_own; i++)
        free(a->own[i]);
    free((void *)a->own);
    free((void *)a->argv);
    *a = (cli_study_arguments){0};
}

// One argument a line, behind the name of the program and before those of the command line.
static bool take_lines(cli_study_arguments *a, char *text, const char *path)
{
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        line += strspn(line, " \t");
        size_t length = strlen(line);
        while (length && strchr(" \t\r", line[length - 1]))
            line[--length] = '\0';
        if (*line && *line != '#') {
            char *argument = argument_of(line, path);
            if (!argument)
                return false;
            a->own[a->n_own++] = a->argv[a->argc++] = argument;
        }
        line = end ? end + 1 : NULL;
    }
    return true;
}

static bool expand_file(const char *path, int argc, char **argv, int skip, cli_study_arguments *a)
{
    char *text = cli_study_read(path, NULL);
    if (!text) {
        cli_complain("segue study: cannot read '%s': %s\n", path, strerror(errno));
        return false;
    }
    size_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    a->argv = calloc((size_t)argc + lines + 2, sizeof *a->argv);
    a->own = calloc(lines + 1, sizeof *a->own);
    bool ok = a->argv && a->own;
    if (ok)
        a->argv[a->argc++] = argv[0];
    ok = ok && take_lines(a, text, path);
    free(text);
    for (int i = 1; ok && i < argc; i++)
        if (i != skip)
            a->argv[a->argc++] = argv[i];
    return ok;
}

static bool copy_arguments(int argc, char **argv, cli_study_arguments *a)
{
    a->argv = calloc((size_t)argc + 1, sizeof *a->argv);
    for (int i = 0; a->argv && i < argc; i++)
        a->argv[a->argc++] = argv[i];
    return a->argv != NULL;
}

bool cli_study_expand(int argc, char **argv, cli_study_arguments *a)
{
    for (int i = 1; i < argc; i++) {
        const char *folder = NULL;
        size_t length = strlen(argv[i]);
        if (strncmp(argv[i], "--resume=", 9) == 0)
            folder = argv[i] + 9;
        else if (strcmp(argv[i], "--resume") == 0 && i + 1 < argc)
            folder = argv[i + 1];
        else if (argv[i][0] != '-' && length > 6 && strcmp(argv[i] + length - 6, ".study") == 0)
            return expand_file(argv[i], argc, argv, i, a);
        if (!folder)
            continue;
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/study.txt", folder) >= (int)sizeof path)
            return false;
        if (access(path, R_OK) != 0) {
            cli_complain("segue study: there is no study in '%s' to go on with\n", folder);
            return false;
        }
        return expand_file(path, argc, argv, 0, a);
    }
    return copy_arguments(argc, argv, a);
}

static void put_text(FILE *to, const char *name, const char *value)
{
    if (value)
        fprintf(to, "%s %s\n", name, value);
}

static void put_path(FILE *to, const char *name, const char *path)
{
    char full[PATH_MAX];
    if (path)
        put_text(to, name, realpath(path, full) ? full : path);
}

static void put_number(FILE *to, const char *name, double x)
{
    if (!isnan(x) && x != 0.0)
        fprintf(to, "%s %.17g\n", name, x);
}

bool cli_study_write_options(const cli_run *run, const char *name)
{
    const cli_study *s = &run->study;
    const sg_session_options *o = &run->session;
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", s->folder, name) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "w");
    if (!file) {
        cli_complain("segue study: cannot write '%s': %s\n", path, strerror(errno));
        return false;
    }
    fputs("# A study of segue: 'segue study --resume FOLDER' goes on with it.\n", file);
    put_path(file, "file", run->parsed.rest[0]);
    for (size_t i = 0; i < s->n_vary; i++)
        put_text(file, "vary", s->vary[i]);
    put_path(file, "points", s->points);
    for (size_t i = 0; i < s->n_metrics; i++)
        put_text(file, "metric", s->metrics[i]);
    put_number(file, "runs", s->runs);
    put_text(file, "sampler", s->sampler);
    put_text(file, "minimise", s->minimise);
    put_number(file, "seed", s->seed);
    put_text(file, "keep-runs", s->keep);
    put_text(file, "model", run->model);
    for (size_t i = 0; i < o->n_settings; i++)
        fprintf(file, "set %s=%s\n", o->settings[i].name, o->settings[i].value);
    put_number(file, "stop", o->stop_time);
    put_number(file, "tol", o->tolerance);
    put_number(file, "atol", o->atol);
    put_number(file, "interval", o->interval);
    put_text(file, "solver", o->solver);
    put_text(file, "compat", o->compat);
    put_path(file, "modia3d-path", o->modia3d_path);
    for (size_t i = 0; i < o->n_allow_read; i++)
        put_path(file, "allow-read", o->allow_read[i]);
    put_number(file, "max-time", s->max_time);
    put_number(file, "max-cpu-time", s->max_cpu_time);
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

// Options without remarks and the number of runs, which may grow.
static void keep_what_matters(char *text)
{
    char *to = text;
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) + 1 : strlen(line);
        if (*line != '#' && strncmp(line, "runs ", 5) != 0) {
            memmove(to, line, n);
            to += n;
        }
        line = end ? end + 1 : NULL;
    }
    *to = '\0';
}

bool cli_study_same_options(const cli_run *run)
{
    char name[64], path[PATH_MAX], known[PATH_MAX];
    snprintf(name, sizeof name, "options-%ld.new", (long)getpid());
    if (snprintf(path, sizeof path, "%s/%s", run->study.folder, name) >= (int)sizeof path ||
        snprintf(known, sizeof known, "%s/study.txt", run->study.folder) >= (int)sizeof known ||
        !cli_study_write_options(run, name))
        return false;
    char *a = cli_study_read(path, NULL), *b = cli_study_read(known, NULL);
    unlink(path);
    if (a && b) {
        keep_what_matters(a);
        keep_what_matters(b);
    }
    bool same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

// The metric of a search is asked of each run, if it is none of the others.
static size_t add_minimised(const cli_study *s, const char **metrics)
{
    size_t n = s->n_metrics;
    memcpy(metrics, s->metrics, n * sizeof *metrics);
    bool there = !s->minimise;
    for (size_t i = 0; i < n && !there; i++) {
        const char *equals = strchr(metrics[i], '=');
        size_t length = equals ? (size_t)(equals - metrics[i]) : strlen(metrics[i]);
        there = strcmp(metrics[i], s->minimise) == 0 ||
                (strlen(s->minimise) == length && strncmp(metrics[i], s->minimise, length) == 0);
    }
    if (!there)
        metrics[n++] = s->minimise;
    return n;
}

bool cli_study_points(const cli_study *study, char out[PATH_MAX])
{
    return snprintf(out, PATH_MAX, "%s/points.csv", study->folder) < PATH_MAX;
}

sg_study *cli_study_make(const cli_run *run, sg_diags *diags, sg_status *status)
{
    const cli_study *s = &run->study;
    sg_study_options o = sg_study_options_make();
    char *points = NULL, searched[PATH_MAX];
    const char *path = s->searching && cli_study_points(s, searched) ? searched : s->points;
    const char **metrics = malloc((s->n_metrics + 1) * sizeof *metrics);
    if (!metrics) {
        *status = SG_ERR_MEMORY;
        return NULL;
    }
    if (path && !(points = cli_study_read(path, &o.n_points))) {
        if (diags)
            cli_complain("segue study: cannot read '%s': %s\n", path, strerror(errno));
        free(metrics);
        *status = SG_ERR_IO;
        return NULL;
    }
    o.points = points;
    o.vary = s->vary;
    o.n_vary = s->searching ? 0 : s->n_vary;
    o.metrics = metrics;
    o.n_metrics = add_minimised(s, metrics);
    o.runs = s->searching ? 0 : s->minimise ? 1 : (uint64_t)s->runs;
    o.seed = (uint64_t)s->seed;
    o.sampler = s->sampler;
    sg_study *study = NULL;
    *status = sg_study_create(NULL, &o, diags, &study);
    free(points);
    free(metrics);
    return study;
}
