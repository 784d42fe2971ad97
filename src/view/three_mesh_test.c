#include "view/three_mesh.h"

#include "harness/sg_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double volume(const sg_triangles *m)
{
    double sum = 0.0;
    for (size_t t = 0; t < m->n_triangles; t++) {
        const uint32_t *c = m->corner + 3 * t;
        sum += v3_triple(m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]]) / 6.0;
    }
    return sum;
}

// Every edge once in each direction: a closed surface.
static bool is_closed(const sg_triangles *m)
{
    size_t n = 3 * m->n_triangles;
    for (size_t i = 0; i < n; i++) {
        uint32_t a = m->corner[i], b = m->corner[i - i % 3 + (i + 1) % 3];
        size_t back = 0;
        for (size_t k = 0; k < n; k++)
            back += m->corner[k] == b && m->corner[k - k % 3 + (k + 1) % 3] == a;
        if (back != 1)
            return false;
    }
    return true;
}

static sg_status read(sg_arena *arena, const char *text, sg_triangles *out, char *message)
{
    return sg_three_read_mesh(text, strlen(text), v3_make(1, 1, 1), arena, out, message);
}

static void check_volume(const char *geometry, double expected)
{
    char text[512], message[SG_THREE_MESSAGE];
    sg_arena arena;
    sg_triangles m;
    sg_arena_init(&arena, sg_allocator_default());
    snprintf(text, sizeof text,
             "{\"geometries\":[{\"uuid\":\"g\",%s}],\"object\":{\"type\":\"Mesh\","
             "\"geometry\":\"g\",\"position\":[7,8,9]}}",
             geometry);
    SG_CHECK_MSG(read(&arena, text, &m, message) == SG_OK, "%s: %s", geometry, message);
    SG_NEAR(volume(&m), expected, 1e-12, 1.0);
    SG_CHECK_MSG(is_closed(&m), "%s is open", geometry);
    sg_arena_destroy(&arena);
}

static sg_triangles read_whole(sg_arena *arena, const char *text)
{
    char message[SG_THREE_MESSAGE];
    sg_triangles m = {0};
    sg_arena_init(arena, sg_allocator_default());
    SG_CHECK_MSG(read(arena, text, &m, message) == SG_OK, "%s", message);
    return m;
}

// Area of a regular polygon with the circle of radius 1 around it.
static double polygon(double n) { return 0.5 * n * sin(2.0 * 3.14159265358979323846 / n); }

SG_TEST(geometries_become_closed_surfaces_that_look_outwards)
{
    check_volume("\"type\":\"BoxGeometry\",\"width\":2,\"height\":3,\"depth\":0.5", 3.0);
    check_volume("\"type\":\"CylinderGeometry\",\"radiusTop\":2,\"radiusBottom\":2,\"height\":3,"
                 "\"radialSegments\":12",
                 12.0 * polygon(12));
    check_volume("\"type\":\"CylinderGeometry\",\"radiusTop\":1,\"radiusBottom\":2,\"height\":3,"
                 "\"radialSegments\":12",
                 7.0 * polygon(12));
    check_volume("\"type\":\"CylinderGeometry\",\"radiusTop\":0,\"radiusBottom\":2,\"height\":3",
                 4.0 * polygon(32));
    check_volume("\"type\":\"CylinderGeometry\",\"radiusTop\":2,\"radiusBottom\":0,\"height\":3",
                 4.0 * polygon(32));
    // An octahedron.
    check_volume(
        "\"type\":\"SphereGeometry\",\"radius\":1,\"widthSegments\":4,\"heightSegments\":2",
        4.0 / 3.0);
    check_volume(
        "\"type\":\"BufferGeometry\",\"data\":{\"attributes\":{\"position\":{\"itemSize\":3,"
        "\"array\":[0,0,0,1,0,0,0,1,0,0,0,1]}},\"index\":{\"array\":[0,2,1,0,1,3,0,3,2,1,2,3]}}",
        1.0 / 6.0);
}

SG_TEST(a_sphere_with_many_segments_is_one)
{
    static const char text[] =
        "{\"geometries\":[{\"uuid\":\"g\",\"type\":\"SphereGeometry\",\"radius\":0.5,"
        "\"widthSegments\":400,\"heightSegments\":200}],"
        "\"object\":{\"type\":\"Mesh\",\"geometry\":\"g\"}}";
    sg_arena arena;
    sg_triangles m = read_whole(&arena, text);
    SG_NEAR(volume(&m), 0.5235987755982989, 3e-4, 1.0);
    SG_CHECK(volume(&m) < 0.5235987755982989); // it lies inside
    SG_CHECK(m.n_vertices == 2 + 400 * 199 && m.n_triangles == 2 * 400 * 199);
    sg_arena_destroy(&arena);
}

