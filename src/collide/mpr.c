#include "collide/mpr.h"

#include "shapes/shape_form.h"
#include "shapes/support_dd.h"

#include <float.h>

typedef struct point {
    sg_dd3 p, n, a, b; // p = (a - b) scale, n the search direction
} point;

typedef struct portal_search {
    const sg_shape *a, *b;
    const sg_pose *pose_a, *pose_b;
    const sg_mpr_options *options;
    double scale;
    double turn; // which way round the portal is seen from r0: 1, or -1 as published
    point r0, r1, r2, r3, r4;
    // The best portal so far, and the condition that says how good it is.
    point b1, b2, b3, b4;
    double best;
    sg_mpr_end best_end;
} portal_search;

sg_mpr_options sg_mpr_options_make(void)
{
    return (sg_mpr_options){.tolerance = 1e-20, .max_iterations = 120};
}

static const char planar[] = "Shapes are planar and MPR2D is not supported.";

static sg_status fail(sg_mpr_result *result, sg_status status, const char *message)
{
    result->message = message;
    return status;
}

static double length(sg_dd3 v) { return dd3_norm(v).hi; }
static bool is_zero(sg_dd3 v) { return length(v) <= SG_DD_NEPS; }
static sg_dd3 unit(sg_dd3 v) { return dd3_scale(v, dd_div(dd_from(1.0), dd3_norm(v))); }
static double dot(sg_dd3 a, sg_dd3 b) { return dd_to_double(dd3_dot(a, b)); }

static point support(const portal_search *s, sg_dd3 e)
{
    bool reference = s->options->reference_shapes;
    point r = {.n = e,
               .a = sg_support_dd(s->a, s->pose_a, e, reference),
               .b = sg_support_dd(s->b, s->pose_b, dd3_neg(e), reference)};
    r.p = dd3_sub(r.a, r.b);
    if (s->scale != 1.0)
        r.p = dd3_scale(r.p, dd_from(s->scale));
    return r;
}

static sg_dd3 cross_from(const point *o, const point *u, const point *v)
{
    return dd3_cross(dd3_sub(u->p, o->p), dd3_sub(v->p, o->p));
}

static double largest(const point *r) { return v3_max_abs(dd3_to_vec3(r->p)); }

// Points on A and B at the place r4.p of the portal's plane.
static void to_shapes(const portal_search *s, point *r4)
{
    const point *r1 = &s->r1, *r2 = &s->r2, *r3 = &s->r3;
    sg_dd3 r21 = dd3_sub(r2->p, r1->p), r31 = dd3_sub(r3->p, r1->p), r41 = dd3_sub(r4->p, r1->p);
    sg_dd3 e = unit(dd3_cross(r21, r31)), n21 = dd3_cross(r21, e), n31 = dd3_cross(r31, e);
    sg_dd b21 = dd_div(dd3_dot(n31, r41), dd3_dot(n31, r21));
    sg_dd b31 = dd_div(dd3_dot(n21, r41), dd3_dot(n21, r31));
    r4->a = dd3_add(r1->a, dd3_add(dd3_scale(dd3_sub(r2->a, r1->a), b21),
                                   dd3_scale(dd3_sub(r3->a, r1->a), b31)));
    r4->b = dd3_add(r1->b, dd3_add(dd3_scale(dd3_sub(r2->b, r1->b), b21),
                                   dd3_scale(dd3_sub(r3->b, r1->b), b31)));
}

// Nearest point of the edge u, v to the origin.
static sg_dd nearest_on_edge(const point *u, const point *v, sg_dd3 e, sg_dd3 *q)
{
    sg_dd3 d = dd3_sub(v->p, u->p);
    sg_dd l = dd_neg(dd_div(dd3_dot(d, u->p), dd3_dot(d, d)));
    if (!(l.hi > 0.0))
        l = dd_from(0.0);
    if (l.hi > 1.0)
        l = dd_from(1.0);
    *q = dd3_add(u->p, dd3_scale(d, l));
    sg_dd distance = dd3_norm(*q);
    return dot(*q, e) > 0.0 ? dd_neg(distance) : distance;
}

