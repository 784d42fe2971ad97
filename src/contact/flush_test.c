// Soft bodies that end at one plane or one rim: who stands out there by a rounding, and which way
// rounding tilts them, is nothing that a force may depend on. Along such an edge lies a part of the
// force that is as large as the overlap is deep, beside its width; for steel nobody would notice.
#include "contact/area_test.h"
#include "math/rotation.h"

#define PI 3.14159265358979323846

static sg_vec3 press(fixture *p, double depth, sg_vec3 n, sg_vec3 point)
{
    p->touch = (sg_area_touch){depth, n, point};
    SG_CHECK(sg_area_press(p->work, &p->law, p->place, &p->touch, &p->patch));
    return p->patch.force;
}

// However they are turned together: near the edges the softer of two boxes presses with its side,
// up to what the faces press. Where both are alike both did, over half of the depth, or neither.
SG_TEST(flush_boxes_press_alike_to_a_rounding)
{
    const double stiff[] = {1.0, 1.0 + 1e-15, 1.0 - 1e-9, 1.5, 0.3};
    fixture p;
    begin(&p);
    sg_rng rng = sg_rng_seeded(7);
    double d = 2e-3, l = 0.2;
    for (int i = 0; i < 2; i++)
        box(&p, i, v3_make(l, l, l), POSE_IDENTITY);
    for (int i = 0; i < 400; i++) {
        double a = 1e10, b = a * stiff[i % 5], soft = fmin(a, b), w = d * a * b / (a + b) / soft;
        double flat = l - 2.0 * w;
        double full = soft * w * (flat * flat + 2.0 * flat * w + 4.0 / 3.0 * w * w);
        double tiny = i % 4 ? pow(10.0, sg_rng_uniform(&rng, -18.0, -12.0)) : 0.0;
        sg_mat3 turn = i % 2 ? sg_rng_rotation(&rng) : M3_IDENTITY;
        sg_mat3 twist = i % 3 == 0 ? rot_3(tiny) : i % 3 == 1 ? rot_1(tiny) : rot_2(-tiny);
        sg_vec3 n = m3_column(&turn, 2);
        p.law.kappa[0] = a;
        p.law.kappa[1] = b;
        put(&p, 0, (sg_pose){turn, V3_ZERO});
        put(&p, 1,
            (sg_pose){m3_mul(turn, twist), m3_mul_v(&turn, v3_make(tiny, -0.3 * tiny, l - d))});
        sg_vec3 force = press(&p, d, n, m3_mul_v(&turn, v3_make(0.03, 0, 0.1)));
        double along = v3_dot(force, n), aside = v3_norm(v3_add_scaled(force, n, -along));
        SG_CHECK_MSG(fabs(along / full - 1.0) < 1e-9, "%d: %.3g of the force too much", i,
                     along / full - 1.0);
        SG_CHECK_MSG(aside < 1e-9 * full, "%d: %.3g of it aside", i, aside / full);
        SG_CHECK_MSG(v3_norm(p.patch.torque) < 1e-9 * full * l,
                     "%d: a torque of %.3g of it times the width", i,
                     v3_norm(p.patch.torque) / full / l);
    }
    end(&p);
}

// On a base in the plane z = 0, up to 0.2.
static void stand(fixture *p, int i, double radius, double top)
{
    const char *why;
    sg_status status =
        radius == top
            ? sg_shape_cylinder(2, 2.0 * radius, 0.2, 0.0, &p->shape[i], &why)
            : sg_shape_cone(2, 2.0 * radius, 2.0 * top, 0.2, 0.0, 0.0, &p->shape[i], &why);
    SG_CHECK(status == SG_OK);
}

// Two cylinders, a frustum on one that goes on as it does, a cylinder on a frustum.
SG_TEST(flush_rims_press_alike_to_a_rounding)
{
    double d = 1e-3, r = 0.1, full = 0.5e10 * d * PI * r * (r - 0.5 * d);
    const double below[] = {0.1, 0.15, 0.15}, above[] = {0.1, 0.05, 0.1}; // radii of other ends
    for (int kind = 0; kind < 3; kind++) {
        fixture p;
        begin(&p);
        sg_vec3 first = V3_ZERO, up = v3_make(0, 0, 1);
        stand(&p, 0, below[kind], r);
        stand(&p, 1, r, above[kind]);
        p.law.kappa[0] = p.law.kappa[1] = 1e10;
        double low = below[kind] == r ? -0.1 : -0.2, high = above[kind] == r ? 0.1 : 0.0;
        put(&p, 0, pose_translation(v3_make(0, 0, low)));
        for (int i = 0; i < 32; i++) {
            double angle = 2.0 * PI * i / 32.0, tilt = i ? 1e-13 * ldexp(1.0, -(i % 9)) : 0.0;
            sg_vec3 axis = v3_make(cos(angle), sin(angle), 0);
            put(&p, 1, (sg_pose){rot_axis(axis, tilt), v3_make(0, 0, high - d)});
            sg_vec3 force =
                press(&p, d, up, v3_make(-0.9 * r * axis.y, 0.9 * r * axis.x, -0.5 * d));
            first = i ? first : force;
            SG_CHECK_MSG(v3_distance(force, first) < 1e-8 * full, "%d, turn %d: off by %.3g", kind,
                         i, v3_distance(force, first) / full);
        }
        SG_CHECK_MSG(fabs(first.z / full - 1.0) < 5e-3, "%d: %.3g off", kind, first.z / full - 1.0);
        SG_CHECK_MSG(hypot(first.x, first.y) < 1e-5 * full, "%d: %.3g aside", kind,
                     hypot(first.x, first.y) / full);
        end(&p);
    }
}
