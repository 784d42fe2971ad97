// FMU("pump.fmu"; kind, step, start, parameters...): an FMU of another tool as a model.
#include "fmi/zip.h"
#include "lang/runtime.h"
#include "lang/script.h"
#include "natives/fmu_internal.h"
#include "natives/natives.h"
#include "natives/table_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What the call says besides values of the FMU.
typedef struct fmu_call {
    sg_vm *vm;
    const sg_args *args;
    sg_session *session;
    sg_fmu_component *f;
    sg_arena *arena;  // of the session
    const char *kind; // "me", "cs" or null
    sg_value others;  // a dictionary of all other keywords
    sg_value start;   // or nothing
} fmu_call;

static sg_status complain(const fmu_call *c, sg_code code, const char *words)
{
    return sg_raise(c->vm, "ArgumentError", code, c->args->span, "FMU \"%s\": %s", c->f->file,
                    words);
}

// ---- the file -----------------------------------------------------------------------------------

static sg_status read_bytes(fmu_call *c)
{
    sg_session *session = c->session;
    char *bytes;
    size_t n;
    sg_status status = sg_script_read(session, c->args, c->f->file, &bytes, &n);
    if (status)
        return status;
    char *copy = sg_arena_alloc(c->arena, n + 1, 1);
    if (copy)
        memcpy(copy, bytes, n);
    session->allocator->resize(session->allocator->context, bytes, n + 1, 0);
    c->f->bytes = copy;
    c->f->n_bytes = n;
    return copy ? SG_OK : SG_ERR_MEMORY;
}

static sg_status read_description(fmu_call *c)
{
    sg_zip_entry *entries;
    size_t n;
    const char *message = "";
    const void *xml = NULL;
    char words[SG_FMU_WORDS];
    sg_arena scratch;
    sg_arena_init(&scratch, c->session->allocator);
    sg_status status = sg_zip_list(c->f->bytes, c->f->n_bytes, &scratch, &entries, &n, &message);
    if (status) {
        snprintf(words, sizeof words, "it is no archive: %.200s", message);
        sg_arena_destroy(&scratch);
        return status == SG_ERR_MEMORY ? status : complain(c, SG_E_FMU, words);
    }
    size_t at = 0;
    while (at < n && strcmp(entries[at].name, "modelDescription.xml") != 0)
        at++;
    if (at < n)
        status = sg_zip_read(&entries[at], &scratch, &xml);
    if (at == n || status == SG_ERR_INPUT) {
        status = complain(c, SG_E_FMU,
                          at == n ? "it is an archive without modelDescription.xml"
                                  : "its modelDescription.xml is damaged");
    } else if (!status) {
        status = sg_fmu_foreign_read(c->arena, xml, entries[at].length, &c->f->fmu, words);
        if (status && status != SG_ERR_MEMORY)
            status = complain(c, SG_E_FMU, words);
    }
    sg_arena_destroy(&scratch);
    return status;
}

// ---- which kind ---------------------------------------------------------------------------------

static sg_status choose_kind(fmu_call *c)
{
    const sg_fmu_foreign *fmu = &c->f->fmu;
    bool me = fmu->me.identifier != NULL, cs = fmu->cs.identifier != NULL;
    if (!me && !cs)
        return complain(c, SG_E_FMU,
                        fmu->scheduled ? "it offers scheduled execution only, which Segue does not "
                                         "do: it takes model exchange and co-simulation"
                                       : "it offers neither model exchange nor co-simulation");
    if (c->kind && strcmp(c->kind, "me") != 0 && strcmp(c->kind, "cs") != 0)
        return complain(c, SG_E_ARGUMENT, "kind is :me (model exchange) or :cs (co-simulation)");
    c->f->exchange = c->kind ? strcmp(c->kind, "me") == 0 : me;
    if (!(c->f->exchange ? me : cs))
        return complain(c, SG_E_FMU,
                        me ? "it offers model exchange only" : "it offers co-simulation only");
    if ((c->f->exchange ? fmu->me : fmu->cs).needs_tool)
        return complain(c, SG_E_FMU, "it needs the tool that made it, which Segue does not start");
    return SG_OK;
}

// ---- keywords -----------------------------------------------------------------------------------

static sg_status take_step(fmu_call *c, sg_value value)
{
    const char *word = sg_text_of(c->vm, value);
    sg_numbers numbers;
    if (word && strcmp(word, "adaptive") == 0) {
        c->f->adaptive = true;
        return SG_OK;
    }
    if (!word && sg_numbers_of(c->vm, value, c->args->span, &numbers) == SG_OK && numbers.scalar &&
        numbers.one > 0.0 && isfinite(numbers.one)) {
        c->f->step = numbers.one;
        return SG_OK;
    }
    c->vm->exception = (sg_value){.tag = SG_UNDEF};
    return complain(c, SG_E_ARGUMENT,
                    "step is a time such as 0.01 (in seconds, or 10u\"ms\"), or :adaptive");
}

