// study(model, ...): many runs of a model in the script itself, as a table.
//
// The runs are those of a handle (natives/live.h), one after the other in this process: a script
// starts no others. What the runs have to say goes to their rows, and the model is as it was when
// all is done.
#include "natives/study_functions.h"

#include "base/digits.h"
#include "lang/runtime.h"
#include "lang/strip.h"
#include "natives/live.h"
#include "natives/natives.h"
#include "natives/running.h"
#include "natives/simulate_arguments.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

// ---- functions as metrics -------------------------------------------------------------------

static bool is_callable(sg_value value)
{
    return sg_is(value, SG_OBJ_FUNCTION) || sg_is(value, SG_OBJ_CLOSURE);
}

static bool find_function(sg_module *module, sg_sym name, sg_value *out)
{
    *out = sg_module_get(module, name);
    if (is_callable(*out))
        return true;
    for (size_t i = 0; i < module->cells.len; i++) {
        const sg_cell *cell = (const sg_cell *)(uintptr_t)module->cells.entries[i].value;
        bool inner = sg_is(cell->value, SG_OBJ_MODULE) && cell->value.o != (sg_obj *)module &&
                     ((sg_module *)cell->value.o)->parent == module;
        if (inner && find_function((sg_module *)cell->value.o, name, out))
            return true;
    }
    return false;
}

bool sg_study_function(sg_session *session, const char *name, sg_value *out)
{
    sg_vm *vm = session->vm;
    sg_sym symbol = sg_vm_sym(vm, name);
    *out = sg_module_get(sg_vm_current_module(vm), symbol);
    return is_callable(*out) || find_function(vm->main, symbol, out);
}

sg_status sg_study_ask(sg_session *session, sg_value function, const char *name, sg_result *result,
                       double *out)
{
    sg_vm *vm = session->vm;
    sg_value table = sg_table_make(vm, sg_result_retain(result)), answer = SG_VALUE_NOTHING;
    if (table.tag == SG_UNDEF)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, function);
    sg_status status = sg_call_values(vm, function, &table, 1, &answer);
    if (status == SG_OK)
        status = sg_strip_to_si(vm, answer, &answer);
    sg_root_pop(vm, mark);
    if (status != SG_OK && !sg_session_goes_on(status))
        return status;
    if (status != SG_OK) {
        sg_report_exception(vm);
        return SG_ERR_CHECK;
    }
    *out = (double)NAN;
    if (answer.tag == SG_NOTHING || answer.tag == SG_MISSING || sg_to_float(answer, out))
        return SG_OK;
    if (answer.tag == SG_BOOL) {
        *out = answer.b ? 1.0 : 0.0;
        return SG_OK;
    }
    sg_error(&session->diags, SG_E_ARGUMENT, (sg_span){0},
             "the function '%s' of a metric returns no number", name);
    return SG_ERR_CHECK;
}

// ---- arguments ------------------------------------------------------------------------------

enum { MOST_TEXTS = 200 };

// Texts as the command takes them: "k=1,2,5", "peak=max(x)".
typedef struct text_list {
    const char *texts[MOST_TEXTS];
    sg_value functions[MOST_TEXTS]; // instead of an expression, or nothing
    size_t n;
} text_list;

typedef struct script_study {
    sg_session *session;
    sg_model_object *model;
    const sg_args *args;
    sg_arena arena;
    text_list vary, metrics;
    sg_study_options options;
    sg_study_run_options run_options;
    sg_study *study;
    sg_simulate_arguments simulation;
    sg_live live;
    bool lives;
    const sg_parameter *parameters;
    size_t n_parameters;
} script_study;

static sg_status refuse(script_study *s, const char *keyword, const char *what)
{
    return sg_raise(s->session->vm, "ArgumentError", SG_E_ARGUMENT, s->args->span,
                    "study: %s is %s", keyword, what);
}

