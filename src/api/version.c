#include "segue/version.h"

#include <stddef.h>

const char *sg_version(int *major, int *minor, int *patch)
{
    if (major)
        *major = SG_VERSION_MAJOR;
    if (minor)
        *minor = SG_VERSION_MINOR;
    if (patch)
        *patch = SG_VERSION_PATCH;
    return SG_VERSION_TEXT;
}
