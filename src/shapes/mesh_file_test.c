#include "shapes/mesh_file.h"

#include "harness/sg_test.h"

#include <stdio.h>
#include <string.h>

static const sg_vec3 as_it_is = {1.0, 1.0, 1.0};

typedef struct outcome {
    sg_arena arena;
    sg_triangles m;
    sg_mesh_complaint complaint;
    sg_status status;
} outcome;

static outcome read_bytes(sg_mesh_format format, const char *bytes, size_t length)
{
    outcome o;
    sg_arena_init(&o.arena, sg_allocator_default());
    o.status = sg_mesh_read(format, bytes, length, as_it_is, &o.arena, &o.m, &o.complaint);
    return o;
}

static outcome read_text(sg_mesh_format format, const char *text)
{
    return read_bytes(format, text, strlen(text));
}

static void refuses(sg_mesh_format format, const char *text, const char *part, size_t line)
{
    outcome o = read_text(format, text);
    SG_CHECK_MSG(
        o.status == SG_ERR_INPUT && strstr(o.complaint.why, part) && o.complaint.line == line,
        "'%s' gave %d, '%s' in line %zu", text, (int)o.status, o.complaint.why, o.complaint.line);
    sg_arena_destroy(&o.arena);
}

SG_TEST(an_obj_file_is_vertices_and_fans_of_triangles)
{
    outcome o = read_text(SG_MESH_OBJ, "# a tent\n"
                                       "o tent\n"
                                       "v 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv\t0  1 -0\r\n"
                                       "v 0.5 0.5 2.5e-1\nvt 0 0\nvn 0 0 1\n"
                                       "v 0 0 0 # again\n"
                                       "usemtl cloth\ns off\n"
                                       "f 1/1 4/1/1 3//1 \\\n 2\n"
                                       "f -1 2 5\n");
    SG_REQUIRE(o.status == SG_OK);
    SG_CHECK(o.m.n_vertices == 5 && o.m.n_repeated == 1 && o.m.n_triangles == 3);
    static const uint32_t expected[] = {0, 3, 2, 0, 2, 1, 0, 1, 4};
    SG_CHECK(memcmp(o.m.corner, expected, sizeof expected) == 0);
    SG_CHECK(o.m.hi.z == 0.25 && o.m.lo.x == 0.0 && o.m.hi.y == 1.0);
    sg_arena_destroy(&o.arena);
}

SG_TEST(vertices_are_scaled_and_may_follow_the_faces_that_name_them)
{
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_triangles m;
    sg_mesh_complaint complaint;
    const char *text = "f 1 2 3\nv 1 1 1\nv 2 1 1\nv 1 2 1\nf 1 2 9\n";
    SG_REQUIRE(sg_mesh_read(SG_MESH_OBJ, text, strlen(text), v3_make(1.0, 10.0, 100.0), &arena, &m,
                            &complaint) == SG_OK);
    SG_CHECK(m.n_triangles == 1 && m.n_dropped == 1);
    SG_CHECK(m.lo.y == 10.0 && m.hi.y == 20.0 && m.hi.z == 100.0);
    SG_CHECK(m.corner[1] == 1 && m.corner[2] == 2);
    // What is mirrored is seen from outside as before.
    SG_REQUIRE(sg_mesh_read(SG_MESH_OBJ, text, strlen(text), v3_make(1.0, -10.0, 100.0), &arena, &m,
                            &complaint) == SG_OK);
    SG_CHECK(m.lo.y == -20.0 && m.corner[1] == 2 && m.corner[2] == 1);
    sg_arena_destroy(&arena);
}

SG_TEST(a_text_stl_file_becomes_one_surface)
{
    outcome o = read_text(SG_MESH_STL, "solid thing\n"
                                       "  facet normal 0 0 1\n    outer loop\n"
                                       "      vertex 0 0 0\n      vertex 1 0 0\n"
                                       "      vertex 0 1 0\n    endloop\n  endfacet\n"
                                       "  FACET NORMAL 0 0 1\n    outer loop\n"
                                       "      VERTEX 1 0 0\n      vertex 1 1 0\n"
                                       "      vertex 0 1 0\n    endloop\n  endfacet\n"
                                       "endsolid thing\n");
    SG_REQUIRE(o.status == SG_OK);
    SG_CHECK(o.m.n_vertices == 4 && o.m.n_triangles == 2);
    SG_CHECK(o.m.corner[3] == 1 && o.m.corner[5] == 2);
    sg_arena_destroy(&o.arena);
}

