#include "natives/model_object.h"

#include "lang/quantity.h"
#include "lang/runtime.h"
#include "model/build.h"
#include "model/derive.h"
#include "model3d/model3d.h"
#include "natives/c_component.h"
#include "natives/part_functions.h"
#include "natives/scripted.h"
#include "parts/constructors3d.h"

#include <string.h>

static void mark_model(sg_vm *vm, void *data)
{
    sg_model_object *m = data;
    sg_instance_mark(&m->instance);
    sg_mark_value(vm, m->extra_keywords);
    sg_script_table_mark(&m->table);
}

static void destroy_model(sg_vm *vm, void *data)
{
    sg_model_object *m = data;
    const sg_allocator *allocator = vm->allocator;
    if (m->compiled_ok) {
        sg_compiled_destroy(&m->compiled);
        sg_translated_destroy(&m->translated);
    }
    sg_instance_destroy(&m->instance);
    sg_result_destroy(m->result);
    sg_vec_free(allocator, (void **)&m->final_states, &m->cap_final_states, sizeof(double));
    sg_map_free(&m->variants);
    sg_scripted_destroy(m);
    sg_arena_destroy(&m->arena);
    sg_arena_destroy(&m->input_arena);
    allocator->resize(allocator->context, m, sizeof *m, 0);
}

static void print_model(sg_vm *vm, void *data, sg_buf *out)
{
    const sg_model_object *m = data;
    sg_buf_printf(out, "InstantiatedModel(%s)", sg_vm_text(vm, m->instance.name));
}

// The states: (nx = 2, x_info = [(x_name = "x", der_x_name = "der(x)"), ...]).
static sg_value equation_info(sg_vm *vm, const sg_model_object *m)
{
    const sg_flat *flat = &m->instance.flat;
    const sg_sym outer[] = {sg_vm_sym(vm, "nx"), sg_vm_sym(vm, "x_info")};
    const sg_sym inner[] = {sg_vm_sym(vm, "x_name"), sg_vm_sym(vm, "der_x_name")};
    size_t n = m->compiled_ok && m->compiled.program ? m->compiled.program->n_states : 0;
    sg_tuple *info = sg_named_tuple_make(vm, 2, outer);
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, n);
    for (size_t i = 0; info && list && i < n; i++) {
        const char *name =
            sg_sym_text(flat->symbols, flat->vars.data[m->compiled.program->state_vars[i]].name);
        sg_tuple *state = sg_named_tuple_make(vm, 2, inner);
        char *der = sg_arena_printf(&m->session->arena, "der(%s)", name);
        if (!state || !der)
            return (sg_value){.tag = SG_UNDEF};
        state->items[0] = sg_string_value(vm, name);
        state->items[1] = sg_string_value(vm, der);
        list->v[i] = sg_object(state);
    }
    if (!info || !list)
        return (sg_value){.tag = SG_UNDEF};
    info->items[0] = sg_int((int64_t)n);
    info->items[1] = sg_object(list);
    return sg_object(info);
}

