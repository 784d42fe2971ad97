#include "shapes/mesh.h"

#include <errno.h>
#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Below this number of vertices a scan of contiguous coordinates beats climbing.
#define SCAN_LIMIT 16

static const char no_memory[] = "out of memory while making a mesh";

static sg_status refuse(const char *text, const char **why)
{
    *why = text;
    return SG_ERR_INPUT;
}

// One block for all arrays of a mesh with nv vertices and nf triangles.
static bool allocate_arrays(sg_mesh *m)
{
    size_t nv = (size_t)m->nv, nf = (size_t)m->nf; // each triangle has three edges that lead away
    m->block_size =
        nv * sizeof *m->vertex + 3 * nf * sizeof *m->link + (3 * nf + nv + 1) * sizeof(uint32_t);
    m->block = m->allocator->resize(m->allocator->context, NULL, 0, m->block_size);
    if (!m->block)
        return false;
    m->link = m->block;
    m->vertex = (sg_vec3 *)(m->link + 3 * nf);
    m->face = (uint32_t *)(m->vertex + nv);
    m->first = m->face + 3 * nf;
    return true;
}

// Each directed edge of a closed surface occurs once, so the out-edges of a vertex list its
// neighbors without repetition.
static void build_graph(sg_mesh *m)
{
    size_t nv = (size_t)m->nv, nf = (size_t)m->nf;
    memset(m->first, 0, (nv + 1) * sizeof *m->first);
    for (size_t i = 0; i < 3 * nf; i++)
        m->first[m->face[i] + 1]++;
    for (size_t i = 0; i < nv; i++)
        m->first[i + 1] += m->first[i];
    for (size_t f = 0; f < nf; f++)
        for (size_t k = 0; k < 3; k++) {
            uint32_t from = m->face[3 * f + k], to = m->face[3 * f + (k + 1) % 3];
            m->link[m->first[from]++] = (sg_mesh_link){m->vertex[to], to};
        }
    for (size_t i = nv; i > 0; i--) // the loop above moved every start to the next vertex's
        m->first[i] = m->first[i - 1];
    m->first[0] = 0;
}

// Volume, centroid and ball sizes.
static void measure(sg_mesh *m)
{
    sg_vec3 middle = V3_ZERO;
    for (int i = 0; i < m->nv; i++)
        middle = v3_add(middle, v3_scale(sg_mesh_vertex(m, (uint32_t)i), 1.0 / m->nv));
    double volume = 0.0;
    sg_vec3 moment = V3_ZERO;
    m->shortest_edge = INFINITY;
    for (int f = 0; f < m->nf; f++) {
        sg_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = v3_sub(sg_mesh_vertex(m, m->face[3 * f + k]), middle);
        double v = v3_triple(p[0], p[1], p[2]) / 6.0;
        volume += v;
        moment = v3_add_scaled(moment, v3_add(p[0], v3_add(p[1], p[2])), 0.25 * v);
        for (int k = 0; k < 3; k++)
            m->shortest_edge = fmin(m->shortest_edge, v3_distance(p[k], p[(k + 1) % 3]));
    }
    m->volume = volume;
    m->centroid = v3_add(middle, v3_scale(moment, 1.0 / volume));
    m->bound = 0.0;
    for (int i = 0; i < m->nv; i++)
        m->bound = fmax(m->bound, v3_distance(sg_mesh_vertex(m, (uint32_t)i), m->centroid));
    m->inradius = m->bound;
    for (int f = 0; f < m->nf; f++) {
        sg_vec3 a = sg_mesh_vertex(m, m->face[3 * f]), b = sg_mesh_vertex(m, m->face[3 * f + 1]),
                c = sg_mesh_vertex(m, m->face[3 * f + 2]);
        sg_vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
        if (v3_norm(n) > 0.0)
            m->inradius = fmin(m->inradius, v3_dot(v3_unit(n), v3_sub(a, m->centroid)));
    }
}

