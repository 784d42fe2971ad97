#include "base/symbol.h"

#include "base/vec.h"

#include <string.h>

// A small model and what it names of the language are some hundred names.
enum { FIRST_SLOTS = 1024 };

typedef struct symbol_entry {
    const char *text;
    uint32_t length;
} symbol_entry;

// With the hash, so that another name in the way is passed without a look at it.
typedef struct symbol_slot {
    uint32_t id; // 0 is free
    uint32_t hash;
} symbol_slot;

struct sg_symbols {
    sg_arena arena;
    SG_VEC(symbol_entry) entries; // index 0 is the null symbol
    symbol_slot *slots;
    size_t n_slots; // a power of two
};

uint64_t sg_hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < length; i++)
        h = (h ^ p[i]) * 0x100000001b3ULL;
    return h;
}

sg_symbols *sg_symbols_create(const sg_allocator *allocator)
{
    sg_arena arena;
    sg_arena_init(&arena, allocator);
    sg_symbols *symbols = SG_NEW(&arena, sg_symbols);
    if (!symbols)
        return NULL;
    symbols->arena = arena;
    symbol_entry null_entry = {"", 0};
    if (!SG_PUSH(arena.allocator, &symbols->entries, null_entry)) {
        sg_symbols_destroy(symbols);
        return NULL;
    }
    return symbols;
}

void sg_symbols_destroy(sg_symbols *symbols)
{
    if (!symbols)
        return;
    const sg_allocator *allocator = symbols->arena.allocator;
    SG_VEC_FREE(allocator, &symbols->entries);
    sg_vec_free(allocator, (void **)&symbols->slots, &symbols->n_slots, sizeof(symbol_slot));
    sg_arena arena = symbols->arena; // the struct lies in its own arena
    sg_arena_destroy(&arena);
}

// Names that differ in their last letter lie side by side: x10 to x19, R1.p.v and R1.p.i. In a
// large model that is one look at memory where it would be one for each.
static uint32_t hash_name(const char *text, size_t length)
{
    if (length < 2)
        return (uint32_t)sg_hash_u64(sg_hash_bytes(text, length));
    uint64_t beginning = sg_hash_u64(sg_hash_bytes(text, length - 1));
    return (uint32_t)(beginning + ((unsigned char)text[length - 1] & 15));
}

static size_t probe(const sg_symbols *symbols, const char *text, size_t length, uint32_t hash)
{
    size_t mask = symbols->n_slots - 1, at = hash & mask;
    for (; symbols->slots[at].id; at = (at + 1) & mask) {
        if (symbols->slots[at].hash != hash)
            continue;
        const symbol_entry *e = &symbols->entries.data[symbols->slots[at].id];
        if (e->length == length && memcmp(e->text, text, length) == 0)
            break;
    }
    return at;
}

static bool grow(sg_symbols *symbols)
{
    const sg_allocator *a = symbols->arena.allocator;
    size_t n = symbols->n_slots ? symbols->n_slots * 2 : FIRST_SLOTS;
    symbol_slot *slots = a->resize(a->context, NULL, 0, n * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, n * sizeof *slots);
    for (size_t i = 0; i < symbols->n_slots; i++) {
        if (!symbols->slots[i].id)
            continue;
        size_t at = symbols->slots[i].hash & (n - 1);
        while (slots[at].id)
            at = (at + 1) & (n - 1);
        slots[at] = symbols->slots[i];
    }
    sg_vec_free(a, (void **)&symbols->slots, &symbols->n_slots, sizeof *slots);
    symbols->slots = slots;
    symbols->n_slots = n;
    return true;
}

sg_sym sg_sym_find(const sg_symbols *symbols, const char *text, size_t length)
{
    if (!symbols->n_slots)
        return (sg_sym){0};
    return (sg_sym){symbols->slots[probe(symbols, text, length, hash_name(text, length))].id};
}

sg_sym sg_sym_intern(sg_symbols *symbols, const char *text, size_t length)
{
    if (length > UINT32_MAX)
        return (sg_sym){0};
    if (symbols->entries.len * 2 >= symbols->n_slots && !grow(symbols))
        return (sg_sym){0};
    uint32_t hash = hash_name(text, length);
    size_t at = probe(symbols, text, length, hash);
    if (symbols->slots[at].id)
        return (sg_sym){symbols->slots[at].id};
    char *copy = sg_arena_text(&symbols->arena, text, length);
    if (!copy)
        return (sg_sym){0};
    symbol_entry e = {copy, (uint32_t)length};
    if (!SG_PUSH(symbols->arena.allocator, &symbols->entries, e))
        return (sg_sym){0};
    symbols->slots[at] = (symbol_slot){(uint32_t)(symbols->entries.len - 1), hash};
    return (sg_sym){symbols->slots[at].id};
}

sg_sym sg_sym_intern_text(sg_symbols *symbols, const char *text)
{
    return sg_sym_intern(symbols, text, strlen(text));
}

const char *sg_sym_text(const sg_symbols *symbols, sg_sym symbol)
{
    return symbols->entries.data[symbol.i].text;
}

size_t sg_sym_length(const sg_symbols *symbols, sg_sym symbol)
{
    return symbols->entries.data[symbol.i].length;
}

size_t sg_symbols_count(const sg_symbols *symbols) { return symbols->entries.len - 1; }
