#include "study/metric.h"

#include "base/diags.h"
#include "base/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum node_kind {
    NUMBER,
    SIGNAL,
    NEGATE,
    BINARY,
    FUNCTION, // of one number
    REDUCE,   // of a curve
    PAIR,     // of two numbers: min, max, atan
} node_kind;

typedef enum reduction {
    FIRST,
    LAST,
    LEAST,
    GREATEST,
    MEAN,
    RMS,
    INTEGRAL,
    WHEN,
    EVENT,
    EVENTS,
    CONTACTS,
    DURATION
} reduction;

struct sg_metric_node {
    node_kind kind;
    int which; // reduction, function, or letter of an operator
    double number;
    const char *text;
    const sg_metric_node *a, *b;
};

// ---- functions of one number ----------------------------------------------------------------

static const char *const functions[] = {
#define SG_FUNCTION(NAME, name, f, slope, derivative, units, least, most) name,
#define SG_FUNCTION_OWN(NAME, name, f, slope, derivative, units) name,
#include "base/functions_list.h"
    "abs",
    "sign",
};
enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

static double call(int which, double x)
{
    int i = 0;
#define SG_FUNCTION(NAME, name, f, slope, derivative, units, least, most)                          \
    if (which == i++)                                                                              \
        return f;
#define SG_FUNCTION_OWN(NAME, name, f, slope, derivative, units)                                   \
    if (which == i++)                                                                              \
        return f;
#include "base/functions_list.h"
    return which == i ? fabs(x) : sg_sign(x);
}

static const struct {
    const char *name;
    reduction which;
} reductions[] = {{"first", FIRST},       {"last", LAST},         {"min", LEAST},
                  {"max", GREATEST},      {"mean", MEAN},         {"rms", RMS},
                  {"integral", INTEGRAL}, {"when", WHEN},         {"event", EVENT},
                  {"events", EVENTS},     {"contacts", CONTACTS}, {"duration", DURATION}};

// ---- reading --------------------------------------------------------------------------------

typedef struct metric_reader {
    sg_arena *arena;
    const char *at, *whole;
    sg_diags *diags;
    bool failed;
    int depth;
} metric_reader;

enum { MOST_DEPTH = 100 };

static sg_metric_node *fail(metric_reader *r, const char *why)
{
    if (!r->failed && r->diags)
        sg_error(r->diags, SG_E_USAGE, (sg_span){0}, "--metric '%s': %s at '%.40s'", r->whole, why,
                 *r->at ? r->at : "the end");
    r->failed = true;
    return NULL;
}

static sg_metric_node *node(metric_reader *r, sg_metric_node content)
{
    sg_metric_node *n = r->failed ? NULL : SG_NEW(r->arena, sg_metric_node);
    if (!n) {
        r->failed = true;
        return NULL;
    }
    *n = content;
    return n;
}

static void skip(metric_reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool take(metric_reader *r, const char *word)
{
    skip(r);
    size_t n = strlen(word);
    if (strncmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c > 127;
}

static const sg_metric_node *read_comparison(metric_reader *r);

// name { "." name } [ "der(" ... ")" ] [ "[" ... "]" ]
static size_t signal_length(const char *text)
{
    const char *c = text;
    for (;;) {
        while (is_name(*c))
            c++;
        bool derivative = *c == '(' && c - text >= 3 && strncmp(c - 3, "der", 3) == 0 &&
                          (c - text == 3 || c[-4] == '.');
        if (derivative) {
            int open = 0;
            const char *d = c;
            do {
                open += (*d == '(') - (*d == ')');
                d += *d != '\0';
            } while (*d && open > 0);
            c = d;
        }
        if (*c != '.' || !is_name(c[1]) || isdigit((unsigned char)c[1]))
            break;
        c++;
    }
    if (*c == '[') {
        const char *close = strchr(c, ']');
        c = close ? close + 1 : c;
    }
    return (size_t)(c - text);
}

static const sg_metric_node *read_call(metric_reader *r, const char *name, size_t length)
{
    sg_metric_node n = {0};
    const char *begin = r->at;
    take(r, "(");
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++)
        if (strlen(reductions[i].name) == length && memcmp(reductions[i].name, name, length) == 0)
            n = (sg_metric_node){.kind = REDUCE, .which = (int)reductions[i].which};
    for (int i = 0; i < N_FUNCTIONS && n.kind != REDUCE; i++)
        if (strlen(functions[i]) == length && memcmp(functions[i], name, length) == 0)
            n = (sg_metric_node){.kind = FUNCTION, .which = i};
    if (n.kind == NUMBER) {
        r->at = name;
        return fail(r, "there is no such function");
    }
    bool counts =
        n.kind == REDUCE && (n.which == EVENTS || n.which == CONTACTS || n.which == DURATION);
    skip(r);
    if (n.kind == REDUCE && n.which == EVENT) {
        const char *close = *r->at == '"' ? strchr(r->at + 1, '"') : NULL;
        if (!close)
            return fail(r, "event wants a part of its text in quotes");
        n.text = sg_arena_text(r->arena, r->at + 1, (size_t)(close - r->at - 1));
        r->at = close + 1;
    } else if (!counts) {
        n.a = read_comparison(r);
        if (n.kind == REDUCE && (n.which == LEAST || n.which == GREATEST) && take(r, ",")) {
            n.kind = PAIR;
            n.b = read_comparison(r);
        }
    }
    if (!r->failed && !take(r, ")"))
        return fail(r, "')' is expected");
    (void)begin;
    return node(r, n);
}

static const sg_metric_node *read_primary(metric_reader *r)
{
    skip(r);
    if (take(r, "(")) {
        const sg_metric_node *inner = read_comparison(r);
        return r->failed || take(r, ")") ? inner : fail(r, "')' is expected");
    }
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1]))) {
        char *end;
        double number = strtod(r->at, &end);
        r->at = end;
        return node(r, (sg_metric_node){.kind = NUMBER, .number = number});
    }
    if (!is_name(*r->at))
        return fail(r, "a number, a signal or a function is expected");
    const char *name = r->at;
    size_t length = signal_length(name);
    r->at += length;
    skip(r);
    if (*r->at == '(')
        return read_call(r, name, length);
    return node(r, (sg_metric_node){.kind = SIGNAL, .text = sg_arena_text(r->arena, name, length)});
}

