// Raising, and turning what nobody caught into diagnostics.
#include "vm/bytecode.h"
#include "vm/vm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TRACE_SHOWN = 20, MAX_NESTING = 1000 };

static sg_type *type_named(sg_vm *vm, const char *name)
{
    sg_value type =
        vm->base ? sg_module_get(vm->base, sg_vm_sym(vm, name)) : (sg_value){.tag = SG_UNDEF};
    return sg_is(type, SG_OBJ_TYPE) ? (sg_type *)type.o : vm->types.ErrorException;
}

// The call stack as spans, innermost first; the first is where the exception arose.
static void record_trace(sg_vm *vm, sg_exception *e)
{
    uint32_t n = vm->n_frames < TRACE_SHOWN ? vm->n_frames : TRACE_SHOWN;
    if (!n)
        return;
    e->trace = sg_heap_resize(vm, NULL, 0, n * sizeof(sg_span));
    e->trace_names = e->trace ? sg_heap_resize(vm, NULL, 0, n * sizeof(sg_sym)) : NULL;
    if (!e->trace_names) {
        if (e->trace)
            sg_heap_resize(vm, e->trace, n * sizeof(sg_span), 0);
        e->trace = NULL;
        return;
    }
    e->n_trace = n;
    for (uint32_t i = 0; i < n; i++) {
        const sg_frame *frame = &vm->frames[vm->n_frames - 1 - i];
        e->trace[i] = sg_proto_span(frame->proto, frame->ip);
        e->trace_names[i] = frame->proto->name;
    }
}

sg_exception *sg_exception_make(sg_vm *vm, sg_type *type, const char *message)
{
    sg_exception *e = sg_heap_new(vm, SG_OBJ_EXCEPTION, sizeof *e);
    if (!e)
        return NULL;
    e->type = type;
    e->status = SG_ERR_MODEL;
    e->code = SG_E_THROWN;
    e->payload = SG_VALUE_NOTHING;
    e->message = sg_string_value(vm, message);
    e->about_stand_in = vm->named_stand_in;
    vm->named_stand_in = false;
    return e->message.tag == SG_UNDEF ? NULL : e;
}

static sg_status raise_text(sg_vm *vm, sg_type *type, sg_status status, sg_code code, sg_span span,
                            const char *format, va_list list)
{
    char fixed[1024];
    vsnprintf(fixed, sizeof fixed, format, list);
    size_t limit = vm->limits.max_memory;
    vm->limits.max_memory = 0; // the message about a limit needs some memory itself
    sg_exception *e = NULL;
    if (status != SG_ERR_MEMORY)
        e = sg_exception_make(vm, type, fixed);
    if (e) {
        e->status = status;
        e->code = code;
        e->span = span.file ? span : sg_vm_where(vm);
        record_trace(vm, e);
        vm->exception = sg_object(e);
    } else {
        vm->exception = (sg_value){.tag = SG_INT, .i = status};
    }
    vm->limits.max_memory = limit;
    return status;
}

sg_status sg_raise(sg_vm *vm, const char *type, sg_code code, sg_span span, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    sg_status status = raise_text(vm, type_named(vm, type), SG_ERR_MODEL, code, span, format, list);
    va_end(list);
    return status;
}

sg_status sg_raise_status(sg_vm *vm, sg_status status, sg_code code, sg_span span,
                          const char *format, ...)
{
    va_list list;
    va_start(list, format);
    raise_text(vm, vm->types.ErrorException, status, code, span, format, list);
    va_end(list);
    return status;
}

