#include "collide/mesh_file.h"

#include "base/digits.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { STL_HEADER = 80, STL_RECORD = 50, MAX_POLYGON = 1 << 16 };

typedef SG_VEC(sg_vec3) vertex_list;
typedef SG_VEC(uint32_t) corner_list;

// What a file has said so far.
typedef struct mesh_reader {
    const sg_allocator *allocator;
    const char *at, *end;
    size_t line;
    vertex_list vertices;
    corner_list corners; // of triangles
    corner_list polygon; // the corners of the polygon at hand
    size_t n_dropped;
    const char *why;
    bool no_memory;
} mesh_reader;

sg_mesh_format sg_mesh_format_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && strcasecmp(dot, ".obj") == 0)
        return SG_MESH_OBJ;
    if (dot && strcasecmp(dot, ".stl") == 0)
        return SG_MESH_STL;
    return SG_MESH_UNKNOWN;
}

static bool complain(mesh_reader *r, const char *why)
{
    r->why = why;
    return false;
}

// ---- words of a line ------------------------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v'; }

// The next word of the present line; length 0 at its end. A backslash joins the next line.
static const char *next_word(mesh_reader *r, size_t *length)
{
    for (;;) {
        while (r->at < r->end && is_blank(*r->at))
            r->at++;
        const char *next = r->at + 1;
        if (r->at >= r->end || *r->at != '\\')
            break;
        while (next < r->end && is_blank(*next))
            next++;
        if (next >= r->end || *next != '\n')
            break;
        r->at = next + 1;
        r->line++;
    }
    const char *word = r->at;
    while (r->at < r->end && *r->at != '\n' && !is_blank(*r->at))
        r->at++;
    *length = (size_t)(r->at - word);
    return word;
}

static void next_line(mesh_reader *r)
{
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = newline ? newline + 1 : r->end;
    r->line++;
}

static bool is_word(const char *word, size_t length, const char *expected)
{
    return strlen(expected) == length && strncasecmp(word, expected, length) == 0;
}

static bool read_point(mesh_reader *r, sg_vec3 *out)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        size_t length;
        const char *word = next_word(r, &length);
        if (!length || !sg_number_parse(word, length, &x[i]))
            return complain(r, "a vertex needs three numbers");
        if (!isfinite(x[i]))
            return complain(r, "a coordinate of a vertex is not finite");
    }
    *out = v3_from(x);
    return true;
}

static bool add_vertex(mesh_reader *r, sg_vec3 p)
{
    if (r->vertices.len >= UINT32_MAX - 1)
        return complain(r, "there are too many vertices");
    r->no_memory = r->no_memory || !SG_PUSH(r->allocator, &r->vertices, p);
    return !r->no_memory;
}

static bool add_triangle(mesh_reader *r, uint32_t a, uint32_t b, uint32_t c)
{
    if (!SG_RESERVE(r->allocator, &r->corners, r->corners.len + 3)) {
        r->no_memory = true;
        return false;
    }
    uint32_t *corner = r->corners.data + r->corners.len;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    r->corners.len += 3;
    return true;
}

// ---- OBJ ------------------------------------------------------------------------------------

// vertex[/texture][/normal]: only the first number matters. Negative ones count back from the last
// vertex so far. False when it is no number; 0 stays 0 and names nothing.
static bool read_reference(const mesh_reader *r, const char *word, size_t length, int64_t *out)
{
    size_t i = 0, digits = 0;
    bool negative = length && word[0] == '-';
    int64_t value = 0;
    for (i = negative; i < length && word[i] >= '0' && word[i] <= '9'; i++, digits++)
        value = value < INT64_C(1) << 40 ? value * 10 + (word[i] - '0') : value;
    if (!digits || (i < length && word[i] != '/'))
        return false;
    *out = negative ? (int64_t)r->vertices.len + 1 - value : value;
    return true;
}

// f a b c ...
static bool read_polygon(mesh_reader *r)
{
    bool known = true;
    r->polygon.len = 0;
    for (;;) {
        size_t length;
        int64_t reference;
        const char *word = next_word(r, &length);
        if (!length || *word == '#')
            break;
        if (!read_reference(r, word, length, &reference))
            return complain(r, "a face needs vertex numbers, such as 'f 1 2 3'");
        if (r->polygon.len >= MAX_POLYGON)
            return complain(r, "a face has too many corners");
        // Vertices may follow later in the file, so the upper bound is checked at the end.
        known &= reference > 0 && reference < (int64_t)UINT32_MAX;
        if (!SG_PUSH(r->allocator, &r->polygon, known ? (uint32_t)(reference - 1) : 0)) {
            r->no_memory = true;
            return false;
        }
    }
    if (r->polygon.len < 3)
        return complain(r, "a face needs at least three corners");
    r->n_dropped += !known;
    for (size_t i = 2; known && i < r->polygon.len; i++)
        if (!add_triangle(r, r->polygon.data[0], r->polygon.data[i - 1], r->polygon.data[i]))
            return false;
    return true;
}