static sg_status add_text(script_study *s, text_list *list, const char *keyword, const char *text,
                          sg_value function)
{
    if (list->n == MOST_TEXTS)
        return refuse(s, keyword, "at most 200 of them");
    if (!text)
        return SG_ERR_MEMORY;
    list->functions[list->n] = function;
    list->texts[list->n++] = text;
    return SG_OK;
}

// Numbers of a vector or a range as a list, to the last digit.
static sg_status add_numbers(script_study *s, text_list *list, const char *name, sg_value value)
{
    sg_vm *vm = s->session->vm;
    bool range = sg_is(value, SG_OBJ_RANGE), array = sg_is(value, SG_OBJ_ARRAY);
    size_t n = range ? (size_t)((sg_range *)value.o)->len : array ? ((sg_array *)value.o)->len : 1;
    sg_buf text;
    sg_buf_init(&text, s->session->allocator);
    sg_buf_printf(&text, "%s=", name);
    sg_status status = n ? SG_OK : refuse(s, "vary", "a value or more for each name");
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        double x;
        char digits[64];
        sg_value item = range   ? sg_range_get((sg_range *)value.o, i)
                        : array ? sg_array_get((sg_array *)value.o, i)
                                : value;
        if (item.tag == SG_BOOL)
            item = sg_int(item.b);
        status = sg_strip_to_si(vm, item, &item);
        if (status == SG_OK && !sg_to_float(item, &x))
            status = refuse(s, "vary",
                            "texts (\"k=1:5:9\"), or names with numbers, vectors of numbers or "
                            "texts: Map(k = [1, 2, 5], m = \"normal(1,0.1)\")");
        if (status != SG_OK)
            break;
        sg_buf_add(&text, digits, sg_format_shortest(x, digits));
        if (i + 1 < n)
            sg_buf_putc(&text, ',');
    }
    if (status == SG_OK)
        status = text.failed ? SG_ERR_MEMORY
                             : add_text(s, list, "vary",
                                        sg_arena_text(&s->arena, sg_buf_text(&text), text.len),
                                        SG_VALUE_NOTHING);
    sg_buf_free(&text);
    return status;
}

static sg_status add_named(script_study *s, text_list *list, const char *prefix, const char *name,
                           sg_value value);

static sg_status add_entries(script_study *s, text_list *list, const char *prefix, sg_value value)
{
    sg_vm *vm = s->session->vm;
    sg_status status = SG_OK;
    if (sg_is(value, SG_OBJ_DICT)) {
        sg_dict_entry e;
        for (size_t at = 0; status == SG_OK && sg_dict_next((sg_dict *)value.o, &at, &e);)
            status = add_named(s, list, prefix, sg_text_of(vm, e.key), e.value);
        return status;
    }
    const sg_tuple *tuple = (sg_tuple *)value.o;
    for (uint32_t i = 0; status == SG_OK && i < tuple->n; i++)
        status = add_named(s, list, prefix, sg_vm_text(vm, tuple->names[i]), tuple->items[i]);
    return status;
}

static sg_status add_named(script_study *s, text_list *list, const char *prefix, const char *name,
                           sg_value value)
{
    bool metric = list == &s->metrics;
    const char *keyword = metric ? "metric" : "vary";
    if (!name)
        return refuse(s, keyword, "made of names");
    const char *path = sg_arena_printf(&s->arena, "%s%s", prefix, name);
    if (!path)
        return SG_ERR_MEMORY;
    const char *text = sg_text_of(s->session->vm, value);
    if (text)
        return add_text(s, list, keyword, sg_arena_printf(&s->arena, "%s=%s", path, text),
                        SG_VALUE_NOTHING);
    if (!metric && (sg_is(value, SG_OBJ_DICT) || sg_is(value, SG_OBJ_NAMED_TUPLE)))
        return add_entries(s, list, sg_arena_printf(&s->arena, "%s.", path), value);
    if (!metric)
        return add_numbers(s, list, path, value);
    if (!is_callable(value))
        return refuse(s, keyword, "an expression or a function for each name");
    return add_text(s, list, keyword, sg_arena_printf(&s->arena, "%s=%s", path, path), value);
}

