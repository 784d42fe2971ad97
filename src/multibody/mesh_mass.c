#include "multibody/mesh_mass.h"

#include <stdlib.h>

// A volume below this part of that of the box around the mesh is rounding: the surface is flat.
#define FLAT_VOLUME 1e-12

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
typedef struct edge {
    uint32_t lo, hi;
    int way;
} edge;

static int compare_edges(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->lo != y->lo ? (x->lo > y->lo) - (x->lo < y->lo) : (x->hi > y->hi) - (x->hi < y->hi);
}

// Closed: along every edge as many triangles run one way as the other.
static bool is_closed(edge *edges, const uint32_t *triangles, size_t nt)
{
    for (size_t i = 0; i < 3 * nt; i++) {
        uint32_t a = triangles[i], b = triangles[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = a < b ? (edge){a, b, 1} : (edge){b, a, -1};
    }
    qsort(edges, 3 * nt, sizeof *edges, compare_edges);
    int sum = 0;
    for (size_t i = 0; i < 3 * nt; i++) {
        sum += edges[i].way;
        bool last = i + 1 == 3 * nt || compare_edges(&edges[i], &edges[i + 1]) != 0;
        if (last && sum != 0 && edges[i].lo != edges[i].hi)
            return false;
        sum = last ? 0 : sum;
    }
    return true;
}

typedef struct moments {
    double V;   // volume
    sg_vec3 d;  // integral of x
    sg_mat3 xx; // integral of x transpose(x)
} moments;

// Adds the tetrahedron of the origin and the triangle a, b, c.
static void add_tetrahedron(moments *m, sg_vec3 a, sg_vec3 b, sg_vec3 c)
{
    double det = v3_triple(a, b, c);
    sg_vec3 s = v3_add(a, v3_add(b, c));
    sg_mat3 xx = m3_add(m3_outer(s, s), m3_outer(a, a));
    xx = m3_add(xx, m3_add(m3_outer(b, b), m3_outer(c, c)));
    m->V += det / 6.0;
    m->d = v3_add_scaled(m->d, s, det / 24.0);
    m->xx = m3_add(m->xx, m3_scale(xx, det / 120.0));
}

static sg_mat3 inertia_of(const sg_mat3 *xx)
{
    return m3_sub(m3_scale(M3_IDENTITY, m3_trace(xx)), *xx);
}

static const char *integrate(const sg_vec3 *vertices, size_t nv, const uint32_t *triangles,
                             size_t nt, double mass, sg_mass *out, double *volume)
{
    sg_vec3 lo = vertices[0], hi = vertices[0];
    for (size_t i = 1; i < nv; i++) {
        lo = v3_lower(lo, vertices[i]);
        hi = v3_upper(hi, vertices[i]);
    }
    // From the middle of the box, so that a mesh far from its origin keeps its digits.
    sg_vec3 middle = v3_scale(v3_add(lo, hi), 0.5), size = v3_sub(hi, lo);
    moments m = {0};
    for (size_t i = 0; i < nt; i++)
        add_tetrahedron(&m, v3_sub(vertices[triangles[3 * i]], middle),
                        v3_sub(vertices[triangles[3 * i + 1]], middle),
                        v3_sub(vertices[triangles[3 * i + 2]], middle));
    double flat = FLAT_VOLUME * size.x * size.y * size.z;
    if (m.V < -flat)
        return "the mesh is inside out: its triangles run clockwise seen from outside";
    if (!(m.V > flat))
        return "the mesh has no volume";
    sg_vec3 c = v3_scale(m.d, 1.0 / m.V);
    sg_mat3 central = m3_sub(m.xx, m3_scale(m3_outer(c, c), m.V));
    *volume = m.V;
    *out = (sg_mass){mass, v3_add(c, middle), m3_scale(inertia_of(&central), mass / m.V)};
    return NULL;
}

sg_status sg_mass_of_mesh(const sg_vec3 *vertices, size_t nv, const uint32_t *triangles, size_t nt,
                          double mass, sg_arena *scratch, sg_mass *out, double *volume,
                          const char **why)
{
    *why = check_numbers(vertices, nv, triangles, nt);
    if (!*why && !(mass >= 0.0 && isfinite(mass)))
        *why = "the mass must be at least 0 and finite";
    if (*why)
        return SG_ERR_INPUT;
    sg_arena_mark mark = sg_arena_mark_get(scratch);
    edge *edges = nt <= SIZE_MAX / 3 ? SG_NEW_ARRAY(scratch, edge, 3 * nt) : NULL;
    if (!edges) {
        *why = "out of memory";
        return SG_ERR_MEMORY;
    }
    if (!is_closed(edges, triangles, nt))
        *why = "the mesh is open: an edge has a triangle on one side only";
    else
        *why = integrate(vertices, nv, triangles, nt, mass, out, volume);
    sg_arena_release(scratch, mark);
    return *why ? SG_ERR_INPUT : SG_OK;
}
