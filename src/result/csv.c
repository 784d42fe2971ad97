#include "result/csv.h"

#include "base/digits.h"
#include "result/columns.h"
#include "result/outfile.h"
#include "result/touches.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const sg_span nowhere = {0, 0, 0};

// Spreadsheets compute a text that begins like a formula, which can start programs. Behind an
// apostrophe it is a text for them, too; the reader takes that away again.
bool sg_csv_is_guarded(char first) { return first && strchr("=+-@\t\r'", first); }

static void put_inside_quotes(sg_outfile *file, const char *text)
{
    for (const char *p = text; *p; p++)
        sg_outfile_write(file, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
}

// "phi [rad]" is a name and a unit, so a name that looks like both is followed by an empty unit.
static bool looks_like_a_unit(const char *name)
{
    size_t n = strlen(name);
    return n && name[n - 1] == ']' && strstr(name, " [");
}

static void put_quoted(sg_outfile *file, const char *text, const char *unit)
{
    sg_outfile_write(file, "\"'", sg_csv_is_guarded(text[0]) ? 2 : 1);
    put_inside_quotes(file, text);
    if (unit) {
        sg_outfile_puts(file, " [");
        put_inside_quotes(file, unit); // of a result that may come from a stranger
        sg_outfile_puts(file, "]");
    }
    sg_outfile_write(file, "\"", 1);
}

static void put_header_name(sg_outfile *file, const char *name, const char *unit)
{
    bool told = (unit && unit[0]) || looks_like_a_unit(name);
    put_quoted(file, name, !told ? NULL : unit ? unit : "");
}

typedef struct csv_rows {
    sg_outfile *file;
    size_t n;
} csv_rows;

static void put_row(void *context, const double *values)
{
    csv_rows *rows = context;
    for (size_t i = 0; i <= rows->n; i++) {
        char text[40];
        size_t length = 0;
        if (i)
            text[length++] = ',';
        if (!sg_is_missing(values[i]))
            length += sg_format_shortest(values[i], text + length);
        else if (i == 0) // a row without time could not be read
            length += sg_format_shortest((double)NAN, text);
        sg_outfile_write(rows->file, text, length);
    }
    sg_outfile_write(rows->file, "\n", 1);
}

static const char *unit_of(const sg_result *r, const sg_flat_column *column)
{
    return r->signals[column->signal].signal.unit;
}

const char *sg_csv_beside(const char *path, const char *ending, sg_arena *arena)
{
    size_t stem = strlen(path);
    if (stem > 4 && strcmp(path + stem - 4, ".csv") == 0)
        stem -= 4;
    return sg_arena_printf(arena, "%.*s%s", (int)stem, path, ending);
}

// Units of an earlier table of this name would be taken for those of the new one.
static bool has_old_units(const char *path, sg_arena *arena)
{
    const char *units_path = sg_csv_beside(path, SG_CSV_UNITS, arena);
    return units_path && access(units_path, F_OK) == 0;
}

// Fills the second file; it gets its name when the table has got its own.
static sg_status begin_units(const sg_result *r, const char *path, const sg_flat_column *columns,
                             size_t n, sg_arena *arena, sg_outfile *file, sg_diags *diags)
{
    const char *units_path = sg_csv_beside(path, SG_CSV_UNITS, arena);
    if (!units_path)
        return SG_ERR_MEMORY;
    sg_status status = sg_outfile_open(file, units_path, arena->allocator, diags);
    if (status != SG_OK)
        return status;
    sg_outfile_puts(file, "\"name\",\"unit\"\n\"time\",\"s\"\n");
    for (size_t i = 0; i < n; i++) {
        put_quoted(file, columns[i].name, NULL);
        sg_outfile_puts(file, ",");
        put_quoted(file, unit_of(r, &columns[i]), NULL);
        sg_outfile_puts(file, "\n");
    }
    return SG_OK;
}

static sg_status write_table(const sg_result *r, const char *path, const sg_csv_options *options,
                             const sg_flat_column *columns, size_t n, sg_diags *diags)
{
    sg_outfile file;
    sg_status status = sg_outfile_open(&file, path, r->arena.allocator, diags);
    if (status != SG_OK)
        return status;
    put_quoted(&file, "time", options->units_in_header ? "s" : NULL);
    for (size_t i = 0; i < n; i++) {
        sg_outfile_puts(&file, ",");
        put_header_name(&file, columns[i].name,
                        options->units_in_header ? unit_of(r, &columns[i]) : NULL);
    }
    sg_outfile_puts(&file, "\n");
    csv_rows rows = {&file, n};
    status = sg_for_each_row(r, columns, n, put_row, &rows, diags);
    if (status != SG_OK) {
        sg_outfile_abandon(&file);
        return status;
    }
    return sg_outfile_commit(&file, diags);
}

// The table of contacts is a file of its own: its rows are no points. An end that is not there is
// an empty field, as what is missing elsewhere.
static sg_status write_contacts(const sg_result *r, const char *path, sg_arena *arena,
                                sg_diags *diags)
{
    size_t n = sg_result_contact_count(r);
    const char *name = n ? sg_csv_beside(path, SG_CSV_CONTACTS, arena) : "";
    sg_outfile file;
    sg_status status = name ? SG_OK : SG_ERR_MEMORY;
    if (status == SG_OK && n)
        status = sg_outfile_open(&file, name, arena->allocator, diags);
    if (status != SG_OK || !n)
        return status;
    sg_outfile_puts(&file, "\"object1\",\"object2\"");
    for (size_t k = 0; k < SG_TOUCH_NUMBERS; k++) {
        sg_outfile_puts(&file, ",");
        put_header_name(&file, sg_touch_names[k], sg_touch_units[k]);
    }
    sg_outfile_puts(&file, ",\"law\"\n");
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        sg_contact_entry e;
        double x[SG_TOUCH_NUMBERS];
        status = sg_result_contacts(r, i, 1, &e, diags);
        if (status != SG_OK)
            break;
        sg_touch_numbers(&e, x);
        put_quoted(&file, e.object1, NULL);
        sg_outfile_puts(&file, ",");
        put_quoted(&file, e.object2, NULL);
        for (size_t k = 0; k < SG_TOUCH_NUMBERS; k++) {
            char text[40] = ",";
            size_t length = isnan(x[k]) ? 1 : 1 + sg_format_shortest(x[k], text + 1);
            sg_outfile_write(&file, text, length);
        }
        sg_outfile_puts(&file, ",");
        put_quoted(&file, e.law, NULL);
        sg_outfile_puts(&file, "\n");
    }
    if (status == SG_OK)
        return sg_outfile_commit(&file, diags);
    sg_outfile_abandon(&file);
    return status;
}