// What published scripts read of the inside of a model. What is not there is nothing, with a
// warning, and the script goes on.
static sg_status model_field(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out)
{
    const sg_model_object *m = data;
    const char *text = sg_vm_text(vm, name);
    *found = true;
    *out = SG_VALUE_NOTHING;
    if (strcmp(text, "evaluatedParameters") == 0)
        *out = m->instance.evaluated;
    else if (strcmp(text, "parameters") == 0)
        *out = m->instance.parameters;
    else if (strcmp(text, "equationInfo") == 0)
        *out = equation_info(vm, m);
    else if (strcmp(text, "modelName") == 0)
        *out = sg_string_value(vm, sg_vm_text(vm, m->instance.name));
    else if (strcmp(text, "unitless") == 0)
        *out = sg_bool(m->instance.unitless);
    else
        sg_warning(vm->diags, SG_E_FIELD, sg_vm_where(vm),
                   "an instantiated model has no field '%s' here; its value is nothing", text);
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

const sg_native_class sg_model_class = {.name = "InstantiatedModel",
                                        .get_field = model_field,
                                        .mark = mark_model,
                                        .destroy = destroy_model,
                                        .print = print_model};

bool sg_model_is_missing(sg_vm *vm, const sg_args *args, const char *function)
{
    if (args->n && sg_is_unknown(args->v[0]))
        sg_session_of(vm)->models.n_unknown++; // the statement is skipped, not wrong
    if (!args->n || args->v[0].tag != SG_NOTHING || !sg_session_failed(sg_session_of(vm)))
        return false;
    sg_raise(vm, "ErrorException", SG_E_FOLLOWS, args->span,
             "%s is left out: the model could not be instantiated", function);
    return true;
}

sg_model_object *sg_model_argument(sg_vm *vm, const sg_args *args, const char *function)
{
    sg_model_object *m = args->n ? sg_native_data(args->v[0], &sg_model_class) : NULL;
    if (!m && !sg_model_is_missing(vm, args, function))
        sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                 "%s needs an instantiated model as its first argument (see @instantiateModel)",
                 function);
    return m;
}

// ---- functions of the equations -------------------------------------------------------------

static sg_value handle_value(const sg_model_object *m, void *handle)
{
    return m->instance.handles.data[(uintptr_t)handle - 1];
}

// Rows of the table of functions for derivatives that translation may ask for.
enum { MOST_DERIVATIVES = 256 };

static bool make_externs(sg_model_object *m)
{
    const sg_flat *flat = &m->instance.flat;
    size_t n = flat->funcs.len + MOST_DERIVATIVES;
    m->externs = SG_NEW_ARRAY(&m->arena, sg_extern, n + 1);
    m->functions = SG_NEW_ARRAY(&m->arena, sg_script_function, n + 1);
    if (!m->externs || !m->functions)
        return false;
    m->n_externs = n;
    m->action_call.table = &m->table;
    for (size_t i = 1; i < flat->funcs.len; i++) {
        sg_value function = handle_value(m, flat->funcs.data[i].handle);
        m->functions[i] = (sg_script_function){&m->table, function, flat->funcs.data[i].arg_units,
                                               flat->funcs.data[i].n_args};
        if (!sg_part_extern(function, &m->externs[i]) &&
            !sg_actions_extern(&m->action_call, function, &m->externs[i]) &&
            !sg_component_extern(m, function, &m->externs[i]))
            m->externs[i] = sg_script_extern(&m->functions[i]);
    }
    return true;
}

// The derivative of a function of the script that has to be called, as one more function.
static sg_func_id derivative_of(sg_model_object *m, sg_func_id func, uint32_t n_args)
{
    sg_flat *flat = &m->instance.flat;
    sg_flat_func *f = &flat->funcs.data[func.i];
    sg_value derivative;
    if (f->derivative.i)
        return f->derivative;
    if (f->arg_units) {
        f->why_no_body = "its arguments have units";
        return (sg_func_id){0};
    }
    if (flat->funcs.len >= m->n_externs ||
        !sg_model_derivative(&m->instance, handle_value(m, f->handle), n_args, &derivative,
                             &f->why_no_body))
        return (sg_func_id){0};
    uint32_t handle = sg_instance_handle(&m->instance, derivative);
    const char *name = sg_arena_printf(&m->arena, "der(%s)", sg_vm_text(m->session->vm, f->name));
    sg_func_id made = sg_flat_func_add(flat, sg_vm_sym(m->session->vm, name ? name : "der"),
                                       (void *)(uintptr_t)(handle + 1));
    if (!made.i)
        return made;
    m->functions[made.i] = (sg_script_function){.table = &m->table, .callee = derivative};
    m->externs[made.i] = sg_script_extern(&m->functions[made.i]);
    flat->funcs.data[func.i].derivative = made;
    return made;
}

