#include "natives/simulate_arguments.h"

#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/strip.h"
#include "natives/natives.h"
#include "natives/overrides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const keywords[] = {"merge",
                                       "tolerance",
                                       "atol",
                                       "startTime",
                                       "stopTime",
                                       "interval",
                                       "interp_points",
                                       "dtmax",
                                       "adaptive",
                                       "nlinearMinForDAE",
                                       "log",
                                       "logStates",
                                       "logEvents",
                                       "logContacts",
                                       "logProgress",
                                       "logTiming",
                                       "logParameters",
                                       "logEvaluatedParameters",
                                       "requiredFinalStates",
                                       "requiredFinalStates_rtol",
                                       "requiredFinalStates_atol",
                                       "useRecursiveFactorizationUptoSize",
                                       "keep",
                                       "options",
                                       "analytic"};
enum { N_KEYWORDS = sizeof keywords / sizeof keywords[0], MOST_EXTRA = 64 };

// ---- reading the keywords -------------------------------------------------------------------

// Numbers that a keyword takes.
typedef enum number_kind {
    ANY_TIME,     // [s], or a quantity of that dimension; finite
    POSITIVE,     // a plain number
    NOT_NEGATIVE, // likewise
    DURATION      // like a time, and not negative
} number_kind;

static sg_status refuse(sg_vm *vm, const sg_args *args, const char *name, const char *what)
{
    return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span, "%s must be %s", name, what);
}

// A quantity must have the dimension of time where a time is wanted, and none elsewhere.
static bool has_right_unit(sg_vm *vm, sg_value value, bool time)
{
    sg_units *units = sg_runtime_of(vm)->units;
    if (!sg_is_quantity(value))
        return true;
    uint32_t second = sg_unit_parse(units, "s", 1, NULL, NULL, NULL);
    return sg_unit_same_dimension(units, sg_quantity_unit(value), time ? second : SG_UNIT_NONE);
}

static sg_status number_keyword(sg_vm *vm, const sg_args *args, const char *name, number_kind kind,
                                double *out)
{
    static const char *const wanted[] = {"a finite number of seconds, or a quantity of time",
                                         "a positive number", "a number that is not negative",
                                         "a duration that is not negative"};
    const sg_value *value = sg_args_find(vm, args, name);
    if (!value || value->tag == SG_NOTHING)
        return SG_OK;
    bool time = kind == ANY_TIME || kind == DURATION;
    if (!has_right_unit(vm, *value, time))
        return refuse(vm, args, name, wanted[kind]);
    sg_value plain;
    sg_status status = sg_strip_to_si(vm, *value, &plain);
    if (status != SG_OK)
        return status;
    if (plain.tag == SG_INT)
        *out = (double)plain.i;
    else if (plain.tag == SG_FLOAT || plain.tag == SG_FLOAT32)
        *out = plain.d;
    else
        return refuse(vm, args, name, wanted[kind]);
    bool fits =
        isfinite(*out) && (kind == ANY_TIME || *out > 0.0 || (kind != POSITIVE && *out == 0.0));
    return fits ? SG_OK : refuse(vm, args, name, wanted[kind]);
}

static sg_status flag_keyword(sg_vm *vm, const sg_args *args, const char *name, bool *out)
{
    const sg_value *value = sg_args_find(vm, args, name);
    if (!value || value->tag == SG_NOTHING)
        return SG_OK;
    if (value->tag != SG_BOOL)
        return refuse(vm, args, name, "true or false");
    *out = value->b;
    return SG_OK;
}

static sg_status read_keep(sg_session *session, const sg_args *args, sg_simulate_arguments *a)
{
    static const char *const names[] = {"all", "last", "none"};
    const sg_value *value = sg_args_find(session->vm, args, "keep");
    const char *text = value ? sg_text_of(session->vm, *value) : NULL;
    a->keep = session->options.keep;
    for (int i = 0; i < 3 && text; i++)
        if (strcmp(text, names[i]) == 0) {
            a->keep = (enum sg_keep)i;
            return SG_OK;
        }
    return value ? refuse(session->vm, args, "keep", ":all, :last or :none") : SG_OK;
}

