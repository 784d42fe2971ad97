// Scenes with contacts in MuJoCo, one line each: name and number. contacts.jl has the same scenes
// and names; tests/cli/contacts_agree_with_mujoco.sh puts them side by side.
//
// MuJoCo's contacts are soft constraints with fixed steps, no springs: what can be compared is what
// does not depend on how a contact yields. Steps are short, contacts stiff, friction cones round,
// and tangential constraints a thousand times as hard as normal ones (impratio), so that bodies
// that should stick hardly creep.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char *const file = "scene.xml";

// What all scenes have: z up, no rolling friction (condim 3), stiffness 1e6/s^2, critical damping.
static mjModel *load(const char *gravity, const char *timestep, const char *solref, double friction,
                     const char *bodies)
{
    static char text[8192], error[1000];
    snprintf(text, sizeof text,
             "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"auto\"/>"
             "<option gravity=\"%s\" timestep=\"%s\" integrator=\"RK4\" cone=\"elliptic\" "
             "impratio=\"1000\" tolerance=\"1e-12\" solver=\"Newton\"/>"
             "<default><geom condim=\"3\" friction=\"%.17g 0 0\" solref=\"%s\" "
             "solimp=\"0.9999 0.9999 0.001\"/></default><worldbody>%s</worldbody></mujoco>",
             gravity, timestep, friction, solref, bodies);
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_makeEmptyFileVFS(&vfs, file, (int)strlen(text) + 1);
    memcpy(vfs.filedata[0], text, strlen(text) + 1);
    mjModel *m = mj_loadXML(file, &vfs, error, (int)sizeof error);
    mj_deleteVFS(&vfs);
    if (!m)
        fprintf(stderr, "%s\n", error);
    return m;
}

static const char *const damped = "-1e6 -2e3", *const elastic = "-1e8 0";
static const char *const weight = "0 0 -9.81", *const none = "0 0 0";

// Its search along a line ends in rounding now and then, and says so each time.
static void ignore(const char *message) { (void)message; }

static void tell(const char *name, double value) { printf("%s %.9g\n", name, value); }

static void run(const mjModel *m, mjData *d, double stop)
{
    while (d->time < stop - 0.5 * m->opt.timestep)
        mj_step(m, d);
}

// The force along the normal of a contact.
static double pressure(const mjModel *m, const mjData *d, int contact)
{
    mjtNum force[6];
    mj_contactForce(m, d, contact, force);
    return force[0];
}

static void slide_until_it_rolls(void)
{
    mjModel *m = load(weight, "1e-5", damped, 0.2,
                      "<geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 0.1\"><freejoint/>"
                      "<geom type=\"sphere\" size=\"0.1\" mass=\"2\"/></body>");
    mjData *d = mj_makeData(m);
    d->qvel[0] = 2.0;
    run(m, d, 0.2);
    tell("sliding_speed", d->qvel[0]);
    run(m, d, 1.0);
    tell("rolling_speed", d->qvel[0]);
    tell("rolling_place", d->qpos[0]);
    mj_deleteData(d);
    mj_deleteModel(m);
}

static void stack(void)
{
    mjModel *m = load(weight, "1e-4", damped, 0.0,
                      "<geom type=\"plane\" size=\"9 9 1\"/>"
                      "<body pos=\"0 0 0.1\"><joint type=\"slide\" axis=\"0 0 1\"/>"
                      "<geom type=\"sphere\" size=\"0.1\" mass=\"3\"/></body>"
                      "<body pos=\"0 0 0.3\"><joint type=\"slide\" axis=\"0 0 1\"/>"
                      "<geom type=\"sphere\" size=\"0.1\" mass=\"2\"/></body>"
                      "<body pos=\"0 0 0.5\"><joint type=\"slide\" axis=\"0 0 1\"/>"
                      "<geom type=\"sphere\" size=\"0.1\" mass=\"1\"/></body>");
    mjData *d = mj_makeData(m);
    double force[3] = {0.0, 0.0, 0.0};
    run(m, d, 1.0);
    for (int i = 0; i < d->ncon; i++) { // the plane is geom 0
        int low =
            d->contact[i].geom1 < d->contact[i].geom2 ? d->contact[i].geom1 : d->contact[i].geom2;
        force[low] = pressure(m, d, i);
    }
    tell("stack_lowest", force[0]);
    tell("stack_middle", force[1]);
    tell("stack_highest", force[2]);
    mj_deleteData(d);
    mj_deleteModel(m);
}

