#include "view/tessellate.h"

#include "base/number.h"
#include "shapes/shape_form.h"

#include <math.h>
#include <string.h>

// Around the wire of a spring; over a winding of it.
enum { WIRE = 10, WINDING = 28 };
// A picture needs no more, whatever a model says.
enum { MOST_TEETH = 2000, MOST_WINDINGS = 500, HELIX_LAYERS = 8 };

// ---- gear wheels ----------------------------------------------------------------------------

typedef struct gear_form {
    double outer, root, inner, half; // radii and half the length
    double twist;                    // of the upper face against the lower [rad]
    int teeth;
} gear_form;

// Corner k of the outline, counted around, four a tooth: up the flank, along the tip, down.
static sg_vec3 gear_corner(const gear_form *g, int k, double height)
{
    static const double place[4] = {0.0, 0.18, 0.47, 0.65}; // in a pitch
    int tooth = k / 4, corner = k % 4;
    double angle = 2.0 * SG_PI * (tooth + place[corner]) / g->teeth + g->twist * height;
    double radius = corner == 1 || corner == 2 ? g->outer : g->root;
    return v3_make(radius * cos(angle), radius * sin(angle), 2.0 * g->half * height);
}

static void gear_face(sg_facets *f, const gear_form *g, double side)
{
    uint32_t first = (uint32_t)f->vertex.len;
    int n = 4 * g->teeth;
    sg_vec3 normal = v3_make(0, 0, side);
    for (int k = 0; k <= n; k++) {
        sg_vec3 p = gear_corner(g, k % n, 0.5 * side);
        double r = hypot(p.x, p.y);
        sg_facets_put(f, p, normal);
        sg_facets_put(f, v3_make(p.x * g->inner / r, p.y * g->inner / r, p.z), normal);
    }
    for (uint32_t k = 0; k < (uint32_t)n; k++) {
        uint32_t a = first + 2 * k;
        if (side > 0.0) {
            sg_facets_triangle(f, a + 1, a, a + 2);
            if (g->inner > 0.0)
                sg_facets_triangle(f, a + 1, a + 2, a + 3);
        } else {
            sg_facets_triangle(f, a + 1, a + 2, a);
            if (g->inner > 0.0)
                sg_facets_triangle(f, a + 1, a + 3, a + 2);
        }
    }
}

// The wall between two corners; a helix bends it, so it is cut into layers.
static void gear_wall(sg_facets *f, const gear_form *g, int k)
{
    int n = 4 * g->teeth, layers = g->twist != 0.0 ? HELIX_LAYERS : 1;
    for (int i = 0; i < layers; i++) {
        double low = (double)i / layers - 0.5, high = (double)(i + 1) / layers - 0.5;
        sg_vec3 a = gear_corner(g, k, low), b = gear_corner(g, (k + 1) % n, low);
        sg_vec3 c = gear_corner(g, (k + 1) % n, high), d = gear_corner(g, k, high);
        sg_vec3 normal = v3_cross(v3_sub(c, a), v3_sub(d, b));
        normal = v3_norm(normal) > 0.0 ? v3_unit(normal) : v3_make(1, 0, 0);
        sg_facets_quad(f, sg_facets_put(f, a, normal), sg_facets_put(f, b, normal),
                       sg_facets_put(f, c, normal), sg_facets_put(f, d, normal));
    }
}

static void gear(sg_facets *f, const double *s)
{
    gear_form g = {.outer = 0.5 * s[0],
                   .root = 0.5 * s[3],
                   .inner = 0.5 * s[2],
                   .half = 0.5 * s[1],
                   .teeth = (int)fmax(3.0, fmin(MOST_TEETH, round(s[5])))};
    if (g.outer > 0.0)
        g.twist = tan(fmax(-1.4, fmin(1.4, s[4]))) * s[1] / g.outer;
    gear_face(f, &g, -1.0);
    gear_face(f, &g, 1.0);
    for (int k = 0; k < 4 * g.teeth; k++)
        gear_wall(f, &g, k);
    if (g.inner > 0.0)
        sg_facets_strip(f, (sg_profile_point){g.inner, g.half, -1, 0},
                        (sg_profile_point){g.inner, -g.half, -1, 0});
}

