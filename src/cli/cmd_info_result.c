// segue info RESULT: what is in a result.
#include "commands.h"
#include "limited.h"
#include "report.h"
#include "segue/result.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

static const char help[] =
    "usage: segue info [options] RESULT [SIGNAL...]\n"
    "Lists the signals of a result with units, sizes and ranges, its parameters, segments and "
    "events,\n"
    "and the contacts of bodies: when they touched, how fast they came, how deep and hard they "
    "pressed.\n"
    "SIGNALs are names or patterns, as with --signals.\n"
    "  --signals GLOB   list only these; several with commas, or the option several times\n"
    "  --parameters     list every parameter, not only the first ones\n"
    "  --events         list every event\n"
    "  --contacts       list every contact, not only the deepest ones\n"
    "  --json           the same for programs\n" CLI_LIMITED_HELP
    "example, after segue run examples/first/rc_filter.jl:\n"
    "  segue info rc_filter-results C.v R.i\n";

typedef struct info_request {
    const char *path;
    sg_patterns patterns;
    bool parameters, events, contacts, json;
} info_request;

static int parse(int argc, char **argv, info_request *q)
{
    for (int i = 1; i < argc; i++) {
        const char *value;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cli_print("%s", help);
            return -1;
        }
        if (strcmp(argv[i], "--parameters") == 0) {
            q->parameters = true;
        } else if (strcmp(argv[i], "--events") == 0) {
            q->events = true;
        } else if (strcmp(argv[i], "--contacts") == 0) {
            q->contacts = true;
        } else if (strcmp(argv[i], "--json") == 0) {
            q->json = true;
        } else if (sg_option_value(argc, argv, &i, "--signals", &value)) {
            if (!value || !sg_patterns_add(&q->patterns, value))
                return sg_bad_usage("info", "--signals needs a pattern", NULL);
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return sg_bad_usage("info", "no such option:", argv[i]);
        } else if (!q->path) {
            q->path = argv[i];
        } else if (!sg_patterns_add(&q->patterns, argv[i])) {
            return sg_bad_usage("info", "out of memory", NULL);
        }
    }
    return q->path ? 0 : sg_bad_usage("info", "needs a result", NULL);
}

static bool is_wanted(const info_request *q, const char *name)
{
    for (size_t i = 0; i < q->patterns.n; i++)
        if (sg_glob_name(q->patterns.list[i], name))
            return true;
    return q->patterns.n == 0;
}

// The range over all elements.
static sg_status range_of(const sg_result *r, size_t i, sg_extent *all, sg_diags *diags)
{
    *all = (sg_extent){.min = (double)INFINITY, .max = -(double)INFINITY};
    uint32_t n = sg_signal_count(sg_result_signal(r, i));
    for (uint32_t e = 0; e < n; e++) {
        sg_extent x;
        sg_status status = sg_result_extent(r, i, e, &x, diags);
        if (status != SG_OK)
            return status;
        all->min = fmin(all->min, x.min);
        all->max = fmax(all->max, x.max);
        all->has_nan |= x.has_nan;
        all->has_missing |= x.has_missing;
    }
    return SG_OK;
}

static void print_size(uint32_t rank, const uint32_t size[2], char *out, size_t room)
{
    if (rank == 0)
        snprintf(out, room, "-");
    else if (rank == 1)
        snprintf(out, room, "%u", size[0]);
    else
        snprintf(out, room, "%ux%u", size[0], size[1]);
}

static const char *kind_of(const sg_signal *s)
{
    return s->state                        ? "state"
           : s->kind == SG_SIGNAL_ALIAS    ? "alias of"
           : s->kind == SG_SIGNAL_NEGATED  ? "minus"
           : s->kind == SG_SIGNAL_CONSTANT ? "constant"
                                           : "";
}

