#include "view/three_mesh.h"

#include "base/number.h"
#include "base/vec.h"
#include "math/pose.h"
#include "math/quat.h"
#include "math/rotation.h"
#include "result/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a file may draw: some bytes ask for a sphere of half a million triangles, or for one mesh in
// many places. A million triangles are allowed to anybody, and large files what they have if each
// number of theirs is used ten times.
enum { MAX_SEGMENTS = 512, FREE_CORNERS = 3 << 20, CORNERS_PER_BYTE = 10 };

typedef struct named_geometry {
    const char *name; // its uuid
    const sg_json *json;
    size_t place; // in the file
} named_geometry;

typedef struct soup {
    const sg_allocator *allocator;
    named_geometry *geometry; // sorted
    size_t n_geometries;
    SG_VEC(sg_vec3) vertex;
    SG_VEC(uint32_t) corner;
    // Of the present object: its coordinates to those of the outermost one.
    sg_mat3 A;
    sg_vec3 b;
    size_t n_dropped;
    size_t most; // corners; vertices, too
    bool failed; // no memory
    bool too_many;
    char *message;
} soup;

static void complain(soup *s, const char *what, const char *name)
{
    if (!s->message[0])
        snprintf(s->message, SG_THREE_MESSAGE, "%s '%.100s' is left out", what, name);
}

static void add_vertex(soup *s, double x, double y, double z)
{
    sg_vec3 p = v3_add(m3_mul_v(&s->A, v3_make(x, y, z)), s->b);
    s->too_many |= s->vertex.len >= s->most;
    s->failed |= s->too_many || !SG_PUSH(s->allocator, &s->vertex, p);
}

// Counter-clockwise seen from outside; an object that is mirrored turns them around.
static void add_triangle(soup *s, size_t first, size_t a, size_t b, size_t c)
{
    bool mirrored = m3_det(&s->A) < 0.0;
    s->too_many |= s->corner.len >= s->most;
    s->failed |= s->too_many || !SG_PUSH(s->allocator, &s->corner, (uint32_t)(first + a)) ||
                 !SG_PUSH(s->allocator, &s->corner, (uint32_t)(first + (mirrored ? c : b))) ||
                 !SG_PUSH(s->allocator, &s->corner, (uint32_t)(first + (mirrored ? b : c)));
}

// ---- geometries -----------------------------------------------------------------------------

static const sg_json *numbers_of(const sg_json *holder)
{
    const sg_json *array = sg_json_member(holder, "array");
    return array && array->type == SG_JSON_VECTOR ? array : NULL;
}

// Corners that name no vertex are left out with their triangle.
static bool add_buffer(soup *s, const sg_json *geometry)
{
    const sg_json *data = sg_json_member(geometry, "data");
    const sg_json *position = sg_json_member(sg_json_member(data, "attributes"), "position");
    const sg_json *points = numbers_of(position),
                  *index = numbers_of(sg_json_member(data, "index"));
    if (!points || sg_json_number(position, "itemSize", 3.0) != 3.0)
        return false;
    size_t first = s->vertex.len, n = points->n / 3, n_corners = index ? index->n : n;
    for (size_t i = 0; i < n && !s->failed; i++)
        add_vertex(s, points->numbers[3 * i], points->numbers[3 * i + 1],
                   points->numbers[3 * i + 2]);
    for (size_t i = 0; i + 2 < n_corners && !s->failed; i += 3) {
        double c[3];
        for (size_t k = 0; k < 3; k++)
            c[k] = index ? index->numbers[i + k] : (double)(i + k);
        bool there = true;
        for (int k = 0; k < 3; k++)
            there &= c[k] >= 0.0 && c[k] < (double)n;
        if (there)
            add_triangle(s, first, (size_t)c[0], (size_t)c[1], (size_t)c[2]);
        else
            s->n_dropped++;
    }
    return true;
}

