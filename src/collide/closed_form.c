#include "collide/closed_form.h"

#include "math/scalar.h"
#include "shapes/shape_form.h"

// Nearest points of the segments s w, |s| <= ha, and c + t u, |t| <= hb, with unit vectors w and u.
// The square distance is a convex quadratic of (s, t) over a rectangle: its free minimum if that is
// inside, else the best of the four edges.
static void nearest_of_segments(sg_vec3 w, double ha, sg_vec3 c, sg_vec3 u, double hb, double *s,
                                double *t)
{
    double b = v3_dot(w, u), d = v3_dot(u, c), e = v3_dot(w, c), den = 1.0 - b * b;
    if (den > 1e-12) {
        double t0 = (b * e - d) / den, s0 = e + t0 * b;
        if (fabs(t0) <= hb && fabs(s0) <= ha) {
            *s = s0;
            *t = t0;
            return;
        }
    }
    double best = INFINITY;
    for (int k = 0; k < 4; k++) {
        double ts = k == 0 ? hb : -hb, ss = k == 2 ? ha : -ha;
        if (k < 2)
            ss = s_max(-ha, s_min(ha, e + ts * b));
        else
            ts = s_max(-hb, s_min(hb, ss * b - d));
        double d2 = v3_norm2(v3_add_scaled(v3_add_scaled(c, u, ts), w, -ss));
        if (d2 < best) {
            best = d2;
            *s = ss;
            *t = ts;
        }
    }
}

static void two_capsules(const sg_shape *a, const sg_pose *fa, const sg_shape *b, const sg_pose *fb,
                         sg_closed_answer *out)
{
    sg_vec3 w = m3_column(&fa->R, 2), u = m3_column(&fb->R, 2), c = v3_sub(fb->r, fa->r);
    double s = 0.0, t = 0.0;
    nearest_of_segments(w, a->half.z, c, u, b->half.z, &s, &t);
    sg_vec3 d = v3_add_scaled(v3_add_scaled(c, u, t), w, -s);
    double length = v3_norm(d);
    // Crossing axes: the way out is across both; along parallel ones any side will do.
    sg_vec3 across = v3_cross(w, u);
    sg_vec3 lateral = v3_norm2(across) > 1e-24 ? v3_unit(across) : m3_column(&fa->R, 0);
    if (length > 1e-14 * (a->bound + b->bound))
        out->n = v3_scale(d, 1.0 / length);
    else
        out->n = v3_dot(lateral, c) < 0.0 ? v3_neg(lateral) : lateral;
    out->delta = length - a->radius - b->radius;
    out->middle = v3_add_scaled(fa->r, w, s);
    out->middle = v3_add_scaled(out->middle, out->n, a->radius + 0.5 * out->delta);
}

bool sg_closed_form(const sg_shape *a, const sg_pose *fa, const sg_shape *b, const sg_pose *fb,
                    sg_closed_answer *out)
{
    sg_core_field f;
    if (b->core == SG_CORE_POINT) {
        if (!a->form->from_core)
            return false;
        f = a->form->from_core(a, pose_inverse_point(fa, fb->r));
        out->n = m3_mul_v(&fa->R, f.g);
        out->delta = f.d - a->radius - b->radius;
        // Seen from B's center its own point is at -n radius, and halfway back is the middle.
        out->middle = v3_add_scaled(fb->r, out->n, -b->radius - 0.5 * out->delta);
        return true;
    }
    if (a->core == SG_CORE_POINT) {
        if (!b->form->from_core)
            return false;
        f = b->form->from_core(b, pose_inverse_point(fb, fa->r));
        out->n = v3_neg(m3_mul_v(&fb->R, f.g));
        out->delta = f.d - a->radius - b->radius;
        out->middle = v3_add_scaled(fa->r, out->n, a->radius + 0.5 * out->delta);
        return true;
    }
    if (a->core == SG_CORE_SEGMENT && b->core == SG_CORE_SEGMENT) {
        two_capsules(a, fa, b, fb, out);
        return true;
    }
    return false;
}
