// A table from pairs of numbers to a number, in room that is taken beforehand.
//
// Open addressing with linear probing over a power of two, at most half full; entries come out of
// it only all at once. The order of what it holds is the caller's, so nothing depends on hashing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_pair_slot {
    uint64_t key; // 0: free
    int value;
} sg_pair_slot;

typedef struct sg_pair_table {
    sg_pair_slot *slot;
    size_t cap; // power of two
    size_t len;
} sg_pair_table;

static inline uint64_t pair_key(int a, int b)
{
    return ((uint64_t)(uint32_t)a << 32 | (uint32_t)b) + 1;
}

static inline sg_pair_slot *pair_table_slot(const sg_pair_table *t, int a, int b)
{
    uint64_t key = pair_key(a, b), h = key * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(h >> 32) & (t->cap - 1);
    while (t->slot[i].key && t->slot[i].key != key)
        i = (i + 1) & (t->cap - 1);
    return &t->slot[i];
}

// -1 if the pair is not there.
static inline int pair_table_get(const sg_pair_table *t, int a, int b)
{
    if (t->len == 0)
        return -1;
    const sg_pair_slot *s = pair_table_slot(t, a, b);
    return s->key ? s->value : -1;
}

// False when the table is half full.
static inline bool pair_table_put(sg_pair_table *t, int a, int b, int value)
{
    if (2 * (t->len + 1) > t->cap)
        return false;
    sg_pair_slot *s = pair_table_slot(t, a, b);
    t->len += s->key == 0;
    *s = (sg_pair_slot){pair_key(a, b), value};
    return true;
}

static inline void pair_table_clear(sg_pair_table *t)
{
    for (size_t i = 0; i < t->cap && t->len > 0; i++)
        t->slot[i].key = 0;
    t->len = 0;
}
