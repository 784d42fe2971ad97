// A double pendulum swings for ten seconds: multibody dynamics from a C program.
//
// Two rods hang from the world, the second from the end of the first. The program integrates their
// accelerations with the classic Runge-Kutta method and watches the energy. Expect a line a second,
// and a relative error of the energy below 1e-7.
#include "segue/multibody.h"

#include <math.h>
#include <stdio.h>

enum { WORLD, ROD1, TIP1, ROD2, TIP2, N_OBJECTS };

static sg_status derivative(sg_multibody *p, const double x[4], double dx[4])
{
    static const double no_torque[2] = {0.0, 0.0};
    sg_status status = sg_multibody_set_state(p, x, x + 2);
    sg_multibody_rates(p, dx);
    return status ? status : sg_multibody_forward(p, no_torque, dx + 2, NULL);
}

static sg_status step(sg_multibody *p, double x[4], double h)
{
    const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[4] = {0}, y[4], sum[4] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + at[s] * h * k[i];
        sg_status status = derivative(p, y, k);
        if (status)
            return status;
        for (int i = 0; i < 4; i++)
            sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < 4; i++)
        x[i] += h / 6.0 * sum[i];
    return sg_multibody_set_state(p, x, x + 2);
}

int main(void)
{
    sg_shape_spec rod = {.kind = SG_SHAPE_CYLINDER, .size = {0.04, 1.0}, .axis = 1};
    sg_multibody_object part[N_OBJECTS] = {
        [WORLD] = sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
        [ROD1] = sg_multibody_object_make("rod1", WORLD, SG_MULTIBODY_REVOLUTE),
        [TIP1] = sg_multibody_object_make("tip1", ROD1, SG_MULTIBODY_FIXED),
        [ROD2] = sg_multibody_object_make("rod2", TIP1, SG_MULTIBODY_REVOLUTE),
        [TIP2] = sg_multibody_object_make("tip2", ROD2, SG_MULTIBODY_FIXED)};
    sg_multibody_set_shape(&part[ROD1], &rod, 1.0);
    sg_multibody_set_shape(&part[ROD2], &rod, 1.0);
    part[ROD1].center[0] = part[ROD2].center[0] = 0.5; // the joint is at the rod's end
    part[TIP1].place.r[0] = part[TIP2].place.r[0] = 1.0;

    sg_multibody_gravity earth = {.field = SG_MULTIBODY_UNIFORM, .g = {0.0, -9.81, 0.0}};
    sg_diags *diags = sg_diags_create(NULL);
    sg_multibody *pendulum = NULL;
    if (sg_multibody_create(NULL, part, N_OBJECTS, earth, diags, &pendulum) != SG_OK) {
        for (size_t i = 0; i < sg_diags_count(diags); i++)
            fprintf(stderr, "%s\n", sg_diags_get(diags, i)->message);
        return 1;
    }
    double x[4] = {0.0, 0.3, 0.0, 0.0}, worst = 0.0; // two angles and their rates
    printf("%4s %12s %12s %12s\n", "t", "tip x", "tip y", "energy");
    for (int i = 0; i <= 10000; i++) {
        sg_placement tip;
        if ((i ? step(pendulum, x, 1e-3) : sg_multibody_set_state(pendulum, x, x + 2)) != SG_OK)
            return 1;
        sg_multibody_balance b = sg_multibody_balance_of(pendulum);
        sg_multibody_pose(pendulum, TIP2, &tip);
        if (i % 1000 == 0)
            printf("%4d %12.6f %12.6f %12.8f\n", i / 1000, tip.r[0], tip.r[1],
                   b.kinetic + b.potential);
        worst = fmax(worst, fabs(b.kinetic + b.potential - 4.905 * sin(0.3)));
    }
    sg_multibody_destroy(pendulum);
    sg_diags_destroy(diags);
    return worst < 1e-7 * 9.81 ? 0 : 2;
}
