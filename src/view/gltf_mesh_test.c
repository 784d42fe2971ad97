#include "view/gltf_mesh.h"

#include "base/buf.h"
#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sg_vec3 as_it_is = {1.0, 1.0, 1.0};

typedef struct gltf_outcome {
    sg_arena arena;
    sg_triangles m;
    sg_mesh_complaint complaint;
    sg_status status;
} gltf_outcome;

static gltf_outcome read_bytes(const char *bytes, size_t length, const sg_gltf_beside *beside)
{
    gltf_outcome o;
    sg_arena_init(&o.arena, sg_allocator_default());
    o.status = sg_gltf_read_mesh(bytes, length, as_it_is, beside, &o.arena, &o.m, &o.complaint);
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

// ---- a cube of edge 2 in many forms -----------------------------------------------------------

enum { BYTE = 5120, UBYTE = 5121, SHORT = 5122, USHORT = 5123, UINT = 5125, FLOAT = 5126 };

typedef struct bytes_list {
    unsigned char data[2048];
    size_t n;
} bytes_list;

static void put(bytes_list *b, int type, double x)
{
    float f = (float)x;
    uint32_t bits = (uint32_t)(int64_t)x;
    size_t n = type <= UBYTE ? 1 : type <= USHORT ? 2 : 4;
    if (type == FLOAT)
        memcpy(&bits, &f, sizeof bits);
    for (size_t i = 0; i < n; i++)
        b->data[b->n++] = (unsigned char)(bits >> 8 * i & 255);
}

static void put_cube(bytes_list *b, int type, double edge, size_t stride)
{
    for (int i = 0; i < 8; i++) {
        size_t from = b->n;
        put(b, type, edge * (i % 2));
        put(b, type, edge * (i / 2 % 2));
        put(b, type, edge * (i / 4));
        while (b->n < from + stride)
            b->data[b->n++] = 77;
    }
}

static const unsigned char triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                            2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
static const unsigned char strip[14] = {3, 2, 7, 6, 4, 2, 0, 3, 1, 7, 5, 4, 1, 0};

static const char *base64(const bytes_list *b)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char text[4096];
    size_t n = 0;
    for (size_t i = 0; i < b->n; i += 3) {
        unsigned bits = (unsigned)b->data[i] << 16;
        bits |= i + 1 < b->n ? (unsigned)b->data[i + 1] << 8 : 0;
        bits |= i + 2 < b->n ? b->data[i + 2] : 0;
        for (size_t k = 0; k < 4; k++)
            text[n++] = i + k > b->n ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    text[n] = '\0';
    return text;
}

// What a test changes of the file.
typedef struct cube_file {
    int type, index_type; // 0: no indices
    bool normalized;
    size_t stride;
    const char *mode;  // of the primitive, for example ",\"mode\":5"
    const char *rest;  // of the file: nodes and so on, with a comma in front
    const char *extra; // of the accessor of the positions
} cube_file;

static const char one_node[] = ",\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0";

static char file_text[8192];

static bytes_list cube_bytes(const cube_file *f)
{
    bytes_list b = {.n = 0};
    double edge = !f->normalized     ? 2.0
                  : f->type == BYTE  ? 127.0
                  : f->type == UBYTE ? 255.0
                  : f->type == SHORT ? 32767.0
                                     : 65535.0;
    put_cube(&b, f->type, edge, f->stride);
    const unsigned char *index = f->mode ? strip : triangles;
    for (size_t i = 0; i < (f->mode ? sizeof strip : sizeof triangles); i++)
        put(&b, f->index_type, index[i]);
    return b;
}

static const char *cube_json(const cube_file *f, const char *uri, const bytes_list *b)
{
    size_t corners = f->mode ? sizeof strip : sizeof triangles;
    size_t width = f->index_type == UBYTE ? 1 : f->index_type == USHORT ? 2 : 4;
    size_t split = b->n - corners * width;
    snprintf(file_text, sizeof file_text,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu%s}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":%zu},"
             "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":%d,\"normalized\":%s,\"count\":8,"
             "\"type\":\"VEC3\"%s},{\"bufferView\":1,\"componentType\":%d,\"count\":%zu,"
             "\"type\":\"SCALAR\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
             "\"indices\":1%s}]}]%s}",
             b->n, uri, split, f->stride, split, b->n - split, f->type,
             f->normalized ? "true" : "false", f->extra ? f->extra : "", f->index_type, corners,
             f->mode ? f->mode : "", f->rest ? f->rest : one_node);
    return file_text;
}

static gltf_outcome read_cube(const cube_file *f)
{
    char uri[5000];
    bytes_list b = cube_bytes(f);
    snprintf(uri, sizeof uri, ",\"uri\":\"data:application/octet-stream;base64,%s\"", base64(&b));
    const char *text = cube_json(f, uri, &b);
    return read_bytes(text, strlen(text), NULL);
}

