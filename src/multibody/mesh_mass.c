#include "multibody/mesh_mass.h"

#include <stdlib.h>

// A volume below this part of that of the box around the mesh is rounding: the surface is flat.
#define FLAT_VOLUME 1e-12
// The published program's smallest volume [m3].
#define PUBLISHED_VOLUME 1.4901161193847656e-8

static const char *check_numbers(const sg_vec3 *vertices, size_t nv, const uint32_t *triangles,
                                 size_t nt)
{
    if (nt == 0 || nv == 0)
        return "the mesh is empty";
    for (size_t i = 0; i < nv; i++)
        if (!v3_is_finite(vertices[i]))
            return "a vertex of the mesh is not finite";
    for (size_t i = 0; i < 3 * nt; i++)
        if (triangles[i] >= nv)
            return "a triangle of the mesh names a vertex that does not exist";
    return NULL;
}

// An edge from its lower to its higher vertex, and in which direction its triangle runs along it.
typedef struct mesh_edge {
    uint32_t lo, hi;
    int way;
} mesh_edge;

static int compare_edges(const void *a, const void *b)
{
    const mesh_edge *x = a, *y = b;
    return x->lo != y->lo ? (x->lo > y->lo) - (x->lo < y->lo) : (x->hi > y->hi) - (x->hi < y->hi);
}

// Edges along which not as many triangles run one way as the other.
static size_t count_open_edges(mesh_edge *edges, const uint32_t *triangles, size_t nt)
{
    size_t open = 0;
    for (size_t i = 0; i < 3 * nt; i++) {
        uint32_t a = triangles[i], b = triangles[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = a < b ? (mesh_edge){a, b, 1} : (mesh_edge){b, a, -1};
    }
    qsort(edges, 3 * nt, sizeof *edges, compare_edges);
    int sum = 0;
    for (size_t i = 0; i < 3 * nt; i++) {
        sum += edges[i].way;
        bool last = i + 1 == 3 * nt || compare_edges(&edges[i], &edges[i + 1]) != 0;
        open += last && sum != 0 && edges[i].lo != edges[i].hi;
        sum = last ? 0 : sum;
    }
    return open;
}

typedef struct moments {
    double V;      // volume
    sg_vec3 d;     // integral of x
    sg_mat3 xx;    // integral of x transpose(x)
    sg_vec3 areas; // sum of the area vectors
    double area;
} moments;

// Symmetric sums of one coordinate over the corners of a triangle, of first to third degree; g is
// that of second degree in which one corner counts once more.
typedef struct powers {
    double f1, f2, f3, g[3];
} powers;

static powers powers_of(double w0, double w1, double w2)
{
    double t0 = w0 + w1, t1 = w0 * w0, t2 = t1 + w1 * t0;
    powers p = {.f1 = t0 + w2};
    p.f2 = t2 + w2 * p.f1;
    p.f3 = w0 * t1 + w1 * t2 + w2 * p.f2;
    p.g[0] = p.f2 + w0 * (p.f1 + w0);
    p.g[1] = p.f2 + w1 * (p.f1 + w1);
    p.g[2] = p.f2 + w2 * (p.f1 + w2);
    return p;
}

static double weigh(sg_vec3 w, const double g[3]) { return w.x * g[0] + w.y * g[1] + w.z * g[2]; }

// Adds the flux through one triangle of the fields whose divergence is 1, x, x2, x y ...
// (components3d.md 3.6): the volume from the flux along x, the moments along their own axes.
static void add_triangle(moments *m, sg_vec3 a, sg_vec3 b, sg_vec3 c)
{
    sg_vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a)); // twice the area
    powers x = powers_of(a.x, b.x, c.x), y = powers_of(a.y, b.y, c.y), z = powers_of(a.z, b.z, c.z);
    double xy = n.x * weigh(v3_make(a.y, b.y, c.y), x.g) / 120.0;
    double yz = n.y * weigh(v3_make(a.z, b.z, c.z), y.g) / 120.0;
    double zx = n.z * weigh(v3_make(a.x, b.x, c.x), z.g) / 120.0;
    sg_mat3 xx = {
        {{n.x * x.f3 / 60.0, xy, zx}, {xy, n.y * y.f3 / 60.0, yz}, {zx, yz, n.z * z.f3 / 60.0}}};
    m->V += n.x * x.f1 / 6.0;
    m->d = v3_add(m->d, v3_make(n.x * x.f2 / 24.0, n.y * y.f2 / 24.0, n.z * z.f2 / 24.0));
    m->xx = m3_add(m->xx, xx);
    m->areas = v3_add_scaled(m->areas, n, 0.5);
    m->area += 0.5 * v3_norm(n);
}

