// The distance of balls to a tube against points of its surface, and its pieces against its wall.
#include "collide/tube.h"

#include "harness/sg_test.h"
#include "harness/sg_test_math.h"

#include <math.h>

static sg_shape make_tube(int axis, double diameter, double inner, double length, double smoothing)
{
    sg_shape s;
    const char *why;
    SG_CHECK(sg_shape_cylinder(axis, diameter, length, smoothing, &s, &why) == SG_OK);
    s.bore = 0.5 * inner;
    return s;
}

// How far a point is from the rectangle that turns about the axis, by sampling its boundary.
static double sampled(double rho, double z, double ri, double ro, double h)
{
    double least = INFINITY;
    enum { N = 2000 };
    for (int i = 0; i <= N; i++) {
        double r = ri + (ro - ri) * i / N, y = -h + 2.0 * h * i / N;
        double there[4] = {hypot(rho - r, z - h), hypot(rho - r, z + h), hypot(rho - ri, z - y),
                           hypot(rho - ro, z - y)};
        for (int k = 0; k < 4; k++)
            least = fmin(least, there[k]);
    }
    bool inside = rho > ri && rho < ro && fabs(z) < h;
    return inside ? -least : least;
}

SG_TEST(the_distance_of_a_ball_to_a_tube_is_that_of_its_surface)
{
    sg_rng rng = sg_rng_seeded(7);
    for (int k = 0; k < 300; k++) {
        int axis = k % 3;
        sg_shape s = make_tube(axis, 0.4, 0.3, 0.5, 0.0);
        sg_pose pose = sg_rng_pose(&rng, 3.0);
        sg_pose frame = sg_shape_frame(&s, &pose);
        sg_vec3 at = {sg_rng_uniform(&rng, -0.3, 0.3), sg_rng_uniform(&rng, -0.3, 0.3),
                      sg_rng_uniform(&rng, -0.4, 0.4)};
        sg_vec3 center = pose_point(&frame, at);
        sg_closed_answer a = sg_tube_ball(&s, &pose, center, 0.02);
        double expected = sampled(hypot(at.x, at.y), at.z, 0.15, 0.2, 0.25);
        SG_NEAR(a.delta + 0.02, expected, 1e-3, 0.5);
        SG_NEAR(v3_norm(a.n), 1.0, 1e-12, 1.0);
        // The normal is the gradient.
        sg_closed_answer b = sg_tube_ball(&s, &pose, v3_add_scaled(center, a.n, 1e-7), 0.02);
        SG_NEAR(b.delta - a.delta, 1e-7, 1e-6, 1e-7);
    }
}

SG_TEST(pieces_of_a_tube_lie_in_its_wall_and_leave_the_bore_free)
{
    const double inner[] = {0.01, 0.3, 0.39, 0.399};
    for (int k = 0; k < 4; k++) {
        sg_shape s = make_tube(2, 0.4, inner[k], 0.5, 0.001);
        int n = sg_tube_pieces(&s);
        SG_CHECK(n >= 48 && n <= SG_TUBE_MOST_PIECES);
        for (int i = 0; i < n; i++) {
            sg_vec3 c[SG_TUBE_CORNERS];
            sg_tube_piece(&s, i, c);
            // The middle of the inner face is the point of it that is nearest to the axis.
            double middle = hypot(0.5 * (c[0].x + c[1].x), 0.5 * (c[0].y + c[1].y));
            SG_CHECK(middle > 0.5 * inner[k] * (1.0 - 1e-12));
            for (int j = 0; j < SG_TUBE_CORNERS; j++) {
                double r = hypot(c[j].x, c[j].y);
                SG_CHECK(r >= 0.5 * inner[k] && r <= 0.2 * (1.0 + 1e-12));
                SG_NEAR(fabs(c[j].z), 0.25, 1e-12, 1.0);
            }
        }
    }
}