static sg_status add_value(script_study *s, text_list *list, sg_value value)
{
    sg_vm *vm = s->session->vm;
    bool metric = list == &s->metrics;
    const char *text = sg_text_of(vm, value);
    if (text)
        return add_text(s, list, metric ? "metric" : "vary",
                        sg_arena_text(&s->arena, text, strlen(text)), SG_VALUE_NOTHING);
    if (sg_is(value, SG_OBJ_PAIR)) {
        const sg_tuple *pair = (sg_tuple *)value.o;
        return add_named(s, list, "", sg_text_of(vm, pair->items[0]), pair->items[1]);
    }
    if (sg_is(value, SG_OBJ_DICT) || sg_is(value, SG_OBJ_NAMED_TUPLE))
        return add_entries(s, list, "", value);
    if (metric && sg_is(value, SG_OBJ_FUNCTION))
        return add_named(s, list, "", sg_vm_text(vm, ((sg_function *)value.o)->name), value);
    return metric ? refuse(s, "metric",
                           "an expression such as \"max(x)\" or \"peak=max(x)\", a function, or a "
                           "vector or Map of them")
                  : refuse(s, "vary", "a text such as \"k=1:5:9\", or a vector or Map of them");
}

static sg_status add_values(script_study *s, text_list *list, const char *keyword)
{
    const sg_value *value = sg_args_find(s->session->vm, s->args, keyword);
    sg_status status = SG_OK;
    if (!value || value->tag == SG_NOTHING)
        return SG_OK;
    if (sg_is(*value, SG_OBJ_ARRAY)) {
        const sg_array *array = (sg_array *)value->o;
        for (size_t i = 0; i < array->len && status == SG_OK; i++)
            status = add_value(s, list, sg_array_get(array, i));
        return status;
    }
    if (sg_is(*value, SG_OBJ_TUPLE)) {
        const sg_tuple *tuple = (sg_tuple *)value->o;
        for (uint32_t i = 0; i < tuple->n && status == SG_OK; i++)
            status = add_value(s, list, tuple->items[i]);
        return status;
    }
    return add_value(s, list, *value);
}

static sg_status whole_keyword(script_study *s, const char *keyword, uint64_t *out)
{
    const sg_value *value = sg_args_find(s->session->vm, s->args, keyword);
    if (!value || value->tag == SG_NOTHING)
        return SG_OK;
    if (value->tag != SG_INT || value->i < 0)
        return refuse(s, keyword, "a whole number, not negative");
    *out = (uint64_t)value->i;
    return SG_OK;
}

static sg_status text_keyword(script_study *s, const char *keyword, const char **out)
{
    const sg_value *value = sg_args_find(s->session->vm, s->args, keyword);
    if (!value || value->tag == SG_NOTHING)
        return SG_OK;
    *out = sg_text_of(s->session->vm, *value);
    return *out ? SG_OK : refuse(s, keyword, "a text");
}

static const char *const keywords[] = {"vary", "metric", "runs", "seed", "sampler", "keep"};

