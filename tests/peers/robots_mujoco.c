// The robots of robots.py in MuJoCo: accelerations at the states of states.txt, and where a swing
// of five seconds ends. Compares with what Segue printed: robots_mujoco states.txt segue.txt.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 64, STATES = 200 };

static void ignore(const char *message) { (void)message; }

int main(int argc, char **argv)
{
    static double q[STATES][MAX], v[STATES][MAX], theirs[STATES][MAX];
    char word[64], file[64], error[1000];
    FILE *states = argc > 2 ? fopen(argv[1], "r") : NULL,
         *segue = argc > 2 ? fopen(argv[2], "r") : NULL;
    int n_states = 0, n = 0, damped, robot, robots = 0;
    double worst = 0.0, worst_swing = 0.0;
    if (!states || !segue)
        return 1;
    mju_user_warning = ignore;
    while (fscanf(states, "%63s", word) == 1) {
        if (strcmp(word, "names") != 0) {
            robot = atoi(word);
            if (fscanf(states, "%d", &n) != 1 || n > MAX || n_states >= STATES)
                return 1;
            for (int k = 0; k < 2 * n; k++)
                if (fscanf(states, "%lf", k < n ? &q[n_states][k] : &v[n_states][k - n]) != 1)
                    return 1;
            n_states++;
            continue;
        }
        if (fscanf(states, "%d %d", &robot, &damped) != 2)
            return 1;
        snprintf(file, sizeof file, "robot%d.urdf", robot);
        mjModel *m = mj_loadXML(file, NULL, error, sizeof error);
        if (!m) {
            fprintf(stderr, "%s: %s\n", file, error);
            return 1;
        }
        mjData *d = mj_makeData(m);
        int at[MAX];
        for (int k = 0; k < n; k++) {
            if (fscanf(states, "%63s", word) != 1)
                return 1;
            at[k] = mj_name2id(m, mjOBJ_JOINT, word);
            if (at[k] < 0 || m->nv != n)
                return 1;
        }
        double most = 0.0;
        for (int s = 0; s < n_states; s++) {
            double largest = 0.0;
            int same;
            if (fscanf(segue, "%d", &same) != 1 || same != robot)
                return 1;
            for (int k = 0; k < n; k++)
                if (fscanf(segue, "%lf", &theirs[s][k]) != 1)
                    return 1;
            mj_resetData(m, d);
            for (int k = 0; k < n; k++) {
                d->qpos[m->jnt_qposadr[at[k]]] = q[s][k];
                d->qvel[m->jnt_dofadr[at[k]]] = v[s][k];
            }
            mj_forward(m, d);
            for (int k = 0; k < n; k++)
                largest = fmax(largest, fabs(d->qacc[m->jnt_dofadr[at[k]]]));
            for (int k = 0; k < n; k++)
                most = fmax(most, fabs(d->qacc[m->jnt_dofadr[at[k]]] - theirs[s][k]) / largest);
        }
        double swing = 0.0;
        if (damped) {
            int same;
            if (fscanf(segue, " swing %d", &same) != 1 || same != robot)
                return 1;
            mj_resetData(m, d);
            m->opt.timestep = 1e-4;
            m->opt.integrator = mjINT_RK4;
            while (d->time < 5.0 - 1e-5)
                mj_step(m, d);
            for (int k = 0; k < n; k++) {
                double x;
                if (fscanf(segue, "%lf", &x) != 1)
                    return 1;
                swing = fmax(swing, fabs(x - d->qpos[m->jnt_qposadr[at[k]]]));
            }
        }
        printf("robot %2d: %2d joints, %3d states, accelerations agree to %.1e, swing to %.1e\n",
               robot, n, n_states, most, swing);
        worst = fmax(worst, most);
        worst_swing = fmax(worst_swing, swing);
        robots++;
        n_states = 0;
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    printf("%d robots, worst %.1e of the largest acceleration, %.1e after a swing\n", robots, worst,
           worst_swing);
    return robots == 30 && worst < 1e-10 && worst_swing < 1e-6 ? 0 : 2;
}
