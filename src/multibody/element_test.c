// Force elements by what they must keep: momentum whatever the laws say, and energy up to what the
// dampers took; measurements against differences in time.
#include "multibody/element.h"

#include "harness/sg_test.h"
#include "math/rotation.h"
#include "multibody/system_test.h"

typedef struct totals {
    double energy; // of motion, height and springs, with what was lost and without what was given
    sg_vec3 momentum, angular;
} totals;

static totals totals_of(system_fixture *f)
{
    int n = f->tree->n_dof;
    sg_tree_balance b = sg_tree_balance_of(f->tree, &f->s);
    double stored;
    SG_CHECK(sg_force_elements_stored(f->element, f->values, f->n_elements, NULL, &stored) ==
             SG_OK);
    return (totals){b.kinetic + b.potential + stored + f->x[2 * n] - f->x[2 * n + 1], b.momentum,
                    b.angular};
}

static sg_tree_object free_body(sg_vec3 moments)
{
    return (sg_tree_object){
        .name = "body",
        .joint = SG_JOINT_FREE,
        .place = POSE_IDENTITY,
        .mass = {.m = 1.5, .c = {0.1, -0.05, 0.02}, .I_CM = m3_diagonal(moments)}};
}

static sg_tree_object frame(int parent, sg_vec3 angles, sg_vec3 r)
{
    return (sg_tree_object){
        .name = "frame", .parent = parent, .place = pose_from_abs(rot_123(angles), r)};
}

// Two free bodies with a frame each, turned and away from the body's origin.
static bool two_bodies(system_fixture *f)
{
    sg_tree_object o[5] = {world(), free_body(v3_make(0.3, 0.2, 0.4)),
                           free_body(v3_make(0.1, 0.15, 0.12)),
                           frame(1, v3_make(0.3, -0.4, 0.5), v3_make(0.2, 0.1, 0.0)),
                           frame(2, v3_make(-0.2, 0.1, 0.7), v3_make(-0.3, 0.0, 0.1))};
    static const double start[24] = {0,    0,    0,    0.1, 0.2, 0.3, 1.0,  0.4,
                                     -0.2, -0.1, 0.3,  0.2, 0.3, 0.1, -0.2, 0.5,
                                     1.0,  0.7,  -0.1, 0.2, 0.6, 0.4, -1.0, 0.3};
    if (!build(f, o, 5, nothing))
        return false;
    memcpy(f->x, start, sizeof start);
    return true;
}

static sg_status hardening(const void *context, void *caller, double x, double *y)
{
    (void)context;
    (void)caller;
    *y = 20.0 * x + 90.0 * x * x * x;
    return SG_OK;
}

static sg_status quadratic_drag(const void *context, void *caller, double v, double *y)
{
    (void)context;
    (void)caller;
    *y = 2.0 * v * fabs(v);
    return SG_OK;
}

static void check_balance(system_fixture *f, double h, int steps)
{
    evaluate(f);
    totals before = totals_of(f);
    for (int i = 0; i < steps; i++)
        step(f, h);
    totals after = totals_of(f);
    SG_NEAR(after.energy, before.energy, 1e-8, 1.0);
    for (int i = 0; i < 3; i++) {
        SG_NEAR(v3_get(after.momentum, i), v3_get(before.momentum, i), 1e-9, 1.0);
        SG_NEAR(v3_get(after.angular, i), v3_get(before.angular, i), 1e-9, 1.0);
    }
}

SG_TEST(a_spring_inside_of_a_system_changes_neither_momentum_nor_energy)
{
    system_fixture f;
    SG_REQUIRE(two_bodies(&f));
    f.element[0] = sg_spring_make("spring", 3, 4);
    f.element[0].u.spring.spring = (sg_law){.call = hardening};
    f.element[0].u.spring.nominal_length = 0.4;
    f.element[0].u.spring.nominal_force = 1.5;
    f.n_elements = 1;
    check_balance(&f, 0.002, 1000);
    SG_CHECK(f.x[2 * f.tree->n_dof] == 0.0);
    drop(&f);
}

SG_TEST(what_dampers_take_is_what_is_missing)
{
    system_fixture f;
    SG_REQUIRE(two_bodies(&f));
    f.element[0] = sg_spring_make("spring", 4, 3);
    f.element[0].u.spring.spring = (sg_law){.slope = 30.0};
    f.element[0].u.spring.damper = (sg_law){.call = quadratic_drag};
    f.n_elements = 1;
    check_balance(&f, 0.002, 1000);
    SG_CHECK(f.x[2 * f.tree->n_dof] > 0.05);
    drop(&f);
}