// ---- springs --------------------------------------------------------------------------------

// Around the wire at an angle of the coil. The middle of the wire keeps half its width away from
// both ends, so that the spring is as long as it says.
static uint32_t wire_ring(sg_facets *f, const double *s, double angle, double height)
{
    double radius = 0.5 * (s[1] - s[2]), rise = s[3] > 0.0 ? (s[0] - s[2]) / (2 * SG_PI * s[3]) : 0;
    sg_vec3 out = v3_make(cos(angle), sin(angle), 0.0);
    sg_vec3 along = v3_unit(v3_make(-radius * sin(angle), radius * cos(angle), rise));
    sg_vec3 up = v3_cross(out, along); // away from the axis of the wire
    sg_vec3 middle = v3_add(v3_scale(out, radius), v3_make(0, 0, height));
    uint32_t first = (uint32_t)f->vertex.len;
    for (int k = 0; k <= WIRE; k++) {
        double a = 2.0 * SG_PI * (k % WIRE) / WIRE;
        sg_vec3 n = v3_add(v3_scale(out, cos(a)), v3_scale(up, sin(a)));
        sg_facets_put(f, v3_add(middle, v3_scale(n, 0.5 * s[2])), n);
    }
    return first;
}

static void wire_end(sg_facets *f, uint32_t ring_first, double sign)
{
    uint32_t first = (uint32_t)f->vertex.len;
    if (f->failed)
        return;
    sg_vec3 a = f->normal.data[ring_first], b = f->normal.data[ring_first + 2];
    sg_vec3 n = v3_scale(v3_unit(v3_cross(a, b)), sign);
    for (uint32_t k = 0; k < WIRE; k++)
        sg_facets_put(f, f->vertex.data[ring_first + k], n);
    for (uint32_t k = 1; k + 1 < WIRE; k++)
        sg_facets_triangle(f, first, first + (sign > 0 ? k : k + 1),
                           first + (sign > 0 ? k + 1 : k));
}

static void spring(sg_facets *f, const double *s)
{
    double windings = fmin(MOST_WINDINGS, s[3]);
    int n = (int)fmax(1.0, ceil(windings * WINDING));
    uint32_t first = 0, last = 0;
    if (!(s[1] > s[2]))
        return;
    for (int i = 0; i <= n; i++) {
        double part = (double)i / n;
        uint32_t next =
            wire_ring(f, s, 2.0 * SG_PI * windings * part, 0.5 * s[2] + (s[0] - s[2]) * part);
        for (uint32_t k = 0; i && k < WIRE; k++)
            sg_facets_quad(f, last + k, next + k, next + k + 1, last + k + 1);
        first = i ? first : next;
        last = next;
    }
    // The normals of a ring turn about minus the direction of the wire.
    wire_end(f, first, 1.0);
    wire_end(f, last, -1.0);
}

// ---- meshes ---------------------------------------------------------------------------------

static sg_vec3 area_of(const sg_triangles *s, const uint32_t *c)
{
    sg_vec3 a = s->vertex[c[0]];
    return v3_cross(v3_sub(s->vertex[c[1]], a), v3_sub(s->vertex[c[2]], a));
}

static void smooth_mesh(sg_facets *f, const sg_triangles *s)
{
    for (size_t i = 0; i < s->n_vertices; i++)
        sg_facets_put(f, s->vertex[i], V3_ZERO);
    for (size_t t = 0; t < s->n_triangles && !f->failed; t++) {
        const uint32_t *c = s->corner + 3 * t;
        sg_vec3 area = area_of(s, c);
        for (int k = 0; k < 3; k++)
            f->normal.data[c[k]] = v3_add(f->normal.data[c[k]], area);
        sg_facets_triangle(f, c[0], c[1], c[2]);
    }
    for (size_t i = 0; i < s->n_vertices && !f->failed; i++) {
        sg_vec3 n = f->normal.data[i];
        f->normal.data[i] = v3_norm(n) > 0.0 ? v3_unit(n) : v3_make(0, 1, 0);
    }
}

