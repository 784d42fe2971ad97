#include "base/counted.h"

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    sg_counted *counted = context;
    counted->bytes += new_size > old_size ? new_size - old_size : 0;
    return counted->inner->resize(counted->inner->context, block, old_size, new_size);
}

void sg_counted_init(sg_counted *counted, const sg_allocator *inner)
{
    *counted = (sg_counted){{resize, counted}, inner, 0};
}
