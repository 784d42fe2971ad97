#include "multibody/loops.h"

#include "math/dense.h"
#include "multibody/system_test.h"

#include <math.h>

enum { N_OBJECTS = 7, MAX_ROWS = 24 };

// A branching tree with all kinds of joints: world - 1 - 2 - 3, 1 - 4 - 5, and 6 free.
static void make_tree(sg_tree_object *o, sg_rng *rng)
{
    static const int parent[N_OBJECTS] = {-1, 0, 1, 2, 1, 4, 0};
    static const sg_joint_kind kind[N_OBJECTS] = {
        SG_JOINT_FIXED,    SG_JOINT_REVOLUTE,  SG_JOINT_REVOLUTE, SG_JOINT_PRISMATIC,
        SG_JOINT_REVOLUTE, SG_JOINT_PRISMATIC, SG_JOINT_FREE};
    static const char *const names[N_OBJECTS] = {"world", "a", "b", "c", "d", "e", "f"};
    o[0] = world();
    for (int i = 1; i < N_OBJECTS; i++)
        o[i] = (sg_tree_object){.name = names[i],
                                .parent = parent[i],
                                .joint = kind[i],
                                .axis = sg_rng_vec3(rng, -1, 1),
                                .place = sg_rng_pose(rng, 0.5),
                                .mass = {.m = sg_rng_uniform(rng, 0.5, 2.0),
                                         .c = sg_rng_vec3(rng, -0.3, 0.3),
                                         .I_CM = m3_diagonal(v3_make(0.2, 0.3, 0.25))}};
}

// One cut joint of each kind, between branches and with the free body; none of them closed.
static int make_cuts(sg_tree_cut *cut, int n, sg_rng *rng)
{
    static const int ends[SG_CUT_KINDS][2] = {{3, 5}, {2, 6}, {0, 5}, {6, 4}, {5, 6},
                                              {3, 6}, {2, 5}, {0, 6}, {6, 1}};
    static const sg_cut_kind kinds[SG_CUT_KINDS] = {
        SG_CUT_SPHERICAL, SG_CUT_REVOLUTE,    SG_CUT_PRISMATIC, SG_CUT_UNIVERSAL, SG_CUT_RIGID,
        SG_CUT_ROD,       SG_CUT_CYLINDRICAL, SG_CUT_PLANAR,    SG_CUT_HELICAL};
    for (int k = 0; k < n; k++)
        cut[k] = (sg_tree_cut){.name = "cut",
                               .kind = kinds[k],
                               .obj1 = ends[k][0],
                               .obj2 = ends[k][1],
                               .axis = v3_unit(sg_rng_vec3(rng, -1, 1)),
                               .axis2 = v3_unit(sg_rng_vec3(rng, -1, 1)),
                               .place = sg_rng_pose(rng, 0.5),
                               .length = 0.7};
    return n;
}

typedef struct loop_fixture {
    system_fixture f;
    sg_tree_loops *loops;
    sg_loop_state t;
    double v[MAX_DOF];
} loop_fixture;

static bool build_loops(loop_fixture *l, const sg_tree_cut *cuts, int n,
                        const sg_loop_drive *drives, int n_drives)
{
    return sg_tree_loops_build(l->f.tree, cuts, n, drives, n_drives, &l->f.arena, &l->loops) ==
               SG_OK &&
           sg_tree_loop_state_init(l->f.tree, l->loops, &l->f.arena, &l->t) == SG_OK;
}

static void place_at(loop_fixture *l, const double *q, const double *v)
{
    sg_tree_kinematics(l->f.tree, &l->f.s, q, v);
    sg_tree_loops_place(&l->f.s, l->loops, &l->t);
}

// q after a time h with constant accelerations a, by many small steps where angles have rates.
static void move(loop_fixture *l, double h, const double *a, double *q, double *v)
{
    int n = l->f.tree->n_dof;
    double rates[MAX_DOF];
    memcpy(q, l->f.q, (size_t)n * sizeof *q);
    memcpy(v, l->f.v, (size_t)n * sizeof *v);
    for (int k = 0; k < 64; k++) {
        double middle[MAX_DOF], half = h / 128;
        sg_tree_kinematics(l->f.tree, &l->f.s, q, v);
        sg_tree_rates(l->f.tree, &l->f.s, rates);
        for (int i = 0; i < n; i++) {
            middle[i] = q[i] + half * rates[i];
            v[i] += half * a[i];
        }
        sg_tree_kinematics(l->f.tree, &l->f.s, middle, v);
        sg_tree_rates(l->f.tree, &l->f.s, rates);
        for (int i = 0; i < n; i++) {
            q[i] += 2 * half * rates[i];
            v[i] += half * a[i];
        }
    }
}

