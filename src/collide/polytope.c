#include "collide/polytope.h"

#include <float.h>

// A polytope carried along grows in every query; beyond this a fresh one is cheaper.
#define CARRIED_VERTICES 80

static bool make_face(sg_polytope *t, uint16_t index, uint16_t a, uint16_t b, uint16_t c)
{
    sg_polytope_face *f = &t->face[index];
    sg_vec3 pa = t->v[a].p, ab = v3_sub(t->v[b].p, pa), ac = v3_sub(t->v[c].p, pa);
    sg_vec3 n = v3_cross(ab, ac);
    double n2 = v3_dot(n, n);
    *f = (sg_polytope_face){.v = {a, b, c}, .alive = true};
    if (!(n2 > 1e-26 * v3_norm2(ab) * v3_norm2(ac)) || !(n2 > 1e-200))
        return false;
    f->n = v3_scale(n, 1.0 / sqrt(n2));
    // The vertex nearest to the origin carries the least rounding.
    f->offset = v3_dot(f->n, pa);
    for (int i = 0; i < t->ncaps; i++)
        f->spared = f->spared || v3_dot(f->n, t->cap[i].n) >= t->cap[i].cosine;
    return true;
}

static uint16_t take_face(sg_polytope *t)
{
    if (t->nfree > 0)
        return t->free_face[--t->nfree];
    return t->nf < SG_POLYTOPE_FACES ? (uint16_t)t->nf++ : SG_POLYTOPE_NONE;
}

typedef struct horizon {
    uint16_t from[SG_POLYTOPE_FACES / 2], to[SG_POLYTOPE_FACES / 2], beyond[SG_POLYTOPE_FACES / 2];
    int n;
    uint16_t seen[SG_POLYTOPE_FACES];
    int nseen;
} horizon;

static int edge_of(const sg_polytope_face *f, uint16_t from)
{
    return f->v[0] == from ? 0 : f->v[1] == from ? 1 : 2;
}

// All faces that see w, flooding from `first`, and the edges around them. A face in whose plane w
// lies counts as seen only if leaving it out would make a sliver.
static bool find_horizon(sg_polytope *t, uint16_t first, sg_vec3 w, double noise, horizon *h)
{
    h->n = h->nseen = 0;
    h->seen[h->nseen++] = first;
    t->face[first].alive = false;
    for (int k = 0; k < h->nseen; k++) {
        sg_polytope_face *f = &t->face[h->seen[k]];
        for (int e = 0; e < 3; e++) {
            sg_polytope_face *g = &t->face[f->side[e]];
            if (!g->alive)
                continue;
            double above = v3_dot(g->n, w) - g->offset;
            bool sees = above > noise;
            if (!sees && above > -noise) {
                sg_vec3 a = t->v[f->v[e]].p, ab = v3_sub(t->v[f->v[(e + 1) % 3]].p, a);
                sg_vec3 aw = v3_sub(w, a), c = v3_cross(ab, aw);
                sees = v3_norm2(c) <= 1e-24 * v3_norm2(ab) * v3_norm2(aw);
            }
            if (sees) {
                g->alive = false;
                h->seen[h->nseen++] = f->side[e];
            }
        }
    }
    for (int k = 0; k < h->nseen; k++) {
        sg_polytope_face *f = &t->face[h->seen[k]];
        for (int e = 0; e < 3; e++)
            if (t->face[f->side[e]].alive) {
                if (h->n == SG_POLYTOPE_FACES / 2)
                    return false;
                h->from[h->n] = f->v[e];
                h->to[h->n] = f->v[(e + 1) % 3];
                h->beyond[h->n++] = f->side[e];
            }
    }
    return h->n >= 3;
}

static void restore_seen(sg_polytope *t, const horizon *h)
{
    for (int k = 0; k < h->nseen; k++)
        t->face[h->seen[k]].alive = true;
}

// Orders the horizon's edges to one cycle; false if it is not one.
static bool chain_horizon(horizon *h)
{
    for (int k = 0; k + 1 < h->n; k++) {
        int next = -1;
        for (int j = k + 1; j < h->n; j++)
            if (h->from[j] == h->to[k]) {
                if (next >= 0)
                    return false;
                next = j;
            }
        if (next < 0)
            return false;
        uint16_t from = h->from[next], to = h->to[next], beyond = h->beyond[next];
        h->from[next] = h->from[k + 1];
        h->to[next] = h->to[k + 1];
        h->beyond[next] = h->beyond[k + 1];
        h->from[k + 1] = from;
        h->to[k + 1] = to;
        h->beyond[k + 1] = beyond;
    }
    return h->to[h->n - 1] == h->from[0];
}

