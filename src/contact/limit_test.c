#include "contact/limit.h"

#include "harness/sg_test_math.h"

#include <stdlib.h>

// Coulomb's law at each point of a patch under even pressure, mu N = 1.
enum { GRID = 120 };

typedef struct points {
    sg_vec3 x[GRID * GRID];
    double w[GRID * GRID];
    double arm, second[2];
} points;

static void measure(points *p)
{
    double sum = 0.0;
    p->arm = p->second[0] = p->second[1] = 0.0;
    for (int i = 0; i < GRID * GRID; i++)
        sum += p->w[i];
    for (int i = 0; i < GRID * GRID; i++) {
        p->w[i] /= sum;
        p->arm += p->w[i] * v3_norm(p->x[i]);
        p->second[0] += p->w[i] * p->x[i].x * p->x[i].x;
        p->second[1] += p->w[i] * p->x[i].y * p->x[i].y;
    }
}

static void rectangle(points *p, double a, double b)
{
    for (int i = 0; i < GRID * GRID; i++) {
        double u = 2.0 * (i % GRID + 0.5) / GRID - 1.0, v = 2.0 * (i / GRID + 0.5) / GRID - 1.0;
        p->x[i] = v3_make(a * u, b * v, 0.0);
        p->w[i] = 1.0;
    }
    measure(p);
}

static void ellipse(points *p, double a, double b)
{
    for (int i = 0; i < GRID * GRID; i++) {
        double r = (i % GRID + 0.5) / GRID,
               t = (i / GRID + 0.5) * 2.0 * 3.14159265358979323846 / GRID;
        p->x[i] = v3_make(a * r * cos(t), b * r * sin(t), 0.0);
        p->w[i] = r;
    }
    measure(p);
}

static sg_vec3 rub(const points *p, sg_vec3 v, double w, double *torque)
{
    sg_vec3 f = V3_ZERO;
    *torque = 0.0;
    for (int i = 0; i < GRID * GRID; i++) {
        sg_vec3 x = p->x[i], u = v3_add(v, v3_make(-w * x.y, w * x.x, 0.0));
        double speed = v3_norm(u);
        if (!(speed > 0.0))
            continue;
        u = v3_scale(u, p->w[i] / speed);
        f = v3_add(f, u);
        *torque += x.x * u.y - x.y * u.x;
    }
    return f;
}

// The largest error of the share over motions from sliding to spinning, in all directions.
static double worst(const points *p)
{
    sg_limit limit = sg_limit_make(v3_axis(2), p->arm, v3_axis(0), p->second);
    double most = 0.0;
    for (int i = 0; i <= 24; i++)
        for (int k = 0; k < 8; k++) {
            double part = 1.5707963267948966 * i / 24.0, way = 0.39269908169872414 * k, torque;
            sg_vec3 v = v3_scale(v3_make(cos(way), sin(way), 0.0), p->arm * sin(part));
            sg_vec3 f = rub(p, v, cos(part), &torque);
            most = fmax(most, fabs(sg_limit_use_of(&limit, f, torque).share - 1.0));
        }
    return most;
}

SG_TEST(the_limit_is_that_of_coulombs_law_at_each_point)
{
    points *p = malloc(sizeof *p);
    if (!p)
        return;
    ellipse(p, 0.1, 0.1);
    SG_CHECK_MSG(worst(p) < 0.005, "a disk: %g", worst(p));
    rectangle(p, 0.1, 0.1);
    SG_CHECK_MSG(worst(p) < 0.008, "a square: %g", worst(p));
    rectangle(p, 0.15, 0.1);
    SG_CHECK_MSG(worst(p) < 0.012, "a rectangle: %g", worst(p));
    ellipse(p, 0.2, 0.1);
    SG_CHECK_MSG(worst(p) < 0.03, "an ellipse: %g", worst(p));
    rectangle(p, 10.0, 0.5);
    SG_CHECK_MSG(worst(p) < 0.15, "a strip: %g", worst(p));
    free(p);
}

