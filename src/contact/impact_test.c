#include "contact/impact.h"

#include "harness/sg_test_math.h"

// A ball of mass 1 and radius R that hits something fixed below.
static sg_impact ball(sg_vec3 u, double restitution, double friction)
{
    // An impulse at the lowest point: 1/m, and across the normal R^2/I = 5/2 of it besides.
    sg_mat3 W = M3_IDENTITY;
    W.m[0][0] = W.m[2][2] = 3.5;
    return (sg_impact){W, {0, 1, 0}, u, restitution, friction};
}

SG_TEST(a_ball_leaves_with_the_restitution_times_its_speed)
{
    sg_vec3 P;
    double loss;
    for (int i = 0; i <= 10; i++) {
        double e = 0.1 * i;
        sg_impact k = ball(v3_make(0, -2, 0), e, 0.4);
        SG_REQUIRE(sg_impact_solve(&k, &P, &loss) == SG_OK);
        SG_NEAR(-2 + P.y, 2 * e, 1e-15, 2.0);
        SG_CHECK(P.x == 0.0 && P.z == 0.0);
        SG_NEAR(loss, 2 * (1 - e * e), 1e-15, 2.0);
    }
}

SG_TEST(a_ball_slides_through_the_impact_or_rolls_after_it)
{
    sg_vec3 P;
    double loss;
    // Sticking takes 2/7 of the momentum across; friction gives mu (1 + e) m v_n.
    sg_impact k = ball(v3_make(3, -2, 4), 0.5, 0.2);
    SG_REQUIRE(sg_impact_solve(&k, &P, &loss) == SG_OK);
    SG_NEAR(P.y, 3, 1e-15, 1.0);
    SG_NEAR(P.x, -0.6 * 0.6, 1e-14, 1.0);
    SG_NEAR(P.z, -0.8 * 0.6, 1e-14, 1.0);
    k.friction = 0.7;
    SG_REQUIRE(sg_impact_solve(&k, &P, &loss) == SG_OK);
    SG_NEAR(P.x, -2.0 / 7 * 3, 1e-14, 1.0);
    SG_NEAR(P.z, -2.0 / 7 * 4, 1e-14, 1.0);
    SG_NEAR(loss, 0.5 * 4 * 0.75 + 0.5 * 25 * 2 / 7, 1e-14, 1.0);
}

// Inverse mass of a body of random shape at a random point, as a rigid body has it.
static sg_mat3 rigid(sg_rng *rng)
{
    sg_vec3 r = sg_rng_vec3(rng, -1, 1), d = sg_rng_vec3(rng, 0.1, 1);
    sg_mat3 R = sg_rng_rotation(rng), S = m3_skew(r);
    // Moments of inertia that a body can have: sums of two squares each.
    sg_vec3 inverse = {1 / (d.y + d.z), 1 / (d.z + d.x), 1 / (d.x + d.y)};
    sg_mat3 D = {{{inverse.x, 0, 0}, {0, inverse.y, 0}, {0, 0, inverse.z}}};
    sg_mat3 RD = m3_mul(R, D), T = m3_transpose(R), J = m3_mul(RD, T);
    sg_mat3 SJ = m3_mul(S, J), SJS = m3_mul(SJ, S);
    return m3_sub(m3_scale(M3_IDENTITY, sg_rng_uniform(rng, 0.5, 2)), SJS);
}

SG_TEST(impacts_obey_coulomb_and_lose_energy)
{
    sg_rng rng = sg_rng_seeded(7);
    int jams = 0, sticks = 0;
    for (int i = 0; i < 20000; i++) {
        sg_impact k = {rigid(&rng), sg_rng_direction(&rng), sg_rng_vec3(&rng, -2, 2),
                       i % 4   ? sg_rng_uniform(&rng, 0, 1)
                       : i % 8 ? 0.0
                               : 1.0,
                       i % 3 ? sg_rng_uniform(&rng, 0, 1.5) : 0.0};
        if (v3_dot(k.u, k.n) > 0)
            k.u = v3_neg(k.u);
        sg_vec3 P;
        double loss;
        if (sg_impact_solve(&k, &P, &loss) != SG_OK) {
            jams++;
            continue;
        }
        sg_vec3 u = v3_add(k.u, m3_mul_v(&k.W, P));
        double Pn = v3_dot(P, k.n), scale = v3_norm(P) * v3_norm(k.u);
        double Pt = v3_norm(v3_add_scaled(P, k.n, -Pn));
        sticks += v3_norm(v3_add_scaled(u, k.n, -v3_dot(u, k.n))) < 1e-12;
        SG_CHECK(Pn > 0 && Pt <= (k.friction + 1e-12) * Pn);
        SG_CHECK_MSG(v3_dot(u, k.n) > -1e-12 * v3_norm(k.u), "%d: %g", i, v3_dot(u, k.n));
        SG_CHECK_MSG(loss > -1e-12 * scale, "%d: loss %g of %g, e %g mu %g", i, loss, scale,
                     k.restitution, k.friction);
        // Without friction it is Newton's law, too.
        if (k.friction == 0.0)
            SG_NEAR(v3_dot(u, k.n), -k.restitution * v3_dot(k.u, k.n), 1e-12, v3_norm(k.u));
    }
    SG_CHECK_MSG(sticks > 1000, "%d stick", sticks);
    SG_CHECK_MSG(jams < 200, "%d jams", jams);
}

SG_TEST(what_cannot_move_has_no_impulse)
{
    sg_impact k = ball(v3_make(0, -1, 0), 0.5, 0.0);
    sg_vec3 P;
    double loss;
    k.W = M3_ZERO;
    SG_CHECK(sg_impact_solve(&k, &P, &loss) == SG_ERR_INPUT);
}
