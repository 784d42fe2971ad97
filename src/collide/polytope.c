#include "collide/polytope.h"

#include "math/scalar.h"

#include <float.h>

// A polytope carried along grows in every query; beyond this a fresh one is cheaper.
#define CARRIED_VERTICES 80

// The plane of a face whose corners are set; false if they are on a line.
static bool make_plane(sg_polytope *t, uint16_t index)
{
    sg_polytope_face *f = &t->face[index];
    sg_vec3 a = t->v[f->v[0]].p, ab = v3_sub(t->v[f->v[1]].p, a), ac = v3_sub(t->v[f->v[2]].p, a);
    sg_vec3 n = v3_cross(ab, ac);
    double n2 = v3_dot(n, n);
    if (!(n2 > 1e-26 * v3_norm2(ab) * v3_norm2(ac)) || !(n2 > 1e-200))
        return false;
    f->n = v3_scale(n, 1.0 / sqrt(n2));
    f->offset = v3_dot(f->n, a);
    f->alive = true;
    double counts = f->offset;
    for (int i = 0; i < t->ncaps; i++)
        if (v3_dot(f->n, t->cap[i].n) >= t->cap[i].cosine)
            counts = INFINITY;
    t->counts[index] = counts;
    return true;
}

static uint16_t take_face(sg_polytope *t)
{
    if (t->nfree > 0)
        return t->free_face[--t->nfree];
    return (uint16_t)t->nf++;
}

typedef struct horizon {
    struct {
        uint16_t face; // beyond it
        uint8_t edge;  // there, from the later to the earlier corner
    } side[SG_POLYTOPE_FACES];
    int n;
    uint16_t seen[SG_POLYTOPE_FACES];
    int nseen;
} horizon;

// Whether face g sees w. A face in whose plane w lies counts as seen only if leaving it out would
// make a sliver with its edge e.
static bool sees(const sg_polytope *t, const sg_polytope_face *g, int e, sg_vec3 w)
{
    double above = v3_dot(g->n, w) - g->offset;
    if (fabs(above) > t->noise)
        return above > 0.0;
    sg_vec3 a = t->v[g->v[e]].p, ab = v3_sub(t->v[g->v[(e + 1) % 3]].p, a), aw = v3_sub(w, a);
    return v3_norm2(v3_cross(ab, aw)) <= 1e-24 * v3_norm2(ab) * v3_norm2(aw);
}

// All faces that see w, by flooding from `first`, and the edges around them. The flood goes around
// each face in the sense of its corners, so the edges come out one behind the other.
static void find_horizon(sg_polytope *t, uint16_t first, sg_vec3 w, horizon *h)
{
    static const uint8_t next[3] = {1, 2, 0};
    struct {
        uint16_t face;
        uint8_t edge, left; // the next edge to look across, and how many
    } way[SG_POLYTOPE_FACES];
    int depth = 1;
    way[0].face = first;
    way[0].edge = 0;
    way[0].left = 3;
    t->face[first].alive = false;
    h->seen[0] = first;
    h->nseen = 1;
    h->n = 0;
    while (depth > 0) {
        if (way[depth - 1].left-- == 0) {
            depth--;
            continue;
        }
        const sg_polytope_face *f = &t->face[way[depth - 1].face];
        uint8_t e = way[depth - 1].edge;
        way[depth - 1].edge = next[e];
        uint16_t beyond = f->side[e];
        sg_polytope_face *g = &t->face[beyond];
        if (!g->alive)
            continue;
        uint8_t back = f->edge[e];
        if (sees(t, g, back, w)) {
            g->alive = false;
            h->seen[h->nseen++] = beyond;
            way[depth].face = beyond;
            way[depth].edge = next[back];
            way[depth++].left = 2;
        } else {
            h->side[h->n].face = beyond;
            h->side[h->n++].edge = back;
        }
    }
}

