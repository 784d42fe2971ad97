// Tables in text files: readdlm and writedlm; and tables of a script as results, for plots.
#include "natives/table_functions.h"

#include "base/assert.h"
#include "base/disk.h"
#include "base/number.h"
#include "lang/print.h"
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "result/import.h"
#include "result/outfile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- reading --------------------------------------------------------------------------------

typedef struct table_field {
    const char *at;
    size_t n;
    bool quoted;
} table_field;

typedef struct table_text {
    SG_VEC(table_field) fields; // row by row
    size_t n_rows, n_columns;
    char delimiter; // '\0': any blanks
} table_text;

// The field that begins at `*at`, which then is behind the delimiter or at the end of the line;
// `*more` if another one follows. A delimiter at the end has an empty field behind it.
static table_field take_field(const char **at, const char *end, char delimiter, bool *more)
{
    const char *c = *at;
    table_field f = {c, 0, false};
    if (c < end && *c == '"') {
        f = (table_field){++c, 0, true};
        while (c < end && *c != '"')
            c++;
        f.n = (size_t)(c - f.at);
        c += c < end;
    }
    while (c < end && (delimiter ? *c != delimiter : *c != ' ' && *c != '\t'))
        c++;
    if (!f.quoted)
        f.n = (size_t)(c - f.at);
    while (!f.quoted && f.n && (f.at[f.n - 1] == ' ' || f.at[f.n - 1] == '\r'))
        f.n--;
    while (!f.quoted && f.n && *f.at == ' ') {
        f.at++;
        f.n--;
    }
    *more = c < end;
    c += *more;
    while (!delimiter && c < end && (*c == ' ' || *c == '\t'))
        c++;
    *more &= delimiter || c < end;
    *at = c;
    return f;
}

// Rows of different lengths are told by their line; lines without anything are passed over.
static sg_status split(sg_vm *vm, const sg_args *args, const char *name, const char *text,
                       size_t length, size_t skip, table_text *t)
{
    const char *end = text + length;
    for (size_t line = 1; text < end; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const char *at = text, *until = stop ? stop : end;
        text = stop ? stop + 1 : end;
        if (until > at && until[-1] == '\r')
            until--;
        while (!t->delimiter && at < until && (*at == ' ' || *at == '\t'))
            at++;
        if (line <= skip || at == until)
            continue;
        size_t n = 0;
        bool more = true;
        for (; more; n++) {
            table_field f = take_field(&at, until, t->delimiter, &more);
            if (!SG_PUSH(vm->allocator, &t->fields, f))
                return SG_ERR_MEMORY;
        }
        if (t->n_rows && n != t->n_columns)
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                            "'%s', line %zu: %zu fields, but %zu in the lines before", name, line,
                            n, t->n_columns);
        t->n_columns = n;
        t->n_rows++;
    }
    return SG_OK;
}

static bool number_of(table_field f, double *out)
{
    char copy[64], *end;
    if (f.quoted || f.n == 0 || f.n >= sizeof copy)
        return false;
    memcpy(copy, f.at, f.n);
    copy[f.n] = '\0';
    *out = strtod(copy, &end);
    return *end == '\0';
}

static sg_value text_of(sg_vm *vm, table_field f)
{
    return sg_object(sg_string_make(vm, f.at, f.n));
}

// A matrix of numbers; or of anything, where a field is none.
static sg_status fill(sg_vm *vm, const table_text *t, size_t first, sg_value *out)
{
    size_t rows = t->n_rows - first, dims[2] = {rows, t->n_columns};
    bool numbers = true;
    double x;
    for (size_t i = first * t->n_columns; i < t->fields.len && numbers; i++)
        numbers = number_of(t->fields.data[i], &x);
    sg_array *array = sg_array_make(vm, numbers ? SG_ELEM_FLOAT : SG_ELEM_ANY, 2, dims);
    if (!array)
        return SG_ERR_MEMORY;
    sg_root_push(vm, sg_object(array));
    *out = sg_object(array);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < t->n_columns; j++) {
            table_field f = t->fields.data[(i + first) * t->n_columns + j];
            bool is_number = number_of(f, &x);
            if (numbers)
                array->f[i + rows * j] = x;
            else
                sg_array_store(array, i + rows * j, is_number ? sg_float(x) : text_of(vm, f));
        }
    return SG_OK;
}

static sg_status with_names(sg_vm *vm, const table_text *t, sg_value *out)
{
    sg_tuple *pair = sg_tuple_make(vm, 2);
    if (!pair)
        return SG_ERR_MEMORY;
    sg_root_push(vm, sg_object(pair));
    pair->items[0] = *out;
    sg_array *names = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!names)
        return SG_ERR_MEMORY;
    pair->items[1] = sg_object(names);
    for (size_t j = 0; j < t->n_columns; j++)
        if (!sg_array_push(vm, names, text_of(vm, t->fields.data[j])))
            return SG_ERR_MEMORY;
    *out = sg_object(pair);
    return SG_OK;
}

