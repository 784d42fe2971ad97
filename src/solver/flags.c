// What SUNDIALS says in numbers, in our words. The only place that knows its flags; what differs
// between its versions belongs here too.
#include "solver/engine.h"

#include <arkode/arkode.h>
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <ida/ida.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct flag_text {
    sg_package package;
    int flag;
    sg_status status;
    const char *text;
} flag_text;

#define ERROR_TEST                                                                                 \
    "the error test failed at the smallest step; the solution has a jump or a singularity here"
#define NEWTON "the implicit equations of a step could not be solved, even with tiny steps"
#define MATRIX "the iteration matrix could not be factored; it is singular"
#define ACCURACY "the tolerance is too tight for double precision"
#define TRY_SHORTER "the model could not be evaluated, even with tiny steps"
#define FIRST "the model could not be evaluated at the start of a step"
#define STOPPED "the model stopped the simulation"
#define MEMORY "out of memory"
#define CLOSE "the end of the step is too close to its start"
#define WORK "too many steps"

static const flag_text flags[] = {
    {SG_CVODE, CV_TOO_MUCH_WORK, SG_ERR_SOLVER, WORK},
    {SG_CVODE, CV_TOO_MUCH_ACC, SG_ERR_SOLVER, ACCURACY},
    {SG_CVODE, CV_ERR_FAILURE, SG_ERR_SOLVER, ERROR_TEST},
    {SG_CVODE, CV_CONV_FAILURE, SG_ERR_SOLVER, NEWTON},
    {SG_CVODE, CV_LSETUP_FAIL, SG_ERR_SOLVER, MATRIX},
    {SG_CVODE, CV_LSOLVE_FAIL, SG_ERR_SOLVER, MATRIX},
    {SG_CVODE, CV_RHSFUNC_FAIL, SG_ERR_SOLVER, STOPPED},
    {SG_CVODE, CV_FIRST_RHSFUNC_ERR, SG_ERR_SOLVER, FIRST},
    {SG_CVODE, CV_REPTD_RHSFUNC_ERR, SG_ERR_SOLVER, TRY_SHORTER},
    {SG_CVODE, CV_UNREC_RHSFUNC_ERR, SG_ERR_SOLVER, TRY_SHORTER},
    {SG_CVODE, CV_MEM_FAIL, SG_ERR_MEMORY, MEMORY},
    {SG_CVODE, CV_TOO_CLOSE, SG_ERR_SOLVER, CLOSE},
    {SG_IDA, IDA_TOO_MUCH_WORK, SG_ERR_SOLVER, WORK},
    {SG_IDA, IDA_TOO_MUCH_ACC, SG_ERR_SOLVER, ACCURACY},
    {SG_IDA, IDA_ERR_FAIL, SG_ERR_SOLVER, ERROR_TEST},
    {SG_IDA, IDA_CONV_FAIL, SG_ERR_SOLVER, NEWTON},
    {SG_IDA, IDA_LSETUP_FAIL, SG_ERR_SOLVER, MATRIX},
    {SG_IDA, IDA_LSOLVE_FAIL, SG_ERR_SOLVER, MATRIX},
    {SG_IDA, IDA_RES_FAIL, SG_ERR_SOLVER, STOPPED},
    {SG_IDA, IDA_REP_RES_ERR, SG_ERR_SOLVER, TRY_SHORTER},
    {SG_IDA, IDA_FIRST_RES_FAIL, SG_ERR_SOLVER, FIRST},
    {SG_IDA, IDA_NO_RECOVERY, SG_ERR_INIT, "no consistent initial values were found"},
    {SG_IDA, IDA_LINESEARCH_FAIL, SG_ERR_INIT, "no consistent initial values were found"},
    {SG_IDA, IDA_BAD_EWT, SG_ERR_USAGE, "a tolerance is zero where a state is zero"},
    {SG_IDA, IDA_MEM_FAIL, SG_ERR_MEMORY, MEMORY},
    {SG_ARKODE, ARK_TOO_MUCH_WORK, SG_ERR_SOLVER, WORK},
    {SG_ARKODE, ARK_TOO_MUCH_ACC, SG_ERR_SOLVER, ACCURACY},
    {SG_ARKODE, ARK_ERR_FAILURE, SG_ERR_SOLVER, ERROR_TEST},
    {SG_ARKODE, ARK_CONV_FAILURE, SG_ERR_SOLVER, NEWTON},
    {SG_ARKODE, ARK_LSETUP_FAIL, SG_ERR_SOLVER, MATRIX},
    {SG_ARKODE, ARK_LSOLVE_FAIL, SG_ERR_SOLVER, MATRIX},
    {SG_ARKODE, ARK_RHSFUNC_FAIL, SG_ERR_SOLVER, STOPPED},
    {SG_ARKODE, ARK_FIRST_RHSFUNC_ERR, SG_ERR_SOLVER, FIRST},
    {SG_ARKODE, ARK_REPTD_RHSFUNC_ERR, SG_ERR_SOLVER, TRY_SHORTER},
    {SG_ARKODE, ARK_UNREC_RHSFUNC_ERR, SG_ERR_SOLVER, TRY_SHORTER},
    {SG_ARKODE, ARK_MEM_FAIL, SG_ERR_MEMORY, MEMORY},
    {SG_ARKODE, ARK_TOO_CLOSE, SG_ERR_SOLVER, CLOSE},
};

sg_status sg_solver_fail(sg_solver *s, sg_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->message, sizeof s->message, format, arguments);
    va_end(arguments);
    return status;
}

sg_status sg_flag_status(sg_solver *s, sg_package package, int flag)
{
    if (s->vectors.refused)
        return sg_solver_fail(s, SG_ERR_MEMORY, MEMORY);
    // The model asked to stop, and said why itself. Functional iteration takes that for a failure
    // to converge and goes on, so it is looked at first.
    if (s->callback != SG_OK)
        return sg_solver_fail(s, s->callback, s->callback == SG_ERR_MEMORY ? MEMORY : STOPPED);
    if (flag >= 0)
        return SG_OK;
    // The options were looked at before: what SUNDIALS refuses while it is set up, it has no room
    // for. (The numbers of its parts mean other things than those below.)
    if (s->phase.creating)
        return sg_solver_fail(s, SG_ERR_MEMORY, MEMORY);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].package == package && flags[i].flag == flag)
            return sg_solver_fail(s, flags[i].status, "%s", flags[i].text);
    static const char *const names[] = {"CVODE", "IDA", "ARKODE"};
    return sg_solver_fail(s, SG_ERR_INTERNAL, "%s refused a call (flag %d)", names[package], flag);
}

void sg_flag_silence(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code;
    (void)module;
    (void)function;
    (void)text;
    (void)user;
}
