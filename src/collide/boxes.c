#include "collide/boxes.h"

#include "math/scalar.h"

#include <float.h>

// Edges whose directions differ by less are parallel: what their face would be nearer by is a
// rounding, too.
static const double parallel = 1e-13;
// Faces of boxes are taken where edges are no nearer than by this part of the size.
static const double as_near = 1e-14;

// A box, and the other one seen from it.
typedef struct box_view {
    double half[3], other[3];
    double axis[3][3]; // of the other one, by axis
    double r[3];       // its center
} box_view;

// Both views, and lengths of what the axes of the two have in common, by axis of A and of B.
typedef struct two_boxes {
    box_view a, b;
    double common[3][3];
    double size;
} two_boxes;

static void look(const sg_pair *pair, two_boxes *t)
{
    v3_store(pair->a->half, t->a.half);
    v3_store(pair->b->half, t->b.half);
    v3_store(pair->b->half, t->a.other);
    v3_store(pair->a->half, t->b.other);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double c = pair->R.m[i][j];
            t->a.axis[j][i] = t->b.axis[i][j] = c;
            t->common[i][j] = fabs(c);
        }
    v3_store(pair->r, t->a.r);
    v3_store(v3_neg(m3_tmul_v(&pair->R, pair->r)), t->b.r);
    t->size = pair->size;
}

enum { CORNERS = 8 }; // of a face that is cut to another one

typedef struct ring {
    sg_vec3 x[CORNERS];
    int n;
} ring;

// Cuts to where sign x_k <= half.
static void cut(ring *p, int k, double sign, double half)
{
    ring out = {.n = 0};
    for (int i = 0; i < p->n; i++) {
        sg_vec3 here = p->x[i], next = p->x[i + 1 < p->n ? i + 1 : 0];
        double d = sign * v3_get(here, k) - half, e = sign * v3_get(next, k) - half;
        if (d <= 0.0 && out.n < CORNERS)
            out.x[out.n++] = here;
        if (((d < 0.0 && e > 0.0) || (d > 0.0 && e < 0.0)) && out.n < CORNERS)
            out.x[out.n++] = v3_add_scaled(here, v3_sub(next, here), d / (d - e));
    }
    *p = out;
}

static sg_vec3 mean_of(const ring *p)
{
    sg_vec3 sum = V3_ZERO;
    for (int i = 0; i < p->n; i++)
        sum = v3_add(sum, p->x[i]);
    return v3_scale(sum, 1.0 / p->n);
}

// A point in the middle of where the other box is deepest below a face: a corner, or what of an
// edge or face of its lies above the face.
static sg_vec3 deepest_point(const box_view *v, int face, double sign)
{
    ring p;
    p.x[0] = v3_from(v->r);
    p.n = 1;
    for (int k = 0; k < 3; k++) {
        double slope = sign * v->axis[k][face];
        sg_vec3 to = v3_scale(v3_from(v->axis[k]), slope > 0.0 ? -v->other[k] : v->other[k]);
        bool lies = fabs(slope) < parallel;
        for (int i = 0; i < p.n; i++) {
            if (lies && p.n < CORNERS / 2 + 1)
                p.x[2 * p.n - 1 - i] = v3_sub(p.x[i], to); // round the other way
            p.x[i] = v3_add(p.x[i], to);
        }
        p.n *= lies ? 2 : 1;
    }
    sg_vec3 x = mean_of(&p);
    for (int k = 0; p.n > 1 && k < 3; k++)
        for (int side = -1; k != face && side <= 1; side += 2)
            cut(&p, k, side, v->half[k]);
    double at[3];
    v3_store(p.n > 1 ? mean_of(&p) : x, at);
    for (int k = 0; k < 3; k++)
        if (k != face)
            at[k] = s_max(-v->half[k], s_min(v->half[k], at[k]));
    return v3_from(at);
}

// What is nearest.
typedef struct nearest {
    double depth;
    bool of_b; // a face of B, else of A
    int face;
    int i, j;    // edges of A and of B; i < 0: none
    double n[3]; // across these
} nearest;

// How far the difference reaches along the unit vector n of A's frame.
static double reach_along(const two_boxes *t, const double n[3])
{
    const box_view *a = &t->a, *b = &t->b;
    double reach = -fabs(a->r[0] * n[0] + a->r[1] * n[1] + a->r[2] * n[2]);
    for (int k = 0; k < 3; k++) {
        const double *u = a->axis[k];
        reach +=
            a->half[k] * fabs(n[k]) + b->half[k] * fabs(u[0] * n[0] + u[1] * n[1] + u[2] * n[2]);
    }
    return reach;
}

