// segue distance FILE: signed distances of convex pairs, one line a case.
#include "commands.h"
#include "limited.h"
#include "segue/distance.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_REPETITIONS = 1000000000 }; // minutes for a pair; a larger number is a slip

typedef struct distance_request {
    const char *file;
    sg_distance_mode mode;
    bool json;
    long bench;
} distance_request;

static const char help[] =
    "usage: segue distance [--exact | --plain-mpr] [--json] [--bench N] FILE\n"
    "Signed distances of pairs of convex shapes, one line a pair: name, distance, normal from the\n"
    "first to the second shape, nearest points on both, iterations. FILE may be - for standard\n"
    "input; its format is in docs/formats.md.\n"
    "  --exact       the default: distances and depths that are proven\n"
    "  --plain-mpr   the depth along the portal, as MPR gives it\n"
    "  --json        the same for programs\n"
    "  --bench N     repeat each pair N times and print the mean time\n" CLI_LIMITED_HELP;

static int usage(const char *problem, const char *what)
{
    cli_complain("segue distance: %s%s%s\n"
                 "usage: segue distance [--exact | --plain-mpr] [--json] [--bench N] FILE\n",
                 problem, what ? " " : "", what ? what : "");
    return 1;
}

static int parse_arguments(int argc, char **argv, distance_request *q)
{
    *q = (distance_request){.mode = SG_DISTANCE_DEFAULT};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            cli_print("%s", help);
            return -1;
        }
        if (strcmp(arg, "--exact") == 0) {
            q->mode = SG_DISTANCE_EXACT;
        } else if (strcmp(arg, "--plain-mpr") == 0) {
            q->mode = SG_DISTANCE_PLAIN_MPR;
        } else if (strcmp(arg, "--json") == 0) {
            q->json = true;
        } else if (strcmp(arg, "--bench") == 0 || strncmp(arg, "--bench=", 8) == 0) {
            const char *number = arg[7] ? arg + 8 : i + 1 < argc ? argv[++i] : "";
            char *rest;
            q->bench = strtol(number, &rest, 10);
            if (*rest || q->bench < 1 || q->bench > MOST_REPETITIONS)
                return usage("--bench needs a number of repetitions up to 10^9, not", number);
        } else if (arg[0] == '-' && arg[1]) {
            return usage("no such option:", arg);
        } else if (q->file) {
            return usage("one file, please; the second is", arg);
        } else {
            q->file = arg;
        }
    }
    return q->file ? 0 : usage("which file?", NULL);
}

// The whole file, or standard input for "-"; null after saying why.
static char *read_all(const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    *length = 0;
    if (!file) {
        cli_complain("segue distance: cannot open %s\n", path);
        return NULL;
    }
    for (size_t got = 1; got > 0;) {
        if (*length + 65536 > room) {
            room = 2 * room + 65536;
            char *more = realloc(text, room);
            if (!more) {
                cli_complain("segue distance: %s is too large for the memory\n", path);
                free(text);
                text = NULL;
                break;
            }
            text = more;
        }
        got = fread(text + *length, 1, room - *length, file);
        *length += got;
    }
    if (text && ferror(file)) {
        cli_complain("segue distance: cannot read %s\n", path);
        free(text);
        text = NULL;
    }
    if (file != stdin)
        fclose(file);
    return text;
}

static void print_vector(const char *label, const double v[3])
{
    cli_print(", \"%s\": [%.17g, %.17g, %.17g]", label, v[0], v[1], v[2]);
}

static void print_answer(const sg_distance_case *k, const sg_distance_answer *r, bool json)
{
    const double *n = r->normal, *a = r->a, *b = r->b;
    if (!json) {
        cli_print("%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %d\n", k->id,
                  r->delta, n[0], n[1], n[2], a[0], a[1], a[2], b[0], b[1], b[2], r->iterations);
        return;
    }
    cli_print("{\"id\": ");
    cli_print_json(k->id);
    cli_print(", \"delta\": %.17g", r->delta);
    print_vector("normal", n);
    print_vector("a", a);
    print_vector("b", b);
    cli_print(
        ", \"iterations\": %d, \"phase2\": %d, \"phase3\": %d, \"stage2\": %d, \"supports\": %d",
        r->iterations, r->phase2, r->phase3, r->stage2, r->support_points);
    if (r->error_bound < 1e300)
        cli_print(", \"error_bound\": %.3g", r->error_bound);
    if (r->message) {
        cli_print(", \"warning\": ");
        cli_print_json(r->message);
    }
    cli_print("}\n");
}

static void print_failure(const sg_distance_case *k, const char *message, bool json)
{
    if (!json) {
        cli_print("%s error %s\n", k->id, message);
        return;
    }
    cli_print("{\"id\": ");
    cli_print_json(k->id);
    cli_print(", \"error\": ");
    cli_print_json(message);
    cli_print("}\n");
}

