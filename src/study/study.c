#include "study/study.h"

#include "base/assert.h"
#include "base/diags.h"
#include "base/digits.h"
#include "base/options.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <time.h>

sg_study_options sg_study_options_make(void)
{
    return (sg_study_options){.size = sizeof(sg_study_options)};
}

sg_study_run_options sg_study_run_options_make(void)
{
    return (sg_study_run_options){.size = sizeof(sg_study_run_options)};
}

void sg_study_put_field(sg_buf *to, const char *text)
{
    bool quoted = strpbrk(text, ",\"\n\r\t") != NULL;
    if (quoted)
        sg_buf_putc(to, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            sg_buf_putc(to, '"');
        sg_buf_putc(to, (unsigned char)*c < ' ' ? ' ' : *c);
    }
    if (quoted)
        sg_buf_putc(to, '"');
}

static void put_number(sg_buf *to, double x)
{
    char text[64];
    size_t n = sg_format_shortest(x, text);
    sg_buf_add(to, text, n);
}

// ---- made of options ------------------------------------------------------------------------

static void note_name(void *context, const char *name)
{
    sg_study *s = context;
    for (size_t i = 0; i < s->names.len; i++)
        if (strcmp(s->names.data[i].name, name) == 0)
            return;
    sg_study_name fresh = {.name = name};
    if (strcmp(name, "time") != 0 && !SG_PUSH(s->allocator, &s->names, fresh))
        s->line.failed = true;
}

static sg_status read_metrics(sg_study *s, const sg_study_options *o, sg_diags *diags)
{
    s->n_metrics = o->n_metrics;
    s->metrics = SG_NEW_ARRAY(&s->arena, sg_metric, o->n_metrics + 1);
    if (!s->metrics)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < o->n_metrics; i++) {
        sg_metric *m = &s->metrics[i];
        sg_status status = sg_metric_read(&s->arena, o->metrics[i], diags, m);
        if (status != SG_OK)
            return status;
        for (size_t k = 0; k < i; k++)
            if (strcmp(s->metrics[k].name, m->name) == 0) {
                if (diags)
                    sg_error(diags, SG_E_USAGE, (sg_span){0}, "the metric '%s' is there twice",
                             m->name);
                return SG_ERR_USAGE;
            }
    }
    return SG_OK;
}

// A table in which a title is there twice is read in as many ways as there are programs.
static sg_status check_titles(const sg_study *s, sg_diags *diags)
{
    static const char *const own[] = {"run", "status", "message", "seed", "failed", "time"};
    for (size_t i = 0; i < s->plan.n + s->n_metrics; i++) {
        bool varied = i < s->plan.n, taken = false;
        const char *name = varied ? s->plan.variables[i].name : s->metrics[i - s->plan.n].name;
        for (size_t k = 0; k < SG_COUNT(own); k++)
            taken |= strcmp(own[k], name) == 0;
        for (size_t k = 0; k < s->plan.n && !varied; k++)
            taken |= strcmp(s->plan.variables[k].name, name) == 0;
        if (!taken)
            continue;
        if (diags)
            sg_error(diags, SG_E_USAGE, (sg_span){0},
                     varied ? "the table has a column '%s' of its own: a variable of that name "
                              "cannot be varied"
                            : "the table has a column '%s' already; give the metric another name: "
                              "--metric 'NAME=EXPRESSION'",
                     name);
        return SG_ERR_USAGE;
    }
    return SG_OK;
}

static sg_status make_header(sg_study *s)
{
    sg_buf_clear(&s->line);
    sg_buf_puts(&s->line, "run");
    for (size_t i = 0; i < s->plan.n; i++) {
        sg_buf_putc(&s->line, ',');
        sg_study_put_field(&s->line, s->plan.variables[i].name);
    }
    for (size_t i = 0; i < s->n_metrics; i++) {
        sg_buf_putc(&s->line, ',');
        sg_study_put_field(&s->line, s->metrics[i].name);
    }
    sg_buf_puts(&s->line, ",status,message,seed");
    s->header = sg_arena_text(&s->arena, sg_buf_text(&s->line), s->line.len);
    return s->header && !s->line.failed ? SG_OK : SG_ERR_MEMORY;
}

