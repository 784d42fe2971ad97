#include "collide/support.h"

#include "math/scalar.h"

static double pick(double n, double half) { return n < 0.0 ? -half : half; }

// A point on a circle of radius r around the axis; any point when the direction is along it.
static sg_vec3 rim(double r, double z, sg_vec3 n, double across)
{
    if (across > 0.0) {
        double s = r / across;
        return (sg_vec3){s * n.x, s * n.y, z};
    }
    return (sg_vec3){r, 0.0, z};
}

// The ellipsoid's own point less the ball that was set aside.
static sg_vec3 ellipsoid(const sg_shape *shape, sg_vec3 n)
{
    sg_vec3 hn = v3_mul(shape->half, n), h = shape->half;
    double s = 1.0 / v3_norm(hn), rho = shape->radius;
    return (sg_vec3){h.x * hn.x * s - rho * n.x, h.y * hn.y * s - rho * n.y,
                     h.z * hn.z * s - rho * n.z};
}

static sg_vec3 stadium(sg_vec3 half, double z, double y, sg_vec3 n)
{
    double across = sqrt(n.x * n.x + n.z * n.z);
    if (!(across > 0.0))
        return (sg_vec3){half.x, y, z};
    double s = half.x / across;
    return (sg_vec3){s * n.x, y, z + s * n.z};
}

sg_vec3 sg_support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    const sg_vec3 *h = &shape->half;
    switch (shape->core) {
    case SG_CORE_POINT:
        *piece = 0;
        return V3_ZERO;
    case SG_CORE_SEGMENT:
        *piece = n.z < 0.0;
        return (sg_vec3){0.0, 0.0, pick(n.z, h->z)};
    case SG_CORE_BOX:
        *piece = (n.x < 0.0 ? 1u : 0u) | (n.y < 0.0 ? 2u : 0u) | (n.z < 0.0 ? 4u : 0u);
        return (sg_vec3){pick(n.x, h->x), pick(n.y, h->y), pick(n.z, h->z)};
    case SG_CORE_ELLIPSOID:
        *piece = 0;
        return ellipsoid(shape, n);
    case SG_CORE_FRUSTUM: {
        double across = sqrt(n.x * n.x + n.y * n.y);
        bool top = shape->rt * across + shape->z1 * n.z > shape->rb * across + shape->z0 * n.z;
        *piece = top;
        return top ? rim(shape->rt, shape->z1, n, across) : rim(shape->rb, shape->z0, n, across);
    }
    case SG_CORE_STADIUM:
        *piece = (n.z < 0.0 ? 1u : 0u) | (n.y < 0.0 ? 2u : 0u);
        return stadium(*h, pick(n.z, h->z), pick(n.y, h->y), n);
    case SG_CORE_MESH:
        *piece = sg_mesh_support(shape->mesh, n, hint);
        return sg_mesh_vertex(shape->mesh, *piece);
    }
    *piece = 0;
    return V3_ZERO;
}

sg_vec3 sg_support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    const sg_vec3 *h = &shape->half;
    switch (shape->core) {
    case SG_CORE_POINT:
        return V3_ZERO;
    case SG_CORE_SEGMENT:
        return (sg_vec3){0.0, 0.0, piece ? -h->z : h->z};
    case SG_CORE_BOX:
        return (sg_vec3){piece & 1 ? -h->x : h->x, piece & 2 ? -h->y : h->y,
                         piece & 4 ? -h->z : h->z};
    case SG_CORE_ELLIPSOID:
        return ellipsoid(shape, n);
    case SG_CORE_FRUSTUM: {
        double across = sqrt(n.x * n.x + n.y * n.y);
        return piece ? rim(shape->rt, shape->z1, n, across) : rim(shape->rb, shape->z0, n, across);
    }
    case SG_CORE_STADIUM:
        return stadium(*h, piece & 1 ? -h->z : h->z, piece & 2 ? -h->y : h->y, n);
    case SG_CORE_MESH:
        return sg_mesh_vertex(shape->mesh, piece);
    }
    return V3_ZERO;
}

static void add_outer(double s, double t1, double t2, double c[3])
{
    c[0] += s * t1 * t1;
    c[1] += s * t1 * t2;
    c[2] += s * t2 * t2;
}

