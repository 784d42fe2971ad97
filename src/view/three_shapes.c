// Shapes as geometries of three.js (components3d.md 11.4).
//
// three.js stands its cylinders along y, extrudes along z, and puts the middle where we have the
// base; sg_three_place says how an object of ours and its geometry lie to each other.
#include "base/number.h"
#include "view/tessellate.h"
#include "view/three_internal.h"

#include <math.h>

enum { ROUND_SEGMENTS = 32, HALF_SEGMENTS = ROUND_SEGMENTS / 2, MAX_GRID_LINES = 10000 };

// ---- places ---------------------------------------------------------------------------------

// The rotation after which the axis number `from` is the axis number `to`, both counted from 0.
static sg_mat3 turn_axis(int from, int to)
{
    static const sg_mat3 once = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    static const sg_mat3 twice = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
    switch ((from - to + 3) % 3) {
    case 1:
        return once;
    case 2:
        return twice;
    default:
        return M3_IDENTITY;
    }
}

static sg_vec3 along(int axis, double x)
{
    return v3_make(axis == 0 ? x : 0.0, axis == 1 ? x : 0.0, axis == 2 ? x : 0.0);
}

typedef void place_rule(const sg_visual *v, sg_three_place *p);

static void place_ellipsoid(const sg_visual *v, sg_three_place *p)
{
    // The radius is that along x, where there is one.
    const double *s = v->size;
    p->scale = s[0] > 0.0 ? v3_make(1.0, s[1] / s[0], s[2] / s[0]) : v3_from(s);
}

static void place_cylinder(const sg_visual *v, sg_three_place *p)
{
    const double *s = v->size;
    p->Ro = turn_axis(v->axis, s[2] > 0.0 ? 2 : 1);
    p->ro = along(v->axis, s[2] > 0.0 ? -0.5 * s[1] : 0.0);
}

static void place_cone(const sg_visual *v, sg_three_place *p)
{
    p->Ro = turn_axis(v->axis, 1);
    p->ro = along(v->axis, 0.5 * v->size[1]);
}

static void place_capsule(const sg_visual *v, sg_three_place *p) { p->Ro = turn_axis(v->axis, 1); }

static void place_beam(const sg_visual *v, sg_three_place *p)
{
    p->Ro = turn_axis(v->axis, 0);
    p->ro = along((v->axis + 2) % 3, -0.5 * v->size[2]);
}

static void place_grid(const sg_visual *v, sg_three_place *p)
{
    const double *s = v->size;
    p->Ro = turn_axis(v->axis, 2);
    if (!(s[2] > 0.0 && fmax(s[0], s[1]) / s[2] < MAX_GRID_LINES))
        p->why = "has more than 10,000 lines";
}

static void place_text(const sg_visual *v, sg_three_place *p)
{
    (void)v;
    p->why = "has no place in a three.js file";
}

static void place_bare(const sg_visual *v, sg_three_place *p)
{
    (void)v;
    p->bare = true;
}

// What three.js places otherwise than we do.
static place_rule *const places[SG_VISUAL_KINDS] = {
    [SG_VISUAL_ELLIPSOID] = place_ellipsoid, [SG_VISUAL_CYLINDER] = place_cylinder,
    [SG_VISUAL_CONE] = place_cone,           [SG_VISUAL_CAPSULE] = place_capsule,
    [SG_VISUAL_BEAM] = place_beam,           [SG_VISUAL_GRID] = place_grid,
    [SG_VISUAL_TEXT] = place_text,           [SG_VISUAL_BARE] = place_bare};

sg_three_place sg_three_place_of(const sg_visual *v)
{
    sg_three_place p = {.Ro = M3_IDENTITY, .scale = {1.0, 1.0, 1.0}};
    if (places[v->kind])
        places[v->kind](v, &p);
    p.qo = q_from_mat3(&p.Ro);
    return p;
}

// ---- geometries -----------------------------------------------------------------------------

