#include "harness/sg_test.h"
#include "shapes/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sg_vec3 as_it_is = {1.0, 1.0, 1.0};

typedef struct ply_outcome {
    sg_arena arena;
    sg_triangles m;
    sg_mesh_complaint complaint;
    sg_status status;
} ply_outcome;

static ply_outcome read_ply(const char *bytes, size_t length)
{
    ply_outcome o;
    sg_arena_init(&o.arena, sg_allocator_default());
    o.status = sg_mesh_read(SG_MESH_PLY, bytes, length, as_it_is, &o.arena, &o.m, &o.complaint);
    return o;
}

static double volume(const sg_triangles *m)
{
    double sum = 0.0;
    for (size_t t = 0; t < m->n_triangles; t++) {
        const uint32_t *c = m->corner + 3 * t;
        sum += v3_triple(m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]]) / 6.0;
    }
    return sum;
}

// ---- a cube of edge 2 in any of the forms -----------------------------------------------------

typedef enum number_form { I8, U8, I16, U16, I32, U32, F32, F64 } number_form;
static const char *const form_name[] = {"char", "uchar", "short", "uint16",
                                        "int",  "uint",  "float", "float64"};

typedef enum byte_order { ASCII, LITTLE, BIG } byte_order;

typedef struct writer {
    char bytes[8192];
    size_t length;
    byte_order order;
} writer;

static void put_text(writer *w, const char *text)
{
    size_t n = strlen(text);
    memcpy(w->bytes + w->length, text, n);
    w->length += n;
}

static void put(writer *w, number_form form, double x)
{
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    uint64_t bits = (uint64_t)(int64_t)x;
    float f = (float)x;
    char text[40];
    if (form == F64)
        memcpy(&bits, &x, sizeof bits);
    if (form == F32) {
        uint32_t low;
        memcpy(&low, &f, sizeof low);
        bits = low;
    }
    snprintf(text, sizeof text, "%.17g ", x);
    if (w->order == ASCII) {
        put_text(w, text);
        return;
    }
    for (size_t i = 0; i < sizes[form]; i++) {
        size_t k = w->order == LITTLE ? i : sizes[form] - 1 - i;
        w->bytes[w->length++] = (char)(bits >> 8 * k & 255);
    }
}

// With elements and properties around that nobody knows, and a vertex that no face names.
static void write_cube(writer *w, number_form coordinate, number_form count, number_form index)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    static const char *const orders[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    char header[1024];
    w->length = 0;
    snprintf(header, sizeof header,
             "ply\r\nformat %s 1.0\r\ncomment element vertex 3\r\nobj_info x\r\n"
             "element camera 2\nproperty float fov\nproperty list short double what\n"
             "element vertex 9\nproperty %s z\nproperty uchar red\nproperty %s y\nproperty %s x\n"
             "element nothing 4000000000\n"
             "element face 7\nproperty uchar flag\nproperty list %s %s vertex_indices\n"
             "property list uint float more\nelement edge 1\nproperty int a\nend_header\n",
             orders[w->order], form_name[coordinate], form_name[coordinate], form_name[coordinate],
             form_name[count], form_name[index]);
    put_text(w, header);
    for (int i = 0; i < 2; i++) {
        put(w, F32, 0.5);
        put(w, I16, i);
        for (int k = 0; k < i; k++)
            put(w, F64, 1e300);
    }
    for (int i = 0; i < 9; i++) {
        put(w, coordinate, i == 8 ? 99 : 2.0 * (i / 4));
        put(w, U8, 200);
        put(w, coordinate, 2.0 * (i / 2 % 2));
        put(w, coordinate, 2.0 * (i % 2));
    }
    for (int i = 0; i < 7; i++) {
        put(w, U8, 1);
        put(w, count, i < 6 ? 4 : 2); // the last one is an edge
        for (int k = 0; k < (i < 6 ? 4 : 2); k++)
            put(w, index, faces[i % 6][k]);
        put(w, U32, 1);
        put(w, F32, 3.5);
    }
    put(w, I32, -1);
}

SG_TEST(a_ply_file_may_have_any_order_of_bytes_and_any_types)
{
    writer w;
    for (byte_order order = ASCII; order <= BIG; order++)
        for (number_form c = I8; c <= F64; c++)
            for (number_form n = I8; n <= U32; n++) {
                number_form index = (number_form)((n + 3) % (U32 + 1));
                w.order = order;
                write_cube(&w, c, n, index);
                ply_outcome o = read_ply(w.bytes, w.length);
                SG_CHECK_MSG(o.status == SG_OK, "%d %s %s: %s", (int)order, form_name[c],
                             form_name[n], o.complaint.why);
                SG_CHECK(o.m.n_vertices == 8 && o.m.n_triangles == 12 && o.m.n_dropped == 0);
                SG_NEAR(volume(&o.m), 8.0, 1e-15, 1.0);
                SG_CHECK(o.m.hi.z == 2.0);
                sg_arena_destroy(&o.arena);
            }
}

SG_TEST(every_cut_of_a_ply_file_is_refused_or_read)
{
    writer w;
    for (byte_order order = ASCII; order <= BIG; order++) {
        w.order = order;
        write_cube(&w, F32, U8, I32);
        for (size_t n = 0; n < w.length; n++) {
            char *cut = malloc(n + 1); // so that a read behind the end is seen
            SG_REQUIRE(cut);
            memcpy(cut, w.bytes, n);
            ply_outcome o = read_ply(cut, n);
            // Of a text, the last blank and digits may be missing.
            SG_CHECK(o.status == SG_ERR_INPUT || (order == ASCII && n + 2 >= w.length));
            SG_CHECK(o.status == SG_OK || o.complaint.why[0]);
            sg_arena_destroy(&o.arena);
            free(cut);
        }
    }
}

