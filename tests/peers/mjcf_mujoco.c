// The robots of mjcf_robots.py in MuJoCo: mass, center, mass matrix, bias forces and accelerations
// at random states, and where a swing of five seconds ends, beside what Segue printed: mjcf_mujoco
// FOLDER segue.txt STATES. MuJoCo's constraints are soft, Segue's rigid: accelerations come from
// its mass matrix, forces and constraint Jacobians by a linear system solved here.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 64, MAX_C = 16 };

typedef struct robot {
    mjModel *m;
    mjData *d;
    int n, n_joints, n_drives, constrained;
    int free, joint[MAX], drive[MAX];
} robot;

static void ignore(const char *message) { (void)message; }

// Angles about x, y, z in turn, moving; or about x, z, y.
static void turn_in(const double *a, int xyz, double *quat)
{
    double q[3][4], t[4];
    for (int k = 0; k < 3; k++) {
        int about = k == 0 || xyz ? k : 3 - k;
        double axis[3] = {about == 0, about == 1, about == 2};
        mju_axisAngle2Quat(q[k], axis, a[k]);
    }
    mju_mulQuat(t, q[0], q[1]);
    mju_mulQuat(quat, t, q[2]);
}

static void turn_of(const double *a, double *quat) { turn_in(a, 1, quat); }

// Segue's coordinates, where what MJCF calls ref is zero, to MuJoCo's.
static void set_state(robot *r, const double *q, const double *v)
{
    int at = 0;
    mj_resetData(r->m, r->d);
    for (int k = r->free ? -1 : 0; k < r->n_joints; k++) {
        int j = k < 0 ? 0 : r->joint[k], p = r->m->jnt_qposadr[j], dof = r->m->jnt_dofadr[j];
        int type = r->m->jnt_type[j], n = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
        if (type == mjJNT_FREE) {
            mju_copy(r->d->qpos + p, q + at, 3);
            turn_of(q + at + 3, r->d->qpos + p + 3);
        } else if (type == mjJNT_BALL) {
            turn_of(q + at, r->d->qpos + p);
        } else {
            r->d->qpos[p] = q[at] + r->m->qpos0[p];
        }
        mju_copy(r->d->qvel + dof, v + at, n);
        at += n;
    }
}

// Where Segue's number i is among MuJoCo's degrees of freedom.
static void order_of(const robot *r, int *order)
{
    int at = 0;
    for (int k = r->free ? -1 : 0; k < r->n_joints; k++) {
        int j = k < 0 ? 0 : r->joint[k];
        int type = r->m->jnt_type[j], n = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
        for (int i = 0; i < n; i++)
            order[at++] = r->m->jnt_dofadr[j] + i;
    }
}

static int equality_rows(const robot *r, double J[MAX_C][MAX])
{
    int n = 0;
    for (int i = 0; i < r->d->nefc; i++) {
        if (r->d->efc_type[i] != mjCNSTR_EQUALITY || n == MAX_C)
            continue;
        for (int k = 0; k < r->m->nv; k++)
            J[n][k] = 0.0;
        if (mj_isSparse(r->m))
            for (int k = 0; k < r->d->efc_J_rownnz[i]; k++)
                J[n][r->d->efc_J_colind[r->d->efc_J_rowadr[i] + k]] =
                    r->d->efc_J[r->d->efc_J_rowadr[i] + k];
        else
            mju_copy(J[n], r->d->efc_J + i * r->m->nv, r->m->nv);
        n++;
    }
    return n;
}

// x from the n x n system, by elimination with full choice of the pivot: rows that others imply
// (a loop in a plane has some) drop out.
static void solve(double *A, double *b, int n, double *x)
{
    int column[2 * MAX];
    double first = 0.0;
    int rank = n;
    for (int i = 0; i < n; i++)
        column[i] = i;
    for (int k = 0; k < n; k++) {
        int p = k, q = k;
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                if (fabs(A[i * n + j]) > fabs(A[p * n + q]))
                    p = i, q = j;
        first = k ? first : fabs(A[p * n + q]);
        if (fabs(A[p * n + q]) < 1e-11 * first) {
            rank = k;
            break;
        }
        for (int j = 0; j < n; j++) {
            double t = A[k * n + j];
            A[k * n + j] = A[p * n + j], A[p * n + j] = t;
        }
        double t = b[k];
        b[k] = b[p], b[p] = t;
        for (int i = 0; i < n; i++) {
            t = A[i * n + k];
            A[i * n + k] = A[i * n + q], A[i * n + q] = t;
        }
        int c = column[k];
        column[k] = column[q], column[q] = c;
        for (int i = k + 1; i < n; i++) {
            double f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++)
                A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = 0; i < n; i++)
        x[i] = 0.0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < rank; j++)
            sum -= A[i * n + j] * x[column[j]];
        x[column[i]] = sum / A[i * n + i];
    }
}