// The keywords that are not of the study are those of simulate!.
static sg_status read_simulation(script_study *s)
{
    const sg_args *args = s->args;
    sg_vm *vm = s->session->vm;
    sg_sym *kw = SG_NEW_ARRAY(&s->arena, sg_sym, args->n_kw + 1);
    sg_value *kwv = SG_NEW_ARRAY(&s->arena, sg_value, args->n_kw + 1);
    sg_span *spans = SG_NEW_ARRAY(&s->arena, sg_span, args->n + args->n_kw + 1);
    if (!kw || !kwv || !spans)
        return SG_ERR_MEMORY;
    uint32_t n = 0;
    for (uint32_t i = 0; i < args->n; i++)
        spans[i] = args->spans ? args->spans[i] : args->span;
    for (uint32_t i = 0; i < args->n_kw; i++) {
        bool mine = false;
        for (size_t k = 0; k < SG_COUNT(keywords) && !mine; k++)
            mine = strcmp(keywords[k], sg_vm_text(vm, args->kw[i])) == 0;
        if (mine)
            continue;
        spans[args->n + n] = args->spans ? args->spans[args->n + i] : args->span;
        kw[n] = args->kw[i];
        kwv[n++] = args->kwv[i];
    }
    sg_args rest = *args;
    rest.kw = kw;
    rest.kwv = kwv;
    rest.n_kw = n;
    rest.spans = spans;
    return sg_simulate_read(s->model, &rest, &s->simulation);
}

// What the list of messages has to say from here on is raised instead, so that it can be caught.
static sg_status raise_message(script_study *s, size_t first, sg_status status)
{
    sg_session *session = s->session;
    const char *text = "";
    for (size_t i = first; i < session->diags.len && !text[0]; i++)
        if (session->diags.list[i].severity == SG_ERROR)
            text = session->diags.list[i].message;
    const char *copy = sg_arena_text(&s->arena, text, strlen(text));
    sg_diags_cut(&session->diags, first);
    if (!copy)
        return SG_ERR_MEMORY;
    (void)status;
    return sg_raise(session->vm, "ArgumentError", SG_E_ARGUMENT, s->args->span, "study: %s", copy);
}

static sg_status read_arguments(script_study *s)
{
    s->options = sg_study_options_make();
    s->run_options = sg_study_run_options_make();
    sg_status status = add_values(s, &s->vary, "vary");
    if (status == SG_OK)
        status = add_values(s, &s->metrics, "metric");
    if (status == SG_OK)
        status = whole_keyword(s, "runs", &s->options.runs);
    if (status == SG_OK)
        status = whole_keyword(s, "seed", &s->options.seed);
    if (status == SG_OK)
        status = text_keyword(s, "sampler", &s->options.sampler);
    if (status == SG_OK)
        status = text_keyword(s, "keep", &s->run_options.keep);
    if (status == SG_OK)
        status = read_simulation(s);
    if (status != SG_OK)
        return status;
    s->options.vary = s->vary.texts;
    s->options.n_vary = s->vary.n;
    s->options.metrics = s->metrics.texts;
    s->options.n_metrics = s->metrics.n;
    size_t first = s->session->diags.len;
    status = sg_study_create(s->session->allocator, &s->options, &s->session->diags, &s->study);
    return status == SG_ERR_USAGE ? raise_message(s, first, status) : status;
}

// ---- the model behind the study -------------------------------------------------------------

static bool is_parameter(void *context, const char *name)
{
    const script_study *s = context;
    for (size_t i = 0; i < s->n_parameters; i++)
        if (strcmp(s->parameters[i].name, name) == 0)
            return s->parameters[i].rank == 0 && s->parameters[i].type != SG_ELEMENT_TEXT;
    return false;
}

static sg_status get_parameter(void *context, const char *name, double *value)
{
    script_study *s = context;
    sg_status status = s->live.stale ? sg_live_link(&s->live) : SG_OK;
    const sg_flat *flat = &s->model->instance.flat;
    sg_sym symbol = sg_vm_sym(s->session->vm, name);
    for (size_t i = 1; i < flat->pars.len && status == SG_OK; i++)
        if (flat->pars.data[i].name.i == symbol.i &&
            flat->pars.data[i].value.kind == SG_FLAT_NUMBER) {
            *value = flat->pars.data[i].value.numbers[0];
            return SG_OK;
        }
    return status == SG_OK ? SG_ERR_INTERNAL : status;
}

