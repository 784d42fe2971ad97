#include "collide/portal.h"

#include <float.h>

#define PHASE2_MAX 64
#define PHASE3_MAX 48

// Share of the inradius by which r0 moves off the centroids' difference.
static const double nudge = 0.02;

static sg_verdict apart(sg_portal *portal, int nv, sg_vec3 n)
{
    portal->nv = nv;
    portal->n = n;
    return SG_VERDICT_APART;
}

static sg_support_point inner_point(const sg_pair *pair)
{
    sg_vec3 c = sg_pair_center(pair);
    // Components without small rational ratios, so that no plane of symmetry holds it.
    sg_vec3 d = v3_scale(v3_make(0.6180, -0.4533, 0.6424), nudge * pair->inradius);
    c = v3_dot(c, d) < 0.0 ? v3_sub(c, d) : v3_add(c, d);
    // On A it sits at the centroid; the rest is B's.
    return (sg_support_point){.p = c, .a = pair->a->centroid};
}

static void swap_points(sg_support_point *a, sg_support_point *b)
{
    sg_support_point t = *a;
    *a = *b;
    *b = t;
}

// Phase 1: v[0] = r0 and three support points with the origin on the positive side of (r0, r1, r2).
static sg_verdict start_portal(sg_pair *pair, sg_portal *t)
{
    sg_support_point *v = t->v;
    v[0] = inner_point(pair);
    sg_vec3 n = v3_unit(v3_neg(v[0].p));
    v[1] = sg_pair_support(pair, n);
    if (v3_dot(v[1].p, n) < 0.0) {
        v[0] = v[1];
        return apart(t, 1, n);
    }
    sg_vec3 side = v3_cross(v[1].p, v[0].p);
    if (v3_norm(side) <= 1e-14 * v3_norm(v[0].p) * v3_norm(v[1].p)) // TC1: r1 lies on the ray
        side = v3_perpendicular(n);
    n = v3_unit(side);
    v[2] = sg_pair_support(pair, n);
    if (v3_dot(v[2].p, n) < 0.0) {
        v[0] = v[2];
        return apart(t, 2, n);
    }
    sg_vec3 u = v3_sub(v[1].p, v[0].p), w = v3_sub(v[2].p, v[0].p);
    n = v3_cross(u, w);
    if (v3_norm(n) <= 1e-14 * v3_norm(u) * v3_norm(w)) {
        v[2] = sg_pair_support(pair, v3_neg(v3_unit(side)));
        w = v3_sub(v[2].p, v[0].p);
        n = v3_cross(u, w);
        if (v3_norm(n) <= 1e-14 * v3_norm(u) * v3_norm(w))
            return SG_VERDICT_FLAT;
    }
    if (v3_dot(n, v[0].p) > 0.0) {
        swap_points(&v[1], &v[2]);
        n = v3_neg(n);
    }
    n = v3_unit(n);
    v[3] = sg_pair_support(pair, n);
    if (v3_dot(v[3].p, n) < 0.0) {
        v[0] = v[3];
        return apart(t, 3, n);
    }
    return SG_VERDICT_UNKNOWN;
}

// Phase 2: exchanges portal points until the ray from r0 through the origin pierces the portal.
static sg_verdict validate_portal(sg_pair *pair, sg_portal *t)
{
    sg_support_point *v = t->v;
    for (t->phase2 = 0; t->phase2 < PHASE2_MAX; t->phase2++) {
        sg_vec3 u3 = v3_sub(v[3].p, v[0].p);
        sg_vec3 n = v3_cross(v3_sub(v[1].p, v[0].p), u3);
        if (v3_dot(n, v[0].p) < 0.0) {
            v[2] = v[3];
        } else {
            n = v3_cross(u3, v3_sub(v[2].p, v[0].p));
            if (v3_dot(n, v[0].p) >= 0.0)
                return SG_VERDICT_UNKNOWN;
            v[1] = v[3];
        }
        n = v3_unit(n);
        v[3] = sg_pair_support(pair, n);
        if (v3_dot(v[3].p, n) < 0.0) {
            v[0] = v[3];
            return apart(t, 3, n);
        }
    }
    return SG_VERDICT_UNKNOWN;
}

// Phase 3: pushes the portal outward along the ray.
static sg_verdict refine_portal(sg_pair *pair, sg_portal *t)
{
    sg_support_point *v = t->v;
    double noise = 8.0 * DBL_EPSILON * pair->size;
    for (t->phase3 = 0; t->phase3 < PHASE3_MAX; t->phase3++) {
        sg_vec3 n = v3_cross(v3_sub(v[2].p, v[1].p), v3_sub(v[3].p, v[1].p));
        double area = v3_norm(n);
        if (!(area > DBL_EPSILON * DBL_EPSILON * pair->size * pair->size))
            break;
        n = v3_scale(n, 1.0 / area);
        t->n = n;
        double offset = v3_dot(n, v[1].p);
        if (offset > noise && v3_dot(n, v[0].p) < offset) {
            t->nv = 4;
            return SG_VERDICT_INSIDE;
        }
        sg_support_point r4 = sg_pair_support(pair, n);
        double h = v3_dot(n, r4.p);
        if (h < 0.0) {
            v[0] = r4;
            return apart(t, 4, n);
        }
        if (h - offset <= noise && fabs(h) <= noise) { // TC3 with the origin in the portal's plane
            v[0] = v[1];
            v[1] = v[2];
            v[2] = v[3];
            t->nv = 3;
            return SG_VERDICT_TOUCHING;
        }
        // Which of the three portals with r4 does the ray pierce?
        sg_vec3 across = v3_cross(r4.p, v[0].p);
        if (v3_dot(v[1].p, across) > 0.0) {
            if (v3_dot(v[2].p, across) > 0.0)
                v[1] = r4;
            else
                v[3] = r4;
        } else if (v3_dot(v[3].p, across) > 0.0) {
            v[2] = r4;
        } else {
            v[1] = r4;
        }
        if (h - offset <= noise)
            break;
    }
    t->nv = 4;
    return SG_VERDICT_UNKNOWN;
}

sg_verdict sg_portal_find(sg_pair *pair, sg_portal *portal)
{
    portal->phase2 = portal->phase3 = 0;
    portal->nv = 0;
    sg_verdict verdict = start_portal(pair, portal);
    if (verdict == SG_VERDICT_UNKNOWN)
        verdict = validate_portal(pair, portal);
    if (verdict == SG_VERDICT_UNKNOWN)
        verdict = refine_portal(pair, portal);
    return verdict;
}