// The delimiter of an argument, else by the name of the file: commas in .csv, blanks elsewhere.
static bool delimiter_of(sg_vm *vm, const sg_args *args, uint32_t at, const char *name, char *out)
{
    const char *dot = strrchr(name, '.');
    *out = dot && strcmp(dot, ".csv") == 0 ? ',' : '\0';
    if (args->n <= at)
        return true;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_print_value(vm, sg_runtime_of(vm)->units, args->v[at], &text);
    bool one = text.len == 1;
    *out = one ? sg_buf_text(&text)[0] : *out;
    sg_buf_free(&text);
    return one;
}

sg_status sg_script_read(sg_session *session, const sg_args *args, const char *name, char **text,
                         size_t *length)
{
    sg_diags diags;
    sg_diags_init(&diags, session->allocator);
    const char *path = sg_files_input(&session->files, name, args->span, &diags);
    sg_status status = sg_session_pass_on(session, &diags, path ? SG_OK : SG_ERR_IO);
    sg_diags_destroy(&diags);
    if (status == SG_OK)
        status = sg_read_file(session->allocator, path, text, length);
    else
        return status;
    return status == SG_OK ? SG_OK
                           : sg_raise_status(session->vm, status, SG_E_IO, args->span,
                                             "cannot read '%s': %s", name, strerror(errno));
}

sg_status sg_script_write(sg_session *session, sg_span span, const char *name, const char *text,
                          size_t length)
{
    sg_diags diags;
    sg_outfile file;
    sg_diags_init(&diags, session->allocator);
    const char *path = sg_files_output(&session->files, name, span, &diags);
    sg_status status = path ? sg_outfile_open(&file, path, session->allocator, &diags)
                            : sg_files_refusal(&session->files);
    if (status == SG_OK) {
        sg_outfile_write(&file, text, length);
        status = sg_outfile_commit(&file, &diags);
    }
    status = sg_session_pass_on(session, &diags, status);
    sg_diags_destroy(&diags);
    return status;
}

static sg_status readdlm_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const keywords[] = {"header", "skipstart"};
    sg_session *session = context;
    const char *name = sg_text_argument(args, 0);
    table_text t = {0};
    if (!name || args->n > 2 || !delimiter_of(vm, args, 1, name, &t.delimiter))
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "readdlm takes a file name and one character between fields: "
                        "readdlm(\"data.csv\", ',')");
    if (sg_args_check_keywords(vm, args, "readdlm", keywords, SG_COUNT(keywords)) != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *header = sg_args_find(vm, args, "header"),
                   *skip = sg_args_find(vm, args, "skipstart");
    bool names = header && header->tag == SG_BOOL && header->b;
    *out = SG_VALUE_NOTHING;
    if (session->options.check_only && !session->files_ready)
        return SG_OK;
    char *text;
    size_t length;
    sg_status status = sg_script_read(session, args, name, &text, &length);
    if (status != SG_OK)
        return status;
    status = split(vm, args, name, text, length,
                   skip && skip->tag == SG_INT && skip->i > 0 ? (size_t)skip->i : 0, &t);
    if (status == SG_OK && t.n_rows <= (size_t)names)
        status =
            sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span, "'%s' holds no rows", name);
    sg_root_mark mark = sg_root_mark_get(vm);
    if (status == SG_OK)
        status = fill(vm, &t, names, out);
    if (status == SG_OK && names)
        status = with_names(vm, &t, out);
    sg_root_pop(vm, mark);
    SG_VEC_FREE(vm->allocator, &t.fields);
    session->allocator->resize(session->allocator->context, text, length + 1, 0);
    return status;
}

// ---- writing --------------------------------------------------------------------------------

static void put_value(sg_vm *vm, sg_value value, char delimiter, sg_buf *out)
{
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_print_value(vm, sg_runtime_of(vm)->units, value, &text);
    bool quote = strchr(sg_buf_text(&text), delimiter) || strchr(sg_buf_text(&text), '\n');
    if (quote)
        sg_buf_putc(out, '"');
    sg_buf_add(out, sg_buf_text(&text), text.len);
    if (quote)
        sg_buf_putc(out, '"');
    out->failed |= text.failed;
    sg_buf_free(&text);
}

static sg_status writedlm_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const keywords[] = {"header"};
    sg_session *session = context;
    const char *name = sg_text_argument(args, 0);
    char delimiter;
    *out = SG_VALUE_NOTHING;
    if (!name || args->n < 2 || args->n > 3 || !sg_is(args->v[1], SG_OBJ_ARRAY) ||
        ((const sg_array *)args->v[1].o)->ndims > 2 || !delimiter_of(vm, args, 2, name, &delimiter))
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "writedlm takes a file name, a vector or matrix, and one character between "
                        "fields: writedlm(\"table.csv\", [t x], ',')");
    if (sg_args_check_keywords(vm, args, "writedlm", keywords, 1) != SG_OK)
        return SG_ERR_MODEL;
    if (session->options.check_only)
        return SG_OK;
    delimiter = delimiter ? delimiter : '\t';
    const sg_array *table = (const sg_array *)args->v[1].o;
    const sg_value *header = sg_args_find(vm, args, "header");
    size_t rows = table->dims[0], columns = table->ndims > 1 ? table->dims[1] : 1;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    const sg_array *names =
        header && sg_is(*header, SG_OBJ_ARRAY) ? (const sg_array *)header->o : NULL;
    for (size_t j = 0; names && j < names->len; j++) {
        put_value(vm, sg_array_get(names, j), delimiter, &text);
        sg_buf_putc(&text, j + 1 < names->len ? delimiter : '\n');
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            put_value(vm, sg_array_get(table, i + rows * j), delimiter, &text);
            sg_buf_putc(&text, j + 1 < columns ? delimiter : '\n');
        }
    sg_status status =
        text.failed ? SG_ERR_MEMORY
                    : sg_script_write(session, args->span, name, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return status;
}