static void put_field(sg_three *w, const char *key, double value)
{
    sg_three_key(w, key);
    sg_three_number(w, value);
}

static void begin_geometry(sg_three *w, size_t i, const char *suffix, const char *type)
{
    sg_three_next(w);
    sg_three_entry(w, sg_three_name(w, i, suffix), type);
}

static void sphere(sg_three *w, size_t i, double radius)
{
    begin_geometry(w, i, ".geometry", "SphereGeometry");
    put_field(w, "radius", radius);
    put_field(w, "widthSegments", ROUND_SEGMENTS);
    put_field(w, "heightSegments", HALF_SEGMENTS);
    sg_three_puts(w, "}");
}

static void cylinder(sg_three *w, size_t i, const char *suffix, double bottom, double top,
                     double length)
{
    begin_geometry(w, i, suffix, "CylinderGeometry");
    put_field(w, "radiusTop", top);
    put_field(w, "radiusBottom", bottom);
    put_field(w, "height", length);
    put_field(w, "radialSegments", ROUND_SEGMENTS);
    put_field(w, "heightSegments", 1);
    sg_three_puts(w, "}");
}

static void extrusion(sg_three *w, size_t i, double depth)
{
    begin_geometry(w, i, ".geometry", "ExtrudeGeometry");
    sg_three_puts(w, ",\"shapes\":[");
    sg_three_uuid(w, sg_three_name(w, i, ".shape"));
    sg_three_puts(w, "],\"options\":{\"bevelEnabled\":false");
    put_field(w, "depth", depth);
    put_field(w, "curveSegments", HALF_SEGMENTS);
    sg_three_puts(w, "}}");
}

// The profile of a capsule, from the lowest point to the highest, turned about y.
static void lathe(sg_three *w, size_t i, double radius, double length)
{
    enum { HALF = 10 }; // points on a quarter of a circle
    begin_geometry(w, i, ".geometry", "LatheGeometry");
    sg_three_puts(w, ",\"points\":[");
    for (int k = 0; k < 2 * HALF; k++) {
        double angle = (k < HALF ? k - (HALF - 1) : k - HALF) * (0.5 * SG_PI / (HALF - 1));
        bool pole = k == 0 || k == 2 * HALF - 1;
        sg_three_puts(w, k ? ",{\"x\":" : "{\"x\":");
        sg_three_number(w, pole ? 0.0 : radius * cos(angle));
        put_field(w, "y", radius * sin(angle) + (k < HALF ? -0.5 : 0.5) * length);
        sg_three_puts(w, "}");
    }
    sg_three_puts(w, "]");
    put_field(w, "segments", ROUND_SEGMENTS);
    put_field(w, "phiStart", 0.0);
    put_field(w, "phiLength", 2.0 * SG_PI);
    sg_three_puts(w, "}");
}

static void begin_buffer(sg_three *w, size_t i)
{
    begin_geometry(w, i, ".geometry", "BufferGeometry");
    sg_three_puts(w, ",\"data\":{\"attributes\":{");
}

static void begin_attribute(sg_three *w, const char *name)
{
    sg_three_string(w, name);
    sg_three_puts(w, ":{\"itemSize\":3,\"type\":\"Float32Array\",\"normalized\":false,\"array\":[");
}

static void put_point(sg_three *w, sg_vec3 p, bool first)
{
    double x[3];
    v3_store(p, x);
    for (int k = 0; k < 3; k++) {
        if (k || !first)
            sg_three_puts(w, ",");
        sg_three_number(w, x[k]);
    }
}