// A cone of faces from the horizon to the point `apex`. False if the horizon is no cycle, or if a
// face has no plane or moves inward: expanding a convex body moves none, unless rounding does.
static bool make_cone(sg_polytope *t, const horizon *h, uint16_t apex, uint16_t *made)
{
    double least = t->lowest - 16.0 * t->noise;
    for (int k = 0; k < h->n; k++) {
        const sg_polytope_face *g = &t->face[h->side[k].face];
        uint8_t e = h->side[k].edge;
        sg_polytope_face *f = &t->face[made[k]];
        f->v[0] = g->v[e == 2 ? 0 : e + 1];
        f->v[1] = g->v[e];
        f->v[2] = apex;
        if (k > 0 && t->face[made[k - 1]].v[1] != f->v[0])
            return false;
        if (!make_plane(t, made[k]) || !(f->offset >= least))
            return false;
    }
    return t->face[made[h->n - 1]].v[1] == t->face[made[0]].v[0];
}

static void release_faces(sg_polytope *t, const uint16_t *face, int n)
{
    for (int k = 0; k < n; k++) {
        t->face[face[k]].alive = false;
        t->counts[face[k]] = INFINITY;
        t->free_face[t->nfree++] = face[k];
    }
}

// Puts a cone of faces from the horizon to w in place of the faces that see it.
bool sg_polytope_grow(sg_polytope *t, uint16_t first, const sg_support_point *w)
{
    horizon h;
    uint16_t made[SG_POLYTOPE_FACES];
    if (t->nv == SG_POLYTOPE_VERTICES)
        return false;
    find_horizon(t, first, w->p, &h);
    bool good = h.n >= 3 && t->nf - t->nfree + h.n <= SG_POLYTOPE_FACES;
    if (good) {
        uint16_t apex = (uint16_t)t->nv++;
        t->v[apex] = *w;
        for (int k = 0; k < h.n; k++)
            made[k] = take_face(t);
        good = make_cone(t, &h, apex, made);
        if (!good) {
            release_faces(t, made, h.n);
            t->nv--;
        }
    }
    if (!good) {
        for (int k = 0; k < h.nseen; k++)
            t->face[h.seen[k]].alive = true;
        return false;
    }
    for (int k = 0; k < h.n; k++) {
        sg_polytope_face *f = &t->face[made[k]], *g = &t->face[h.side[k].face];
        f->side[0] = h.side[k].face;
        f->side[1] = made[k + 1 < h.n ? k + 1 : 0];
        f->side[2] = made[k > 0 ? k - 1 : h.n - 1];
        f->edge[0] = h.side[k].edge;
        f->edge[1] = 2;
        f->edge[2] = 1;
        g->side[h.side[k].edge] = made[k];
        g->edge[h.side[k].edge] = 0;
        t->lowest = s_min(t->lowest, f->offset);
    }
    release_faces(t, h.seen, h.nseen);
    return true;
}

void sg_polytope_spare(sg_polytope *t, sg_vec3 n, double cosine)
{
    if (t->ncaps == SG_POLYTOPE_CAPS)
        return;
    t->cap[t->ncaps].n = n;
    t->cap[t->ncaps++].cosine = cosine;
    for (int i = 0; i < t->nf; i++)
        if (v3_dot(t->face[i].n, n) >= cosine)
            t->counts[i] = INFINITY;
}

uint16_t sg_polytope_nearest(const sg_polytope *t)
{
    int best = SG_POLYTOPE_NONE;
    double least = INFINITY;
    for (int i = 0; i < t->nf; i++)
        if (t->counts[i] < least) {
            least = t->counts[i];
            best = i;
        }
    return (uint16_t)best;
}

void sg_polytope_include(sg_polytope *t, const sg_support_point *w)
{
    int best = SG_POLYTOPE_NONE;
    double most = t->noise;
    for (int i = 0; i < t->nf; i++) {
        const sg_polytope_face *f = &t->face[i];
        double above = v3_dot(f->n, w->p) - f->offset;
        if (above > most && f->alive) {
            most = above;
            best = i;
        }
    }
    if (best != SG_POLYTOPE_NONE)
        sg_polytope_grow(t, (uint16_t)best, w);
}