// ---- tables as results ----------------------------------------------------------------------

typedef struct table_column {
    const char *name;
    const sg_array *values;
} table_column;

enum { MOST_COLUMNS = 200 };

// Columns of texts are passed over: the status of a study's runs is no curve.
static bool is_column(sg_value value)
{
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    sg_value first = array && array->len ? sg_array_get(array, 0) : SG_VALUE_NOTHING;
    return array && !sg_is(first, SG_OBJ_STRING) && !sg_is(first, SG_OBJ_NATIVE);
}

static size_t columns_of(sg_vm *vm, sg_value table, table_column *list)
{
    size_t n = 0;
    if (sg_is(table, SG_OBJ_DICT)) {
        sg_dict_entry e;
        for (size_t at = 0; n < MOST_COLUMNS && sg_dict_next((const sg_dict *)table.o, &at, &e);)
            if (is_column(e.value) && sg_text_of(vm, e.key))
                list[n++] = (table_column){sg_text_of(vm, e.key), (const sg_array *)e.value.o};
    } else if (sg_is(table, SG_OBJ_NAMED_TUPLE)) {
        const sg_tuple *tuple = (const sg_tuple *)table.o;
        for (uint32_t i = 0; n < MOST_COLUMNS && i < tuple->n; i++)
            if (is_column(tuple->items[i]))
                list[n++] = (table_column){sg_vm_text(vm, tuple->names[i]),
                                           (const sg_array *)tuple->items[i].o};
    }
    return n;
}

bool sg_is_plain_table(sg_vm *vm, sg_value value)
{
    table_column list[MOST_COLUMNS];
    return columns_of(vm, value, list) > 0;
}

static sg_status read_rows(sg_vm *vm, const table_column *list, size_t n, sg_import *import)
{
    double row[MOST_COLUMNS];
    const sg_units *units = sg_runtime_of(vm)->units;
    for (size_t i = 0; i < list[0].values->len; i++) {
        for (size_t j = 0; j < n; j++) {
            sg_value x = sg_array_get(list[j].values, i);
            row[j] = x.tag == SG_MISSING || x.tag == SG_NOTHING ? (double)NAN
                     : sg_is_quantity(x)                        ? sg_quantity_number(x)
                                                                : sg_quantity_si(units, x);
        }
        sg_status status = sg_import_row(import, (double)i, row);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

sg_status sg_plain_table_result(sg_vm *vm, const sg_args *args, const char **first, sg_result **out)
{
    table_column list[MOST_COLUMNS];
    sg_import_entry entries[MOST_COLUMNS];
    size_t n = columns_of(vm, args->v[0], list);
    sg_units *units = sg_runtime_of(vm)->units;
    for (size_t j = 0; j < n; j++) {
        double x;
        sg_value some = list[j].values->len ? sg_array_get(list[j].values, 0) : sg_float(0.0);
        bool number = sg_is_quantity(some) || sg_to_float(some, &x);
        if (list[j].values->len != list[0].values->len || list[j].values->ndims != 1 || !number)
            return sg_raise(vm, "ArgumentError", SG_E_PLOT, args->span,
                            "columns of a table are vectors of numbers of one length; '%s' has %zu "
                            "elements and '%s' %zu",
                            list[0].name, list[0].values->len, list[j].name, list[j].values->len);
        entries[j] = (sg_import_entry){
            .name = list[j].name,
            .unit = sg_is_quantity(some) ? sg_unit_text(units, sg_quantity_unit(some)) : "",
            .info = "",
            .column = (uint32_t)j};
    }
    sg_import import;
    sg_status status = sg_import_begin(&import, entries, n, NULL, 0, vm->allocator, vm->diags);
    if (status == SG_OK)
        status = read_rows(vm, list, n, &import);
    if (status != SG_OK) {
        sg_import_abandon(&import);
        return status;
    }
    *first = list[0].name;
    return sg_import_finish(&import, "table", out);
}

bool sg_session_register_tables(sg_session *session)
{
    sg_vm *vm = session->vm;
    return sg_vm_offer(vm, NULL, "readdlm", readdlm_native, session, NULL) &&
           sg_vm_offer(vm, NULL, "writedlm", writedlm_native, session, NULL);
}