static size_t binary_triangle(char *bytes, const char *header, uint32_t count)
{
    static const float numbers[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5F};
    memset(bytes, 0, 134);
    memcpy(bytes, header, strlen(header));
    memcpy(bytes + 80, &count, 4); // the test runs where numbers are little-endian
    memcpy(bytes + 84, numbers, sizeof numbers);
    return 134;
}

SG_TEST(a_binary_stl_file_is_known_by_its_length_even_if_it_begins_with_solid)
{
    char bytes[134];
    outcome o = read_bytes(SG_MESH_STL, bytes, binary_triangle(bytes, "solid exported", 1));
    SG_REQUIRE(o.status == SG_OK);
    SG_CHECK(o.m.n_triangles == 1 && o.m.n_vertices == 3 && o.m.hi.z == 0.5);
    sg_arena_destroy(&o.arena);
}

SG_TEST(a_count_that_the_file_does_not_hold_is_refused_before_memory_is_asked_for)
{
    char bytes[134];
    outcome o = read_bytes(SG_MESH_STL, bytes, binary_triangle(bytes, "huge", 0xffffffffU));
    SG_CHECK(o.status == SG_ERR_INPUT && strstr(o.complaint.why, "ends before"));
    SG_CHECK(o.arena.total == 0);
    sg_arena_destroy(&o.arena);
}

SG_TEST(bad_mesh_files_are_refused_with_the_line)
{
    refuses(SG_MESH_OBJ, "", "empty", 0);
    refuses(SG_MESH_STL, "", "empty", 0);
    refuses(SG_MESH_OBJ, "# nothing\n", "no vertices", 0);
    refuses(SG_MESH_OBJ, "v 1 2 3\n", "no triangles", 0);
    refuses(SG_MESH_OBJ, "v 1 2\n", "three numbers", 1);
    refuses(SG_MESH_OBJ, "v 0 0 0\n\nv 1 2 nan\n", "finite", 3);
    refuses(SG_MESH_OBJ, "v 1 2 1e999\n", "finite", 1);
    refuses(SG_MESH_OBJ, "v 1 2 3x\n", "three numbers", 1);
    refuses(SG_MESH_OBJ, "v 0 0 0\nf 1 1\n", "three corners", 2);
    refuses(SG_MESH_OBJ, "v 0 0 0\nf 1 a 1\n", "vertex numbers", 2);
    refuses(SG_MESH_OBJ, "v 0 0 0\nf 1 2 9999\n", "does not exist", 0);
    refuses(SG_MESH_OBJ, "v 0 0 0\nf 0 0 0\n", "no triangles", 0);
    refuses(SG_MESH_OBJ, "v 0 0 0\nf 1 2 99999999999999999999\n", "no triangles", 0);
    refuses(SG_MESH_STL, "solid a\nvertex 0 0 0\n", "inside of a facet", 3);
    refuses(SG_MESH_STL, "solid a\nfacet\nvertex 0 0 0\nendfacet\n", "three corners", 4);
    refuses(SG_MESH_STL, "solid a\nwhatever\n", "not a line", 2);
    refuses(SG_MESH_STL, "solid a\nendsolid a\n", "no vertices", 0);
    refuses(SG_MESH_UNKNOWN, "ply\n", "only .obj, .stl and .ply", 0);
}

SG_TEST(the_end_of_the_name_tells_the_format)
{
    SG_CHECK(sg_mesh_format_of("a/b.OBJ") == SG_MESH_OBJ);
    SG_CHECK(sg_mesh_format_of("b.stl") == SG_MESH_STL);
    SG_CHECK(sg_mesh_format_of("stl") == SG_MESH_UNKNOWN);
    SG_CHECK(sg_mesh_format_of("b.dae") == SG_MESH_UNKNOWN);
}

SG_TEST(reading_a_mesh_survives_refused_memory)
{
    const char *text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (uint64_t n = 1; n < 50; n++) {
        sg_test_allocator failing;
        sg_test_allocator_init(&failing, n);
        sg_arena arena;
        sg_arena_init(&arena, &failing.allocator);
        sg_triangles m;
        sg_mesh_complaint complaint;
        sg_status status =
            sg_mesh_read(SG_MESH_OBJ, text, strlen(text), as_it_is, &arena, &m, &complaint);
        SG_CHECK(status == SG_OK || status == SG_ERR_MEMORY);
        sg_arena_destroy(&arena);
        SG_CHECK(failing.live_blocks == 0);
        if (status == SG_OK && failing.requests < n)
            return;
    }
    SG_CHECK_MSG(false, "it never came to an end");
}
