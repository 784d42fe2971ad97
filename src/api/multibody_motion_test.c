// Motion of systems built through the public functions, against closed forms: a force-free top by
// Jacobi's elliptic functions, virtual work, and what no motion may change.
#include "harness/sg_test.h"
#include "harness/sg_test_steps.h"
#include "segue/multibody.h"

#include <string.h>

#define MAX 24 // degrees of freedom

static const sg_multibody_gravity weightless = {.field = SG_MULTIBODY_NO_GRAVITY};
static const sg_multibody_gravity earth = {.field = SG_MULTIBODY_UNIFORM, .g = {0.0, -9.81, 0.0}};

typedef struct motion {
    sg_multibody *system;
    int n, switches;
    double x[2 * MAX]; // q, then v
} motion;

static void derivative(void *motion_, double time, const double *x, double *dx)
{
    motion *m = motion_;
    (void)time;
    static const double nothing[MAX];
    SG_CHECK(sg_multibody_set_state(m->system, x, x + m->n) == SG_OK);
    sg_multibody_rates(m->system, dx);
    SG_CHECK(sg_multibody_forward(m->system, nothing, dx + m->n, NULL) == SG_OK);
}

static void step(motion *m, double h)
{
    sg_test_step(derivative, m, 0.0, h, m->x, 2 * m->n);
    m->switches += sg_multibody_switch_angles(m->system, m->x);
    sg_multibody_set_state(m->system, m->x, m->x + m->n);
}

static bool begin(motion *m, const sg_multibody_object *objects, int n, sg_multibody_gravity field)
{
    *m = (motion){0};
    if (sg_multibody_create(NULL, objects, n, field, NULL, &m->system) != SG_OK)
        return false;
    m->n = sg_multibody_dof(m->system);
    return m->n <= MAX;
}

// sn, cn and dn of modulus k by the descending Landen transformation (arithmetic-geometric mean);
// returns the quarter period.
static double jacobi(double u, double k, double *sn, double *cn, double *dn)
{
    double a[12] = {1.0}, c[12] = {k}, b = sqrt(1.0 - k * k);
    int n = 0;
    for (; n < 11 && fabs(c[n]) > 1e-16; n++) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[n] * u, n), after = phi;
    for (int i = n; i > 0; i--) {
        after = phi;
        phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = n == 0 ? 1.0 : cos(phi) / cos(after - phi);
    return 1.5707963267948966 / a[n];
}

static sg_multibody_object top(double I1, double I2, double I3)
{
    sg_multibody_object o = sg_multibody_object_make("top", 0, SG_MULTIBODY_FREE);
    o.mass = 1.3;
    o.inertia[0] = I1;
    o.inertia[4] = I2;
    o.inertia[8] = I3;
    return o;
}

// Landau and Lifshitz, Mechanics, section 37, for a rotation about the axis of greatest inertia.
SG_TEST(a_force_free_top_moves_as_jacobis_functions_say)
{
    double I1 = 1.0, I2 = 2.0, I3 = 2.5, w1 = 0.9, w3 = 1.4;
    sg_multibody_object o[2] = {sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
                                top(I1, I2, I3)};
    motion m;
    SG_REQUIRE(begin(&m, o, 2, weightless));
    m.x[9] = w1;
    m.x[11] = w3;
    double E2 = I1 * w1 * w1 + I3 * w3 * w3, L2 = I1 * I1 * w1 * w1 + I3 * I3 * w3 * w3;
    SG_REQUIRE(L2 > E2 * I2);
    double rate = sqrt((I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3));
    double k = sqrt((I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1)));
    double w2 = sqrt((E2 * I3 - L2) / (I2 * (I3 - I2)));
    for (int i = 1; i <= 20000; i++) {
        step(&m, 1e-3);
        double sn, cn, dn;
        jacobi(rate * 1e-3 * i, k, &sn, &cn, &dn);
        if (i % 1000 == 0) {
            SG_NEAR(m.x[9], w1 * cn, 1e-10, 1.0);
            SG_NEAR(m.x[10], w2 * sn, 1e-10, 1.0);
            SG_NEAR(m.x[11], w3 * dn, 1e-10, 1.0);
        }
    }
    sg_multibody_destroy(m.system);
}

