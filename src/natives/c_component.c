#include "lang/runtime.h"
#include "model/build.h"
#include "natives/c_component_internal.h"
#include "natives/natives.h"
#include "syntax/ast.h"
#include "syntax/parser.h"

#include <math.h>
#include <string.h>

// ---- the value ------------------------------------------------------------------------------

static void mark_instance(sg_vm *vm, void *data)
{
    const sg_component_instance *c = data;
    for (size_t i = 0; c->entries && i < c->component->n_functions; i++)
        sg_mark_value(vm, c->entries[i].value);
}

static void destroy_instance(sg_vm *vm, void *data)
{
    sg_component_instance *c = data;
    if (c->memory && c->component->destroy)
        c->component->destroy(c->memory);
    sg_arena_destroy(&c->segment);
    sg_arena_destroy(&c->arena);
    vm->allocator->resize(vm->allocator->context, c, sizeof *c, 0);
}

const sg_native_class sg_component_instance_class = {
    .name = "Component", .mark = mark_instance, .destroy = destroy_instance};

static void print_function(sg_vm *vm, void *data, sg_buf *out)
{
    const sg_component_entry *entry = data;
    (void)vm;
    sg_buf_puts(out, entry->owner->component->functions[entry->function].name);
}

static const sg_native_class function_class = {.name = "ComponentFunction",
                                               .print = print_function};

static bool make_entries(sg_component_instance *c)
{
    const sg_component *component = c->component;
    c->entries = SG_NEW_ARRAY(&c->arena, sg_component_entry, component->n_functions + 1);
    for (size_t i = 0; c->entries && i < component->n_functions; i++)
        c->entries[i].value = (sg_value){.tag = SG_UNDEF};
    for (uint32_t i = 0; c->entries && i < component->n_functions; i++) {
        sg_component_entry *entry = &c->entries[i];
        entry->owner = c;
        entry->function = i;
        entry->value = sg_native_make(c->vm, &function_class, entry);
        if (entry->value.tag == SG_UNDEF)
            return false;
    }
    return c->entries != NULL;
}

// Rooted by the caller before anything else is made.
static sg_component_instance *new_instance(sg_vm *vm, const sg_component *component,
                                           const char *path, sg_span span, sg_value *out)
{
    sg_component_instance *c = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *c);
    if (!c)
        return NULL;
    *c = (sg_component_instance){.vm = vm, .component = component, .span = span};
    sg_arena_init(&c->arena, vm->allocator);
    sg_arena_init(&c->segment, vm->allocator);
    *out = sg_native_make(vm, &sg_component_instance_class, c);
    if (out->tag == SG_UNDEF) {
        destroy_instance(vm, c);
        return NULL;
    }
    c->path = sg_arena_text(&c->arena, path, strlen(path));
    c->memory = sg_arena_alloc(&c->arena, component->memory_size + 1, _Alignof(max_align_t));
    c->begun = sg_arena_alloc(&c->arena, component->memory_size + 1, _Alignof(max_align_t));
    if (c->memory)
        memset(c->memory, 0, component->memory_size);
    if (c->memory && component->context && component->memory_size >= sizeof component->context)
        memcpy(c->memory, &component->context, sizeof component->context);
    return c->path && c->begun ? c : NULL;
}

static const char *name_of(const sg_component_instance *c)
{
    return c->path[0] ? c->path : c->component->name;
}

// ---- building: equations with functions of this instance ----------------------------------------

typedef struct component_build {
    sg_component_instance *c;
    sg_value model;
    sg_buf text;
    sg_dict *addition; // what is merged with the model
    uint32_t n_hidden;
    sg_status status;
} component_build;

