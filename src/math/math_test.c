#include "harness/sg_test_math.h"
#include "math/dd.h"
#include "math/dense.h"
#include "math/finite.h"
#include "math/rotation.h"
#include "math/spatial.h"
#include "math/two.h"

#include <float.h>
#include <string.h>

static double m3_difference(sg_mat3 a, sg_mat3 b)
{
    double worst = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(a.m[i][j] - b.m[i][j]));
    return worst;
}

SG_TEST(unit_vectors_of_tiny_and_huge_vectors_have_length_one)
{
    const double sizes[] = {1e-300, 1e-160, 1e-3, 1.0, 1e150, 1e300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        SG_NEAR(v3_norm(v3_unit(v3_make(sizes[i], -2 * sizes[i], 0.5 * sizes[i]))), 1.0, 4e-16, 1);
    SG_CHECK(v3_equal(v3_unit(V3_ZERO), V3_ZERO));
}

SG_TEST(the_perpendicular_of_any_direction_is_a_unit_vector_at_right_angles)
{
    sg_rng rng = sg_rng_seeded(1);
    for (int i = 0; i < 1000; i++) {
        sg_vec3 n = sg_rng_direction(&rng), p = v3_perpendicular(n);
        SG_NEAR(v3_norm(p), 1.0, 4e-16, 1);
        SG_NEAR(v3_dot(n, p), 0.0, 4e-16, 1);
    }
}

SG_TEST(solving_a_3_by_3_system_undoes_the_product)
{
    sg_rng rng = sg_rng_seeded(2);
    for (int i = 0; i < 1000; i++) {
        sg_mat3 a = m3_add(sg_rng_rotation(&rng), m3_diagonal(v3_make(2, 2, 2)));
        sg_vec3 x = sg_rng_vec3(&rng, -1, 1), y;
        SG_REQUIRE(m3_solve(&a, m3_mul_v(&a, x), &y));
        SG_NEAR(v3_distance(x, y), 0.0, 1e-13, 1);
    }
    sg_mat3 singular = m3_outer(v3_make(1, 2, 3), v3_make(1, 1, 1));
    sg_vec3 unused;
    SG_CHECK(!m3_solve(&singular, v3_make(1, 0, 0), &unused));
}

SG_TEST(a_mirror_is_not_a_rotation)
{
    sg_rng rng = sg_rng_seeded(3);
    sg_mat3 R = sg_rng_rotation(&rng);
    SG_CHECK(m3_rotation_error(&R) < 1e-15);
    sg_mat3 mirror = m3_diagonal(v3_make(1, 1, -1));
    SG_CHECK(m3_rotation_error(&mirror) >= 2.0);
    R.m[1][1] = NAN;
    SG_CHECK(!(m3_rotation_error(&R) < 1.0));
}

SG_TEST(quaternion_and_matrix_say_the_same_rotation)
{
    sg_rng rng = sg_rng_seeded(4);
    for (int i = 0; i < 1000; i++) {
        sg_vec3 e = sg_rng_direction(&rng);
        double angle = sg_rng_uniform(&rng, -6, 6);
        sg_quat q = q_axis_angle(e, angle);
        sg_mat3 R = rot_axis(e, angle);
        SG_CHECK(m3_difference(q_to_mat3(q), R) < 1e-15);
        sg_quat back = q_from_mat3_near(&R, q);
        SG_NEAR(q_dot(back, q), 1.0, 1e-14, 1);
        sg_quat r = q_axis_angle(sg_rng_direction(&rng), 1.0);
        SG_CHECK(m3_difference(q_to_mat3(q_absolute(q, r)), m3_mul(q_to_mat3(r), R)) < 2e-15);
        SG_NEAR(fabs(q_dot(q_absolute(q, q_relative(q, r)), r)), 1.0, 1e-14, 1);
    }
}

SG_TEST(poses_compose_and_invert)
{
    sg_rng rng = sg_rng_seeded(5);
    for (int i = 0; i < 200; i++) {
        sg_pose a = sg_rng_pose(&rng, 3), b = sg_rng_pose(&rng, 3);
        sg_vec3 x = sg_rng_vec3(&rng, -1, 1);
        sg_pose ab = pose_mul(a, b), inverse = pose_inverse(a), rel = pose_relative(&a, &b);
        SG_NEAR(v3_distance(pose_point(&ab, x), pose_point(&a, pose_point(&b, x))), 0, 1e-14, 1);
        SG_NEAR(v3_distance(pose_point(&inverse, pose_point(&a, x)), x), 0, 1e-14, 1);
        SG_NEAR(v3_distance(pose_inverse_point(&a, pose_point(&a, x)), x), 0, 1e-14, 1);
        SG_NEAR(v3_distance(pose_point(&a, pose_point(&rel, x)), pose_point(&b, x)), 0, 2e-14, 1);
    }
}

SG_TEST(angle_sequences_are_products_of_elementary_turns_and_come_back)
{
    sg_rng rng = sg_rng_seeded(6);
    for (int i = 0; i < 500; i++) {
        sg_vec3 a = v3_make(sg_rng_uniform(&rng, -3, 3), sg_rng_uniform(&rng, -1.5, 1.5),
                            sg_rng_uniform(&rng, -3, 3));
        sg_mat3 R = rot_123(a);
        SG_CHECK(m3_difference(R, m3_mul(rot_3(a.z), m3_mul(rot_2(a.y), rot_1(a.x)))) < 1e-15);
        SG_NEAR(v3_distance(rot_123_from(&R, 0), a), 0, 1e-12, 1);
        R = rot_132(a);
        SG_CHECK(m3_difference(R, m3_mul(rot_2(a.z), m3_mul(rot_3(a.y), rot_1(a.x)))) < 1e-15);
        SG_NEAR(v3_distance(rot_132_from(&R, 0), a), 0, 1e-12, 1);
    }
    sg_mat3 R = rot_123(v3_make(0.3, 1.5707963267948966, 0.4)); // singular: the matrix survives
    SG_CHECK(m3_difference(rot_123(rot_123_from(&R, 0.4)), R) < 1e-7);
}

SG_TEST(angle_rates_agree_with_differences_of_the_matrix)
{
    sg_rng rng = sg_rng_seeded(7);
    for (int i = 0; i < 200; i++) {
        sg_vec3 a = sg_rng_vec3(&rng, -1.2, 1.2), w = sg_rng_vec3(&rng, -1, 1);
        sg_mat3 J3 = rot_123_rates(a), J2 = rot_132_rates(a);
        for (int k = 0; k < 2; k++) {
            sg_vec3 rate = m3_mul_v(k ? &J2 : &J3, w);
            double h = 1e-6;
            sg_vec3 ap = v3_add_scaled(a, rate, h), am = v3_add_scaled(a, rate, -h);
            sg_mat3 Rp = k ? rot_132(ap) : rot_123(ap), Rm = k ? rot_132(am) : rot_123(am);
            sg_mat3 dR = m3_scale(m3_sub(Rp, Rm), 0.5 / h);
            // v2 = R v1 with v1 fixed in frame 1: dR/dt = -skew(w) R, w resolved in frame 2.
            sg_mat3 expected = m3_scale(m3_mul(m3_skew(w), k ? rot_132(a) : rot_123(a)), -1.0);
            SG_CHECK(m3_difference(dR, expected) < 1e-8);
        }
    }
}

SG_TEST(power_does_not_depend_on_the_frame)
{
    sg_rng rng = sg_rng_seeded(8);
    for (int i = 0; i < 200; i++) {
        sg_pose p = sg_rng_pose(&rng, 2);
        sg_motion m = {sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
        sg_force f = {sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
        SG_NEAR(spatial_dot(m, force_to_parent(&p, f)), spatial_dot(motion_to_child(&p, m), f),
                1e-13, 1);
    }
}

SG_TEST(a_symmetric_matrix_does_what_the_full_one_does)
{
    sg_rng rng = sg_rng_seeded(11);
    for (int i = 0; i < 100; i++) {
        sg_mat3 R = sg_rng_rotation(&rng);
        sg_mat3 full = m3_congruence(R, m3_diagonal(sg_rng_vec3(&rng, -1, 1)));
        sg_sym3 s = s3_from(&full), again = s3_turn(&R, &s);
        sg_vec3 u = sg_rng_vec3(&rng, -1, 1);
        SG_NEAR(v3_distance(s3_mul_v(&s, u), m3_mul_v(&full, u)), 0.0, 1e-15, 1);
        SG_CHECK(m3_difference(s3_full(&again), m3_congruence(R, full)) < 1e-15);
        sg_sym3 less = s3_sub_square(s, u, 0.7);
        sg_mat3 square = m3_scale(m3_outer(u, u), 0.7);
        SG_CHECK(m3_difference(s3_full(&less), m3_sub(full, square)) < 1e-15);
        SG_NEAR(s3_trace(&s), m3_trace(&full), 1e-15, 1);
    }
}

// Two sums over the parts of a body: forces and moments of points that move as a rigid body does.
SG_TEST(newton_and_euler_agree_with_a_cloud_of_points)
{
    sg_rng rng = sg_rng_seeded(12);
    for (int i = 0; i < 50; i++) {
        sg_inertia body = {0};
        sg_force sum = {V3_ZERO, V3_ZERO};
        sg_vec3 w = sg_rng_vec3(&rng, -2, 2);
        sg_motion acc = {sg_rng_vec3(&rng, -2, 2), sg_rng_vec3(&rng, -2, 2)};
        for (int j = 0; j < 5; j++) {
            sg_vec3 r = sg_rng_vec3(&rng, -1, 1);
            double m = sg_rng_uniform(&rng, 0.1, 1.0);
            body = inertia_add(body, inertia_make(m, r, M3_ZERO));
            sg_vec3 a = v3_add(v3_cross(acc.w, r), v3_cross(w, v3_cross(w, r)));
            sg_vec3 f = v3_scale(v3_add(acc.v, a), m);
            sum = force_add(sum, (sg_force){v3_cross(r, f), f});
        }
        sg_sym3 I = s3_from(&body.I);
        sg_force f = newton_euler(body.m, body.mc, &I, w, acc);
        SG_NEAR(v3_distance(f.n, sum.n), 0.0, 1e-13, 1);
        SG_NEAR(v3_distance(f.f, sum.f), 0.0, 1e-13, 1);
    }
}

SG_TEST(a_moved_inertia_gives_the_same_kinetic_energy_and_momentum)
{
    sg_rng rng = sg_rng_seeded(9);
    for (int i = 0; i < 200; i++) {
        sg_pose p = sg_rng_pose(&rng, 2);
        sg_mat3 Q = sg_rng_rotation(&rng);
        sg_mat3 I_CM = m3_congruence(Q, m3_diagonal(v3_make(1, 2, 2.5)));
        sg_inertia child = inertia_make(1.7, sg_rng_vec3(&rng, -1, 1), I_CM);
        sg_inertia parent = inertia_to_parent(&p, child);
        sg_motion m = {sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
        sg_motion mc = motion_to_child(&p, m);
        sg_force h = inertia_mul(&parent, m), hc = force_to_parent(&p, inertia_mul(&child, mc));
        SG_NEAR(spatial_dot(m, h), spatial_dot(mc, inertia_mul(&child, mc)), 1e-12, 1);
        SG_NEAR(v3_distance(h.n, hc.n), 0, 1e-12, 1);
        SG_NEAR(v3_distance(h.f, hc.f), 0, 1e-12, 1);
    }
}

SG_TEST(cross_products_of_motion_and_force_are_dual)
{
    sg_rng rng = sg_rng_seeded(10);
    for (int i = 0; i < 200; i++) {
        sg_motion a = {sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
        sg_motion b = {sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
        sg_force f = {sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
        SG_NEAR(spatial_dot(motion_cross(a, b), f) + spatial_dot(b, force_cross(a, f)), 0, 1e-14,
                1);
    }
}

// 113-bit arithmetic of the compiler is the referee where it exists.
#ifdef __SIZEOF_INT128__
__extension__ typedef __float128 quad;

static quad quad_of(sg_dd a) { return (quad)a.hi + (quad)a.lo; }
static double relative_error(sg_dd a, quad exact)
{
    quad d = quad_of(a) - exact;
    return exact == 0 ? fabs((double)d) : fabs((double)(d / exact));
}

SG_TEST(double_double_keeps_more_than_100_bits)
{
    sg_rng rng = sg_rng_seeded(11);
    const double bound = 0x1p-101;
    for (int i = 0; i < 20000; i++) {
        double scale = pow(10, sg_rng_uniform(&rng, -10, 10));
        sg_dd a = dd_sum(sg_rng_normal(&rng), 1e-17 * sg_rng_normal(&rng));
        sg_dd b = dd_sum(scale * sg_rng_normal(&rng), scale * 1e-17 * sg_rng_normal(&rng));
        quad qa = quad_of(a), qb = quad_of(b);
        SG_CHECK(relative_error(dd_mul(a, b), qa * qb) < bound);
        SG_CHECK(relative_error(dd_div(a, b), qa / qb) < bound);
        SG_CHECK(relative_error(dd_add(a, b), qa + qb) < bound);
        sg_dd nearly = dd_add(dd_neg(a), dd_from(1e-12)); // cancellation keeps its digits
        // Summed by parts: the inputs themselves may span more than the 113 bits of the referee.
        quad rest = ((quad)a.hi + (quad)nearly.hi) + ((quad)a.lo + (quad)nearly.lo);
        SG_CHECK(relative_error(dd_add(a, nearly), rest) < bound);
        sg_dd root = dd_sqrt(dd_abs(b));
        SG_CHECK(relative_error(dd_mul(root, root), quad_of(dd_abs(b))) < 4 * bound);
        SG_CHECK(dd_less(a, b) == (qa < qb));
    }
}
#endif

SG_TEST(sums_and_products_of_doubles_are_exact_pairs)
{
    sg_dd p = dd_prod(1.0 + DBL_EPSILON, 1.0 + DBL_EPSILON);
    SG_CHECK(p.hi == 1.0 + 2 * DBL_EPSILON && p.lo == DBL_EPSILON * DBL_EPSILON);
    sg_dd s = dd_sum(1.0, 1e-30);
    SG_CHECK(s.hi == 1.0 && s.lo == 1e-30);
    SG_CHECK(dd_to_double(dd_sub(s, dd_from(1.0))) == 1e-30);
}

SG_TEST(cholesky_and_lu_solve_what_was_multiplied)
{
    sg_rng rng = sg_rng_seeded(12);
    for (int n = 1; n <= 12; n++) {
        double a[144], spd[144], x[12], b[12], c[12];
        int pivot[12];
        for (int i = 0; i < n * n; i++)
            a[i] = sg_rng_normal(&rng);
        for (int i = 0; i < n; i++)
            x[i] = sg_rng_normal(&rng);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                spd[i * n + j] = i == j ? 1.0 : 0.0;
                for (int k = 0; k < n; k++)
                    spd[i * n + j] += a[i * n + k] * a[j * n + k];
            }
        for (int i = 0; i < n; i++) {
            b[i] = c[i] = 0.0;
            for (int j = 0; j < n; j++) {
                b[i] += a[i * n + j] * x[j];
                c[i] += spd[i * n + j] * x[j];
            }
        }
        SG_REQUIRE(sg_lu_factor(a, n, pivot, NULL) == SG_OK);
        sg_lu_solve(a, n, pivot, b);
        SG_REQUIRE(sg_cholesky_factor(spd, n) == SG_OK);
        sg_cholesky_solve(spd, n, c);
        for (int i = 0; i < n; i++) {
            SG_NEAR(b[i], x[i], 1e-10, 1);
            SG_NEAR(c[i], x[i], 1e-12, 1);
        }
    }
}

SG_TEST(singular_matrices_are_refused_and_named)
{
    double a[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1};
    int pivot[3], column = -1;
    double zero_column[9] = {1, 0, 3, 2, 0, 6, 1, 0, 1};
    SG_CHECK(sg_lu_factor(zero_column, 3, pivot, &column) == SG_ERR_INPUT && column == 1);
    double semidefinite[4] = {1, 1, 1, 1};
    SG_CHECK(sg_cholesky_factor(semidefinite, 2) == SG_ERR_INPUT);
    double indefinite[4] = {1, 2, 2, 1};
    SG_CHECK(sg_cholesky_factor(indefinite, 2) == SG_ERR_INPUT);
    a[0] = NAN;
    SG_CHECK(sg_lu_factor(a, 3, pivot, &column) == SG_ERR_INPUT);
}

// Large full ones are factored in blocks, large ones that are mostly zeros column by column.
SG_TEST(large_matrices_are_solved_refused_and_named)
{
    enum { MOST = 161 };
    static double a[MOST * MOST], broken[MOST * MOST], b[MOST], x[MOST];
    static int pivot[MOST];
    sg_rng rng = sg_rng_seeded(14);
    for (int n = 125; n <= MOST; n += 4)
        for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
            for (int i = 0; i < n * n; i++)
                a[i] = is_sparse && i % n != i / n && i % 7 ? 0.0 : sg_rng_normal(&rng);
            for (int i = 0; i < n; i++) {
                a[i * n + i] += 5.0; // far from singular
                x[i] = sg_rng_normal(&rng);
            }
            for (int i = 0; i < n; i++) {
                b[i] = 0.0;
                for (int j = 0; j < n; j++)
                    b[i] += a[i * n + j] * x[j];
            }
            int bad = n / 2, column = -1;
            memcpy(broken, a, sizeof a);
            for (int i = 0; i < n; i++)
                broken[i * n + bad] = 0.0;
            SG_CHECK(sg_lu_factor(broken, n, pivot, &column) == SG_ERR_INPUT && column == bad);
            memcpy(broken, a, sizeof a);
            broken[bad * n + bad] = NAN;
            SG_CHECK(sg_lu_factor(broken, n, pivot, &column) == SG_ERR_INPUT);
            SG_REQUIRE(sg_lu_factor(a, n, pivot, NULL) == SG_OK);
            sg_lu_solve(a, n, pivot, b);
            for (int i = 0; i < n; i++)
                SG_NEAR(b[i], x[i], 1e-9, 1);
        }
}

SG_TEST(symmetric_matrices_are_diagonal_in_their_eigenvectors)
{
    sg_rng rng = sg_rng_seeded(13);
    for (int i = 0; i < 500; i++) {
        sg_mat3 Q = sg_rng_rotation(&rng);
        sg_vec3 d = sg_rng_vec3(&rng, -2, 2);
        if (i % 5 == 0)
            d.y = d.x; // a double eigenvalue
        sg_mat3 a = m3_congruence(Q, m3_diagonal(d)), v, back;
        double values[3];
        sg_symmetric_eigen3((const double(*)[3])a.m, values, v.m);
        SG_CHECK(values[0] <= values[1] && values[1] <= values[2]);
        back = m3_congruence(v, m3_diagonal(v3_from(values)));
        SG_CHECK(m3_difference(back, a) < 1e-14);
        SG_NEAR(fabs(m3_det(&v)), 1.0, 1e-14, 1);
    }
}

SG_TEST(one_number_that_is_not_finite_is_seen_wherever_it_stands)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t n = 0; n <= 9; n++) {
        double x[9] = {1.0, -2.0, DBL_MAX, -DBL_MAX, 0.0, -0.0, DBL_TRUE_MIN, 3.0, -4.0};
        SG_CHECK(sg_all_finite(x, n));
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < 3; k++) {
                double kept = x[i];
                x[i] = bad[k];
                SG_CHECK(!sg_all_finite(x, n));
                x[i] = kept;
            }
    }
}

// Lanes are what numbers alone are, bit for bit, whatever the machine.
SG_TEST(two_numbers_at_once_are_what_each_is_alone)
{
    sg_rng rng = sg_rng_seeded(5);
    for (int i = 0; i < 1000; i++) {
        double a[2], b[2], sum[2], product[2], share[2], root[2], most[2];
        for (int k = 0; k < 2; k++) {
            a[k] = sg_rng_normal(&rng);
            b[k] = sg_rng_normal(&rng);
        }
        sg_two x = two_load(a), y = two_load(b);
        two_store(two_sub(two_add_product(x, x, y), y), sum);
        two_store(two_mul(x, y), product);
        two_store(two_div(x, y), share);
        two_store(two_sqrt(two_mul(x, x)), root);
        two_store(two_max(x, y), most);
        for (int k = 0; k < 2; k++) {
            SG_CHECK(sum[k] == a[k] + a[k] * b[k] - b[k] && product[k] == a[k] * b[k]);
            SG_CHECK(share[k] == a[k] / b[k] && root[k] == sqrt(a[k] * a[k]));
            SG_CHECK(most[k] == fmax(a[k], b[k]));
        }
        SG_CHECK(two_sum(x) == a[0] + a[1] && two_second(two_make(a[0], a[1])) == a[1]);
    }
    double in[2];
    two_store(two_within(two_make(-1.0, 2.0), two_both(3.0)), in);
    SG_CHECK(in[0] == 0.0 && in[1] == 2.0);
    two_store(two_within(two_make((double)NAN, 4.0), two_both(3.0)), in);
    SG_CHECK(in[0] == 0.0 && in[1] == 0.0);
}