// Turned about its middle axis, a top flips over again and again. A hundred seconds of it, through
// both angle sequences: rates in closed form, energy, angular momentum, and the attitude that
// carries one into the other.
SG_TEST(a_hundred_seconds_of_flips_about_the_middle_axis)
{
    double I1 = 1.0, I2 = 2.0, I3 = 2.8, e = 0.05, w0 = 3.0;
    sg_multibody_object o[2] = {sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
                                top(I1, I2, I3)};
    motion m;
    SG_REQUIRE(begin(&m, o, 2, weightless));
    m.x[9] = e;
    m.x[10] = w0;
    // As above with axes 1 and 3 exchanged, starting a quarter period later: w2 = w0 cn / dn.
    double E2 = I1 * e * e + I2 * w0 * w0, L2 = I1 * I1 * e * e + I2 * I2 * w0 * w0;
    double rate = sqrt((I2 - I1) * (E2 * I3 - L2) / (I1 * I2 * I3));
    double k = sqrt((I3 - I2) * (L2 - E2 * I1) / ((I2 - I1) * (E2 * I3 - L2)));
    sg_multibody_set_state(m.system, m.x, m.x + 6);
    sg_multibody_balance start = sg_multibody_balance_of(m.system);
    double h = 5e-4, sn, cn, dn;
    int flips = 0, side = 1;
    for (int i = 1; i <= 200000; i++) {
        step(&m, h);
        if (m.x[10] * side < -0.9 * w0) {
            side = -side;
            flips++;
        }
        if (i % 10000 == 0) {
            jacobi(rate * h * i, k, &sn, &cn, &dn);
            SG_NEAR(m.x[10], w0 * cn / dn, 1e-6, w0);
            sg_multibody_balance b = sg_multibody_balance_of(m.system);
            SG_NEAR(b.kinetic, start.kinetic, 1e-9, 0.0);
            for (int j = 0; j < 3; j++)
                SG_NEAR(b.angular[j], start.angular[j], 1e-9, sqrt(L2));
        }
    }
    double half = 2.0 * jacobi(0.0, k, &sn, &cn, &dn) / rate; // between flips
    SG_CHECK_MSG(flips == (int)(100.0 / half + 0.5) || flips == (int)(100.0 / half),
                 "%d flips, one every %g s", flips, half);
    SG_CHECK_MSG(m.switches >= 2, "%d changes of the sequence", m.switches);
    sg_multibody_destroy(m.system);
}

// A chain and a tree with every kind of joint: the energy keeps to fourth order in the step.
SG_TEST(undamped_systems_lose_energy_only_as_the_step_allows)
{
    sg_shape_spec box = {.kind = SG_SHAPE_BOX, .size = {0.3, 0.1, 0.2}};
    static const sg_multibody_joint kinds[6] = {SG_MULTIBODY_REVOLUTE,  SG_MULTIBODY_REVOLUTE,
                                                SG_MULTIBODY_PRISMATIC, SG_MULTIBODY_REVOLUTE,
                                                SG_MULTIBODY_FREE,      SG_MULTIBODY_REVOLUTE};
    sg_multibody_object o[7] = {sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED)};
    for (int i = 1; i < 7; i++) {
        o[i] = sg_multibody_object_make("part", i == 6 ? 2 : i - 1, kinds[i - 1]);
        SG_REQUIRE(sg_multibody_set_shape(&o[i], &box, 1.0 + 0.2 * i) == SG_OK);
        o[i].axis[i % 3] = 1.0;
        o[i].place.r[0] = 0.4;
        o[i].center[1] = -0.2;
    }
    double error[2];
    for (int run = 0; run < 2; run++) {
        motion m;
        SG_REQUIRE(begin(&m, o, 7, earth));
        for (int i = 0; i < m.n; i++)
            m.x[m.n + i] = 0.5;
        sg_multibody_set_state(m.system, m.x, m.x + m.n);
        sg_multibody_balance a = sg_multibody_balance_of(m.system), b;
        for (int i = 0, steps = run ? 4000 : 2000; i < steps; i++)
            step(&m, 1.0 / steps);
        b = sg_multibody_balance_of(m.system);
        error[run] = fabs(b.kinetic + b.potential - a.kinetic - a.potential) / b.kinetic;
        sg_multibody_destroy(m.system);
    }
    SG_CHECK_MSG(error[0] < 1e-8 && error[1] < error[0] / 10, "%g, %g", error[0], error[1]);
}