// Lines parallel to y over the length along x, then the same with both exchanged.
static void grid(sg_three *w, size_t i, const double *size)
{
    bool first = true;
    begin_buffer(w, i);
    begin_attribute(w, "position");
    for (int side = 0; side < 2; side++) {
        double length = size[side], half = 0.5 * size[1 - side], distance = size[2];
        int n = (int)floor((length + 1e-12) / distance);
        for (int k = 0; k <= n; k++) {
            double x = k * distance - 0.5 * length;
            put_point(w, side ? v3_make(-half, x, 0) : v3_make(x, -half, 0), first);
            put_point(w, side ? v3_make(half, x, 0) : v3_make(x, half, 0), false);
            first = false;
        }
    }
    sg_three_puts(w, "]}}}}");
}

// The mean of the triangles around each vertex, large ones counting more.
static sg_vec3 *vertex_normals(sg_three *w, const sg_triangles *s, double sign)
{
    sg_vec3 *n = SG_NEW_ARRAY(&w->arena, sg_vec3, s->n_vertices + 1);
    for (size_t t = 0; n && t < s->n_triangles; t++) {
        const uint32_t *c = s->corner + 3 * t;
        sg_vec3 a = s->vertex[c[0]];
        sg_vec3 area = v3_cross(v3_sub(s->vertex[c[1]], a), v3_sub(s->vertex[c[2]], a));
        for (int k = 0; k < 3; k++)
            n[c[k]] = v3_add(n[c[k]], area);
    }
    for (size_t i = 0; n && i < s->n_vertices; i++)
        n[i] = v3_norm(n[i]) > 0.0 ? v3_scale(v3_unit(n[i]), sign) : v3_make(0, 1, 0);
    return n;
}

static void mesh(sg_three *w, size_t i, const sg_visual_mesh *m)
{
    const sg_triangles *s = m->surface;
    size_t turned = m->inside_out ? 2 : 0; // the corners 0, 1, 2 or 2, 1, 0
    sg_arena_mark mark = sg_arena_mark_get(&w->arena);
    const sg_vec3 *normals = m->smooth ? vertex_normals(w, s, m->inside_out ? -1.0 : 1.0) : NULL;
    begin_buffer(w, i);
    begin_attribute(w, "position");
    for (size_t k = 0; k < s->n_vertices; k++)
        put_point(w, s->vertex[k], k == 0);
    sg_three_puts(w, "]}");
    if (normals) {
        sg_three_puts(w, ",");
        begin_attribute(w, "normal");
        for (size_t k = 0; k < s->n_vertices; k++)
            put_point(w, normals[k], k == 0);
        sg_three_puts(w, "]}");
    }
    sg_three_puts(w, "},\"index\":{\"type\":\"Uint32Array\",\"array\":[");
    for (size_t k = 0; k < 3 * s->n_triangles; k++) {
        size_t corner = k % 3;
        if (k)
            sg_three_puts(w, ",");
        sg_three_number(w, (double)s->corner[k - corner + (turned ? turned - corner : corner)]);
    }
    sg_three_puts(w, "]}}}");
    sg_arena_release(&w->arena, mark);
}

// Shapes that three.js has no geometry for.
static void facets(sg_three *w, size_t i, const sg_visual *v)
{
    sg_facets f;
    w->failed |= !sg_facets_of(&f, v, w->a->allocator);
    begin_buffer(w, i);
    for (int pass = 0; pass < 2; pass++) {
        sg_three_puts(w, pass ? "," : "");
        begin_attribute(w, pass ? "normal" : "position");
        for (size_t k = 0; k < f.vertex.len && !f.failed; k++)
            put_point(w, pass ? f.normal.data[k] : f.vertex.data[k], k == 0);
        sg_three_puts(w, "]}");
    }
    sg_three_puts(w, "},\"index\":{\"type\":\"Uint32Array\",\"array\":[");
    for (size_t k = 0; k < f.corner.len; k++) {
        sg_three_puts(w, k ? "," : "");
        sg_three_number(w, (double)f.corner.data[k]);
    }
    sg_three_puts(w, "]}}}");
    sg_facets_free(&f);
}

typedef void geometry_rule(sg_three *w, size_t i, const sg_visual *v);