static const sg_foreign_variable *variable_named(const sg_fmu_component *f, const char *name,
                                                 uint32_t *index)
{
    for (uint32_t i = 0; i < f->fmu.n_variables; i++)
        if (strcmp(f->fmu.variables[i].name, name) == 0 ||
            (f->names && f->names[i] && strcmp(f->names[i], name) == 0)) {
            *index = i;
            return &f->fmu.variables[i];
        }
    return NULL;
}

static sg_status read_keywords(fmu_call *c)
{
    const sg_args *args = c->args;
    for (uint32_t i = 0; i < args->n_kw; i++) {
        const char *name = sg_vm_text(c->vm, args->kw[i]);
        sg_status status = SG_OK;
        if (strcmp(name, "kind") == 0) {
            c->kind = sg_text_of(c->vm, args->kwv[i]);
            if (!c->kind)
                c->kind = "?";
        } else if (strcmp(name, "step") == 0) {
            status = take_step(c, args->kwv[i]);
        } else if (strcmp(name, "start") == 0) {
            c->start = args->kwv[i];
        } else if (!sg_dict_put(c->vm, (sg_dict *)c->others.o, sg_symbol(args->kw[i]), args->kwv[i],
                                args->spans ? args->spans[args->n + i] : args->span)) {
            status = SG_ERR_MEMORY;
        }
        if (status)
            return status;
    }
    return SG_OK;
}

// A number with a unit, where the FMU has another one. Plain numbers are SI, and where the FMU says
// nothing anything goes.
static sg_status check_unit(const sg_fmu_component *f, const sg_foreign_variable *v,
                            const char *name, sg_value value, sg_span span)
{
    sg_vm *vm = f->session->vm;
    sg_units *units = sg_runtime_of(vm)->units;
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    sg_value some = array && array->len ? sg_array_get(array, 0) : value;
    char text[160];
    if (!sg_is_quantity(some) || !v->unit || !v->unit->known)
        return SG_OK;
    sg_fmu_unit_text(v, text);
    uint32_t wanted = sg_unit_parse(units, text, strlen(text), NULL, NULL, NULL);
    if (sg_unit_same_dimension(units, wanted, sg_quantity_unit(some)))
        return SG_OK;
    return sg_raise(vm, "ArgumentError", SG_E_FMU, span,
                    "FMU \"%s\": '%s' is in %s, and the value is in %s", f->file, name,
                    text[0] ? text : "no unit", sg_unit_text(units, sg_quantity_unit(some)));
}

sg_status sg_fmu_check_units(const sg_fmu_component *f, const sg_component_builder *builder)
{
    sg_status status = SG_OK;
    for (uint32_t i = 0; !status && i < f->fmu.n_variables; i++) {
        sg_value value, inside;
        sg_span span;
        if (!f->names[i] || !sg_component_given(builder, f->names[i], &value, &span))
            continue;
        if (sg_is(value, SG_OBJ_DICT) && // Par(value = ...), Var(value = ...)
            sg_dict_get_sym((sg_dict *)value.o, sg_vm_sym(f->session->vm, "value"), &inside))
            value = inside;
        status = check_unit(f, &f->fmu.variables[i], f->names[i], value, span);
    }
    return status;
}

static sg_status add_setting(fmu_call *c, const char *name, sg_value value)
{
    sg_fmu_component *f = c->f;
    uint32_t index;
    const sg_foreign_variable *v = variable_named(f, name, &index);
    char words[SG_FMU_WORDS];
    if (!v) {
        snprintf(words, sizeof words, "it has no variable '%.100s'", name);
        return complain(c, SG_E_FMU, words);
    }
    sg_fmu_setting *s = &f->settings[f->n_settings];
    *s = (sg_fmu_setting){.variable = index};
    if (v->type == SG_FMU_STRING) {
        const char *text = sg_text_of(c->vm, value);
        s->text = text ? sg_arena_text(c->arena, text, strlen(text)) : NULL;
        snprintf(words, sizeof words, "'%.100s' is a text", name);
        f->n_settings++;
        return text ? s->text ? SG_OK : SG_ERR_MEMORY : complain(c, SG_E_FMU, words);
    }
    sg_numbers numbers;
    bool can = !v->constant && v->type != SG_FMU_OTHER && v->causality != SG_FOREIGN_STRUCTURAL &&
               (v->exact || v->approx || v->causality == SG_FOREIGN_PARAMETER);
    if (!can) {
        snprintf(words, sizeof words,
                 "'%.100s' has no start value that can be set (its description says so)", name);
        return complain(c, SG_E_FMU, words);
    }
    sg_status status = check_unit(c->f, v, name, value, c->args->span);
    if (!status)
        status = sg_numbers_of(c->vm, value, c->args->span, &numbers);
    if (status)
        return status;
    if (numbers.n != v->n) {
        snprintf(words, sizeof words, "'%.100s' has %zu elements, and %u are given", name, v->n,
                 (unsigned)numbers.n);
        return complain(c, SG_E_FMU, words);
    }
    double *x = SG_NEW_ARRAY(c->arena, double, v->n + 1);
    if (!x)
        return SG_ERR_MEMORY;
    if (v->n)
        memcpy(x, sg_numbers_data(&numbers), v->n * sizeof *x);
    s->x = x;
    f->n_settings++;
    return SG_OK;
}

