/* A C program of a stranger. */
#include "run.h"

#include <segue/version.h>

int main(void)
{
    int minor = -1;
    if (strcmp(sg_version(NULL, &minor, NULL), SG_VERSION_TEXT) != 0 || minor != SG_VERSION_MINOR)
        return 1;
    return run_decay("CVODE_BDF") || run_decay("IDA") || run_decay("Tsit5");
}