// The point of the portal nearest to the origin, the thesis' distanceToPortal.
static sg_dd distance_to_portal(const portal_search *s, sg_dd3 *q, bool *inside)
{
    const point *r1 = &s->r1, *r2 = &s->r2, *r3 = &s->r3;
    sg_dd3 r21 = dd3_sub(r2->p, r1->p), r31 = dd3_sub(r3->p, r1->p);
    sg_dd3 e = unit(dd3_cross(r21, r31));
    if (dot(s->r0.p, e) > 0.0)
        e = dd3_neg(e);
    sg_dd la = dd3_dot(e, r1->p);
    *q = dd3_scale(e, la);
    sg_dd3 r41 = dd3_sub(*q, r1->p), n21 = dd3_cross(r21, e), n31 = dd3_cross(r31, e);
    double b21 = dd_to_double(dd_div(dd3_dot(n31, r41), dd3_dot(n31, r21)));
    double b31 = dd_to_double(dd_div(dd3_dot(n21, r41), dd3_dot(n21, r31)));
    *inside = b21 >= 0.0 && b31 >= 0.0 && b21 + b31 <= 1.0;
    if (*inside)
        return dd_neg(la);
    sg_dd3 other;
    sg_dd best = nearest_on_edge(r1, r2, e, q), d = nearest_on_edge(r1, r3, e, &other);
    if (dd_abs(d).hi <= dd_abs(best).hi) {
        best = d;
        *q = other;
    }
    d = nearest_on_edge(r2, r3, e, &other);
    if (dd_abs(d).hi <= dd_abs(best).hi) {
        best = d;
        *q = other;
    }
    return best;
}

// Spheres and ellipsoids have a point of their own for every direction e. The normal n differs from
// e on the portal's border, where it is the one that spans both points.
static void align_round(const portal_search *s, sg_dd3 e, sg_dd3 *n, sg_dd *d, point *r)
{
    bool ra = s->a->form->is_round, rb = s->b->form->is_round,
         reference = s->options->reference_shapes;
    if (ra)
        r->a = sg_support_dd(s->a, s->pose_a, e, reference);
    if (rb)
        r->b = sg_support_dd(s->b, s->pose_b, dd3_neg(e), reference);
    if (ra && rb) {
        sg_dd3 ab = dd3_sub(r->b, r->a);
        sg_dd apart = dd3_norm(ab);
        *d = d->hi < 0.0 ? dd_neg(apart) : apart;
        if (!s->options->reference_scaling && apart.hi > SG_DD_NEPS)
            *n = dd3_scale(ab, dd_div(dd_from(1.0), *d));
    } else if (ra) {
        r->b = dd3_add(r->a, dd3_scale(*n, *d));
    } else if (rb) {
        r->a = dd3_sub(r->b, dd3_scale(*n, *d));
    }
}

static void store(const portal_search *s, sg_dd d, sg_dd3 n, point r, sg_mpr_result *out)
{
    align_round(s, r.n, &n, &d, &r);
    out->delta = dd_to_double(d);
    out->n = dd3_to_vec3(n);
    out->a = dd3_to_vec3(r.a);
    out->b = dd3_to_vec3(r.b);
}

static void finish(portal_search *s, sg_mpr_end end, sg_mpr_result *out)
{
    point r4 = s->r4;
    sg_dd3 n = r4.n;
    sg_dd d;
    out->end = end;
    out->lower = -dot(r4.p, r4.n);
    out->inside_portal = true;
    if (end == SG_MPR_TC2) {
        d = dd_neg(dd3_dot(r4.n, r4.p));
    } else {
        d = distance_to_portal(s, &r4.p, &out->inside_portal);
        // On the portal's border the normal is the one that spans both points, [NO2017] 4.
        if (!out->inside_portal && !s->options->reference_scaling && fabs(d.hi) > SG_DD_NEPS)
            n = dd3_scale(r4.p, dd_div(dd_from(-1.0), d));
    }
    to_shapes(s, &r4);
    store(s, d, n, r4, out);
    const point *corner[3] = {&s->r1, &s->r2, &s->r3};
    for (int i = 0; i < 3; i++) {
        out->portal_a[i] = dd3_to_vec3(corner[i]->a);
        out->portal_b[i] = dd3_to_vec3(corner[i]->b);
    }
    out->has_portal = true;
}

// A direction of the first portal. In the scale of the published program the result depends on
// which corners of a box it has, and these on the signs of coordinates that only roundings keep
// from zero. Zero it is then, so that the scale is the same however the numbers came about.
static sg_dd3 steady(const portal_search *s, sg_dd3 v)
{
    const double rounding = 4.0 * DBL_EPSILON;
    sg_dd3 e = unit(v);
    if (!s->options->steady_portal)
        return e;
    sg_dd *part[3] = {&e.x, &e.y, &e.z};
    for (int i = 0; i < 3; i++)
        if (fabs(part[i]->hi) < rounding)
            *part[i] = dd_from(0.0);
    return e;
}