// `start`, and keywords that name texts of the FMU, which are no parameters of the language.
static sg_status read_settings(fmu_call *c, sg_value *rest)
{
    sg_dict *others = (sg_dict *)c->others.o;
    sg_dict_entry e;
    size_t n = others->live + 1;
    if (c->start.tag != SG_UNDEF && !sg_is(c->start, SG_OBJ_DICT))
        return complain(c, SG_E_ARGUMENT, "start takes Map(h = 2.0, ...)");
    if (sg_is(c->start, SG_OBJ_DICT))
        n += ((sg_dict *)c->start.o)->live;
    c->f->settings = SG_NEW_ARRAY(c->arena, sg_fmu_setting, n);
    if (!c->f->settings)
        return SG_ERR_MEMORY;
    for (size_t at = 0;
         sg_is(c->start, SG_OBJ_DICT) && sg_dict_next((sg_dict *)c->start.o, &at, &e);) {
        const char *name = sg_text_of(c->vm, e.key);
        if (!name || name[0] == '_')
            continue;
        sg_status status = add_setting(c, name, e.value);
        if (status)
            return status;
    }
    sg_dict *left = sg_dict_make(c->vm, sg_vm_sym(c->vm, "Map"));
    if (!left)
        return SG_ERR_MEMORY;
    *rest = sg_object(left);
    sg_root_push(c->vm, *rest);
    for (size_t at = 0; sg_dict_next(others, &at, &e);) {
        const char *name = sg_text_of(c->vm, e.key);
        uint32_t index;
        const sg_foreign_variable *v = name ? variable_named(c->f, name, &index) : NULL;
        bool text = v && v->type == SG_FMU_STRING;
        sg_status status = text ? add_setting(c, name, e.value)
                           : sg_dict_put(c->vm, left, e.key, e.value, e.span) ? SG_OK
                                                                              : SG_ERR_MEMORY;
        if (status)
            return status;
    }
    return SG_OK;
}

// ---- steps of co-simulation ---------------------------------------------------------------------

static sg_status settle_step(fmu_call *c)
{
    sg_fmu_component *f = c->f;
    const sg_fmu_foreign *fmu = &f->fmu;
    if (f->exchange) {
        if (f->adaptive || f->step > 0.0)
            return complain(c, SG_E_ARGUMENT, "step is for co-simulation, kind = :cs");
        return SG_OK;
    }
    double whole = fmu->stop_time - (isnan(fmu->start_time) ? 0.0 : fmu->start_time);
    bool told = fmu->step > 0.0 && isfinite(fmu->step);
    if (f->adaptive && !fmu->cs.variable_steps)
        return complain(c, SG_E_FMU,
                        "it takes communication steps of one length only: give it one "
                        "by step = ...");
    if (f->step > 0.0)
        return SG_OK;
    if (!f->adaptive && fmu->cs.fixed_step > 0.0)
        f->step = fmu->cs.fixed_step;
    else if (!f->adaptive && told)
        f->step = fmu->step;
    else
        f->adaptive = fmu->cs.variable_steps;
    if (!(f->step > 0.0)) // a guess, which adaptive steps correct
        f->step = fmu->cs.fixed_step > 0.0         ? fmu->cs.fixed_step
                  : whole > 0.0 && isfinite(whole) ? whole / 500.0
                                                   : 1e-3;
    return SG_OK;
}

// ---- the function of the language ---------------------------------------------------------------

