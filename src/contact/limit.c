#include "contact/limit.h"

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
sg_limit_use sg_limit_use_of(const sg_limit *l, sg_vec3 force, double torque)
{
    double f0 = v3_dot(force, l->axis[0]), f1 = v3_dot(force, l->axis[1]);
    double m = l->arm > 0.0 ? torque / l->arm : 0.0;
    // In units of the largest, so that squares of forces that fade away are still numbers.
    double unit = fmax(fmax(fabs(f0), fabs(f1)), fabs(m));
    if (!(unit > 0.0))
        return (sg_limit_use){0};
    f0 /= unit;
    f1 /= unit;
    m /= unit;
    double a = f0 * f0, b = f1 * f1, y = m * m, x = a + b, s = x + y;
    sg_limit_use out = {sqrt(s), V3_ZERO, 0.0};
    double da = 1.0, db = 1.0, dy = 1.0;
    // Next to a pole the mixed term is less than a rounding.
    if (x > 1e-20 * s && y > 1e-20 * s) {
        double q = l->slides[0] * a + l->slides[1] * b; // k_x x
        double z = a / l->turns[0] + b / l->turns[1];   // x / k_y
        double ky2 = x * x / (z * z), n = q * q / x + ky2 * y, k = sqrt(n / s);
        double c = 1.0 / k - 1.0, root = sqrt(s * s + 4.0 * c * x * y);
        double square = 0.5 * (s + root);
        double common = 2.0 * ky2 * y / x - q * q / (x * x), per_z = 2.0 * ky2 * y / z;
        double na = 2.0 * q * l->slides[0] / x + common - per_z / l->turns[0];
        double nb = 2.0 * q * l->slides[1] / x + common - per_z / l->turns[1];
        double dc = -1.0 / (2.0 * k * k * k * s), per_s = n / s;
        da = 0.5 + 0.5 * (s + 2.0 * (c * y + x * y * dc * (na - per_s))) / root;
        db = 0.5 + 0.5 * (s + 2.0 * (c * y + x * y * dc * (nb - per_s))) / root;
        dy = 0.5 + 0.5 * (s + 2.0 * (c * x + x * y * dc * (ky2 - per_s))) / root;
        out.share = sqrt(square);
    }
    double scale = 1.0 / out.share;
    out.slip = v3_add(v3_scale(l->axis[0], scale * da * f0), v3_scale(l->axis[1], scale * db * f1));
    out.spin = scale * dy * m;
    out.share *= unit;
    return out;
}
