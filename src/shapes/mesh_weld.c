#include "shapes/mesh_weld.h"

#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

enum { FIRST_SLOTS = 64 };

// Sixteen random bytes that the kernel gives to each process; elsewhere any number does.
static uint64_t process_key(void)
{
    uint64_t key = UINT64_C(0x9e3779b97f4a7c15);
#ifdef __linux__
    unsigned long place = getauxval(AT_RANDOM);
    if (place)
        memcpy(&key, (const void *)place, sizeof key);
#endif
    return key;
}

static uint64_t hash_point(uint64_t key, sg_vec3 p)
{
    uint64_t bits[3], h = key;
    memcpy(bits, &p, sizeof bits);
    for (int i = 0; i < 3; i++) {
        h = (h ^ bits[i]) * UINT64_C(0xbf58476d1ce4e5b9);
        h ^= h >> 29;
    }
    h = (h ^ (key >> 32 | key << 32)) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

void sg_weld_init(sg_weld *weld, const sg_allocator *allocator)
{
    *weld = (sg_weld){.allocator = allocator, .key = process_key()};
}

void sg_weld_free(sg_weld *weld)
{
    SG_VEC_FREE(weld->allocator, &weld->vertices);
    if (weld->slot)
        weld->allocator->resize(weld->allocator->context, weld->slot,
                                weld->n_slots * sizeof *weld->slot, 0);
    weld->slot = NULL;
    weld->n_slots = 0;
}

// The slot of a point, or the free one where it belongs. At most half of them are taken.
static size_t find_slot(const sg_weld *w, sg_vec3 p)
{
    size_t slot = (size_t)hash_point(w->key, p) & (w->n_slots - 1);
    while (w->slot[slot] && !v3_equal(w->vertices.data[w->slot[slot] - 1], p))
        slot = (slot + 1) & (w->n_slots - 1);
    return slot;
}

static bool resize_slots(sg_weld *w, size_t n_slots)
{
    const sg_allocator *a = w->allocator;
    if (n_slots > SIZE_MAX / sizeof *w->slot)
        return false;
    uint32_t *slot = a->resize(a->context, NULL, 0, n_slots * sizeof *slot);
    if (!slot)
        return false;
    memset(slot, 0, n_slots * sizeof *slot);
    if (w->slot)
        a->resize(a->context, w->slot, w->n_slots * sizeof *slot, 0);
    w->slot = slot;
    w->n_slots = n_slots;
    for (size_t i = 0; i < w->vertices.len; i++)
        slot[find_slot(w, w->vertices.data[i])] = (uint32_t)(i + 1);
    return true;
}

bool sg_weld_reserve(sg_weld *w, size_t n)
{
    size_t slots = FIRST_SLOTS;
    while (slots / 2 < n && slots <= SIZE_MAX / 4)
        slots *= 2;
    return slots <= w->n_slots || resize_slots(w, slots);
}

bool sg_weld_add(sg_weld *w, sg_vec3 point, uint32_t *number)
{
    sg_vec3 p = v3_add(point, V3_ZERO); // -0 becomes 0, which equals it
    if (w->vertices.len >= UINT32_MAX - 1 ||
        (w->n_slots / 2 <= w->vertices.len && !sg_weld_reserve(w, 2 * w->vertices.len + 1)))
        return false;
    size_t slot = find_slot(w, p);
    if (!w->slot[slot]) {
        if (!SG_PUSH(w->allocator, &w->vertices, p))
            return false;
        w->slot[slot] = (uint32_t)w->vertices.len;
    }
    *number = w->slot[slot] - 1;
    return true;
}