static void billiards(void)
{
    mjModel *m = load(none, "1e-6", elastic, 0.0,
                      "<body pos=\"-0.18 0 0\"><freejoint/><geom type=\"sphere\" size=\"0.1\" "
                      "mass=\"1\"/></body><body pos=\"0 -0.1 0\"><freejoint/>"
                      "<geom type=\"sphere\" size=\"0.1\" mass=\"1\"/></body>");
    mjData *d = mj_makeData(m);
    d->qvel[0] = 1.0;
    run(m, d, 0.02);
    const double *a = d->qvel, *b = d->qvel + 6;
    tell("cue_speed", hypot(a[0], a[1]));
    tell("ball_speed", hypot(b[0], b[1]));
    tell("ball_angle", atan2(b[1], b[0]));
    tell("angle_between", atan2(a[1], a[0]) - atan2(b[1], b[0]));
    mj_deleteData(d);
    mj_deleteModel(m);
}

static void tumble(void)
{
    mjModel *m = load(none, "1e-4", damped, 0.0,
                      "<body><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" "
                      "diaginertia=\"0.1 0.2 0.25\"/></body>");
    mjData *d = mj_makeData(m);
    mjtNum R[9], w[3];
    d->qvel[3] = 0.1; // in the body, which is not turned yet
    d->qvel[4] = 5.0;
    d->qvel[5] = 0.2;
    run(m, d, 2.0);
    mj_forward(m, d);
    mju_quat2Mat(R, d->qpos + 3);
    mju_mulMatVec(w, R, d->qvel + 3, 3, 3);
    tell("tumbling_wx", w[0]);
    tell("tumbling_wy", w[1]);
    tell("tumbling_wz", w[2]);
    mj_deleteData(d);
    mj_deleteModel(m);
}

// Gravity is turned instead of the plane: 0.6 rad, down along x.
static void slopes(void)
{
    char gravity[64];
    snprintf(gravity, sizeof gravity, "%.17g 0 %.17g", 9.81 * sin(0.6), -9.81 * cos(0.6));
    mjModel *m = load(gravity, "1e-5", damped, 0.3,
                      "<geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 0.06\"><freejoint/>"
                      "<inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"0.01 0.02 0.02\"/>"
                      "<geom type=\"sphere\" size=\"0.01\" pos=\" 0.15  0.1 -0.05\"/>"
                      "<geom type=\"sphere\" size=\"0.01\" pos=\" 0.15 -0.1 -0.05\"/>"
                      "<geom type=\"sphere\" size=\"0.01\" pos=\"-0.15  0.1 -0.05\"/>"
                      "<geom type=\"sphere\" size=\"0.01\" pos=\"-0.15 -0.1 -0.05\"/></body>");
    mjData *d = mj_makeData(m);
    run(m, d, 0.5);
    double v = d->qvel[0];
    run(m, d, 1.0);
    tell("crate_acceleration", (d->qvel[0] - v) / 0.5);
    mj_deleteData(d);
    mj_deleteModel(m);

    m = load(gravity, "1e-4", damped, 0.9,
             "<geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 0.1\"><freejoint/>"
             "<geom type=\"sphere\" size=\"0.1\" mass=\"2\"/></body>");
    d = mj_makeData(m);
    run(m, d, 0.5);
    v = d->qvel[0];
    run(m, d, 1.0);
    tell("ball_acceleration", (d->qvel[0] - v) / 0.5);
    mj_deleteData(d);
    mj_deleteModel(m);
}

// Half a period is from the first to the second passage through the level position.
static void rock(void)
{
    mjModel *m = load(weight, "1e-5", damped, 0.0,
                      "<geom type=\"plane\" size=\"9 9 1\"/>"
                      "<body pos=\"0 0 0.03\" euler=\"0 0.02 0\"><freejoint/>"
                      "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.0005 0.002 0.002\"/>"
                      "<geom type=\"ellipsoid\" size=\"0.1 0.05 0.03\"/></body>");
    mjData *d = mj_makeData(m);
    // Where it just touches.
    d->qpos[2] = sqrt(pow(0.1 * sin(0.02), 2.0) + pow(0.03 * cos(0.02), 2.0));
    double passed[2] = {0.0, 0.0}, last = -1.0;
    for (int n = 0; n < 2 && d->time < 2.0;) {
        mj_step(m, d);
        double tilt = -d->qpos[5]; // half of its angle, about y
        if ((last < 0.0) != (tilt < 0.0))
            passed[n++] = d->time - m->opt.timestep * tilt / (tilt - last);
        last = tilt;
    }
    tell("rocking_half_period", passed[1] - passed[0]);
    mj_deleteData(d);
    mj_deleteModel(m);
}

int main(void)
{
    mju_user_warning = ignore;
    slide_until_it_rolls();
    stack();
    billiards();
    tumble();
    slopes();
    rock();
    return 0;
}
