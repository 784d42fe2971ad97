// A hash map from 64-bit keys to 64-bit values that keeps the order of insertion. Symbols, ids and
// pairs of ids all fit the key; anything larger is an index in the value.
#pragma once

#include "segue/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_map_entry {
    uint64_t key, value;
} sg_map_entry;

typedef struct sg_map {
    const sg_allocator *allocator;
    sg_map_entry *entries; // in order of insertion; `len` of them
    size_t len, cap;
    uint32_t *slots; // index + 1 into entries, 0 is free
    size_t n_slots;
} sg_map;

void sg_map_init(sg_map *map, const sg_allocator *allocator);
void sg_map_free(sg_map *map);
void sg_map_clear(sg_map *map);

// Inserts or replaces; a replaced key keeps its place. False when the allocator refuses.
bool sg_map_put(sg_map *map, uint64_t key, uint64_t value);
// Null if absent. The pointer holds until the next insertion.
uint64_t *sg_map_get(const sg_map *map, uint64_t key);
// Removes and closes the gap, which costs time linear in the size. False if absent.
bool sg_map_remove(sg_map *map, uint64_t key);
