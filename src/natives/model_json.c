// Models as JSON (language.md 5.7): dictionaries are objects with their order kept, expressions are
// their text, and reading parses that text with the grammar of the language.
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "result/json.h"
#include "result/outfile.h"
#include "syntax/parser.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

enum { MAX_DEPTH = 200 };

// ---- writing --------------------------------------------------------------------------------

static bool write_value(sg_vm *vm, sg_value value, int depth, sg_buf *out);

static void write_tagged(sg_buf *out, const char *tag, const char *text)
{
    sg_buf_printf(out, "{\"%s\":", tag);
    sg_json_put_harmless(out, text);
    sg_buf_putc(out, '}');
}

static void write_number(double x, sg_buf *out)
{
    sg_buf text;
    sg_buf_init(&text, out->allocator);
    sg_print_float(x, &text);
    // JSON has no infinities; they are names of the language.
    if (x - x == 0.0)
        sg_buf_puts(out, sg_buf_text(&text));
    else
        write_tagged(out, "_Expr", sg_buf_text(&text));
    sg_buf_free(&text);
}

static bool write_dict(sg_vm *vm, const sg_dict *dict, int depth, sg_buf *out)
{
    sg_buf_putc(out, '{');
    bool first = true, ok = true;
    if (dict->class_.i) {
        sg_buf_puts(out, "\"_class\":");
        write_tagged(out, "_Symbol", sg_vm_text(vm, dict->class_));
        first = false;
    }
    sg_dict_entry e;
    for (size_t at = 0; ok && sg_dict_next(dict, &at, &e);) {
        if (e.key.tag != SG_SYMBOL)
            continue;
        if (!first)
            sg_buf_putc(out, ',');
        first = false;
        sg_json_put_harmless(out, sg_vm_text(vm, e.key.sym));
        sg_buf_putc(out, ':');
        ok = write_value(vm, e.value, depth + 1, out);
    }
    sg_buf_putc(out, '}');
    return ok;
}

static bool write_array(sg_vm *vm, const sg_array *array, size_t from, uint32_t dim, int depth,
                        sg_buf *out)
{
    // Row by row, as arrays of arrays.
    size_t rows = array->dims[0], cols = array->ndims > 1 ? array->dims[1] : 1;
    size_t n = dim == 0 ? rows : cols;
    bool ok = true;
    sg_buf_putc(out, '[');
    for (size_t i = 0; ok && i < n; i++) {
        if (i)
            sg_buf_putc(out, ',');
        if (dim == 0 && array->ndims == 2)
            ok = write_array(vm, array, i, 1, depth, out);
        else
            ok = write_value(vm, sg_array_get(array, from + i * (dim ? rows : 1)), depth + 1, out);
    }
    sg_buf_putc(out, ']');
    return ok;
}

static bool write_object(sg_vm *vm, sg_value value, int depth, sg_buf *out)
{
    if (sg_is(value, SG_OBJ_STRING)) {
        sg_json_put_harmless(out, ((sg_string *)value.o)->text);
        return true;
    }
    if (sg_is(value, SG_OBJ_DICT))
        return write_dict(vm, (sg_dict *)value.o, depth, out);
    if (sg_is(value, SG_OBJ_ARRAY) && ((sg_array *)value.o)->ndims <= 2)
        return write_array(vm, (sg_array *)value.o, 0, 0, depth, out);
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    if (sg_is(value, SG_OBJ_QUOTE))
        sg_ast_print(vm->symbols, ((sg_quote *)value.o)->root, &text);
    else
        sg_show_value(vm, sg_runtime_of(vm)->units, value, &text);
    write_tagged(out, "_Expr", sg_buf_text(&text));
    sg_buf_free(&text);
    return true;
}

static bool write_value(sg_vm *vm, sg_value value, int depth, sg_buf *out)
{
    if (depth > MAX_DEPTH)
        return false;
    switch ((sg_tag)value.tag) {
    case SG_BOOL:
        sg_buf_puts(out, value.b ? "true" : "false");
        return true;
    case SG_INT:
        sg_buf_printf(out, "%lld", (long long)value.i);
        return true;
    case SG_FLOAT:
    case SG_FLOAT32:
        write_number(value.d, out);
        return true;
    case SG_SYMBOL:
        write_tagged(out, "_Symbol", sg_vm_text(vm, value.sym));
        return true;
    case SG_QTY:
    case SG_QTY_INT:
    case SG_UNIT:
        sg_buf_puts(out, "{\"_value\":");
        write_value(vm, sg_quantity_strip(value), depth + 1, out);
        sg_buf_puts(out, ",\"_unit\":");
        sg_json_put_harmless(out, sg_unit_text(sg_runtime_of(vm)->units, value.aux));
        sg_buf_putc(out, '}');
        return true;
    case SG_OBJECT:
        return write_object(vm, value, depth, out);
    case SG_UNDEF:
    case SG_NOTHING:
    case SG_MISSING:
    case SG_CHAR:
    case SG_COLON:
    case SG_ENUM:
        break;
    }
    sg_buf_puts(out, "null");
    return true;
}