// On a turntable left alone, a slider set going outward slows the turn: angular momentum keeps, and
// with the energy gives the closed form of both.
SG_TEST(a_slider_on_a_free_turntable_keeps_energy_and_angular_momentum)
{
    sg_multibody_object o[3] = {
        sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
        sg_multibody_object_make("table", 0, SG_MULTIBODY_REVOLUTE),
        sg_multibody_object_make("slider", 1, SG_MULTIBODY_PRISMATIC),
    };
    double J = 0.8, mass = 1.5, s0 = 0.3, w0 = 4.0;
    o[1].mass = 1.0;
    o[1].inertia[0] = o[1].inertia[4] = o[1].inertia[8] = J;
    o[2].mass = mass;
    o[2].axis[0] = 1.0;
    o[2].axis[2] = 0.0;
    motion m;
    SG_REQUIRE(begin(&m, o, 3, weightless));
    m.x[1] = s0;
    m.x[2] = w0;
    for (int i = 0; i < 1000; i++)
        step(&m, 1e-3);
    double s = m.x[1], L = (J + mass * s0 * s0) * w0;
    SG_CHECK(s > 1.0);
    SG_NEAR(m.x[2], L / (J + mass * s * s), 1e-10, 1.0);
    // m s'^2 = L w0 - L w
    SG_NEAR(m.x[3], sqrt(L * (w0 - m.x[2]) / mass), 1e-10, 1.0);
    sg_multibody_destroy(m.system);
}

// Virtual work: a force on an object at rest is held by transpose(J) times it, whatever the joints
// on the way; and the columns of J are the velocities that unit rates give.
SG_TEST(jacobians_turn_forces_on_an_object_into_torques)
{
    sg_multibody_object o[5] = {
        sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
        sg_multibody_object_make("base", 0, SG_MULTIBODY_FREE),
        sg_multibody_object_make("arm", 1, SG_MULTIBODY_REVOLUTE),
        sg_multibody_object_make("slide", 2, SG_MULTIBODY_PRISMATIC),
        sg_multibody_object_make("tip", 3, SG_MULTIBODY_FIXED),
    };
    for (int i = 1; i < 4; i++) {
        o[i].mass = o[i].inertia[0] = o[i].inertia[4] = o[i].inertia[8] = 1.0;
        o[i].place.r[i - 1] = 0.7;
        o[i].axis[1] = 0.5;
    }
    o[4].place.r[2] = -0.4;
    sg_multibody *s;
    SG_REQUIRE(sg_multibody_create(NULL, o, 5, weightless, NULL, &s) == SG_OK);
    double q[8] = {0.1, 0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8}, v[8] = {0}, J[48], tau[8], w[3],
           vel[3];
    double force[3] = {1.0, -2.0, 0.5}, moment[3] = {0.3, 0.7, -1.1};
    sg_multibody_set_state(s, q, v);
    sg_multibody_jacobian(s, 4, J);
    sg_multibody_apply(s, 4, force, moment);
    sg_multibody_inverse(s, v, tau);
    for (int j = 0; j < 8; j++) {
        double held = 0.0;
        for (int i = 0; i < 3; i++)
            held += J[i * 8 + j] * moment[i] + J[(i + 3) * 8 + j] * force[i];
        SG_NEAR(tau[j], -held, 1e-14, 1.0);
        memset(v, 0, sizeof v);
        v[j] = 1.0;
        sg_multibody_set_state(s, q, v);
        sg_multibody_velocity(s, 4, w, vel);
        for (int i = 0; i < 3; i++) {
            SG_NEAR(J[i * 8 + j], w[i], 1e-14, 1.0);
            SG_NEAR(J[(i + 3) * 8 + j], vel[i], 1e-14, 1.0);
        }
    }
    sg_multibody_destroy(s);
}

// Far from the origin nothing may be lost to differences of large numbers.
SG_TEST(a_machine_ten_thousand_kilometers_away_moves_as_it_does_here)
{
    double a[2][4];
    for (int far = 0; far < 2; far++) {
        sg_multibody_object o[5] = {sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED)};
        for (int i = 1; i < 5; i++) {
            o[i] = sg_multibody_object_make("rod", i - 1, SG_MULTIBODY_REVOLUTE);
            o[i].axis[i % 2] = 1.0;
            o[i].mass = 2.0;
            o[i].center[0] = 0.5;
            o[i].inertia[0] = o[i].inertia[4] = o[i].inertia[8] = 0.1;
            o[i].place.r[0] = i > 1 ? 1.0 : far ? 1e7 : 0.0;
        }
        double q[4] = {0.1, 0.2, 0.3, 0.4}, v[4] = {1.0, -2.0, 3.0, -1.0}, tau[4] = {0.5, 1, 2, 3};
        sg_multibody *s;
        SG_REQUIRE(sg_multibody_create(NULL, o, 5, earth, NULL, &s) == SG_OK);
        sg_multibody_set_state(s, q, v);
        SG_CHECK(sg_multibody_forward(s, tau, a[far], NULL) == SG_OK);
        sg_multibody_destroy(s);
    }
    for (int i = 0; i < 4; i++)
        SG_NEAR(a[1][i], a[0][i], 1e-13, 1.0);
}
