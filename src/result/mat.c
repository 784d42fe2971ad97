#include "result/mat.h"

#include "result/catalog.h"
#include "result/columns.h"
#include "result/glob.h"
#include "result/outfile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

enum { TEXT = 51, INT32 = 20, DOUBLE = 0, FLOAT = 10 };

// One line of `name`, `description` and `dataInfo`.
typedef struct mat_entry {
    const char *name, *description;
    int32_t info[4];
} mat_entry;

typedef struct mat_writer {
    const sg_result *result;
    const sg_mat_options *options;
    sg_arena arena;
    sg_outfile file;
    sg_diags *diags;
    mat_entry *entries;
    size_t n, cap;
    double *constants; // data_1 without its first row
    size_t n_constants, cap_constants;
    sg_flat_column *columns; // data_2 without its first row
    size_t n_columns;
    int32_t *rows; // row of the first element of each signal in data_2, 0 if it has none
    float *single; // a point on its way out, in one precision
    double *plain; // or the other
} mat_writer;

static const char *describe(mat_writer *m, const char *info, const char *unit)
{
    if (!unit[0])
        return info;
    const char *text = sg_arena_printf(&m->arena, "%s%s[%s]", info, info[0] ? " " : "", unit);
    return text ? text : "";
}

static void add_entry(mat_writer *m, const char *name, const char *description, int32_t table,
                      int32_t row, int32_t outside)
{
    m->entries[m->n++] = (mat_entry){name, description, {table, row, 0, outside}};
}

static const char *element_name(mat_writer *m, const sg_signal *s, uint32_t element)
{
    const char *name = sg_element_text(&m->arena, s, element);
    return name ? name : "";
}

static void add_constants(mat_writer *m, const sg_signal *s, const double *value)
{
    const char *description = describe(m, s->info, s->unit);
    for (uint32_t e = 0; e < sg_signal_count(s); e++) {
        m->constants[m->n_constants++] = value[e];
        // Row 1 is time in both tables, so the first constant is in row 2.
        add_entry(m, element_name(m, s, e), description, 1, (int32_t)m->n_constants + 1, 0);
    }
}

static void add_parameter(mat_writer *m, const sg_parameter *p)
{
    if (p->type == SG_ELEMENT_TEXT) // not representable in the classic file
        return;
    sg_signal s = {.name = p->name,
                   .unit = p->unit,
                   .info = p->info,
                   .rank = p->rank,
                   .size = {p->size[0], p->size[1]}};
    add_constants(m, &s, p->value);
}

static void add_signal(mat_writer *m, uint32_t index)
{
    const sg_signal *s = &m->result->signals[index].signal;
    const double *constant = sg_result_constant(m->result, index);
    if (constant) {
        add_constants(m, s, constant);
        return;
    }
    sg_signal_alias alias = sg_result_alias(m->result, index);
    uint32_t owner = alias.target >= 0 ? (uint32_t)alias.target : index, n = sg_signal_count(s);
    const char *description = describe(m, s->info, s->unit);
    // The first that needs the rows stores them, be it the alias or its target.
    if (alias.target >= 0 && sg_result_constant(m->result, owner))
        owner = index;
    if (!m->rows[owner]) {
        m->rows[owner] = (int32_t)m->n_columns + 2;
        for (uint32_t e = 0; e < n; e++)
            m->columns[m->n_columns++] = (sg_flat_column){(int32_t)owner, e, ""};
    }
    int32_t sign = owner != index && alias.negated ? -1 : 1;
    for (uint32_t e = 0; e < n; e++)
        add_entry(m, element_name(m, s, e), description, 2, sign * (m->rows[owner] + (int32_t)e),
                  -1);
}

static bool collect(mat_writer *m)
{
    const sg_result *r = m->result;
    size_t most = 1;
    for (size_t i = 0; i < r->n_signals; i++)
        most += sg_signal_count(&r->signals[i].signal);
    for (size_t i = 0; i < r->n_parameters; i++)
        if (r->parameters[i].type != SG_ELEMENT_TEXT) // those have a value for each element
            most += (size_t)(r->parameters[i].rank ? r->parameters[i].size[0] : 1) *
                    (r->parameters[i].rank == 2 ? r->parameters[i].size[1] : 1);
    m->entries = SG_NEW_ARRAY(&m->arena, mat_entry, most);
    m->constants = SG_NEW_ARRAY(&m->arena, double, most);
    m->columns = SG_NEW_ARRAY(&m->arena, sg_flat_column, most);
    m->rows = SG_NEW_ARRAY(&m->arena, int32_t, r->n_signals + 1);
    if (m->arena.failed)
        return false;
    add_entry(m, "time", "[s]", 0, 1, -1);
    for (size_t i = 0; i < r->n_parameters; i++)
        if (sg_glob_any(m->options->signals, m->options->n_signals, r->parameters[i].name))
            add_parameter(m, &r->parameters[i]);
    for (size_t i = 0; i < r->n_signals; i++)
        if (sg_glob_any(m->options->signals, m->options->n_signals, r->signals[i].signal.name))
            add_signal(m, (uint32_t)i);
    return !m->arena.failed;
}

static void put_header(mat_writer *m, uint32_t type, size_t rows, size_t columns, const char *name)
{
    uint32_t head[5] = {type, (uint32_t)rows, (uint32_t)columns, 0, (uint32_t)strlen(name) + 1};
    sg_outfile_write(&m->file, head, sizeof head);
    sg_outfile_write(&m->file, name, strlen(name) + 1);
}