static sg_status read_final_states(sg_vm *vm, const sg_args *args, sg_simulate_arguments *a)
{
    const sg_value *value = sg_args_find(vm, args, "requiredFinalStates");
    if (!value || value->tag == SG_MISSING || value->tag == SG_NOTHING)
        return SG_OK;
    sg_value plain;
    sg_status status = sg_strip_to_si(vm, *value, &plain);
    if (status != SG_OK)
        return status;
    if (!sg_is(plain, SG_OBJ_ARRAY))
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "requiredFinalStates must be a vector of numbers");
    const sg_array *array = (sg_array *)plain.o;
    a->final_states =
        vm->allocator->resize(vm->allocator->context, NULL, 0, (array->len + 1) * sizeof(double));
    if (!a->final_states)
        return SG_ERR_MEMORY;
    a->sim.n_final_states = array->len;
    for (size_t i = 0; i < array->len; i++)
        if (!sg_to_float(sg_array_get(array, i), &a->final_states[i]))
            return refuse(vm, args, "requiredFinalStates", "a vector of numbers");
    a->sim.final_states = a->final_states;
    a->sim.test_final_states = true;
    return SG_OK;
}

static sg_status read_numbers(sg_vm *vm, const sg_args *args, sg_simulate_arguments *a)
{
    double points = 0.0, dae_size = 10.0;
    sg_sim_options *o = &a->sim;
    o->stop = (double)NAN;
    const struct {
        const char *name;
        number_kind kind;
        double *place;
    } table[] = {{"tolerance", POSITIVE, &o->tolerance},
                 {"atol", POSITIVE, &o->atol},
                 {"startTime", ANY_TIME, &o->start},
                 {"stopTime", ANY_TIME, &o->stop},
                 {"interval", DURATION, &o->interval},
                 {"dtmax", DURATION, &o->h_max},
                 {"interp_points", NOT_NEGATIVE, &points},
                 {"nlinearMinForDAE", NOT_NEGATIVE, &dae_size},
                 {"requiredFinalStates_rtol", NOT_NEGATIVE, &o->final_rtol},
                 {"requiredFinalStates_atol", NOT_NEGATIVE, &o->final_atol}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        sg_status status = number_keyword(vm, args, table[i].name, table[i].kind, table[i].place);
        if (status != SG_OK)
            return status;
    }
    const sg_value *interval = sg_args_find(vm, args, "interval");
    a->zero_interval = interval && interval->tag != SG_NOTHING && o->interval == 0.0;
    a->no_stop = isnan(o->stop);
    if (a->no_stop)
        o->stop = o->start;
    o->interp_points = (int)fmin(points, 1e6);
    o->dae_min_size = (uint32_t)fmin(fmax(dae_size, 1.0), 1e9);
    return SG_OK;
}

