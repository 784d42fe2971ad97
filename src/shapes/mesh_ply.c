// PLY: a header in words that describes rows of numbers, and the rows as text or as bytes.
//
//     ply
//     format ascii 1.0 | binary_little_endian 1.0 | binary_big_endian 1.0
//     comment ... | obj_info ...
//     element NAME ROWS
//     property TYPE NAME
//     property list COUNT_TYPE TYPE NAME
//     end_header
//
// Taken are x, y, z of the element "vertex", the lists "vertex_indices" or "vertex_index" of
// "face", and those of "tristrips", where -1 ends a strip. Everything else is passed over, by the
// sizes that the header gives.
#include "base/digits.h"
#include "shapes/mesh_reader.h"

#include <math.h>
#include <string.h>

// The standard's own limit is nowhere told; files of scanners have up to some twenty.
enum { MAX_PROPERTIES = 256, MAX_ELEMENTS = 64 };

typedef enum number_type { I8, U8, I16, U16, I32, U32, F32, F64, NO_TYPE } number_type;

static const uint8_t size_of[] = {1, 1, 2, 2, 4, 4, 4, 8};

typedef enum purpose { PASS_OVER, COORDINATE, FACE, STRIPS } purpose;

typedef struct property {
    number_type type, count; // `count` is NO_TYPE for a single number
    purpose purpose;
    int axis;
} property;

typedef enum element_kind { OTHER, VERTEX, POLYGONS, TRIANGLE_STRIPS } element_kind;

typedef struct element {
    element_kind kind;
    uint64_t rows;
    size_t first, n; // properties
} element;

typedef enum row_format { ASCII, LITTLE, BIG, NO_FORMAT } row_format;

typedef struct ply {
    sg_mesh_reader *r;
    row_format format;
    element elements[MAX_ELEMENTS];
    size_t n_elements;
    property properties[MAX_PROPERTIES];
    size_t n_properties;
} ply;

// ---- the header -----------------------------------------------------------------------------