static void check_bushing(bool large)
{
    system_fixture f;
    SG_REQUIRE(two_bodies(&f));
    f.element[0] = sg_bushing_make("bushing", 3, 4);
    sg_bushing *b = &f.element[0].u.bushing;
    b->large_angles = large;
    b->nominal_force = v3_make(0.3, -0.2, 0.1);
    b->nominal_torque = v3_make(0.02, 0.01, -0.03);
    for (int i = 0; i < 3; i++) {
        b->spring[i] = (sg_law){.slope = 20.0 + 5.0 * i};
        b->damper[i] = (sg_law){.slope = 0.3};
        b->rot_spring[i] = (sg_law){.slope = 3.0 - 0.5 * i};
        b->rot_damper[i] = (sg_law){.slope = 0.02};
    }
    b->spring[1] = (sg_law){.call = hardening};
    b->damper[2] = (sg_law){.call = quadratic_drag};
    f.n_elements = 1;
    check_balance(&f, 0.0005, 2000);
    SG_CHECK(f.x[2 * f.tree->n_dof] > 0.05);
    drop(&f);
}

SG_TEST(a_bushing_keeps_momentum_and_energy_up_to_its_losses)
{
    check_bushing(true);
    check_bushing(false);
}

SG_TEST(small_and_large_angles_of_a_bushing_agree_where_angles_are_small)
{
    system_fixture f;
    SG_REQUIRE(two_bodies(&f));
    memset(f.x, 0, sizeof f.x);
    f.x[3] = 1e-4, f.x[4] = -2e-4, f.x[5] = 3e-4; // body 1 turned a little
    f.n_elements = 2;
    for (int k = 0; k < 2; k++) {
        f.element[k] = sg_bushing_make("bushing", 2, 1);
        f.element[k].u.bushing.large_angles = k == 1;
        for (int i = 0; i < 3; i++)
            f.element[k].u.bushing.rot_spring[i] = (sg_law){.slope = 100.0};
    }
    evaluate(&f);
    const sg_bushing_values *small = &f.values[0].u.bushing, *large = &f.values[1].u.bushing;
    SG_NEAR(small->rotation.x, 1e-4, 1e-3, 0.0);
    SG_NEAR(small->torque_vector.y, 0.02, 1e-3, 0.0);
    for (int i = 0; i < 3; i++)
        SG_NEAR(v3_get(small->torque_vector, i), v3_get(large->torque_vector, i), 1e-3, 0.0);
    drop(&f);
}

// Three turns about one axis after the other, in small steps with the last angles at hand: the
// angles go on through right and straight ones, at the singularity, too.
SG_TEST(large_angles_of_a_bushing_go_on_through_right_and_straight_ones)
{
    for (int axis = 0; axis < 3; axis++) {
        sg_bushing_values last = {.is_near = true};
        for (int k = 0; k <= 36; k++) {
            system_fixture f;
            double angle = k * (SG_TWO_PI / 12.0);
            sg_mat3 turn = axis == 0 ? rot_1(angle) : axis == 1 ? rot_2(angle) : rot_3(angle);
            sg_tree_object o[2] = {world(), free_body(v3_make(1, 1, 1))};
            o[1].place = pose_from_abs(turn, V3_ZERO);
            SG_REQUIRE(build(&f, o, 2, nothing));
            memset(f.x, 0, sizeof f.x);
            sg_tree_kinematics(f.tree, &f.s, f.x, f.x);
            f.element[0] = sg_bushing_make("bushing", 0, 1);
            f.element[0].u.bushing.large_angles = true;
            f.element[0].u.bushing.rot_spring[axis].slope = 2.0;
            sg_force_values value = {.u.bushing = last};
            int bad = -1;
            SG_CHECK(sg_force_elements_apply(f.tree, &f.s, f.element, &value, 1, 0.0, NULL, &bad) ==
                     SG_OK);
            SG_NEAR(v3_get(value.u.bushing.rotation, axis), angle, 1e-12, 1.0);
            SG_NEAR(v3_get(value.u.bushing.torque_vector, axis), -2.0 * angle, 1e-12, 1.0);
            last.near = value.u.bushing.rotation;
            drop(&f);
        }
    }
}

