// A quadruped in MJCF that stands on a plane in MuJoCo: quadruped_mujoco FILE. One line for each
// joint (rad from where it is drawn) and each foot (N), as
// tests/cli/mjcf_quadruped_stands_as_in_mujoco.sh asks Segue for them.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static void ignore(const char *message) { (void)message; }

int main(int argc, char **argv)
{
    char error[1000] = "";
    mju_user_warning = ignore;
    mjModel *m = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
    if (!m) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData *d = mj_makeData(m);
    for (int k = 0; k < m->nu; k++) // all servos hold the pose of the file
        d->ctrl[k] = m->qpos0[m->jnt_qposadr[m->actuator_trnid[2 * k]]];
    while (d->time < 8.0)
        mj_step(m, d);
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_type[j] == mjJNT_HINGE)
            printf("%s %.9g\n", mj_id2name(m, mjOBJ_JOINT, j),
                   d->qpos[m->jnt_qposadr[j]] - m->qpos0[m->jnt_qposadr[j]]);
    for (int i = 0; i < d->ncon; i++) {
        mjtNum force[6];
        mj_contactForce(m, d, i, force);
        printf("%s %.9g\n", mj_id2name(m, mjOBJ_GEOM, d->contact[i].geom2), force[0]);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
