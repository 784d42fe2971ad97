// Files that a script opens: open, close, write, and reading line by line.
//
// A file to write is text in memory until it is closed, and then appears below the output folder
// complete (result/outfile.h). Files that nobody closed are written when the script ends. What is
// read was read as a whole when it was opened.
#include "lang/print.h"
#include "lang/runtime.h"
#include "natives/natives.h"
#include "natives/table_functions.h"

#include <string.h>

struct sg_open_file {
    sg_io io; // first: the stream is known by it
    sg_session *session;
    const char *name;
    sg_span span;
    sg_buf text;
    size_t at; // of reading
    bool writes, closed;
};

static void write_file(sg_io *io, sg_vm *vm, const char *text, size_t length)
{
    (void)vm;
    sg_open_file *f = (sg_open_file *)io;
    if (f->writes && !f->closed)
        sg_buf_add(&f->text, text, length);
}

static sg_open_file *file_of(sg_value value)
{
    sg_io *io = sg_is(value, SG_OBJ_NATIVE) ? sg_native_data(value, &sg_io_class) : NULL;
    return io && io->write == write_file ? (sg_open_file *)io : NULL;
}

static sg_status close_file(sg_open_file *f)
{
    sg_status status = SG_OK;
    if (f->closed)
        return SG_OK;
    f->closed = true;
    if (f->writes)
        status = f->text.failed ? SG_ERR_MEMORY
                                : sg_script_write(f->session, f->span, f->name,
                                                  sg_buf_text(&f->text), f->text.len);
    sg_buf_free(&f->text);
    return status;
}

sg_status sg_session_close_files(sg_session *session)
{
    sg_status worst = SG_OK;
    for (size_t i = 0; i < session->open_files.len; i++) {
        sg_status status = close_file(session->open_files.data[i]);
        if (status != SG_OK && session->vm->exception.tag != SG_UNDEF)
            sg_report_exception(session->vm);
        worst = worst == SG_OK ? status : worst;
    }
    SG_VEC_FREE(session->allocator, &session->open_files);
    return worst;
}

void sg_session_forget_files(sg_session *session)
{
    for (size_t i = 0; i < session->open_files.len; i++)
        sg_buf_free(&session->open_files.data[i]->text);
    SG_VEC_FREE(session->allocator, &session->open_files);
}

static sg_status read_into(sg_open_file *f, const sg_args *args)
{
    char *text;
    size_t length;
    sg_status status = sg_script_read(f->session, args, f->name, &text, &length);
    if (status != SG_OK)
        return status;
    sg_buf_add(&f->text, text, length);
    f->session->allocator->resize(f->session->allocator->context, text, length + 1, 0);
    return f->text.failed ? SG_ERR_MEMORY : SG_OK;
}

// A file that is not there yet is appended to from the start.
static sg_status read_before_appending(sg_open_file *f)
{
    sg_diags quiet;
    sg_diags_init(&quiet, f->session->allocator);
    const char *path = sg_files_input(&f->session->files, f->name, f->span, &quiet);
    sg_diags_destroy(&quiet);
    return path ? read_into(f, &(sg_args){.span = f->span}) : SG_OK;
}

static sg_status make_file(sg_session *session, const sg_args *args, uint32_t at, sg_value *out)
{
    sg_vm *vm = session->vm;
    const char *name = sg_text_argument(args, at);
    const char *mode = args->n > at + 1 ? sg_text_argument(args, at + 1) : "r";
    if (!name || !mode || strlen(mode) != 1 || !strchr("rwa", mode[0]))
        return sg_raise(
            vm, "MethodError", SG_E_ARGUMENT, args->span,
            "open takes a file name and \"r\", \"w\" or \"a\", and before them perhaps a "
            "function: open(\"notes.txt\", \"w\")");
    sg_open_file *f = SG_NEW(&session->arena, sg_open_file);
    char *copy = sg_arena_text(&session->arena, name, strlen(name));
    if (!f || !copy || !SG_PUSH(session->allocator, &session->open_files, f))
        return SG_ERR_MEMORY;
    *f = (sg_open_file){.io = {write_file},
                        .session = session,
                        .name = copy,
                        .span = args->span,
                        .writes = mode[0] != 'r',
                        .closed = session->options.check_only};
    sg_buf_init(&f->text, session->allocator);
    *out = sg_native_make(vm, &sg_io_class, f);
    if (out->tag == SG_UNDEF)
        return SG_ERR_MEMORY;
    sg_status status = f->closed        ? SG_OK
                       : mode[0] == 'r' ? read_into(f, args)
                       : mode[0] == 'a' ? read_before_appending(f)
                                        : SG_OK;
    if (status != SG_OK)
        f->closed = true; // nothing is to be written
    return status;
}

static sg_status open_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool block = args->n > 1 && !sg_text_argument(args, 0) && sg_text_argument(args, 1);
    sg_value io;
    sg_status status = make_file(context, args, block, &io);
    *out = io;
    if (status != SG_OK || !block)
        return status;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, io);
    status = sg_call_values(vm, args->v[0], &io, 1, out);
    sg_root_pop(vm, mark);
    return status == SG_OK ? close_file(file_of(io)) : status;
}