// Copies the hull out of qhull: vertices in the order of the input, triangles outward.
static sg_status take_hull(qhT *qh, const sg_vec3 *points, size_t n, sg_mesh *m, const char **why)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    m->nv = qh->num_vertices;
    m->nf = qh->num_facets;
    if (m->nv < 4 || m->nf < 4 || !allocate_arrays(m)) {
        *why = no_memory;
        return SG_ERR_MEMORY;
    }
    uint32_t *number = m->allocator->resize(m->allocator->context, NULL, 0, n * sizeof *number);
    if (!number) {
        *why = no_memory;
        return SG_ERR_MEMORY;
    }
    memset(number, 0, n * sizeof *number);
    FORALLvertices { number[qh_pointid(qh, vertex->point)] = 1; }
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (number[i]) {
            m->vertex[count] = v3_sub(points[i], m->center);
            number[i] = count++;
        }
    uint32_t *f = m->face;
    FORALLfacets
    {
        uint32_t v[3] = {0, 0, 0}, k = 0;
        FOREACHvertex_(facet->vertices)
        {
            if (k < 3)
                v[k++] = number[qh_pointid(qh, vertex->point)];
        }
        // qhull lists the vertices of a facet by age; toporient tells the sense.
        bool flip = (facet->toporient ^ qh_ORIENTclock) != 0;
        f[0] = v[0];
        f[1] = flip ? v[1] : v[2];
        f[2] = flip ? v[2] : v[1];
        f += 3;
    }
    m->allocator->resize(m->allocator->context, number, n * sizeof *number, 0);
    return SG_OK;
}

// The sense of qhull's flag depends on its orientation macro; outward is what has positive volume.
static void orient_outward(sg_mesh *m)
{
    sg_vec3 o = sg_mesh_vertex(m, 0);
    double volume = 0.0;
    for (int f = 0; f < m->nf; f++)
        volume += v3_triple(v3_sub(sg_mesh_vertex(m, m->face[3 * f]), o),
                            v3_sub(sg_mesh_vertex(m, m->face[3 * f + 1]), o),
                            v3_sub(sg_mesh_vertex(m, m->face[3 * f + 2]), o));
    if (volume >= 0.0)
        return;
    for (int f = 0; f < m->nf; f++) {
        uint32_t t = m->face[3 * f + 1];
        m->face[3 * f + 1] = m->face[3 * f + 2];
        m->face[3 * f + 2] = t;
    }
}

static uint32_t scan(const sg_mesh *m, sg_vec3 n)
{
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t i = 0; i < (uint32_t)m->nv; i++) {
        double d = v3_dot(m->vertex[i], n);
        if (d > most) {
            most = d;
            best = i;
        }
    }
    return best;
}

static uint32_t climb(const sg_mesh *m, sg_vec3 n, uint32_t at)
{
    double most = v3_dot(m->vertex[at], n);
    // Each step gains height, so no vertex is seen twice and nv bounds the loop.
    for (int step = 0; step < m->nv; step++) {
        const sg_mesh_link *next = NULL, *end = m->link + m->first[at + 1];
        for (const sg_mesh_link *l = m->link + m->first[at]; l < end; l++) {
            double d = v3_dot(l->p, n);
            if (d > most) {
                most = d;
                next = l;
            }
        }
        if (!next)
            break;
        at = next->to;
    }
    return at;
}

// Square of a coordinate from -most to most on a side of the cube.
static uint32_t square_of(double x, double most)
{
    return (uint32_t)(x >= -0.5 * most) + (uint32_t)(x >= 0.0) + (uint32_t)(x >= 0.5 * most);
}

// The known direction that is nearest to n, more or less.
static uint32_t known_direction(sg_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z), most, u, v;
    uint32_t side;
    if (x >= y && x >= z) {
        most = x, u = n.y, v = n.z, side = n.x < 0.0;
    } else if (y >= z) {
        most = y, u = n.z, v = n.x, side = 2 + (n.y < 0.0);
    } else {
        most = z, u = n.x, v = n.y, side = 4 + (n.z < 0.0);
    }
    return (side * SG_MESH_SQUARES + square_of(u, most)) * SG_MESH_SQUARES + square_of(v, most);
}

static void find_starts(sg_mesh *m)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < SG_MESH_STARTS; i++) {
        uint32_t side = i / (SG_MESH_SQUARES * SG_MESH_SQUARES), axis = side / 2;
        double u = (i / SG_MESH_SQUARES % SG_MESH_SQUARES + 0.5) * 2.0 / SG_MESH_SQUARES - 1.0;
        double v = (i % SG_MESH_SQUARES + 0.5) * 2.0 / SG_MESH_SQUARES - 1.0;
        double w = side % 2 ? -1.0 : 1.0;
        at = climb(m,
                   axis == 0   ? v3_make(w, u, v)
                   : axis == 1 ? v3_make(v, w, u)
                               : v3_make(u, v, w),
                   at);
        m->start[i] = at;
    }
}