// Components may take any name; an FMU has those of its description and no others.
static sg_status check_names(const fmu_call *c, sg_value model, sg_value rest)
{
    sg_dict_entry e;
    sg_value there;
    for (size_t at = 0; sg_dict_next((sg_dict *)rest.o, &at, &e);) {
        const char *name = sg_text_of(c->vm, e.key), *near = NULL;
        uint32_t index;
        const sg_foreign_variable *v = name ? variable_named(c->f, name, &index) : NULL;
        sg_status status = v ? check_unit(c->f, v, name, e.value, e.span) : SG_OK;
        if (status)
            return status;
        if (!name || name[0] == '_' ||
            sg_dict_get_sym((sg_dict *)model.o, sg_vm_sym(c->vm, name), &there))
            continue;
        const char **names = SG_NEW_ARRAY(c->arena, const char *, c->f->fmu.n_variables + 1);
        size_t n = 0;
        for (uint32_t i = 0; names && i < c->f->fmu.n_variables; i++)
            if (c->f->names[i])
                names[n++] = c->f->names[i];
        near = names ? sg_closest_name(name, names, n) : NULL;
        char words[SG_FMU_WORDS];
        snprintf(words, sizeof words, "it has no parameter or input '%.80s'%s%.80s%s", name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return sg_raise(c->vm, "ArgumentError", SG_E_FMU, e.span, "FMU \"%s\": %s", c->f->file,
                        words);
    }
    return SG_OK;
}

static sg_status make_model(fmu_call *c, sg_value rest, sg_value *out)
{
    sg_session *session = c->session;
    sg_buf text;
    char name[64];
    snprintf(name, sizeof name, "fmu %u", (unsigned)session->added.components.len);
    c->f->table.name = sg_arena_text(c->arena, name, strlen(name));
    sg_status status = c->f->table.name ? sg_components_add(session, &c->f->table) : SG_ERR_MEMORY;
    if (status)
        return status;
    if (!session->prelude(session))
        return SG_ERR_MEMORY;
    sg_buf_init(&text, session->allocator);
    sg_fmu_write_model(c->f, name, &text);
    sg_value model = SG_VALUE_NOTHING;
    status = text.failed ? SG_ERR_MEMORY
                         : sg_script_run_text(session->script, sg_vm_module(c->vm, "Modia3D"),
                                              c->f->file, sg_buf_text(&text), text.len, &model);
    sg_buf_free(&text);
    if (status)
        return status;
    sg_root_push(c->vm, model);
    ((sg_dict *)model.o)->span = c->args->span;
    status = check_names(c, model, rest);
    if (status)
        return status;
    status = sg_merge(c->vm, model, rest, out);
    if (!status)
        ((sg_dict *)out->o)->span = c->args->span;
    return status;
}

static sg_status read_fmu(fmu_call *c, sg_value *out)
{
    char words[SG_FMU_WORDS];
    sg_value rest = SG_VALUE_NOTHING;
    sg_status status = read_bytes(c);
    if (!status)
        status = read_description(c);
    if (!status)
        status = read_keywords(c);
    if (!status)
        status = choose_kind(c);
    if (!status)
        status = settle_step(c);
    if (!status && !sg_fmu_lists_make(c->arena, &c->f->fmu, c->f->exchange, &c->f->lists))
        status = SG_ERR_MEMORY;
    if (!status) {
        status = sg_fmu_plan(c->f, c->arena, words);
        if (status && status != SG_ERR_MEMORY)
            return complain(c, SG_E_FMU, words);
    }
    if (!status && c->f->exchange && !c->f->fmu.me.no_completed_steps)
        c->f->table.bound_step = sg_fmu_bound_step;
    if (!status)
        status = read_settings(c, &rest);
    return status ? status : make_model(c, rest, out);
}

static sg_status fmu_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    const char *file = args->n == 1 ? sg_text_argument(args, 0) : NULL;
    if (!file)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "FMU takes the name of a file, then keywords, such as FMU(\"pump.fmu\", "
                        "kind = :cs, step = 0.01, speed = 2.0)");
    sg_arena *arena = &session->arena;
    sg_fmu_component *f = SG_NEW(arena, sg_fmu_component);
    if (!f)
        return SG_ERR_MEMORY;
    f->session = session;
    f->file = sg_arena_text(arena, file, strlen(file));
    f->table = (sg_component){.abi = SG_COMPONENT_ABI,
                              .memory_size = sg_fmu_memory_size,
                              .build = sg_fmu_define,
                              .init_segment = sg_fmu_begin,
                              .destroy = sg_fmu_end,
                              .context = f};
    fmu_call c = {.vm = vm,
                  .args = args,
                  .session = session,
                  .f = f,
                  .arena = arena,
                  .start = {.tag = SG_UNDEF}};
    sg_dict *others = sg_dict_make(vm, sg_vm_sym(vm, "Map"));
    if (!f->file || !others)
        return SG_ERR_MEMORY;
    c.others = sg_object(others);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, c.others);
    sg_status status = read_fmu(&c, out);
    sg_root_pop(vm, mark);
    return status;
}

bool sg_session_register_fmus(sg_session *session)
{
    const sg_session_function table[] = {{"FMU", fmu_native, NULL}};
    return sg_session_register(session, table, SG_COUNT(table));
}