sg_support_point sg_polytope_pierce(const sg_polytope *t, sg_vec3 n)
{
    double best = -INFINITY, weight[3] = {1.0, 0.0, 0.0};
    const sg_polytope_face *chosen = NULL;
    for (int i = 0; i < t->nf; i++) {
        const sg_polytope_face *f = &t->face[i];
        if (!f->alive || !(v3_dot(f->n, n) > 0.0))
            continue;
        sg_vec3 a = t->v[f->v[0]].p, b = t->v[f->v[1]].p, c = t->v[f->v[2]].p;
        double l[3] = {v3_triple(n, b, c), v3_triple(n, c, a), v3_triple(n, a, b)};
        double sum = l[0] + l[1] + l[2], inside = fmin(l[0], fmin(l[1], l[2])) / sum;
        if (!(sum > 0.0) || !(inside > best))
            continue;
        best = inside;
        chosen = f;
        for (int k = 0; k < 3; k++)
            weight[k] = fmax(0.0, l[k] / sum);
    }
    sg_support_point q = {.p = V3_ZERO, .a = V3_ZERO};
    double sum = weight[0] + weight[1] + weight[2];
    for (int k = 0; k < 3 && chosen; k++) {
        q.p = v3_add_scaled(q.p, t->v[chosen->v[k]].p, weight[k] / sum);
        q.a = v3_add_scaled(q.a, t->v[chosen->v[k]].a, weight[k] / sum);
    }
    return q;
}

bool sg_polytope_start(sg_polytope *t, const sg_pair *pair, const sg_support_point v[4])
{
    t->noise = 4.0 * DBL_EPSILON * pair->size;
    t->nv = 4;
    t->nf = 4;
    t->nfree = t->ncaps = 0;
    t->R = pair->R;
    t->r = pair->r;
    t->lowest = 0.0;
    for (int i = 0; i < 4; i++)
        t->v[i] = v[i];
    sg_vec3 a = v[0].p;
    if (v3_triple(v3_sub(v[1].p, a), v3_sub(v[2].p, a), v3_sub(v[3].p, a)) > 0.0) {
        t->v[1] = v[2];
        t->v[2] = v[1];
    }
    static const sg_polytope_face tetrahedron[4] = {
        {.v = {0, 1, 2}, .side = {2, 3, 1}, .edge = {2, 2, 0}},
        {.v = {0, 2, 3}, .side = {0, 3, 2}, .edge = {2, 1, 0}},
        {.v = {0, 3, 1}, .side = {1, 3, 0}, .edge = {2, 0, 0}},
        {.v = {1, 3, 2}, .side = {2, 1, 0}, .edge = {1, 1, 1}}};
    for (uint16_t i = 0; i < 4; i++) {
        t->face[i] = tetrahedron[i];
        if (!make_plane(t, i) || t->face[i].offset < -16.0 * t->noise)
            return false;
        t->lowest = s_min(t->lowest, t->face[i].offset);
    }
    return true;
}

bool sg_polytope_carry(sg_polytope *t, const sg_pair *pair, const sg_polytope *from)
{
    uint16_t place[SG_POLYTOPE_FACES];
    if (from->nv < 4 || from->nv > CARRIED_VERTICES)
        return false;
    // B's motion in A's frame since then: x -> M x + d.
    sg_mat3 M = m3_mul(pair->R, m3_transpose(from->R));
    sg_vec3 d = v3_sub(pair->r, m3_mul_v(&M, from->r));
    for (int i = 0; i < from->nv; i++) {
        sg_vec3 b = v3_sub(from->v[i].a, from->v[i].p);
        t->v[i] = from->v[i];
        t->v[i].p = v3_sub(from->v[i].a, v3_add(m3_mul_v(&M, b), d));
    }
    t->noise = from->noise;
    t->R = pair->R;
    t->r = pair->r;
    t->nv = from->nv;
    t->nf = t->nfree = t->ncaps = 0;
    t->lowest = 0.0;
    for (int i = 0; i < from->nf; i++)
        if (from->face[i].alive)
            place[i] = (uint16_t)t->nf++;
    for (int i = 0; i < from->nf; i++) {
        if (!from->face[i].alive)
            continue;
        sg_polytope_face *f = &t->face[place[i]];
        *f = from->face[i];
        if (!make_plane(t, place[i]) || f->offset < -t->noise)
            return false;
        t->lowest = s_min(t->lowest, f->offset);
        for (int e = 0; e < 3; e++)
            f->side[e] = place[f->side[e]];
    }
    return true;
}
