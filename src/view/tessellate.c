#include "view/tessellate.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// Of a whole circle; of a quarter of one; around the wire of a spring; over a winding of it.
enum { ROUND = 32, QUARTER = 8, WIRE = 10, WINDING = 28 };
// A picture needs no more, whatever a model says.
enum { MOST_TEETH = 2000, MOST_WINDINGS = 500, HELIX_LAYERS = 8 };

// ---- putting together -----------------------------------------------------------------------

static uint32_t put(sg_facets *f, sg_vec3 point, sg_vec3 normal)
{
    uint32_t at = (uint32_t)f->vertex.len;
    f->failed |=
        !SG_PUSH(f->allocator, &f->vertex, point) || !SG_PUSH(f->allocator, &f->normal, normal);
    return at;
}

static void triangle(sg_facets *f, uint32_t a, uint32_t b, uint32_t c)
{
    f->failed |= !SG_PUSH(f->allocator, &f->corner, a) || !SG_PUSH(f->allocator, &f->corner, b) ||
                 !SG_PUSH(f->allocator, &f->corner, c);
}

// Counter-clockwise a, b, c, d.
static void quad(sg_facets *f, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    triangle(f, a, b, c);
    triangle(f, a, c, d);
}

// Shapes are made with their axis along z and turned afterwards: z becomes the axis, x and y the
// two that follow it.
static sg_vec3 turned(sg_vec3 p, int axis)
{
    double x[3];
    x[(axis + 1) % 3] = p.x;
    x[(axis + 2) % 3] = p.y;
    x[axis] = p.z;
    return v3_from(x);
}

static void turn(sg_facets *f, int axis)
{
    for (size_t i = 0; i < f->vertex.len && !f->failed; i++) {
        f->vertex.data[i] = turned(f->vertex.data[i], axis);
        f->normal.data[i] = turned(f->normal.data[i], axis);
    }
}

// ---- turned about the axis ------------------------------------------------------------------

// A point of a profile: radius, height, and the normal there.
typedef struct profile_point {
    double r, z, nr, nz;
} profile_point;

static uint32_t ring(sg_facets *f, profile_point p)
{
    uint32_t first = (uint32_t)f->vertex.len;
    for (int k = 0; k <= ROUND; k++) {
        double angle = 2.0 * SG_PI * (k % ROUND) / ROUND, c = cos(angle), s = sin(angle);
        put(f, v3_make(p.r * c, p.r * s, p.z), v3_make(p.nr * c, p.nr * s, p.nz));
    }
    return first;
}

// The surface between two points of a profile that runs with the outside on its right.
static void strip(sg_facets *f, profile_point from, profile_point to)
{
    uint32_t a = ring(f, from), b = ring(f, to);
    for (uint32_t k = 0; k < ROUND; k++) {
        if (to.r > 0.0)
            triangle(f, a + k, b + k + 1, b + k);
        if (from.r > 0.0)
            triangle(f, a + k, a + k + 1, b + k + 1);
    }
}

// A flat ring, or a disk: from the inner to the outer radius if it looks down, else back.
static void disk(sg_facets *f, double inner, double outer, double z, double up)
{
    profile_point a = {inner, z, 0.0, up}, b = {outer, z, 0.0, up};
    strip(f, up < 0.0 ? a : b, up < 0.0 ? b : a);
}

static void cone(sg_facets *f, double bottom, double top, double low, double high)
{
    double slope = bottom - top, height = high - low, n = hypot(slope, height);
    double nr = n > 0.0 ? height / n : 1.0, nz = n > 0.0 ? slope / n : 0.0;
    if (bottom > 0.0)
        disk(f, 0.0, bottom, low, -1.0);
    strip(f, (profile_point){bottom, low, nr, nz}, (profile_point){top, high, nr, nz});
    if (top > 0.0)
        disk(f, 0.0, top, high, 1.0);
}

static void pipe(sg_facets *f, double outer, double inner, double half)
{
    disk(f, inner, outer, -half, -1.0);
    strip(f, (profile_point){outer, -half, 1, 0}, (profile_point){outer, half, 1, 0});
    disk(f, inner, outer, half, 1.0);
    strip(f, (profile_point){inner, half, -1, 0}, (profile_point){inner, -half, -1, 0});
}

