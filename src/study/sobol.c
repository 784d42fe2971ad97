#include "base/assert.h"
#include "study/plan.h"

enum { BITS = 52 };

// Primitive polynomials (degree, inner coefficients) and first direction numbers, from dimension 1
// on, as published in "new-joe-kuo-6" [Joe-Kuo].
static const struct {
    uint8_t degree, a, m[7];
} rows[SG_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

double sg_sobol(uint32_t dimension, uint64_t i)
{
    SG_ASSERT(dimension < SG_SOBOL_DIMENSIONS);
    uint64_t v[BITS]; // direction numbers, the binary point above bit 51
    for (int k = 0; k < BITS; k++) {
        if (dimension == 0) {
            v[k] = 1ULL << (BITS - 1 - k);
            continue;
        }
        int s = rows[dimension - 1].degree, a = rows[dimension - 1].a;
        if (k < s) {
            v[k] = (uint64_t)rows[dimension - 1].m[k] << (BITS - 1 - k);
            continue;
        }
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for (int j = 1; j < s; j++)
            if (a >> (s - 1 - j) & 1)
                v[k] ^= v[k - j];
    }
    uint64_t gray = i ^ (i >> 1), x = 0;
    for (int k = 0; k < BITS && gray >> k; k++)
        if (gray >> k & 1)
            x ^= v[k];
    return (double)x * 0x1p-52;
}