static sg_status read_flags(sg_vm *vm, const sg_args *args, sg_simulate_arguments *a)
{
    const struct {
        const char *name;
        bool *place;
    } table[] = {
        {"adaptive", &a->sim.adaptive},        {"log", &a->sim.log},
        {"logStates", &a->sim.log_states},     {"logEvents", &a->sim.log_events},
        {"logProgress", &a->sim.log_progress}, {"logTiming", &a->sim.log_timing},
        {"logParameters", &a->log_parameters}, {"logEvaluatedParameters", &a->log_evaluated},
        {"logContacts", &a->log_contacts}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        sg_status status = flag_keyword(vm, args, table[i].name, table[i].place);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

static sg_status read_solver(sg_session *session, const sg_args *args, sg_simulate_arguments *a)
{
    const char *name = session->options.solver;
    if (!name && args->n > 1 && args->v[1].tag != SG_NOTHING && args->v[1].tag != SG_MISSING) {
        name = sg_solver_name(args->v[1]);
        const sg_function *maker =
            sg_is(args->v[1], SG_OBJ_FUNCTION) ? (const sg_function *)args->v[1].o : NULL;
        const char *called = maker ? sg_vm_text(session->vm, maker->name) : "";
        if (!name && sg_algorithm_find(called))
            return sg_raise(session->vm, "MethodError", SG_E_ARGUMENT, args->span,
                            "a solver is made by a call: simulate!(model, %s(), ...)", called);
        if (!name)
            return sg_raise(session->vm, "MethodError", SG_E_ARGUMENT, args->span,
                            "the second argument of simulate! is a solver such as CVODE_BDF()");
    }
    a->sim.chooses = !name;
    if (!name)
        return SG_OK;
    a->sim.method = sg_algorithm_find(name);
    if (a->sim.method)
        return SG_OK;
    size_t n;
    const sg_algorithm *list = sg_algorithm_list(&n);
    const char *names[200];
    for (size_t i = 0; i < n && i < 200; i++)
        names[i] = list[i].name;
    const char *hint = sg_closest_name(name, names, n < 200 ? n : 200);
    return sg_raise(session->vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                    "there is no solver '%s'%s%s%s", name, hint ? "; did you mean '" : "",
                    hint ? hint : "", hint ? "'?" : "");
}

// Keywords of other programs, and what they are called here.
static const char *keyword_of_others(const char *name)
{
    static const struct {
        const char *names, *sentence;
    } table[] = {
        {" tol rtol reltol RelTol relTol rel_tol eps ",
         "the relative tolerance is tolerance = 1e-6"},
        {" abstol AbsTol abs_tol absTol ", "the absolute tolerance is atol = 1e-9"},
        {" tend tEnd t_end tspan stop end t stoptime StopTime duration ",
         "the run ends at stopTime = 10.0"},
        {" t0 tStart tstart t_start ", "the run begins at startTime = 0.0"},
        {" dt saveat step stepsize h output_interval dtout ",
         "results are stored every interval = 0.01; steps follow from the tolerance, and dtmax "
         "bounds them"},
        {" maxstep MaxStep max_step hmax ", "steps are bounded by dtmax = 0.01"},
        {" solver alg method algorithm ",
         "the solver is the second argument: simulate!(model, Tsit5(), stopTime = 1.0)"},
        {" parameters params p set map ", "values are given by merge = Map(R = 5.0)"}};
    char padded[64];
    if (snprintf(padded, sizeof padded, " %s ", name) >= (int)sizeof padded)
        return NULL;
    for (size_t i = 0; i < SG_COUNT(table); i++)
        if (strstr(table[i].names, padded))
            return table[i].sentence;
    return NULL;
}

// The keywords of the language, and those that the script registered.
static sg_status check_keywords(sg_session *session, const sg_args *args)
{
    sg_vm *vm = session->vm;
    size_t n = N_KEYWORDS, extra = session->extra_keywords.len;
    const char *names[N_KEYWORDS + MOST_EXTRA];
    memcpy(names, keywords, sizeof keywords);
    for (size_t i = 0; i < extra && i < MOST_EXTRA; i++)
        names[n++] = sg_vm_text(vm, session->extra_keywords.data[i]);
    for (uint32_t i = 0; i < args->n_kw; i++) {
        const char *given = sg_vm_text(vm, args->kw[i]), *sentence = keyword_of_others(given);
        size_t k = N_KEYWORDS;
        while (k < n && strcmp(names[k], given) != 0)
            k++;
        if (sentence && k == n)
            return sg_raise(vm, "MethodError", SG_E_KEYWORD,
                            args->spans ? args->spans[args->n + i] : args->span,
                            "simulate! has no keyword argument '%s'; %s", given, sentence);
    }
    return sg_args_check_keywords(vm, args, "simulate!", names, n);
}

// --log: what is printed in addition to what the script asks for.
static void add_logs(const char *list, sg_simulate_arguments *a)
{
    const struct {
        const char *name;
        bool *place;
    } table[] = {{"statistics", &a->sim.log},    {"states", &a->sim.log_states},
                 {"events", &a->sim.log_events}, {"progress", &a->sim.log_progress},
                 {"timing", &a->sim.log_timing}, {"parameters", &a->log_parameters},
                 {"contacts", &a->log_contacts}};
    while (list && *list) {
        size_t length = strcspn(list, ",");
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
            if (strlen(table[i].name) == length && memcmp(table[i].name, list, length) == 0)
                *table[i].place = true;
        list += length + (list[length] == ',');
    }
}

// What the command line says wins over the script.
static void override(const sg_session_options *o, sg_simulate_arguments *a)
{
    a->sim.timed = o->timed;
    if (!isnan(o->stop_time)) {
        a->sim.stop = o->stop_time;
        a->no_stop = false;
    }
    if (!isnan(o->tolerance))
        a->sim.tolerance = o->tolerance;
    if (!isnan(o->atol))
        a->sim.atol = o->atol;
    if (!isnan(o->interval)) {
        a->sim.interval = o->interval;
        a->zero_interval = false;
    }
    add_logs(o->log, a);
}

static void settle_switches(const sg_session *session, sg_simulate_arguments *a)
{
    a->sim.check_patterns = session->options.checks & SG_SESSION_PATTERNS;
    a->sim.compat_previous = session->compat.previous_at_start;
    a->sim.compat_thresholds = session->compat.fixed_thresholds;
    a->sim.compat_tolerance = session->compat.plain_tolerance;
}

void sg_simulate_arguments_of(sg_model_object *m, const sg_sim_options *experiment,
                              sg_simulate_arguments *a)
{
    *a = (sg_simulate_arguments){.sim = *experiment, .merge = SG_VALUE_NOTHING, .by_host = true};
    add_logs(m->session->options.log, a);
    settle_switches(m->session, a);
}

sg_status sg_simulate_read(sg_model_object *m, const sg_args *args, sg_simulate_arguments *a)
{
    sg_session *session = m->session;
    sg_vm *vm = session->vm;
    *a = (sg_simulate_arguments){.sim = sg_sim_options_default(), .merge = SG_VALUE_NOTHING};
    sg_status status = check_keywords(session, args);
    if (status == SG_OK)
        status = read_numbers(vm, args, a);
    if (status == SG_OK)
        status = read_solver(session, args, a);
    if (status == SG_OK)
        status = read_final_states(vm, args, a);
    if (status == SG_OK)
        status = read_keep(session, args, a);
    if (status == SG_OK)
        status = read_flags(vm, args, a);
    const sg_value *merge = sg_args_find(vm, args, "merge");
    if (status == SG_OK && merge && merge->tag != SG_NOTHING && merge->tag != SG_MISSING &&
        !sg_is(*merge, SG_OBJ_DICT))
        status = refuse(vm, args, "merge", "a Map of parameters and start values");
    if (merge)
        a->merge = *merge;
    override(&session->options, a);
    // What the command line changes cannot end where the script says.
    a->other_run = a->sim.test_final_states &&
                   (session->options.n_settings || !isnan(session->options.stop_time));
    a->sim.test_final_states &= !a->other_run;
    settle_switches(session, a);
    return status == SG_OK ? sg_override_values(m, a->merge, &a->merge) : status;
}

void sg_simulate_arguments_free(sg_vm *vm, sg_simulate_arguments *a)
{
    if (a->final_states)
        vm->allocator->resize(vm->allocator->context, a->final_states,
                              (a->sim.n_final_states + 1) * sizeof(double), 0);
    a->final_states = NULL;
}

// ---- further keywords -----------------------------------------------------------------------

sg_status sg_simulate_keep_extra(sg_model_object *m, const sg_args *args)
{
    sg_session *session = m->session;
    sg_vm *vm = session->vm;
    if (!session->extra_keywords.len)
        return SG_OK;
    sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
    if (!dict)
        return SG_ERR_MEMORY;
    m->extra_keywords = sg_object(dict);
    for (size_t i = 0; i < session->extra_keywords.len; i++) {
        sg_sym name = session->extra_keywords.data[i];
        for (uint32_t k = 0; k < args->n_kw; k++)
            if (args->kw[k].i == name.i &&
                !sg_dict_put(vm, dict, sg_symbol(name), args->kwv[k], args->span))
                return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static sg_status register_extra_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    if (args->n != 1 || !sg_is(args->v[0], SG_OBJ_ARRAY) ||
        ((sg_array *)args->v[0].o)->len > MOST_EXTRA)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "registerExtraSimulateKeywordArguments needs a vector of at most %d "
                        "symbols, such as [:a, :b]",
                        MOST_EXTRA);
    const sg_array *list = (sg_array *)args->v[0].o;
    session->extra_keywords.len = 0;
    for (size_t i = 0; i < list->len; i++) {
        const char *name = sg_text_of(vm, sg_array_get(list, i));
        bool taken = false;
        for (size_t k = 0; name && k < N_KEYWORDS; k++)
            taken |= strcmp(name, keywords[k]) == 0;
        if (!name || taken)
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                            "'%s' is a keyword of simulate! already, or no name",
                            name ? name : "?");
        if (!SG_PUSH(session->allocator, &session->extra_keywords, sg_vm_sym(vm, name)))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static sg_status get_extra_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_model_object *m = sg_model_argument(vm, args, "get_extraSimulateKeywordArgumentsDict");
    if (!m)
        return SG_ERR_MODEL;
    *out = m->extra_keywords;
    if (sg_is(*out, SG_OBJ_DICT))
        return SG_OK;
    *out = sg_object(sg_dict_make(vm, (sg_sym){0}));
    return sg_is(*out, SG_OBJ_DICT) ? SG_OK : SG_ERR_MEMORY;
}

bool sg_session_register_arguments(sg_session *session)
{
    const sg_session_function table[] = {
        {"registerExtraSimulateKeywordArguments", register_extra_native, NULL},
        {"get_extraSimulateKeywordArgumentsDict", get_extra_native, NULL}};
    return sg_session_register(session, table, sizeof table / sizeof table[0]);
}
