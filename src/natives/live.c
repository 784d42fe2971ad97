#include "natives/live.h"

#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/strip.h"
#include "model/modifiers.h"
#include "model3d/model3d.h"
#include "natives/animations.h"
#include "natives/inputs.h"
#include "natives/natives.h"
#include "natives/overrides.h"
#include "natives/result_files.h"
#include "natives/running.h"
#include "natives/simulate_arguments.h"
#include "result/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT_MODEL, ROOT_CHANGES, ROOT_WRITTEN, N_ROOTS };

// Evaluating parameters leaves about a kilobyte for each of them in the memory of the script, and
// collecting takes a millisecond; so it is done once in a few hundred runs [bytes].
enum { LEFT_BEHIND = 1 << 20 };

// ---- begin and end --------------------------------------------------------------------------

static sg_status list_inputs(sg_live *live)
{
    const sg_flat *flat = &live->model->instance.flat;
    size_t n = 0, total = 0;
    for (uint32_t v = 1; v < flat->vars.len; v++)
        n += (flat->vars.data[v].attributes & SG_ATTR_TOP_INPUT) != 0;
    live->inputs = SG_NEW_ARRAY(&live->fixed, sg_live_input, n + 1);
    if (!live->inputs)
        return SG_ERR_MEMORY;
    for (uint32_t v = 1; v < flat->vars.len; v++) {
        const sg_flat_var *var = &flat->vars.data[v];
        if (!(var->attributes & SG_ATTR_TOP_INPUT) || var->value.kind == SG_FLAT_NONE)
            continue;
        size_t count =
            var->value.kind == SG_FLAT_ARRAY ? (size_t)var->value.rows * var->value.cols : 1;
        live->inputs[live->n_inputs++] = (sg_live_input){
            v, total, count, var->value.whole || var->value.truth, var->value.truth};
        total += count;
    }
    live->input_values = SG_NEW_ARRAY(&live->fixed, double, total + 1);
    live->input_next = SG_NEW_ARRAY(&live->fixed, double, total + 1);
    if (!live->input_values || !live->input_next)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < live->n_inputs; i++)
        memcpy(live->input_next + live->inputs[i].at,
               flat->vars.data[live->inputs[i].var].value.numbers,
               live->inputs[i].n * sizeof(double));
    memcpy(live->input_values, live->input_next, total * sizeof(double));
    return SG_OK;
}

sg_status sg_live_init(sg_live *live, sg_session *session, sg_model_object *m)
{
    *live = (sg_live){.session = session, .model = m, .sim = m->experiment, .stale = true};
    sg_arena_init(&live->fixed, session->allocator);
    sg_arena_init(&live->arena, session->allocator);
    live->roots = sg_tuple_make(session->vm, N_ROOTS);
    if (!live->roots || !sg_root_push(session->vm, sg_object(live->roots)))
        return SG_ERR_MEMORY;
    live->roots->items[ROOT_MODEL] = m->self;
    live->roots->items[ROOT_CHANGES] = SG_VALUE_NOTHING;
    live->roots->items[ROOT_WRITTEN] = m->instance.parameters;
    return list_inputs(live);
}

void sg_live_destroy(sg_live *live)
{
    sg_live_end(live);
    sg_result_destroy(live->result);
    live->result = NULL;
    live->model->compiled.inputs = NULL;
    sg_arena_destroy(&live->fixed);
    sg_arena_destroy(&live->arena);
}

// ---- values ---------------------------------------------------------------------------------