// Accelerations at the state of d, with rigid constraints: M a - J' f = forces, J a = -der(J) v.
static void accelerations(robot *r, double *acc)
{
    static double M[MAX * MAX], A[4 * MAX * MAX], b[2 * MAX], x[2 * MAX];
    static double J[MAX_C][MAX], K[MAX_C][MAX];
    int nv = r->m->nv;
    double bias[MAX_C] = {0}, q[MAX];
    if (r->constrained) { // the rate of J along the motion, by differences of sixth order
        static const double weight[] = {45.0, -9.0, 1.0};
        double h = 1e-3;
        mju_copy(q, r->d->qpos, r->m->nq);
        for (int k = 1; k <= 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                for (int i = 0; i < nv; i++) // hinges and slides only
                    r->d->qpos[i] = q[i] + side * k * h * r->d->qvel[i];
                mj_fwdPosition(r->m, r->d);
                int n = equality_rows(r, K);
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < nv; i++)
                        bias[c] += side * weight[k - 1] * K[c][i] * r->d->qvel[i] / (60.0 * h);
            }
        mju_copy(r->d->qpos, q, r->m->nq);
    }
    mj_forward(r->m, r->d);
    mj_fullM(r->m, M, r->d->qM);
    int nc = r->constrained ? equality_rows(r, J) : 0, n = nv + nc;
    memset(A, 0, sizeof A);
    for (int i = 0; i < nv; i++) {
        for (int k = 0; k < nv; k++)
            A[i * n + k] = M[i * nv + k];
        for (int c = 0; c < nc; c++)
            A[i * n + nv + c] = A[(nv + c) * n + i] = J[c][i];
        b[i] = r->d->qfrc_passive[i] + r->d->qfrc_actuator[i] - r->d->qfrc_bias[i];
    }
    for (int c = 0; c < nc; c++)
        b[nv + c] = -bias[c];
    solve(A, b, n, x);
    mju_copy(acc, x, nv);
}

// Fixed steps of fourth order where constraints are rigid.
static void swing_by_hand(robot *r, double h, int steps)
{
    int nv = r->m->nv;
    double q[MAX], v[MAX], kq[4][MAX], kv[4][MAX];
    static const double part[] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < steps; s++) {
        mju_copy(q, r->d->qpos, nv);
        mju_copy(v, r->d->qvel, nv);
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < nv && k; i++) {
                r->d->qpos[i] = q[i] + part[k] * h * kq[k - 1][i];
                r->d->qvel[i] = v[i] + part[k] * h * kv[k - 1][i];
            }
            mju_copy(kq[k], r->d->qvel, nv);
            accelerations(r, kv[k]);
        }
        for (int i = 0; i < nv; i++) {
            r->d->qpos[i] = q[i] + h / 6.0 * (kq[0][i] + 2 * kq[1][i] + 2 * kq[2][i] + kq[3][i]);
            r->d->qvel[i] = v[i] + h / 6.0 * (kv[0][i] + 2 * kv[1][i] + 2 * kv[2][i] + kv[3][i]);
        }
    }
}

