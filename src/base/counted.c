#include "base/counted.h"

#include "base/limits.h"

// Beyond the limit once it was hit: what is left to do is to say so, and to close files.
#define RESERVE (1 << 20)

static bool fits(sg_counted *counted, size_t more)
{
    uint64_t max = counted->max + (counted->over ? RESERVE : 0);
    return !counted->max || (counted->live <= max && more <= max - counted->live);
}

// A host that ran out of memory itself is no reason.
bool sg_counted_ends(sg_counted *counted)
{
    if (counted->until && !counted->told && !counted->ended) {
        sg_status status = sg_limits_check_often(counted->until);
        counted->ended = status != SG_OK && status != SG_ERR_MEMORY;
    }
    return counted->ended && !counted->told;
}

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    sg_counted *counted = context;
    size_t more = new_size > old_size ? new_size - old_size : 0;
    counted->bytes += more;
    if (more && sg_counted_ends(counted))
        return NULL;
    if (!fits(counted, more)) {
        counted->over = true;
        return NULL;
    }
    void *result = counted->inner->resize(counted->inner->context, block, old_size, new_size);
    if (new_size && !result)
        counted->failed = true;
    else
        counted->live += new_size - old_size;
    return result;
}

void sg_counted_init(sg_counted *counted, const sg_allocator *inner, uint64_t max)
{
    *counted = (sg_counted){
        .allocator = {.resize = resize, .context = counted}, .inner = inner, .max = max};
}