static sg_status pulling(const void *context, void *caller, double time, sg_vec3 *out)
{
    const double *strength = context;
    (void)caller;
    *out = v3_make(*strength * cos(3.0 * time), 0.2, -0.3 * time);
    return SG_OK;
}

SG_TEST(world_forces_and_torques_give_the_energy_that_appears)
{
    system_fixture f;
    double strength = 2.0;
    SG_REQUIRE(two_bodies(&f));
    f.element[0] = (sg_force_element){.name = "force", .kind = SG_ELEMENT_FORCE};
    f.element[0].u.load =
        (sg_vector_load){.object = 3, .axes = 4, .call = pulling, .context = &strength};
    f.element[1] = (sg_force_element){.name = "torque", .kind = SG_ELEMENT_TORQUE};
    f.element[1].u.load =
        (sg_vector_load){.object = 4, .axes = SG_WORLD, .call = pulling, .context = &strength};
    f.n_elements = 2;
    evaluate(&f);
    totals before = totals_of(&f);
    for (int i = 0; i < 500; i++)
        step(&f, 0.002);
    totals after = totals_of(&f);
    SG_NEAR(after.energy, before.energy, 1e-8, 1.0);
    SG_CHECK(fabs(f.x[2 * f.tree->n_dof + 1]) > 0.1);
    // A torque alone moves no center of mass, so this is the impulse of the first element's force.
    SG_CHECK(v3_norm(v3_sub(after.momentum, before.momentum)) > 0.1);
    drop(&f);
}

static sg_status refusing(const void *context, void *caller, double x, double *y)
{
    (void)context;
    (void)caller;
    (void)x;
    (void)y;
    return SG_ERR_MODEL;
}

SG_TEST(a_law_that_fails_stops_the_evaluation_and_is_named)
{
    system_fixture f;
    SG_REQUIRE(two_bodies(&f));
    f.element[0] = sg_spring_make("good", 3, 4);
    f.element[1] = sg_spring_make("bad", 3, 4);
    f.element[1].u.spring.spring = (sg_law){.call = refusing};
    int bad = -1;
    SG_CHECK(sg_force_elements_apply(f.tree, &f.s, f.element, f.values, 2, 0.0, NULL, &bad) ==
                 SG_ERR_MODEL &&
             bad == 1);
    drop(&f);
}

SG_TEST(the_published_direction_of_a_spring_is_wrong_where_its_first_object_is_turned)
{
    sg_tree_object o[3] = {world(), free_body(v3_make(1, 1, 1)),
                           frame(0, v3_make(0.0, 0.0, 1.5707963267948966), V3_ZERO)};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 3, nothing));
    f.x[0] = 2.0;
    for (int k = 0; k < 2; k++) {
        f.element[0] = sg_spring_make("spring", 2, 1);
        f.element[0].u.spring.spring = (sg_law){.slope = 10.0};
        f.element[0].u.spring.line_axes = k == 1 ? 2 : SG_WORLD;
        f.n_elements = 1;
        evaluate(&f);
        SG_NEAR(f.values[0].u.spring.force_vector.x, -20.0, 1e-12, 0.0);
        sg_vec3 applied = f.s.link[1].push.f;
        SG_NEAR(applied.x, k ? 0.0 : -20.0, 1e-12, 1.0);
        SG_NEAR(applied.y, k ? -20.0 : 0.0, 1e-12, 1.0);
    }
    drop(&f);
}

// ---- measuring ------------------------------------------------------------------------------

static sg_measured measured_at(system_fixture *f, const double *x, const double *dx, double h,
                               sg_view view)
{
    double y[MAX_STATES], k[MAX_STATES];
    for (int i = 0; i < 2 * f->tree->n_dof; i++)
        y[i] = x[i] + h * dx[i];
    y[2 * f->tree->n_dof] = y[2 * f->tree->n_dof + 1] = 0.0;
    derivative(f, 0.0, y, k);
    return sg_tree_measure(f->tree, &f->s, 4, view);
}