static int function_named(const sg_component_instance *c, const char *name)
{
    for (size_t i = 0; i < c->component->n_functions; i++)
        if (strcmp(c->component->functions[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int called_function(const sg_component_instance *c, const sg_ast *ast)
{
    return ast->kind == SG_AST_CALL && ast->n && ast->kids[0]->kind == SG_AST_NAME
               ? function_named(c, sg_vm_text(c->vm, ast->kids[0]->sym))
               : -1;
}

// f(a) becomes FUNCTION(time, a): what it returns depends on states that the equations do not see.
static void bind_call(component_build *b, sg_ast *call, int number)
{
    sg_component_instance *c = b->c;
    const sg_component_function *f = &c->component->functions[number];
    if (call->n - 1 != f->n_arguments) {
        b->status = sg_raise(c->vm, "MethodError", SG_E_FUNCTION, call->span,
                             "%s of component '%s' takes %u arguments, not %u", f->name,
                             c->component->name, f->n_arguments, call->n - 1);
        return;
    }
    sg_ast **kids = SG_NEW_ARRAY(&c->arena, sg_ast *, call->n + 1);
    sg_ast *callee = SG_NEW(&c->arena, sg_ast), *now = SG_NEW(&c->arena, sg_ast);
    if (!kids || !callee || !now) {
        b->status = SG_ERR_MEMORY;
        return;
    }
    *callee = (sg_ast){.kind = SG_AST_VALUE, .height = 1, .span = call->kids[0]->span};
    callee->value = c->entries[number].value;
    *now = (sg_ast){.kind = SG_AST_NAME, .height = 1, .span = call->span};
    now->sym = sg_vm_sym(c->vm, "time");
    kids[0] = callee;
    kids[1] = now;
    for (uint32_t i = 1; i < call->n; i++)
        kids[i + 1] = call->kids[i];
    call->kids = kids;
    call->n++;
}

static void bind_calls(component_build *b, sg_ast *ast)
{
    int number = called_function(b->c, ast);
    for (uint32_t i = number >= 0 ? 1 : 0; i < ast->n && b->status == SG_OK; i++)
        bind_calls(b, ast->kids[i]);
    if (number >= 0 && b->status == SG_OK)
        bind_call(b, ast, number);
}

// A line that only calls: its variable is nobody's business.
static void name_call(component_build *b, sg_ast **line)
{
    sg_component_instance *c = b->c;
    sg_ast *call = *line;
    sg_ast *equation = SG_NEW(&c->arena, sg_ast), *left = SG_NEW(&c->arena, sg_ast);
    sg_ast **kids = SG_NEW_ARRAY(&c->arena, sg_ast *, 2);
    const char *name = sg_arena_printf(&c->arena, "call%u_", ++b->n_hidden);
    sg_dict *var = sg_dict_make(c->vm, sg_vm_sym(c->vm, "Var"));
    if (!equation || !left || !kids || !name || !var ||
        !sg_dict_put(c->vm, var, sg_symbol(sg_vm_sym(c->vm, "hideResult")), sg_bool(true),
                     call->span) ||
        !sg_dict_put(c->vm, b->addition, sg_symbol(sg_vm_sym(c->vm, name)), sg_object(var),
                     call->span)) {
        b->status = SG_ERR_MEMORY;
        return;
    }
    *left = (sg_ast){.kind = SG_AST_NAME, .height = 1, .span = call->span};
    left->sym = sg_vm_sym(c->vm, name);
    kids[0] = left;
    kids[1] = call;
    *equation = (sg_ast){.kind = SG_AST_ASSIGN,
                         .height = (uint16_t)(call->height + 1),
                         .n = 2,
                         .span = call->span,
                         .kids = kids};
    *line = equation;
}

// How many results an equation takes from the function that it calls.
static uint32_t results_taken(const sg_ast *equation)
{
    return equation->kids[0]->kind == SG_AST_TUPLE ? equation->kids[0]->n : 1;
}

static void bind_line(component_build *b, sg_ast **line)
{
    const sg_component_instance *c = b->c;
    bool equation = (*line)->kind == SG_AST_ASSIGN && (*line)->n == 2;
    int number = called_function(c, equation ? (*line)->kids[1] : *line);
    const sg_component_function *f = number >= 0 ? &c->component->functions[number] : NULL;
    uint32_t taken = equation ? results_taken(*line) : 0;
    if (f && (taken > f->n_results || (!equation && f->n_results))) {
        b->status = sg_raise(c->vm, "MethodError", SG_E_FUNCTION, (*line)->span,
                             "%s of component '%s' has %u results, and %u are taken", f->name,
                             c->component->name, f->n_results, taken);
        return;
    }
    bind_calls(b, *line);
    if (f && !equation && b->status == SG_OK)
        name_call(b, line);
}

static void write_equations(const sg_component_builder *builder, const char *equations)
{
    component_build *b = builder->inside;
    sg_buf_puts(&b->text, equations);
    sg_buf_puts(&b->text, "\n");
}

static sg_status parse_equations(component_build *b, sg_ast **out)
{
    sg_component_instance *c = b->c;
    const char *source = sg_arena_printf(&c->arena, "<component %s>", c->component->name);
    sg_buf_puts(&b->text, "]\n");
    if (!source || b->text.failed)
        return SG_ERR_MEMORY;
    sg_sources *sources = &sg_session_of(c->vm)->sources;
    uint32_t file = sg_sources_add(sources, source, sg_buf_text(&b->text), b->text.len);
    sg_ast *root = NULL;
    sg_diags diags;
    sg_diags_init(&diags, c->vm->allocator);
    sg_status status =
        sg_parse(sources, file, c->vm->symbols, &c->arena, &diags, (sg_parser_options){0}, &root);
    bool list = status == SG_OK && root->n == 1 && root->kids[0]->kind == SG_AST_QUOTE &&
                (root->kids[0]->kids[0]->kind == SG_AST_VCAT ||
                 root->kids[0]->kids[0]->kind == SG_AST_VECT);
    if (!list && status != SG_ERR_MEMORY)
        status =
            sg_raise(c->vm, "ErrorException", SG_E_SYNTAX, diags.len ? diags.list[0].span : c->span,
                     "the equations of component '%s' cannot be read: %s", c->component->name,
                     diags.len ? diags.list[0].message : "write one a line");
    if (status == SG_OK)
        *out = root->kids[0]->kids[0];
    sg_diags_destroy(&diags);
    return status;
}

static sg_status add_equations(component_build *b)
{
    sg_component_instance *c = b->c;
    sg_ast *list = NULL;
    b->status = parse_equations(b, &list);
    for (uint32_t i = 0; b->status == SG_OK && i < list->n; i++)
        bind_line(b, &list->kids[i]);
    if (b->status != SG_OK)
        return b->status;
    sg_value quote = sg_quote_make(c->vm, list);
    return quote.tag != SG_UNDEF &&
                   sg_dict_put(c->vm, b->addition, sg_symbol(sg_vm_sym(c->vm, "equations")), quote,
                               c->span)
               ? SG_OK
               : SG_ERR_MEMORY;
}

// "valve.area" in the dictionary of all parameters.
static bool find_parameter(sg_vm *vm, sg_value parameters, const char *name, sg_value *out)
{
    for (;;) {
        char part[256];
        size_t n = strcspn(name, ".");
        if (!sg_is(parameters, SG_OBJ_DICT) || n >= sizeof part)
            return false;
        memcpy(part, name, n);
        part[n] = '\0';
        if (!sg_dict_get_sym((sg_dict *)parameters.o, sg_vm_sym(vm, part), out))
            return false;
        if (!name[n])
            return true;
        parameters = *out;
        name += n + 1;
    }
}

bool sg_component_given(const sg_component_builder *builder, const char *name, sg_value *out,
                        sg_span *span)
{
    const component_build *b = builder->inside;
    *span = b->c->span;
    return find_parameter(b->c->vm, b->model, name, out);
}

static sg_status build_instance(sg_component_instance *c, sg_value model, sg_value *out)
{
    const sg_component *component = c->component;
    component_build b = {.c = c, .model = model};
    sg_component_builder builder = {c->path, write_equations, &b};
    sg_buf_init(&b.text, c->vm->allocator);
    sg_buf_puts(&b.text, ":[\n");
    if (component->equations)
        write_equations(&builder, component->equations);
    sg_status status = component->build ? component->build(c->memory, &builder) : SG_OK;
    b.addition = sg_dict_make(c->vm, sg_vm_sym(c->vm, "Model"));
    sg_root_mark mark = sg_root_mark_get(c->vm);
    if (!b.addition) {
        status = SG_ERR_MEMORY;
    } else {
        b.addition->span = c->span;
        sg_root_push(c->vm, sg_object(b.addition));
    }
    if (status == SG_OK && b.text.len > 3)
        status = add_equations(&b);
    if (status == SG_OK)
        status = sg_merge(c->vm, model, sg_object(b.addition), out);
    else if (c->vm->exception.tag == SG_UNDEF && status != SG_ERR_MEMORY)
        status = sg_raise(c->vm, "ErrorException", SG_E_MODEL, c->span,
                          "component '%s' could not be built", component->name);
    sg_root_pop(c->vm, mark);
    sg_buf_free(&b.text);
    return status;
}

// ---- a segment begins ---

typedef struct segment_call {
    sg_component_instance *c;
    sg_hidden *hidden;
    sg_value parameters;
    sg_status failed; // raised already
} segment_call;

static const double *read_parameter(const sg_component_segment *segment, const char *name,
                                    size_t *n)
{
    const segment_call *s = segment->inside;
    sg_component_instance *c = s->c;
    sg_value value;
    sg_numbers numbers;
    *n = 0;
    if (!find_parameter(c->vm, s->parameters, name, &value))
        return NULL;
    if (sg_numbers_of(c->vm, value, c->span, &numbers) != SG_OK) {
        c->vm->exception = (sg_value){.tag = SG_UNDEF}; // texts, say, are for others
        return NULL;
    }
    double *copy = SG_NEW_ARRAY(&c->segment, double, (size_t)numbers.n + 1);
    if (!copy)
        return NULL;
    if (numbers.n)
        memcpy(copy, sg_numbers_data(&numbers), numbers.n * sizeof *copy);
    *n = numbers.n;
    return copy;
}

static sg_status fail_segment(const sg_component_segment *segment, const char *message)
{
    segment_call *s = segment->inside;
    if (!s->failed)
        s->failed = sg_raise(s->c->vm, "ErrorException", SG_E_SEGMENT, s->c->span,
                             "component '%s': %s", name_of(s->c), message);
    return s->failed;
}

// "house.rod" and "T" make "house.rod.T", for a derivative "house.rod.der(T)".
static const char *full_name(segment_call *s, const char *name, bool derivative)
{
    const char *path = s->c->path, *dot = path[0] ? "." : "";
    return sg_arena_printf(&s->c->segment, derivative ? "%s%sder(%s)" : "%s%s%s", path, dot, name);
}

static bool variable_is_good(const sg_component_segment *segment, const sg_component_variable *v)
{
    bool good = v->name && v->name[0] && (v->value || !v->n) && v->n < UINT32_MAX / 2 &&
                (v->vector || v->n == 1);
    for (size_t i = 0; good && i < v->n; i++)
        good = isfinite(v->value[i]);
    if (!good)
        fail_segment(segment, "a variable needs a name and finite values, and one that is no "
                              "vector exactly one");
    return good;
}

// The variable's name in the model, null after failing.
static const char *new_variable(const sg_component_segment *segment, const sg_component_variable *v)
{
    segment_call *s = segment->inside;
    if (s->failed || !variable_is_good(segment, v))
        return NULL;
    const char *name = full_name(s, v->name, false);
    if (!name)
        return NULL;
    s->failed = sg_model_variant(s->c->model, name, v->unit ? v->unit : "", !v->vector, s->c->span);
    return s->failed ? NULL : name;
}

static int add_state(const sg_component_segment *segment, const sg_component_variable *v)
{
    segment_call *s = segment->inside;
    const char *name = new_variable(segment, v);
    const char *der = name ? full_name(s, v->name, true) : NULL;
    return name && der ? sg_hidden_add_state(s->hidden, name, der, v->unit ? v->unit : "", v->value,
                                             (uint32_t)v->n, !v->vector)
                       : -1;
}

static int add_local(const sg_component_segment *segment, const sg_component_variable *v)
{
    segment_call *s = segment->inside;
    const char *name = new_variable(segment, v);
    return name ? sg_hidden_add_local(s->hidden, name, v->unit ? v->unit : "", v->value,
                                      (uint32_t)v->n, !v->vector)
                : -1;
}

static int add_crossings(const sg_component_segment *segment, const char *what, size_t n)
{
    segment_call *s = segment->inside;
    int first = (int)s->hidden->n_crossings;
    const char *text = full_name(s, what ? what : "crossing", false);
    for (size_t i = 0; text && i < n; i++)
        sg_hidden_add_crossing(s->hidden, text);
    return text && !s->hidden->failed ? first : -1;
}

static void set_length(const sg_component_segment *segment, unsigned function, unsigned result,
                       size_t n)
{
    const segment_call *s = segment->inside;
    sg_component_instance *c = s->c;
    if (function >= c->component->n_functions ||
        result >= c->component->functions[function].n_results || n > UINT32_MAX / 2) {
        fail_segment(segment, "there is no such result whose length could be set");
        return;
    }
    sg_component_entry *entry = &c->entries[function];
    sg_dims shape = sg_dims_vector((uint32_t)n);
    if (entry->fixed && entry->shapes[result].rows != shape.rows)
        fail_segment(segment, "the length of a result is one of the equations, and cannot change "
                              "during a simulation");
    else
        entry->shapes[result] = shape;
}

// Results that an equation does not take are written here.
static bool make_unused(sg_component_instance *c)
{
    bool ok = true;
    for (size_t i = 0; i < c->component->n_functions; i++)
        for (unsigned k = 0; k < c->component->functions[i].n_results; k++) {
            sg_component_entry *entry = &c->entries[i];
            size_t n = sg_dims_count(entry->shapes[k]);
            entry->unused[k] = SG_NEW_ARRAY(&c->segment, double, n + 1);
            entry->fixed = true;
            ok &= entry->unused[k] != NULL;
        }
    return ok;
}

static sg_status begin_segment(sg_component_instance *c, sg_value parameters)
{
    sg_model_object *m = c->model;
    bool first = !m->compiled.hidden.x, resumes = c->resumes && !first;
    segment_call s = {c, &m->compiled.hidden, parameters, SG_OK};
    const sg_events *events = m->running && m->compiled.exec ? m->compiled.exec->events : NULL;
    sg_component_segment segment = {.path = c->path,
                                    .time = resumes            ? c->begun_time
                                            : first || !events ? m->start_time
                                                               : events->time,
                                    .first = resumes ? c->begun_first : first,
                                    .tolerance = m->compiled.tolerance,
                                    .parameter = read_parameter,
                                    .add_state = add_state,
                                    .add_local = add_local,
                                    .add_crossings = add_crossings,
                                    .set_length = set_length,
                                    .fail = fail_segment,
                                    .inside = &s};
    sg_arena_destroy(&c->segment);
    c->wrong = NULL;
    for (size_t i = 0; first && i < c->component->n_functions; i++) {
        c->entries[i].fixed = false;
        for (unsigned k = 0; k < SG_COMPONENT_MOST_RESULTS; k++)
            c->entries[i].shapes[k] = sg_dims_scalar(SG_REAL);
    }
    c->resumes = false;
    c->begun_time = segment.time;
    c->begun_first = segment.first;
    memcpy(resumes ? c->memory : c->begun, resumes ? c->begun : c->memory,
           c->component->memory_size);
    sg_status status =
        c->component->init_segment ? c->component->init_segment(c->memory, &segment) : SG_OK;
    if (s.failed)
        return s.failed;
    if (s.hidden->failed || !make_unused(c))
        return SG_ERR_MEMORY;
    return status == SG_OK ? SG_OK : fail_segment(&segment, "its segment could not begin");
}

// ---- calls out of equations ---

typedef struct function_call {
    sg_component_entry *entry;
    sg_hidden *hidden;
    sg_events *events;
} function_call;

static void blame(const sg_component_call *call, const char *what)
{
    const function_call *f = call->inside;
    f->entry->owner->wrong = what;
}

static const double *read_state(const sg_component_call *call, int number)
{
    const function_call *f = call->inside;
    uint32_t n;
    const double *x = sg_hidden_state(f->hidden, number, &n);
    if (!x)
        blame(call, "a state was asked for that it does not have");
    return x;
}

static void set_derivative(const sg_component_call *call, int state, const double *value)
{
    const function_call *f = call->inside;
    uint32_t n = 0;
    if (!sg_hidden_state(f->hidden, state, &n) ||
        !sg_hidden_set_derivative(f->hidden, state, value, n))
        blame(call, "a derivative was set of a state that it does not have");
}

static void set_local(const sg_component_call *call, int local, const double *value)
{
    const function_call *f = call->inside;
    bool known = local >= 0 && (size_t)local < f->hidden->locals.len;
    if (!known || !sg_hidden_set_local(f->hidden, local, value, f->hidden->locals.data[local].n))
        blame(call, "a local variable was set that it does not have");
}

static void set_crossing(const sg_component_call *call, int crossing, double value)
{
    const function_call *f = call->inside;
    if (crossing < 0 || (uint32_t)crossing >= f->hidden->n_crossings)
        blame(call, "a crossing function was set that it does not have");
    else if (f->events && f->events->z)
        f->events->z[f->events->z_hidden + (uint32_t)crossing] = value;
}

static void set_state(const sg_component_call *call, int state, const double *value)
{
    const function_call *f = call->inside;
    uint32_t n = 0;
    if (!sg_hidden_state(f->hidden, state, &n)) {
        blame(call, "a state was set that it does not have");
        return;
    }
    uint32_t visible = f->entry->owner->model->compiled.exec->at.n_x;
    if (f->events)
        sg_events_reinit(f->events, visible + f->hidden->states.data[state].at, n, value);
}

static void set_next_event(const sg_component_call *call, double time)
{
    const function_call *f = call->inside;
    if (f->events)
        sg_events_next_event(f->events, time);
}

static void end_segment(const sg_component_call *call)
{
    const function_call *f = call->inside;
    if (f->events)
        sg_events_restart(f->events, SG_RESTART_FULL);
}

static void again(const sg_component_call *call)
{
    const function_call *f = call->inside;
    if (f->events && sg_events_deciding(f->events)) {
        sg_events_restart(f->events, SG_RESTART);
        f->events->n_changes++;
    }
}

// As a function of the script fails: kept until the run says why it ends.
static sg_status keep_error(sg_component_instance *c, sg_status status, const char *message)
{
    sg_vm *vm = c->vm;
    sg_raise(vm, "ErrorException", SG_E_EQ_CALL, (sg_span){0}, "component '%s': %s", name_of(c),
             message);
    c->model->table.error = vm->exception;
    vm->exception = (sg_value){.tag = SG_UNDEF};
    return status;
}

static sg_status fail_call(const sg_component_call *call, const char *message)
{
    const function_call *f = call->inside;
    return keep_error(f->entry->owner, SG_ERR_SOLVER, message);
}

static sg_component_purpose purpose_of(sg_eval_mode mode)
{
    switch (mode) {
    case SG_MODE_RHS:
        return SG_COMPONENT_DERIVATIVES;
    case SG_MODE_RESULT:
        return SG_COMPONENT_RESULT;
    case SG_MODE_TERMINAL:
        return SG_COMPONENT_TERMINAL;
    case SG_MODE_CROSSINGS:
        return SG_COMPONENT_CROSSINGS;
    case SG_MODE_EVENT:
        return SG_COMPONENT_EVENT;
    }
    return SG_COMPONENT_DERIVATIVES;
}

static sg_component_value value_of(sg_operand operand)
{
    return (sg_component_value){operand.data, sg_dims_count(operand.shape)};
}

static sg_status give_shapes(void *context, const sg_extern_call *call, sg_dims *results)
{
    const sg_component_entry *entry = context;
    for (uint32_t k = 0; k < call->n_results && k < SG_COMPONENT_MOST_RESULTS; k++)
        results[k] = entry->shapes[k];
    return SG_OK;
}

// The first argument is time, see bind_call.
static sg_status call_function(void *context, const sg_extern_call *c)
{
    sg_component_entry *entry = context;
    sg_component_instance *owner = entry->owner;
    const sg_component_function *function = &owner->component->functions[entry->function];
    sg_component_value arguments[SG_COMPONENT_MOST_ARGUMENTS], results[SG_COMPONENT_MOST_RESULTS];
    function_call f = {entry, &owner->model->compiled.hidden, c->events};
    for (uint32_t i = 0; i < function->n_arguments; i++)
        arguments[i] = value_of(c->args[i + 1]);
    for (uint32_t k = 0; k < function->n_results; k++)
        results[k] = k < c->n_results
                         ? value_of(c->results[k])
                         : (sg_component_value){entry->unused[k], sg_dims_count(entry->shapes[k])};
    if (!function->n_results)
        *c->results[0].data = 0.0;
    // Passes that must not decide anything see a plain evaluation.
    bool decides = c->events && sg_events_deciding(c->events);
    sg_component_call call = {.time = c->time,
                              .purpose = c->mode == SG_MODE_EVENT && !decides
                                             ? SG_COMPONENT_CROSSINGS
                                             : purpose_of(c->mode),
                              .initial = c->events && c->events->initial,
                              .first_iteration = c->events && c->events->first_iteration,
                              .arguments = arguments,
                              .results = results,
                              .state = read_state,
                              .set_derivative = set_derivative,
                              .set_local = set_local,
                              .set_crossing = set_crossing,
                              .set_state = set_state,
                              .set_next_event = set_next_event,
                              .end_segment = end_segment,
                              .again = again,
                              .fail = fail_call,
                              .inside = &f};
    sg_status status = function->call(owner->memory, &call);
    if (owner->wrong)
        return keep_error(owner, SG_ERR_MODEL, owner->wrong);
    if (status != SG_OK && owner->model->table.error.tag == SG_UNDEF)
        return keep_error(owner, status, "its function failed");
    return status;
}

bool sg_component_extern(sg_model_object *m, sg_value function, sg_extern *out)
{
    sg_component_entry *entry = sg_native_data(function, &function_class);
    if (!entry)
        return false;
    entry->owner->model = m;
    *out = (sg_extern){entry, give_shapes, call_function};
    return true;
}

// ---- in the script ------------------------------------------------------------------------------

static const sg_component *find_component(const sg_session *session, const char *name)
{
    for (size_t i = 0; i < session->added.components.len; i++)
        if (strcmp(session->added.components.data[i]->name, name) == 0)
            return session->added.components.data[i];
    return NULL;
}

static sg_status unknown_component(sg_vm *vm, const char *name, sg_span span)
{
    return sg_raise(vm, "ArgumentError", SG_E_COMPONENT, span,
                    "there is no component '%s' here; one in a shared library is loaded by "
                    "segue run --component LIBRARY",
                    name);
}

// Component(name; variables...): a Model with the functions that the prelude names.
static sg_status component_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_session *session = context;
    const char *name = args->n == 1 ? sg_text_argument(args, 0) : NULL;
    if (!name)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "Component takes the name of a component written in C, then keywords, such "
                        "as Component(\"rod\", length = 1.0)");
    if (!find_component(session, name))
        return unknown_component(vm, name, args->span);
    sg_sym option = sg_vm_sym(vm, "_buildOption");
    sg_value value = sg_string_value(vm, name);
    if (value.tag == SG_UNDEF)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, value);
    sg_status status = sg_model_of_keywords(vm, "componentFunctions", args, out);
    if (status == SG_OK &&
        !sg_dict_put(vm, (sg_dict *)out->o, sg_symbol(option), value, args->span))
        status = SG_ERR_MEMORY;
    sg_root_pop(vm, mark);
    return status;
}

static const char *build_option(sg_vm *vm, const sg_args *args)
{
    for (uint32_t i = 0; i < args->n_kw; i++)
        if (args->kw[i].i == sg_vm_sym(vm, "buildOption").i && sg_is(args->kwv[i], SG_OBJ_STRING))
            return ((sg_string *)args->kwv[i].o)->text;
    return NULL;
}

// (newModel, object) = buildComponent!(model, module, ..., ID, path; buildOption = name)
static sg_status build_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_session *session = context;
    const char *id = sg_text_argument(args, 5), *name = build_option(vm, args);
    if (!id || !name || !sg_is(args->v[0], SG_OBJ_DICT))
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "buildComponent! is called when a model is instantiated, not by hand");
    const sg_component *component = find_component(session, name);
    sg_span span = ((sg_dict *)args->v[0].o)->span;
    if (!component)
        return unknown_component(vm, name, span);
    sg_tuple *pair = sg_tuple_make(vm, 2);
    if (!pair)
        return SG_ERR_MEMORY;
    *out = sg_object(pair);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *out);
    sg_component_instance *c = new_instance(vm, component, id, span, &pair->items[1]);
    sg_value model = SG_VALUE_NOTHING;
    sg_status status =
        c && c->memory && make_entries(c) ? build_instance(c, args->v[0], &model) : SG_ERR_MEMORY;
    pair->items[0] = model;
    sg_root_pop(vm, mark);
    return status;
}

// initSegmentComponent!(instantiatedModel, path, ID, parameters)
static sg_status begin_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    sg_model_object *m = sg_model_argument(vm, args, "initSegmentComponent!");
    const char *id = sg_text_argument(args, 2);
    sg_value object;
    if (!m)
        return SG_ERR_MODEL;
    sg_component_instance *c = id && sg_built_object(&m->instance, id, &object)
                                   ? sg_native_data(object, &sg_component_instance_class)
                                   : NULL;
    if (!c || args->n < 4)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "initSegmentComponent! is called before a segment, not by hand");
    c->model = m;
    return begin_segment(c, args->v[3]);
}

bool sg_session_register_c_components(sg_session *session)
{
    const sg_session_function table[] = {{"Component", component_native, NULL},
                                         {"buildComponent!", build_native, NULL},
                                         {"initSegmentComponent!", begin_native, NULL}};
    return sg_session_register(session, table, SG_COUNT(table));
}