static const sg_metric_node *read_unary(metric_reader *r);

// primary [ "^" unary ]
static const sg_metric_node *read_power(metric_reader *r)
{
    const sg_metric_node *a = read_primary(r);
    if (!take(r, "^"))
        return a;
    return node(r, (sg_metric_node){.kind = BINARY, .which = '^', .a = a, .b = read_unary(r)});
}

static const sg_metric_node *read_unary(metric_reader *r)
{
    if (++r->depth > MOST_DEPTH)
        return fail(r, "it is nested too deeply");
    const sg_metric_node *n = take(r, "-")
                                  ? node(r, (sg_metric_node){.kind = NEGATE, .a = read_unary(r)})
                                  : read_power(r);
    r->depth--;
    return n;
}

static const sg_metric_node *read_product(metric_reader *r)
{
    const sg_metric_node *a = read_unary(r);
    for (;;) {
        int which = take(r, "*") ? '*' : take(r, "/") ? '/' : 0;
        if (!which || r->failed)
            return a;
        a = node(r, (sg_metric_node){.kind = BINARY, .which = which, .a = a, .b = read_unary(r)});
    }
}

static const sg_metric_node *read_sum(metric_reader *r)
{
    const sg_metric_node *a = read_product(r);
    for (;;) {
        int which = take(r, "+") ? '+' : take(r, "-") ? '-' : 0;
        if (!which || r->failed)
            return a;
        a = node(r, (sg_metric_node){.kind = BINARY, .which = which, .a = a, .b = read_product(r)});
    }
}

static const sg_metric_node *read_comparison(metric_reader *r)
{
    const sg_metric_node *a = read_sum(r);
    int which = take(r, "<=")   ? 'l'
                : take(r, ">=") ? 'g'
                : take(r, "<")  ? '<'
                : take(r, ">")  ? '>'
                                : 0;
    if (!which || r->failed)
        return a;
    return node(r, (sg_metric_node){.kind = BINARY, .which = which, .a = a, .b = read_sum(r)});
}

sg_status sg_metric_read(sg_arena *arena, const char *text, sg_diags *diags, sg_metric *out)
{
    const char *at = text;
    while (is_name(*at))
        at++;
    bool named = at != text && *at == '=' && !isdigit((unsigned char)*text);
    metric_reader r = {.arena = arena, .at = named ? at + 1 : text, .whole = text, .diags = diags};
    skip(&r);
    *out = (sg_metric){.name = named ? sg_arena_text(arena, text, (size_t)(at - text)) : NULL,
                       .text = sg_arena_text(arena, r.at, strlen(r.at))};
    out->root = read_comparison(&r);
    skip(&r);
    if (!r.failed && *r.at)
        fail(&r, "nothing more is expected");
    if (r.failed || !out->root || !out->text)
        return arena->failed ? SG_ERR_MEMORY : SG_ERR_USAGE;
    out->name = named ? out->name : out->text;
    return out->name ? SG_OK : SG_ERR_MEMORY;
}

// ---- signals --------------------------------------------------------------------------------

static void tell_signals(const sg_metric_node *n, void (*tell)(void *context, const char *name),
                         void *context)
{
    if (!n)
        return;
    if (n->kind == SIGNAL)
        tell(context, n->text);
    tell_signals(n->a, tell, context);
    tell_signals(n->b, tell, context);
}

