#include "base/pool.h"

#include "base/counted.h"
#include "base/sanitize.h"
#include "harness/sg_test.h"

#include <string.h>

enum { N = 400 };

typedef struct holder {
    unsigned char *block;
    size_t size;
    unsigned char mark;
} holder;

static bool is_whole(const holder *h)
{
    for (size_t i = 0; i < h->size; i++)
        if (h->block[i] != h->mark)
            return false;
    return true;
}

static size_t random_size(sg_rng *rng, double largest)
{
    return 1 + (size_t)exp(sg_rng_uniform(rng, 0.0, log(largest)));
}

// Blocks of all sizes come, grow, shrink and go; each holds what was written to it.
static void shuffle(sg_pool *pool, sg_rng *rng, holder *held, int n_moves, double largest)
{
    for (int k = 0; k < n_moves; k++) {
        holder *h = &held[(size_t)sg_rng_uniform(rng, 0.0, N)];
        SG_REQUIRE(is_whole(h));
        size_t size = sg_rng_uniform(rng, 0.0, 1.0) < 0.4 ? 0 : random_size(rng, largest);
        size_t kept = size < h->size ? size : h->size;
        unsigned char *moved = pool->allocator.resize(pool, h->block, h->size, size);
        SG_REQUIRE(!size == !moved && (uintptr_t)moved % 16 == 0);
        *h = (holder){moved, kept, h->mark};
        SG_REQUIRE(is_whole(h));
        *h = (holder){moved, size, (unsigned char)k};
        if (moved)
            memset(moved, h->mark, size);
    }
}

static void give_all_back(sg_pool *pool, holder *held)
{
    for (int i = 0; i < N; i++)
        if (held[i].block)
            pool->allocator.resize(pool, held[i].block, held[i].size, 0);
    memset(held, 0, N * sizeof *held);
}

SG_TEST(blocks_of_a_pool_keep_what_is_in_them)
{
    sg_rng rng = sg_rng_seeded(1);
    static holder held[N];
    sg_counted inner;
    sg_counted_init(&inner, sg_allocator_default(), 0);
    sg_pool pool;
    sg_pool_init(&pool, &inner.allocator);
    for (int round = 0; round < 5; round++) {
        shuffle(&pool, &rng, held, 20000, round == 4 ? 3e6 : 4000.0);
        give_all_back(&pool, held);
        // What was apart is one again: at most one chunk is kept.
        SG_CHECK_MSG(pool.n_idle <= 1 && inner.live <= 2 << 20, "%zu chunks, %llu bytes",
                     pool.n_idle, (unsigned long long)inner.live);
    }
    sg_pool_destroy(&pool);
    SG_CHECK(inner.live == 0);
}

SG_TEST(what_was_reserved_can_be_had_without_asking)
{
    if (SG_ASAN) {
        sg_test_skip("each block is asked for under AddressSanitizer");
        return;
    }
    sg_rng rng = sg_rng_seeded(2);
    static holder held[N];
    sg_counted inner;
    sg_counted_init(&inner, sg_allocator_default(), 0);
    sg_pool pool;
    sg_pool_init(&pool, &inner.allocator);
    sg_pool_keep(&pool, true);
    SG_CHECK(sg_pool_reserve(&pool, 8 << 20, 1 << 16));
    uint64_t before = inner.bytes;
    for (int round = 0; round < 20; round++) {
        shuffle(&pool, &rng, held, 2000, 40000.0);
        give_all_back(&pool, held);
    }
    SG_CHECK(inner.bytes == before);
    // A second reserve finds the first one.
    SG_CHECK(sg_pool_reserve(&pool, 8 << 20, 1 << 16) && inner.bytes == before);
    // One block that is larger than all chunks.
    SG_CHECK(sg_pool_reserve(&pool, 1, 5 << 20) && inner.bytes > before);
    before = inner.bytes;
    void *large = pool.allocator.resize(&pool, NULL, 0, 5 << 20);
    SG_CHECK(large && inner.bytes == before);
    pool.allocator.resize(&pool, large, 5 << 20, 0);
    sg_pool_keep(&pool, false);
    SG_CHECK(pool.n_idle == 1);
    sg_pool_destroy(&pool);
    SG_CHECK(inner.live == 0);
}

SG_TEST(a_pool_whose_allocator_refuses_says_so_and_goes_on)
{
    sg_counted inner;
    sg_counted_init(&inner, sg_allocator_default(), 2 << 20);
    sg_pool pool;
    sg_pool_init(&pool, &inner.allocator);
    unsigned char *small = pool.allocator.resize(&pool, NULL, 0, 100);
    SG_REQUIRE(small);
    memset(small, 7, 100);
    SG_CHECK(!pool.allocator.resize(&pool, NULL, 0, 8 << 20));
    SG_CHECK(!pool.allocator.resize(&pool, small, 100, 8 << 20));
    SG_CHECK(!pool.allocator.resize(&pool, NULL, 0, SIZE_MAX - 8));
    SG_CHECK(small[0] == 7 && small[99] == 7);
    pool.allocator.resize(&pool, small, 100, 0);
    sg_pool_destroy(&pool);
    SG_CHECK(inner.live == 0);
}