static number_type type_of(const char *word, size_t length)
{
    static const char *const names[][2] = {
        {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
        {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
    for (int i = 0; i < NO_TYPE; i++)
        if (sg_mesh_is_word(word, length, names[i][0]) ||
            sg_mesh_is_word(word, length, names[i][1]))
            return (number_type)i;
    return NO_TYPE;
}

static bool read_type(sg_mesh_reader *r, number_type *out)
{
    size_t length;
    const char *word = sg_mesh_word(r, &length);
    *out = type_of(word, length);
    return *out != NO_TYPE || sg_mesh_complain_of(r, "'%s' is no type of a property", word, length);
}

static bool read_format(ply *p)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    size_t length;
    const char *word = sg_mesh_word(p->r, &length);
    for (int i = 0; i < NO_FORMAT; i++)
        if (sg_mesh_is_word(word, length, names[i])) {
            p->format = (row_format)i;
            return true;
        }
    return sg_mesh_complain_of(p->r, "'%s' is no format of a PLY file", word, length);
}

static bool read_element(ply *p)
{
    sg_mesh_reader *r = p->r;
    size_t length;
    const char *word = sg_mesh_word(r, &length);
    element e = {.first = p->n_properties};
    e.kind = sg_mesh_is_word(word, length, "vertex")      ? VERTEX
             : sg_mesh_is_word(word, length, "face")      ? POLYGONS
             : sg_mesh_is_word(word, length, "tristrips") ? TRIANGLE_STRIPS
                                                          : OTHER;
    word = sg_mesh_word(r, &length);
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(unsigned char)word[i] - '0';
        if (digit > 9 || e.rows > UINT64_MAX / 10 - 1)
            length = 0;
        else
            e.rows = 10 * e.rows + digit;
    }
    if (!length)
        return sg_mesh_complain(r, "an element needs a name and the number of its rows");
    if (p->n_elements == MAX_ELEMENTS)
        return sg_mesh_complain(r, "there are too many elements");
    for (size_t i = 0; i < p->n_elements; i++)
        if (e.kind != OTHER && p->elements[i].kind == e.kind)
            return sg_mesh_complain(r, "there are two elements of this name");
    p->elements[p->n_elements++] = e;
    return true;
}

static purpose purpose_of(const element *e, const property *own, const char *name, size_t length)
{
    bool indices = own->count != NO_TYPE && (sg_mesh_is_word(name, length, "vertex_indices") ||
                                             sg_mesh_is_word(name, length, "vertex_index"));
    if (e->kind == VERTEX && own->count == NO_TYPE && length == 1 && *name >= 'x' && *name <= 'z')
        return COORDINATE;
    if (indices && e->kind == POLYGONS)
        return FACE;
    return indices && e->kind == TRIANGLE_STRIPS ? STRIPS : PASS_OVER;
}

static bool read_property(ply *p)
{
    sg_mesh_reader *r = p->r;
    size_t length;
    property own = {.count = NO_TYPE};
    if (!p->n_elements)
        return sg_mesh_complain(r, "a property belongs behind an element");
    if (p->n_properties == MAX_PROPERTIES)
        return sg_mesh_complain(r, "there are too many properties");
    const char *before = r->at, *word = sg_mesh_word(r, &length);
    if (sg_mesh_is_word(word, length, "list")) {
        if (!read_type(r, &own.count))
            return false;
        if (own.count >= F32)
            return sg_mesh_complain(r, "the length of a list needs a whole type");
    } else {
        r->at = before;
    }
    if (!read_type(r, &own.type))
        return false;
    element *e = &p->elements[p->n_elements - 1];
    const char *name = sg_mesh_word(r, &length);
    own.purpose = purpose_of(e, &own, name, length);
    own.axis = own.purpose == COORDINATE ? *name - 'x' : 0;
    if ((own.purpose == FACE || own.purpose == STRIPS) && own.type >= F32)
        return sg_mesh_complain(r, "vertex numbers need a whole type");
    for (size_t i = e->first; own.purpose != PASS_OVER && i < p->n_properties; i++)
        if (p->properties[i].purpose == own.purpose && p->properties[i].axis == own.axis)
            return sg_mesh_complain(r, "there are two properties of this name");
    p->properties[p->n_properties++] = own;
    e->n++;
    return true;
}

// Behind the word end_header comes the end of its line, then the rows.
static bool end_header(ply *p)
{
    sg_mesh_reader *r = p->r;
    sg_mesh_next_line(r);
    if (p->format == NO_FORMAT)
        return sg_mesh_complain(r, "the header names no format");
    for (size_t i = 0; i < p->n_elements; i++) {
        const element *e = &p->elements[i];
        unsigned axes = 0;
        for (size_t k = e->first; k < e->first + e->n; k++)
            if (p->properties[k].purpose == COORDINATE)
                axes |= 1u << p->properties[k].axis;
        if (e->kind == VERTEX && axes != 7)
            return sg_mesh_complain(r, "the vertices lack one of x, y and z");
    }
    return true;
}

static bool read_header(ply *p)
{
    sg_mesh_reader *r = p->r;
    size_t length;
    const char *word = sg_mesh_word(r, &length);
    r->is_text = true;
    if (!sg_mesh_is_word(word, length, "ply"))
        return sg_mesh_complain(r, "a PLY file begins with 'ply'");
    sg_mesh_next_line(r);
    while (r->at < r->end) {
        word = sg_mesh_word(r, &length);
        bool ok = true;
        if (sg_mesh_is_word(word, length, "end_header"))
            return end_header(p);
        if (sg_mesh_is_word(word, length, "format"))
            ok = read_format(p);
        else if (sg_mesh_is_word(word, length, "element"))
            ok = read_element(p);
        else if (sg_mesh_is_word(word, length, "property"))
            ok = read_property(p);
        else if (length && !sg_mesh_is_word(word, length, "comment") &&
                 !sg_mesh_is_word(word, length, "obj_info"))
            ok = sg_mesh_complain_of(r, "'%s' is no word of a PLY header", word, length);
        if (!ok)
            return false;
        sg_mesh_next_line(r);
    }
    r->place = r->end;
    return sg_mesh_complain(r, "the header has no end");
}

// ---- numbers --------------------------------------------------------------------------------

static double number_from(number_type type, uint64_t bits)
{
    float f;
    double d;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case I8:
        return (double)(int8_t)bits;
    case I16:
        return (double)(int16_t)bits;
    case I32:
        return (double)(int32_t)bits;
    case F32:
        memcpy(&f, &low, sizeof f);
        return (double)f;
    case F64:
        memcpy(&d, &bits, sizeof d);
        return d;
    case U8:
    case U16:
    case U32:
    case NO_TYPE:
        break;
    }
    return (double)bits;
}

// The next word, on whatever line it is.
static const char *any_word(sg_mesh_reader *r, size_t *length)
{
    const char *word = sg_mesh_word(r, length);
    while (!*length && r->at < r->end) {
        r->at++; // the newline
        word = sg_mesh_word(r, length);
    }
    return word;
}

// All types fit into a double.
static bool read_number(ply *p, number_type type, double *out)
{
    sg_mesh_reader *r = p->r;
    if (p->format == ASCII) {
        size_t length;
        const char *word = any_word(r, &length);
        if (!length)
            return sg_mesh_complain(r, "the file ends before its last row");
        if (length > SG_NUMBER_LONGEST || !sg_number_parse(word, length, out))
            return sg_mesh_complain_of(r, "'%s' is no number", word, length);
        return true;
    }
    size_t n = size_of[type];
    r->place = r->at;
    if (sg_mesh_left(r) < n)
        return sg_mesh_complain(r, "the file ends before its last row");
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = p->format == LITTLE ? i : n - 1 - i;
        bits |= (uint64_t)(unsigned char)r->at[k] << 8 * i;
    }
    r->at += n;
    *out = number_from(type, bits);
    return true;
}