// A turning observer sees the rate of what it sees: differences of positions are velocities,
// differences of velocities accelerations, if all is resolved in the observer.
SG_TEST(observed_velocities_and_accelerations_are_rates_of_what_is_observed)
{
    system_fixture f;
    double dx[MAX_STATES], h = 1e-6;
    SG_REQUIRE(two_bodies(&f));
    f.element[0] = sg_spring_make("spring", 3, 4);
    f.element[0].u.spring.spring = (sg_law){.slope = 50.0};
    f.n_elements = 1;
    derivative(&f, 0.0, f.x, dx);
    for (int k = 0; k < 2; k++) {
        int who = k ? 3 : SG_WORLD;
        sg_view view = {.origin = 3, .axes = who, .observer = who};
        sg_measured m = measured_at(&f, f.x, dx, 0.0, view);
        sg_measured a = measured_at(&f, f.x, dx, -h, view), b = measured_at(&f, f.x, dx, h, view);
        for (int i = 0; i < 3; i++) {
            SG_NEAR(v3_get(m.v, i), (v3_get(b.r, i) - v3_get(a.r, i)) / (2 * h), 1e-8, 1.0);
            SG_NEAR(v3_get(m.a, i), (v3_get(b.v, i) - v3_get(a.v, i)) / (2 * h), 1e-7, 10.0);
            SG_NEAR(v3_get(m.z, i), (v3_get(b.w, i) - v3_get(a.w, i)) / (2 * h), 1e-7, 10.0);
        }
        SG_NEAR(m.rate, (b.distance - a.distance) / (2 * h), 1e-8, 1.0);
        SG_NEAR(m.acceleration, (b.rate - a.rate) / (2 * h), 1e-7, 10.0);
        view.forgotten = 1.0;
        sg_measured published = measured_at(&f, f.x, dx, 0.0, view);
        SG_CHECK((v3_norm(v3_sub(published.a, m.a)) > 0.1) == (k == 1));
    }
    drop(&f);
}

SG_TEST(an_object_is_where_it_is_seen_from_itself)
{
    system_fixture f;
    SG_REQUIRE(two_bodies(&f));
    evaluate(&f);
    sg_measured m = sg_tree_measure(f.tree, &f.s, 4, (sg_view){4, 4, 4, 0.0});
    SG_CHECK(m.distance == 0.0 && m.rate == 0.0 && v3_equal(m.n, V3_ZERO));
    SG_NEAR(v3_norm(m.a), 0.0, 1e-12, 1.0);
    drop(&f);
}

// ---- falling --------------------------------------------------------------------------------

// A body at rest falls towards a point mass from r0 to r1 in sqrt(r0^3 / 2 mue) (u + sin(2u)/2),
// with cos(u)^2 = r1 / r0.
SG_TEST(free_fall_takes_its_time_in_every_gravity_field)
{
    sg_tree_object o[2] = {world(), free_body(v3_make(0.1, 0.2, 0.3))};
    o[1].mass.c = V3_ZERO;
    for (int kind = SG_GRAVITY_NONE; kind <= SG_GRAVITY_POINT; kind++) {
        sg_gravity field = {.kind = (sg_gravity_kind)kind, .g = {0.0, 0.0, -3.7}, .mue = 2.0};
        system_fixture f;
        SG_REQUIRE(build(&f, o, 2, field));
        f.x[2] = 2.0;
        double u = acos(sqrt(0.25)), T = sqrt(8.0 / 4.0) * (u + 0.5 * sin(2.0 * u));
        evaluate(&f);
        totals before = totals_of(&f);
        for (int i = 0; i < 2000; i++)
            step(&f, T / 2000);
        double expected = kind == SG_GRAVITY_NONE      ? 2.0
                          : kind == SG_GRAVITY_UNIFORM ? 2.0 - 0.5 * 3.7 * T * T
                                                       : 0.5;
        SG_NEAR(f.x[2], expected, 1e-9, 1.0);
        SG_NEAR(totals_of(&f).energy, before.energy, 1e-9, 1.0);
        drop(&f);
    }
}

// The published program pulls at the root's origin; a dumbbell that stands off it feels the
// difference, and its energy is not kept.
SG_TEST(the_published_point_gravity_is_that_of_the_roots_origin)
{
    sg_tree_object o[2] = {world(), free_body(v3_make(0.1, 0.2, 0.3))};
    o[1].mass.c = v3_make(1.0, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        sg_gravity field = {.kind = k ? SG_GRAVITY_POINT_AT_ROOT : SG_GRAVITY_POINT, .mue = 8.0};
        system_fixture f;
        SG_REQUIRE(build(&f, o, 2, field));
        f.x[0] = 1.0;
        evaluate(&f);
        SG_NEAR(sg_tree_gravity(f.tree, &f.s, 1).x, -8.0 / (k ? 1.0 : 4.0), 1e-14, 0.0);
        drop(&f);
    }
}