void sg_metric_signals(const sg_metric *metric, void (*tell)(void *context, const char *name),
                       void *context)
{
    tell_signals(metric->root, tell, context);
}

const char *sg_metric_bare(const sg_metric *metric)
{
    return metric->root && metric->root->kind == SIGNAL ? metric->root->text : NULL;
}

// ---- asked_run -----------------------------------------------------------------------------

// A number, or a curve over the points.
typedef struct value {
    double number;
    const double *curve;
} value;

typedef struct asked_run {
    const sg_metric *metric;
    const sg_result *result;
    sg_arena *scratch;
    sg_metric_lookup *lookup;
    void *context;
    sg_diags *diags;
    size_t n; // points
    const double *time;
    sg_status status;
} asked_run;

// What there is instead; of many signals the first ones.
static void tell_unknown(const asked_run *e, const char *name)
{
    enum { LISTED = 12 };
    const sg_result *r = e->result;
    const char **names = SG_NEW_ARRAY(e->scratch, const char *, r->n_signals + 1);
    const char *list = "";
    for (size_t i = 0; i < r->n_signals && names && list; i++) {
        names[i] = r->signals[i].signal.name;
        if (i < LISTED)
            list = sg_arena_printf(e->scratch, "%s%s%s", list, i ? ", " : "", names[i]);
    }
    const char *closest = names ? sg_closest_name(name, names, r->n_signals) : NULL;
    sg_error(e->diags, SG_E_USAGE, (sg_span){0},
             "--metric '%s': there is no signal '%s'%s%s%s (there %s %s%s)", e->metric->text, name,
             closest ? "; did you mean '" : "", closest ? closest : "", closest ? "'?" : "",
             r->n_signals == 1 ? "is" : "are", list && *list ? list : "none",
             r->n_signals > LISTED ? ", ..." : "");
}

// Is it an element of a vector, or a parameter, of which sg_result_values knows more?
static bool is_known(const sg_result *r, const char *name)
{
    size_t length = strcspn(name, "[");
    for (size_t i = 0; i < r->n_parameters; i++)
        if (strncmp(r->parameters[i].name, name, length) == 0 && !r->parameters[i].name[length])
            return true;
    for (size_t i = 0; i < r->n_signals; i++) {
        const char *known = r->signals[i].signal.name;
        if (strcmp(known, name) == 0 || (strncmp(known, name, length) == 0 && !known[length]))
            return true;
    }
    return false;
}

static const double *curve_of(asked_run *e, const char *name)
{
    double *values = SG_NEW_ARRAY(e->scratch, double, e->n + 1);
    if (!values) {
        e->status = SG_ERR_MEMORY;
        return NULL;
    }
    bool time = strcmp(name, "time") == 0, known = time || is_known(e->result, name);
    sg_status status = sg_result_values(e->result, name, 0, e->n, values, known ? e->diags : NULL);
    if (status == SG_ERR_USAGE && !known && e->diags)
        tell_unknown(e, name);
    e->status = status != SG_OK ? status : e->status;
    return values;
}

static value at_name(asked_run *e, const char *name)
{
    bool found = false;
    double known = e->lookup ? e->lookup(e->context, name, &found) : 0.0;
    return found ? (value){.number = known} : (value){.curve = curve_of(e, name)};
}

static double at(value v, size_t i) { return v.curve ? v.curve[i] : v.number; }

static double operate(int which, double a, double b)
{
    switch (which) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    case '^':
        return pow(a, b);
    case '<':
        return a < b;
    case '>':
        return a > b;
    case 'l':
        return a <= b;
    default:
        return a >= b;
    }
}

// Point by point. What is missing in one of them is missing.
static value apply(asked_run *e, const sg_metric_node *n, value a, value b)
{
    double *values = NULL;
    size_t count = 1;
    if (a.curve || b.curve) {
        values = SG_NEW_ARRAY(e->scratch, double, e->n + 1);
        count = e->n;
        if (!values) {
            e->status = SG_ERR_MEMORY;
            return (value){0};
        }
    }
    double number = 0.0;
    for (size_t i = 0; i < count; i++) {
        double x = at(a, i), y = at(b, i);
        bool gone = sg_is_missing(x) || sg_is_missing(y);
        double z = gone                  ? sg_missing()
                   : n->kind == NEGATE   ? -x
                   : n->kind == FUNCTION ? call(n->which, x)
                   : n->kind == PAIR     ? (n->which == LEAST ? sg_min(x, y) : sg_max(x, y))
                                         : operate(n->which, x, y);
        if (values)
            values[i] = z;
        else
            number = z;
    }
    return (value){.number = number, .curve = values};
}