// A sphere with a cylinder of `length` between its halves.
static void capsule(sg_facets *f, double radius, double length)
{
    for (int k = -QUARTER; k < QUARTER; k++) {
        profile_point p[2];
        for (int j = 0; j < 2; j++) {
            int step = k + j;
            double angle = 0.5 * SG_PI * step / QUARTER;
            // Exactly zero at the poles.
            double c = step == -QUARTER || step == QUARTER ? 0.0 : cos(angle), s = sin(angle);
            double shift = k < 0 ? -0.5 * length : 0.5 * length;
            p[j] = (profile_point){radius * c, radius * s + shift, c, s};
        }
        strip(f, p[0], p[1]);
    }
    if (length > 0.0)
        strip(f, (profile_point){radius, -0.5 * length, 1, 0},
              (profile_point){radius, 0.5 * length, 1, 0});
}

static void ellipsoid(sg_facets *f, const double *size)
{
    capsule(f, 1.0, 0.0);
    sg_vec3 half = v3_scale(v3_from(size), 0.5);
    for (size_t i = 0; i < f->vertex.len && !f->failed; i++) {
        sg_vec3 u = f->vertex.data[i];
        f->vertex.data[i] = v3_make(u.x * half.x, u.y * half.y, u.z * half.z);
        sg_vec3 n = v3_make(u.x * half.y * half.z, u.y * half.x * half.z, u.z * half.x * half.y);
        f->normal.data[i] = v3_norm(n) > 0.0 ? v3_unit(n) : u;
    }
}

// ---- with flat faces ------------------------------------------------------------------------

static void box(sg_facets *f, const double *size)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            uint32_t c[4];
            for (int k = 0; k < 4; k++) {
                double x[3], n[3] = {0};
                double u = k == 1 || k == 2 ? 0.5 : -0.5, v = k >= 2 ? 0.5 : -0.5;
                n[axis] = side;
                x[axis] = 0.5 * side * size[axis];
                x[(axis + 1) % 3] = side * u * size[(axis + 1) % 3];
                x[(axis + 2) % 3] = v * size[(axis + 2) % 3];
                c[k] = put(f, v3_from(x), v3_from(n));
            }
            quad(f, c[0], c[1], c[2], c[3]);
        }
}