// Numbers in SI units as a value of the same kind as the one that is there.
static sg_status value_like(sg_live *live, sg_value old, const double *x, size_t n, sg_value *out)
{
    sg_vm *vm = live->session->vm;
    sg_units *units = sg_runtime_of(vm)->units;
    if (sg_is(old, SG_OBJ_ARRAY)) {
        const sg_array *was = (const sg_array *)old.o;
        if (n != was->len)
            return SG_ERR_INPUT;
        // Elements that have units each have the same dimension.
        uint32_t unit = was->elem == SG_ELEM_ANY && n ? sg_quantity_unit(was->v[0]) : was->unit;
        sg_array *array = sg_array_make(vm, SG_ELEM_FLOAT, was->ndims, was->dims);
        if (!array)
            return SG_ERR_MEMORY;
        memcpy(array->f, x, n * sizeof *x);
        array->unit = unit ? sg_unit_preferred(units, unit) : 0;
        array->head.flags |= was->head.flags & SG_ARRAY_STATIC;
        *out = sg_object(array);
        return SG_OK;
    }
    if (n != 1)
        return SG_ERR_INPUT;
    double number;
    if (sg_is(old, SG_OBJ_DICT)) // a component
        return SG_ERR_USAGE;
    if (old.tag != SG_BOOL && old.tag != SG_NOTHING && old.tag != SG_MISSING &&
        !sg_is_quantity(old) && !sg_to_float(old, &number))
        return SG_ERR_INPUT;
    bool whole = *x == floor(*x) && fabs(*x) < 0x1p53;
    if (old.tag == SG_BOOL && (*x == 0.0 || *x == 1.0))
        *out = sg_bool(*x != 0.0);
    else if (old.tag == SG_BOOL || (old.tag == SG_INT && !whole))
        return SG_ERR_INPUT;
    else if (old.tag == SG_INT)
        *out = sg_int((int64_t)*x);
    else if (sg_is_quantity(old))
        *out = sg_quantity_make(*x, sg_unit_preferred(units, sg_quantity_unit(old)));
    else
        *out = sg_float(*x);
    return SG_OK;
}

sg_status sg_live_set_value(sg_live *live, const char *name, sg_value value)
{
    sg_vm *vm = live->session->vm;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, value);
    sg_value *changes = &live->roots->items[ROOT_CHANGES];
    if (changes->tag == SG_NOTHING) {
        sg_dict *map = sg_dict_make(vm, sg_vm_sym(vm, "Map"));
        if (map)
            *changes = sg_object(map);
    }
    sg_status status = changes->tag == SG_NOTHING
                           ? SG_ERR_MEMORY
                           : sg_put_nested(vm, (sg_dict *)changes->o, name, value, (sg_span){0});
    sg_root_pop(vm, mark);
    live->stale = true;
    return status;
}

// What waits to be merged under a name; else the present value.
static bool value_so_far(const sg_live *live, const char *name, sg_value *out)
{
    const sg_vm *vm = live->session->vm;
    *out = live->roots->items[ROOT_CHANGES];
    for (const char *at = name; sg_is(*out, SG_OBJ_DICT); at += strcspn(at, ".") + 1) {
        size_t length = strcspn(at, ".");
        if (!sg_dict_get_sym((sg_dict *)out->o, sg_sym_intern(vm->symbols, at, length), out))
            break;
        if (!at[length])
            return true;
    }
    return sg_instance_value(&live->model->instance, sg_sym_intern(vm->symbols, name, strlen(name)),
                             out);
}

// "r[2]" or "R[1,3]": the place of the element in an array, column by column; false if it has none.
static bool element_at(const char *bracket, const sg_array *array, size_t *at)
{
    char *end;
    unsigned long row = strtoul(bracket + 1, &end, 10), column = 1;
    bool two = *end == ',';
    if (two)
        column = strtoul(end + 1, &end, 10);
    size_t rows = array->dims[0], columns = array->ndims > 1 ? array->dims[1] : 1;
    *at = row - 1 + (column - 1) * rows;
    return end[0] == ']' && !end[1] && row >= 1 && row <= rows && column >= 1 &&
           column <= columns && two == (array->ndims == 2) && array->ndims <= 2;
}

// One element of an array, whose others stay as they are or were set before.
static sg_status set_element(sg_live *live, const char *name, double x)
{
    sg_vm *vm = live->session->vm;
    const char *bracket = strrchr(name, '[');
    const char *whole = sg_vm_text(vm, sg_sym_intern(vm->symbols, name, (size_t)(bracket - name)));
    sg_value value;
    size_t at;
    if (!value_so_far(live, whole, &value) || !sg_is(value, SG_OBJ_ARRAY) ||
        !element_at(bracket, (const sg_array *)value.o, &at))
        return SG_ERR_USAGE;
    sg_status status = sg_strip_to_si(vm, value, &value);
    if (status != SG_OK)
        return status;
    const sg_array *array = (const sg_array *)value.o;
    const sg_allocator *a = live->session->allocator;
    size_t size = array->len * sizeof(double);
    double *numbers = a->resize(a->context, NULL, 0, size);
    if (!numbers)
        return SG_ERR_MEMORY;
    bool fits = true;
    for (size_t i = 0; i < array->len; i++)
        fits = fits && sg_to_float(sg_array_get(array, i), &numbers[i]);
    numbers[at] = x;
    status = fits ? sg_live_set(live, whole, numbers, array->len) : SG_ERR_INPUT;
    a->resize(a->context, numbers, size, 0);
    return status;
}