static sg_status set_value(script_study *s, const char *name, double value)
{
    const sg_flat *flat = &s->model->instance.flat;
    sg_sym symbol = sg_vm_sym(s->session->vm, name);
    for (size_t i = 0; i < s->live.n_inputs; i++)
        if (flat->vars.data[s->live.inputs[i].var].name.i == symbol.i)
            return sg_live_set_input(&s->live, i, &value, 1);
    return sg_live_set(&s->live, name, &value, 1);
}

static sg_status set(void *context, const char *name, double value)
{
    script_study *s = context;
    sg_diags *diags = &s->session->diags;
    sg_status status = isfinite(value) ? set_value(s, name, value) : SG_ERR_INPUT;
    if (status == SG_ERR_USAGE) {
        const char **names = SG_NEW_ARRAY(&s->arena, const char *, s->n_parameters + 1);
        for (size_t i = 0; names && i < s->n_parameters; i++)
            names[i] = s->parameters[i].name;
        const char *hint = names ? sg_closest_name(name, names, s->n_parameters) : NULL;
        sg_error(diags, SG_E_USAGE, (sg_span){0},
                 "the model has nothing to be set called '%s'%s%s%s", name,
                 hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
    }
    if (status == SG_ERR_INPUT)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "'%s' cannot be %g", name, value);
    return status;
}

static sg_status run(void *context, const char *signals, uint64_t seed,
                     const sg_study_run_options *options, sg_result **out)
{
    (void)options;
    script_study *s = context;
    sg_session *session = s->session;
    session->options.signals = signals;
    session->vm->random_state = seed;
    sg_status status = sg_live_run(&s->live);
    if (s->live.result)
        *out = sg_result_retain(s->live.result);
    return status;
}

static bool has_function(void *context, size_t metric, const char *name)
{
    script_study *s = context;
    sg_value function;
    return s->metrics.functions[metric].tag != SG_NOTHING ||
           (!is_parameter(context, name) && sg_study_function(s->session, name, &function));
}

static sg_status call(void *context, size_t metric, const char *name, sg_result *result,
                      double *value)
{
    script_study *s = context;
    sg_value function = s->metrics.functions[metric];
    if (function.tag == SG_NOTHING && !sg_study_function(s->session, name, &function))
        return SG_ERR_CHECK;
    return sg_study_ask(s->session, function, name, result, value);
}

// ---- the table ------------------------------------------------------------------------------

// Columns in the order of the table of the command.
typedef struct column_list {
    sg_array *columns[2 * MOST_TEXTS + 5];
    size_t n;
} column_list;

static bool add_column(script_study *s, sg_dict *table, column_list *list, const char *title,
                       sg_elem elem)
{
    sg_vm *vm = s->session->vm;
    sg_array *column = sg_vector_make(vm, elem, (size_t)s->study->plan.runs);
    if (!column)
        return false;
    for (size_t i = 0; elem == SG_ELEM_ANY && i < column->len; i++)
        column->v[i] = SG_VALUE_NOTHING;
    list->columns[list->n++] = column;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(column));
    sg_value key = sg_string_value(vm, title);
    bool put = key.tag != SG_UNDEF && sg_dict_put(vm, table, key, sg_object(column), s->args->span);
    sg_root_pop(vm, mark);
    return put;
}

static bool add_columns(script_study *s, sg_dict *table, column_list *list)
{
    const sg_study *study = s->study;
    bool ok = add_column(s, table, list, "run", SG_ELEM_INT);
    for (size_t i = 0; ok && i < study->plan.n; i++)
        ok = add_column(s, table, list, study->plan.variables[i].name, SG_ELEM_FLOAT);
    for (size_t i = 0; ok && i < study->n_metrics; i++)
        ok = add_column(s, table, list, study->metrics[i].name, SG_ELEM_FLOAT);
    ok = ok && add_column(s, table, list, "status", SG_ELEM_ANY) &&
         add_column(s, table, list, "message", SG_ELEM_ANY) &&
         add_column(s, table, list, "seed", SG_ELEM_INT);
    return ok && (!s->run_options.keep || add_column(s, table, list, "result", SG_ELEM_ANY));
}

