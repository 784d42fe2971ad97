// An FMU that does what it should not, after a while: what becomes of whoever imports it?
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD_CALLS = 50, ERROR = 3 };

static int done(void *c) { return (void)c, 0; }

#define ALIAS(name) int fmi2##name(void *c) __attribute__((alias("fmi2_done")))
int fmi2_done(void *c);
int fmi2_done(void *c) { return done(c); }
ALIAS(SetupExperiment);
ALIAS(EnterInitializationMode);
ALIAS(ExitInitializationMode);
ALIAS(Terminate);
ALIAS(Reset);
ALIAS(GetReal);
ALIAS(GetInteger);
ALIAS(GetBoolean);
ALIAS(SetReal);
ALIAS(SetInteger);
ALIAS(SetBoolean);
ALIAS(SetString);
ALIAS(GetFMUstate);
ALIAS(SetFMUstate);
ALIAS(FreeFMUstate);
ALIAS(EnterEventMode);
ALIAS(EnterContinuousTimeMode);
ALIAS(SetTime);
ALIAS(SetContinuousStates);
ALIAS(GetEventIndicators);

void *fmi2Instantiate(void);
void *fmi2Instantiate(void) { return malloc(8); }
void fmi2FreeInstance(void *c);
void fmi2FreeInstance(void *c) { free(c); }
int fmi2NewDiscreteStates(void *c, int *info);
int fmi2NewDiscreteStates(void *c, int *info) { return memset(info, 0, 5 * sizeof *info), done(c); }
int fmi2CompletedIntegratorStep(void *c, int last, int *event, int *ends);
int fmi2CompletedIntegratorStep(void *c, int last, int *event, int *ends)
{
    (void)last;
    *event = *ends = 0;
    return done(c);
}
int fmi2GetContinuousStates(void *c, double *x, size_t n);
int fmi2GetContinuousStates(void *c, double *x, size_t n) { return (void)n, x[0] = 1.0, done(c); }
int fmi2GetNominalsOfContinuousStates(void *c, double *x, size_t n);
int fmi2GetNominalsOfContinuousStates(void *c, double *x, size_t n)
{
    return (void)n, x[0] = 1.0, done(c);
}

int fmi2GetDerivatives(void *c, double *dx, size_t n);
int fmi2GetDerivatives(void *c, double *dx, size_t n)
{
    static int calls;
    (void)c, (void)n;
    dx[0] = -1.0;
    if (++calls < GOOD_CALLS)
        return 0;
#if defined(CRASH)
    return *(volatile int *)0;
#elif defined(HANG)
    for (;;)
        pause();
#elif defined(STARTS)
    return system("true") == 0 ? 0 : ERROR;
#else
    const char *folder = getenv("TMPDIR");
    char path[4096] = "";
    strncat(path, folder ? folder : "/tmp", sizeof path - 20);
    strcat(path, "/written");
    return open(path, O_CREAT | O_WRONLY, 0666) < 0 ? ERROR : 0;
#endif
}
