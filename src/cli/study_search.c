// segue study --minimise: runs by generations, each from what the ones before have shown.
//
// The points of all generations stand in points.csv of the study's folder, and a generation is made
// like the runs of any table of points. To go on, the search is told again what the table has.
#include "report.h"
#include "session_cli.h"
#include "study_cli.h"
#include "terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH 1e-4 // points of a generation that lie nearer than this part of the bounds are one

enum { RUNS_A_VARIABLE = 100 };

typedef struct cli_search {
    cli_run *run;
    cli_make_runs *make;
    sg_study *bounds; // the variables with their bounds
    sg_study_search *state;
    double *all;     // points so far
    double *values;  // metrics of a generation
    size_t n, count; // variables, points of a generation
    uint64_t best;
    double least;
} cli_search;

// ---- points -------------------------------------------------------------------------------------

static bool write_points(const cli_search *s, uint64_t generations)
{
    char path[PATH_MAX], fresh[PATH_MAX + 8];
    if (!cli_study_points(&s->run->study, path))
        return false;
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = fopen(fresh, "w");
    for (size_t i = 0; file && i < s->n; i++)
        fprintf(file, "%s%s", i ? "," : "", sg_study_variable(s->bounds, i));
    for (uint64_t i = 0; file && i < generations * s->count * s->n; i++)
        fprintf(file, "%s%.17g", i % s->n ? "," : "\n", s->all[i]);
    bool good = file && fputs("\n", file) >= 0 && !ferror(file);
    good = file && fclose(file) == 0 && good && rename(fresh, path) == 0;
    if (!good)
        cli_complain("segue study: cannot write '%s': %s\n", path, strerror(errno));
    return good;
}

// The metric that is asked for, by its name, which is there.
static size_t metric_of(const sg_study *study, const char *text)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    for (size_t i = 0; i < sg_study_metrics(study); i++) {
        const char *name = sg_study_metric(study, i);
        if (strcmp(name, text) == 0 || (strlen(name) == length && strncmp(name, text, length) == 0))
            return i;
    }
    return 0;
}

// ---- generations --------------------------------------------------------------------------------

// Runs what is missing of a generation, and tells the search. False if that cannot be, with the
// exit status; *complete if nobody stopped it.
static bool make_generation(cli_search *s, uint64_t g, bool *complete, int *exit_status)
{
    cli_study *study = &s->run->study;
    size_t size = s->count * s->n;
    double *grown = realloc(s->all, (g + 1) * size * sizeof *grown);
    *exit_status = 1;
    *complete = true;
    if (!grown)
        return false;
    s->all = grown;
    sg_study_search_points(s->state, s->all + g * size, size);
    if (!write_points(s, g + 1))
        return false;
    sg_status status;
    sg_study *plan = cli_study_make(s->run, NULL, &status);
    sg_study_table *table = NULL;
    bool good = plan && cli_study_load(study, plan, &table) == SG_OK;
    bool missing = false;
    for (uint64_t i = g * s->count; good && i < (g + 1) * s->count; i++)
        missing |= !sg_study_table_has(table, i);
    if (good && missing) {
        sg_study_table_destroy(table);
        table = NULL;
        good = s->make(s->run, plan, g * s->count, (g + 1) * s->count, complete, exit_status) &&
               *complete && cli_study_load(study, plan, &table) == SG_OK;
    }
    size_t metric = good ? metric_of(plan, study->minimise) : 0;
    for (size_t k = 0; good && k < s->count; k++) {
        s->values[k] = sg_study_table_metric(table, g * s->count + k, metric);
        if (s->values[k] < s->least) {
            s->least = s->values[k];
            s->best = g * s->count + k;
        }
    }
    if (good)
        sg_study_search_tell(s->state, s->values, s->count);
    sg_study_table_destroy(table);
    sg_study_destroy(plan);
    return good;
}

static void tell_best(const cli_search *s)
{
    if (isinf(s->least)) {
        cli_print("no run has a value\n");
        return;
    }
    cli_print("least value of %s: %.10g, in run %" PRIu64 ":\n", s->run->study.minimise, s->least,
              s->best);
    for (size_t i = 0; i < s->n; i++)
        cli_print("  %s = %.10g\n", sg_study_variable(s->bounds, i), s->all[s->best * s->n + i]);
    if (sg_study_search_spread(s->state) >= ENOUGH)
        cli_print("the search is not at its end: points still lie %.2g of the bounds apart\n",
                  sg_study_search_spread(s->state));
}

int cli_study_search(cli_run *run, sg_study *bounds, cli_make_runs *make, cli_merge *merge)
{
    cli_search s = {.run = run,
                    .make = make,
                    .bounds = bounds,
                    .n = sg_study_variables(bounds),
                    .least = INFINITY};
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = sg_study_search_create(bounds, diags, &s.state);
    if (status != SG_OK) {
        sg_report(diags, status);
        sg_diags_destroy(diags);
        return sg_exit_status(status);
    }
    s.count = sg_study_search_count(s.state);
    s.values = malloc(s.count * sizeof *s.values);
    double most = run->study.runs >= 1.0 ? run->study.runs : (double)(RUNS_A_VARIABLE * (s.n + 1));
    int exit_status = 1;
    bool complete = true, good = s.values != NULL;
    uint64_t g = 0;
    for (; good && complete &&
           (g == 0 ||
            ((double)((g + 1) * s.count) <= most && sg_study_search_spread(s.state) > ENOUGH));
         g++)
        good = make_generation(&s, g, &complete, &exit_status);
    sg_study *plan = good || !complete ? cli_study_make(run, NULL, &status) : NULL;
    if (plan)
        exit_status = merge(run, plan, complete);
    if (plan && good && complete && !run->quiet)
        tell_best(&s);
    // A search goes around runs that fail: they are in the table, and no failure of the study.
    if (plan && good && exit_status == 5 && !isinf(s.least))
        exit_status = 0;
    sg_study_destroy(plan);
    sg_study_search_destroy(s.state);
    sg_diags_destroy(diags);
    free(s.all);
    free(s.values);
    return exit_status;
}