#define VERTICES                                                                                   \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_index\nend_header\n"

SG_TEST(triangle_strips_of_a_ply_file_end_at_minus_one)
{
    const char *text =
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
        "property float z\nelement tristrips 1\nproperty list int int vertex_indices\n"
        "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n9 0 1 2 3 3 -1 0 1 4\n";
    ply_outcome o = read_ply(text, strlen(text));
    SG_REQUIRE(o.status == SG_OK);
    static const uint32_t expected[] = {0, 1, 2, 2, 1, 3, 0, 1, 4};
    SG_CHECK(o.m.n_triangles == 3 && memcmp(o.m.corner, expected, sizeof expected) == 0);
    sg_arena_destroy(&o.arena);
}

SG_TEST(faces_of_a_ply_file_that_name_no_vertex_are_dropped_and_counted)
{
    const char *text = VERTICES "element face 3\nproperty list uchar int vertex_index\nend_header\n"
                                "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 -1\n3 0 1 3\n";
    ply_outcome o = read_ply(text, strlen(text));
    SG_REQUIRE(o.status == SG_OK);
    SG_CHECK(o.m.n_triangles == 1 && o.m.n_dropped == 2);
    sg_arena_destroy(&o.arena);
}

SG_TEST(bad_ply_files_are_refused_at_line_and_column)
{
    static const struct {
        const char *text, *part;
        size_t line, column;
    } cases[] = {
        {"plx\n", "begins with 'ply'", 1, 1},
        {"ply\nformat text 1.0\n", "'text' is no format", 2, 8},
        {"ply\nelement vertex\n", "number of its rows", 2, 15},
        {"ply\nelement vertex 18446744073709551616\n", "number of its rows", 2, 16},
        {"ply\nproperty int x\n", "behind an element", 2, 1},
        {"ply\nelement vertex 1\nproperty integer x\n", "'integer' is no type", 3, 10},
        {"ply\nelement face 1\nproperty list float int a\n", "whole type", 3, 15},
        {"ply\nelement face 1\nproperty list int float vertex_index\n", "whole type", 3, 25},
        {"ply\nelement vertex 1\nelement vertex 1\n", "two elements", 3, 16},
        {"ply\nwhat\n", "'what' is no word", 2, 1},
        {"ply\n", "no end", 2, 1},
        {"ply\nend_header\n", "no format", 2, 1},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n", "lack one", 5,
         1},
        {VERTICES FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1\n", "ends before its last row", 14, 1},
        {VERTICES FACES "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", "not finite", 11, 5},
        {VERTICES FACES "0 0 0\n1 0 0\n0 x 0\n3 0 1 2\n", "'x' is no number", 12, 3},
        {VERTICES FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", "whole number", 13, 7},
        {VERTICES FACES "0 0 0\n1 0 0\n0 1 0\n999999999 0 1 2\n", "before this list", 13, 1},
        {VERTICES FACES "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "before this list", 13, 1},
        {VERTICES FACES "1", "more rows than the file holds", 10, 1},
        {"ply\nformat ascii 1.0\nelement vertex 4000000000000000000\nproperty int x\n"
         "property int y\nproperty int z\nend_header\n1 2 3\n",
         "more rows than the file holds", 8, 1},
        {VERTICES "end_header\n0 0 0\n1 0 0\n0 1 0\n", "no triangles", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_outcome o = read_ply(cases[i].text, strlen(cases[i].text));
        SG_CHECK_MSG(o.status == SG_ERR_INPUT && strstr(o.complaint.why, cases[i].part) &&
                         o.complaint.line == cases[i].line && o.complaint.column == cases[i].column,
                     "case %zu: %d '%s' at %zu:%zu", i, (int)o.status, o.complaint.why,
                     o.complaint.line, o.complaint.column);
        SG_CHECK(o.arena.total == 0);
        sg_arena_destroy(&o.arena);
    }
}

SG_TEST(a_coordinate_that_is_not_finite_is_refused_at_its_byte)
{
    static const char header[] =
        "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
        "property float z\nend_header\n";
    char bytes[200] = {0};
    memcpy(bytes, header, sizeof header - 1);
    memcpy(bytes + sizeof header - 1 + 4, "\x7f\xc0", 2); // the second number
    ply_outcome o = read_ply(bytes, sizeof header - 1 + 12);
    SG_CHECK(o.status == SG_ERR_INPUT && strstr(o.complaint.why, "not finite"));
    SG_CHECK(o.complaint.at_byte && o.complaint.byte == sizeof header - 1 + 4);
    sg_arena_destroy(&o.arena);
}

SG_TEST(reading_a_ply_file_survives_refused_memory)
{
    writer w = {.order = LITTLE};
    write_cube(&w, F32, U8, I32);
    for (uint64_t n = 1; n < 100; n++) {
        sg_test_allocator failing;
        sg_test_allocator_init(&failing, n);
        sg_arena arena;
        sg_arena_init(&arena, &failing.allocator);
        sg_triangles m;
        sg_mesh_complaint complaint;
        sg_status status =
            sg_mesh_read(SG_MESH_PLY, w.bytes, w.length, as_it_is, &arena, &m, &complaint);
        SG_CHECK(status == SG_OK || status == SG_ERR_MEMORY);
        sg_arena_destroy(&arena);
        SG_CHECK(failing.live_blocks == 0);
        if (status == SG_OK && failing.requests < n)
            return;
    }
    SG_CHECK_MSG(false, "it never came to an end");
}
