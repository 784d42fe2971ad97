// segue compare A B: two results, signal by signal; exit status 5 when they differ.
#include "commands.h"
#include "limited.h"
#include "report.h"
#include "segue/result.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

static const char help[] =
    "usage: segue compare [options] A B\n"
    "Compares two results of any format, signal by signal. Exit status 0: the same, 5: different.\n"
    "  --rtol X         tolerance relative to the largest magnitude of a signal (1e-3)\n"
    "  --atol X         added to it (0); with both 0 the results must be equal\n"
    "  --signals GLOB   compare only these; several with commas, or the option several times\n"
    "  --all            list the signals that agree too\n"
    "  --json           the same for programs\n" CLI_LIMITED_HELP
    "Grids may differ: the second result is interpolated. Near an event its time may differ by\n"
    "rtol times the length of the run.\n"
    "example, after segue run examples/first/rc_filter.jl:\n"
    "  segue compare --rtol 1e-6 rc_filter-results rc_filter-results/Filter-2.segue\n";

typedef struct compare_request {
    const char *a, *b;
    sg_compare_options options;
    sg_patterns patterns;
    bool all, json;
} compare_request;

static int parse(int argc, char **argv, compare_request *q)
{
    q->options = sg_compare_options_make();
    for (int i = 1; i < argc; i++) {
        const char *value;
        bool rtol;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cli_print("%s", help);
            return -1;
        }
        if (strcmp(argv[i], "--all") == 0) {
            q->all = true;
        } else if (strcmp(argv[i], "--json") == 0) {
            q->json = true;
        } else if ((rtol = sg_option_value(argc, argv, &i, "--rtol", &value)) ||
                   sg_option_value(argc, argv, &i, "--atol", &value)) {
            double *to = rtol ? &q->options.rtol : &q->options.atol;
            if (!sg_option_number(value, to) || !(*to >= 0))
                return sg_bad_usage("compare", "a tolerance is a number of at least 0, not",
                                    value ? value : "");
        } else if (sg_option_value(argc, argv, &i, "--signals", &value)) {
            if (!value || !sg_patterns_add(&q->patterns, value))
                return sg_bad_usage("compare", "--signals needs a pattern", NULL);
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return sg_bad_usage("compare", "no such option:", argv[i]);
        } else if (!q->a) {
            q->a = argv[i];
        } else if (!q->b) {
            q->b = argv[i];
        } else {
            return sg_bad_usage("compare", "two results, not", argv[i]);
        }
    }
    q->options.signals = q->patterns.list;
    q->options.n_signals = q->patterns.n;
    return q->b ? 0 : sg_bad_usage("compare", "needs two results", NULL);
}

static const char *word(sg_difference_kind kind)
{
    static const char *const words[] = {"same",       "different",   "presence",
                                        "only-first", "only-second", "times"};
    return words[kind];
}

static void print_line(const compare_request *q, const sg_difference *d)
{
    switch (d->kind) {
    case SG_SAME:
        cli_print("  %s: same (largest deviation %.3g)\n", d->name, d->error);
        break;
    case SG_DIFFERENT_VALUE:
        cli_print("  %s: %.9g and %.9g at t = %.9g s, off by %.3g, allowed %.3g\n", d->name,
                  d->first, d->second, d->time, d->error, d->tolerance);
        break;
    case SG_DIFFERENT_PRESENCE:
        cli_print("  %s: has a value at t = %.9g s in %s only\n", d->name, d->time,
                  isnan(d->first) ? q->b : q->a);
        break;
    case SG_ONLY_FIRST:
    case SG_ONLY_SECOND:
        cli_print("  %s: only in %s\n", d->name, d->kind == SG_ONLY_FIRST ? q->a : q->b);
        break;
    case SG_DIFFERENT_TIMES:
        cli_print("  %s: %.9g and %.9g s at the ends of the runs\n", d->name, d->first, d->second);
        break;
    }
}

static void print_text(const compare_request *q, const sg_comparison *c)
{
    size_t n = sg_comparison_count(c), different = sg_comparison_different(c);
    const sg_difference *worst = sg_comparison_worst(c);
    for (size_t i = 0; i < n; i++) {
        const sg_difference *d = sg_comparison_get(c, i);
        if (q->all || d->kind != SG_SAME)
            print_line(q, d);
    }
    if (!worst) {
        cli_print("same: %zu signals within rtol = %g, atol = %g\n", n, q->options.rtol,
                  q->options.atol);
        return;
    }
    cli_print("different: %zu of %zu signals; the worst:\n", different, n);
    print_line(q, worst);
}

static void print_json(const sg_comparison *c)
{
    const sg_difference *worst = sg_comparison_worst(c);
    cli_print("{\"compared\": %zu, \"different\": %zu, \"worst\": ", sg_comparison_count(c),
              sg_comparison_different(c));
    if (worst)
        cli_print_json(worst->name);
    else
        cli_print("%s", "null");
    cli_print("%s", ", \"signals\": [");
    for (size_t i = 0; i < sg_comparison_count(c); i++) {
        const sg_difference *d = sg_comparison_get(c, i);
        cli_print("%s", i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        cli_print_json(d->name);
        cli_print(", \"result\": \"%s\", \"time\": ", word(d->kind));
        cli_print_number(d->time);
        const struct {
            const char *key;
            double value;
        } members[] = {{"first", d->first},
                       {"second", d->second},
                       {"error", d->error},
                       {"tolerance", d->tolerance}};
        for (size_t k = 0; k < 4; k++) {
            cli_print(", \"%s\": ", members[k].key);
            cli_print_number(members[k].value);
        }
        cli_print("}");
    }
    cli_print("\n]}\n");
}

static sg_status compare(const compare_request *q, sg_diags *diags)
{
    sg_result *a = NULL, *b = NULL;
    sg_comparison *c = NULL;
    sg_status status = sg_result_open(NULL, q->a, diags, &a);
    if (status == SG_OK)
        status = sg_result_open(NULL, q->b, diags, &b);
    if (status == SG_OK)
        status = sg_result_compare(NULL, a, b, &q->options, diags, &c);
    if (status == SG_OK) {
        if (q->json)
            print_json(c);
        else
            print_text(q, c);
        status = sg_comparison_different(c) ? SG_ERR_CHECK : SG_OK;
    }
    sg_comparison_destroy(c);
    sg_result_destroy(a);
    sg_result_destroy(b);
    return status;
}

static int compare_both(int argc, char **argv)
{
    compare_request q = {0};
    int code = parse(argc, argv, &q);
    if (code == 0 && !cli_begin_limited((const char *[]){q.a, q.b}, 2, NULL))
        code = 1;
    if (code == 0) {
        sg_diags *diags = sg_diags_create(NULL);
        sg_status status = diags ? compare(&q, diags) : SG_ERR_MEMORY;
        cli_flush();
        sg_report(diags, status);
        sg_diags_destroy(diags);
        code = sg_exit_status(status);
    }
    sg_patterns_free(&q.patterns);
    return code < 0 ? 0 : code;
}

int sg_cmd_compare(int argc, char **argv) { return cli_run_limited(argc, argv, compare_both); }
