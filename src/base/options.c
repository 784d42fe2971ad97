#include "base/options.h"

#include <string.h>

bool sg_options_take(void *out, size_t size, const void *given)
{
    size_t length;
    if (!given)
        return true;
    memcpy(&length, given, sizeof length);
    if (length < sizeof length || length > size)
        return false;
    memcpy(out, given, length);
    memcpy(out, &size, sizeof size);
    return true;
}