// Trapezoids between neighboring points where the curve is there; events have two points.
static void integrate(const asked_run *e, value v, bool squared, double *sum, double *length)
{
    *sum = *length = 0.0;
    for (size_t i = 1; i < e->n; i++) {
        double x = at(v, i - 1), y = at(v, i), h = e->time[i] - e->time[i - 1];
        if (sg_is_missing(x) || sg_is_missing(y))
            continue;
        // A parabola for squares of what is straight in between.
        *sum += h * (squared ? (x * x + x * y + y * y) / 3.0 : 0.5 * (x + y));
        *length += h;
    }
}

// The first time at which a condition holds. Where the model has an event there, so has the result
// two points at that time; else it is found between two points by a straight line of what is
// compared.
static double first_time(asked_run *e, const sg_metric_node *n, value v);
static value evaluate(asked_run *e, const sg_metric_node *n);

static double first_time(asked_run *e, const sg_metric_node *n, value v)
{
    bool compared = n->kind == BINARY && strchr("<>lg", n->which);
    value a = {0}, b = {0};
    if (compared) {
        a = evaluate(e, n->a);
        b = evaluate(e, n->b);
    }
    for (size_t i = 0; i < e->n && e->status == SG_OK; i++) {
        double x = at(v, i);
        if (sg_is_missing(x) || !(x > 0.0))
            continue;
        if (!compared || i == 0)
            return e->time[i];
        double before = at(a, i - 1) - at(b, i - 1), after = at(a, i) - at(b, i);
        double part = before / (before - after);
        return part >= 0.0 && part <= 1.0 ? e->time[i - 1] + part * (e->time[i] - e->time[i - 1])
                                          : e->time[i];
    }
    return (double)NAN;
}

static double event_time(const asked_run *e, const char *text)
{
    for (size_t i = 0; i < e->result->n_events; i++)
        if (strstr(e->result->events[i].text, text))
            return e->result->events[i].time;
    return (double)NAN;
}

static double reduce(asked_run *e, const sg_metric_node *n)
{
    switch (n->which) {
    case EVENT:
        return event_time(e, n->text);
    case EVENTS:
        return (double)e->result->n_events;
    case CONTACTS:
        return (double)sg_result_contact_count(e->result);
    case DURATION:
        return e->n ? e->time[e->n - 1] - e->time[0] : 0.0;
    default:
        break;
    }
    value v = evaluate(e, n->a);
    if (e->status != SG_OK)
        return 0.0;
    if (n->which == WHEN)
        return first_time(e, n->a, v);
    double sum, length;
    if (n->which == INTEGRAL || n->which == MEAN || n->which == RMS) {
        integrate(e, v, n->which == RMS, &sum, &length);
        return n->which == INTEGRAL ? sum : n->which == MEAN ? sum / length : sqrt(sum / length);
    }
    double out = sg_missing();
    for (size_t i = 0; i < e->n; i++) {
        double x = at(v, i);
        if (sg_is_missing(x) || (n->which == FIRST && !sg_is_missing(out)))
            continue;
        out = n->which == FIRST || n->which == LAST || sg_is_missing(out) ? x
              : n->which == LEAST                                         ? sg_min(out, x)
                                                                          : sg_max(out, x);
    }
    return sg_is_missing(out) ? (double)NAN : out;
}

static value evaluate(asked_run *e, const sg_metric_node *n)
{
    if (e->status != SG_OK)
        return (value){0};
    switch (n->kind) {
    case NUMBER:
        return (value){.number = n->number};
    case SIGNAL:
        return strcmp(n->text, "time") == 0 ? (value){.curve = e->time} : at_name(e, n->text);
    case REDUCE:
        return (value){.number = reduce(e, n)};
    case NEGATE:
    case FUNCTION:
        return apply(e, n, evaluate(e, n->a), (value){0});
    case BINARY:
    case PAIR: {
        value a = evaluate(e, n->a), b = evaluate(e, n->b);
        return e->status == SG_OK ? apply(e, n, a, b) : a;
    }
    }
    return (value){0};
}

sg_status sg_metric_evaluate(const sg_metric *metric, const sg_result *result, sg_arena *scratch,
                             sg_metric_lookup *lookup, void *context, sg_diags *diags, double *out)
{
    asked_run e = {.metric = metric,
                   .result = result,
                   .scratch = scratch,
                   .lookup = lookup,
                   .context = context,
                   .diags = diags,
                   .n = (size_t)result->n_points};
    e.time = curve_of(&e, "time");
    value v = evaluate(&e, metric->root);
    if (e.status == SG_OK && v.curve) {
        if (diags)
            sg_error(diags, SG_E_USAGE, (sg_span){0},
                     "--metric '%s' is a curve: say which number of it is meant, such as last(...) "
                     "or max(...)",
                     metric->text);
        e.status = SG_ERR_USAGE;
    }
    *out = sg_is_missing(v.number) ? (double)NAN : v.number;
    return e.status;
}