static sg_status put_row(script_study *s, const column_list *list, sg_study_row *row)
{
    sg_vm *vm = s->session->vm;
    const sg_study *study = s->study;
    size_t at = (size_t)row->run, c = 0;
    sg_array *const *columns = list->columns;
    sg_array_store(columns[c++], at, sg_int((int64_t)row->run));
    for (size_t i = 0; i < study->plan.n; i++)
        columns[c++]->f[at] = study->values[i];
    for (size_t i = 0; i < study->n_metrics; i++)
        columns[c++]->f[at] = row->status == SG_OK ? study->found[i] : (double)NAN;
    columns[c++]->v[at] = sg_string_value(vm, study->word);
    columns[c++]->v[at] = sg_string_value(vm, study->told);
    sg_array_store(columns[c++], at, sg_int((int64_t)sg_plan_seed(&study->plan, row->run)));
    if (s->run_options.keep && row->result)
        columns[c]->v[at] = sg_table_make(vm, row->result);
    return vm->exception.tag == SG_UNDEF ? SG_OK : SG_ERR_MEMORY;
}

// ---- runs -----------------------------------------------------------------------------------

static sg_status make_runs(script_study *s, const column_list *list)
{
    sg_session *session = s->session;
    sg_study_host host = {.context = s,
                          .first_message = session->diags.len,
                          .may_change = s->model->instance.built.len > 0,
                          .is_parameter = is_parameter,
                          .get = get_parameter,
                          .set = set,
                          .run = run,
                          .has_function = has_function,
                          .call = call};
    sg_status status = SG_OK;
    for (uint64_t i = 0; i < s->study->plan.runs && status == SG_OK; i++) {
        sg_study_row row;
        status = sg_study_run_by(s->study, &host, &session->diags, i, &s->run_options, &row);
        if (status == SG_OK)
            status = put_row(s, list, &row);
        else if (status == SG_ERR_USAGE)
            return raise_message(s, host.first_message, status);
        if (status == SG_OK) // a limit of the script, not of the run
            status = sg_limits_check_slow(&session->vm->limits);
        sg_diags_cut(&session->diags, host.first_message);
    }
    return status;
}

// Runs are nobody's but the table's.
static void mute(sg_session_options *o)
{
    o->progress = NULL;
    o->finished = NULL;
    o->result_format = NULL;
    o->log = NULL;
    o->n_sinks = 0;
    o->n_settings = 0; // they are in the values already, and not to be told with each run
    o->stop_time = o->tolerance = o->atol = o->interval = (double)NAN;
    o->solver = NULL;
    o->balance = false;
    o->checks &= SG_SESSION_PATTERNS;
}

// What a run leaves in a model.
typedef struct model_before {
    sg_result *result;
    double *final_states;
    size_t n_final_states, cap_final_states;
    const char *solver;
    bool failed;
    uint64_t random_state;
    sg_value parameters;
    sg_session_options options;
} model_before;

static model_before save_model(script_study *s)
{
    sg_model_object *m = s->model;
    model_before before = {.result = m->result,
                           .final_states = m->final_states,
                           .n_final_states = m->n_final_states,
                           .cap_final_states = m->cap_final_states,
                           .solver = m->solver,
                           .failed = m->failed,
                           .random_state = s->session->vm->random_state,
                           .parameters = m->instance.parameters,
                           .options = s->session->options};
    m->result = NULL;
    m->final_states = NULL;
    m->n_final_states = m->cap_final_states = 0;
    mute(&s->session->options);
    s->session->told.held++;
    return before;
}