static sg_status print_signals(const info_request *q, const sg_result *r, sg_diags *diags)
{
    size_t n = sg_result_describe(r).n_signals, segments = sg_result_describe(r).n_segments;
    int width = 8;
    for (size_t i = 0; i < n; i++) {
        int length = (int)strlen(sg_result_signal(r, i)->name);
        width = length > width ? (length < 48 ? length : 48) : width;
    }
    cli_print("%-*s  %-12s %-7s %13s %13s\n", width, "signal", "unit", "size", "min", "max");
    for (size_t i = 0; i < n; i++) {
        const sg_signal *s = sg_result_signal(r, i);
        sg_extent x;
        char size[32];
        if (!is_wanted(q, s->name))
            continue;
        sg_status status = range_of(r, i, &x, diags);
        if (status != SG_OK)
            return status;
        print_size(s->rank, s->size, size, sizeof size);
        cli_print("%-*s  %-12s %-7s ", width, s->name, s->unit[0] ? s->unit : "-", size);
        if (x.min <= x.max)
            cli_print("%13.6g %13.6g", x.min + 0.0, x.max + 0.0); // no "-0"
        else
            cli_print("%13s %13s", "-", "-");
        const char *kind = kind_of(s);
        if (kind[0])
            cli_print("  %s%s%s", kind, s->alias[0] ? " " : "", s->alias);
        if (x.has_nan)
            cli_print("  has NaN");
        if (sg_result_signal_segments(r, i) < segments)
            cli_print("  in %zu of %zu segments", sg_result_signal_segments(r, i), segments);
        cli_print("\n");
    }
    return SG_OK;
}

static void print_parameters(const info_request *q, const sg_result *r)
{
    enum { FEW = 30 };
    size_t n = sg_result_describe(r).n_parameters, listed = 0, left_out = 0;
    for (size_t i = 0; i < n; i++) {
        const sg_parameter *p = sg_result_parameter_at(r, i);
        if (!is_wanted(q, p->name))
            continue;
        if (!q->parameters && listed == FEW) {
            left_out++;
            continue;
        }
        if (listed++ == 0)
            cli_print("\nparameters\n");
        cli_print("  %s = ", p->name);
        size_t count = p->rank == 0 ? 1 : (size_t)p->size[0] * p->size[1];
        if (p->type == SG_ELEMENT_TEXT)
            cli_print("\"%s\"", p->text);
        for (size_t k = 0; p->type != SG_ELEMENT_TEXT && k < count; k++)
            cli_print("%s%.9g", k ? " " : "", p->value[k]);
        cli_print("%s%s\n", p->unit[0] ? " " : "", p->unit);
    }
    if (left_out)
        cli_print("  and %zu more; --parameters lists all of them\n", left_out);
}

static void print_segments(const sg_result *r)
{
    size_t n = sg_result_describe(r).n_segments;
    cli_print("\nsegments\n");
    for (size_t i = 0; i < n; i++) {
        sg_segment_info s = sg_result_segment(r, i);
        cli_print("  %zu: %.9g to %.9g s, %llu points, %zu signals, %zu states%s%s\n", i + 1,
                  s.start, s.stop, (unsigned long long)s.n_points, s.n_signals, s.n_states,
                  s.action[0] ? ", " : "", s.action);
    }
}

static void print_events(const info_request *q, const sg_result *r)
{
    static const char *const kinds[] = {"time", "state", "restart", "segment", "action", "stop"};
    size_t n = sg_result_describe(r).n_events, counts[6] = {0};
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        counts[sg_result_event(r, i)->kind]++;
    cli_print("\nevents: %zu", n);
    for (size_t k = 0, first = 1; k < 6; k++)
        if (counts[k]) {
            cli_print("%s%zu %s", first ? " (" : ", ", counts[k], kinds[k]);
            first = 0;
        }
    cli_print(")\n");
    for (size_t i = 0; q->events && i < n; i++) {
        const sg_event_entry *e = sg_result_event(r, i);
        cli_print("  %.9g s: %s%s%s\n", e->time, kinds[e->kind], e->text[0] ? ", " : "", e->text);
    }
}

// ---- contacts -------------------------------------------------------------------------------

enum { FEW_CONTACTS = 20, CHUNK = 64 };

static void print_contact_head(void)
{
    cli_print("  %-13s %-13s %11s %11s %11s %11s  %-7s  %s\n", "begin [s]", "end [s]",
              "speed [m/s]", "depth [m]", "at [s]", "force [N]", "law", "objects");
}

static void print_contact(const sg_contact_entry *e)
{
    char end[32] = "lasts";
    if (!isnan(e->end))
        snprintf(end, sizeof end, "%.9g", e->end);
    cli_print("  %-13.9g %-13s %11.5g %11.5g %11.6g ", e->begin, end, e->speed, e->depth,
              e->depth_time);
    if (e->impulse != 0.0)
        cli_print("%11s  %-7s  %s, %s (impulse %.5g N s)\n", "-", e->law, e->object1, e->object2,
                  e->impulse);
    else
        cli_print("%11.5g  %-7s  %s, %s\n", e->force, e->law, e->object1, e->object2);
}

