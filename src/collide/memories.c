// What detection remembers from one evaluation to the next: of each pair where its search ended,
// and of all where they were.
#include "collide/detect.h"

#include <string.h>

// The memory of a pair: known, or new and empty. One for all where there is no room; an event makes
// more.
sg_distance_memory *sg_detect_memory(sg_detect *d, int a, int b)
{
    int k = pair_table_get(&d->memories, a, b);
    if (d->pure) { // goes on from there, and leaves it as it is
        d->spare = k < 0 ? (sg_distance_memory){0} : d->near.data[k].memory;
        return &d->spare;
    }
    if (k < 0) {
        k = (int)d->near.len;
        if (d->near.len == d->near.cap || !pair_table_put(&d->memories, a, b, k)) {
            d->stats.cold++;
            d->spare = (sg_distance_memory){0};
            d->work->owner = NULL;
            return &d->spare;
        }
        d->near.data[d->near.len++] = (sg_near){.a = a, .b = b};
        if (d->work->owner == &d->near.data[k].memory)
            d->work->owner = NULL; // of the pair that had the place before
    }
    d->near.data[k].used = d->stats.events;
    return &d->near.data[k].memory;
}

bool sg_detect_reserve_kept(const sg_detect *d, sg_detect_saved *kept)
{
    return SG_RESERVE(d->allocator, &kept->touch, d->touch.len) &&
           SG_RESERVE(d->allocator, &kept->shape, (size_t)d->candidates->n);
}

bool sg_detect_keep(const sg_detect *d, sg_detect_saved *kept)
{
    size_t n = (size_t)d->candidates->n;
    if (!sg_detect_reserve_kept(d, kept))
        return false;
    kept->touch.len = d->touch.len;
    kept->shape.len = n;
    if (d->touch.len)
        memcpy(kept->touch.data, d->touch.data, d->touch.len * sizeof *d->touch.data);
    if (n)
        memcpy(kept->shape.data, d->shape, n * sizeof *d->shape);
    kept->now = d->now;
    kept->stats = d->stats;
    return true;
}

void sg_detect_put_back(sg_detect *d, const sg_detect_saved *kept)
{
    if (kept->touch.len)
        memcpy(d->touch.data, kept->touch.data, kept->touch.len * sizeof *d->touch.data);
    if (kept->shape.len)
        memcpy(d->shape, kept->shape.data, kept->shape.len * sizeof *d->shape);
    d->now = kept->now;
    d->stats = kept->stats;
}

void sg_detect_free_kept(const sg_detect *d, sg_detect_saved *kept)
{
    SG_VEC_FREE(d->allocator, &kept->touch);
    SG_VEC_FREE(d->allocator, &kept->shape);
}
