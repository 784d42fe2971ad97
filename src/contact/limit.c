#include "contact/limit.h"

#include "math/scalar.h"

// Beyond this ratio of its axes a patch counts as an ellipse of this ratio.
static const double most_slender = 0.5;

sg_limit sg_limit_make(sg_vec3 n, double arm, sg_vec3 along, const double second[2])
{
    double r2 = arm * arm, ratio2 = most_slender * most_slender;
    double across = fmax(second[1], ratio2 * second[0]);
    double a = second[0] > 0.0 ? sqrt(across / second[0]) : 1.0;
    sg_limit out = {
        .axis = {along, v3_cross(n, along)},
        .arm = arm,
        // A patch without extent turns without resistance, so any numbers will do there.
        .slides = {0.5625, 0.5625},
        // Between ellipse and rectangle: 0.667 and 0.674 at 1, 0.825 and 0.856, 0.586 and 0.571 at
        // 1/2.
        .turns = {0.5 * log(2.0 / a + 0.95 + 0.85 * a), 0.515 + 0.1 * a + 0.055 * a * a},
    };
    if (second[0] > 0.0 && r2 > 0.0) {
        out.slides[0] = second[0] / r2;
        out.slides[1] = across / r2;
    }
    return out;
}

// The square of the share is G = (s + sqrt(s^2 + 4 c x y)) / 2 with s = x + y, a function of the
// squares a, b and y of the two forces and of the torque, so that its slope is 2 force dG/da, ...
typedef struct mixture {
    double unit, f0, f1, m; // in units of the largest, so that squares of forces that fade away are
    double a, b, x, y, s;   // still numbers
    bool mixed;             // force and torque are both there; else nothing follows
    double q, z, ky2, n, k, c, root;
} mixture;

// The share in this unit; 0 where there is nothing.
static double mix(const sg_limit *l, sg_vec3 force, double torque, mixture *u)
{
    u->f0 = v3_dot(force, l->axis[0]);
    u->f1 = v3_dot(force, l->axis[1]);
    u->m = l->arm > 0.0 ? torque / l->arm : 0.0;
    u->unit = s_max(s_max(fabs(u->f0), fabs(u->f1)), fabs(u->m));
    if (!(u->unit > 0.0))
        return 0.0;
    u->f0 /= u->unit;
    u->f1 /= u->unit;
    u->m /= u->unit;
    u->a = u->f0 * u->f0;
    u->b = u->f1 * u->f1;
    u->y = u->m * u->m;
    u->x = u->a + u->b;
    u->s = u->x + u->y;
    // Next to a pole the mixed term is less than a rounding.
    u->mixed = u->x > 1e-20 * u->s && u->y > 1e-20 * u->s;
    if (!u->mixed)
        return sqrt(u->s);
    u->q = l->slides[0] * u->a + l->slides[1] * u->b; // k_x x
    u->z = u->a / l->turns[0] + u->b / l->turns[1];   // x / k_y
    u->ky2 = u->x * u->x / (u->z * u->z);
    u->n = u->q * u->q / u->x + u->ky2 * u->y;
    u->k = sqrt(u->n / u->s);
    u->c = 1.0 / u->k - 1.0;
    u->root = sqrt(u->s * u->s + 4.0 * u->c * u->x * u->y);
    return sqrt(0.5 * (u->s + u->root));
}

double sg_limit_share_of(const sg_limit *l, sg_vec3 force, double torque)
{
    mixture u;
    double share = mix(l, force, torque, &u);
    return share * u.unit;
}

sg_limit_use sg_limit_use_of(const sg_limit *l, sg_vec3 force, double torque)
{
    mixture u;
    sg_limit_use out = {mix(l, force, torque, &u), V3_ZERO, 0.0};
    if (out.share == 0.0)
        return out;
    double da = 1.0, db = 1.0, dy = 1.0;
    if (u.mixed) {
        double common = 2.0 * u.ky2 * u.y / u.x - u.q * u.q / (u.x * u.x);
        double per_z = 2.0 * u.ky2 * u.y / u.z, xy = u.x * u.y;
        double na = 2.0 * u.q * l->slides[0] / u.x + common - per_z / l->turns[0];
        double nb = 2.0 * u.q * l->slides[1] / u.x + common - per_z / l->turns[1];
        double dc = -1.0 / (2.0 * u.k * u.k * u.k * u.s), per_s = u.n / u.s;
        da = 0.5 + 0.5 * (u.s + 2.0 * (u.c * u.y + xy * dc * (na - per_s))) / u.root;
        db = 0.5 + 0.5 * (u.s + 2.0 * (u.c * u.y + xy * dc * (nb - per_s))) / u.root;
        dy = 0.5 + 0.5 * (u.s + 2.0 * (u.c * u.x + xy * dc * (u.ky2 - per_s))) / u.root;
    }
    double scale = 1.0 / out.share;
    out.slip =
        v3_add(v3_scale(l->axis[0], scale * da * u.f0), v3_scale(l->axis[1], scale * db * u.f1));
    out.spin = scale * dy * u.m;
    out.share *= u.unit;
    return out;
}