static void check_cube(const cube_file *f, double expected, const char *what)
{
    gltf_outcome o = read_cube(f);
    SG_CHECK_MSG(o.status == SG_OK, "%s: %s", what, o.complaint.why);
    if (o.status == SG_OK) {
        SG_CHECK_MSG(o.m.n_vertices == 8 && o.m.n_triangles == 12, "%s: %zu vertices", what,
                     o.m.n_vertices);
        SG_NEAR(volume(&o.m), expected, 1e-6, 1.0);
    }
    sg_arena_destroy(&o.arena);
}

SG_TEST(positions_and_indices_of_a_gltf_file_may_have_any_type)
{
    static const int types[] = {BYTE, UBYTE, SHORT, USHORT, FLOAT}, index[] = {UBYTE, USHORT, UINT};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 3; k++) {
            char what[40];
            cube_file f = {.type = types[i], .index_type = index[k], .stride = 12 + 4 * k};
            snprintf(what, sizeof what, "%d, %d", types[i], index[k]);
            check_cube(&f, 8.0, what);
            f.normalized = types[i] != FLOAT;
            check_cube(&f, f.normalized ? 1.0 : 8.0, what);
            f.mode = ",\"mode\":5";
            check_cube(&f, f.normalized ? 1.0 : 8.0, what);
        }
}

SG_TEST(nodes_of_a_gltf_file_are_moved_turned_scaled_and_mirrored)
{
    cube_file f = {.type = FLOAT, .index_type = USHORT, .stride = 12};
    f.rest = ",\"nodes\":[{\"children\":[1],\"translation\":[10,0,0],\"scale\":[1,2,3],"
             "\"rotation\":[0,0,0.70710678118654757,0.70710678118654757]},"
             "{\"mesh\":0,\"matrix\":[1,0,0,0,0,0,1,0,0,-1,0,0,0,0,5,1]}],"
             "\"scenes\":[{\"nodes\":[0]}]";
    gltf_outcome o = read_cube(&f);
    SG_REQUIRE(o.status == SG_OK);
    SG_NEAR(volume(&o.m), 48.0, 1e-14, 1.0);
    // (x, y, z) goes to (x, -z, y + 5), to (x, -2 z, 3 y + 15), to (10 + 2 z, x, 3 y + 15).
    SG_NEAR(o.m.lo.x, 10.0, 1e-14, 1.0);
    SG_NEAR(o.m.hi.x, 14.0, 1e-14, 1.0);
    SG_NEAR(o.m.hi.y, 2.0, 1e-14, 1.0);
    SG_NEAR(o.m.lo.z, 15.0, 1e-14, 1.0);
    SG_NEAR(o.m.hi.z, 21.0, 1e-14, 1.0);
    sg_arena_destroy(&o.arena);
    // The triangles of a mirrored node still run counter-clockwise seen from outside.
    f.rest = ",\"nodes\":[{\"mesh\":0,\"scale\":[-1,1,1]}]";
    check_cube(&f, 8.0, "mirrored, and no scene");
    f.rest = "";
    check_cube(&f, 8.0, "no nodes");
    f.rest = ",\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[5,0,0]}],"
             "\"scenes\":[{\"nodes\":[0,1]},{\"nodes\":[1]}],\"scene\":1";
    o = read_cube(&f);
    SG_CHECK(o.status == SG_OK && o.m.n_triangles == 12 && o.m.lo.x == 5.0);
    sg_arena_destroy(&o.arena);
}

SG_TEST(sparse_accessors_of_a_gltf_file_replace_elements)
{
    // The first two indices of the triangles, 0 and 2, are taken for the elements that change, and
    // vertices 1 and 2 for their values.
    cube_file f = {.type = FLOAT, .index_type = USHORT, .stride = 12};
    f.extra = ",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,\"componentType\":5123},"
              "\"values\":{\"bufferView\":0,\"byteOffset\":12}}";
    gltf_outcome o = read_cube(&f);
    SG_REQUIRE(o.status == SG_OK);
    SG_CHECK(o.m.n_vertices == 7 && v3_equal(o.m.vertex[0], v3_make(2, 0, 0)));
    SG_CHECK(v3_equal(o.m.vertex[1], v3_make(0, 2, 0)));
    sg_arena_destroy(&o.arena);
}

