#include "contact/impact.h"

#include "base/number.h"

#include <math.h>
#include <stdbool.h>

// Directions of sliding that are tried, before one is found by halving.
enum { DIRECTIONS = 72, HALVINGS = 60 };

// One phase: the impulse along n is given, or follows from u n = 0 at the end.
typedef struct phase {
    const sg_impact *impact;
    sg_vec3 e1, e2; // across n
    sg_vec3 u;      // before it
    double normal;  // the impulse along n; negative: that which ends the approach
} phase;

static sg_vec3 after(const phase *f, sg_vec3 P) { return v3_add(f->u, m3_mul_v(&f->impact->W, P)); }

// Below this share of the largest determinant with such columns a system has no solution: the
// bodies cannot move in some direction at all.
static const double singular = 1e-12;

// x with x.x a + x.y b + x.z c = r, by Cramer's rule.
static bool solve3(sg_vec3 a, sg_vec3 b, sg_vec3 c, sg_vec3 r, sg_vec3 *x)
{
    double D = v3_dot(a, v3_cross(b, c)), size = v3_norm(a) * v3_norm(b) * v3_norm(c);
    if (!(fabs(D) > singular * size))
        return false;
    *x = v3_make(v3_dot(r, v3_cross(b, c)) / D, v3_dot(a, v3_cross(r, c)) / D,
                 v3_dot(a, v3_cross(b, r)) / D);
    return true;
}

// The impulse that ends all sliding; false if there is none, or it takes more than friction.
static bool stick(const phase *f, sg_vec3 *P)
{
    const sg_mat3 *W = &f->impact->W;
    sg_vec3 n = f->impact->n, axes[3] = {f->e1, f->e2, n}, column[3], rest = v3_neg(f->u), x;
    for (int i = 0; i < 3; i++)
        column[i] = m3_mul_v(W, axes[i]);
    if (f->normal >= 0.0) // the part along n is known, and the speed along it free
        column[2] = n, rest = v3_add_scaled(rest, m3_mul_v(W, n), -f->normal);
    if (!solve3(column[0], column[1], column[2], rest, &x))
        return false;
    double along = f->normal >= 0.0 ? f->normal : x.z;
    *P = v3_add_scaled(v3_add_scaled(v3_scale(f->e1, x.x), f->e2, x.y), n, along);
    return along >= 0.0 && sqrt(x.x * x.x + x.y * x.y) <= f->impact->friction * along;
}

static sg_vec3 direction(const phase *f, double angle)
{
    return v3_add_scaled(v3_scale(f->e1, cos(angle)), f->e2, sin(angle));
}

// The impulse of sliding along `d` throughout; false if none ends the approach.
static bool slide(const phase *f, sg_vec3 d, sg_vec3 *P)
{
    sg_vec3 unit = v3_add_scaled(f->impact->n, d, -f->impact->friction);
    double size = f->normal;
    if (size < 0.0) {
        double yields = v3_dot(f->impact->n, m3_mul_v(&f->impact->W, unit));
        size = -v3_dot(f->impact->n, f->u) / yields;
        if (!(yields > 0.0) || !isfinite(size))
            return false;
    }
    *P = v3_scale(unit, size);
    return true;
}

// Zero where the sliding at the end has the direction that was taken for it; NaN if there is none.
static double turned(const phase *f, double angle, double *along)
{
    sg_vec3 d = direction(f, angle), P;
    if (!slide(f, d, &P))
        return (double)NAN;
    sg_vec3 u = after(f, P);
    *along = v3_dot(d, u);
    return v3_dot(f->impact->n, v3_cross(d, u));
}

// The direction of sliding, from that before on to either side.
static bool find_sliding(const phase *f, double first, sg_vec3 *P)
{
    double step = SG_TWO_PI / DIRECTIONS, along;
    for (int k = 0; k < DIRECTIONS; k++) {
        int turn = k % 2 ? -(k + 1) / 2 : k / 2;
        double low = first + turn * step, high = low + step, a = turned(f, low, &along),
               b = turned(f, high, &along);
        if (!(a * b <= 0.0))
            continue;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = 0.5 * (low + high), c = turned(f, middle, &along);
            if (a * c <= 0.0) {
                high = middle;
            } else {
                low = middle;
                a = c;
            }
        }
        double angle = 0.5 * (low + high);
        turned(f, angle, &along);
        if (along > 0.0)
            return slide(f, direction(f, angle), P);
    }
    return false;
}

static bool solve_phase(const phase *f, sg_vec3 *P)
{
    if (f->impact->friction == 0.0)
        return slide(f, f->e1, P);
    if (stick(f, P))
        return true;
    double x = v3_dot(f->e1, f->u), y = v3_dot(f->e2, f->u), along;
    double first = atan2(y, x);
    // Where friction does not turn the direction, as of a ball, it is that before to the last bit.
    double off = turned(f, first, &along);
    if (along > 0.0 && fabs(off) <= 1e-14 * along)
        return slide(f, direction(f, first), P);
    return find_sliding(f, first, P);
}

sg_status sg_impact_solve(const sg_impact *impact, sg_vec3 *impulse, double *loss)
{
    phase f = {.impact = impact, .u = impact->u, .normal = -1.0};
    sg_vec3 compression, expansion;
    f.e1 = v3_perpendicular(impact->n);
    f.e2 = v3_cross(impact->n, f.e1);
    if (!solve_phase(&f, &compression))
        return SG_ERR_INPUT;
    f.u = after(&f, compression);
    f.normal = impact->restitution * v3_dot(impact->n, compression);
    if (!solve_phase(&f, &expansion))
        return SG_ERR_INPUT;
    *impulse = v3_add(compression, expansion);
    sg_vec3 change = m3_mul_v(&impact->W, *impulse);
    *loss = -v3_dot(*impulse, v3_add_scaled(impact->u, change, 0.5));
    return SG_OK;
}