static void flat_mesh(sg_facets *f, const sg_triangles *s)
{
    for (size_t t = 0; t < s->n_triangles && !f->failed; t++) {
        const uint32_t *c = s->corner + 3 * t;
        sg_vec3 n = area_of(s, c);
        if (!(v3_norm(n) > 0.0))
            continue;
        n = v3_unit(n);
        uint32_t a = sg_facets_put(f, s->vertex[c[0]], n), b = sg_facets_put(f, s->vertex[c[1]], n);
        sg_facets_triangle(f, a, b, sg_facets_put(f, s->vertex[c[2]], n));
    }
}

static void mesh(sg_facets *f, const sg_visual_mesh *m)
{
    if (!m->surface)
        return;
    if (m->smooth)
        smooth_mesh(f, m->surface);
    else
        flat_mesh(f, m->surface);
    for (size_t i = 0; m->inside_out && !f->failed && i + 2 < f->corner.len; i += 3) {
        uint32_t keep = f->corner.data[i];
        f->corner.data[i] = f->corner.data[i + 2];
        f->corner.data[i + 2] = keep;
    }
    for (size_t i = 0; m->inside_out && i < f->normal.len; i++)
        f->normal.data[i] = v3_scale(f->normal.data[i], -1.0);
}

// ---- all ------------------------------------------------------------------------------------

// What is no body, but has a surface.
static bool is_machine_part(const sg_visual *v)
{
    return v->kind == SG_VISUAL_SPRING || v->kind == SG_VISUAL_GEAR;
}

static void (*facets_of_shape(const sg_visual *v))(sg_facets *f, const double *size)
{
    return (int)v->kind < SG_SHAPE_KINDS ? sg_shape_forms[v->kind]->facets : NULL;
}

bool sg_has_facets(const sg_visual *v)
{
    return v->kind == SG_VISUAL_MESH ? v->mesh.surface != NULL
                                     : is_machine_part(v) || facets_of_shape(v);
}

// With its axis along z; true if it is to be turned.
static bool make_upright(sg_facets *f, const sg_visual *v)
{
    if (v->kind == SG_VISUAL_SPRING)
        spring(f, v->size);
    else if (v->kind == SG_VISUAL_GEAR)
        gear(f, v->size);
    else if (v->kind == SG_VISUAL_MESH)
        mesh(f, &v->mesh);
    else if (facets_of_shape(v))
        facets_of_shape(v)(f, v->size);
    else
        return false;
    return is_machine_part(v) || sg_shape_forms[v->kind]->has_axis;
}

bool sg_facets_of(sg_facets *f, const sg_visual *v, const sg_allocator *allocator)
{
    *f = (sg_facets){.allocator = allocator};
    if (make_upright(f, v))
        sg_facets_turn(f, v->axis);
    return !f->failed;
}

bool sg_facets_of_arrow(sg_facets *f, double length, int axis, const sg_allocator *allocator)
{
    *f = (sg_facets){.allocator = allocator};
    sg_facets_cone(f, length / 50.0, length / 50.0, 0.0, length);
    sg_facets_cone(f, length / 25.0, 0.0, length, 1.1 * length);
    sg_facets_turn(f, axis);
    return !f->failed;
}

bool sg_same_facets(const sg_visual *a, const sg_visual *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == SG_VISUAL_MESH)
        return a->mesh.surface == b->mesh.surface && a->mesh.inside_out == b->mesh.inside_out &&
               a->mesh.smooth == b->mesh.smooth;
    return a->axis == b->axis && memcmp(a->size, b->size, sizeof a->size) == 0;
}