// Central differences over time: rates are those of g, and gamma those of rates where der(v) = 0.
SG_TEST(rates_of_all_cut_joints_are_derivatives_also_where_the_loop_is_open)
{
    static const double none[MAX_DOF] = {0};
    sg_rng rng = sg_rng_seeded(7);
    for (int round = 0; round < 5; round++) {
        sg_tree_object objects[N_OBJECTS];
        sg_tree_cut cuts[SG_CUT_KINDS];
        sg_loop_drive drives[2] = {{.body = -1, .cut = 1}, {.body = -1, .cut = 2}};
        loop_fixture l;
        make_tree(objects, &rng);
        SG_CHECK(build(&l.f, objects, N_OBJECTS, earth));
        SG_CHECK(build_loops(&l, cuts, make_cuts(cuts, SG_CUT_KINDS, &rng), drives, 2));
        random_state(&l.f, &rng, 0.5, 1.0);
        int n = l.loops->n_rows + 2;
        SG_CHECK(l.loops->n_rows == 36);
        double q[MAX_DOF], v[MAX_DOF], h = 1e-4, low[2][64], high[2][64];
        move(&l, -h, none, q, v);
        place_at(&l, q, v);
        memcpy(low[0], l.t.g, (size_t)n * sizeof(double));
        memcpy(low[1], l.t.rate, (size_t)n * sizeof(double));
        move(&l, h, none, q, v);
        place_at(&l, q, v);
        memcpy(high[0], l.t.g, (size_t)n * sizeof(double));
        memcpy(high[1], l.t.rate, (size_t)n * sizeof(double));
        place_at(&l, l.f.q, l.f.v);
        for (int i = 0; i < n; i++) {
            bool angle =
                l.loops->row[i].sort == SG_ROW_TURN || l.loops->row[i].sort == SG_ROW_SCREW;
            if (!angle) // it is one only where the axes agree
                SG_NEAR((high[0][i] - low[0][i]) / (2 * h), l.t.rate[i], 1e-6, 1.0);
            SG_NEAR((high[1][i] - low[1][i]) / (2 * h), l.t.gamma[i], 1e-6, 1.0);
        }
        drop(&l.f);
    }
}

// G by rates of unit speeds.
static void dense_rows(loop_fixture *l, double *G)
{
    int n = l->f.tree->n_dof, m = l->loops->n_rows + l->loops->n_drives;
    for (int j = 0; j < n; j++) {
        double unit[MAX_DOF] = {0};
        unit[j] = 1.0;
        place_at(l, l->f.q, unit);
        for (int i = 0; i < m; i++)
            G[i * n + j] = l->t.rate[i];
    }
    for (int d = 0; d < l->loops->n_drives; d++) {
        const sg_loop_row *row = &l->loops->row[l->loops->n_rows + d];
        if (row->sort == SG_ROW_JOINT)
            G[(l->loops->n_rows + d) * n +
              l->f.tree->body[l->loops->path[row->path].body[0]].first] = 1.0;
    }
}