sg_status sg_throw(sg_vm *vm, sg_value value, sg_span span)
{
    if (sg_is(value, SG_OBJ_EXCEPTION)) {
        sg_exception *e = (sg_exception *)value.o;
        if (!e->span.file)
            e->span = span.file ? span : sg_vm_where(vm);
        if (!e->trace)
            record_trace(vm, e);
        vm->exception = value;
        return e->status;
    }
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    if (vm->hooks->describe)
        vm->hooks->describe(vm, value, &text);
    sg_exception *e = sg_exception_make(vm, vm->types.ErrorException, sg_buf_text(&text));
    sg_buf_free(&text);
    if (!e)
        return SG_ERR_MEMORY;
    e->payload = value;
    e->head.flags = 1; // carries a thrown value
    e->span = span.file ? span : sg_vm_where(vm);
    record_trace(vm, e);
    vm->exception = sg_object(e);
    return SG_ERR_MODEL;
}

static bool same_place(sg_span a, sg_span b)
{
    return a.file == b.file && a.first == b.first && a.last == b.last;
}

sg_span sg_exception_place(const sg_vm *vm, const sg_exception *e)
{
    if (!sg_source_is_library(vm->sources, e->span.file))
        return e->span;
    for (uint32_t i = 1; i < e->n_trace; i++)
        if (e->trace[i].file && !sg_source_is_library(vm->sources, e->trace[i].file))
            return e->trace[i];
    return e->span;
}

void sg_report_exception_as(sg_vm *vm, sg_severity severity)
{
    sg_value pending = vm->exception;
    vm->exception = (sg_value){.tag = SG_UNDEF};
    if (pending.tag == SG_UNDEF)
        return;
    if (!sg_is(pending, SG_OBJ_EXCEPTION)) {
        char words[SG_LIMITS_WORDS];
        sg_code code = sg_limits_words(&vm->limits, SG_ERR_MEMORY, words);
        sg_error(vm->diags, code, vm->place, "%s", words);
        return;
    }
    sg_exception *e = (sg_exception *)pending.o;
    const char *message = sg_is(e->message, SG_OBJ_STRING) ? ((sg_string *)e->message.o)->text : "";
    bool plain = e->type == vm->types.ErrorException || e->code != SG_E_THROWN;
    sg_code code = e->code;
    char words[SG_LIMITS_WORDS];
    if (code == SG_E_MEMORY) { // by which limit?
        code = sg_limits_words(&vm->limits, SG_ERR_MEMORY, words);
        message = words;
    }
    if (e->code == SG_E_FOLLOWS && severity == SG_ERROR)
        severity = SG_WARNING; // the mistake itself was reported
    sg_span place = sg_exception_place(vm, e);
    bool moved = !same_place(place, e->span);
    if (plain)
        sg_diags_add(vm->diags, severity, code, place, "%s", message);
    else
        sg_diags_add(vm->diags, severity, e->code, place, "%s: %s", sg_vm_text(vm, e->type->name),
                     message);
    if (moved)
        sg_note(vm->diags, e->span, "found here, in the library");
    for (uint32_t i = 1; i < e->n_trace; i++) {
        const char *name = sg_vm_text(vm, e->trace_names[i - 1]);
        if (!e->trace[i].file || !*name || (moved && same_place(e->trace[i], place)))
            continue;
        uint32_t last = i; // a recursion is told once
        while (last + 1 < e->n_trace && same_place(e->trace[last + 1], e->trace[i]))
            last++;
        if (last > i)
            sg_note(vm->diags, e->trace[i], "called from here: %s, %s%u times", name,
                    e->n_trace == TRACE_SHOWN ? "at least " : "", last - i + 1);
        else
            sg_note(vm->diags, e->trace[i], "called from here: %s", name);
        i = last;
    }
}

void sg_report_exception(sg_vm *vm) { sg_report_exception_as(vm, SG_ERROR); }

sg_status sg_truth(sg_vm *vm, sg_value value, bool *out)
{
    if (value.tag == SG_BOOL) {
        *out = value.b;
        return SG_OK;
    }
    *out = false;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_type *type = sg_typeof(vm, value);
    if (type)
        sg_type_print(vm, type, &text);
    sg_status status =
        sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                 "a condition must be true or false, this is of type %s", sg_buf_text(&text));
    sg_buf_free(&text);
    return status;
}

