#include "base/map.h"

#include "base/symbol.h"
#include "base/vec.h"

#include <string.h>

void sg_map_init(sg_map *map, const sg_allocator *allocator)
{
    *map = (sg_map){.allocator = allocator ? allocator : sg_allocator_default()};
}

void sg_map_free(sg_map *map)
{
    sg_vec_free(map->allocator, (void **)&map->entries, &map->cap, sizeof(sg_map_entry));
    sg_vec_free(map->allocator, (void **)&map->slots, &map->n_slots, sizeof(uint32_t));
    map->len = 0;
}

void sg_map_clear(sg_map *map)
{
    map->len = 0;
    if (map->n_slots)
        memset(map->slots, 0, map->n_slots * sizeof *map->slots);
}

// Sixteen keys in a row lie side by side in memory: those of a large model come in such rows.
static size_t probe(const sg_map *map, uint64_t key)
{
    size_t mask = map->n_slots - 1, at = (sg_hash_u64(key >> 4) + (key & 15)) & mask;
    while (map->slots[at] && map->entries[map->slots[at] - 1].key != key)
        at = (at + 1) & mask;
    return at;
}

static void fill_slots(sg_map *map)
{
    memset(map->slots, 0, map->n_slots * sizeof *map->slots);
    for (size_t i = 0; i < map->len; i++)
        map->slots[probe(map, map->entries[i].key)] = (uint32_t)(i + 1);
}

static bool grow(sg_map *map)
{
    size_t n = map->n_slots ? map->n_slots * 2 : 16;
    uint32_t *slots = map->allocator->resize(map->allocator->context, NULL, 0, n * sizeof *slots);
    if (!slots)
        return false;
    sg_vec_free(map->allocator, (void **)&map->slots, &map->n_slots, sizeof(uint32_t));
    map->slots = slots;
    map->n_slots = n;
    fill_slots(map);
    return true;
}

bool sg_map_put(sg_map *map, uint64_t key, uint64_t value)
{
    if (map->len * 2 >= map->n_slots && !grow(map))
        return false;
    size_t at = probe(map, key);
    if (map->slots[at]) {
        map->entries[map->slots[at] - 1].value = value;
        return true;
    }
    if (!sg_vec_reserve(map->allocator, (void **)&map->entries, &map->cap, map->len + 1,
                        sizeof(sg_map_entry)))
        return false;
    map->entries[map->len++] = (sg_map_entry){key, value};
    map->slots[at] = (uint32_t)map->len;
    return true;
}

uint64_t *sg_map_get(const sg_map *map, uint64_t key)
{
    if (!map->n_slots)
        return NULL;
    size_t at = probe(map, key);
    return map->slots[at] ? &map->entries[map->slots[at] - 1].value : NULL;
}

bool sg_map_remove(sg_map *map, uint64_t key)
{
    if (!sg_map_get(map, key))
        return false;
    size_t i = map->slots[probe(map, key)] - 1;
    memmove(map->entries + i, map->entries + i + 1, (map->len - i - 1) * sizeof *map->entries);
    map->len--;
    fill_slots(map);
    return true;
}
