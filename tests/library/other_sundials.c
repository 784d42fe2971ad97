/* A program that integrates by itself, with the SUNDIALS of the system, and runs models of Segue in
   the middle of it. Each of the two has its own SUNDIALS, and neither sees the other's. */
#include "run.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int rate(realtype t, N_Vector x, N_Vector dx, void *user)
{
    (void)t;
    (void)user;
    NV_Ith_S(dx, 0) = -NV_Ith_S(x, 0);
    return 0;
}

int main(void)
{
    SUNContext context;
    N_Vector x;
    void *cvode;
    SUNNonlinearSolver solver;
    realtype t = 0.0;
    int wrong = SUNContext_Create(NULL, &context) != 0;
    x = N_VNew_Serial(1, context);
    NV_Ith_S(x, 0) = 1.0;
    cvode = CVodeCreate(CV_ADAMS, context);
    solver = SUNNonlinSol_FixedPoint(x, 0, context);
    wrong |= CVodeInit(cvode, rate, 0.0, x) != CV_SUCCESS;
    wrong |= CVodeSStolerances(cvode, 1e-9, 1e-12) != CV_SUCCESS;
    wrong |= CVodeSetNonlinearSolver(cvode, solver) != CV_SUCCESS;
    for (int i = 1; i <= 4 && !wrong; i++) {
        wrong = CVode(cvode, 0.5 * i, x, &t, CV_NORMAL) != CV_SUCCESS;
        wrong |= run_decay(i % 2 ? "CVODE_BDF" : "IDA");
    }
    if (fabs(NV_Ith_S(x, 0) - exp(-2.0)) > 1e-7) {
        printf("own integration: %.10f\n", NV_Ith_S(x, 0));
        wrong = 1;
    }
    CVodeFree(&cvode);
    SUNNonlinSolFree(solver);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return wrong;
}