static sg_status run_qhull(const sg_vec3 *points, size_t n, sg_mesh *m, const char **why)
{
    size_t bytes = 3 * n * sizeof(double);
    double *copy = m->allocator->resize(m->allocator->context, NULL, 0, bytes);
    if (!copy) {
        *why = no_memory;
        return SG_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        v3_store(v3_sub(points[i], m->center), copy + 3 * i);
    // qhull insists on a stream for its complaints; one that takes none will do, and behind the
    // wall nothing below /dev can be written.
    FILE *silent = fopen("/dev/null", "r");
    if (!silent) {
        bool memory = errno == ENOMEM;
        m->allocator->resize(m->allocator->context, copy, bytes, 0);
        *why = memory ? no_memory : "the hull program has no stream for its messages";
        return memory ? SG_ERR_MEMORY : SG_ERR_IO;
    }
    qhT state;
    char command[] = "qhull Qt";
    memset(&state, 0, sizeof state);
    qh_zero(&state, silent);
    sg_status status = SG_OK;
    int failure = qh_new_qhull(&state, 3, (int)n, copy, False, command, silent, silent);
    if (failure == qh_ERRmem) {
        *why = no_memory;
        status = SG_ERR_MEMORY;
    } else if (failure)
        status = refuse("the points of the mesh lie in a plane or on a line", why);
    else
        status = take_hull(&state, points, n, m, why);
    qh_freeqhull(&state, qh_ALL);
    int left, total;
    qh_memfreeshort(&state, &left, &total);
    fclose(silent);
    m->allocator->resize(m->allocator->context, copy, bytes, 0);
    return status;
}

static sg_status check_points(const sg_vec3 *points, size_t n, double *size, sg_vec3 *center,
                              const char **why)
{
    if (n < 4)
        return refuse("the mesh has fewer than four vertices", why);
    if (n > 10000000)
        return refuse("the mesh has more than ten million vertices", why);
    sg_vec3 lo = points[0], hi = points[0];
    for (size_t i = 0; i < n; i++) {
        if (!v3_is_finite(points[i]))
            return refuse("a vertex of the mesh is not a finite number", why);
        lo = v3_lower(lo, points[i]);
        hi = v3_upper(hi, points[i]);
    }
    *size = v3_max(v3_sub(hi, lo));
    *center = v3_scale(v3_add(lo, hi), 0.5);
    if (!(*size > 1e-40) || *size > 1e40)
        return refuse("the size of the mesh is zero or out of range", why);
    return SG_OK;
}

sg_status sg_mesh_hull(const sg_allocator *allocator, const sg_vec3 *points, size_t n, sg_mesh *out,
                       const char **why)
{
    double size;
    *out = (sg_mesh){.allocator = allocator};
    sg_status status = check_points(points, n, &size, &out->center, why);
    if (!status)
        status = run_qhull(points, n, out, why);
    if (!status) {
        orient_outward(out);
        build_graph(out);
        measure(out);
        find_starts(out);
        // A body thinner than this has no inside that double precision could tell.
        if (!(out->inradius > 1e-13 * out->bound) || !v3_is_finite(out->centroid))
            status = refuse("the mesh is flat; it has no volume", why);
    }
    if (status)
        sg_mesh_destroy(out);
    return status;
}

sg_status sg_mesh_convex(const sg_allocator *allocator, const sg_vec3 *points, size_t n,
                         const uint32_t *faces, size_t nf, sg_mesh *out, const char **why)
{
    double size;
    *out = (sg_mesh){0};
    sg_status status = check_points(points, n, &size, &out->center, why);
    if (status)
        return status;
    for (size_t f = 0; f < nf; f++) {
        for (int k = 0; k < 3; k++)
            if (faces[3 * f + (size_t)k] >= n)
                return refuse("a triangle of the mesh names a vertex that does not exist", why);
        sg_vec3 a = points[faces[3 * f]], b = points[faces[3 * f + 1]],
                c = points[faces[3 * f + 2]];
        sg_vec3 normal = v3_cross(v3_sub(b, a), v3_sub(c, a));
        if (v3_norm(normal) < 1e-12 * size * size)
            continue; // a sliver has no plane to speak of
        normal = v3_unit(normal);
        double offset = v3_dot(normal, a);
        for (size_t i = 0; i < n; i++)
            if (v3_dot(normal, points[i]) - offset > 1e-9 * size)
                return refuse("the mesh is not convex; decompose it or use its hull", why);
    }
    return sg_mesh_hull(allocator, points, n, out, why);
}

void sg_mesh_destroy(sg_mesh *mesh)
{
    if (mesh->block)
        mesh->allocator->resize(mesh->allocator->context, mesh->block, mesh->block_size, 0);
    *mesh = (sg_mesh){0};
}

uint32_t sg_mesh_support(const sg_mesh *m, sg_vec3 n, uint32_t hint)
{
    if (m->nv <= SCAN_LIMIT)
        return scan(m, n);
    uint32_t at = m->start[known_direction(n)];
    if (hint < (uint32_t)m->nv && v3_dot(m->vertex[hint], n) > v3_dot(m->vertex[at], n))
        at = hint;
    return climb(m, n, at);
}
