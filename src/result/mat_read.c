#include "result/import.h"
#include "result/mat.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

typedef struct mat_matrix {
    uint32_t rows, columns; // as stored
    uint32_t precision;     // P of the type: 0 double, 1 float, 2 int32, 3 int16, 4 uint16, 5 uint8
    uint64_t offset;        // of the data
    bool found;
} mat_matrix;

enum { ACLASS, NAME, DESCRIPTION, DATA_INFO, DATA_1, DATA_2, MATRICES };

typedef struct mat_reader {
    const char *path;
    sg_image image;
    sg_arena arena;
    sg_diags *diags;
    mat_matrix m[MATRICES];
    bool transposed; // binTrans: a variable is a column of the descriptions
    size_t n_names;
    uint64_t n_points, n_rows; // of data_2, after the look at `transposed`
    sg_import_entry *entries;
    size_t n_entries;
    sg_parameter *parameters;
    size_t n_parameters;
} mat_reader;

static const unsigned element_size[6] = {8, 4, 4, 2, 2, 1};

static sg_status refuse(mat_reader *r, const char *why)
{
    sg_error(r->diags, SG_E_RESULT_FORMAT, nowhere, "'%s' is not a MAT 1.1 result: %s", r->path,
             why);
    return SG_ERR_IO;
}

static double number_at(const unsigned char *p, uint32_t precision)
{
    union {
        double d;
        float f;
        int32_t i;
        int16_t s;
        uint16_t u;
    } x;
    switch (precision) {
    case 0:
        memcpy(&x.d, p, 8);
        return x.d;
    case 1:
        memcpy(&x.f, p, 4);
        return (double)x.f;
    case 2:
        memcpy(&x.i, p, 4);
        return x.i;
    case 3:
        memcpy(&x.s, p, 2);
        return x.s;
    case 4:
        memcpy(&x.u, p, 2);
        return x.u;
    default:
        return *p;
    }
}

// The matrices in order of the file. The last one may be cut.
static sg_status scan(mat_reader *r)
{
    static const char *const names[MATRICES] = {"Aclass",   "name",   "description",
                                                "dataInfo", "data_1", "data_2"};
    uint64_t offset = 0;
    while (offset < r->image.size) {
        uint32_t head[5];
        char name[16] = {0};
        if (!sg_image_read(&r->image, offset, head, sizeof head) || head[0] >= 100 ||
            head[0] / 10 > 5 || head[3] || head[4] == 0 || head[4] > 1024)
            return offset ? SG_OK : refuse(r, "it does not begin with a matrix of MAT level 4");
        size_t n = head[4] < sizeof name ? head[4] : sizeof name - 1;
        if (!sg_image_read(&r->image, offset + sizeof head, name, n))
            return SG_OK;
        mat_matrix m = {.rows = head[1],
                        .columns = head[2],
                        .precision = head[0] / 10,
                        .offset = offset + sizeof head + head[4],
                        .found = true};
        for (int i = 0; i < MATRICES; i++)
            if (strcmp(name, names[i]) == 0)
                r->m[i] = m;
        offset = m.offset + (uint64_t)m.rows * m.columns * element_size[m.precision];
    }
    return SG_OK;
}

// A whole small matrix; null when it is cut or too large to be true.
static unsigned char *load(mat_reader *r, const mat_matrix *m)
{
    uint64_t size = (uint64_t)m->rows * m->columns * element_size[m->precision];
    if (!m->found || m->offset > r->image.size || size > r->image.size - m->offset)
        return NULL;
    unsigned char *bytes = sg_arena_alloc(&r->arena, (size_t)size + 1, 8);
    return bytes && sg_image_read(&r->image, m->offset, bytes, (size_t)size) ? bytes : NULL;
}

static sg_status check_class(mat_reader *r)
{
    const mat_matrix *m = &r->m[ACLASS];
    const unsigned char *text = load(r, m);
    char kind[9] = {0};
    if (!text || m->precision != 5 || m->rows < 4)
        return refuse(r, "there is no matrix 'Aclass'");
    // Row 4 of the matrix, be it stored as in 'binTrans' or not.
    for (uint32_t i = 0; i < 8 && i < m->columns; i++)
        kind[i] = (char)text[(size_t)i * m->rows + 3];
    if (strncmp(kind, "binTrans", 8) == 0)
        r->transposed = true;
    else if (strncmp(kind, "binNorma", 8) != 0)
        return refuse(r, "row 4 of 'Aclass' is neither 'binTrans' nor 'binNormal'");
    return SG_OK;
}