static sg_expr_id differentiate_call(void *context, sg_exprs *exprs, sg_expr_id call, uint32_t k,
                                     const sg_expr_id *d_args)
{
    sg_model_object *m = context;
    sg_expr_id args[64];
    uint32_t n = sg_expr_n_args(exprs, call);
    if (2 * n > SG_COUNT(args))
        return (sg_expr_id){0};
    sg_func_id func = derivative_of(m, (sg_func_id){sg_expr_get(exprs, call)->index}, n);
    if (!func.i)
        return (sg_expr_id){0};
    for (uint32_t j = 0; j < n; j++)
        args[j] = sg_expr_arg(exprs, call, j);
    for (uint32_t j = 0; j < n; j++) // a derivative has the shape of its argument
        args[n + j] = sg_expr_is_zero(exprs, d_args[j]) ? sg_expr_unary(exprs, SG_X_ZERO, args[j])
                                                        : d_args[j];
    return sg_expr_result(exprs, sg_expr_call(exprs, func, args, 2 * n), k);
}

// Those of 3D parts in forces and accelerations: a force that is fed back from an acceleration.
static bool is_linear_call(void *context, sg_func_id func)
{
    const sg_model_object *m = context;
    return sg_part_is_linear_call(handle_value(m, m->instance.flat.funcs.data[func.i].handle));
}

static bool other_parameter(void *context, sg_par_id par, sg_arena *arena, sg_given *out)
{
    sg_model_object *m = context;
    sg_value value;
    return sg_instance_value(&m->instance, m->instance.flat.pars.data[par.i].name, &value) &&
           sg_script_given(&m->table, value, arena, out);
}

static bool other_constant(void *context, uint32_t index, sg_arena *arena, sg_given *out)
{
    sg_model_object *m = context;
    sg_value value = handle_value(m, m->instance.flat.consts.data[index].handle);
    // The reserved names stand for the model itself; the other two have no meaning here.
    if (value.tag == SG_SYMBOL)
        value = strcmp(sg_vm_text(m->session->vm, value.sym), "instantiatedModel") == 0
                    ? m->self
                    : SG_VALUE_NOTHING;
    return sg_script_given(&m->table, value, arena, out);
}

static bool quantity_to_number(void *context, sg_value value, double *number)
{
    const sg_vm *vm = context;
    if (!sg_is_quantity(value))
        return false;
    *number = sg_quantity_si(sg_runtime_of(vm)->units, value);
    return true;
}

sg_status sg_model_variant(sg_model_object *m, const char *name, const char *unit, bool scalar,
                           sg_span span)
{
    sg_vm *vm = m->session->vm;
    sg_sym known = sg_vm_sym(vm, name), in = sg_vm_sym(vm, unit);
    uint64_t kind = (uint64_t)in.i << 1 | scalar;
    const uint64_t *before = sg_map_get(&m->variants, known.i);
    if (!before)
        return sg_map_put(&m->variants, known.i, kind)
                   ? SG_OK
                   : sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, span, "out of memory");
    if (*before == kind)
        return SG_OK;
    bool was_scalar = *before & 1;
    if (was_scalar != scalar)
        return sg_raise(
            vm, "ErrorException", SG_E_SEGMENT, span,
            "variable '%s' was a %s in an earlier segment and is a %s now; from segment "
            "to segment a vector may change its length, not the number of its "
            "dimensions",
            name, was_scalar ? "number" : "vector", scalar ? "number" : "vector");
    return sg_raise(vm, "ErrorException", SG_E_SEGMENT, span,
                    "variable '%s' had the unit '%s' in an earlier segment and has '%s' now; a "
                    "variable keeps its unit",
                    name, sg_vm_text(vm, (sg_sym){(uint32_t)(*before >> 1)}), unit);
}

// Components define their states before each segment.
static sg_status define_hidden(void *context)
{
    sg_model_object *m = context;
    bool first = !m->compiled.hidden.x; // of a run
    sg_hidden_clear(&m->compiled.hidden);
    if (first)
        sg_map_clear(&m->variants);
    sg_status status = sg_scripted_begin(m, first);
    if (status != SG_OK)
        return status;
    status = sg_init_segment(&m->instance, m->self, first);
    sg_scripted_begun(m);
    if (status != SG_OK)
        sg_report_exception(m->session->vm);
    return status;
}