static sg_mat3 inertia_of(const sg_mat3 *xx)
{
    return m3_sub(m3_scale(M3_IDENTITY, m3_trace(xx)), *xx);
}

static moments moments_of(const sg_vec3 *vertices, size_t nv, const uint32_t *triangles, size_t nt,
                          bool closed, sg_vec3 *middle, sg_vec3 *size)
{
    sg_vec3 lo = vertices[0], hi = vertices[0];
    for (size_t i = 1; i < nv; i++) {
        lo = v3_lower(lo, vertices[i]);
        hi = v3_upper(hi, vertices[i]);
    }
    // From the middle of the box, so that a mesh far from its origin keeps its digits. With holes
    // the sums depend on that point, and published models count from the origin.
    *middle = closed ? v3_scale(v3_add(lo, hi), 0.5) : V3_ZERO;
    *size = v3_sub(hi, lo);
    moments m = {0};
    for (size_t i = 0; i < nt; i++)
        add_triangle(&m, v3_sub(vertices[triangles[3 * i]], *middle),
                     v3_sub(vertices[triangles[3 * i + 1]], *middle),
                     v3_sub(vertices[triangles[3 * i + 2]], *middle));
    return m;
}

static const char *integrate(const sg_vec3 *vertices, size_t nv, const uint32_t *triangles,
                             size_t nt, double mass, sg_mass *out, double *volume,
                             sg_mesh_flaws *flaws, bool strict)
{
    sg_vec3 middle, size;
    moments m = moments_of(vertices, nv, triangles, nt, flaws->open_edges == 0, &middle, &size);
    double flat = FLAT_VOLUME * size.x * size.y * size.z;
    flaws->inside_out = m.V < -flat;
    flaws->hole = flaws->open_edges && m.area > 0.0 ? v3_norm(m.areas) / m.area : 0.0;
    if (strict ? flaws->open_edges > 0 : flaws->hole > SG_MESH_SMALL_HOLE)
        return "the mesh is open: an edge has a triangle on one side only";
    if (strict && flaws->inside_out)
        return "the mesh is inside out: its triangles run clockwise seen from outside";
    if (!(fabs(m.V) > flat))
        return "the mesh has no volume";
    sg_vec3 c = v3_scale(m.d, 1.0 / m.V);
    sg_mat3 central = m3_sub(m.xx, m3_scale(m3_outer(c, c), m.V));
    *volume = fabs(m.V);
    *out = (sg_mass){mass, v3_add(c, middle), m3_scale(inertia_of(&central), mass / m.V)};
    return NULL;
}

sg_status sg_mass_of_mesh(const sg_vec3 *vertices, size_t nv, const uint32_t *triangles, size_t nt,
                          double mass, sg_arena *scratch, sg_mass *out, double *volume,
                          sg_mesh_flaws *flaws, const char **why)
{
    sg_mesh_flaws found = {0};
    *why = check_numbers(vertices, nv, triangles, nt);
    if (!*why && !(mass >= 0.0 && isfinite(mass)))
        *why = "the mass must be at least 0 and finite";
    if (*why)
        return SG_ERR_INPUT;
    sg_arena_mark mark = sg_arena_mark_get(scratch);
    mesh_edge *edges = nt <= SIZE_MAX / 3 ? SG_NEW_ARRAY(scratch, mesh_edge, 3 * nt) : NULL;
    if (!edges) {
        *why = "out of memory";
        return SG_ERR_MEMORY;
    }
    found.open_edges = count_open_edges(edges, triangles, nt);
    *why = integrate(vertices, nv, triangles, nt, mass, out, volume, &found, flaws == NULL);
    if (flaws)
        *flaws = found;
    sg_arena_release(scratch, mark);
    return *why ? SG_ERR_INPUT : SG_OK;
}

sg_status sg_mass_of_mesh_published(const sg_vec3 *vertices, size_t nv, const uint32_t *triangles,
                                    size_t nt, double mass, sg_mass *out, double *volume,
                                    const char **why)
{
    *why = check_numbers(vertices, nv, triangles, nt);
    if (*why)
        return SG_ERR_INPUT;
    sg_vec3 middle, size;
    moments m = moments_of(vertices, nv, triangles, nt, false, &middle, &size);
    *volume = m.V;
    *out = (sg_mass){.m = mass};
    if (m.V > PUBLISHED_VOLUME) {
        out->c = v3_scale(m.d, 1.0 / m.V);
        out->I_CM = m3_scale(inertia_of(&m.xx), mass);
    }
    return SG_OK;
}
