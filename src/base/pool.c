#include "base/pool.h"

#include "base/assert.h"
#include "base/sanitize.h"

#include <string.h>

// Chunks of this size, or of that of a single block that is larger. (Those of 4 MiB and more would
// get huge pages, which is not worth it for what is only kept ready.)
enum { CHUNK = 1 << 20, FIRST_CHUNK = 1 << 16 };
// Free blocks below this size do not count as room: they lie between blocks that stay.
enum { GAP = 4096 };
enum { ALIGN = 16, LEAST = 16 };

// In front of each block. Blocks of a chunk follow each other; the last one has no bytes and is
// never free.
struct sg_pool_block {
    _Alignas(ALIGN) sg_pool_block *before; // in memory; null for the first of its chunk
    size_t size_and_free;                  // bytes behind this header; lowest bit: free
};

// A free block begins with its neighbors in the list.
typedef struct links {
    sg_pool_block *next, *last;
} links;

struct sg_pool_chunk {
    _Alignas(ALIGN) sg_pool_chunk *next, *last;
    size_t size; // of all
};

static size_t size_of(const sg_pool_block *b) { return b->size_and_free & ~(size_t)1; }
static bool is_free(const sg_pool_block *b) { return b->size_and_free & 1; }
static char *bytes_of(sg_pool_block *b) { return (char *)(b + 1); }
static sg_pool_block *block_of(void *bytes) { return (sg_pool_block *)bytes - 1; }
static links *links_of(sg_pool_block *b) { return (links *)(void *)(b + 1); }
static sg_pool_block *behind(sg_pool_block *b)
{
    return (sg_pool_block *)(void *)(bytes_of(b) + size_of(b));
}
static sg_pool_block *first_of(sg_pool_chunk *chunk) { return (sg_pool_block *)(chunk + 1); }

