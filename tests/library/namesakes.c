/* A program with functions and data of its own that are called like those of the libraries within
   Segue: another version of one of them, or something else altogether. Segue must not call them,
   and nothing is defined twice. */
#include "run.h"

#include <stdlib.h>

#define OWN(name)                                                                                  \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        puts("Segue called " #name " of the program");                                             \
        abort();                                                                                   \
    }

OWN(CVode)
OWN(CVodeCreate)
OWN(CVodeInit)
OWN(IDACreate)
OWN(IDASolve)
OWN(ARKStepCreate)
OWN(SUNContext_Create)
OWN(SUNNonlinSol_Newton)
OWN(N_VNewEmpty)
OWN(klu_analyze)
OWN(klu_factor)
OWN(amd_order)
OWN(SuiteSparse_malloc)
OWN(qh_new_qhull)
OWN(qh_init_A)
OWN(json_loadb)
OWN(json_object)
char SuiteSparse_config[4] = "abc";
/* Names of functions inside Segue are free, too. */
OWN(sg_sim_run)
OWN(sg_arena_init)

int main(void) { return run_decay("CVODE_BDF") || run_decay("IDA") || run_decay("Tsit5"); }