// Against the dense system of M, h and G: all constraints fulfilled, and M a + h = G' lambda + tau.
SG_TEST(accelerations_and_forces_solve_the_equations_of_the_loop)
{
    sg_rng rng = sg_rng_seeded(8);
    for (int round = 0; round < 10; round++) {
        sg_tree_object objects[N_OBJECTS];
        sg_tree_cut cuts[6];
        sg_loop_drive drives[2] = {{.body = -1, .cut = 1}, {.cut = -1}};
        loop_fixture l;
        make_tree(objects, &rng);
        make_cuts(cuts, 6, &rng);
        SG_CHECK(build(&l.f, objects, N_OBJECTS, earth));
        drives[1].body = l.f.tree->object[2].body;
        // Two of them at a time leave the tree some freedom.
        sg_tree_cut two[2] = {cuts[round % 2 ? 0 : 5], cuts[1]};
        SG_CHECK(build_loops(&l, two, 2, drives, 2));
        random_state(&l.f, &rng, 0.5, 1.0);
        int n = l.f.tree->n_dof, m = l.loops->n_rows, bad;
        double G[MAX_ROWS * MAX_DOF], M[MAX_DOF * MAX_DOF], h[MAX_DOF], a[MAX_DOF];
        double zero[MAX_DOF] = {0}, drive[2] = {0.7, -1.3}, b[2], A[4];
        dense_rows(&l, G);
        sg_tree_kinematics(l.f.tree, &l.f.s, l.f.q, l.f.v);
        sg_tree_mass_matrix(l.f.tree, &l.f.s, M);
        sg_tree_inverse(l.f.tree, &l.f.s, zero, h);
        sg_tree_loops_place(&l.f.s, l.loops, &l.t);
        SG_CHECK(sg_tree_forward_up(l.f.tree, &l.f.s, zero, NULL, NULL, &bad) == SG_OK);
        sg_tree_loops_factor(l.f.tree, &l.f.s, l.loops, &l.t, NULL, SG_LOOPS_FOR_ACCELERATIONS,
                             0.0);
        SG_CHECK(l.t.n_singular == 0);
        sg_tree_loops_terms(l.f.tree, &l.f.s, l.loops, &l.t, b, A);
        sg_tree_loops_forces(l.f.tree, &l.f.s, l.loops, &l.t, drive);
        SG_CHECK(sg_tree_forward_down(l.f.tree, &l.f.s, zero, NULL, a, &bad) == SG_OK);
        for (int i = 0; i < m; i++) {
            double sum = l.t.gamma[i];
            for (int j = 0; j < n; j++)
                sum += G[i * n + j] * a[j];
            SG_NEAR(sum, 0.0, 1e-9, 1.0);
        }
        for (int j = 0; j < n; j++) {
            double sum = h[j];
            for (int k = 0; k < n; k++)
                sum += M[j * n + k] * a[k];
            for (int i = 0; i < m + 2; i++)
                sum -= G[i * n + j] * (i < m ? l.t.lambda[i] : drive[i - m]);
            SG_NEAR(sum, 0.0, 1e-9, 10.0);
        }
        for (int d = 0; d < 2; d++) {
            double sum = l.t.gamma[m + d];
            for (int j = 0; j < n; j++)
                sum += G[(m + d) * n + j] * a[j];
            SG_NEAR(b[d] + A[d * 2] * drive[0] + A[d * 2 + 1] * drive[1], sum, 1e-9, 1.0);
        }
        double measured = sg_tree_loops_acceleration(&l.f.s, l.loops, 1);
        SG_NEAR(measured, b[0] + A[0] * drive[0] + A[1] * drive[1], 1e-9, 1.0);
        drop(&l.f);
    }
}

// G' mu of some of the rows, and the inertia of a row, against the dense G.
SG_TEST(coordinates_are_pulled_by_the_transpose_of_the_rows)
{
    static const int rows[] = {0, 3, 7, 8, 12, 23};
    static const double mu[] = {0.3, -1.2, 0.7, 2.0, -0.4, 0.9};
    sg_rng rng = sg_rng_seeded(10);
    for (int round = 0; round < 5; round++) {
        sg_tree_object objects[N_OBJECTS];
        sg_tree_cut cuts[6];
        loop_fixture l;
        make_tree(objects, &rng);
        SG_CHECK(build(&l.f, objects, N_OBJECTS, earth));
        SG_CHECK(build_loops(&l, cuts, make_cuts(cuts, 6, &rng), NULL, 0));
        random_state(&l.f, &rng, 0.5, 1.0);
        int n = l.f.tree->n_dof, bad;
        double G[MAX_ROWS * MAX_DOF], M[MAX_DOF * MAX_DOF], x[MAX_DOF], zero[MAX_DOF] = {0};
        dense_rows(&l, G);
        place_at(&l, l.f.q, l.f.v);
        sg_tree_loops_transpose(l.f.tree, &l.f.s, l.loops, &l.t, rows, 6, mu, x);
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int i = 0; i < 6; i++)
                sum += G[rows[i] * n + j] * mu[i];
            SG_NEAR(x[j], sum, 1e-12, 1.0);
        }
        sg_tree_mass_matrix(l.f.tree, &l.f.s, M);
        SG_CHECK(sg_cholesky_factor(M, n) == SG_OK);
        SG_CHECK(sg_tree_forward_up(l.f.tree, &l.f.s, zero, NULL, NULL, &bad) == SG_OK);
        sg_tree_loops_factor(l.f.tree, &l.f.s, l.loops, &l.t, NULL, SG_LOOPS_FOR_ACCELERATIONS,
                             0.0);
        memcpy(x, G + 7 * n, (size_t)n * sizeof *x);
        sg_cholesky_solve(M, n, x);
        double product = 0.0;
        for (int j = 0; j < n; j++)
            product += G[7 * n + j] * x[j];
        SG_NEAR(sg_tree_loops_inertia(l.f.tree, l.loops, &l.t, 7) * product, 1.0, 1e-10, 1.0);
        drop(&l.f);
    }
}