// By the greatest depth first; kept in order while they come.
static void keep_deepest(sg_contact_entry *most, size_t *n, const sg_contact_entry *e)
{
    size_t i = *n < FEW_CONTACTS ? (*n)++ : FEW_CONTACTS;
    if (i == FEW_CONTACTS && !(e->depth > most[i - 1].depth))
        return;
    i = i == FEW_CONTACTS ? i - 1 : i;
    for (; i > 0 && most[i - 1].depth < e->depth; i--)
        most[i] = most[i - 1];
    most[i] = *e;
}

typedef void (*contact_visit)(void *context, size_t index, const sg_contact_entry *e);

static sg_status visit_contacts(const sg_result *r, contact_visit visit, void *context,
                                sg_diags *diags)
{
    size_t n = sg_result_contact_count(r);
    sg_contact_entry list[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t some = n - i < CHUNK ? n - i : CHUNK;
        sg_status status = sg_result_contacts(r, i, some, list, diags);
        if (status != SG_OK)
            return status;
        for (size_t k = 0; k < some; k++)
            visit(context, i + k, &list[k]);
    }
    return SG_OK;
}

typedef struct deepest_contacts {
    sg_contact_entry most[FEW_CONTACTS];
    size_t n;
} deepest_contacts;

static void visit_deepest(void *context, size_t index, const sg_contact_entry *e)
{
    deepest_contacts *d = context;
    (void)index;
    keep_deepest(d->most, &d->n, e);
}

static void visit_text(void *context, size_t index, const sg_contact_entry *e)
{
    (void)context;
    (void)index;
    print_contact(e);
}

static sg_status print_contacts(const info_request *q, const sg_result *r, sg_diags *diags)
{
    size_t n = sg_result_contact_count(r);
    bool all = q->contacts || n <= FEW_CONTACTS;
    if (!n)
        return SG_OK;
    cli_print("\ncontacts: %zu%s\n", n,
              all ? "" : "; these are the deepest, --contacts lists all of them");
    for (size_t i = 0; i < sg_result_describe(r).n_attributes; i++) {
        const sg_attribute *a = sg_result_attribute_at(r, i);
        if (strcmp(a->key, "contacts.restitution") == 0)
            cli_print("restitution: %s\n", a->text);
        if (strcmp(a->key, "statistics.nIslands") == 0)
            cli_print("islands: at most %.0f, each with a solver of its own\n", a->number);
    }
    print_contact_head();
    if (all)
        return visit_contacts(r, visit_text, NULL, diags);
    deepest_contacts d = {.n = 0};
    sg_status status = visit_contacts(r, visit_deepest, &d, diags);
    for (size_t i = 0; status == SG_OK && i < d.n; i++)
        print_contact(&d.most[i]);
    return status;
}

static void visit_json(void *context, size_t index, const sg_contact_entry *e)
{
    static const char *const keys[] = {"begin",     "end",   "speed",     "depth",
                                       "depthTime", "force", "forceTime", "impulse"};
    const double x[] = {e->begin,      e->end,   e->speed,      e->depth,
                        e->depth_time, e->force, e->force_time, e->impulse};
    (void)context;
    cli_print("%s", index ? ",\n  {\"object1\": " : "\n  {\"object1\": ");
    cli_print_json(e->object1);
    cli_print("%s", ", \"object2\": ");
    cli_print_json(e->object2);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        cli_print(", \"%s\": ", keys[k]);
        cli_print_number(x[k]);
    }
    cli_print(", \"law\": ");
    cli_print_json(e->law);
    cli_print("}");
}

static sg_status print_text(const info_request *q, const sg_result *r, sg_diags *diags)
{
    sg_result_info info = sg_result_describe(r);
    cli_print("%s%s%s: %llu points from %.9g to %.9g s, %zu signals, %zu parameters%s\n", q->path,
              info.model[0] ? ", model " : "", info.model, (unsigned long long)info.n_points,
              info.start, info.stop, info.n_signals, info.n_parameters,
              info.finished ? info.outcome == SG_OK ? "" : ", the run failed"
                            : ", the run has not ended");
    sg_status status = print_signals(q, r, diags);
    if (status != SG_OK)
        return status;
    print_parameters(q, r);
    print_segments(r);
    print_events(q, r);
    return print_contacts(q, r, diags);
}