// The depth along n, the unit vector across edge i of A and edge j of B; infinite if these are
// parallel, or where it is more than `least`.
static double between_edges(const two_boxes *t, int i, int j, double least, double n[3])
{
    static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};
    const box_view *a = &t->a, *b = &t->b;
    int i1 = next[i], i2 = last[i], j1 = next[j], j2 = last[j];
    double p = a->axis[j][i1], q = a->axis[j][i2], l2 = p * p + q * q;
    if (!(l2 > parallel * parallel))
        return INFINITY;
    // Times the length of what is across, and but for roundings of numbers of order 1.
    double reach = a->half[i1] * t->common[i2][j] + a->half[i2] * t->common[i1][j];
    reach += b->half[j1] * t->common[i][j2] + b->half[j2] * t->common[i][j1];
    reach -= fabs(a->r[i2] * p - a->r[i1] * q) + as_near * t->size;
    if (reach > 0.0 && reach * reach > least * least * l2)
        return INFINITY;
    double scale = 1.0 / sqrt(l2);
    n[i] = 0.0;
    n[i1] = -q * scale;
    n[i2] = p * scale;
    return reach_along(t, n);
}

// The depths along the faces' normals.
static void below_faces(const two_boxes *t, double depth[6])
{
    const double *ha = t->a.half, *hb = t->b.half;
    for (int k = 0; k < 3; k++) {
        const double *row = t->common[k];
        depth[k] = ha[k] + hb[0] * row[0] + hb[1] * row[1] + hb[2] * row[2] - fabs(t->a.r[k]);
        depth[3 + k] = hb[k] + ha[0] * t->common[0][k] + ha[1] * t->common[1][k] +
                       ha[2] * t->common[2][k] - fabs(t->b.r[k]);
    }
}

static bool find_nearest(const two_boxes *t, nearest *best)
{
    double depth[6];
    int least_face = 0;
    below_faces(t, depth);
    for (int k = 0; k < 6; k++) {
        if (!(depth[k] > 0.0))
            return false;
        least_face = depth[k] < depth[least_face] ? k : least_face;
    }
    best->depth = depth[least_face];
    best->of_b = least_face >= 3;
    best->face = least_face % 3;
    best->i = -1;
    double least = best->depth - as_near * t->size;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double n[3], across = between_edges(t, i, j, least, n);
            if (!(across > 0.0))
                return false;
            if (across < least) {
                best->depth = least = across;
                best->i = i;
                best->j = j;
                v3_store(v3_from(n), best->n);
            }
        }
    return true;
}

// Halfway between the two edges where they are nearest to each other.
static sg_vec3 between(const two_boxes *t, const nearest *near, sg_vec3 n)
{
    const box_view *a = &t->a, *b = &t->b;
    double x[3] = {0.0}, along[3];
    sg_vec3 y = v3_from(a->r), u = v3_from(a->axis[near->j]);
    v3_store(n, along);
    for (int k = 0; k < 3; k++) {
        sg_vec3 v = v3_from(a->axis[k]);
        if (k != near->i)
            x[k] = copysign(a->half[k], along[k]);
        if (k != near->j)
            y = v3_add_scaled(y, v, -copysign(b->half[k], v3_dot(n, v)));
    }
    sg_vec3 d = v3_sub(v3_from(x), y), e = v3_axis(near->i);
    double c = v3_dot(u, e), di = v3_dot(d, e), far = b->half[near->j];
    double s = (v3_dot(d, u) - c * di) / v3_norm2(v3_cross(e, u));
    s = s_max(-far, s_min(far, s));
    far = a->half[near->i];
    x[near->i] = s_max(-far, s_min(far, s * c - di));
    return v3_scale(v3_add(v3_from(x), v3_add_scaled(y, u, s)), 0.5);
}

bool sg_boxes_depth(const sg_pair *pair, sg_penetration *out)
{
    nearest best;
    two_boxes t;
    sg_vec3 n, middle;
    if (pair->a->core != SG_CORE_BOX || pair->b->core != SG_CORE_BOX || pair->ra > 0.0)
        return false;
    look(pair, &t);
    if (!find_nearest(&t, &best))
        return false;
    if (best.i >= 0) {
        n = v3_from(best.n);
        n = v3_dot(n, pair->r) < 0.0 ? v3_neg(n) : n;
        middle = between(&t, &best, n);
    } else {
        const box_view *own = best.of_b ? &t.b : &t.a;
        double sign = own->r[best.face] < 0.0 ? -1.0 : 1.0;
        sg_vec3 out_of = v3_scale(v3_axis(best.face), sign);
        middle = v3_add_scaled(deepest_point(own, best.face, sign), out_of, 0.5 * best.depth);
        n = out_of;
        if (best.of_b) {
            n = v3_neg(m3_mul_v(&pair->R, out_of));
            middle = v3_add(m3_mul_v(&pair->R, middle), pair->r);
        }
    }
    *out = (sg_penetration){
        .depth = best.depth,
        .gap = 4.0 * DBL_EPSILON * pair->size,
        .n = n,
        .point = {.p = v3_scale(n, best.depth), .a = v3_add_scaled(middle, n, 0.5 * best.depth)},
        .has_point = true,
        .certified = true};
    return true;
}