static void put_back(script_study *s, const model_before *before)
{
    sg_model_object *m = s->model;
    sg_session *session = s->session;
    const sg_allocator *a = session->allocator;
    sg_result_destroy(m->result);
    if (m->final_states)
        a->resize(a->context, m->final_states, m->cap_final_states * sizeof(double), 0);
    m->result = before->result;
    m->final_states = before->final_states;
    m->n_final_states = before->n_final_states;
    m->cap_final_states = before->cap_final_states;
    m->solver = before->solver;
    m->failed = before->failed;
    session->vm->random_state = before->random_state;
    m->instance.parameters = before->parameters;
    session->options = before->options;
    session->told.held--;
}

static sg_status begin(script_study *s)
{
    sg_session *session = s->session;
    size_t first = session->diags.len;
    sg_status status = sg_instance_evaluate(&s->model->instance, s->simulation.merge);
    if (status == SG_OK)
        status = sg_model_translate_again(s->model, s->args->span);
    if (status != SG_OK)
        return status == SG_ERR_MEMORY ? status : raise_message(s, first, status);
    s->lives = true;
    status = sg_live_init(&s->live, session, s->model);
    s->live.sim = s->simulation.sim;
    s->live.sim.log = s->live.sim.test_final_states = false;
    s->live.record = true;
    s->parameters = sg_running_parameters(s->model, &s->arena, &s->n_parameters);
    return s->parameters ? status : SG_ERR_MEMORY;
}

static sg_status make_table(script_study *s, sg_value *out)
{
    sg_vm *vm = s->session->vm;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_dict *table = sg_dict_make(vm, (sg_sym){0});
    column_list list = {.n = 0};
    if (!table || !sg_root_push(vm, sg_object(table)) || !add_columns(s, table, &list))
        return SG_ERR_MEMORY;
    model_before before = save_model(s);
    sg_root_push(vm, before.parameters);
    sg_status status = begin(s);
    if (status == SG_OK)
        status = make_runs(s, &list);
    if (s->lives)
        sg_live_destroy(&s->live);
    put_back(s, &before);
    sg_status again = sg_instance_evaluate(&s->model->instance, SG_VALUE_NOTHING);
    if (again == SG_OK)
        again = sg_model_translate_again(s->model, s->args->span);
    sg_root_pop(vm, mark);
    *out = sg_object(table);
    return status == SG_OK ? again : status;
}

// A check makes no run, but keeps what runs would go by, as simulate! does.
static void check(const script_study *s, sg_value *out)
{
    sg_model_object *m = s->model;
    m->experiment = s->simulation.sim;
    m->experiment.final_states = NULL;
    m->experiment.test_final_states = false;
    m->has_experiment = !s->simulation.no_stop;
    *out = sg_unknown_value(s->session->vm);
}

static sg_status study_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    if (sg_model_is_missing(vm, args, "study"))
        return SG_ERR_MODEL;
    script_study s = {
        .session = session, .model = sg_model_argument(vm, args, "study"), .args = args};
    if (!s.model)
        return SG_ERR_MODEL;
    if (s.model->running)
        return sg_raise(vm, "ErrorException", SG_E_ARGUMENT, args->span,
                        "study: the model '%s' is running already",
                        sg_vm_text(vm, s.model->instance.name));
    sg_arena_init(&s.arena, session->allocator);
    sg_status status = read_arguments(&s);
    if (status == SG_OK && session->options.check_only)
        check(&s, out);
    else if (status == SG_OK)
        status = make_table(&s, out);
    sg_simulate_arguments_free(vm, &s.simulation);
    sg_study_destroy(s.study);
    sg_arena_destroy(&s.arena);
    return sg_session_goes_on(status) ? status : sg_session_stop_script(vm, status, args->span);
}

bool sg_session_register_studies(sg_session *session)
{
    return sg_vm_offer(session->vm, sg_vm_module(session->vm, "Modia"), "study", study_native,
                       session,
                       "study(model, solver; vary = ..., metric = ..., runs = ..., "
                       "stopTime = ...)");
}
