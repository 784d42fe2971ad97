#include "collide/cap.h"

#include "collide/shapes_test.h"
#include "harness/sg_test_math.h"

// What a cap is built on: no piece falls below its slope and what is left of its curvature.
SG_TEST(a_piece_stays_above_its_slope_and_least_curvature)
{
    sg_rng rng = sg_rng_seeded(61);
    double closest = INFINITY; // how much of the bound is given away, at best
    for (int i = 0; i < 100000; i++) {
        test_shape s;
        static const int curved[] = {2, 4, 5, 6, 8};
        test_shape_random(&rng, curved[i % 5], 1.0, 10.0, true, &s);
        const sg_shape *shape = &s.shape;
        uint32_t piece;
        sg_vec3 n = sg_rng_direction(&rng), p = sg_support(shape, n, UINT32_MAX, &piece);
        sg_vec3 e1 = v3_perpendicular(n), e2 = v3_cross(n, e1);
        double turn = sg_rng_uniform(&rng, -4.0, 4.0), x = cos(turn), y = sin(turn), K[3] = {0};
        double most = sg_rng_uniform(&rng, 0.0, 2.9), way = sg_rng_uniform(&rng, 0.0, most);
        sg_support_least_curvature(shape, 1u << (piece & 31), n, tan(0.5 * most), e1, e2, K);
        sg_vec3 u = v3_add(v3_scale(e1, x), v3_scale(e2, y));
        sg_vec3 m = v3_add(v3_scale(n, cos(way)), v3_scale(u, sin(way)));
        double h = v3_dot(m, sg_support_piece(shape, piece, m));
        double keep = x * x * K[0] + 2.0 * x * y * K[1] + y * y * K[2];
        double line = cos(way) * v3_dot(n, p) + sin(way) * v3_dot(u, p);
        double above = h - line - (1.0 - cos(way)) * keep;
        SG_CHECK_MSG(above >= -1e-14, "%s: below by %g after %g of %g", test_kind_name(s.kind),
                     above, way, most);
        if (h - line > 1e-3)
            closest = fmin(closest, above / (h - line));
        test_shape_destroy(&s);
    }
    SG_CHECK_MSG(closest < 0.01, "the bound gives away %g", closest);
}
