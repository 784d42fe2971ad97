#include "harness/sg_test.h"
#include "shapes/mesh_file.h"

#include <stdio.h>
#include <string.h>

typedef struct obj_outcome {
    sg_arena arena;
    sg_triangles m;
    sg_mesh_complaint complaint;
    sg_status status;
} obj_outcome;

static obj_outcome read_obj(const char *text)
{
    obj_outcome o;
    sg_arena_init(&o.arena, sg_allocator_default());
    o.status = sg_mesh_read(SG_MESH_OBJ, text, strlen(text), v3_make(1, 1, 1), &o.arena, &o.m,
                            &o.complaint);
    return o;
}

SG_TEST(a_backslash_joins_lines_of_an_obj_file_with_or_without_blanks_around_it)
{
    static const char *const ways[] = {" \\\n",  "\\\n",    " \\\r\n",
                                       "\\\r\n", " \\ \n ", " \\\n\\\n"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "v 0 0 0\nv 1%s 0 0\nv 0 1 0\nv 1 1 0\nf 1 2%s4 3\n", ways[i],
                 i == 1 || i == 3 ? " \\\n" : ways[i]);
        obj_outcome o = read_obj(text);
        SG_CHECK_MSG(o.status == SG_OK && o.m.n_triangles == 2 && o.m.n_vertices == 4, "%zu: %s", i,
                     o.complaint.why);
        sg_arena_destroy(&o.arena);
    }
}

SG_TEST(a_backslash_that_joins_nothing_is_part_of_a_word)
{
    obj_outcome o = read_obj("v 0 0 0\nf 1 1 \\x\n");
    SG_CHECK(o.status == SG_ERR_INPUT && o.complaint.line == 2 && o.complaint.column == 7);
    sg_arena_destroy(&o.arena);
    o = read_obj("v 0 0 0\nf 1 1 \\");
    SG_CHECK(o.status == SG_ERR_INPUT && o.complaint.line == 2 && o.complaint.column == 7);
    sg_arena_destroy(&o.arena);
}

SG_TEST(negative_numbers_of_an_obj_file_count_from_the_last_vertex_so_far)
{
    obj_outcome o =
        read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3/1/-1 -2//2 -1/5\nv 0 0 1\nf -4 -1 -3\n"
                 "f -5 -1 -3\n");
    SG_REQUIRE(o.status == SG_OK);
    static const uint32_t expected[] = {0, 1, 2, 0, 3, 1};
    SG_CHECK(o.m.n_triangles == 2 && memcmp(o.m.corner, expected, sizeof expected) == 0);
    SG_CHECK(o.m.n_dropped == 1); // before the first vertex there is none
    sg_arena_destroy(&o.arena);
}

SG_TEST(columns_of_an_obj_file_count_characters)
{
    obj_outcome o = read_obj("# \xc3\xa4\nv 0 0 0\nf 1/\xc3\xa4\xc3\xb6 1 x\n");
    SG_CHECK(o.status == SG_ERR_INPUT && o.complaint.line == 3 && o.complaint.column == 10);
    SG_CHECK(!o.complaint.at_byte);
    sg_arena_destroy(&o.arena);
}