static sg_status json_signals(const info_request *q, const sg_result *r, sg_diags *diags)
{
    bool first = true;
    for (size_t i = 0; i < sg_result_describe(r).n_signals; i++) {
        const sg_signal *s = sg_result_signal(r, i);
        sg_extent x;
        if (!is_wanted(q, s->name))
            continue;
        sg_status status = range_of(r, i, &x, diags);
        if (status != SG_OK)
            return status;
        cli_print("%s", first ? "\n  {\"name\": " : ",\n  {\"name\": ");
        first = false;
        cli_print_json(s->name);
        cli_print("%s", ", \"unit\": ");
        cli_print_json(s->unit);
        cli_print(", \"size\": [");
        for (uint32_t k = 0; k < s->rank; k++)
            cli_print("%s%u", k ? ", " : "", s->size[k]);
        cli_print("%s", "], \"min\": ");
        cli_print_number(x.min);
        cli_print("%s", ", \"max\": ");
        cli_print_number(x.max);
        cli_print(", \"hasNaN\": %s, \"state\": %s, \"segments\": %zu",
                  x.has_nan ? "true" : "false", s->state ? "true" : "false",
                  sg_result_signal_segments(r, i));
        if (s->alias[0]) {
            cli_print(", \"%s\": ", s->kind == SG_SIGNAL_NEGATED ? "minus" : "alias");
            cli_print_json(s->alias);
        }
        cli_print("}");
    }
    return SG_OK;
}

static sg_status print_json(const info_request *q, const sg_result *r, sg_diags *diags)
{
    sg_result_info info = sg_result_describe(r);
    cli_print("%s", "{\"result\": ");
    cli_print_json(q->path);
    cli_print("%s", ", \"model\": ");
    cli_print_json(info.model);
    cli_print(", \"points\": %llu, \"finished\": %s, \"start\": ",
              (unsigned long long)info.n_points, info.finished ? "true" : "false");
    cli_print_number(info.start);
    cli_print("%s", ", \"stop\": ");
    cli_print_number(info.stop);
    cli_print("%s", ",\n \"signals\": [");
    sg_status status = json_signals(q, r, diags);
    if (status != SG_OK)
        return status;
    cli_print("%s", "],\n \"segments\": [");
    for (size_t i = 0; i < info.n_segments; i++) {
        sg_segment_info s = sg_result_segment(r, i);
        cli_print("%s", i ? ",\n  {\"start\": " : "\n  {\"start\": ");
        cli_print_number(s.start);
        cli_print("%s", ", \"stop\": ");
        cli_print_number(s.stop);
        cli_print(", \"points\": %llu, \"action\": ", (unsigned long long)s.n_points);
        cli_print_json(s.action);
        cli_print("}");
    }
    cli_print("%s", "],\n \"events\": [");
    for (size_t i = 0; i < info.n_events; i++) {
        const sg_event_entry *e = sg_result_event(r, i);
        cli_print("%s", i ? ",\n  {\"time\": " : "\n  {\"time\": ");
        cli_print_number(e->time);
        cli_print("%s", ", \"text\": ");
        cli_print_json(e->text);
        cli_print("}");
    }
    cli_print("%s", "],\n \"contacts\": [");
    status = visit_contacts(r, visit_json, NULL, diags);
    cli_print("]}\n");
    return status;
}

static int show_result(int argc, char **argv)
{
    info_request q = {0};
    int code = parse(argc, argv, &q);
    if (code == 0 && !cli_begin_limited(&q.path, 1, NULL))
        code = 1;
    if (code == 0) {
        sg_diags *diags = sg_diags_create(NULL);
        sg_result *result = NULL;
        sg_status status = diags ? sg_result_open(NULL, q.path, diags, &result) : SG_ERR_MEMORY;
        if (status == SG_OK)
            status = q.json ? print_json(&q, result, diags) : print_text(&q, result, diags);
        cli_flush();
        sg_report(diags, status);
        sg_result_destroy(result);
        sg_diags_destroy(diags);
        code = sg_exit_status(status);
    }
    sg_patterns_free(&q.patterns);
    return code < 0 ? 0 : code;
}

int sg_cmd_info_result(int argc, char **argv) { return cli_run_limited(argc, argv, show_result); }