SG_TEST(a_glb_file_holds_text_and_numbers)
{
    cube_file f = {.type = FLOAT, .index_type = USHORT, .stride = 12};
    bytes_list b = cube_bytes(&f);
    const char *json = cube_json(&f, "", &b);
    char glb[8192];
    bytes_list head = {.n = 0};
    size_t n = strlen(json);
    memcpy(head.data, "glTF", 4);
    head.n = 4;
    put(&head, UINT, 2);
    put(&head, UINT, (double)(28 + n + b.n));
    put(&head, UINT, (double)n);
    put(&head, UINT, 0x4E4F534A);
    memcpy(glb, head.data, 20);
    memcpy(glb + 20, json, n);
    head.n = 0;
    put(&head, UINT, (double)b.n);
    put(&head, UINT, 0x004E4942);
    memcpy(glb + 20 + n, head.data, 8);
    memcpy(glb + 28 + n, b.data, b.n);
    size_t length = 28 + n + b.n;
    gltf_outcome o = read_bytes(glb, length, NULL);
    SG_CHECK_MSG(o.status == SG_OK, "%s", o.complaint.why);
    SG_NEAR(volume(&o.m), 8.0, 1e-14, 1.0);
    sg_arena_destroy(&o.arena);
    for (size_t cut = 0; cut < length; cut++) {
        char *copy = malloc(cut + 1);
        SG_REQUIRE(copy);
        memcpy(copy, glb, cut);
        o = read_bytes(copy, cut, NULL);
        SG_CHECK(o.status == SG_ERR_INPUT && o.complaint.why[0]);
        sg_arena_destroy(&o.arena);
        free(copy);
    }
}

static bool read_beside(void *context, const char *name, sg_arena *arena, const char **bytes,
                        size_t *length, char *why, size_t room)
{
    const bytes_list *b = context;
    (void)arena;
    *bytes = (const char *)b->data;
    *length = b->n;
    if (strcmp(name, "sub/a b.bin") == 0)
        return true;
    snprintf(why, room, "not '%s'", name);
    return false;
}