// ---- names and arguments ------------------------------------------------------------------------

const char *sg_suggest_name(sg_vm *vm, const sg_module *module, const char *name)
{
    SG_VEC(const char *) names = {0};
    const sg_module *level = module;
    const sg_module *todo[64];
    size_t n_todo = 0, done = 0;
    todo[n_todo++] = level;
    while (done < n_todo) {
        level = todo[done++];
        sg_module_complete(level);
        for (size_t i = 0; i < level->cells.len; i++) {
            const sg_cell *cell = (const sg_cell *)(uintptr_t)level->cells.entries[i].value;
            if (sg_cell_value(cell).tag == SG_UNDEF)
                continue;
            const char *text = sg_vm_text(vm, cell->name);
            if (strcmp(text, name) != 0 && !SG_PUSH(vm->allocator, &names, text))
                break;
        }
        for (uint32_t i = 0; i < level->n_uses && n_todo < 64; i++)
            todo[n_todo++] = level->uses[i];
    }
    const char *best = sg_closest_name(name, names.data, names.len);
    SG_VEC_FREE(vm->allocator, &names);
    return best;
}

const sg_value *sg_args_find(sg_vm *vm, const sg_args *args, const char *name)
{
    for (uint32_t i = 0; i < args->n_kw; i++)
        if (strcmp(sg_vm_text(vm, args->kw[i]), name) == 0)
            return &args->kwv[i];
    return NULL;
}

sg_status sg_args_check_keywords(sg_vm *vm, const sg_args *args, const char *function,
                                 const char *const *names, size_t n)
{
    for (uint32_t i = 0; i < args->n_kw; i++) {
        const char *given = sg_vm_text(vm, args->kw[i]);
        size_t k = 0;
        while (k < n && strcmp(names[k], given) != 0)
            k++;
        if (k < n)
            continue;
        const char *near = sg_closest_name(given, names, n);
        sg_span span = args->spans ? args->spans[args->n + i] : args->span;
        sg_buf valid;
        sg_buf_init(&valid, vm->allocator);
        for (k = 0; k < n; k++)
            sg_buf_printf(&valid, "%s%s", k ? ", " : "", names[k]);
        sg_status status =
            n == 0 ? sg_raise(vm, "MethodError", SG_E_KEYWORD, span,
                              "%s has no keyword argument '%s'; it takes none", function, given)
                   : sg_raise(vm, "MethodError", SG_E_KEYWORD, span,
                              "%s has no keyword argument '%s'%s%s%s (it takes %s)", function,
                              given, near ? ", did you mean '" : "", near ? near : "",
                              near ? "'?" : "", sg_buf_text(&valid));
        sg_buf_free(&valid);
        return status;
    }
    return SG_OK;
}

sg_status sg_args_check_count(sg_vm *vm, const sg_args *args, const char *function, uint32_t lo,
                              uint32_t hi)
{
    if (args->n >= lo && args->n <= hi)
        return SG_OK;
    if (lo == hi)
        return sg_raise(vm, "MethodError", SG_E_METHOD, args->span,
                        "%s takes %u argument%s, %u given", function, lo, lo == 1 ? "" : "s",
                        args->n);
    if (hi == UINT32_MAX)
        return sg_raise(vm, "MethodError", SG_E_METHOD, args->span,
                        "%s takes at least %u argument%s, %u given", function, lo,
                        lo == 1 ? "" : "s", args->n);
    return sg_raise(vm, "MethodError", SG_E_METHOD, args->span,
                    "%s takes %u to %u arguments, %u given", function, lo, hi, args->n);
}

bool sg_nest_begin(sg_vm *vm)
{
    if (vm->nesting < MAX_NESTING) {
        vm->nesting++;
        return true;
    }
    sg_raise(vm, "StackOverflowError", SG_E_LIMIT, (sg_span){0},
             "a value is nested more than %d levels deep, or contains itself", MAX_NESTING);
    return false;
}