static int read_robot(FILE *in, const char *folder, robot *r, int *number)
{
    char line[4000], file[400], error[1000], *word;
    if (fscanf(in, " robot %d %d %d", number, &r->n, &r->constrained) != 3 ||
        !fgets(line, sizeof line, in))
        return 0;
    snprintf(file, sizeof file, "%s/robot%d.xml", folder, *number);
    r->m = mj_loadXML(file, NULL, error, sizeof error);
    if (!r->m) {
        fprintf(stderr, "%s: %s\n", file, error);
        return 0;
    }
    r->d = mj_makeData(r->m);
    r->free = r->n_joints = r->n_drives = 0;
    for (word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        char *colon = strchr(word, ':');
        if (colon)
            *colon = 0;
        if (strcmp(word, "free") == 0)
            r->free = 1;
        else if (colon)
            r->joint[r->n_joints++] = mj_name2id(r->m, mjOBJ_JOINT, word);
        else
            r->drive[r->n_drives++] = mj_name2id(r->m, mjOBJ_ACTUATOR, word);
    }
    if (r->m->nv != r->n || r->m->nv > MAX)
        fprintf(stderr, "%s: %d degrees of freedom, Segue has %d\n", file, r->m->nv, r->n);
    return r->m->nv == r->n && r->m->nv <= MAX;
}

static int numbers(FILE *in, double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (fscanf(in, "%lf", &x[i]) != 1)
            return 0;
    return 1;
}

typedef struct differences {
    double mass, center, matrix, bias, acc, swing;
} differences;

static int compare_state(FILE *in, robot *r, const int *order, differences *w)
{
    static double q[MAX], v[MAX], ctrl[MAX], theirs[MAX], acc[MAX], M[MAX * MAX], row[MAX], h[MAX];
    double mass[4];
    int n = r->n;
    if (!numbers(in, q, n) || !numbers(in, v, n) || !numbers(in, ctrl, r->n_drives) ||
        !numbers(in, theirs, n) || !numbers(in, mass, 4))
        return 0;
    // The angular velocity of a free object is along the axes of its parent there.
    double quat[4], along[MAX];
    mju_copy(along, v, n);
    turn_of(q + 3, quat);
    mju_negQuat(quat, quat);
    if (r->free)
        mju_rotVecQuat(along + 3, v + 3, quat);
    set_state(r, q, along);
    for (int k = 0; k < r->n_drives; k++)
        r->d->ctrl[r->drive[k]] = ctrl[k];
    accelerations(r, acc);
    mju_copy(row, theirs + 3, 3);
    if (r->free)
        mju_rotVecQuat(theirs + 3, row, quat);
    double largest = 0.0, most = 0.0, bias = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(acc[i]));
    for (int i = 0; i < n; i++)
        w->acc = fmax(w->acc, fabs(theirs[i] - acc[order[i]]) / largest);
    set_state(r, q, v); // for massMatrix and inverseDynamics it is along its own
    mj_forward(r->m, r->d);
    double all = 0.0, center[3] = {0, 0, 0}, size = 0.0;
    for (int b = 1; b < r->m->nbody; b++) { // of what moves
        if (r->m->body_weldid[b] == 0)
            continue;
        all += r->m->body_mass[b];
        mju_addToScl3(center, r->d->xipos + 3 * b, r->m->body_mass[b]);
        size = fmax(size, mju_norm3(r->d->xipos + 3 * b));
    }
    w->mass = fmax(w->mass, fabs(mass[0] - all) / all);
    for (int k = 0; k < 3; k++)
        w->center = fmax(w->center, fabs(mass[k + 1] - center[k] / all) / size);
    mj_fullM(r->m, M, r->d->qM);
    for (int i = 0; i < n; i++) // rotors are on the flanges
        M[i * n + i] -= r->m->dof_armature[i];
    for (int i = 0; i < n * n; i++)
        most = fmax(most, fabs(M[i]));
    for (int i = 0; i < n; i++) {
        if (!numbers(in, row, n))
            return 0;
        for (int k = 0; k < n; k++)
            w->matrix = fmax(w->matrix, fabs(row[k] - M[order[i] * n + order[k]]) / most);
    }
    if (!numbers(in, h, n))
        return 0;
    for (int i = 0; i < n; i++)
        bias = fmax(bias, fabs(r->d->qfrc_bias[i]));
    for (int i = 0; i < n; i++)
        w->bias = fmax(w->bias, fabs(h[i] - r->d->qfrc_bias[order[i]]) / bias);
    return 1;
}