static sg_status fill(sg_study *s, const sg_study_options *o, sg_diags *diags)
{
    sg_status status = sg_plan_make(&s->arena, o, diags, &s->plan);
    if (status == SG_OK)
        status = read_metrics(s, o, diags);
    if (status == SG_OK)
        status = check_titles(s, diags);
    if (status == SG_OK)
        status = make_header(s);
    if (status != SG_OK)
        return status;
    s->values = SG_NEW_ARRAY(&s->arena, double, s->plan.n + 1);
    s->found = SG_NEW_ARRAY(&s->arena, double, s->n_metrics + 1);
    return s->values && s->found ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_study_create(const sg_allocator *allocator, const sg_study_options *given,
                          sg_diags *diags, sg_study **out)
{
    sg_study_options o = sg_study_options_make();
    if (out)
        *out = NULL;
    if (!out || !sg_options_take(&o, sizeof o, given) || (o.n_vary && !o.vary) ||
        (o.n_metrics && !o.metrics))
        return SG_ERR_USAGE;
    allocator = sg_allocator_or_default(allocator);
    sg_study *s = allocator->resize(allocator->context, NULL, 0, sizeof *s);
    if (!s)
        return SG_ERR_MEMORY;
    *s = (sg_study){.allocator = allocator};
    sg_arena_init(&s->arena, allocator);
    sg_arena_init(&s->scratch, allocator);
    sg_buf_init(&s->signals, allocator);
    sg_buf_init(&s->line, allocator);
    sg_buf_init(&s->message, allocator);
    sg_status status = fill(s, &o, diags);
    if (status == SG_OK)
        *out = s;
    else
        sg_study_destroy(s);
    return status;
}

void sg_study_destroy(sg_study *s)
{
    if (!s)
        return;
    const sg_allocator *allocator = s->allocator;
    SG_VEC_FREE(s->allocator, &s->names);
    sg_buf_free(&s->signals);
    sg_buf_free(&s->line);
    sg_buf_free(&s->message);
    sg_arena_destroy(&s->scratch);
    sg_arena_destroy(&s->arena);
    allocator->resize(allocator->context, s, sizeof *s, 0);
}

// ---- what it consists of --------------------------------------------------------------------

uint64_t sg_study_count(const sg_study *s) { return s ? s->plan.runs : 0; }
size_t sg_study_variables(const sg_study *s) { return s ? s->plan.n : 0; }
size_t sg_study_metrics(const sg_study *s) { return s ? s->n_metrics : 0; }
const char *sg_study_header(const sg_study *s) { return s ? s->header : NULL; }

const char *sg_study_variable(const sg_study *s, size_t i)
{
    return s && i < s->plan.n ? s->plan.variables[i].name : NULL;
}

const char *sg_study_metric(const sg_study *s, size_t i)
{
    return s && i < s->n_metrics ? s->metrics[i].name : NULL;
}

sg_status sg_study_point(const sg_study *s, uint64_t run, double *values, size_t n, uint64_t *seed)
{
    if (!s || run >= s->plan.runs || n != s->plan.n || (n && !values))
        return SG_ERR_USAGE;
    for (size_t i = 0; i < n; i++)
        values[i] = sg_plan_value(&s->plan, &s->plan.variables[i], run);
    if (seed)
        *seed = sg_plan_seed(&s->plan, run);
    return SG_OK;
}

// ---- a run ----------------------------------------------------------------------------------

static const char *status_word(sg_status status)
{
    switch ((int)status) {
    case SG_OK:
        return "ok";
    case SG_ERR_INIT:
        return "no initial values";
    case SG_ERR_SOLVER:
        return "solver";
    case SG_ERR_LIMIT:
        return "limit";
    case SG_ERR_MEMORY:
        return "memory";
    case SG_ERR_CHECK:
        return "check";
    case SG_ERR_INPUT:
        return "value";
    default:
        return "model";
    }
}

static void make_row(sg_study *s, uint64_t run, const char *word, const char *message,
                     sg_study_row *row)
{
    sg_buf *line = &s->line;
    s->word = word;
    s->told = message;
    sg_buf_clear(line);
    sg_buf_printf(line, "%llu", (unsigned long long)run);
    for (size_t i = 0; i < s->plan.n; i++) {
        sg_buf_putc(line, ',');
        put_number(line, s->values[i]);
    }
    bool ok = strcmp(word, "ok") == 0;
    for (size_t i = 0; i < s->n_metrics; i++) {
        sg_buf_putc(line, ',');
        if (ok)
            put_number(line, s->found[i]);
    }
    sg_buf_putc(line, ',');
    sg_study_put_field(line, word);
    sg_buf_putc(line, ',');
    sg_study_put_field(line, message);
    sg_buf_printf(line, ",%llu", (unsigned long long)sg_plan_seed(&s->plan, run));
    row->line = sg_buf_text(line);
}

// A message without the folders of the file that it begins with: a table is the same wherever the
// model lies.
static const char *without_folders(const char *message)
{
    const char *colon = message;
    while (*colon && !(*colon == ':' && isdigit((unsigned char)colon[1])))
        colon++;
    const char *name = *colon ? colon : message;
    while (name > message && name[-1] != '/')
        name--;
    return memchr(message, ' ', (size_t)(name - message)) ? message : name;
}

// The first error, or else the first warning.
static const char *first_message(sg_study *s, const sg_diags *diags, size_t from)
{
    sg_buf_clear(&s->message);
    for (int severity = SG_ERROR; severity <= SG_WARNING; severity++)
        for (size_t i = from; i < sg_diags_count(diags); i++) {
            const sg_diag *d = sg_diags_get(diags, i);
            if (!d || (int)d->severity != severity ||
                (severity == SG_WARNING && d->code == SG_E_RESULT_SIGNAL)) // none at the start yet
                continue;
            if (severity == SG_WARNING)
                sg_buf_puts(&s->message, "warning: ");
            sg_buf_puts(&s->message, without_folders(d->message));
            size_t n = strlen(d->message), k = i + 1;
            if (n && d->message[n - 1] == ':') // what it speaks of follows in notes
                for (; k < sg_diags_count(diags); k++) {
                    const sg_diag *note = sg_diags_get(diags, k);
                    if (!note || note->severity != SG_NOTE)
                        break;
                    sg_buf_puts(&s->message, k == i + 1 ? " " : "; ");
                    sg_buf_puts(&s->message, note->message);
                }
            return sg_buf_text(&s->message);
        }
    return "";
}

static double look_up(void *context, const char *name, bool *found)
{
    const sg_study *s = context;
    for (size_t i = 0; i < s->names.len; i++)
        if (s->names.data[i].is_parameter && strcmp(s->names.data[i].name, name) == 0) {
            *found = true;
            return s->names.data[i].value;
        }
    return 0.0;
}

// What the names of metrics are, and which signals are to be stored for them. Signals are stored by
// globs of whole signals: an element of a vector brings the vector along. A function of the script
// may ask for any of them.
static void sort_out(sg_study *s, const sg_study_host *host)
{
    for (size_t i = 0; i < s->n_metrics && !s->sorted_out; i++) {
        sg_metric *m = &s->metrics[i];
        const char *name = sg_metric_bare(m);
        m->by_function = name && host->has_function(host->context, i, name);
        s->asks_functions |= m->by_function;
    }
    for (size_t i = 0; i < s->n_metrics && !s->sorted_out; i++)
        if (!s->metrics[i].by_function)
            sg_metric_signals(&s->metrics[i], note_name, s);
    for (size_t i = 0; i < s->names.len && !s->sorted_out; i++) {
        sg_study_name *name = &s->names.data[i];
        name->is_parameter = host->is_parameter(host->context, name->name);
        if (name->is_parameter)
            continue;
        if (s->signals.len)
            sg_buf_putc(&s->signals, ',');
        sg_buf_add(&s->signals, name->name, strcspn(name->name, "["));
    }
    s->sorted_out = true;
}

static sg_status take_parameters(sg_study *s, const sg_study_host *host)
{
    sg_status status = SG_OK;
    for (size_t i = 0; i < s->names.len && status == SG_OK; i++)
        if (s->names.data[i].is_parameter)
            status = host->get(host->context, s->names.data[i].name, &s->names.data[i].value);
    return status;
}

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Globs of what is stored: what the metrics need and what is kept. Null: all.
static const char *stored(sg_study *s, const char *keep)
{
    enum { MOST = 400 }; // a run takes so many patterns and some more
    if (s->asks_functions || s->names.len > MOST || (keep && strcmp(keep, "*") == 0))
        return NULL;
    sg_buf_clear(&s->line);
    if (s->signals.len)
        sg_buf_add(&s->line, sg_buf_text(&s->signals), s->signals.len);
    if (keep) {
        if (s->line.len)
            sg_buf_putc(&s->line, ',');
        sg_buf_puts(&s->line, keep);
    }
    return s->line.len ? sg_buf_text(&s->line) : NULL;
}

static sg_status set_values(sg_study *s, const sg_study_host *host)
{
    sg_status status = SG_OK;
    for (size_t i = 0; i < s->plan.n && status == SG_OK; i++)
        status = host->set(host->context, s->plan.variables[i].name, s->values[i]);
    return status;
}

static sg_status ask(sg_study *s, const sg_study_host *host, sg_result *result, sg_diags *diags)
{
    sg_status status = SG_OK;
    sg_arena_mark mark = sg_arena_mark_get(&s->scratch);
    for (size_t i = 0; i < s->n_metrics && status == SG_OK; i++)
        status =
            s->metrics[i].by_function
                ? host->call(host->context, i, sg_metric_bare(&s->metrics[i]), result, &s->found[i])
                : sg_metric_evaluate(&s->metrics[i], result, &s->scratch, look_up, s, diags,
                                     &s->found[i]);
    sg_arena_release(&s->scratch, mark);
    return status;
}

// Runs and asks. *asked: the run itself went through.
static sg_status run_and_ask(sg_study *s, const sg_study_host *host, sg_diags *diags,
                             const char *signals, uint64_t seed, const sg_study_run_options *o,
                             sg_result **result, bool *asked)
{
    sg_result_destroy(*result);
    *result = NULL;
    sg_status status = host->run(host->context, signals, seed, o, result);
    *asked = status == SG_OK;
    return *asked ? ask(s, host, *result, diags) : status;
}

static sg_status make_run(sg_study *s, const sg_study_host *host, sg_diags *diags, uint64_t seed,
                          const sg_study_run_options *o, sg_result **result, bool *asked)
{
    *asked = false;
    sg_status status = set_values(s, host);
    sort_out(s, host);
    if (status == SG_OK)
        status = take_parameters(s, host);
    if (status != SG_OK)
        return status;
    const char *signals = stored(s, o->keep);
    status = run_and_ask(s, host, diags, signals, seed, o, result, asked);
    if (status == SG_ERR_USAGE && signals && diags) { // once more, to say which signals there are
        sg_diags_cut(diags, host->first_message);
        status = run_and_ask(s, host, diags, NULL, seed, o, result, asked);
    }
    return *asked && status == SG_ERR_USAGE && host->may_change ? SG_ERR_CHECK : status;
}

sg_status sg_study_run_by(sg_study *s, const sg_study_host *host, sg_diags *diags, uint64_t run,
                          const sg_study_run_options *o, sg_study_row *row)
{
    uint64_t seed;
    if (sg_study_point(s, run, s->values, s->plan.n, &seed) != SG_OK)
        return SG_ERR_USAGE;
    *row = (sg_study_row){.run = run};
    double begin = cpu_now();
    sg_result *result = NULL;
    bool asked;
    sg_status status = make_run(s, host, diags, seed, o, &result, &asked);
    // Of a name or a metric that does not fit in any run there is no row.
    if (status == SG_ERR_INTERRUPT || status == SG_ERR_USAGE) {
        sg_result_destroy(result);
        return status;
    }
    row->status = status;
    make_row(s, run, asked && status == SG_ERR_CHECK ? "metric" : status_word(status),
             diags ? first_message(s, diags, host->first_message) : "", row);
    row->cpu_time = cpu_now() - begin;
    if (o->keep)
        row->result = result;
    else
        sg_result_destroy(result);
    return s->line.failed ? SG_ERR_MEMORY : SG_OK;
}

sg_status sg_study_lost(sg_study *s, uint64_t run, const char *why, sg_study_row *row)
{
    if (!s || !why || !row || sg_study_point(s, run, s->values, s->plan.n, NULL) != SG_OK)
        return SG_ERR_USAGE;
    *row = (sg_study_row){.run = run, .status = SG_ERR_IO};
    make_row(s, run, "crashed", why, row);
    return s->line.failed ? SG_ERR_MEMORY : SG_OK;
}
