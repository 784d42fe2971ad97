// What scripts ask of the system around them: the folder that they run in, JSON texts.
#include "lang/print.h"
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "result/json.h"

#include <math.h>

enum { MAX_DEPTH = 100 };

static sg_status pwd_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)args;
    sg_session *session = context;
    const char *folder = session->files_ready ? sg_files_working_folder(&session->files) : ".";
    *out = folder ? sg_string_value(vm, folder) : (sg_value){.tag = SG_UNDEF};
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

// ---- JSON -----------------------------------------------------------------------------------

typedef struct json_writer {
    sg_vm *vm;
    sg_buf *out;
    int indent; // blanks for each level; 0: all in one line
    bool too_deep;
} json_writer;

static void write_json(json_writer *w, sg_value value, int depth);

static void new_line(json_writer *w, int depth)
{
    if (!w->indent)
        return;
    sg_buf_putc(w->out, '\n');
    for (int i = 0; i < w->indent * depth; i++)
        sg_buf_putc(w->out, ' ');
}

static void write_text(json_writer *w, sg_value value)
{
    sg_buf text;
    sg_buf_init(&text, w->vm->allocator);
    sg_print_value(w->vm, sg_runtime_of(w->vm)->units, value, &text);
    sg_json_put_harmless(w->out, sg_buf_text(&text));
    sg_buf_free(&text);
}

static void write_dict(json_writer *w, const sg_dict *dict, int depth)
{
    sg_dict_entry e;
    bool any = false;
    sg_buf_putc(w->out, '{');
    for (size_t at = 0; sg_dict_next(dict, &at, &e); any = true) {
        if (any)
            sg_buf_putc(w->out, ',');
        new_line(w, depth + 1);
        write_text(w, e.key);
        sg_buf_puts(w->out, w->indent ? ": " : ":");
        write_json(w, e.value, depth + 1);
    }
    if (any)
        new_line(w, depth);
    sg_buf_putc(w->out, '}');
}

// A matrix is a list of its columns.
static void write_array(json_writer *w, const sg_array *array, size_t from, uint32_t dim, int depth)
{
    size_t n = array->dims[dim - 1], stride = 1;
    for (uint32_t i = 0; i + 1 < dim; i++)
        stride *= array->dims[i];
    sg_buf_putc(w->out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            sg_buf_putc(w->out, ',');
        new_line(w, depth + 1);
        if (dim > 1)
            write_array(w, array, from + i * stride, dim - 1, depth + 1);
        else
            write_json(w, sg_array_get(array, from + i), depth + 1);
    }
    if (n)
        new_line(w, depth);
    sg_buf_putc(w->out, ']');
}

static void write_tuple(json_writer *w, const sg_tuple *tuple, int depth)
{
    bool named = tuple->names != NULL;
    sg_buf_putc(w->out, named ? '{' : '[');
    for (uint32_t i = 0; i < tuple->n; i++) {
        if (i)
            sg_buf_putc(w->out, ',');
        new_line(w, depth + 1);
        if (named) {
            sg_json_put_harmless(w->out, sg_vm_text(w->vm, tuple->names[i]));
            sg_buf_puts(w->out, w->indent ? ": " : ":");
        }
        write_json(w, tuple->items[i], depth + 1);
    }
    if (tuple->n)
        new_line(w, depth);
    sg_buf_putc(w->out, named ? '}' : ']');
}

static void write_json(json_writer *w, sg_value value, int depth)
{
    bool number = value.tag == SG_INT || value.tag == SG_BOOL || value.tag == SG_FLOAT ||
                  value.tag == SG_FLOAT32;
    bool finite = value.tag == SG_FLOAT || value.tag == SG_FLOAT32 ? isfinite(value.d) : true;
    w->too_deep |= depth > MAX_DEPTH;
    if (value.tag == SG_NOTHING || value.tag == SG_MISSING || !finite || w->too_deep)
        sg_buf_puts(w->out, "null");
    else if (number)
        sg_print_value(w->vm, sg_runtime_of(w->vm)->units, value, w->out);
    else if (sg_is(value, SG_OBJ_DICT))
        write_dict(w, (const sg_dict *)value.o, depth);
    else if (sg_is(value, SG_OBJ_ARRAY))
        write_array(w, (const sg_array *)value.o, 0, ((const sg_array *)value.o)->ndims, depth);
    else if (sg_is(value, SG_OBJ_TUPLE) || sg_is(value, SG_OBJ_NAMED_TUPLE))
        write_tuple(w, (const sg_tuple *)value.o, depth);
    else
        write_text(w, value);
}

static sg_status make_json(sg_vm *vm, const sg_args *args, sg_value value, sg_value indent,
                           sg_buf *out)
{
    json_writer w = {.vm = vm, .out = out};
    if (indent.tag == SG_INT && indent.i > 0 && indent.i < 100)
        w.indent = (int)indent.i;
    write_json(&w, value, 0);
    if (!w.too_deep)
        return SG_OK;
    return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                    "this is nested too deeply for JSON");
}

// JSON.json(value[, indent]): the text.
static sg_status json_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "JSON.json", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_status status =
        make_json(vm, args, args->v[0], args->n > 1 ? args->v[1] : SG_VALUE_NOTHING, &text);
    if (status == SG_OK)
        *out = sg_string_value(vm, sg_buf_text(&text));
    sg_buf_free(&text);
    return status;
}

// JSON.print([io,] value[, indent]): on standard output.
static sg_status print_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    if (sg_args_check_count(vm, args, "JSON.print", 1, 3) != SG_OK)
        return SG_ERR_MODEL;
    bool io = args->n == 3 || (args->n == 2 && args->v[1].tag != SG_INT);
    sg_value value = args->v[io], indent = args->n > 1u + io ? args->v[1 + io] : SG_VALUE_NOTHING;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_status status = make_json(vm, args, value, indent, &text);
    if (status == SG_OK && indent.tag == SG_INT)
        sg_buf_putc(&text, '\n');
    if (status == SG_OK)
        sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return status;
}

bool sg_session_register_system(sg_session *session)
{
    sg_vm *vm = session->vm;
    sg_module *json = sg_vm_module(vm, "JSON");
    return json && sg_vm_offer(vm, NULL, "pwd", pwd_native, session, "pwd()") &&
           sg_vm_offer(vm, json, "json", json_native, session, "json(value, indent)") &&
           sg_vm_offer(vm, json, "print", print_native, session, "print(io, value, indent)");
}
