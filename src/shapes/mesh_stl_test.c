#include "harness/sg_test.h"
#include "shapes/mesh_file.h"
#include "shapes/mesh_weld.h"

#include <string.h>

typedef struct stl_outcome {
    sg_arena arena;
    sg_triangles m;
    sg_mesh_complaint complaint;
    sg_status status;
} stl_outcome;

static stl_outcome read_stl(const char *bytes, size_t length)
{
    stl_outcome o;
    sg_arena_init(&o.arena, sg_allocator_default());
    o.status =
        sg_mesh_read(SG_MESH_STL, bytes, length, v3_make(1, 1, 1), &o.arena, &o.m, &o.complaint);
    return o;
}

static size_t two_triangles(char *bytes, const char *header)
{
    static const float square[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, -0.0F, 1, 0};
    const uint32_t count = 2;
    memset(bytes, 0, 200);
    memcpy(bytes, header, strlen(header));
    memcpy(bytes + 80, &count, 4); // the test runs where numbers are little-endian
    memcpy(bytes + 96, square, 36);
    memcpy(bytes + 146, square + 9, 36);
    return 184;
}

SG_TEST(bytes_behind_the_last_triangle_do_not_make_a_text_of_a_binary_stl_file)
{
    char bytes[200];
    for (size_t more = 0; more < 16; more++) {
        stl_outcome o = read_stl(bytes, two_triangles(bytes, "solid part") + more);
        SG_CHECK_MSG(o.status == SG_OK && o.m.n_triangles == 2 && o.m.n_vertices == 4 &&
                         o.m.n_repeated == 2,
                     "%zu more: %s", more, o.complaint.why);
        sg_arena_destroy(&o.arena);
    }
}

SG_TEST(a_text_stl_file_may_begin_with_blanks)
{
    static const char text[] =
        "\n  solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nendsolid a\nsolid b\nendsolid b\n";
    stl_outcome o = read_stl(text, sizeof text - 1);
    SG_CHECK_MSG(o.status == SG_OK && o.m.n_triangles == 1, "%s", o.complaint.why);
    sg_arena_destroy(&o.arena);
}

SG_TEST(a_number_of_an_stl_file_that_is_not_finite_is_refused_at_its_place)
{
    char bytes[200];
    size_t n = two_triangles(bytes, "exported");
    memcpy(bytes + 146 + 12 + 4, "\0\0\x80\x7f",
           4); // y of the second corner of the second triangle
    stl_outcome o = read_stl(bytes, n);
    SG_CHECK(o.status == SG_ERR_INPUT && o.complaint.at_byte && o.complaint.byte == 158);
    sg_arena_destroy(&o.arena);
    static const char text[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 inf 0\n";
    o = read_stl(text, sizeof text - 1);
    SG_CHECK(o.status == SG_ERR_INPUT && o.complaint.line == 4 && o.complaint.column == 10);
    sg_arena_destroy(&o.arena);
}

SG_TEST(equal_points_get_one_number_in_the_order_in_which_they_come)
{
    sg_weld weld;
    uint32_t number;
    sg_weld_init(&weld, sg_allocator_default());
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            SG_REQUIRE(sg_weld_add(&weld, v3_make(i % 17, i / 17 % 19, i / 323), &number));
            SG_CHECK(number == i);
        }
    SG_CHECK(sg_weld_add(&weld, v3_make(-0.0, 0.0, -0.0), &number) && number == 0);
    SG_CHECK(weld.vertices.len == 5000);
    sg_weld_free(&weld);
}
