// Stiff problems as one writes them by hand: a right-hand side in C, CVODE with its own vectors and
// matrices, Jacobians by differences. Prints a JSON line for each: name, states, CPU seconds of the
// shortest of many runs from the solver's creation to its end, steps, evaluations and the first
// state at the end. Arguments: how often, and the name of one problem. bench/stiff_bench.sh puts
// Segue beside it.
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <time.h>

enum { CELLS = 500, MOST = 2 * CELLS };

typedef struct problem {
    const char *name;
    int n;
    int band; // 0: dense
    double stop, tolerance, atol;
    void (*rhs)(double t, const double *y, double *f);
    void (*begin)(double *y);
} problem;

static void lorenz(double t, const double *y, double *f)
{
    (void)t;
    f[0] = 10.0 * (y[1] - y[0]);
    f[1] = y[0] * (28.0 - y[2]) - y[1];
    f[2] = y[0] * y[1] - 8.0 / 3.0 * y[2];
}

static void lorenz_begin(double *y) { y[0] = y[1] = y[2] = 1.0; }

static void hires(double t, const double *y, double *f)
{
    (void)t;
    f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    f[1] = 1.71 * y[0] - 8.75 * y[1];
    f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    f[5] = -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    f[6] = 280 * y[5] * y[7] - 1.81 * y[6];
    f[7] = -280 * y[5] * y[7] + 1.81 * y[6];
}

static void hires_begin(double *y)
{
    y[0] = 1.0;
    y[7] = 0.0057;
}

static void pollution(double t, const double *y, double *f)
{
    (void)t;
    double r1 = 0.35 * y[0], r2 = 26.6 * y[1] * y[3], r3 = 1.23e4 * y[4] * y[1];
    double r4 = 8.6e-4 * y[6], r5 = 8.2e-4 * y[6], r6 = 1.5e4 * y[6] * y[5], r7 = 1.3e-4 * y[8];
    double r8 = 2.4e4 * y[8] * y[5], r9 = 1.65e4 * y[10] * y[1], r10 = 9e3 * y[10] * y[0];
    double r11 = 0.022 * y[12], r12 = 1.2e4 * y[9] * y[1], r13 = 1.88 * y[13];
    double r14 = 1.63e4 * y[0] * y[5], r15 = 4.8e6 * y[2], r16 = 3.5e-4 * y[3];
    double r17 = 0.0175 * y[3], r18 = 1e8 * y[15], r19 = 4.44e11 * y[15];
    double r20 = 1240 * y[16] * y[5], r21 = 2.1 * y[18], r22 = 5.78 * y[18];
    double r23 = 0.0474 * y[0] * y[3], r24 = 1780 * y[18] * y[0], r25 = 3.12 * y[19];
    f[0] = -r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25;
    f[1] = -r2 - r3 - r9 - r12 + r1 + r21;
    f[2] = -r15 + r1 + r17 + r19 + r22;
    f[3] = -r2 - r16 - r17 - r23 + r15;
    f[4] = -r3 + r4 + r4 + r6 + r7 + r13 + r20;
    f[5] = -r6 - r8 - r14 - r20 + r3 + r18 + r18;
    f[6] = -r4 - r5 - r6 + r13;
    f[7] = r4 + r5 + r6 + r7;
    f[8] = -r7 - r8;
    f[9] = -r12 + r7 + r9;
    f[10] = -r9 - r10 + r8 + r11;
    f[11] = r9;
    f[12] = -r11 + r10;
    f[13] = -r13 + r12;
    f[14] = r14;
    f[15] = -r18 - r19 + r16;
    f[16] = -r20;
    f[17] = r20;
    f[18] = -r21 - r22 - r24 + r23 + r25;
    f[19] = -r25 + r24;
}

static void pollution_begin(double *y)
{
    y[1] = 0.2;
    y[3] = 0.04;
    y[6] = 0.1;
    y[7] = 0.3;
    y[8] = 0.01;
    y[16] = 0.007;
}

static double diode(double u) { return 40.67286402e-9 * (exp(17.7493332 * u) - 1.0); }

static void ring(double t, const double *y, double *f)
{
    const double c = 1.6e-8, cs = 2e-12, cp = 1e-8, lh = 4.45, ls1 = 0.002, ls2 = 5e-4, ls3 = 5e-4;
    const double r = 25000, rp = 50, rg1 = 36.3, rg2 = 17.3, rg3 = 17.3, ri = 50, rc = 600;
    double in1 = 0.5 * sin(2000 * 3.141592653589793 * t);
    double in2 = 2 * sin(20000 * 3.141592653589793 * t);
    double q1 = diode(y[2] - y[4] - y[6] - in2), q2 = diode(-y[3] + y[5] - y[6] - in2);
    double q3 = diode(y[3] + y[4] + y[6] + in2), q4 = diode(-y[2] - y[5] + y[6] + in2);
    f[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / r) / c;
    f[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / r) / c;
    f[2] = (y[9] - q1 + q4) / cs;
    f[3] = (-y[10] + q2 - q3) / cs;
    f[4] = (y[11] + q1 - q3) / cs;
    f[5] = (-y[12] - q2 + q4) / cs;
    f[6] = (-y[6] / rp + q1 + q2 - q3 - q4) / cp;
    f[7] = -y[0] / lh;
    f[8] = -y[1] / lh;
    f[9] = (0.5 * y[0] - y[2] - rg2 * y[9]) / ls2;
    f[10] = (-0.5 * y[0] + y[3] - rg3 * y[10]) / ls3;
    f[11] = (0.5 * y[1] - y[4] - rg2 * y[11]) / ls2;
    f[12] = (-0.5 * y[1] + y[5] - rg3 * y[12]) / ls3;
    f[13] = (-y[0] + in1 - (ri + rg1) * y[13]) / ls1;
    f[14] = (-y[1] - (rc + rg1) * y[14]) / ls1;
}

