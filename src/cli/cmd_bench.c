// segue bench
#include "commands.h"
#include "report.h"
#include "session_cli.h"
#include "terminal.h"
#include "watch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"repeat", 0, "N", "how often the file is run; of each simulation the shortest run counts (3)"},
    {"json", 0, NULL, "one JSON object a line for each simulation"},
    {"stop", 0, "T", "stop time [s] of every simulate!"},
    {"tol", 0, "R", "relative tolerance of every simulate!"},
    {"interval", 0, "T", "output interval [s] of every simulate!"},
    {"solver", 0, "NAME", "solver of every simulate!, e.g. CVODE_BDF, Tsit5, IDA"},
    {"set", 0, "NAME=VALUE", "a parameter or start value; may be repeated"},
    {"native", 0, NULL, "compile the programs of models with the system's compiler"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let scripts read this folder too; may be repeated"},
    {"compat", 0, "LIST", "modia-0.12, or single compatibility switches"},
    {"component", 0, "LIB.so", "load components written in C; may be repeated"},
    CLI_LIMIT_OPTIONS,
    CLI_FMU_OPTION,
    {"quiet", 'q', NULL, "print only errors and their notes"},
    {"help", 'h', NULL, "print this page"},
};

// A share is worth a sentence from this part of the run on.
static const double large = 0.3;
enum { MOST_ROWS = 1000, SMALL_MATRIX = 50, REPEATED = 3 };

typedef struct share_row {
    const char *name, *key;
    double seconds;
    uint64_t count;
    const char *of; // what is counted
} share_row;

enum { TRANSLATION, EVALUATION, JACOBIAN, FACTORIZATION, EVENTS, OUTPUT, INTEGRATOR, N_SHARES };

static void rows_of(const sg_run_shares *s, share_row rows[N_SHARES])
{
    uint64_t plain = s->n_evaluations > s->n_jacobian_evaluations
                         ? s->n_evaluations - s->n_jacobian_evaluations
                         : 0;
    rows[TRANSLATION] = (share_row){"translation", "translation", s->translation, 1, "model"};
    rows[EVALUATION] =
        (share_row){"evaluation", "evaluation", s->evaluation, plain, "evaluations in all"};
    rows[JACOBIAN] = (share_row){"Jacobian", "jacobian", s->jacobian, s->n_jacobians, "Jacobians"};
    rows[FACTORIZATION] = (share_row){"factorization", "factorization", s->factorization,
                                      s->n_factored, "rows of the matrix"};
    rows[EVENTS] = (share_row){"events", "events", s->events, s->n_events, "events"};
    rows[OUTPUT] = (share_row){"output", "output", s->output, s->n_points, "points"};
    rows[INTEGRATOR] = (share_row){"integrator", "integrator", s->integrator, s->n_steps, "steps"};
}

static double sum_of(const share_row *rows)
{
    double sum = 0.0;
    for (int i = 0; i < N_SHARES; i++)
        sum += rows[i].seconds;
    return sum > 0.0 ? sum : 1.0;
}

// ---- what would help --------------------------------------------------------------------------

static void advise_jacobian(const sg_run_shares *s)
{
    double each = s->n_jacobians ? (double)s->n_jacobian_evaluations / (double)s->n_jacobians : 0.0;
    if (s->n_states > 10 && each > 0.5 * s->n_states)
        cli_print(
            "  - each Jacobian takes %.0f evaluations for %u states: it is full. Where equations "
            "name elements and\n    ranges, its pattern is known and takes a few "
            "(segue info --equations tells what is opaque)\n",
            each, s->n_states);
    else
        cli_print("  - %llu Jacobians in %llu steps: events and small tolerances ask for new ones; "
                  "if the model is not stiff,\n    --solver Tsit5 does without\n",
                  (unsigned long long)s->n_jacobians, (unsigned long long)s->n_steps);
}

static void advise(const sg_run_shares *s, const share_row *rows, bool native)
{
    double sum = sum_of(rows);
    bool said = false;
    cli_print("  what would help:\n");
    for (int i = 0; i < N_SHARES; i++) {
        if (rows[i].seconds < large * sum)
            continue;
        said = true;
        if (i == TRANSLATION)
            cli_print("  - the model is translated once for all its runs: segue study makes many "
                      "of them\n");
        else if (i == EVALUATION)
            cli_print(native ? "  - the equations themselves: they are compiled already\n"
                             : "  - --native compiles the equations (not functions of scripts, "
                               "contacts and 3D parts)\n");
        else if (i == JACOBIAN)
            advise_jacobian(s);
        else if (i == FACTORIZATION)
            cli_print(s->dense && s->n_factored > SMALL_MATRIX
                          ? "  - a full matrix of order %u is factored: is every rate to depend on "
                            "every state?\n"
                          : "  - a matrix of order %u is factored; if the model is not stiff, "
                            "--solver Tsit5 does without\n",
                      s->n_factored);
        else if (i == EVENTS)
            cli_print("  - %llu events: noEvent() where a condition makes no jump; --solver Tsit5 "
                      "starts again sooner\n",
                      (unsigned long long)s->n_events);
        else if (i == OUTPUT)
            cli_print("  - %llu points are stored: a larger --interval, or --signals for fewer of "
                      "them\n",
                      (unsigned long long)s->n_points);
        else
            cli_print("  - %llu steps: a larger tolerance, or another method (docs/solvers.md)\n",
                      (unsigned long long)s->n_steps);
    }
    if (!said)
        cli_print("  - nothing stands out\n");
}