static bool read_obj(mesh_reader *r)
{
    while (r->at < r->end) {
        size_t length;
        sg_vec3 p;
        const char *word = next_word(r, &length);
        if (is_word(word, length, "v")) {
            if (!read_point(r, &p) || !add_vertex(r, p))
                return false;
        } else if (is_word(word, length, "f") && !read_polygon(r)) {
            return false;
        }
        next_line(r);
    }
    return true;
}

// ---- STL ------------------------------------------------------------------------------------

static uint32_t little32(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const unsigned char *b)
{
    uint32_t bits = little32(b);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

// The count in the header decides: many writers of bytes begin them with the word "solid" too.
static bool is_binary_stl(const mesh_reader *r)
{
    size_t length = (size_t)(r->end - r->at);
    if (length < STL_HEADER + 4)
        return false;
    uint64_t n = little32((const unsigned char *)r->at + STL_HEADER);
    bool fits = STL_HEADER + 4 + n * STL_RECORD == length;
    return fits || strncasecmp(r->at, "solid", 5) != 0;
}

static bool read_binary_stl(mesh_reader *r)
{
    const unsigned char *b = (const unsigned char *)r->at;
    uint64_t n = little32(b + STL_HEADER);
    if (n > ((uint64_t)(r->end - r->at) - STL_HEADER - 4) / STL_RECORD)
        return complain(r, "the file ends before its last triangle, or it is not an STL file");
    b += STL_HEADER + 4;
    for (uint64_t t = 0; t < n; t++, b += STL_RECORD) {
        uint32_t first = (uint32_t)r->vertices.len;
        for (int k = 0; k < 3; k++) {
            const unsigned char *c = b + 12 + 12 * k; // the normal comes first
            sg_vec3 p = v3_make(little_float(c), little_float(c + 4), little_float(c + 8));
            if (!v3_is_finite(p))
                return complain(r, "a coordinate of a vertex is not finite");
            if (!add_vertex(r, p))
                return false;
        }
        if (!add_triangle(r, first, first + 1, first + 2))
            return false;
    }
    return true;
}

// facet normal x y z / outer loop / vertex x y z three times / endloop / endfacet
static bool read_text_stl(mesh_reader *r)
{
    size_t corners = 0;
    while (r->at < r->end) {
        size_t length;
        sg_vec3 p;
        const char *word = next_word(r, &length);
        if (is_word(word, length, "vertex")) {
            if (!read_point(r, &p) || !add_vertex(r, p))
                return false;
            uint32_t last = (uint32_t)r->vertices.len - 1;
            if (++corners == 3 && !add_triangle(r, last - 2, last - 1, last))
                return false;
            if (corners > 3)
                return complain(r, "a facet has more than three corners");
        } else if (is_word(word, length, "endfacet")) {
            if (corners != 3)
                return complain(r, "a facet needs three corners");
            corners = 0;
        } else if (length && !is_word(word, length, "facet") && !is_word(word, length, "outer") &&
                   !is_word(word, length, "endloop") && !is_word(word, length, "solid") &&
                   !is_word(word, length, "endsolid")) {
            return complain(r, "this is not a line of an STL file");
        }
        next_line(r);
    }
    return corners == 0 || complain(r, "the file ends inside of a facet");
}

// ---- merging --------------------------------------------------------------------------------

static uint64_t hash_point(sg_vec3 p)
{
    uint64_t bits[3], h = UINT64_C(0x9e3779b97f4a7c15);
    memcpy(bits, &p, sizeof bits);
    for (int i = 0; i < 3; i++) {
        h = (h ^ bits[i]) * UINT64_C(0xbf58476d1ce4e5b9);
        h ^= h >> 29;
    }
    return h;
}

// Gives equal vertices one number, in the order of their first occurrence: `number` by old index.
static bool merge_vertices(const sg_vec3 *vertex, size_t n, sg_arena *scratch, uint32_t *number,
                           sg_vec3 *merged, size_t *n_merged)
{
    size_t slots = 16;
    while (slots < 2 * n)
        slots *= 2;
    uint32_t *table = SG_NEW_ARRAY(scratch, uint32_t, slots); // number + 1, 0 is free
    if (!table)
        return false;
    *n_merged = 0;
    for (size_t i = 0; i < n; i++) {
        sg_vec3 p = v3_add(vertex[i], V3_ZERO); // -0 becomes 0, which equals it
        size_t slot = (size_t)hash_point(p) & (slots - 1);
        while (table[slot] && !v3_equal(merged[table[slot] - 1], p))
            slot = (slot + 1) & (slots - 1); // at most half of the slots are taken
        if (!table[slot]) {
            merged[*n_merged] = p;
            table[slot] = (uint32_t)++ * n_merged;
        }
        number[i] = table[slot] - 1;
    }
    return true;
}

static const char *check_parts(const sg_vec3 *vertex, size_t nv, size_t nt)
{
    if (nv == 0)
        return "the file holds no vertices";
    if (nt == 0)
        return "the file holds no triangles";
    for (size_t i = 0; i < nv; i++)
        if (!v3_is_finite(vertex[i]))
            return "a coordinate of a vertex is not finite";
    return NULL;
}

sg_status sg_triangles_make(const sg_vec3 *vertex, size_t nv, const uint32_t *corner, size_t nt,
                            sg_arena *arena, sg_triangles *out, sg_mesh_complaint *complaint)
{
    *out = (sg_triangles){0};
    *complaint = (sg_mesh_complaint){.why = check_parts(vertex, nv, nt)};
    if (complaint->why)
        return SG_ERR_INPUT;
    out->vertex = SG_NEW_ARRAY(arena, sg_vec3, nv);
    out->corner = nt <= SIZE_MAX / 3 ? SG_NEW_ARRAY(arena, uint32_t, 3 * nt) : NULL;
    sg_arena scratch;
    sg_arena_init(&scratch, arena->allocator);
    uint32_t *number = SG_NEW_ARRAY(&scratch, uint32_t, nv);
    bool ok = out->vertex && out->corner && number &&
              merge_vertices(vertex, nv, &scratch, number, out->vertex, &out->n_vertices);
    for (size_t t = 0; ok && t < nt; t++) {
        const uint32_t *c = corner + 3 * t;
        if (c[0] >= nv || c[1] >= nv || c[2] >= nv) {
            out->n_dropped++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            out->corner[3 * out->n_triangles + (size_t)k] = number[c[k]];
        out->n_triangles++;
    }
    sg_arena_destroy(&scratch);
    if (!ok)
        return SG_ERR_MEMORY;
    out->n_repeated = nv - out->n_vertices;
    out->lo = out->hi = out->vertex[0];
    for (size_t i = 1; i < out->n_vertices; i++) {
        out->lo = v3_lower(out->lo, out->vertex[i]);
        out->hi = v3_upper(out->hi, out->vertex[i]);
    }
    if (out->n_triangles > 0)
        return SG_OK;
    complaint->why = "every face names a vertex that does not exist";
    return SG_ERR_INPUT;
}

static sg_status finish(mesh_reader *r, sg_vec3 scale, sg_arena *arena, sg_triangles *out,
                        sg_mesh_complaint *complaint)
{
    for (size_t i = 0; i < r->vertices.len; i++)
        r->vertices.data[i] = v3_mul(r->vertices.data[i], scale);
    sg_status status = sg_triangles_make(r->vertices.data, r->vertices.len, r->corners.data,
                                         r->corners.len / 3, arena, out, complaint);
    out->n_dropped += r->n_dropped;
    return status;
}

sg_status sg_mesh_read(sg_mesh_format format, const char *bytes, size_t length, sg_vec3 scale,
                       sg_arena *arena, sg_triangles *out, sg_mesh_complaint *complaint)
{
    mesh_reader r = {.allocator = arena->allocator, .at = bytes, .end = bytes + length, .line = 1};
    *out = (sg_triangles){0};
    *complaint = (sg_mesh_complaint){0};
    bool binary = format == SG_MESH_STL && is_binary_stl(&r), ok = false;
    if (length == 0)
        complain(&r, "the file is empty");
    else if (format == SG_MESH_OBJ)
        ok = read_obj(&r);
    else if (format == SG_MESH_STL)
        ok = binary ? read_binary_stl(&r) : read_text_stl(&r);
    else
        complain(&r, "only .obj and .stl files are read here");
    sg_status status = r.no_memory ? SG_ERR_MEMORY : SG_ERR_INPUT;
    if (ok)
        status = finish(&r, scale, arena, out, complaint);
    else
        *complaint = (sg_mesh_complaint){r.why, binary || length == 0 ? 0 : r.line};
    SG_VEC_FREE(r.allocator, &r.vertices);
    SG_VEC_FREE(r.allocator, &r.corners);
    SG_VEC_FREE(r.allocator, &r.polygon);
    return status;
}