static bool read_whole(ply *p, number_type type, double *out)
{
    return read_number(p, type, out) &&
           (*out == floor(*out) || sg_mesh_complain(p->r, "a whole number belongs here"));
}

static bool pass_over(ply *p, number_type type, uint64_t n)
{
    double unused;
    if (p->format != ASCII) { // it was asked whether they are there
        p->r->at += n * size_of[type];
        return true;
    }
    for (uint64_t i = 0; i < n; i++)
        if (!read_number(p, type, &unused))
            return false;
    return true;
}

// ---- rows -----------------------------------------------------------------------------------

static bool are_there(const ply *p, uint64_t n, number_type type)
{
    // A word and a blank for each number, the last blank may be missing.
    uint64_t each = p->format == ASCII ? 2 : size_of[type], left = sg_mesh_left(p->r);
    return n <= (p->format == ASCII ? left + 1 : left) / each;
}

static uint32_t vertex_number(double x)
{
    return x >= 0 && x < UINT32_MAX ? (uint32_t)x : UINT32_MAX;
}

static bool finish_face(sg_mesh_reader *r)
{
    bool known = true;
    for (size_t i = 0; i < r->polygon.len; i++)
        known &= r->polygon.data[i] != UINT32_MAX;
    if (!known)
        r->n_dropped++;
    return !known || sg_mesh_add_fan(r); // an edge or a point has no surface and becomes nothing
}

// Every second triangle of a strip runs the other way around; repeated corners join two strips.
static bool add_strip(sg_mesh_reader *r)
{
    const uint32_t *c = r->polygon.data;
    for (size_t i = 0; i + 2 < r->polygon.len; i++) {
        uint32_t a = c[i + i % 2], b = c[i + 1 - i % 2];
        if (a != b && a != c[i + 2] && b != c[i + 2] && !sg_mesh_add_triangle(r, a, b, c[i + 2]))
            return false;
    }
    r->polygon.len = 0;
    return true;
}

static bool read_list(ply *p, const property *own)
{
    sg_mesh_reader *r = p->r;
    double n, x;
    if (!read_whole(p, own->count, &n))
        return false;
    if (!(n >= 0) || n > 1e15 || !are_there(p, (uint64_t)n, own->type))
        return sg_mesh_complain(r, "the file ends before this list, or its length is wrong");
    if (own->purpose == PASS_OVER)
        return pass_over(p, own->type, (uint64_t)n);
    r->polygon.len = 0;
    for (uint64_t i = 0; i < (uint64_t)n; i++) {
        if (!read_whole(p, own->type, &x))
            return false;
        if (own->purpose == STRIPS && x == -1) {
            if (!add_strip(r))
                return false;
        } else if (!SG_PUSH(r->allocator, &r->polygon, vertex_number(x))) {
            return sg_mesh_out_of_memory(r);
        }
    }
    return own->purpose == STRIPS ? add_strip(r) : finish_face(r);
}

static bool read_row(ply *p, const element *e)
{
    double x[3] = {0, 0, 0}, number;
    for (size_t i = e->first; i < e->first + e->n; i++) {
        const property *own = &p->properties[i];
        if (own->count != NO_TYPE) {
            if (!read_list(p, own))
                return false;
            continue;
        }
        if (!read_number(p, own->type, &number))
            return false;
        if (own->purpose == COORDINATE) {
            if (!isfinite(number))
                return sg_mesh_complain(p->r, "a coordinate of a vertex is not finite");
            x[own->axis] = number;
        }
    }
    return e->kind != VERTEX || sg_mesh_add_vertex(p->r, v3_from(x));
}

// Bytes that a row has at least.
static size_t least_row(const ply *p, const element *e)
{
    size_t sum = 0;
    for (size_t i = e->first; i < e->first + e->n; i++) {
        const property *own = &p->properties[i];
        sum += p->format == ASCII ? 2 : size_of[own->count == NO_TYPE ? own->type : own->count];
    }
    return sum;
}

static bool read_rows(ply *p, const element *e)
{
    sg_mesh_reader *r = p->r;
    size_t least = least_row(p, e);
    r->place = r->at;
    if (!least) // rows of nothing, however many
        return true;
    if (e->rows > (sg_mesh_left(r) + (p->format == ASCII)) / least)
        return sg_mesh_complain(r, "the header tells of more rows than the file holds");
    if (e->kind == VERTEX && !SG_RESERVE(r->allocator, &r->vertices, e->rows))
        return sg_mesh_out_of_memory(r);
    for (uint64_t i = 0; i < e->rows; i++)
        if (!read_row(p, e))
            return false;
    return true;
}

bool sg_mesh_read_ply(sg_mesh_reader *r)
{
    ply p = {.r = r, .format = NO_FORMAT};
    r->only_used = true;
    if (!read_header(&p))
        return false;
    r->is_text = p.format == ASCII;
    for (size_t i = 0; i < p.n_elements; i++)
        if (!read_rows(&p, &p.elements[i]))
            return false;
    return true;
}