static void put_sphere(sg_three *w, size_t i, const sg_visual *v)
{
    sphere(w, i, 0.5 * v->size[0]);
}

static void put_ellipsoid(sg_three *w, size_t i, const sg_visual *v)
{
    sphere(w, i, v->size[0] > 0.0 ? 0.5 * v->size[0] : 0.5);
}

static void put_box(sg_three *w, size_t i, const sg_visual *v)
{
    begin_geometry(w, i, ".geometry", "BoxGeometry");
    put_field(w, "width", v->size[0]);
    put_field(w, "height", v->size[1]);
    put_field(w, "depth", v->size[2]);
    sg_three_puts(w, "}");
}

static void put_cylinder(sg_three *w, size_t i, const sg_visual *v)
{
    const double *s = v->size;
    if (s[2] > 0.0)
        extrusion(w, i, s[1]);
    else
        cylinder(w, i, ".geometry", 0.5 * s[0], 0.5 * s[0], s[1]);
}

static void put_cone(sg_three *w, size_t i, const sg_visual *v)
{
    cylinder(w, i, ".geometry", 0.5 * v->size[0], 0.5 * v->size[2], v->size[1]);
}

static void put_capsule(sg_three *w, size_t i, const sg_visual *v)
{
    lathe(w, i, 0.5 * v->size[0], v->size[1]);
}

static void put_beam(sg_three *w, size_t i, const sg_visual *v) { extrusion(w, i, v->size[2]); }

static void put_frame(sg_three *w, size_t i, const sg_visual *v)
{
    double length = v->size[0];
    cylinder(w, i, ".shaft.geometry", length / 50.0, length / 50.0, length);
    cylinder(w, i, ".tip.geometry", length / 25.0, 0.0, length / 10.0);
}

static void put_grid(sg_three *w, size_t i, const sg_visual *v) { grid(w, i, v->size); }

static void put_mesh(sg_three *w, size_t i, const sg_visual *v) { mesh(w, i, &v->mesh); }

static void put_nothing(sg_three *w, size_t i, const sg_visual *v) { (void)w, (void)i, (void)v; }

// What three.js has a geometry of its own for; the others come as triangles.
static geometry_rule *const geometries[SG_VISUAL_KINDS] = {
    [SG_VISUAL_SPHERE] = put_sphere, [SG_VISUAL_ELLIPSOID] = put_ellipsoid,
    [SG_VISUAL_BOX] = put_box,       [SG_VISUAL_CYLINDER] = put_cylinder,
    [SG_VISUAL_CONE] = put_cone,     [SG_VISUAL_CAPSULE] = put_capsule,
    [SG_VISUAL_BEAM] = put_beam,     [SG_VISUAL_FRAME] = put_frame,
    [SG_VISUAL_GRID] = put_grid,     [SG_VISUAL_MESH] = put_mesh,
    [SG_VISUAL_TEXT] = put_nothing,  [SG_VISUAL_BARE] = put_nothing};

void sg_three_geometry(sg_three *w, size_t i)
{
    const sg_visual *v = &w->a->visuals.data[i];
    (geometries[v->kind] ? geometries[v->kind] : facets)(w, i, v);
}

// ---- outlines -------------------------------------------------------------------------------

static void arc(sg_three *w, double x, double radius, double from, double to)
{
    sg_three_puts(w, "{\"type\":\"EllipseCurve\",\"arcLengthDivisions\":200");
    put_field(w, "aX", x);
    put_field(w, "aY", 0.0);
    put_field(w, "xRadius", radius);
    put_field(w, "yRadius", radius);
    put_field(w, "aStartAngle", from);
    put_field(w, "aEndAngle", to);
    sg_three_puts(w, ",\"aClockwise\":false,\"aRotation\":0}");
}

