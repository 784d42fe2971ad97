#include "base/vec.h"

#include <stdint.h>

bool sg_vec_reserve(const sg_allocator *allocator, void **data, size_t *cap, size_t want,
                    size_t element)
{
    if (want <= *cap)
        return true;
    size_t room = *cap < 8 ? 8 : *cap + *cap / 2;
    if (room < want)
        room = want;
    if (room > SIZE_MAX / 4 / element)
        return false;
    void *grown = allocator->resize(allocator->context, *data, *cap * element, room * element);
    if (!grown)
        return false;
    *data = grown;
    *cap = room;
    return true;
}

void sg_vec_free(const sg_allocator *allocator, void **data, size_t *cap, size_t element)
{
    if (*data)
        allocator->resize(allocator->context, *data, *cap * element, 0);
    *data = NULL;
    *cap = 0;
}