static sg_status needs_file(sg_vm *vm, const sg_args *args, const char *function)
{
    return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                    "%s takes what open(...) returned, or the name of a file", function);
}

static sg_status close_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_open_file *f = args->n == 1 ? file_of(args->v[0]) : NULL;
    *out = SG_VALUE_NOTHING;
    return f ? close_file(f) : needs_file(vm, args, "close");
}

static sg_status write_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_open_file *f = args->n == 2 ? file_of(args->v[0]) : NULL;
    if (!f || !f->writes)
        return needs_file(vm, args, "write");
    size_t before = f->text.len;
    if (!f->closed)
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[1], &f->text);
    *out = sg_int((int64_t)(f->text.len - before));
    return SG_OK;
}

static sg_status eof_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    const sg_open_file *f = args->n == 1 ? file_of(args->v[0]) : NULL;
    if (!f)
        return needs_file(vm, args, "eof");
    *out = sg_bool(f->writes || f->closed || f->at >= f->text.len);
    return SG_OK;
}

static sg_value take_line(sg_vm *vm, sg_open_file *f)
{
    const char *text = f->closed ? "" : sg_buf_text(&f->text) + f->at;
    size_t left = f->closed ? 0 : f->text.len - f->at;
    const char *end = left ? memchr(text, '\n', left) : NULL;
    size_t n = end ? (size_t)(end - text) : left;
    f->at += n + (end != NULL);
    return sg_object(sg_string_make(vm, text, n && text[n - 1] == '\r' ? n - 1 : n));
}

// The file of the first argument: open already, or by name.
static sg_status opened(sg_vm *vm, const sg_args *args, sg_session *session, const char *function,
                        sg_open_file **out)
{
    sg_value io;
    *out = args->n ? file_of(args->v[0]) : NULL;
    if (*out && !(*out)->writes)
        return SG_OK;
    if (!sg_text_argument(args, 0))
        return needs_file(vm, args, function);
    sg_status status =
        make_file(session, &(sg_args){.v = args->v, .n = 1, .span = args->span}, 0, &io);
    *out = status == SG_OK ? file_of(io) : NULL;
    return status;
}

static sg_status readline_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_open_file *f;
    sg_status status = opened(vm, args, context, "readline", &f);
    if (status == SG_OK)
        *out = take_line(vm, f);
    return status;
}

static sg_status readlines_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_open_file *f;
    sg_status status = opened(vm, args, context, "readlines", &f);
    if (status != SG_OK)
        return status;
    sg_array *lines = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!lines)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(lines));
    while (status == SG_OK && !f->closed && f->at < f->text.len)
        status = sg_array_push(vm, lines, take_line(vm, f)) ? SG_OK : SG_ERR_MEMORY;
    sg_root_pop(vm, mark);
    *out = sg_object(lines);
    return status;
}

static sg_status read_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_open_file *f;
    if (args->n != 2 || !sg_is(args->v[1], SG_OBJ_TYPE))
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "a text is read by read(file, String); tables by readdlm(file, ',')");
    sg_status status = opened(vm, args, context, "read", &f);
    if (status != SG_OK)
        return status;
    size_t at = f->closed ? 0 : f->at, n = f->closed ? 0 : f->text.len - f->at;
    *out = sg_object(sg_string_make(vm, n ? sg_buf_text(&f->text) + at : "", n));
    f->at += n;
    return SG_OK;
}

static sg_status isfile_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    const char *name = sg_text_argument(args, 0);
    if (!name)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span, "isfile takes a file name");
    sg_diags quiet;
    sg_diags_init(&quiet, session->allocator);
    *out = sg_bool(session->files_ready &&
                   sg_files_input(&session->files, name, args->span, &quiet) != NULL);
    sg_diags_destroy(&quiet);
    return SG_OK;
}

// What stands behind `--` on the command line.
static bool define_arguments(sg_session *session)
{
    sg_vm *vm = session->vm;
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    bool ok = list != NULL && sg_module_set(vm, vm->base, sg_vm_sym(vm, "ARGS"), sg_object(list));
    for (size_t i = 0; ok && i < session->options.n_arguments; i++)
        ok = sg_array_push(vm, list, sg_string_value(vm, session->options.arguments[i]));
    return ok;
}

bool sg_session_register_streams(sg_session *session)
{
    const struct {
        const char *name;
        sg_native_fn native;
    } list[] = {{"open", open_native},          {"close", close_native},
                {"write", write_native},        {"eof", eof_native},
                {"readline", readline_native},  {"readlines", readlines_native},
                {"eachline", readlines_native}, {"read", read_native},
                {"isfile", isfile_native}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (!sg_vm_offer(session->vm, NULL, list[i].name, list[i].native, session, NULL))
            return false;
    return define_arguments(session);
}