static void line(sg_three *w, double x1, double x2, double y)
{
    const double v1[2] = {x1, y}, v2[2] = {x2, y};
    sg_three_puts(w, "{\"type\":\"LineCurve\",\"arcLengthDivisions\":200");
    sg_three_key(w, "v1");
    sg_three_numbers(w, v1, 2);
    sg_three_key(w, "v2");
    sg_three_numbers(w, v2, 2);
    sg_three_puts(w, "}");
}

void sg_three_outline(sg_three *w, size_t i)
{
    static const char tail[] = ",\"arcLengthDivisions\":200,\"autoClose\":false,"
                               "\"currentPoint\":[0,0]";
    const sg_visual *v = &w->a->visuals.data[i];
    const double *s = v->size;
    bool pipe = v->kind == SG_VISUAL_CYLINDER && s[2] > 0.0;
    if (!pipe && v->kind != SG_VISUAL_BEAM)
        return;
    sg_three_next(w);
    sg_three_entry(w, sg_three_name(w, i, ".shape"), "Shape");
    const char *name = sg_arena_printf(&w->arena, "%s.shape", v->path);
    sg_three_key(w, "name");
    sg_three_string(w, name ? name : "");
    sg_three_puts(w, ",\"curves\":[");
    if (pipe) {
        arc(w, 0.0, 0.5 * s[0], 0.0, 2.0 * SG_PI);
    } else { // counter-clockwise from the lower edge on
        line(w, -0.5 * s[0], 0.5 * s[0], -0.5 * s[1]);
        sg_three_puts(w, ",");
        arc(w, 0.5 * s[0], 0.5 * s[1], -0.5 * SG_PI, 0.5 * SG_PI);
        sg_three_puts(w, ",");
        line(w, 0.5 * s[0], -0.5 * s[0], 0.5 * s[1]);
        sg_three_puts(w, ",");
        arc(w, -0.5 * s[0], 0.5 * s[1], 0.5 * SG_PI, -0.5 * SG_PI);
    }
    sg_three_puts(w, "]");
    sg_three_puts(w, tail);
    sg_three_puts(w, ",\"holes\":[");
    if (pipe) {
        sg_three_puts(w, "{\"type\":\"Path\",\"curves\":[");
        arc(w, 0.0, 0.5 * s[2], 0.0, 2.0 * SG_PI);
        sg_three_puts(w, "]");
        sg_three_puts(w, tail);
        sg_three_puts(w, "}");
    }
    sg_three_puts(w, "]}");
}

// ---- coordinate systems ---------------------------------------------------------------------

static void arrow_part(sg_three *w, size_t i, int axis, bool tip, const char *color)
{
    static const char *const names[3][2] = {
        {".x.shaft", ".x.tip"}, {".y.shaft", ".y.tip"}, {".z.shaft", ".z.tip"}};
    double length = w->a->visuals.data[i].size[0];
    sg_mat3 R = turn_axis(axis, 1);
    sg_three_next(w);
    sg_three_entry(w, sg_three_name(w, i, names[axis][tip]), "Mesh");
    sg_three_key(w, "geometry");
    sg_three_uuid(
        w, sg_three_name(w, w->place[i].geometry, tip ? ".tip.geometry" : ".shaft.geometry"));
    sg_three_key(w, "material");
    sg_three_uuid(w, sg_uuid_make(sg_uuid_modia3d, color));
    sg_three_pose(w, along(axis, tip ? 1.05 * length : 0.5 * length), q_from_mat3(&R));
    sg_three_puts(w, "}");
}

void sg_three_arrows(sg_three *w, size_t i)
{
    static const char *const colors[3] = {"coordinateSystem.red", "coordinateSystem.green",
                                          "coordinateSystem.blue"};
    sg_three_puts(w, ",\"children\":[");
    w->first = true;
    for (int axis = 0; axis < 3; axis++) {
        arrow_part(w, i, axis, false, colors[axis]);
        arrow_part(w, i, axis, true, colors[axis]);
    }
    sg_three_puts(w, "]");
}