SG_TEST(transformations_of_objects_inside_of_each_other_are_multiplied)
{
    // A unit box: turned by a quarter about z and shifted in one way, mirrored in the other.
    static const char text[] =
        "{\"geometries\":[{\"uuid\":\"g\",\"type\":\"BoxGeometry\"}],\"object\":{\"type\":"
        "\"Group\","
        "\"matrix\":[5,0,0,0,0,5,0,0,0,0,5,0,1,1,1,1],\"children\":["
        "{\"type\":\"Group\",\"position\":[10,0,0],\"rotation\":[0,0,1.5707963267948966,\"XYZ\"],"
        "\"children\":[{\"type\":\"Mesh\",\"geometry\":\"g\",\"position\":[4,0,0],\"scale\":[2,1,1]"
        "}]},"
        "{\"type\":\"Mesh\",\"geometry\":\"g\",\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,-3,1]}]}}";
    sg_arena arena;
    sg_triangles m = read_whole(&arena, text);
    SG_NEAR(volume(&m), 3.0, 1e-14, 1.0);
    SG_NEAR(m.lo.x, -0.5, 1e-14, 1.0);
    SG_NEAR(m.hi.x, 10.5, 1e-14, 1.0);
    SG_NEAR(m.lo.y, -0.5, 1e-14, 1.0);
    SG_NEAR(m.hi.y, 5.0, 1e-14, 1.0); // the box of length 2 stands along y, around 4
    SG_NEAR(m.lo.z, -3.5, 1e-14, 1.0);
    SG_NEAR(m.hi.z, 0.5, 1e-14, 1.0);
    sg_arena_destroy(&arena);
}

SG_TEST(files_without_a_surface_say_why)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"{\"object\":", "not JSON"},
        {"{\"metadata\":{}}", "no \"object\""},
        {"{\"object\":{\"type\":\"Group\"}}", "no surface"},
        {"{\"object\":{\"type\":\"Mesh\",\"geometry\":\"g\"}}", "missing geometry 'g'"},
        {"{\"geometries\":[{\"uuid\":\"g\",\"type\":\"TorusGeometry\"}],\"object\":{\"type\":"
         "\"Mesh\","
         "\"geometry\":\"g\"}}",
         "'TorusGeometry' is left out"},
        {"{\"geometries\":[{\"uuid\":\"g\",\"type\":\"BufferGeometry\",\"data\":{\"attributes\":{"
         "\"position\":{\"itemSize\":3,\"array\":[0,0,0,null,0,0,0,1,0]}}}}],"
         "\"object\":{\"type\":\"Mesh\",\"geometry\":\"g\"}}",
         "finite"},
        {"{\"geometries\":[{\"uuid\":\"g\",\"type\":\"BufferGeometry\",\"data\":{\"attributes\":{"
         "\"position\":{\"array\":[0,0,0,1,0,0,0,1,0]}},\"index\":{\"array\":[0,1,7,-1,1,2]}}}],"
         "\"object\":{\"type\":\"Mesh\",\"geometry\":\"g\"}}",
         "no surface"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char message[SG_THREE_MESSAGE];
        sg_arena arena;
        sg_triangles m;
        sg_arena_init(&arena, sg_allocator_default());
        SG_CHECK(read(&arena, bad[i].text, &m, message) == SG_ERR_INPUT);
        SG_CHECK_MSG(strstr(message, bad[i].why), "%s", message);
        sg_arena_destroy(&arena);
    }
}

SG_TEST(few_bytes_of_a_three_js_file_cannot_draw_any_number_of_triangles)
{
    char text[4096], message[SG_THREE_MESSAGE];
    sg_arena arena;
    sg_triangles m;
    sg_arena_init(&arena, sg_allocator_default());
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"geometries\":[{\"uuid\":\"b\",\"type\":\"BoxGeometry\"},"
                                "{\"uuid\":\"a\",\"type\":\"SphereGeometry\","
                                "\"widthSegments\":512,\"heightSegments\":512}],"
                                "\"object\":{\"children\":[{}");
    for (int i = 0; i < 20; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, ",{\"type\":\"Mesh\",\"geometry\":\"a\"}");
    snprintf(text + n, sizeof text - n, "]}}");
    SG_CHECK(read(&arena, text, &m, message) == SG_ERR_INPUT);
    SG_CHECK(strstr(message, "draws too much"));
    SG_CHECK(read(&arena, "{\n \"object\": ]}", &m, message) == SG_ERR_INPUT);
    SG_CHECK(strstr(message, "line 2, column 12"));
    sg_arena_destroy(&arena);
}
