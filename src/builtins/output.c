// print, println, string, and the helpers of @show, @time, @warn.
#include "builtins/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_stream(sg_value v)
{
    return sg_is(v, SG_OBJ_NATIVE) && strcmp(((sg_native *)v.o)->class_->name, "IO") == 0;
}

const sg_native_class sg_io_class = {.name = "IO"};

static void write_error(sg_io *io, sg_vm *vm, const char *text, size_t length)
{
    (void)io;
    sg_vm_write_error(vm, text, length);
}

static void write_nowhere(sg_io *io, sg_vm *vm, const char *text, size_t length)
{
    (void)io, (void)vm, (void)text, (void)length;
}

static sg_io error_stream = {write_error}, no_stream = {write_nowhere}; // nobody changes them

static void write_to(sg_vm *vm, const sg_args *args, const sg_buf *text)
{
    sg_io *io = args->n && is_stream(args->v[0]) ? ((sg_native *)args->v[0].o)->data : NULL;
    if (io)
        io->write(io, vm, sg_buf_text(text), text->len);
    else
        sg_vm_write(vm, sg_buf_text(text), text->len);
}

// print(args...): the first argument may be a stream.
static sg_status print_args(sg_vm *vm, const sg_args *args, bool newline)
{
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = args->n && is_stream(args->v[0]) ? 1 : 0; i < args->n; i++)
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
    if (newline)
        sg_buf_putc(&text, '\n');
    bool failed = text.failed;
    if (!failed)
        write_to(vm, args, &text);
    sg_buf_free(&text);
    return failed ? sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, args->span, "out of memory")
                  : SG_OK;
}

static sg_status native_println(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    *out = SG_VALUE_NOTHING;
    return print_args(vm, args, context != NULL);
}

static sg_status native_show(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool display = context != NULL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = args->n && is_stream(args->v[0]) ? 1 : 0; i < args->n; i++)
        sg_show_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
    if (display)
        sg_buf_putc(&text, '\n');
    write_to(vm, args, &text);
    sg_buf_free(&text);
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

static sg_status native_string(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool quoted = context != NULL; // repr
    if (sg_args_check_keywords(vm, args, quoted ? "repr" : "string", NULL, 0) != SG_OK)
        return SG_ERR_MODEL; // a base that is passed over would print another number
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = 0; i < args->n; i++) {
        if (quoted)
            sg_show_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
        else
            sg_print_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
    }
    *out = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
    sg_buf_free(&text);
    return SG_OK;
}

// The constructor String(x).
static sg_status native_to_string(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return native_string(vm, args, NULL, out);
}

static sg_status native_io_context(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = args->n ? args->v[0] : sg_native_make(vm, &sg_io_class, NULL);
    return SG_OK;
}

static sg_status native_flush(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm, (void)args, (void)context;
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

// sprint(print, x) and sprint(showerror, e): the text that the function would write.
static void append_out(void *context, const char *text, size_t length)
{
    sg_buf_add(context, text, length);
}

static sg_status native_sprint(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "sprint", 1, UINT32_MAX) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    void (*write_out)(void *, const char *, size_t) = vm->write_out;
    void *old = vm->out_context;
    vm->write_out = append_out;
    vm->out_context = &text;
    sg_value io = sg_native_make(vm, &sg_io_class, NULL), list[17] = {io}, ignored;
    uint32_t n = args->n < 17 ? args->n : 17;
    for (uint32_t i = 1; i < n; i++)
        list[i] = args->v[i];
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, io);
    sg_status status = sg_call_values(vm, args->v[0], list, n, &ignored);
    sg_root_pop(vm, mark);
    vm->write_out = write_out;
    vm->out_context = old;
    if (status == SG_OK)
        *out = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
    sg_buf_free(&text);
    return status;
}