// ---- instantiation --------------------------------------------------------------------------

static sg_model_object *new_model(sg_session *session, sg_value *out)
{
    const sg_allocator *allocator = session->allocator;
    sg_model_object *m = allocator->resize(allocator->context, NULL, 0, sizeof *m);
    if (!m)
        return NULL;
    *m = (sg_model_object){.session = session,
                           .extra_keywords = SG_VALUE_NOTHING,
                           .experiment = sg_sim_options_default()};
    m->instance.vm = session->vm;
    m->may_save = session->saves;
    sg_arena_init(&m->arena, allocator);
    sg_arena_init(&m->input_arena, allocator);
    sg_map_init(&m->variants, allocator);
    if (sg_script_table_init(&m->table, session->vm) != SG_OK) {
        allocator->resize(allocator->context, m, sizeof *m, 0);
        return NULL;
    }
    m->table.to_number = quantity_to_number;
    m->table.context = session->vm;
    *out = m->self = sg_native_make(session->vm, &sg_model_class, m);
    if (out->tag != SG_UNDEF)
        return m;
    allocator->resize(allocator->context, m, sizeof *m, 0);
    return NULL;
}

// A name in an equation is always one of the model. Where nothing determines it and the script has
// a value of this name, that was meant.
static void hint_script_values(const sg_model_object *m)
{
    const sg_flat *flat = &m->instance.flat;
    sg_vm *vm = m->session->vm;
    for (size_t i = 1; i < flat->vars.len; i++) {
        const sg_flat_var *var = &flat->vars.data[i];
        const char *text = sg_sym_text(flat->symbols, var->name), *dot = strrchr(text, '.');
        const char *name = dot ? dot + 1 : text;
        double number;
        sg_value value = sg_module_get(m->instance.module, sg_vm_sym(vm, name));
        bool is_value =
            sg_is_quantity(value) || sg_to_float(value, &number) || sg_is(value, SG_OBJ_ARRAY);
        if (var->of.i || !is_value ||
            (var->attributes &
             (SG_ATTR_HAS_INIT | SG_ATTR_HAS_START | SG_ATTR_TOP_INPUT | SG_ATTR_MISSED)))
            continue;
        sg_note(vm->diags, var->span,
                "'%s' is a variable of the model; to insert the value of this name that the script "
                "has, write $%s",
                text, name);
    }
}

// Instantiating goes on to report as much as it can, and calls it a model error. An interrupt or a
// limit among the messages is the cause of all, and is told alone.
static sg_status was_stopped(sg_session *session, size_t first_diag)
{
    sg_diags *diags = &session->diags;
    const sg_value pending = session->vm->exception;
    if (sg_is(pending, SG_OBJ_EXCEPTION) &&
        !sg_session_goes_on(((const sg_exception *)pending.o)->status))
        return ((const sg_exception *)pending.o)->status;
    for (size_t i = first_diag; i < diags->len; i++) {
        sg_code code = diags->list[i].code;
        if (code != SG_E_INTERRUPT && code != SG_E_LIMIT)
            continue;
        if (session->told.n <= first_diag) {
            diags->list[first_diag] = diags->list[i];
            diags->len = first_diag + 1;
        }
        return code == SG_E_INTERRUPT ? SG_ERR_INTERRUPT : SG_ERR_LIMIT;
    }
    return SG_ERR_MODEL;
}

