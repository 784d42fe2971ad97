#include "natives/embedded.h"

#include <string.h>

const sg_embedded *sg_embedded_find(const char *name)
{
    size_t lo = 0, hi = sg_embedded_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int order = strcmp(name, sg_embedded_files[mid].name);
        if (order == 0)
            return &sg_embedded_files[mid];
        if (order < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}