// ---- reading --------------------------------------------------------------------------------

typedef struct model_reader {
    sg_session *session;
    sg_vm *vm;
    sg_span span;
    sg_status status;
} model_reader;

static sg_value read_value(model_reader *r, json_t *json, int depth);

static sg_value failed(model_reader *r, const char *what)
{
    if (r->status == SG_OK)
        r->status = sg_raise(r->vm, "ArgumentError", SG_E_MODEL, r->span,
                             "this is not a model in JSON: %s", what);
    return SG_VALUE_NOTHING;
}

// The text of an expression, parsed; a single name or number is that value.
static sg_value read_expression(model_reader *r, const char *text)
{
    sg_session *session = r->session;
    uint32_t file = sg_sources_add(&session->sources, "<model in JSON>", text, strlen(text));
    sg_ast *tree = NULL;
    if (!file || sg_parse(&session->sources, file, session->symbols, &session->arena,
                          &session->diags, (sg_parser_options){0}, &tree) != SG_OK)
        return failed(r, "an expression does not parse");
    if (tree->n != 1)
        return failed(r, "an expression is not exactly one");
    return sg_quote_value(r->vm, tree->kids[0]);
}

static sg_value read_quantity(model_reader *r, json_t *json, int depth)
{
    sg_value value = read_value(r, json_object_get(json, "_value"), depth + 1);
    const char *text = json_string_value(json_object_get(json, "_unit"));
    uint32_t unit =
        text ? sg_unit_parse(sg_runtime_of(r->vm)->units, text, strlen(text), NULL, NULL, NULL)
             : SG_UNIT_BAD;
    if (unit == SG_UNIT_BAD)
        return failed(r, "a unit is not known");
    if (value.tag == SG_INT)
        return sg_quantity_make_int(value.i, unit);
    return sg_quantity_make(value.d, unit);
}

static sg_value read_dict(model_reader *r, json_t *json, int depth)
{
    json_t *class_ = json_object_get(json, "_class");
    const char *name = json_string_value(class_ ? json_object_get(class_, "_Symbol") : NULL);
    sg_dict *dict = sg_dict_make(r->vm, name ? sg_vm_sym(r->vm, name) : (sg_sym){0});
    if (!dict)
        return failed(r, "out of memory");
    dict->span = r->span;
    const char *key;
    json_t *item;
    json_object_foreach(json, key, item)
    {
        if (strcmp(key, "_class") == 0)
            continue;
        sg_value value = read_value(r, item, depth + 1);
        if (r->status != SG_OK)
            return SG_VALUE_NOTHING;
        if (!sg_dict_put(r->vm, dict, sg_symbol(sg_vm_sym(r->vm, key)), value, r->span))
            return failed(r, "out of memory");
    }
    return sg_object(dict);
}

static sg_value read_array(model_reader *r, json_t *json, int depth)
{
    size_t n = json_array_size(json);
    json_t *first = n ? json_array_get(json, 0) : NULL;
    size_t cols = json_is_array(first) ? json_array_size(first) : 0;
    size_t dims[2] = {n, cols};
    sg_array *array = sg_array_make(r->vm, SG_ELEM_ANY, cols ? 2 : 1, dims);
    if (!array)
        return failed(r, "out of memory");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < (cols ? cols : 1); j++) {
            json_t *item = json_array_get(json, i);
            if (cols && (!json_is_array(item) || json_array_size(item) != cols))
                return failed(r, "the rows of a matrix have different lengths");
            array->v[i + n * j] = read_value(r, cols ? json_array_get(item, j) : item, depth + 1);
        }
    sg_array *narrow = r->status == SG_OK ? sg_array_narrow(r->vm, array) : NULL;
    return narrow ? sg_object(narrow) : SG_VALUE_NOTHING;
}