// Phase 1: inner point and three support points. *done when TC1 ended the search.
static sg_status first_portal(portal_search *s, sg_mpr_result *out, bool *done)
{
    sg_vec3 ca = sg_shape_centroid(s->a, s->pose_a), cb = sg_shape_centroid(s->b, s->pose_b);
    *done = false;
    s->r0.p = dd3_sub(dd3_from(ca), dd3_from(cb));
    s->r0.n = dd3_neg(s->r0.p);
    if (is_zero(s->r0.p))
        return fail(out, SG_ERR_INPUT, "Too large penetration: Centers are overlapping.");
    s->r1 = support(s, steady(s, s->r0.n));
    sg_dd3 n2 = dd3_cross(s->r0.n, s->r1.p);
    if (is_zero(n2)) {
        out->end = SG_MPR_TC1;
        out->reached = length(n2);
        out->inside_portal = true;
        sg_dd d = dd_neg(dd3_dot(s->r1.p, s->r1.n));
        out->lower = dd_to_double(d);
        store(s, d, s->r1.n, s->r1, out);
        *done = true;
        return SG_OK;
    }
    n2 = steady(s, n2);
    s->r2 = support(s, n2);
    sg_dd3 n3 = cross_from(&s->r0, &s->r1, &s->r2);
    if (is_zero(n3)) {
        s->r2 = support(s, dd3_neg(n2));
        n3 = cross_from(&s->r0, &s->r1, &s->r2);
        if (is_zero(n3))
            return fail(out, SG_ERR_INPUT, planar);
    }
    if (dot(n3, s->r0.p) >= 0.0)
        n3 = dd3_neg(n3);
    s->r3 = support(s, steady(s, n3));
    if (is_zero(cross_from(&s->r1, &s->r2, &s->r3))) {
        s->r3 = support(s, dd3_neg(s->r3.n));
        if (is_zero(cross_from(&s->r1, &s->r2, &s->r3)))
            return fail(out, SG_ERR_INPUT, planar);
    }
    return SG_OK;
}

static void scale_portal(portal_search *s, sg_mpr_result *out)
{
    double x = fmax(fmax(largest(&s->r0), largest(&s->r1)), fmax(largest(&s->r2), largest(&s->r3)));
    out->scale = x;
    s->scale = 1.0 / x;
    point *all[4] = {&s->r0, &s->r1, &s->r2, &s->r3};
    for (int i = 0; i < 4; i++)
        all[i]->p = dd3_scale(all[i]->p, dd_from(s->scale));
}

// Phase 2: exchanges points until the ray from r0 through the origin pierces the portal.
static sg_status valid_portal(portal_search *s, sg_mpr_result *out)
{
    // The tests below need the origin on the positive side of r0, r1, r2. The published program
    // tests with the other sign, does not look at the side first, and gets there all the same.
    if (s->turn > 0.0 && dot(cross_from(&s->r0, &s->r1, &s->r2), s->r0.p) > 0.0) {
        point t = s->r1;
        s->r1 = s->r2;
        s->r2 = t;
    }
    for (out->phase2 = 1; out->phase2 <= s->options->max_iterations; out->phase2++) {
        sg_dd3 n = cross_from(&s->r0, &s->r1, &s->r3);
        if (s->turn * dot(n, s->r0.p) < 0.0) {
            s->r2 = s->r3;
        } else {
            n = cross_from(&s->r0, &s->r3, &s->r2);
            if (s->turn * dot(n, s->r0.p) >= 0.0)
                return SG_OK;
            s->r1 = s->r3;
        }
        if (is_zero(n))
            return fail(out, SG_ERR_INPUT, planar);
        s->r3 = support(s, unit(n));
    }
    return fail(out, SG_ERR_LIMIT,
                "Phase 2 of MPR did not converge; consider to increase mprIterMax.");
}

static void keep_best(portal_search *s, double tc, sg_mpr_end end)
{
    if (!(tc < s->best))
        return;
    s->best = tc;
    s->best_end = end;
    s->b1 = s->r1;
    s->b2 = s->r2;
    s->b3 = s->r3;
    s->b4 = s->r4;
}