// Puts a cone of faces from the horizon to w in place of the faces that see it.
bool sg_polytope_grow(sg_polytope *t, uint16_t first, const sg_support_point *w, double least)
{
    horizon h;
    double noise = t->noise;
    if (t->nv == SG_POLYTOPE_VERTICES)
        return false;
    if (!find_horizon(t, first, w->p, noise, &h) || !chain_horizon(&h) ||
        t->nf - t->nfree + h.n > SG_POLYTOPE_FACES) {
        restore_seen(t, &h);
        return false;
    }
    uint16_t apex = (uint16_t)t->nv++, made[SG_POLYTOPE_FACES / 2];
    t->v[apex] = *w;
    bool good = true;
    for (int k = 0; k < h.n; k++) {
        made[k] = take_face(t);
        if (made[k] == SG_POLYTOPE_NONE) { // cannot happen: the room was counted
            good = false;
            h.n = k;
            break;
        }
        // Expanding a convex body moves no face inward; if one does, rounding has spoiled its
        // plane.
        good = make_face(t, made[k], h.from[k], h.to[k], apex) &&
               t->face[made[k]].offset >= fmin(least, 0.0) - 16.0 * noise && good;
    }
    if (!good) {
        for (int k = 0; k < h.n; k++) {
            t->face[made[k]].alive = false;
            t->free_face[t->nfree++] = made[k];
        }
        t->nv--;
        restore_seen(t, &h);
        return false;
    }
    for (int k = 0; k < h.n; k++) {
        sg_polytope_face *f = &t->face[made[k]], *g = &t->face[h.beyond[k]];
        f->side[0] = h.beyond[k];
        f->side[1] = made[(k + 1) % h.n];
        f->side[2] = made[(k + h.n - 1) % h.n];
        g->side[edge_of(g, h.to[k])] = made[k];
    }
    for (int k = 0; k < h.nseen; k++)
        t->free_face[t->nfree++] = h.seen[k];
    return true;
}

void sg_polytope_spare(sg_polytope *t, sg_vec3 n, double cosine)
{
    if (t->ncaps == SG_POLYTOPE_CAPS)
        return;
    t->cap[t->ncaps].n = n;
    t->cap[t->ncaps++].cosine = cosine;
    for (int i = 0; i < t->nf; i++)
        t->face[i].spared = t->face[i].spared || v3_dot(t->face[i].n, n) >= cosine;
}

uint16_t sg_polytope_nearest(const sg_polytope *t)
{
    uint16_t best = SG_POLYTOPE_NONE;
    double least = INFINITY;
    for (int i = 0; i < t->nf; i++)
        if (t->face[i].alive && !t->face[i].spared && t->face[i].offset < least) {
            least = t->face[i].offset;
            best = (uint16_t)i;
        }
    return best;
}

void sg_polytope_include(sg_polytope *t, const sg_support_point *w)
{
    uint16_t best = SG_POLYTOPE_NONE;
    double most = t->noise, least = INFINITY;
    for (int i = 0; i < t->nf; i++) {
        if (!t->face[i].alive)
            continue;
        double above = v3_dot(t->face[i].n, w->p) - t->face[i].offset;
        least = fmin(least, t->face[i].offset);
        if (above > most) {
            most = above;
            best = (uint16_t)i;
        }
    }
    if (best != SG_POLYTOPE_NONE)
        sg_polytope_grow(t, best, w, least);
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
    for (int i = 0; i < 4; i++)
        t->v[i] = v[i];
    sg_vec3 a = v[0].p;
    if (v3_triple(v3_sub(v[1].p, a), v3_sub(v[2].p, a), v3_sub(v[3].p, a)) > 0.0) {
        t->v[1] = v[2];
        t->v[2] = v[1];
    }
    static const uint16_t corner[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    static const uint16_t side[4][3] = {{2, 3, 1}, {0, 3, 2}, {1, 3, 0}, {2, 1, 0}};
    for (uint16_t i = 0; i < 4; i++) {
        if (!make_face(t, i, corner[i][0], corner[i][1], corner[i][2]))
            return false;
        if (t->face[i].offset < -16.0 * t->noise)
            return false;
        for (int e = 0; e < 3; e++)
            t->face[i].side[e] = side[i][e];
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
    for (int i = 0; i < from->nf; i++)
        if (from->face[i].alive)
            place[i] = (uint16_t)t->nf++;
    for (int i = 0; i < from->nf; i++) {
        const sg_polytope_face *old = &from->face[i];
        if (!old->alive)
            continue;
        if (!make_face(t, place[i], old->v[0], old->v[1], old->v[2]) ||
            t->face[place[i]].offset < -t->noise)
            return false;
        for (int e = 0; e < 3; e++)
            t->face[place[i]].side[e] = place[old->side[e]];
    }
    return true;
}