// ---- tables -----------------------------------------------------------------------------------

static void print_table(const sg_run_shares *s, bool native)
{
    share_row rows[N_SHARES];
    rows_of(s, rows);
    double sum = sum_of(rows);
    cli_print("%s, %s, %u state%s: %.3g s of CPU time, and %.3g s for its translation\n", s->model,
              s->solver, s->n_states, s->n_states == 1 ? "" : "s", s->cpu, s->translation);
    for (int i = 0; i < N_SHARES; i++) {
        double percent = 100.0 * rows[i].seconds / sum;
        char text[16] = "  <0.1"; // what there is takes some time
        if (percent >= 0.05 || !rows[i].count)
            snprintf(text, sizeof text, "%6.1f", percent);
        cli_print("  %-14s %6s %%  %10llu %s\n", rows[i].name, text,
                  (unsigned long long)rows[i].count, rows[i].of);
    }
    advise(s, rows, native);
}

static void print_json(const sg_run_shares *s)
{
    share_row rows[N_SHARES];
    rows_of(s, rows);
    double sum = sum_of(rows);
    cli_print("{\"model\":");
    cli_print_json(s->model);
    cli_print(",\"solver\":");
    cli_print_json(s->solver);
    cli_print(",\"nStates\":%u,\"cpu\":%.6g,\"translationTime\":%.6g", s->n_states, s->cpu,
              s->translation);
    for (int i = 0; i < N_SHARES; i++)
        cli_print(",\"%s\":%.4f", rows[i].key, rows[i].seconds / sum);
    cli_print(",\"nSteps\":%llu,\"nRhs\":%llu,\"nJac\":%llu,\"nEvents\":%llu,"
              "\"nPoints\":%llu}\n",
              (unsigned long long)s->n_steps, (unsigned long long)s->n_evaluations,
              (unsigned long long)s->n_jacobians, (unsigned long long)s->n_events,
              (unsigned long long)s->n_points);
}

// ---- runs -------------------------------------------------------------------------------------

typedef struct bench_table {
    sg_run_shares rows[MOST_ROWS];
    char names[MOST_ROWS][64]; // of models; those of solvers stay
    size_t n;
} bench_table;

// Shares come from the run in which they were measured; its time from the shortest one.
static void take(bench_table *table, const sg_session *session)
{
    sg_run_shares s;
    for (size_t i = 0; i < MOST_ROWS && sg_session_run_shares(session, i, &s); i++) {
        sg_run_shares *row = &table->rows[i];
        bool first = i >= table->n;
        if (first || s.cpu < row->cpu) {
            snprintf(table->names[i], sizeof table->names[i], "%s", s.model ? s.model : "");
            double translation = first ? s.translation : row->translation;
            *row = s;
            row->model = table->names[i];
            row->translation = s.translation < translation ? s.translation : translation;
        }
        table->n = first ? i + 1 : table->n;
    }
}

static int run_once(cli_run *run, bench_table *table)
{
    int exit_status;
    sg_session *session = cli_open(run, &exit_status);
    if (!session)
        return exit_status;
    cli_run_argument(session, run->parsed.rest[0]);
    exit_status = sg_session_exit_status(session);
    take(table, session);
    cli_close(session);
    return exit_status;
}

static int bench(cli_run *run)
{
    run->session.timed = true;
    run->session.keep = SG_KEEP_NONE;
    run->session.write = cli_drop_output;
    run->session.write_error = cli_drop_output;
    bench_table *table = calloc(1, sizeof *table);
    if (!table)
        return sg_report_memory(), sg_exit_status(SG_ERR_MEMORY);
    int exit_status = 0;
    for (int i = 0;
         i < (run->repeat > 0.0 ? run->repeat : REPEATED) && !exit_status && !cli_watch_stopped();
         i++) {
        exit_status = run_once(run, table);
        run->session.report = NULL; // what it says, it says once
    }
    for (size_t i = 0; i < table->n; i++) {
        if (run->json)
            print_json(&table->rows[i]);
        else
            print_table(&table->rows[i], run->native);
    }
    if (table->n == 0 && !exit_status)
        cli_complain("segue: '%s' simulates nothing\n", run->parsed.rest[0]);
    bool none = table->n == 0 && !exit_status;
    free(table);
    return none ? 1 : exit_status;
}

int sg_cmd_bench(int argc, char **argv)
{
    static const cli_command command = {
        .name = "bench",
        .help =
            "usage: segue bench [OPTION...] MODEL.jl\n\n"
            "Runs a model file some times and tells for each simulation where its time goes:\n"
            "translation, evaluations of the equations, Jacobians, factorizations, events, output\n"
            "and the integrator itself; and what would help. No results are kept, and nothing\n"
            "is drawn.\n\noptions:\n",
        .examples = "\nexamples:\n"
                    "  segue bench examples/first/rc_filter.jl\n"
                    "  segue bench --json --repeat 1 examples/first/pendulum.jl\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 1,
        .most = 1,
        .body = bench,
    };
    return cli_run_command(&command, argc, argv);
}
