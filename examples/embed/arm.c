// An arm of three joints lifts a load along a given path: which torques does it take?
//
// Every millisecond the program asks for the torques behind the accelerations of the path (inverse
// dynamics), gives them to the arm (forward dynamics), and integrates what comes out. The load at
// the tip is a force; the Jacobian says what it costs at each joint. Expect a line every quarter of
// a second, most of the torque for carrying weight, and an arm that stays on the path.
#include "segue/multibody.h"

#include <math.h>
#include <stdio.h>

enum { WORLD, COLUMN, UPPER, LOWER, TIP, N_OBJECTS };

static sg_multibody *build_arm(void)
{
    sg_shape_spec link = {.kind = SG_SHAPE_BOX, .size = {0.5, 0.06, 0.06}};
    sg_multibody_object o[N_OBJECTS] = {
        [WORLD] = sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
        [COLUMN] = sg_multibody_object_make("column", WORLD, SG_MULTIBODY_REVOLUTE), // about z
        [UPPER] = sg_multibody_object_make("upper", COLUMN, SG_MULTIBODY_REVOLUTE),
        [LOWER] = sg_multibody_object_make("lower", UPPER, SG_MULTIBODY_REVOLUTE),
        [TIP] = sg_multibody_object_make("tip", LOWER, SG_MULTIBODY_FIXED)};
    for (int i = COLUMN; i <= LOWER; i++)
        sg_multibody_set_shape(&o[i], &link, 2.0);
    for (int i = UPPER; i <= LOWER; i++) { // about -y, so that positive angles lift
        o[i].axis[1] = -1.0;
        o[i].axis[2] = 0.0;
        o[i].center[0] = 0.25;
    }
    o[UPPER].place.r[2] = 0.4;
    o[LOWER].place.r[0] = o[TIP].place.r[0] = 0.5;
    sg_multibody_gravity earth = {.field = SG_MULTIBODY_UNIFORM, .g = {0.0, 0.0, -9.81}};
    sg_multibody *arm = NULL;
    sg_multibody_create(NULL, o, N_OBJECTS, earth, NULL, &arm);
    return arm;
}

int main(void)
{
    static const double load[3] = {0.0, 0.0, -30.0}, none[3] = {0.0, 0.0, 0.0};
    const double h = 1e-3, w = 3.14159265358979323846, from = -0.6;
    sg_multibody *arm = build_arm();
    double q[3] = {from, from, from}, v[3] = {0.0, 0.0, 0.0}, a[3], tau[3], J[6 * 3];
    if (!arm)
        return 1;
    for (int i = 0; i <= 1000; i++) {
        double t = h * i, path = -from * w * w * cos(w * t); // all joints: from * cos(w t)
        double want[3] = {path, path, path};
        sg_placement tip;
        if (sg_multibody_set_state(arm, q, v) != SG_OK)
            return 1;
        sg_multibody_clear_forces(arm);
        sg_multibody_apply(arm, TIP, load, none);
        sg_multibody_inverse(arm, want, tau);
        if (i % 250 == 0) {
            sg_multibody_pose(arm, TIP, &tip);
            sg_multibody_jacobian(arm, TIP, J); // row 5: how fast the tip rises
            printf("t = %.2f s  height %6.3f m  torques %6.2f %6.2f %6.2f N m, for the load %6.2f "
                   "%6.2f %6.2f\n",
                   t, tip.r[2], tau[0], tau[1], tau[2], -load[2] * J[15], -load[2] * J[16],
                   -load[2] * J[17]);
        }
        if (sg_multibody_forward(arm, tau, a, NULL) != SG_OK)
            return 1;
        for (int k = 0; k < 3; k++) {
            v[k] += h * a[k];
            q[k] += h * v[k];
        }
    }
    sg_multibody_destroy(arm);
    return fabs(q[2] + from) < 0.01 ? 0 : 2; // half a turn of the cosine later
}
