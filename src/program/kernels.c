#include "program/kernels.h"

#include "base/number.h"

#include <math.h>

#define SG_UNARY(name, expression)                                                                 \
    void sg_kernel_##name(double *restrict to, const double *restrict a, const double *restrict b, \
                          uint32_t sa, uint32_t sb, uint32_t n)                                    \
    {                                                                                              \
        (void)b, (void)sa, (void)sb;                                                               \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            double x = a[i];                                                                       \
            to[i] = expression;                                                                    \
        }                                                                                          \
    }
#define SG_BINARY(name, expression)                                                                \
    void sg_kernel_##name(double *restrict to, const double *restrict a, const double *restrict b, \
                          uint32_t sa, uint32_t sb, uint32_t n)                                    \
    {                                                                                              \
        if (sa && sb)                                                                              \
            for (uint32_t i = 0; i < n; i++) {                                                     \
                double x = a[i], y = b[i];                                                         \
                to[i] = expression;                                                                \
            }                                                                                      \
        else if (sa)                                                                               \
            for (uint32_t i = 0; i < n; i++) {                                                     \
                double x = a[i], y = b[0];                                                         \
                to[i] = expression;                                                                \
            }                                                                                      \
        else                                                                                       \
            for (uint32_t i = 0; i < n; i++) {                                                     \
                double x = a[0], y = b[i * sb];                                                    \
                to[i] = expression;                                                                \
            }                                                                                      \
    }
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