static sg_status native_showerror(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    if (!args->n)
        return SG_OK;
    sg_value e = args->v[args->n - 1];
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    if (sg_is(e, SG_OBJ_EXCEPTION)) {
        const sg_exception *x = (const sg_exception *)e.o;
        if (x->type != vm->types.ErrorException)
            sg_buf_printf(&text, "%s: ", sg_vm_text(vm, x->type->name));
        sg_print_value(vm, sg_runtime_of(vm)->units, x->message, &text);
    } else {
        sg_print_value(vm, sg_runtime_of(vm)->units, e, &text);
    }
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return SG_OK;
}

// ---- helpers of macros --------------------------------------------------------------------------

static sg_status helper_show(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "@show", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_print_value(vm, sg_runtime_of(vm)->units, args->v[0], &text);
    sg_buf_puts(&text, " = ");
    sg_show_value(vm, sg_runtime_of(vm)->units, args->v[1], &text);
    sg_buf_putc(&text, '\n');
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    *out = args->v[1];
    return SG_OK;
}

static sg_status helper_clock(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm, (void)args, (void)context;
    *out = sg_float(sg_wall_time());
    return SG_OK;
}

static sg_status helper_elapsed(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    double since = 0;
    if (sg_arg_float(vm, args, 0, &since) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_float(sg_wall_time() - since);
    return SG_OK;
}

static sg_status helper_report_time(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    double since = 0;
    if (sg_arg_float(vm, args, 0, &since) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_buf_printf(&text, "%10.6f seconds\n", sg_wall_time() - since);
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

static sg_status helper_assert(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context, (void)out;
    if (sg_args_check_count(vm, args, "@assert", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_print_value(vm, sg_runtime_of(vm)->units, args->v[0], &text);
    sg_status status = sg_raise(vm, "AssertionError", SG_E_THROWN, args->span,
                                "the assertion does not hold: %s", sg_buf_text(&text));
    sg_buf_free(&text);
    return status;
}

// _log(level, message, name1, value1, ...)
static sg_status helper_log(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    const char *level =
        args->n && sg_is(args->v[0], SG_OBJ_STRING) ? ((sg_string *)args->v[0].o)->text : "info";
    if (strcmp(level, "debug") == 0)
        return SG_OK;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    if (args->n > 1)
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[1], &text);
    for (uint32_t i = 2; i + 1 < args->n; i += 2) {
        sg_buf_puts(&text, "\n    ");
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
        sg_buf_puts(&text, " = ");
        sg_show_value(vm, sg_runtime_of(vm)->units, args->v[i + 1], &text);
    }
    if (strcmp(level, "info") == 0) {
        sg_vm_write(vm, "Info: ", 6);
        sg_buf_putc(&text, '\n');
        sg_vm_write(vm, sg_buf_text(&text), text.len);
    } else { // an @error is a message too, it does not end the script
        sg_warning(vm->diags, SG_E_NONE, args->span, "%s", sg_buf_text(&text));
    }
    sg_buf_free(&text);
    return SG_OK;
}

// ---- @printf ------------------------------------------------------------------------------------

enum { MAX_WIDTH = 100000 }; // of a printed number

static double clamped(double x, double most) { return x > most ? most : x < -most ? -most : x; }

// One conversion of a format: %[flags][width][.precision]letter. False if the value does not fit.
static bool format_one(sg_vm *vm, const char *spec, size_t length, sg_value value, sg_buf *out)
{
    char format[40];
    char letter = spec[length - 1];
    memcpy(format, spec, length - 1);
    double x = 0;
    bool number = sg_to_float(value, &x);
    if (strchr("diux", letter) && number && !isnan(x)) {
        strcpy(format + length - 1, letter == 'x' ? "llx" : "lld");
        long long i =
            value.tag == SG_INT ? (long long)value.i : (long long)clamped(round(x), 0x1p62);
        sg_buf_printf(out, format, i);
        return true;
    }
    if (strchr("feEgG", letter) && number) {
        format[length - 1] = letter;
        format[length] = '\0';
        sg_buf_printf(out, format, x);
        return true;
    }
    if (letter == 's') {
        sg_buf shown;
        sg_buf_init(&shown, vm->allocator);
        sg_print_value(vm, sg_runtime_of(vm)->units, value, &shown);
        strcpy(format + length - 1, "s");
        sg_buf_printf(out, format, sg_buf_text(&shown));
        sg_buf_free(&shown);
        return true;
    }
    if (letter != 'c' || value.tag != SG_CHAR)
        return false;
    sg_print_value(vm, sg_runtime_of(vm)->units, value, out);
    return true;
}

// Width and precision of the conversion are of a size that can be printed.
static bool fits_width(const char *spec)
{
    const char *p = spec + strspn(spec, "-+ #0");
    char *end;
    if (strtoul(p, &end, 10) > MAX_WIDTH)
        return false;
    return *end != '.' || strtoul(end + 1, NULL, 10) <= MAX_WIDTH;
}

static sg_status format_all(sg_vm *vm, const sg_args *args, uint32_t first, sg_buf *out)
{
    const sg_string *format = NULL;
    if (sg_arg_string(vm, args, first, &format) != SG_OK)
        return SG_ERR_MODEL;
    uint32_t next = first + 1;
    for (const char *p = format->text; *p; p++) {
        if (*p != '%') {
            sg_buf_putc(out, *p);
            continue;
        }
        if (p[1] == '%') {
            sg_buf_putc(out, '%');
            p++;
            continue;
        }
        size_t length = 1 + strspn(p + 1, "-+ #0123456789.");
        if (!p[length] || !strchr("diuxfeEgGsc", p[length]) || length > 20)
            return SG_RAISE_ARGUMENT(vm, args, "the format '%s' is not known", p);
        if (!fits_width(p + 1))
            return SG_RAISE_ARGUMENT(vm, args, "a width or precision in '%s' is above %d", p,
                                     MAX_WIDTH);
        if (next >= args->n)
            return SG_RAISE_ARGUMENT(vm, args, "the format needs more values than were given");
        if (!format_one(vm, p, length + 1, args->v[next++], out))
            return SG_RAISE_ARGUMENT(vm, args, "a value does not fit '%%%c'", p[length]);
        p += length;
    }
    return SG_OK;
}

static sg_status helper_printf(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool to_string = context != NULL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_status status = format_all(vm, args, args->n && is_stream(args->v[0]) ? 1 : 0, &text);
    *out = SG_VALUE_NOTHING;
    if (status == SG_OK && to_string)
        *out = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
    else if (status == SG_OK)
        write_to(vm, args, &text);
    sg_buf_free(&text);
    return status;
}

bool sg_register_output(sg_vm *vm)
{
    static const sg_builtin_form list[] = {{"println", native_println, 1},
                                           {"print", native_println, 0},
                                           {"show", native_show, 0},
                                           {"display", native_show, 1},
                                           {"dump", native_show, 1},
                                           {"string", native_string, 0},
                                           {"repr", native_string, 1},
                                           {"String", native_to_string, 0},
                                           {"IOContext", native_io_context, 0},
                                           {"IOBuffer", native_io_context, 0},
                                           {"flush", native_flush, 0},
                                           {"sprint", native_sprint, 0},
                                           {"showerror", native_showerror, 0},
                                           {"_show", helper_show, 0},
                                           {"_clock", helper_clock, 0},
                                           {"_elapsed", helper_elapsed, 0},
                                           {"_report_time", helper_report_time, 0},
                                           {"_assert_failed", helper_assert, 0},
                                           {"_log", helper_log, 0},
                                           {"_printf", helper_printf, 0},
                                           {"_sprintf", helper_printf, 1}};
    if (!sg_register_forms(vm, list, SG_COUNT(list)))
        return false;
    sg_value out = sg_native_make(vm, &sg_io_class, NULL);
    return out.tag != SG_UNDEF && sg_module_set(vm, vm->base, sg_vm_sym(vm, "stdout"), out) &&
           sg_module_set(vm, vm->base, sg_vm_sym(vm, "stderr"),
                         sg_native_make(vm, &sg_io_class, &error_stream)) &&
           sg_module_set(vm, vm->base, sg_vm_sym(vm, "devnull"),
                         sg_native_make(vm, &sg_io_class, &no_stream));
}