static void put_class(mat_writer *m)
{
    static const char *const rows[4] = {"Atrajectory", "1.1", "", "binTrans"};
    put_header(m, TEXT, 4, 11, "Aclass");
    for (size_t column = 0; column < 11; column++)
        for (size_t row = 0; row < 4; row++)
            sg_outfile_write(&m->file, column < strlen(rows[row]) ? rows[row] + column : "\0", 1);
}

// One text a column, padded with NUL to the longest.
static void put_texts(mat_writer *m, const char *name, bool descriptions)
{
    static const char padding[64] = {0};
    size_t longest = 1;
    for (size_t i = 0; i < m->n; i++) {
        size_t n = strlen(descriptions ? m->entries[i].description : m->entries[i].name);
        longest = n > longest ? n : longest;
    }
    put_header(m, TEXT, longest, m->n, name);
    for (size_t i = 0; i < m->n; i++) {
        const char *text = descriptions ? m->entries[i].description : m->entries[i].name;
        size_t n = strlen(text);
        sg_outfile_write(&m->file, text, n);
        for (; n < longest; n += 64)
            sg_outfile_write(&m->file, padding, longest - n < 64 ? longest - n : 64);
    }
}

static void put_constants(mat_writer *m, double start, double stop)
{
    put_header(m, DOUBLE, m->n_constants + 1, 2, "data_1");
    const double times[2] = {start, stop};
    for (int column = 0; column < 2; column++) {
        sg_outfile_write(&m->file, &times[column], sizeof(double));
        sg_outfile_write(&m->file, m->constants, m->n_constants * sizeof(double));
    }
}

static void put_point(void *context, const double *values)
{
    mat_writer *m = context;
    size_t n = m->n_columns + 1;
    // The format has no missing values; they leave as an ordinary NaN.
    for (size_t i = 0; i < n; i++) {
        double x = isnan(values[i]) ? (double)NAN : values[i];
        if (m->single)
            m->single[i] = (float)x;
        else
            m->plain[i] = x;
    }
    if (m->single)
        sg_outfile_write(&m->file, m->single, n * sizeof *m->single);
    else
        sg_outfile_write(&m->file, m->plain, n * sizeof *m->plain);
}

static sg_status put_matrices(mat_writer *m)
{
    const sg_result *r = m->result;
    put_class(m);
    put_texts(m, "name", false);
    put_texts(m, "description", true);
    put_header(m, INT32, 4, m->n, "dataInfo");
    for (size_t i = 0; i < m->n; i++)
        sg_outfile_write(&m->file, m->entries[i].info, sizeof m->entries[i].info);
    put_constants(m, r->n_segments ? r->segments[0].start : 0,
                  r->n_segments ? r->segments[r->n_segments - 1].stop : 0);
    put_header(m, m->single ? FLOAT : DOUBLE, m->n_columns + 1, (size_t)r->n_points, "data_2");
    return sg_for_each_row(r, m->columns, m->n_columns, put_point, m, m->diags);
}

// Many readers hold sizes in 32 bits with a sign.
static sg_status check_size(mat_writer *m, const char *path)
{
    uint64_t size = (uint64_t)(m->n_columns + 1) * m->result->n_points *
                    (m->options->single ? sizeof(float) : sizeof(double));
    if (size > ((uint64_t)1 << 31) - 1) {
        sg_error(m->diags, SG_E_RESULT_LIMIT, nowhere,
                 "'%s' would hold %.1f GB, and MAT 1.1 ends at 2 GiB; keep fewer signals "
                 "(--signals), fewer points (--interval), single precision (--single), or "
                 "write Arrow (.arrow)",
                 path, (double)size / 1e9);
        return SG_ERR_LIMIT;
    }
    if (size > (uint64_t)3 << 29)
        sg_warning(m->diags, SG_E_RESULT_LIMIT, nowhere,
                   "'%s' holds %.1f GB; some readers of MAT files fail near 2 GiB", path,
                   (double)size / 1e9);
    return SG_OK;
}

sg_status sg_mat_write(const sg_result *r, const char *path, const sg_mat_options *options,
                       sg_diags *diags)
{
    mat_writer m = {.result = r, .options = options, .diags = diags};
    sg_arena_init(&m.arena, r->arena.allocator);
    sg_status status = collect(&m) ? check_size(&m, path) : SG_ERR_MEMORY;
    if (status == SG_OK) {
        if (options->single)
            m.single = SG_NEW_ARRAY(&m.arena, float, m.n_columns + 1);
        else
            m.plain = SG_NEW_ARRAY(&m.arena, double, m.n_columns + 1);
        status = m.arena.failed ? SG_ERR_MEMORY : SG_OK;
    }
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    if (status == SG_OK)
        status = sg_outfile_open(&m.file, path, r->arena.allocator, diags);
    if (status == SG_OK) {
        status = put_matrices(&m);
        if (status == SG_OK)
            status = sg_outfile_commit(&m.file, diags);
        else
            sg_outfile_abandon(&m.file);
    }
    if (status == SG_OK && sg_result_contact_count(r))
        sg_note(diags, nowhere,
                "'%s' has no place for the table of %zu contacts; run files, JSON, CSV and Arrow "
                "have",
                path, sg_result_contact_count(r));
    sg_arena_destroy(&m.arena);
    return status;
}