sg_status sg_live_set(sg_live *live, const char *name, const double *values, size_t n)
{
    const sg_instance *instance = &live->model->instance;
    sg_value old, value = SG_VALUE_NOTHING;
    size_t length = strlen(name);
    bool element = length && name[length - 1] == ']' && strchr(name, '[');
    if (!sg_instance_value(instance, sg_vm_sym(live->session->vm, name), &old))
        return !element ? SG_ERR_USAGE : n == 1 ? set_element(live, name, *values) : SG_ERR_INPUT;
    sg_status status = value_like(live, old, values, n, &value);
    return status == SG_OK ? sg_live_set_value(live, name, value) : status;
}

sg_status sg_live_set_text(sg_live *live, const char *name, const char *text)
{
    sg_value value;
    if (!sg_modifiers_has(&live->model->instance, name))
        return SG_ERR_USAGE;
    sg_session *session = live->session;
    size_t n_errors = session->diags.n_errors, n_skipped = session->n_skipped;
    sg_status status = sg_script_value_of(session->script, "<value>", text, strlen(text), &value);
    // The session of a handle goes on after mistakes, as a check does.
    if (status == SG_OK && (session->n_skipped > n_skipped || session->diags.n_errors > n_errors ||
                            value.tag == SG_UNDEF || sg_is_unknown(value))) {
        if (session->diags.n_errors == n_errors)
            sg_error(&session->diags, SG_E_USAGE, (sg_span){0},
                     "the value for '%s' cannot be evaluated: %s", name, text);
        status = SG_ERR_MODEL;
    }
    return status == SG_OK ? sg_live_set_value(live, name, value) : status;
}

void sg_live_forget_values(sg_live *live)
{
    live->model->instance.parameters = live->roots->items[ROOT_WRITTEN];
    live->roots->items[ROOT_CHANGES] = SG_VALUE_NOTHING;
    live->stale = true;
}

static sg_status evaluate_parameters(sg_live *live)
{
    sg_model_object *m = live->model;
    sg_value changes = live->roots->items[ROOT_CHANGES];
    if (!live->stale)
        return SG_OK;
    sg_status status = sg_instance_evaluate(&m->instance, changes);
    // A value that does not fit must not stand in the way of the next one.
    live->roots->items[ROOT_CHANGES] = SG_VALUE_NOTHING;
    if (status == SG_OK)
        status = sg_model_translate_again(m, (sg_span){0});
    live->stale = status != SG_OK;
    return status;
}

// One row of numbers that hold until somebody changes them.
static sg_status bind_inputs(sg_live *live)
{
    sg_model_object *m = live->model;
    static const double always = 0.0;
    size_t n = 0;
    m->compiled.inputs = NULL;
    if (!live->n_inputs)
        return SG_OK;
    for (size_t i = 0; i < live->n_inputs; i++)
        n += live->inputs[i].n;
    sg_arena_destroy(&m->input_arena);
    sg_arena_init(&m->input_arena, live->session->allocator);
    sg_input_column *columns = SG_NEW_ARRAY(&m->input_arena, sg_input_column, n + 1);
    if (!columns)
        return SG_ERR_MEMORY;
    n = 0;
    for (size_t i = 0; i < live->n_inputs; i++) {
        const sg_live_input *in = &live->inputs[i];
        bool scalar = m->instance.flat.vars.data[in->var].value.kind == SG_FLAT_NUMBER;
        for (size_t k = 0; k < in->n; k++)
            columns[n++] = (sg_input_column){in->var, (uint32_t)k, true, scalar,
                                             live->input_values + in->at + k};
    }
    m->compiled.inputs = &m->inputs;
    return sg_inputs_init(&m->inputs, &m->input_arena, &always, 1, columns, n);
}

sg_status sg_live_link(sg_live *live)
{
    sg_model_object *m = live->model;
    m->start_time = m->compiled.start_time = live->sim.start;
    m->compiled.no_nominals = live->sim.compat_tolerance;
    m->compiled.tolerance = live->sim.tolerance;
    sg_vm *vm = live->session->vm;
    sg_value before = m->instance.parameters;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, before);
    sg_status status = evaluate_parameters(live);
    if (status == SG_OK)
        status = bind_inputs(live);
    if (status == SG_OK)
        status = sg_compiled_link(&m->compiled, live->sim.dae_min_size, &live->session->diags);
    live->linked = status == SG_OK;
    // A value with which the model cannot be must not stand in the way of the next one.
    if (status != SG_OK && status != SG_ERR_MEMORY) {
        m->instance.parameters = before;
        (void)sg_instance_evaluate(&m->instance, SG_VALUE_NOTHING);
        live->stale = true;
    }
    sg_root_pop(vm, mark);
    return status;
}