// The outline of a beam: length along z, width along x, and two half circles.
static void beam(sg_facets *f, double length, double width, double thickness)
{
    enum { N = 2 * (2 * QUARTER + 1) };
    sg_vec3 point[N], normal[N];
    for (int k = 0; k < N; k++) {
        int end = k / (2 * QUARTER + 1), step = k % (2 * QUARTER + 1);
        double angle = SG_PI * (end + (double)step / (2 * QUARTER));
        normal[k] = v3_make(cos(angle), 0.0, sin(angle));
        point[k] = v3_add(v3_scale(normal[k], 0.5 * width),
                          v3_make(0, 0, end ? -0.5 * length : 0.5 * length));
    }
    for (int side = -1; side <= 1; side += 2) {
        sg_vec3 shift = v3_make(0.0, 0.5 * side * thickness, 0.0), n = v3_make(0, side, 0);
        uint32_t first = (uint32_t)f->vertex.len;
        for (int k = 0; k < N; k++)
            put(f, v3_add(point[k], shift), n);
        for (uint32_t k = 1; k + 1 < N; k++)
            triangle(f, first, first + (side > 0 ? k + 1 : k), first + (side > 0 ? k : k + 1));
    }
    uint32_t first = (uint32_t)f->vertex.len;
    for (int k = 0; k <= N; k++)
        for (int side = -1; side <= 1; side += 2)
            put(f, v3_add(point[k % N], v3_make(0, 0.5 * side * thickness, 0)), normal[k % N]);
    for (uint32_t k = 0; k < N; k++) {
        uint32_t a = first + 2 * k;
        quad(f, a, a + 1, a + 3, a + 2);
    }
}

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
        put(f, p, normal);
        put(f, v3_make(p.x * g->inner / r, p.y * g->inner / r, p.z), normal);
    }
    for (uint32_t k = 0; k < (uint32_t)n; k++) {
        uint32_t a = first + 2 * k;
        if (side > 0.0) {
            triangle(f, a + 1, a, a + 2);
            if (g->inner > 0.0)
                triangle(f, a + 1, a + 2, a + 3);
        } else {
            triangle(f, a + 1, a + 2, a);
            if (g->inner > 0.0)
                triangle(f, a + 1, a + 3, a + 2);
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
        quad(f, put(f, a, normal), put(f, b, normal), put(f, c, normal), put(f, d, normal));
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
        strip(f, (profile_point){g.inner, g.half, -1, 0}, (profile_point){g.inner, -g.half, -1, 0});
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
        put(f, v3_add(middle, v3_scale(n, 0.5 * s[2])), n);
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
        put(f, f->vertex.data[ring_first + k], n);
    for (uint32_t k = 1; k + 1 < WIRE; k++)
        triangle(f, first, first + (sign > 0 ? k : k + 1), first + (sign > 0 ? k + 1 : k));
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
            quad(f, last + k, next + k, next + k + 1, last + k + 1);
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
        put(f, s->vertex[i], V3_ZERO);
    for (size_t t = 0; t < s->n_triangles && !f->failed; t++) {
        const uint32_t *c = s->corner + 3 * t;
        sg_vec3 area = area_of(s, c);
        for (int k = 0; k < 3; k++)
            f->normal.data[c[k]] = v3_add(f->normal.data[c[k]], area);
        triangle(f, c[0], c[1], c[2]);
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
        uint32_t a = put(f, s->vertex[c[0]], n), b = put(f, s->vertex[c[1]], n);
        triangle(f, a, b, put(f, s->vertex[c[2]], n));
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

bool sg_has_facets(const sg_visual *v)
{
    switch (v->kind) {
    case SG_VISUAL_SPHERE:
    case SG_VISUAL_ELLIPSOID:
    case SG_VISUAL_BOX:
    case SG_VISUAL_CYLINDER:
    case SG_VISUAL_CONE:
    case SG_VISUAL_CAPSULE:
    case SG_VISUAL_BEAM:
    case SG_VISUAL_SPRING:
    case SG_VISUAL_GEAR:
        return true;
    case SG_VISUAL_MESH:
        return v->mesh.surface != NULL;
    case SG_VISUAL_FRAME:
    case SG_VISUAL_GRID:
    case SG_VISUAL_TEXT:
    case SG_VISUAL_BARE:
        break;
    }
    return false;
}

// With its axis along z; true if it is to be turned.
static bool make_upright(sg_facets *f, const sg_visual *v)
{
    const double *s = v->size;
    switch (v->kind) {
    case SG_VISUAL_SPHERE:
        capsule(f, 0.5 * s[0], 0.0);
        return false;
    case SG_VISUAL_ELLIPSOID:
        ellipsoid(f, s);
        return false;
    case SG_VISUAL_BOX:
        box(f, s);
        return false;
    case SG_VISUAL_CYLINDER:
        if (s[2] > 0.0)
            pipe(f, 0.5 * s[0], 0.5 * s[2], 0.5 * s[1]);
        else
            cone(f, 0.5 * s[0], 0.5 * s[0], -0.5 * s[1], 0.5 * s[1]);
        return true;
    case SG_VISUAL_CONE:
        cone(f, 0.5 * s[0], 0.5 * s[2], 0.0, s[1]);
        return true;
    case SG_VISUAL_CAPSULE:
        capsule(f, 0.5 * s[0], s[1]);
        return true;
    case SG_VISUAL_BEAM:
        beam(f, s[0], s[1], s[2]);
        return true;
    case SG_VISUAL_SPRING:
        spring(f, s);
        return true;
    case SG_VISUAL_GEAR:
        gear(f, s);
        return true;
    case SG_VISUAL_MESH:
        mesh(f, &v->mesh);
        return false;
    case SG_VISUAL_FRAME:
    case SG_VISUAL_GRID:
    case SG_VISUAL_TEXT:
    case SG_VISUAL_BARE:
        break;
    }
    return false;
}

bool sg_facets_of(sg_facets *f, const sg_visual *v, const sg_allocator *allocator)
{
    *f = (sg_facets){.allocator = allocator};
    if (make_upright(f, v))
        turn(f, v->axis);
    return !f->failed;
}

bool sg_facets_of_arrow(sg_facets *f, double length, int axis, const sg_allocator *allocator)
{
    *f = (sg_facets){.allocator = allocator};
    cone(f, length / 50.0, length / 50.0, 0.0, length);
    cone(f, length / 25.0, 0.0, length, 1.1 * length);
    turn(f, axis);
    return !f->failed;
}

void sg_facets_free(sg_facets *f)
{
    if (!f->allocator)
        return;
    SG_VEC_FREE(f->allocator, &f->vertex);
    SG_VEC_FREE(f->allocator, &f->normal);
    SG_VEC_FREE(f->allocator, &f->corner);
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