bool sg_support_curvature(const sg_shape *shape, uint32_t piece, sg_vec3 n, sg_vec3 e1, sg_vec3 e2,
                          double c[3])
{
    const sg_vec3 *h = &shape->half;
    switch (shape->core) {
    case SG_CORE_ELLIPSOID: {
        // h(n) = |D n|; its Hessian is (D D - p p') / h with the support point p = D D n / h. The
        // ball set aside takes its radius off every curvature.
        sg_vec3 hn = v3_mul(*h, n);
        double s = 1.0 / v3_norm(hn);
        sg_vec3 p = v3_scale(v3_mul(*h, hn), s), d1 = v3_mul(*h, e1), d2 = v3_mul(*h, e2);
        double p1 = v3_dot(p, e1), p2 = v3_dot(p, e2);
        c[0] += s * (v3_dot(d1, d1) - p1 * p1) - shape->radius;
        c[1] += s * (v3_dot(d1, d2) - p1 * p2);
        c[2] += s * (v3_dot(d2, d2) - p2 * p2) - shape->radius;
        return true;
    }
    case SG_CORE_FRUSTUM: {
        double r = piece ? shape->rt : shape->rb, a2 = n.x * n.x + n.y * n.y;
        if (r == 0.0)
            return true;
        if (!(a2 > 0.0))
            return false;
        double t1 = n.x * e1.y - n.y * e1.x, t2 = n.x * e2.y - n.y * e2.x;
        add_outer(r / (a2 * sqrt(a2)), t1, t2, c);
        return true;
    }
    case SG_CORE_STADIUM: {
        double a2 = n.x * n.x + n.z * n.z;
        if (!(a2 > 0.0))
            return false;
        double t1 = n.z * e1.x - n.x * e1.z, t2 = n.z * e2.x - n.x * e2.z;
        add_outer(h->x / (a2 * sqrt(a2)), t1, t2, c);
        return true;
    }
    case SG_CORE_POINT:
    case SG_CORE_SEGMENT:
    case SG_CORE_BOX:
    case SG_CORE_MESH:
        break; // corners: the support function is linear
    }
    return true;
}

// How much of its curvature at n the support function |D n| of an ellipsoid keeps for the bound of
// sg_support_least_curvature. With h = |D n|, the slope g along the unit tangent u, and c, s the
// cosine and sine of the way,
//
//     |D (c n + s u)|^2 = (c h + s g)^2 + s^2 h H(u),   so
//     |D (c n + s u)| = c h + s g + s^2 h H(u) / (|D (c n + s u)| + c h + s g) .
//
// With b = (|D u| + |g|) / (2 h) the denominator is at most 2 h (c + s b), or 2 h s b where c is
// negative. With t the tangent of half the way, that makes (1 - c) / (1 - t^2 + 2 t b) of s^2 h
// over it up to t = 1 and (1 - c) / (2 t b) beyond.
static double kept_curvature(double b, double tau)
{
    double t = s_min(b, s_min(tau, 1.0)), most = 1.0 - t * t + 2.0 * t * b;
    return 1.0 / s_max(most, tau > 1.0 ? 2.0 * tau * b : most);
}

// The same for a rim of radius 1, an ellipsoid without height: a factor of the square of the way
// across its plane. It is a times that plane's part of n; `axial` is the other part. Nowhere is the
// curvature radius less than the constant 1 / a^3, which is the better bound where a is near 1.
static double least_of_rim(double a2, double axial, double tau)
{
    double a = sqrt(a2), most = tau < 1.0 ? s_min(1.0, a + 2.0 * tau / (1.0 + tau * tau)) : 1.0;
    double steady = 1.0 / (most * most * most);
    if (!(a > 0.0))
        return steady;
    return s_max(steady, kept_curvature(0.5 * (1.0 + fabs(axial)) / a, tau) / (a * a2));
}

void sg_support_least_curvature(const sg_shape *shape, uint32_t met, sg_vec3 n, double tau,
                                sg_vec3 e1, sg_vec3 e2, double c[3])
{
    const sg_vec3 *h = &shape->half;
    switch (shape->core) {
    case SG_CORE_ELLIPSOID: {
        sg_vec3 hn = v3_mul(*h, n), d1 = v3_mul(*h, e1), d2 = v3_mul(*h, e2);
        double s = 1.0 / v3_norm(hn), g1 = s * v3_dot(hn, d1), g2 = s * v3_dot(hn, d2);
        double D[3] = {v3_dot(d1, d1), v3_dot(d1, d2), v3_dot(d2, d2)}; // |D u|^2
        double half = 0.5 * (D[0] - D[2]);
        double most = 0.5 * (D[0] + D[2]) + sqrt(half * half + D[1] * D[1]);
        double b = 0.5 * s * (sqrt(most) + sqrt(g1 * g1 + g2 * g2)), q = s * kept_curvature(b, tau);
        c[0] += q * (D[0] - g1 * g1) - shape->radius;
        c[1] += q * (D[1] - g1 * g2);
        c[2] += q * (D[2] - g2 * g2) - shape->radius;
        return;
    }
    case SG_CORE_FRUSTUM: {
        double r = met == 1 ? shape->rb : met == 2 ? shape->rt : s_min(shape->rb, shape->rt);
        add_outer(r * least_of_rim(n.x * n.x + n.y * n.y, n.z, tau), n.x * e1.y - n.y * e1.x,
                  n.x * e2.y - n.y * e2.x, c);
        return;
    }
    case SG_CORE_STADIUM:
        add_outer(h->x * least_of_rim(n.x * n.x + n.z * n.z, n.y, tau), n.z * e1.x - n.x * e1.z,
                  n.z * e2.x - n.x * e2.z, c);
        return;
    case SG_CORE_POINT:
    case SG_CORE_SEGMENT:
    case SG_CORE_BOX:
    case SG_CORE_MESH:
        break;
    }
}