static void ring_begin(double *y) { (void)y; }

// u and v of a cell lie side by side, so that the matrix has two diagonals on each side.
static void brusselator(double t, const double *y, double *f)
{
    (void)t;
    const double a = 1.0, b = 3.0, c = 0.02 * (CELLS + 1) * (CELLS + 1);
    for (int i = 0; i < CELLS; i++) {
        double u = y[2 * i], v = y[2 * i + 1];
        double ul = i > 0 ? y[2 * i - 2] : 1.0, ur = i < CELLS - 1 ? y[2 * i + 2] : 1.0;
        double vl = i > 0 ? y[2 * i - 1] : 3.0, vr = i < CELLS - 1 ? y[2 * i + 3] : 3.0;
        f[2 * i] = a + u * u * v - (b + 1) * u + c * (ul - 2 * u + ur);
        f[2 * i + 1] = b * u - u * u * v + c * (vl - 2 * v + vr);
    }
}

static void brusselator_begin(double *y)
{
    for (int i = 0; i < CELLS; i++) {
        y[2 * i] = 1 + sin(2 * 3.14159265358979 * (i + 1) / 501);
        y[2 * i + 1] = 3.0;
    }
}

static const problem problems[] = {
    {"lorenz", 3, 0, 20.0, 1e-6, 1e-6, lorenz, lorenz_begin},
    {"hires", 8, 0, 321.8122, 1e-7, 1e-11, hires, hires_begin},
    {"pollution", 20, 0, 60.0, 1e-7, 1e-11, pollution, pollution_begin},
    {"ring", 15, 0, 1e-3, 1e-6, 1e-9, ring, ring_begin},
    {"brusselator", MOST, 2, 10.0, 1e-6, 1e-6, brusselator, brusselator_begin},
};

static int call_rhs(double t, N_Vector y, N_Vector f, void *user)
{
    const problem *p = user;
    p->rhs(t, N_VGetArrayPointer_Serial(y), N_VGetArrayPointer_Serial(f));
    return 0;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const char *name)
{
    fprintf(stderr, "by_hand: %s failed\n", name);
    exit(1);
}

static double run(SUNContext context, const problem *p, long *steps, long *evaluations)
{
    N_Vector y = N_VNew_Serial(p->n, context);
    double *data = N_VGetArrayPointer_Serial(y), end;
    memset(data, 0, (size_t)p->n * sizeof *data);
    p->begin(data);
    void *cvode = CVodeCreate(CV_BDF, context);
    SUNMatrix m = p->band ? SUNBandMatrix(p->n, p->band, p->band, context)
                          : SUNDenseMatrix(p->n, p->n, context);
    SUNLinearSolver solver =
        p->band ? SUNLinSol_Band(y, m, context) : SUNLinSol_Dense(y, m, context);
    if (CVodeInit(cvode, call_rhs, 0.0, y) || CVodeSStolerances(cvode, p->tolerance, p->atol) ||
        CVodeSetUserData(cvode, (void *)p) || CVodeSetMaxNumSteps(cvode, 10000000) ||
        CVodeSetLinearSolver(cvode, solver, m) || CVodeSetStopTime(cvode, p->stop) ||
        CVode(cvode, p->stop, y, &end, CV_NORMAL) < 0)
        fail(p->name);
    CVodeGetNumSteps(cvode, steps);
    CVodeGetNumRhsEvals(cvode, evaluations);
    long more;
    CVodeGetNumLinRhsEvals(cvode, &more);
    *evaluations += more;
    double first = data[0];
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(m);
    N_VDestroy(y);
    return first;
}

int main(int argc, char **argv)
{
    int repeat = argc > 1 ? atoi(argv[1]) : 20;
    SUNContext context;
    if (SUNContext_Create(NULL, &context))
        return 1;
    for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
        const problem *p = &problems[k];
        if (argc > 2 && strcmp(argv[2], p->name))
            continue;
        double least = INFINITY, first = 0.0;
        long steps = 0, evaluations = 0;
        for (int i = 0; i < repeat; i++) {
            double from = seconds();
            first = run(context, p, &steps, &evaluations);
            least = fmin(least, seconds() - from);
        }
        printf("{\"name\": \"%s\", \"size\": %d, \"time\": %.4g, \"steps\": %ld, "
               "\"evaluations\": %ld, \"first\": %.10g}\n",
               p->name, p->n, least, steps, evaluations, first);
    }
    SUNContext_Free(&context);
    return 0;
}