// ---- inputs ---------------------------------------------------------------------------------

static void change_inputs(void *user)
{
    sg_live *live = user;
    const sg_live_input *last = &live->inputs[live->n_inputs - 1];
    memcpy(live->input_values, live->input_next, (last->at + last->n) * sizeof(double));
}

sg_status sg_live_check_input(const sg_live_input *in, const double *values, size_t n)
{
    if (n != in->n)
        return SG_ERR_INPUT;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]) || (in->truth && values[i] != 0.0 && values[i] != 1.0) ||
            (in->hold && values[i] != floor(values[i])))
            return SG_ERR_INPUT;
    return SG_OK;
}

sg_status sg_live_set_input(sg_live *live, size_t input, const double *values, size_t n)
{
    const sg_live_input *in = &live->inputs[input];
    sg_status status = sg_live_check_input(in, values, n);
    if (status == SG_OK)
        memcpy(live->input_next + in->at, values, n * sizeof *values);
    return status;
}

sg_status sg_live_depends(sg_live *live, const uint32_t *vars, size_t n, sg_arena *arena,
                          sg_compiled_dependence *out)
{
    uint32_t *inputs = SG_NEW_ARRAY(arena, uint32_t, live->n_inputs + 1);
    for (size_t i = 0; inputs && i < live->n_inputs; i++)
        inputs[i] = live->inputs[i].var;
    return inputs ? sg_compiled_depends(&live->model->compiled, inputs, live->n_inputs, vars, n,
                                        arena, out)
                  : SG_ERR_MEMORY;
}

sg_status sg_live_take_inputs(sg_live *live)
{
    if (!live->n_inputs)
        return SG_OK;
    const sg_live_input *last = &live->inputs[live->n_inputs - 1];
    size_t n = last->at + last->n;
    bool same = true;
    for (size_t i = 0; i < n && same; i++)
        same = live->input_values[i] == live->input_next[i];
    if (same)
        return SG_OK;
    live->evaluated = false;
    return sg_sim_disturb(live->run, change_inputs, live, "input");
}

// ---- the run --------------------------------------------------------------------------------

// Where memory may be taken.
static sg_status reserve(void *user)
{
    sg_live *live = user;
    if (live->model->instance.flat.funcs.len > 1)
        sg_heap_reserve(live->session->vm);
    if (!live->writer)
        return SG_OK;
    size_t touches = sg_touches_reserve(&live->touches), film = live->film.scene.bytes.cap;
    return sg_result_writer_reserve(live->writer, film > touches ? film : touches);
}

// What records a run, and goes with it.
static void close_writer(sg_live *live)
{
    if (live->writer) {
        sg_touches_destroy(&live->touches);
        sg_scene_log_destroy(&live->film.scene);
        sg_animation_destroy(&live->film.stage);
    }
    sg_result_writer_destroy(live->writer);
    live->writer = NULL;
}

static sg_status keep_blob(void *context, const char *name, const void *bytes, size_t length)
{
    return sg_result_writer_blob(context, name, bytes, length);
}

static sg_status open_writer(sg_live *live)
{
    if (!live->record)
        return SG_OK;
    sg_status status = sg_result_files_in_memory(live->session, &live->arena, &live->writer);
    return status == SG_OK ? sg_running_meta(live->model, &live->sim, live->writer, &live->arena)
                           : status;
}

static sg_status open_sinks(sg_live *live)
{
    sg_session *session = live->session;
    const sg_session_options *o = &session->options;
    size_t n = 0;
    live->sinks = SG_NEW_ARRAY(&live->arena, sg_sink, o->n_sinks + 1);
    if (!live->sinks)
        return SG_ERR_MEMORY;
    if (live->writer)
        live->sinks[n++] = sg_result_writer_sink(live->writer);
    for (size_t i = 0; i < o->n_sinks; i++)
        live->sinks[n++] = o->sinks[i];
    sg_recorder_init(&live->recorder, session->allocator,
                     sg_vm_text(session->vm, live->model->instance.name), &live->model->compiled,
                     live->sinks, n, live->model->single, &session->diags);
    live->list[0] = sg_recorder_sink(&live->recorder);
    if (live->writer) {
        sg_touches_init(&live->touches, live->model->parts, live->model->n_parts,
                        session->allocator, live->writer);
        live->list[1] = sg_touches_sink(&live->touches);
        sg_animations_film(live->model, &live->sim, &live->film);
        sg_scene_log_init(&live->film.scene, session->allocator);
        live->film.scene_only = true;
        live->film.scene.keep = live->film.n_parts ? keep_blob : NULL;
        live->film.scene.context = live->writer;
        live->list[2] = sg_film_sink(&live->film);
    }
    return SG_OK;
}