sg_status sg_csv_write(const sg_result *r, const char *path, const sg_csv_options *options,
                       sg_diags *diags)
{
    bool stream = sg_outfile_is_stream(path); // has no place for other files
    sg_csv_options whole = *options;
    whole.units_in_header |= stream;
    options = &whole;
    sg_arena arena;
    sg_arena_init(&arena, r->arena.allocator);
    sg_flat_column *columns;
    size_t n;
    sg_status status =
        sg_flat_columns(r, options->signals, options->n_signals, &arena, diags, &columns, &n);
    bool units = status == SG_OK && !options->units_in_header && has_old_units(path, &arena);
    for (size_t i = 0; status == SG_OK && !options->units_in_header && i < n; i++)
        units |= unit_of(r, &columns[i])[0] != '\0';
    sg_outfile units_file = {0};
    if (status == SG_OK && units)
        status = begin_units(r, path, columns, n, &arena, &units_file, diags);
    if (status == SG_OK)
        status = write_table(r, path, options, columns, n, diags);
    if (status == SG_OK && units)
        status = sg_outfile_commit(&units_file, diags);
    else
        sg_outfile_abandon(&units_file);
    if (status == SG_OK && !stream)
        status = write_contacts(r, path, &arena, diags);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    sg_arena_destroy(&arena);
    return status;
}
