#include "result/checksum.h"

#include <string.h>

static const uint64_t prime1 = 0x9E3779B185EBCA87ULL, prime2 = 0xC2B2AE3D27D4EB4FULL,
                      prime3 = 0x165667B19E3779F9ULL, prime4 = 0x85EBCA77C2B2AE63ULL,
                      prime5 = 0x27D4EB2F165667C5ULL;

static uint64_t rotate(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

static uint64_t read64(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t round_of(uint64_t lane, uint64_t input)
{
    return rotate(lane + input * prime2, 31) * prime1;
}

static uint64_t merge_lane(uint64_t hash, uint64_t lane)
{
    return (hash ^ round_of(0, lane)) * prime1 + prime4;
}

// The last 0 to 31 bytes, in ever smaller bites.
static uint64_t finish(uint64_t hash, const unsigned char *p, const unsigned char *end)
{
    for (; p + 8 <= end; p += 8)
        hash = rotate(hash ^ round_of(0, read64(p)), 27) * prime1 + prime4;
    if (p + 4 <= end) {
        uint32_t x;
        memcpy(&x, p, sizeof x);
        hash = rotate(hash ^ x * prime1, 23) * prime2 + prime3;
        p += 4;
    }
    for (; p < end; p++)
        hash = rotate(hash ^ *p * prime5, 11) * prime1;
    hash = (hash ^ (hash >> 33)) * prime2;
    hash = (hash ^ (hash >> 29)) * prime3;
    return hash ^ (hash >> 32);
}

uint64_t sg_xxh64(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *p = bytes, *end = p + length;
    if (length < 32)
        return finish(seed + prime5 + length, p, end);
    uint64_t a = seed + prime1 + prime2, b = seed + prime2, c = seed, d = seed - prime1;
    for (; p + 32 <= end; p += 32) {
        a = round_of(a, read64(p));
        b = round_of(b, read64(p + 8));
        c = round_of(c, read64(p + 16));
        d = round_of(d, read64(p + 24));
    }
    uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    hash = merge_lane(merge_lane(merge_lane(merge_lane(hash, a), b), c), d);
    return finish(hash + length, p, end);
}