// M^-1 transpose(G) lambda with locked joints leaves these alone and does what was asked for.
SG_TEST(a_response_moves_the_rows_and_no_locked_joint)
{
    sg_rng rng = sg_rng_seeded(9);
    sg_tree_object objects[N_OBJECTS];
    sg_tree_cut cuts[6];
    loop_fixture l;
    make_tree(objects, &rng);
    make_cuts(cuts, 6, &rng);
    SG_CHECK(build(&l.f, objects, N_OBJECTS, earth));
    SG_CHECK(build_loops(&l, cuts + 5, 1, NULL, 0));
    random_state(&l.f, &rng, 0.5, 1.0);
    int n = l.f.tree->n_dof, bad;
    bool locked[N_OBJECTS] = {0};
    locked[1] = true;
    double zero[MAX_DOF] = {0}, x[MAX_DOF], G[MAX_DOF], lambda[6];
    dense_rows(&l, G);
    place_at(&l, l.f.q, l.f.v);
    SG_CHECK(sg_tree_forward_up(l.f.tree, &l.f.s, zero, NULL, locked, &bad) == SG_OK);
    sg_tree_loops_factor(l.f.tree, &l.f.s, l.loops, &l.t, locked, SG_LOOPS_FOR_STATES, 0.0);
    sg_tree_loops_solve(l.loops, &l.t, l.t.g, lambda);
    SG_CHECK(sg_tree_loops_respond(l.f.tree, &l.f.s, l.loops, &l.t, lambda, locked, x) == SG_OK);
    double sum = l.t.g[0];
    for (int j = 0; j < n; j++)
        sum += G[j] * x[j];
    SG_NEAR(sum, 0.0, 1e-12, 1.0);
    SG_CHECK(x[l.f.tree->body[1].first] == 0.0);
    drop(&l.f);
}

// A planar fourbar in space: of the five rows of its cut joint the plane knows three already.
SG_TEST(rows_that_say_nothing_new_are_left_out)
{
    sg_tree_object o[4] = {world()};
    const sg_mass rod = {
        .m = 1.0, .c = {0.5, 0.0, 0.0}, .I_CM = m3_diagonal(v3_make(0.01, 0.1, 0.1))};
    static const char *const names[4] = {"world", "crank", "coupler", "rocker"};
    for (int i = 1; i < 4; i++)
        o[i] = (sg_tree_object){.name = names[i],
                                .parent = i == 2 ? 1 : 0,
                                .joint = SG_JOINT_REVOLUTE,
                                .axis = {0, 0, 1},
                                .place = pose_translation(v3_make(i == 1   ? 0.0
                                                                  : i == 2 ? 1.0
                                                                           : 1.5,
                                                                  0, 0)),
                                .mass = rod};
    sg_tree_cut cut = {.name = "cut",
                       .kind = SG_CUT_REVOLUTE,
                       .obj1 = 2,
                       .obj2 = 3,
                       .axis = {0, 0, 1},
                       .place = pose_translation(v3_make(1, 0, 0))};
    loop_fixture l;
    double zero[3] = {0};
    int bad;
    SG_CHECK(build(&l.f, o, 4, earth) && build_loops(&l, &cut, 1, NULL, 0));
    l.f.q[0] = 1.4, l.f.q[1] = -1.2, l.f.q[2] = 1.8;
    place_at(&l, l.f.q, l.f.v);
    SG_CHECK(sg_tree_forward_up(l.f.tree, &l.f.s, zero, NULL, NULL, &bad) == SG_OK);
    sg_tree_loops_select(l.f.tree, &l.f.s, l.loops, &l.t, NULL);
    SG_CHECK(l.t.n_active == 2 && l.t.active[0] == 0 && l.t.active[1] == 1);
    SG_CHECK(strcmp(sg_cut_row_name(cut.kind, 2), "force along the axis") == 0);
    SG_CHECK(sg_tree_loops_weakest(&l.t) > 1e-3);
    drop(&l.f);
}