static sg_status translate(sg_model_object *m)
{
    sg_vm *vm = m->session->vm;
    sg_compile_options compile = {.translate = sg_translate_options_default()};
    compile.translate.alias_reduction = m->alias_reduction;
    compile.translate.diff_call = differentiate_call;
    compile.translate.is_linear_call = is_linear_call;
    compile.translate.context = m;
    compile.compat_comparisons = m->session->compat.plain_comparisons;
    compile.components = m->components;
    m->compiled_ok = true;
    sg_status status =
        sg_translated_create(&m->translated, vm->allocator, &m->instance.flat, &compile, vm->diags);
    if (status == SG_ERR_MODEL)
        hint_script_values(m);
    if (status == SG_OK)
        status =
            sg_compiled_create(&m->compiled, vm->allocator, &m->translated, m->externs, vm->diags);
    m->compiled.native = sg_session_native_host(m->session);
    m->compiled.memory = vm->limits.memory;
    m->compiled.others.parameter = other_parameter;
    m->compiled.others.constant = other_constant;
    m->compiled.context = m;
    if (m->components.n)
        m->compiled.define_hidden = define_hidden;
    if (status == SG_OK)
        status = sg_compiled_set_components(&m->compiled, m->components);
    return status;
}

sg_status sg_model_translate_again(sg_model_object *m, sg_span span)
{
    if (sg_translated_holds(&m->translated))
        return SG_OK;
    if (m->components.n) { // parts hold on to what was translated
        sg_error(m->session->vm->diags, SG_E_SIM_INIT, span,
                 "with these parameters other states of the model are independent than when it was "
                 "instantiated; instantiate it with them");
        return SG_ERR_MODEL;
    }
    const double start_time = m->compiled.start_time;
    const bool no_nominals = m->compiled.no_nominals;
    sg_compiled_destroy(&m->compiled);
    sg_translated_destroy(&m->translated);
    m->compiled = (sg_compiled){0};
    m->translated = (sg_translated){0};
    sg_status status = translate(m);
    m->compiled.start_time = start_time;
    m->compiled.no_nominals = no_nominals;
    return status;
}

sg_status sg_model_instantiate(sg_session *session, sg_module *module, sg_value model,
                               const char *name, sg_instantiate_options options, sg_span span,
                               sg_value *out)
{
    sg_vm *vm = session->vm;
    sg_model_object *m = new_model(session, out);
    if (!m)
        return SG_ERR_MEMORY;
    m->single = options.single;
    m->instance.compat_flows = session->compat.open_flows;
    m->instance.compat_derivatives = session->compat.derivative_units;
    m->instance.compat_merge = session->compat.merged_var;
    m->instance.inputs_given = session->options.input_file != NULL;
    m->instance.constructors = &sg_constructors3d;
    size_t first_diag = session->diags.len;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *out);
    double begin = sg_cpu_time();
    sg_status status = sg_instance_create(&m->instance, vm, module, *out, model,
                                          sg_vm_sym(vm, name), options.unitless, span);
    m->flatten_time = sg_cpu_time() - begin;
    if (status == SG_OK)
        status = sg_components_prepare(m);
    for (size_t i = 0; status == SG_OK && i < m->n_parts; i++)
        sg_part_show_units(m->parts[i], &m->instance.flat);
    if (status == SG_OK && !make_externs(m))
        status = SG_ERR_MEMORY;
    m->alias_reduction = options.alias_reduction;
    if (status == SG_OK)
        status = translate(m);
    if (status == SG_ERR_MODEL && m->compiled_ok)
        sg_components_explain_translation(m->components, &m->instance.flat, vm->diags);
    m->translate_time = sg_cpu_time() - begin - m->flatten_time;
    sg_root_pop(vm, mark);
    if (status == SG_OK) {
        m->number = ++session->models.n;
        session->models.span = span;
        session->models.skipped = false;
    }
    for (size_t i = first_diag; i < session->diags.len; i++)
        if (!session->diags.list[i].span.file) // what concerns the whole model
            session->diags.list[i].span = span;
    if (status == SG_ERR_MODEL)
        status = was_stopped(session, first_diag);
    if (status == SG_ERR_MODEL) { // reported; the script goes on without the model
        sg_session_fail(session, status);
        *out = SG_VALUE_NOTHING;
        return SG_OK;
    }
    // What was reported on the way is not reported again.
    bool told = session->diags.len > first_diag && vm->exception.tag == SG_UNDEF;
    return told ? sg_session_stop_script(vm, status, span) : status;
}