static size_t length_at(const mat_reader *r, const mat_matrix *m, const unsigned char *bytes,
                        size_t i)
{
    size_t length = r->transposed ? m->rows : m->columns;
    while (length && !bytes[r->transposed ? i * m->rows + length - 1 : (length - 1) * m->rows + i])
        length--;
    return length;
}

// Some fill texts up with zero bytes, and a blank at the end is meant. Others do it with blanks:
// then all are equally long.
static bool padded_with_blanks(const mat_reader *r, const mat_matrix *m, const unsigned char *bytes)
{
    size_t n = r->transposed ? m->columns : m->rows;
    for (size_t i = 1; i < n; i++)
        if (length_at(r, m, bytes, i) != length_at(r, m, bytes, 0))
            return false;
    return true;
}

// Text `i` of a matrix of texts, without padding.
static const char *text_at(mat_reader *r, const mat_matrix *m, const unsigned char *bytes, size_t i,
                           bool blanks)
{
    size_t length = length_at(r, m, bytes, i);
    char *text = sg_arena_alloc(&r->arena, length + 1, 1);
    if (!text)
        return "";
    for (size_t k = 0; k < length; k++)
        text[k] = (char)bytes[r->transposed ? i * m->rows + k : k * m->rows + i];
    while (blanks && length && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return text;
}

// "angle [rad]" is info and unit.
static void split_description(mat_reader *r, const char *text, const char **info, const char **unit)
{
    size_t n = strlen(text);
    const char *open = n && text[n - 1] == ']' ? strrchr(text, '[') : NULL;
    *info = text;
    *unit = "";
    if (!open)
        return;
    const char *inside = sg_arena_text(&r->arena, open + 1, (size_t)(text + n - 1 - open - 1));
    size_t before = (size_t)(open - text);
    while (before && text[before - 1] == ' ')
        before--;
    const char *rest = sg_arena_text(&r->arena, text, before);
    if (inside && rest) {
        // Dymola writes unit|displayUnit or unit:displayUnit.
        ((char *)inside)[strcspn(inside, "|:")] = '\0';
        *unit = inside;
        *info = rest;
    }
}

static sg_status take_variable(mat_reader *r, const char *name, const char *info, const char *unit,
                               const double place[2], const unsigned char *data_1)
{
    double row = fabs(place[1]);
    bool negate = place[1] < 0;
    if (place[0] == 0 || row == 1)
        return SG_OK; // time
    if (place[0] == 1) {
        const mat_matrix *m = &r->m[DATA_1];
        uint32_t n = r->transposed ? m->rows : m->columns;
        if (!data_1 || !(row >= 1 && row <= n))
            return refuse(r, "a parameter lies outside of 'data_1'");
        double *value = SG_NEW(&r->arena, double);
        if (!value)
            return SG_ERR_MEMORY;
        size_t at = (size_t)(row - 1) * (r->transposed ? 1 : m->rows);
        *value = number_at(data_1 + at * element_size[m->precision], m->precision);
        if (negate)
            *value = -*value;
        r->parameters[r->n_parameters++] = (sg_parameter){
            .name = name, .unit = unit, .info = info, .text = "", .size = {1, 1}, .value = value};
    } else if (place[0] == 2) {
        if (!(row >= 1 && row <= (double)r->n_rows))
            return refuse(r, "a variable lies outside of 'data_2'");
        r->entries[r->n_entries++] = (sg_import_entry){.name = name,
                                                       .unit = unit,
                                                       .info = info,
                                                       .column = (uint32_t)row - 2,
                                                       .negate = negate};
    }
    return SG_OK; // 3 and more: strings of newer files, not read
}

static sg_status read_descriptions(mat_reader *r)
{
    const mat_matrix *mn = &r->m[NAME], *md = &r->m[DESCRIPTION], *mi = &r->m[DATA_INFO];
    const unsigned char *names = load(r, mn), *texts = load(r, md), *info = load(r, mi);
    const unsigned char *data_1 = load(r, &r->m[DATA_1]);
    if (!names || !info || mn->precision != 5)
        return refuse(r, "'name' or 'dataInfo' is missing or cut");
    r->n_names = r->transposed ? mn->columns : mn->rows;
    size_t n_info = r->transposed ? mi->columns : mi->rows;
    if (n_info != r->n_names || (r->transposed ? mi->rows : mi->columns) < 2)
        return refuse(r, "'name' and 'dataInfo' do not fit together");
    bool described =
        texts && md->precision == 5 && (r->transposed ? md->columns : md->rows) == r->n_names;
    r->entries = SG_NEW_ARRAY(&r->arena, sg_import_entry, r->n_names);
    r->parameters = SG_NEW_ARRAY(&r->arena, sg_parameter, r->n_names);
    if (!r->entries || !r->parameters)
        return SG_ERR_MEMORY;
    bool blanks = padded_with_blanks(r, mn, names);
    for (size_t i = 0; i < r->n_names; i++) {
        double place[2];
        for (size_t k = 0; k < 2; k++) {
            size_t at = r->transposed ? i * mi->rows + k : k * mi->rows + i;
            place[k] = number_at(info + at * element_size[mi->precision], mi->precision);
        }
        const char *about = "", *unit = "";
        if (described)
            split_description(r, text_at(r, md, texts, i, true), &about, &unit);
        const char *name = text_at(r, mn, names, i, blanks);
        sg_status status = take_variable(r, name, about, unit, place, data_1);
        if (status != SG_OK)
            return status;
    }
    return r->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

// How many points are really there; a killed writer may not have patched the count.
static void count_points(mat_reader *r)
{
    const mat_matrix *m = &r->m[DATA_2];
    uint64_t width = r->transposed ? m->rows : m->columns;
    uint64_t points = r->transposed ? m->columns : m->rows;
    uint64_t row_size = width * element_size[m->precision];
    uint64_t there =
        row_size && m->offset <= r->image.size ? (r->image.size - m->offset) / row_size : 0;
    r->n_rows = width;
    r->n_points = points <= there ? points : there;
    if (r->transposed && points == 0 && there)
        r->n_points = there;
    else if (!r->transposed && there < points)
        r->n_points = 0; // by columns: a cut file has no complete point
    if (points > there || (points == 0 && there))
        sg_warning(r->diags, SG_E_RESULT_DAMAGED, nowhere,
                   "'%s' is incomplete; %llu points are read", r->path,
                   (unsigned long long)r->n_points);
}

static sg_status send_points(mat_reader *r, sg_import *import)
{
    const mat_matrix *m = &r->m[DATA_2];
    unsigned size = element_size[m->precision];
    size_t width = (size_t)r->n_rows;
    // Only a row that was found in the file bounds the width that its header claims.
    if (r->n_points == 0)
        return SG_OK;
    unsigned char *raw = r->transposed ? sg_arena_alloc(&r->arena, width * size, 8) : load(r, m);
    double *row = SG_NEW_ARRAY(&r->arena, double, width + 1);
    if (!row || !raw)
        return SG_ERR_MEMORY;
    for (uint64_t p = 0; p < r->n_points; p++) {
        if (r->transposed &&
            !sg_image_read(&r->image, m->offset + p * width * size, raw, width * size))
            return SG_ERR_IO;
        for (size_t i = 0; i < width; i++) {
            size_t at = r->transposed ? i : i * (size_t)r->n_points + (size_t)p;
            row[i] = number_at(raw + at * size, m->precision);
        }
        sg_status status = sg_import_row(import, row[0], row + 1);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

static sg_status read_all(mat_reader *r, sg_result **out)
{
    sg_status status = scan(r);
    if (status == SG_OK)
        status = check_class(r);
    if (status == SG_OK && !r->m[DATA_2].found)
        status = refuse(r, "there is no matrix 'data_2'");
    if (status != SG_OK)
        return status;
    count_points(r);
    status = read_descriptions(r);
    if (status != SG_OK)
        return status;
    sg_import import;
    status =
        sg_import_begin(&import, r->entries, r->n_entries, NULL, 0, r->arena.allocator, r->diags);
    if (status == SG_OK)
        status = sg_import_meta(&import, NULL, 0, r->parameters, r->n_parameters);
    if (status == SG_OK)
        status = send_points(r, &import);
    if (status != SG_OK) {
        sg_import_abandon(&import);
        return status;
    }
    return sg_import_finish(&import, r->path, out);
}

sg_status sg_mat_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                      sg_result **out)
{
    mat_reader r = {.path = path, .diags = diags};
    *out = NULL;
    sg_arena_init(&r.arena, allocator);
    size_t errors = diags->n_errors;
    sg_status status = sg_image_open(&r.image, r.arena.allocator, path);
    if (status == SG_OK)
        status = read_all(&r, out);
    sg_import_explain(diags, errors, status, path);
    sg_image_close(&r.image);
    sg_arena_destroy(&r.arena);
    return status;
}
