#include "view/uuid.h"

#include <stddef.h>
#include <string.h>

const sg_uuid sg_uuid_modia3d = {{0x07, 0xf2, 0xc1, 0xe0, 0x90, 0xb0, 0x56, 0xcf, 0xbd, 0xa7, 0xb4,
                                  0x4b, 0x56, 0xe3, 0x4e, 0xed}};

// ---- SHA-1 (FIPS 180-4, section 6.1), for identifiers only ----------------------------------

typedef struct sha1 {
    uint32_t h[5];
    uint8_t block[64];
    uint64_t length; // [bytes]
} sha1;

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

static void mix(sha1 *s)
{
    uint32_t w[80], a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3], e = s->h[4];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)s->block[4 * t] << 24 | (uint32_t)s->block[4 * t + 1] << 16 |
               (uint32_t)s->block[4 * t + 2] << 8 | s->block[4 * t + 3];
    for (int t = 16; t < 80; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < 80; t++) {
        uint32_t f = t < 20   ? (b & c) | (~b & d)
                     : t < 40 ? b ^ c ^ d
                     : t < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        static const uint32_t k[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = rotate(a, 5) + f + e + k[t / 20] + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    s->h[0] += a;
    s->h[1] += b;
    s->h[2] += c;
    s->h[3] += d;
    s->h[4] += e;
}

static void add(sha1 *s, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < n; i++) {
        s->block[s->length++ % 64] = from[i];
        if (s->length % 64 == 0)
            mix(s);
    }
}

static void finish(sha1 *s, uint8_t digest[20])
{
    static const uint8_t one = 0x80, zero = 0;
    uint64_t bits = 8 * s->length;
    add(s, &one, 1);
    while (s->length % 64 != 56)
        add(s, &zero, 1);
    for (int i = 7; i >= 0; i--) {
        uint8_t byte = (uint8_t)(bits >> 8 * i);
        add(s, &byte, 1);
    }
    for (int i = 0; i < 20; i++)
        digest[i] = (uint8_t)(s->h[i / 4] >> 8 * (3 - i % 4));
}

sg_uuid sg_uuid_make(sg_uuid space, const char *name)
{
    sha1 s = {.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
    uint8_t digest[20];
    sg_uuid out;
    add(&s, space.byte, sizeof space.byte);
    add(&s, name, strlen(name));
    finish(&s, digest);
    memcpy(out.byte, digest, sizeof out.byte);
    out.byte[6] = (uint8_t)((out.byte[6] & 0x0f) | 0x50); // version
    out.byte[8] = (uint8_t)((out.byte[8] & 0x3f) | 0x80); // variant
    return out;
}

void sg_uuid_format(sg_uuid uuid, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *text++ = '-';
        *text++ = digits[uuid.byte[i] >> 4];
        *text++ = digits[uuid.byte[i] & 15];
    }
    *text = '\0';
}
