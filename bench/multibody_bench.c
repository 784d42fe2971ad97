// One derivative evaluation (state in, accelerations out) of chains of revolute joints and of a
// binary tree, without contact. Time should grow with the number of joints and no faster.
#include "segue/multibody.h"

#include "bench/bench.h"

#include <stdio.h>

#define MAX_JOINTS 200

typedef struct machine {
    sg_multibody *system;
    int repeat;
    double q[MAX_JOINTS], v[MAX_JOINTS], tau[MAX_JOINTS], a[MAX_JOINTS];
} machine;

static void evaluate(void *context)
{
    machine *m = context;
    for (int i = 0; i < m->repeat; i++) {
        m->q[0] += 1e-6;
        sg_multibody_set_state(m->system, m->q, m->v);
        sg_multibody_forward(m->system, m->tau, m->a, NULL);
    }
}

// Rod i hangs from the end of rod (i - 1) / branches, or from the world if that is none.
static void measure(const char *name, int n, int branches)
{
    sg_multibody_object rod[MAX_JOINTS + 1];
    sg_shape_spec shape = {.kind = SG_SHAPE_CYLINDER, .size = {0.05, 1.0}, .axis = 1};
    sg_multibody_gravity earth = {.field = SG_MULTIBODY_UNIFORM, .g = {0.0, -9.81, 0.0}};
    rod[0] = sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED);
    for (int i = 1; i <= n; i++) {
        int parent = i == 1 ? 0 : 1 + (i - 2) / branches;
        rod[i] = sg_multibody_object_make("rod", parent, SG_MULTIBODY_REVOLUTE);
        sg_multibody_set_shape(&rod[i], &shape, 1.0);
        rod[i].center[0] = 0.5;
        rod[i].place.r[0] = i == 1 ? 0.0 : 1.0;
        rod[i].axis[1] = i % 2; // neighbors about different axes
    }
    machine m = {.repeat = 2000 / n + 1};
    if (sg_multibody_create(NULL, rod, n + 1, earth, NULL, &m.system) != SG_OK)
        return;
    for (int i = 0; i < n; i++) {
        m.q[i] = 0.1 * i;
        m.v[i] = 0.2;
    }
    double time = bench_minimum(evaluate, &m, 20) / m.repeat;
    char extra[64];
    snprintf(extra, sizeof extra, "\"ns_per_joint\": %.1f", 1e9 * time / n);
    bench_print(name, n, "joints", time, extra);
    sg_multibody_destroy(m.system);
}

int main(void)
{
    static const int sizes[] = {2, 7, 20, 50, 200};
    for (int i = 0; i < 5; i++)
        measure("multibody_chain", sizes[i], 1);
    measure("multibody_binary_tree", 63, 2);
    return 0;
}