// The slope is what slip follows.
SG_TEST(slip_is_across_the_limit)
{
    sg_rng rng = sg_rng_seeded(5);
    for (int i = 0; i < 500; i++) {
        double a = 0.2 + sg_rng_uniform(&rng, 0.0, 1.0),
               second[2] = {a, a * sg_rng_uniform(&rng, 0.0, 1.0)};
        sg_vec3 along = v3_unit(
            v3_make(sg_rng_uniform(&rng, 0.0, 1.0) - 0.5, sg_rng_uniform(&rng, 0.0, 1.0) - 0.5, 0));
        sg_limit limit =
            sg_limit_make(v3_axis(2), sqrt(0.9 * (second[0] + second[1])), along, second);
        sg_vec3 f = v3_make(sg_rng_uniform(&rng, 0.0, 1.0) - 0.5,
                            sg_rng_uniform(&rng, 0.0, 1.0) - 0.5, 0.0);
        double m = 0.5 * (sg_rng_uniform(&rng, 0.0, 1.0) - 0.5), h = 1e-5;
        sg_limit_use use = sg_limit_use_of(&limit, f, m);
        for (int k = 0; k < 2; k++) {
            double up = sg_limit_use_of(&limit, v3_add_scaled(f, v3_axis(k), h), m).share;
            double down = sg_limit_use_of(&limit, v3_add_scaled(f, v3_axis(k), -h), m).share;
            SG_NEAR(v3_get(use.slip, k), (up - down) / (2.0 * h), 1e-6, 1.0);
        }
        double up = sg_limit_use_of(&limit, f, m + h).share;
        double down = sg_limit_use_of(&limit, f, m - h).share;
        SG_NEAR(use.spin / limit.arm, (up - down) / (2.0 * h), 1e-6, 1.0 / limit.arm);
        // One degree: the share of twice the force is twice as large.
        SG_NEAR(sg_limit_use_of(&limit, v3_scale(f, 2.0), 2.0 * m).share, 2.0 * use.share, 1e-13,
                1.0);
        SG_NEAR(v3_dot(use.slip, f) + use.spin * m / limit.arm, use.share, 1e-12, 1.0);
    }
}

// Otherwise one motion would have two forces.
SG_TEST(the_limit_is_convex)
{
    sg_rng rng = sg_rng_seeded(9);
    for (int i = 0; i < 5000; i++) {
        double ratio = sg_rng_uniform(&rng, 0.0, 1.0), second[2] = {1.0, ratio * ratio};
        // The mean distance of a rectangle lies between these.
        double arm = sqrt((second[0] + second[1]) * (0.75 + 0.13 * ratio));
        sg_limit limit = sg_limit_make(v3_axis(2), arm, v3_axis(0), second);
        sg_vec3 f[2];
        double m[2];
        for (int k = 0; k < 2; k++) {
            f[k] = v3_make(sg_rng_uniform(&rng, 0.0, 1.0) - 0.5,
                           sg_rng_uniform(&rng, 0.0, 1.0) - 0.5, 0.0);
            m[k] = sg_rng_uniform(&rng, 0.0, 1.0) - 0.5;
            double share = sg_limit_use_of(&limit, f[k], m[k]).share;
            f[k] = v3_scale(f[k], 1.0 / share);
            m[k] /= share;
        }
        sg_vec3 middle = v3_scale(v3_add(f[0], f[1]), 0.5);
        double share = sg_limit_use_of(&limit, middle, 0.5 * (m[0] + m[1])).share;
        SG_CHECK_MSG(share <= 1.0 + 1e-12, "ratio %g: %.15g", ratio, share);
    }
}

// Anchors that nothing holds fade away to 1e-106 m and less.
SG_TEST(the_share_is_in_proportion_to_the_force_however_small)
{
    static const double second[2] = {0.003, 0.002};
    sg_limit limit = sg_limit_make(v3_axis(2), 0.06, v3_axis(0), second);
    sg_vec3 force = v3_make(0.3, -0.2, 0.0);
    sg_limit_use one = sg_limit_use_of(&limit, force, 0.01);
    for (int digits = -300; digits <= 300; digits += 50) {
        double scale = pow(10.0, digits);
        sg_limit_use use = sg_limit_use_of(&limit, v3_scale(force, scale), 0.01 * scale);
        SG_NEAR(use.share / scale, one.share, 1e-12, 0.0);
        SG_CHECK(v3_distance(use.slip, one.slip) < 1e-12 && fabs(use.spin - one.spin) < 1e-12);
    }
    SG_CHECK(sg_limit_use_of(&limit, V3_ZERO, 0.0).share == 0.0);
}