static bool add_box(soup *s, const sg_json *geometry)
{
    static const uint8_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double x = 0.5 * sg_json_number(geometry, "width", 1.0);
    double y = 0.5 * sg_json_number(geometry, "height", 1.0);
    double z = 0.5 * sg_json_number(geometry, "depth", 1.0);
    size_t first = s->vertex.len;
    for (int i = 0; i < 8; i++)
        add_vertex(s, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (int i = 0; i < 6; i++) {
        add_triangle(s, first, faces[i][0], faces[i][1], faces[i][2]);
        add_triangle(s, first, faces[i][0], faces[i][2], faces[i][3]);
    }
    return true;
}

static size_t segments(const sg_json *geometry, const char *key, double otherwise, double least)
{
    double n = floor(sg_json_number(geometry, key, otherwise));
    return (size_t)fmin(fmax(n, least), MAX_SEGMENTS);
}

// A surface of revolution about y, closed by a point at each end: rings from top to bottom, each
// with `n` vertices.
static void add_rings(soup *s, size_t n, const double *radius, const double *height, size_t n_rings)
{
    size_t first = s->vertex.len, bottom = 1 + n * n_rings;
    add_vertex(s, 0.0, height[0], 0.0);
    for (size_t r = 0; r < n_rings; r++)
        for (size_t k = 0; k < n; k++) {
            double angle = 2.0 * SG_PI * (double)k / (double)n;
            add_vertex(s, radius[r] * cos(angle), height[r + 1], radius[r] * sin(angle));
        }
    add_vertex(s, 0.0, height[n_rings + 1], 0.0);
    for (size_t k = 0; k < n && !s->failed; k++) {
        size_t next = (k + 1) % n;
        add_triangle(s, first, 0, 1 + next, 1 + k);
        for (size_t r = 0; r + 1 < n_rings; r++) {
            size_t a = 1 + r * n + k, b = 1 + r * n + next;
            add_triangle(s, first, a, b, b + n);
            add_triangle(s, first, a, b + n, a + n);
        }
        add_triangle(s, first, bottom, bottom - n + k, bottom - n + next);
    }
}

static bool add_cylinder(soup *s, const sg_json *geometry)
{
    double half = 0.5 * sg_json_number(geometry, "height", 1.0);
    const double radius[2] = {sg_json_number(geometry, "radiusTop", 1.0),
                              sg_json_number(geometry, "radiusBottom", 1.0)};
    const double height[4] = {half, half, -half, -half};
    if (sg_json_number(geometry, "openEnded", 0.0) != 0.0)
        return false;
    size_t n = segments(geometry, "radialSegments", 32.0, 3.0);
    if (radius[0] == 0.0) // the tip of a cone is one point
        add_rings(s, n, radius + 1, height + 1, 1);
    else if (radius[1] == 0.0)
        add_rings(s, n, radius, height, 1);
    else
        add_rings(s, n, radius, height, 2);
    return true;
}

static bool add_sphere(soup *s, const sg_json *geometry)
{
    double radius = sg_json_number(geometry, "radius", 1.0);
    size_t n = segments(geometry, "widthSegments", 32.0, 3.0);
    size_t m = segments(geometry, "heightSegments", 16.0, 2.0);
    SG_VEC(double) at = {0};
    if (!SG_RESERVE(s->allocator, &at, 2 * m + 1)) {
        s->failed = true;
        return true;
    }
    double *height = at.data, *rings = at.data + m + 1;
    for (size_t i = 0; i <= m; i++)
        height[i] = radius * cos(SG_PI * (double)i / (double)m);
    for (size_t i = 1; i < m; i++)
        rings[i - 1] = radius * sin(SG_PI * (double)i / (double)m);
    add_rings(s, n, rings, height, m - 1);
    SG_VEC_FREE(s->allocator, &at);
    return true;
}

// By name, and of several with one name the first of the file.
static int compare_geometries(const void *a, const void *b)
{
    const named_geometry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static void sort_geometries(soup *s, const sg_json *list, sg_arena *arena)
{
    s->geometry = list && list->n ? SG_NEW_ARRAY(arena, named_geometry, list->n) : NULL;
    for (const sg_json *g = s->geometry ? list->first : NULL; g; g = g->next) {
        s->geometry[s->n_geometries] =
            (named_geometry){sg_json_text(g, "uuid"), g, s->n_geometries};
        s->n_geometries++;
    }
    if (s->n_geometries)
        qsort(s->geometry, s->n_geometries, sizeof *s->geometry, compare_geometries);
}

static const sg_json *find_geometry(const soup *s, const char *uuid)
{
    size_t low = 0, high = s->n_geometries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(s->geometry[middle].name, uuid) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < s->n_geometries && strcmp(s->geometry[low].name, uuid) == 0;
    return found ? s->geometry[low].json : NULL;
}

static void add_geometry(soup *s, const char *uuid)
{
    static const struct {
        const char *type;
        bool (*add)(soup *s, const sg_json *geometry);
    } kinds[] = {{"BufferGeometry", add_buffer},          {"BoxGeometry", add_box},
                 {"SphereGeometry", add_sphere},          {"CylinderGeometry", add_cylinder},
                 {"BoxBufferGeometry", add_box},          {"SphereBufferGeometry", add_sphere},
                 {"CylinderBufferGeometry", add_cylinder}};
    const sg_json *g = find_geometry(s, uuid);
    if (!g) {
        complain(s, "the missing geometry", uuid);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(sg_json_text(g, "type"), kinds[i].type) == 0) {
            if (!kinds[i].add(s, g))
                complain(s, "a form of the geometry", kinds[i].type);
            return;
        }
    complain(s, "the geometry", sg_json_text(g, "type"));
}

// ---- objects --------------------------------------------------------------------------------

static bool vector_of(const sg_json *object, const char *key, size_t n, double *out)
{
    const sg_json *v = sg_json_member(object, key);
    if (!v || v->n < n)
        return false;
    if (v->type == SG_JSON_VECTOR) {
        memcpy(out, v->numbers, n * sizeof *out);
        return true;
    }
    // Angles may have the name of their order behind them.
    const sg_json *item = v->type == SG_JSON_ARRAY ? v->first : NULL;
    for (size_t i = 0; i < n && item; i++, item = item->next)
        out[i] = item->type == SG_JSON_NUMBER ? item->number : 0.0;
    return v->type == SG_JSON_ARRAY;
}

// Coordinates of the object to those of its parent.
static void transformation(const sg_json *object, sg_mat3 *A, sg_vec3 *b)
{
    double m[16], r[3] = {0, 0, 0}, scale[3] = {1, 1, 1}, angles[3], q[4];
    if (vector_of(object, "matrix", 16, m)) { // column by column
        *A = (sg_mat3){{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}};
        *b = v3_make(m[12], m[13], m[14]);
        return;
    }
    sg_mat3 R_abs = M3_IDENTITY;
    if (vector_of(object, "quaternion", 4, q))
        R_abs = q_to_mat3((sg_quat){q[0], q[1], q[2], q[3]});
    else if (vector_of(object, "rotation", 3, angles))
        R_abs = rot_123(v3_from(angles));
    vector_of(object, "position", 3, r);
    vector_of(object, "scale", 3, scale);
    *A = m3_transpose(R_abs);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            A->m[i][k] *= scale[k];
    *b = v3_from(r);
}

// The parser bounds the depth.
static void add_object(soup *s, const sg_json *object, bool outermost)
{
    sg_mat3 A = s->A, own;
    sg_vec3 b = s->b, shift;
    const char *geometry = sg_json_text(object, "geometry");
    const sg_json *children = sg_json_member(object, "children");
    if (!outermost) {
        transformation(object, &own, &shift);
        s->b = v3_add(s->b, m3_mul_v(&s->A, shift));
        s->A = m3_mul(s->A, own);
    }
    if (geometry[0] && strcmp(sg_json_text(object, "type"), "Mesh") == 0)
        add_geometry(s, geometry);
    for (const sg_json *c = children ? children->first : NULL; c && !s->failed; c = c->next)
        add_object(s, c, false);
    s->A = A;
    s->b = b;
}

sg_status sg_three_read_mesh(const char *bytes, size_t length, sg_vec3 scale, sg_arena *arena,
                             sg_triangles *out, char message[SG_THREE_MESSAGE])
{
    size_t at;
    const char *why = NULL;
    sg_arena tree;
    sg_mesh_complaint complaint = {0};
    sg_arena_init(&tree, arena->allocator);
    message[0] = '\0';
    const sg_json *root = sg_json_parse(bytes, length, &tree, &at, &why);
    const sg_json *object = sg_json_member(root, "object");
    soup s = {.allocator = arena->allocator,
              .most = FREE_CORNERS + CORNERS_PER_BYTE * length,
              .A = {{{scale.x, 0, 0}, {0, scale.y, 0}, {0, 0, scale.z}}},
              .message = message};
    sg_status status = SG_ERR_INPUT;
    sort_geometries(&s, sg_json_member(root, "geometries"), &tree);
    if (!root && why) {
        sg_mesh_place(bytes, length, at, &complaint);
        snprintf(message, SG_THREE_MESSAGE, "it is not JSON: %s is missing in line %zu, column %zu",
                 why, complaint.line, complaint.column);
    } else if (root && (!object || object->type != SG_JSON_OBJECT))
        snprintf(message, SG_THREE_MESSAGE,
                 "it has no \"object\"; it is not a scene or object of three.js");
    else if (root)
        add_object(&s, object, true);
    if (s.too_many) {
        snprintf(message, SG_THREE_MESSAGE, "it draws too much for a file of this size");
    } else if (tree.failed || s.failed) {
        status = SG_ERR_MEMORY;
    } else if (s.corner.len) {
        status = sg_triangles_make(s.vertex.data, s.vertex.len, s.corner.data, s.corner.len / 3,
                                   arena, out, &complaint);
        if (status == SG_OK)
            out->n_dropped = s.n_dropped;
        else if (status == SG_ERR_INPUT)
            snprintf(message, SG_THREE_MESSAGE, "%s", complaint.why);
    } else if (!message[0]) {
        snprintf(message, SG_THREE_MESSAGE, "there is no surface in it");
    }
    SG_VEC_FREE(s.allocator, &s.vertex);
    SG_VEC_FREE(s.allocator, &s.corner);
    sg_arena_destroy(&tree);
    return status;
}