SG_TEST(a_buffer_of_a_gltf_file_may_lie_beside_it)
{
    cube_file f = {.type = FLOAT, .index_type = USHORT, .stride = 12};
    bytes_list b = cube_bytes(&f);
    sg_gltf_beside beside = {read_beside, &b};
    static const struct {
        const char *uri, *why;
    } cases[] = {{"sub/a%20b.bin", ""},
                 {"c.bin", "buffers[0]: not 'c.bin'"},
                 {"/etc/passwd", "is not a file beside"},
                 {"file:///etc/passwd", "is not a file beside"},
                 {"http://there/a.bin", "is not a file beside"},
                 {"a%00b.bin", "zero byte"},
                 {"data:text/plain,abc", "not base64"},
                 {"data:;base64,ab*c", "not base64"},
                 {"data:;base64,abcd", "3 bytes are there"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char uri[100];
        snprintf(uri, sizeof uri, ",\"uri\":\"%s\"", cases[i].uri);
        const char *text = cube_json(&f, uri, &b);
        gltf_outcome o = read_bytes(text, strlen(text), &beside);
        SG_CHECK_MSG((o.status == SG_OK) == !cases[i].why[0] &&
                         strstr(o.complaint.why, cases[i].why),
                     "%s: %s", cases[i].uri, o.complaint.why);
        sg_arena_destroy(&o.arena);
    }
}

// ---- what is refused --------------------------------------------------------------------------

static void refuses(const char *text, const char *part)
{
    gltf_outcome o = read_bytes(text, strlen(text), NULL);
    SG_CHECK_MSG(o.status == SG_ERR_INPUT && strstr(o.complaint.why, part), "'%s' gave '%s'", text,
                 o.complaint.why);
    sg_arena_destroy(&o.arena);
}

SG_TEST(gltf_files_that_cannot_be_read_are_refused_by_name)
{
#define V2 "{\"asset\":{\"version\":\"2.0\"},"
    refuses("", "not JSON");
    refuses("{\"asset\":{\"version\":\"1.0\"}}", "only 2.x");
    refuses("{}", "only 2.x");
    refuses(V2 "\"x\":0}", "no vertices");
    refuses(V2 "\"extensionsRequired\":[\"KHR_mesh_quantization\",\"KHR_draco_mesh_compression\"]}",
            "KHR_draco_mesh_compression");
    refuses(V2 "\"extensionsRequired\":[\"EXT_meshopt_compression\"]}", "EXT_meshopt_compression");
    refuses(V2 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"extensions\":"
               "{\"KHR_draco_mesh_compression\":{}}}]}],\"accessors\":[{\"count\":3,"
               "\"type\":\"VEC3\",\"componentType\":5126}]}",
            "KHR_draco_mesh_compression");
    refuses(V2 "\"nodes\":[{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]}", "two places");
    refuses(V2
            "\"nodes\":[{\"children\":[1,2]},{\"children\":[2]},{}],\"scenes\":[{\"nodes\":[0]}]}",
            "two places");
    refuses(V2 "\"nodes\":[{\"mesh\":7}]}", "no meshes[7]");
    refuses(V2 "\"nodes\":[{\"mesh\":-1}]}", "whole number");
    refuses(V2 "\"nodes\":[{\"rotation\":[0,0,0,0]}]}", "transformation");
    refuses(V2 "\"nodes\":[{\"translation\":[0,0]}]}", "transformation");
    refuses(V2 "\"nodes\":[{}],\"scenes\":[{\"nodes\":[1.5]}]}", "no nodes[1.5]");
    refuses(V2 "\"scenes\":[{}],\"nodes\":[{}],\"scene\":3}", "no scenes[3]");
    gltf_outcome o = read_bytes("{\n \"asset\": }", 13, NULL);
    SG_CHECK(o.complaint.line == 2 && o.complaint.column == 11);
    sg_arena_destroy(&o.arena);
    o = read_bytes("glTF\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20, NULL);
    SG_CHECK(o.complaint.at_byte && o.complaint.byte == 4);
    sg_arena_destroy(&o.arena);
}

SG_TEST(accessors_that_lead_out_of_their_bytes_are_refused)
{
#define CASE(buffer, view, accessor)                                                               \
    V2 "\"buffers\":[{\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAA\"," buffer "}],"             \
       "\"bufferViews\":[{\"buffer\":0," view "}],\"accessors\":[{\"bufferView\":0,"               \
       "\"type\":\"VEC3\"," accessor "}],"                                                         \
       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}"
#define FLOATS "\"componentType\":5126,"
    refuses(CASE("\"byteLength\":19", "\"byteLength\":12", FLOATS "\"count\":1"), "18 bytes");
    refuses(CASE("\"byteLength\":18", "\"byteLength\":19", FLOATS "\"count\":1"), "its buffer");
    refuses(CASE("\"byteLength\":18", "\"byteOffset\":9007199254740992,\"byteLength\":12",
                 FLOATS "\"count\":1"),
            "its buffer");
    refuses(CASE("\"byteLength\":18", "\"byteLength\":12", FLOATS "\"count\":2"), "its view");
    refuses(CASE("\"byteLength\":18", "\"byteLength\":12", FLOATS "\"count\":9007199254740992"),
            "its view");
    refuses(CASE("\"byteLength\":18", "\"byteLength\":12",
                 FLOATS "\"byteOffset\":9007199254740992,\"count\":1"),
            "its view");
    refuses(CASE("\"byteLength\":18", "\"byteStride\":0,\"byteLength\":12",
                 FLOATS "\"count\":9007199254740992"),
            "byteStride");
    refuses(CASE("\"byteLength\":18", "\"byteLength\":12", "\"componentType\":7,\"count\":1"),
            "componentType 7");
    refuses(CASE("\"byteLength\":18", "\"byteLength\":12", FLOATS "\"count\":1"), "no triangles");
    refuses(V2 "\"accessors\":[{\"count\":9007199254740992,\"type\":\"VEC3\"}],"
               "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
            "without data");
    refuses(V2
            "\"buffers\":[{\"uri\":\"data:;base64,AAAAAAAAwH8AAAAA\",\"byteLength\":12}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],\"accessors\":[{\"bufferView\":0,"
            "\"type\":\"VEC3\",\"componentType\":5126,\"count\":1}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
            "not finite (byte 4 of buffers[0])");
}

SG_TEST(few_bytes_of_a_gltf_file_cannot_draw_any_number_of_triangles)
{
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_buf_puts(&text, V2 "\"accessors\":[{\"count\":100000,\"type\":\"VEC3\"}],\"meshes\":[{"
                          "\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[");
    for (int i = 0; i < 1000; i++)
        sg_buf_puts(&text, i ? ",{\"mesh\":0}" : "{\"mesh\":0}");
    sg_buf_puts(&text, "]}");
    refuses(sg_buf_text(&text), "drawn too often");
    sg_buf_free(&text);
}

SG_TEST(reading_a_gltf_file_survives_refused_memory)
{
    char uri[5000];
    cube_file f = {.type = FLOAT, .index_type = USHORT, .stride = 12};
    bytes_list b = cube_bytes(&f);
    snprintf(uri, sizeof uri, ",\"uri\":\"data:application/octet-stream;base64,%s\"", base64(&b));
    const char *text = cube_json(&f, uri, &b);
    for (uint64_t n = 1; n < 200; n++) {
        sg_test_allocator failing;
        sg_test_allocator_init(&failing, n);
        sg_arena arena;
        sg_arena_init(&arena, &failing.allocator);
        sg_triangles m;
        sg_mesh_complaint complaint;
        sg_status status =
            sg_gltf_read_mesh(text, strlen(text), as_it_is, NULL, &arena, &m, &complaint);
        SG_CHECK(status == SG_OK || status == SG_ERR_MEMORY);
        sg_arena_destroy(&arena);
        SG_CHECK(failing.live_blocks == 0);
        if (status == SG_OK && failing.requests < n)
            return;
    }
    SG_CHECK_MSG(false, "it never came to an end");
}