static size_t round_up(size_t size)
{
    return size <= LEAST ? LEAST : (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

// ---- lists of free blocks -----------------------------------------------------------------------

typedef struct list_id {
    unsigned level, part;
} list_id;

static list_id list_of(size_t size)
{
    unsigned level = 63 - (unsigned)__builtin_clzll((unsigned long long)size);
    if (level >= SG_POOL_LEVELS)
        return (list_id){SG_POOL_LEVELS - 1, SG_POOL_PARTS - 1};
    return (list_id){level, (unsigned)(size >> (level - 3)) & (SG_POOL_PARTS - 1)};
}

static void put(sg_pool *pool, sg_pool_block *b)
{
    list_id at = list_of(size_of(b));
    sg_pool_block **head = &pool->free[at.level][at.part];
    *links_of(b) = (links){.next = *head};
    if (*head)
        links_of(*head)->last = b;
    *head = b;
    pool->parts[at.level] |= (uint8_t)(1u << at.part);
    pool->levels |= (uint64_t)1 << at.level;
    b->size_and_free |= 1;
    pool->room += size_of(b) >= GAP ? size_of(b) : 0;
}

static void take_out(sg_pool *pool, sg_pool_block *b)
{
    list_id at = list_of(size_of(b));
    sg_pool_block **head = &pool->free[at.level][at.part];
    links l = *links_of(b);
    if (l.next)
        links_of(l.next)->last = l.last;
    if (l.last)
        links_of(l.last)->next = l.next;
    else
        *head = l.next;
    if (!*head)
        pool->parts[at.level] &= (uint8_t) ~(1u << at.part);
    if (!pool->parts[at.level])
        pool->levels &= ~((uint64_t)1 << at.level);
    b->size_and_free &= ~(size_t)1;
    pool->room -= size_of(b) >= GAP ? size_of(b) : 0;
}

// A free block of at least this size, or null. The lists above that of the size hold nothing
// smaller; in its own one the first is tried.
static sg_pool_block *find(const sg_pool *pool, size_t size)
{
    list_id at = list_of(size);
    sg_pool_block *b = pool->free[at.level][at.part];
    if (b && size_of(b) >= size)
        return b;
    unsigned parts = pool->parts[at.level] & (0xFEu << at.part);
    if (!parts) {
        uint64_t levels = pool->levels & (~(uint64_t)1 << at.level);
        if (!levels)
            return NULL;
        at.level = (unsigned)__builtin_ctzll(levels);
        parts = pool->parts[at.level];
    }
    return pool->free[at.level][__builtin_ctz(parts)];
}

// ---- chunks -------------------------------------------------------------------------------------

static bool add_chunk(sg_pool *pool, size_t size)
{
    size_t least = pool->chunks ? CHUNK : FIRST_CHUNK, most = (size_t)1 << (SG_POOL_LEVELS - 1);
    size_t beside = sizeof(sg_pool_chunk) + 2 * sizeof(sg_pool_block);
    if (size > most)
        return false;
    size = size + beside < least ? least : size + beside;
    sg_pool_chunk *chunk = pool->inner->resize(pool->inner->context, NULL, 0, size);
    if (!chunk)
        return false;
    *chunk = (sg_pool_chunk){.next = pool->chunks, .size = size};
    if (pool->chunks)
        pool->chunks->last = chunk;
    pool->chunks = chunk;
    sg_pool_block *b = first_of(chunk);
    *b = (sg_pool_block){.size_and_free = size - beside};
    *behind(b) = (sg_pool_block){.before = b};
    put(pool, b);
    pool->n_idle++;
    return true;
}

static void drop_chunk(sg_pool *pool, sg_pool_chunk *chunk)
{
    if (chunk->next)
        chunk->next->last = chunk->last;
    *(chunk->last ? &chunk->last->next : &pool->chunks) = chunk->next;
    pool->inner->resize(pool->inner->context, chunk, chunk->size, 0);
}

// All of its chunk.
static bool is_alone(sg_pool_block *b) { return !b->before && size_of(behind(b)) == 0; }

// One idle chunk is kept, so that a block that comes and goes does not move a chunk each time.
static void settle(sg_pool *pool, sg_pool_block *b)
{
    if (!is_alone(b))
        return;
    pool->n_idle++;
    if (pool->keeps || (pool->n_idle == 1 && size_of(b) <= CHUNK))
        return;
    take_out(pool, b);
    pool->n_idle--;
    drop_chunk(pool, (sg_pool_chunk *)(void *)b - 1);
}

// ---- blocks -------------------------------------------------------------------------------------

// What a block has too much becomes a block of its own.
static void cut(sg_pool *pool, sg_pool_block *b, size_t size)
{
    size_t rest = size_of(b) - size;
    if (rest < sizeof *b + LEAST)
        return;
    sg_pool_block *after = behind(b);
    b->size_and_free = size;
    sg_pool_block *cut_off = behind(b);
    *cut_off = (sg_pool_block){.before = b, .size_and_free = rest - sizeof *b};
    after->before = cut_off;
    if (is_free(after)) {
        take_out(pool, after);
        cut_off->size_and_free += sizeof *after + size_of(after);
        behind(cut_off)->before = cut_off;
    }
    put(pool, cut_off);
}

// Cuts a piece off the front of a free block that stays in its list: most blocks come one after
// the other from a large one. False if it would not stay there.
static bool cut_front(sg_pool *pool, sg_pool_block *b, size_t size)
{
    size_t all = size_of(b), rest = all - size - sizeof *b;
    if (all < size + sizeof *b + GAP)
        return false;
    list_id now = list_of(all), then = list_of(rest);
    if (now.level != then.level || now.part != then.part)
        return false;
    links l = *links_of(b);
    b->size_and_free = size;
    sg_pool_block *left = behind(b);
    *left = (sg_pool_block){.before = b, .size_and_free = rest | 1};
    behind(left)->before = left;
    *links_of(left) = l;
    if (l.next)
        links_of(l.next)->last = left;
    *(l.last ? &links_of(l.last)->next : &pool->free[now.level][now.part]) = left;
    pool->room -= all - rest;
    return true;
}

static void *give(sg_pool *pool, size_t size)
{
    sg_pool_block *b = find(pool, size);
    if (!b && !add_chunk(pool, size))
        return NULL;
    b = b ? b : find(pool, size);
    SG_ASSERT(b && size_of(b) >= size);
    pool->n_idle -= is_alone(b);
    if (cut_front(pool, b, size))
        return bytes_of(b);
    take_out(pool, b);
    cut(pool, b, size);
    return bytes_of(b);
}

static void take_back(sg_pool *pool, sg_pool_block *b)
{
    sg_pool_block *before = b->before, *after = behind(b);
    if (is_free(after)) {
        take_out(pool, after);
        b->size_and_free += sizeof *after + size_of(after);
    }
    if (before && is_free(before)) {
        take_out(pool, before);
        before->size_and_free += sizeof *b + size_of(b);
        b = before;
    }
    behind(b)->before = b;
    put(pool, b);
    settle(pool, b);
}

// A large block is alone in its chunk. The two change their size together, by the inner allocator,
// which may do so without moving a byte. Null when it refuses.
static void *resize_alone(sg_pool *pool, sg_pool_block *b, size_t size)
{
    sg_pool_chunk *chunk = (sg_pool_chunk *)(void *)b - 1;
    size_t whole = chunk->size - size_of(b) + size;
    chunk = pool->inner->resize(pool->inner->context, chunk, chunk->size, whole);
    if (!chunk)
        return NULL;
    chunk->size = whole;
    *(chunk->last ? &chunk->last->next : &pool->chunks) = chunk;
    if (chunk->next)
        chunk->next->last = chunk;
    b = first_of(chunk);
    b->size_and_free = size;
    *behind(b) = (sg_pool_block){.before = b};
    return bytes_of(b);
}

// True when the block has this size where it is.
static bool fits_in_place(sg_pool *pool, sg_pool_block *b, size_t size)
{
    sg_pool_block *after = behind(b);
    size_t more = is_free(after) ? sizeof *after + size_of(after) : 0;
    if (size_of(b) + more < size)
        return false;
    if (size_of(b) < size) {
        take_out(pool, after);
        b->size_and_free += more;
        behind(b)->before = b;
    }
    cut(pool, b, size);
    return true;
}

// Under AddressSanitizer each block is one of the inner allocator: who uses it after giving it back
// is caught.
static void *pass_on(sg_pool *pool, void *block, size_t new_size)
{
    sg_pool_block *b = block ? block_of(block) : NULL;
    b = pool->inner->resize(pool->inner->context, b, b ? sizeof *b + size_of(b) : 0,
                            new_size ? sizeof *b + round_up(new_size) : 0);
    if (!b)
        return NULL;
    *b = (sg_pool_block){.size_and_free = round_up(new_size)};
    return bytes_of(b);
}

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    sg_pool *pool = context;
    (void)old_size;
    if (new_size > SIZE_MAX / 2)
        return NULL;
    if (SG_ASAN)
        return block || new_size ? pass_on(pool, block, new_size) : NULL;
    if (!block)
        return new_size ? give(pool, round_up(new_size)) : NULL;
    sg_pool_block *b = block_of(block);
    if (!new_size) {
        take_back(pool, b);
        return NULL;
    }
    if (!pool->keeps && is_alone(b) && size_of(b) > CHUNK && new_size > CHUNK)
        return resize_alone(pool, b, round_up(new_size));
    if (fits_in_place(pool, b, round_up(new_size)))
        return block;
    void *moved = give(pool, round_up(new_size));
    if (!moved)
        return NULL;
    memcpy(moved, block, size_of(b) < new_size ? size_of(b) : new_size);
    take_back(pool, b);
    return moved;
}

void sg_pool_init(sg_pool *pool, const sg_allocator *inner)
{
    *pool = (sg_pool){.allocator = {.resize = resize, .context = pool}, .inner = inner};
}

void sg_pool_destroy(sg_pool *pool)
{
    while (pool->chunks)
        drop_chunk(pool, pool->chunks);
    sg_pool_init(pool, pool->inner);
}

bool sg_pool_reserve(sg_pool *pool, size_t bytes, size_t largest)
{
    size_t piece = round_up(largest);
    bool there = true;
    while (!SG_ASAN && there && (pool->room < bytes || !find(pool, piece)))
        there = add_chunk(pool, piece > CHUNK || pool->room >= bytes ? piece : CHUNK / 2);
    return there;
}

void sg_pool_keep(sg_pool *pool, bool keeps)
{
    pool->keeps = keeps;
    for (sg_pool_chunk *chunk = pool->chunks, *next; chunk && !keeps && pool->n_idle > 1;
         chunk = next) {
        next = chunk->next;
        sg_pool_block *b = first_of(chunk);
        if (!is_free(b) || !is_alone(b))
            continue;
        take_out(pool, b);
        pool->n_idle--;
        drop_chunk(pool, chunk);
    }
}