static void write_log(void *user, const char *text) { sg_vm_write(user, text, strlen(text)); }

// Ready for a run: linked, and with somebody who records it.
static sg_status prepare(sg_live *live)
{
    sg_live_end(live);
    sg_result_destroy(live->result);
    live->result = NULL;
    live->failed = false;
    if (live->n_inputs)
        change_inputs(live);
    sg_status status = sg_live_link(live);
    if (status == SG_OK)
        status = open_writer(live);
    if (status == SG_OK)
        status = open_sinks(live);
    if (status != SG_OK) {
        sg_result_writer_destroy(live->writer);
        live->writer = NULL;
        live->failed = true;
    }
    return status;
}

static sg_sim_options run_options(sg_live *live)
{
    sg_sim_options options = live->sim;
    options.single = live->model->single;
    options.write = write_log;
    options.write_user = live->session->vm;
    options.reserve = reserve;
    options.reserve_user = live;
    live->session->host.log = options.log;
    live->session->host.log_events = options.log_events;
    live->model->running = true;
    return options;
}

sg_status sg_live_begin(sg_live *live)
{
    sg_session *session = live->session;
    sg_model_object *m = live->model;
    size_t first_diag = session->diags.len, n_errors = session->diags.n_errors;
    sg_status status = prepare(live);
    if (status == SG_OK) {
        sg_sim_options options = run_options(live);
        status = sg_sim_open(session->allocator, &m->compiled.model, &options, live->list,
                             live->writer ? 3 : 1, &session->vm->limits, &session->diags,
                             &live->outcome, &live->run);
    }
    live->evaluated = false;
    live->failed = status != SG_OK;
    if (live->failed)
        sg_running_explain(m, first_diag, n_errors);
    return status;
}

// ---- saved states ---------------------------------------------------------------------------

// What the host has set, and what the script would draw next.
static void archive_host(sg_live *live, sg_archive *a)
{
    const sg_live_input *last = live->n_inputs ? &live->inputs[live->n_inputs - 1] : NULL;
    sg_archive_section(a, "host");
    SG_ARCHIVE(a, live->session->vm->random_state);
    if (!last)
        return;
    SG_ARCHIVE_ARRAY(a, live->input_values, last->at + last->n);
    SG_ARCHIVE_ARRAY(a, live->input_next, last->at + last->n);
}

// A model that was just linked, to where the archive says.
static sg_status open_from(sg_live *live, sg_archive *a, bool tell)
{
    sg_session *session = live->session;
    sg_sim_options options = run_options(live);
    archive_host(live, a);
    live->evaluated = false;
    return sg_sim_resume(session->allocator, &live->model->compiled.model, &options, live->list,
                         live->writer ? 3 : 1, &session->vm->limits, &session->diags,
                         &live->outcome, a, tell, &live->run);
}

// A run without a state: nothing of it can be told or recorded.
static void give_up(sg_live *live)
{
    if (live->run)
        sg_sim_drop(live->run);
    live->run = NULL;
    live->model->running = false;
    live->failed = true;
    close_writer(live);
    sg_recorder_destroy(&live->recorder);
    sg_arena_destroy(&live->arena);
    sg_arena_init(&live->arena, live->session->allocator);
}

sg_status sg_live_resume(sg_live *live, sg_archive *a)
{
    sg_session *session = live->session;
    size_t first_diag = session->diags.len, n_errors = session->diags.n_errors;
    sg_status status = prepare(live);
    if (status != SG_OK)
        return status;
    status = open_from(live, a, true);
    if (status == SG_OK)
        return SG_OK;
    sg_running_explain(live->model, first_diag, n_errors);
    give_up(live);
    return status;
}