// Where it is after five seconds.
static void swing_to(robot *r, const double *start, double h, double *qpos)
{
    static const double zero[MAX];
    set_state(r, start, zero);
    for (int k = 0; k < r->n_drives; k++)
        r->d->ctrl[r->drive[k]] = 0.3;
    r->m->opt.timestep = h;
    r->m->opt.integrator = mjINT_RK4;
    if (r->constrained)
        swing_by_hand(r, 1e-3, 5000);
    else
        while (r->d->time < 5.0 - 0.5 * h)
            mj_step(r->m, r->d);
    mju_copy(qpos, r->d->qpos, r->m->nq);
}

static int compare_swing(FILE *in, robot *r, differences *w)
{
    char word[32];
    static double start[MAX], ends[MAX], there_all[MAX + 8], fine[MAX + 8];
    if (fscanf(in, "%31s", word) != 1 || strcmp(word, "still") == 0)
        return strcmp(word, "still") == 0;
    if (!numbers(in, start, r->n) || !numbers(in, ends, r->n))
        return 0;
    swing_to(r, start, 2e-4, there_all);
    if (r->m->nq != r->m->nv) {
        // With quaternions MuJoCo's method is of second order: the error of half the step is a
        // quarter, so it can be taken off.
        swing_to(r, start, 1e-4, fine);
        for (int i = 0; i < r->m->nq; i++)
            there_all[i] = (4.0 * fine[i] - there_all[i]) / 3.0;
        mj_normalizeQuat(r->m, there_all);
    }
    int at = 0;
    for (int k = r->free ? -1 : 0; k < r->n_joints; k++) {
        int j = k < 0 ? 0 : r->joint[k], p = r->m->jnt_qposadr[j], type = r->m->jnt_type[j];
        const double *there = there_all + p;
        double quat[4], away[3];
        if (type == mjJNT_FREE)
            for (int i = 0; i < 3; i++)
                w->swing = fmax(w->swing, fabs(there[i] - ends[at + i]) / 200.0);
        if (type == mjJNT_FREE || type == mjJNT_BALL) {
            double xyz = 1.0;
            if (type == mjJNT_BALL && !numbers(in, &xyz, 1))
                return 0;
            turn_in(ends + at + (type == mjJNT_FREE ? 3 : 0), xyz > 0.5, quat);
            mju_subQuat(away, quat, there + (type == mjJNT_FREE ? 3 : 0));
            w->swing = fmax(w->swing, mju_norm3(away));
        } else {
            w->swing = fmax(w->swing, fabs(there[0] - r->m->qpos0[p] - ends[at]));
        }
        at += type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
    }
    return 1;
}

int main(int argc, char **argv)
{
    FILE *in = argc > 3 ? fopen(argv[2], "r") : NULL;
    int robots = 0, states = argc > 3 ? atoi(argv[3]) : 0, number, order[MAX];
    differences worst = {0};
    robot r;
    if (!in)
        return 1;
    mju_user_warning = ignore;
    printf("| robot | coordinates | mass | center | mass matrix | bias | accelerations | swing |\n"
           "|---|---|---|---|---|---|---|---|\n");
    while (read_robot(in, argv[1], &r, &number)) {
        differences w = {0};
        order_of(&r, order);
        for (int s = 0; s < states; s++)
            if (!compare_state(in, &r, order, &w))
                return 1;
        if (!compare_swing(in, &r, &w))
            return 1;
        printf("| %d | %d%s | %.0e | %.0e | %.0e | %.0e | %.0e | %.0e |\n", number, r.n,
               r.constrained ? ", tied" : "", w.mass, w.center, w.matrix, w.bias, w.acc, w.swing);
        const double *one = &w.mass;
        double *all = &worst.mass;
        for (int k = 0; k < 6; k++)
            all[k] = fmax(all[k], one[k]);
        robots++;
        mj_deleteData(r.d);
        mj_deleteModel(r.m);
    }
    printf("%d robots, worst: mass %.1e, center %.1e, mass matrix %.1e, bias %.1e, accelerations "
           "%.1e, swing %.1e\n",
           robots, worst.mass, worst.center, worst.matrix, worst.bias, worst.acc, worst.swing);
    double exact = fmax(fmax(worst.mass, worst.center), fmax(worst.matrix, worst.bias));
    return robots == 30 && exact < 1e-10 && worst.acc < 1e-10 && worst.swing < 1e-6 ? 0 : 2;
}
