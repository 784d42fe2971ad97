// The groups of steps (fused.h) for those who run them, private to evaluate.c and plain.c.
//
// Define SG_GROUP_2(x, y, use) and SG_GROUP_3(x, y, use, z, last), then write SG_GROUPS: one of
// them for each group, in the order of their numbers.
#pragma once

#define SG_USES(each, ...) each(__VA_ARGS__, NOT) each(__VA_ARGS__, LEFT) each(__VA_ARGS__, RIGHT)
#define SG_SECONDS_OF_3(x)                                                                         \
    SG_USES(SG_THIRDS, x, ADD) SG_USES(SG_THIRDS, x, SUB) SG_USES(SG_THIRDS, x, MUL)
#define SG_THIRDS(x, y, use)                                                                       \
    SG_LAST_USES(x, y, use, ADD) SG_LAST_USES(x, y, use, SUB) SG_LAST_USES(x, y, use, MUL)
#define SG_LAST_USES(x, y, use, z)                                                                 \
    SG_GROUP_3(x, y, use, z, NOT) SG_GROUP_3(x, y, use, z, LEFT) SG_GROUP_3(x, y, use, z, RIGHT)
#define SG_SECONDS_OF_2(x)                                                                         \
    SG_USES(SG_GROUP_2, x, ADD)                                                                    \
    SG_USES(SG_GROUP_2, x, SUB) SG_USES(SG_GROUP_2, x, MUL) SG_USES(SG_GROUP_2, x, DIV)
#define SG_GROUPS                                                                                  \
    SG_SECONDS_OF_2(ADD)                                                                           \
    SG_SECONDS_OF_2(SUB)                                                                           \
    SG_SECONDS_OF_2(MUL)                                                                           \
    SG_SECONDS_OF_2(DIV) SG_SECONDS_OF_3(ADD) SG_SECONDS_OF_3(SUB) SG_SECONDS_OF_3(MUL)

#define SG_DO_ADD(x, y) ((x) + (y))
#define SG_DO_SUB(x, y) ((x) - (y))
#define SG_DO_MUL(x, y) ((x) * (y))
#define SG_DO_DIV(x, y) ((x) / (y))

// A function with hundreds of labels takes clang's sanitizers minutes to compile, so that they
// leave this one alone; those of gcc do not mind it.
#ifdef __clang__
#define SG_AS_IT_IS __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define SG_AS_IT_IS
#endif