sg_status sg_live_save(sg_live *live, sg_archive *a)
{
    sg_session *session = live->session;
    size_t told = session->diags.len;
    a->refused = sg_components_unsaved(live->model->components);
    if (a->refused)
        return SG_ERR_USAGE;
    archive_host(live, a);
    sg_status status = sg_sim_save(live->run, a);
    if (status != SG_OK)
        return status;
    uint64_t n_results = live->outcome.stats.n_results;
    if (live->writer) // contacts that ended since the last point go with the run
        status = sg_touches_collect(&live->touches);
    sg_sim_drop(live->run);
    live->run = NULL;
    live->model->running = false; // components are asked to begin a run
    if (status == SG_OK)
        status = sg_live_link(live);
    sg_archive back = sg_archive_from(a->out->text, a->out->len);
    if (status == SG_OK)
        status = open_from(live, &back, false);
    if (status == SG_OK)
        status = sg_recorder_renew(&live->recorder);
    live->outcome.stats.n_results = n_results;
    if (status == SG_OK)
        sg_diags_cut(&session->diags, told); // what linking says was said before
    else
        give_up(live);
    return status == SG_ERR_INPUT ? SG_ERR_INTERNAL : status;
}

// ---- steps ----------------------------------------------------------------------------------

sg_status sg_live_step(sg_live *live, double target)
{
    size_t first_diag = live->session->diags.len, n_errors = live->session->diags.n_errors;
    sg_status status = sg_live_take_inputs(live);
    if (status == SG_OK)
        status = sg_sim_advance(live->run, target);
    live->evaluated = false;
    if (status != SG_OK) {
        live->failed = true;
        sg_running_explain(live->model, first_diag, n_errors);
        live->outcome.status = status;
    }
    return status;
}

sg_status sg_live_evaluate(sg_live *live)
{
    const double *x;
    if (live->evaluated)
        return SG_OK;
    sg_status status = sg_live_take_inputs(live);
    if (status == SG_OK)
        status = sg_sim_evaluate(live->run, &x);
    if (status != SG_OK)
        return status;
    const sg_recorder *r = &live->recorder;
    sg_compiled_columns(r->compiled, r->signals, r->vars, r->n, x, r->columns);
    live->evaluated = true;
    return SG_OK;
}

// No statement ends while a host runs the model, so nobody else looks for what can go.
static void tidy(sg_live *live)
{
    sg_vm *vm = live->session->vm;
    if (vm->bytes > live->heap_left + LEFT_BEHIND) {
        sg_heap_collect(vm);
        live->heap_left = vm->bytes;
    }
}

sg_status sg_live_end(sg_live *live)
{
    sg_session *session = live->session;
    if (!live->run)
        return SG_OK;
    sg_status status = sg_sim_close(live->run, live->failed ? live->outcome.status : SG_OK);
    live->run = NULL;
    live->model->running = false;
    sg_heap_settle(session->vm);
    tidy(live);
    sg_session_count_contacts(live->model, false, (sg_span){0});
    if (live->writer) {
        sg_status written =
            sg_result_files_finish(live->writer, &live->outcome, "", status, &live->result);
        status = status == SG_OK ? written : status;
        if (live->result && !live->result->n_points) {
            sg_result_destroy(live->result);
            live->result = NULL;
        }
        close_writer(live);
    }
    sg_recorder_destroy(&live->recorder);
    sg_sim_outcome_free(&live->outcome);
    sg_arena_destroy(&live->arena);
    sg_arena_init(&live->arena, session->allocator);
    return status;
}

// ---- a whole run ----------------------------------------------------------------------------

sg_status sg_live_run(sg_live *live)
{
    sg_session *session = live->session;
    sg_model_object *m = live->model;
    size_t first_diag = session->diags.len, n_errors = session->diags.n_errors;
    sg_simulate_arguments a;
    sg_live_end(live);
    sg_result_destroy(live->result);
    live->result = NULL;
    if (live->n_inputs)
        change_inputs(live);
    m->start_time = m->compiled.start_time = live->sim.start;
    m->failed = false;
    sg_status status = evaluate_parameters(live);
    if (status == SG_OK)
        status = session->options.input_file
                     ? sg_inputs_prepare(m, live->sim.start, live->sim.stop, (sg_span){0})
                     : bind_inputs(live);
    if (status == SG_OK) {
        sg_simulate_arguments_of(m, &live->sim, &a);
        status = sg_simulate_by_host(m, &a);
        live->result = m->result;
        m->result = NULL;
    } else {
        sg_running_explain(m, first_diag, n_errors);
    }
    live->linked = live->failed = live->evaluated = false;
    tidy(live);
    return status;
}