static sg_value read_value(model_reader *r, json_t *json, int depth)
{
    if (r->status != SG_OK || depth > MAX_DEPTH)
        return failed(r, "it is nested too deeply");
    switch (json ? json_typeof(json) : JSON_NULL) {
    case JSON_TRUE:
    case JSON_FALSE:
        return sg_bool(json_is_true(json));
    case JSON_INTEGER:
        return sg_int(json_integer_value(json));
    case JSON_REAL:
        return sg_float(json_real_value(json));
    case JSON_STRING:
        return sg_string_value(r->vm, json_string_value(json));
    case JSON_ARRAY:
        return read_array(r, json, depth);
    case JSON_OBJECT:
        break;
    case JSON_NULL:
        return SG_VALUE_NOTHING;
    }
    const char *text;
    if ((text = json_string_value(json_object_get(json, "_Symbol"))) != NULL)
        return sg_symbol(sg_vm_sym(r->vm, text));
    if ((text = json_string_value(json_object_get(json, "_Expr"))) != NULL)
        return read_expression(r, text);
    if (json_object_get(json, "_unit"))
        return read_quantity(r, json, depth);
    return read_dict(r, json, depth);
}

static sg_status parse_model(sg_session *session, const char *text, size_t length, sg_span span,
                             sg_value *out)
{
    json_error_t error;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        return sg_raise(session->vm, "ArgumentError", SG_E_MODEL, span,
                        "this is not JSON: line %d, column %d: %s", error.line, error.column,
                        error.text);
    model_reader r = {session, session->vm, span, SG_OK};
    *out = read_value(&r, json, 0);
    json_decref(json);
    return r.status;
}

// ---- functions ------------------------------------------------------------------------------

static sg_status model_text(sg_vm *vm, const sg_args *args, uint32_t i, sg_buf *text)
{
    sg_buf_init(text, vm->allocator);
    if (args->n > i && write_value(vm, args->v[i], 0, text) && !text->failed)
        return SG_OK;
    sg_buf_free(text);
    return sg_raise(vm, "ArgumentError", SG_E_MODEL, args->span,
                    "a model is needed here, and not one nested too deeply");
}

static sg_status to_json_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_buf text;
    sg_status status = model_text(vm, args, 0, &text);
    if (status != SG_OK)
        return status;
    *out = sg_string_value(vm, sg_buf_text(&text));
    sg_buf_free(&text);
    return SG_OK;
}

static sg_status from_json_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const char *text = sg_text_argument(args, 0);
    if (!text)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span, "JSONToModel takes a text");
    return parse_model(context, text, strlen(text), args->span, out);
}

static sg_status write_model_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    const char *name = sg_text_argument(args, 0);
    if (!name)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "writeModel takes a file name and a model");
    sg_buf text;
    sg_status status = model_text(vm, args, 1, &text);
    if (status != SG_OK)
        return status;
    sg_buf_putc(&text, '\n');
    sg_diags diags;
    sg_diags_init(&diags, session->allocator);
    const char *path = sg_files_output(&session->files, name, args->span, &diags);
    sg_outfile file;
    status = path ? sg_outfile_open(&file, path, session->allocator, &diags)
                  : sg_files_refusal(&session->files);
    if (status == SG_OK) {
        sg_outfile_write(&file, sg_buf_text(&text), text.len);
        status = sg_outfile_commit(&file, &diags);
    }
    sg_buf_free(&text);
    status = sg_session_pass_on(session, &diags, status);
    sg_diags_destroy(&diags);
    return status;
}

static sg_status read_model_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    const char *name = sg_text_argument(args, 0);
    if (!name)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "readModel takes a file name");
    sg_diags diags;
    sg_diags_init(&diags, session->allocator);
    const char *path = sg_files_input(&session->files, name, args->span, &diags);
    sg_status status = sg_session_pass_on(session, &diags, path ? SG_OK : SG_ERR_IO);
    sg_diags_destroy(&diags);
    if (status != SG_OK)
        return status;
    char *text;
    size_t length;
    status = sg_read_file(session->allocator, path, &text, &length);
    if (status != SG_OK)
        return sg_raise_status(vm, status, SG_E_IO, args->span, "cannot read '%s': %s", name,
                               strerror(errno));
    status = parse_model(session, text, length, args->span, out);
    session->allocator->resize(session->allocator->context, text, length + 1, 0);
    return status;
}

bool sg_session_register_model_json(sg_session *session)
{
    const sg_session_function table[] = {{"modelToJSON", to_json_native, NULL},
                                         {"JSONToModel", from_json_native, NULL},
                                         {"writeModel", write_model_native, NULL},
                                         {"readModel", read_model_native, NULL}};
    return sg_session_register(session, table, sizeof table / sizeof table[0]);
}
