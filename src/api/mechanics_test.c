#include "segue/mechanics.h"

#include "harness/sg_test.h"

#include <math.h>
#include <string.h>

// Two rods of 1 m with 1 kg at their ends, in a plane across y, and a ball that flies.
static const char arm[] =
    "using Modia3D\n"
    "point = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.0, 0.0, -1.0]))\n"
    "Arm = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 10.0, n "
    "= [0.0, 0.0, -1.0]))),\n"
    "    upper = Object3D(feature = point), lower = Object3D(feature = point), elbow = "
    "Object3D(parent = :upper, translation = [0.0, 0.0, -1.0]),\n"
    "    tip = Object3D(parent = :lower, translation = [0.0, 0.0, -1.0]),\n"
    "    a = Revolute(obj1 = :world, obj2 = :upper, axis = 2, phi = Var(init = 0.3)), b = "
    "Revolute(obj1 = :elbow, obj2 = :lower, axis = 2, phi = Var(init = 0.4)),\n"
    "    ball = Object3D(parent = :world, fixedToParent = false, translation = [5.0, 0.0, 0.0], "
    "feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 1.0, Iyy = 1.0, Izz = "
    "1.0))))\n"
    "arm = @instantiateModel(Arm, unitless = true)\nsimulate!(arm, stopTime = 1.0)\n";

static size_t find(sg_model *m, const char *wanted)
{
    char name[100];
    for (size_t i = 0; i < sg_model_n_coordinates(m); i++)
        if (sg_model_coordinate_name(m, i, name, sizeof name) == SG_OK && strcmp(name, wanted) == 0)
            return i;
    return SIZE_MAX;
}

SG_TEST(a_model_tells_its_mass_matrix_jacobians_and_torques)
{
    sg_model *m = NULL;
    sg_model_options options = sg_model_options_make();
    SG_REQUIRE(sg_model_open_text(NULL, "arm.jl", arm, sizeof arm - 1, &options, NULL, &m) ==
               SG_OK);
    double M[64], J[48], tau[8], q[8] = {0}, v[8] = {0}, acc[8] = {0}, r[3], R[9];
    SG_CHECK(sg_model_n_coordinates(m) == 0); // not initialized
    SG_CHECK(sg_model_mass_matrix(m, NULL, M, 64) == SG_ERR_USAGE);
    SG_REQUIRE(sg_model_initialize(m) == SG_OK && sg_model_n_coordinates(m) == 8);
    size_t a = find(m, "a.phi"), b = find(m, "b.phi"), x = find(m, "ball.translation[1]");
    SG_REQUIRE(a < 8 && b < 8 && x < 8);
    // By hand: 2 + 1 + 2 cos(b), 1 + cos(b), 1.
    SG_CHECK(sg_model_mass_matrix(m, NULL, M, 64) == SG_OK);
    SG_NEAR(M[a * 8 + a], 3.0 + 2.0 * cos(0.4), 1e-14, 1.0);
    SG_NEAR(M[a * 8 + b], 1.0 + cos(0.4), 1e-14, 1.0);
    SG_NEAR(M[x * 8 + x], 2.0, 1e-14, 1.0);
    SG_NEAR(M[a * 8 + x], 0.0, 1e-14, 1.0);
    SG_CHECK(sg_model_jacobian(m, "tip", NULL, J, 48) == SG_OK);
    SG_NEAR(J[a], -cos(0.3) - cos(0.7), 1e-14, 1.0); // about +y the tip goes to -x
    SG_NEAR(J[2 * 8 + b], sin(0.7), 1e-14, 1.0);
    SG_NEAR(J[4 * 8 + a], 1.0, 1e-14, 1.0);
    // At another state: gravity, and what turning does.
    q[a] = 0.5, q[b] = -0.2, v[a] = 1.5;
    SG_CHECK(sg_model_inverse_dynamics(m, q, v, acc, tau, 8) == SG_OK);
    SG_NEAR(tau[a], 10.0 * (2.0 * sin(0.5) + sin(0.3)), 1e-13, 10.0);
    SG_NEAR(tau[b], 10.0 * sin(0.3) + sin(-0.2) * 1.5 * 1.5, 1e-13, 10.0);
    SG_CHECK(sg_model_pose(m, "tip", q, r, R) == SG_OK);
    SG_NEAR(r[2], -cos(0.5) - cos(0.3), 1e-14, 1.0);
    SG_NEAR(R[0], cos(0.3), 1e-14, 1.0);
    // There and back.
    double found[8] = {0}, goal[3] = {r[0], r[1], r[2]};
    found[a] = 0.1, found[b] = -0.9, found[x] = 5.0;
    SG_CHECK(sg_model_inverse_kinematics(m, "tip", goal, NULL, found, 8) == SG_OK);
    SG_CHECK(sg_model_pose(m, "tip", found, r, R) == SG_OK);
    SG_NEAR(r[0], goal[0], 1e-10, 1.0);
    SG_NEAR(r[2], goal[2], 1e-10, 1.0);
    SG_CHECK(found[x] == 5.0);
    goal[0] = 3.0;
    SG_CHECK(sg_model_inverse_kinematics(m, "tip", goal, NULL, found, 8) == SG_ERR_SOLVER);
    // What makes no sense.
    const double skew[9] = {1, 1, 0, 0, 1, 0, 0, 0, 1};
    SG_CHECK(sg_model_inverse_kinematics(m, "tip", goal, skew, found, 8) == SG_ERR_USAGE);
    SG_CHECK(sg_model_jacobian(m, "nobody", NULL, J, 48) == SG_ERR_USAGE);
    SG_CHECK(sg_model_jacobian(m, NULL, NULL, J, 48) == SG_ERR_USAGE);
    SG_CHECK(sg_model_mass_matrix(m, NULL, M, 63) == SG_ERR_USAGE);
    SG_CHECK(sg_model_mass_matrix(NULL, NULL, M, 64) == SG_ERR_USAGE);
    SG_CHECK(sg_model_mass_matrix(m, NULL, NULL, 64) == SG_ERR_USAGE);
    SG_CHECK(sg_model_inverse_dynamics(m, q, v, NULL, tau, 8) == SG_ERR_USAGE);
    SG_CHECK(sg_model_pose(m, "tip", q, NULL, R) == SG_ERR_USAGE);
    SG_CHECK(sg_model_coordinate_name(m, 8, (char[10]){0}, 10) == SG_ERR_USAGE);
    SG_CHECK(sg_model_n_coordinates(NULL) == 0);
    sg_model_destroy(m);
}