static const char *ask(sg_distance_query *query, const sg_distance_case *k, sg_distance_answer *r)
{
    if (k->message)
        return k->message;
    sg_distance_query_reset(query); // cases have nothing to do with each other
    sg_status status = sg_distance_between(query, k->a, &k->place_a, k->b, &k->place_b, r);
    return status == SG_OK ? NULL : r->message ? r->message : "no answer";
}

static int answer_all(const sg_distance_cases *cases, sg_distance_query *query, bool json)
{
    int status = 0;
    for (size_t i = 0; i < sg_distance_cases_count(cases); i++) {
        const sg_distance_case *k = sg_distance_cases_get(cases, i);
        sg_distance_answer r;
        const char *failure = ask(query, k, &r);
        if (failure) {
            print_failure(k, failure, json);
            status = 2;
        } else {
            print_answer(k, &r, json);
            if (r.message && !json) // which has it in the line
                cli_complain("segue distance: warning: case %s: %s\n", k->id, r.message);
        }
    }
    return status;
}

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct group {
    const char *type_a, *type_b, *regime;
    double time;
    long queries;
} group;

static group *group_of(group *groups, size_t *n, const char *a, const char *b, const char *regime)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(groups[i].type_a, a) == 0 && strcmp(groups[i].type_b, b) == 0 &&
            strcmp(groups[i].regime, regime) == 0)
            return &groups[i];
    groups[*n] = (group){.type_a = a, .type_b = b, .regime = regime};
    return &groups[(*n)++];
}

// Mean time of a query in microseconds, by pair of types and regime and by regime alone.
static int bench_all(const sg_distance_cases *cases, sg_distance_query *query, long repeat,
                     bool json)
{
    size_t count = sg_distance_cases_count(cases), n = 0;
    group *groups = calloc(2 * count + 1, sizeof *groups);
    if (!groups) {
        cli_complain("segue distance: out of memory\n");
        return 6;
    }
    for (size_t i = 0; i < count; i++) {
        const sg_distance_case *k = sg_distance_cases_get(cases, i);
        sg_distance_answer r;
        double start = clock_seconds();
        for (long j = 0; j < repeat; j++)
            ask(query, k, &r);
        double time = clock_seconds() - start;
        group *to[2] = {group_of(groups, &n, k->type_a, k->type_b, k->regime),
                        group_of(groups, &n, "all", "all", k->regime)};
        for (int g = 0; g < 2; g++) {
            to[g]->time += time;
            to[g]->queries += repeat;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const group *g = &groups[i];
        double microseconds = 1e6 * g->time / (double)g->queries;
        if (json)
            cli_print(
                "{\"a\": \"%s\", \"b\": \"%s\", \"regime\": \"%s\", \"microseconds\": %.4f}\n",
                g->type_a, g->type_b, g->regime, microseconds);
        else
            cli_print("%-10s %-10s %-10s %9.3f us\n", g->type_a, g->type_b, g->regime,
                      microseconds);
    }
    free(groups);
    return 0;
}

static int measure(int argc, char **argv)
{
    distance_request q;
    size_t length;
    int status = parse_arguments(argc, argv, &q);
    if (status)
        return status < 0 ? 0 : status;
    if (!cli_begin_limited(&q.file, 1, NULL))
        return 1;
    char *text = read_all(q.file, &length);
    if (!text)
        return 1;
    sg_distance_cases *cases = NULL;
    sg_distance_query *query = NULL;
    sg_distance_query_options settings = sg_distance_query_options_make();
    settings.mode = q.mode;
    sg_diags *diags = sg_diags_create(NULL);
    sg_status read = sg_distance_cases_read(NULL, text, length, diags, &cases);
    free(text);
    if (read != SG_OK) {
        const sg_diag *first = sg_diags_get(diags, 0);
        const char *why = first ? first->message : "out of memory";
        unsigned long line = 0;
        if (strncmp(why, "line ", 5) == 0) { // "line 3: what is wrong"
            char *behind;
            line = strtoul(why + 5, &behind, 10);
            why = strncmp(behind, ": ", 2) == 0 ? behind + 2 : why;
        }
        cli_complain("%s:%lu: error: %s\n", q.file, line, why);
        sg_diags_destroy(diags);
        return read == SG_ERR_MEMORY ? 6 : 2;
    }
    sg_diags_destroy(diags);
    if (sg_distance_query_create(NULL, &settings, &query) != SG_OK) {
        cli_complain("segue distance: out of memory\n");
        status = 6;
    } else if (q.bench) {
        status = bench_all(cases, query, q.bench, q.json);
    } else {
        status = answer_all(cases, query, q.json);
    }
    sg_distance_query_destroy(query);
    sg_distance_cases_destroy(cases);
    return status;
}

int sg_cmd_distance(int argc, char **argv) { return cli_run_limited(argc, argv, measure); }