static void finish_with_best(portal_search *s, const char *message, sg_mpr_result *out)
{
    s->r1 = s->b1;
    s->r2 = s->b2;
    s->r3 = s->b3;
    s->r4 = s->b4;
    out->reached = s->best;
    out->message = message;
    finish(s, s->best_end, out);
}

// Whether the ray pierces the triangle u, v, r4, which turns as phase 2 leaves the portal.
static bool is_next_portal(const portal_search *s, const point *u, const point *v)
{
    return s->turn * dot(cross_from(&s->r0, v, &s->r4), s->r0.n) >= 0.0 &&
           s->turn * dot(cross_from(&s->r0, &s->r4, u), s->r0.n) >= 0.0;
}

// Of the three triangles with r4, the one that the ray pierces.
static bool refine(portal_search *s)
{
    if (is_next_portal(s, &s->r1, &s->r2))
        s->r3 = s->r4;
    else if (is_next_portal(s, &s->r2, &s->r3))
        s->r1 = s->r4;
    else if (is_next_portal(s, &s->r3, &s->r1))
        s->r2 = s->r4;
    else
        return false;
    return true;
}

// Phase 3: refines the portal until a termination condition holds.
static sg_status refine_portal(portal_search *s, sg_mpr_result *out)
{
    double tol = s->options->tolerance;
    s->best = INFINITY;
    for (out->phase3 = 1; out->phase3 <= s->options->max_iterations; out->phase3++) {
        sg_dd3 n4 = cross_from(&s->r1, &s->r2, &s->r3);
        if (is_zero(n4)) {
            s->r3 = support(s, dd3_neg(s->r3.n));
            n4 = cross_from(&s->r1, &s->r2, &s->r3);
            if (is_zero(n4)) {
                if (isfinite(s->best))
                    break;
                return fail(out, SG_ERR_INPUT, planar);
            }
        }
        if (dot(n4, s->r0.p) >= 0.0)
            n4 = dd3_neg(n4);
        s->r4 = support(s, unit(n4));
        double tc2 = length(dd3_cross(s->r4.p, s->r4.n));
        double tc3 = fabs(dot(dd3_sub(s->r4.p, s->r1.p), s->r4.n));
        if (tc2 < tol || tc3 < tol) {
            out->reached = tc2 < tol ? tc2 : tc3;
            finish(s, tc2 < tol ? SG_MPR_TC2 : SG_MPR_TC3, out);
            return SG_OK;
        }
        keep_best(s, tc2, SG_MPR_TC2);
        keep_best(s, tc3, SG_MPR_TC3);
        if (!refine(s)) {
            finish_with_best(s,
                             "Numerical issues with distance computation; "
                             "MPR terminated with a larger mprTol.",
                             out);
            return SG_OK;
        }
    }
    finish_with_best(s,
                     "MPR terminated at mprIterMax with a larger mprTol; "
                     "consider to increase mprIterMax or mprTol.",
                     out);
    return SG_OK;
}

sg_status sg_mpr(const sg_shape *a, const sg_pose *pose_a, const sg_shape *b, const sg_pose *pose_b,
                 const sg_mpr_options *options, sg_mpr_result *result)
{
    portal_search s = {.a = a,
                       .b = b,
                       .pose_a = pose_a,
                       .pose_b = pose_b,
                       .options = options,
                       .scale = 1.0,
                       .turn = options->reference_shapes ? -1.0 : 1.0};
    *result = (sg_mpr_result){.scale = 1.0};
    if (!v3_is_finite(pose_a->r) || !v3_is_finite(pose_b->r) || v3_max_abs(pose_a->r) > 1e40 ||
        v3_max_abs(pose_b->r) > 1e40 || !(m3_rotation_error(&pose_a->R) < 1e-3) ||
        !(m3_rotation_error(&pose_b->R) < 1e-3))
        return fail(result, SG_ERR_INPUT, "The pose of a shape is not finite or not a rotation.");
    bool done;
    sg_status status = first_portal(&s, result, &done);
    if (status || done)
        return status;
    if (options->reference_scaling)
        scale_portal(&s, result);
    status = valid_portal(&s, result);
    if (!status)
        status = refine_portal(&s, result);
    if (!status && !(isfinite(result->delta) && v3_is_finite(result->n)))
        return fail(result, SG_ERR_LIMIT, "No answer within the numbers' range.");
    return status;
}
