#include "program/plain.h"

#include "program/fused.h"
#include "program/groups.h"

#include <stddef.h>

// Numbers that one step copies at most.
enum { MOST_COPIED = 8 };

typedef enum plain_kind {
    PLAIN_END,
    PLAIN_NEG,
    PLAIN_SQUARE,
    PLAIN_COPY,
    PLAIN_ADD,
    PLAIN_SUB,
    PLAIN_MUL,
    PLAIN_DIV,
    PLAIN_IN,                              // of one state to the workspace, two, ...
    PLAIN_OUT = PLAIN_IN + MOST_COPIED,    // of one derivative, two, ...
    PLAIN_GROUP = PLAIN_OUT + MOST_COPIED, // groups in their order
    PLAIN_KINDS = PLAIN_GROUP + SG_FUSED_END - SG_FUSED_2
} plain_kind;

typedef struct plain_step {
    uint32_t dst, a, b;
} plain_step;

struct sg_plain {
    union {
        const void *code; // where to go
        uintptr_t kind;   // before that is known
    } run;
    plain_step s[3];
};

// ---- linking --------------------------------------------------------------------------------

static plain_kind kind_of(const sg_linked *c)
{
    if (c->run >= SG_FUSED_2 && c->run < SG_FUSED_END)
        return (plain_kind)(PLAIN_GROUP + (c->run - SG_FUSED_2));
    switch (c->form) {
    case SG_L_NEG:
        return PLAIN_NEG;
    case SG_L_SQUARE:
        return PLAIN_SQUARE;
    case SG_L_COPY:
        return PLAIN_COPY;
    case SG_L_ADD:
        return PLAIN_ADD;
    case SG_L_SUB:
        return PLAIN_SUB;
    case SG_L_MUL:
        return PLAIN_MUL;
    case SG_L_DIV:
        return PLAIN_DIV;
    default:
        return PLAIN_END;
    }
}

// Steps that copy n numbers; written if `to` is not null.
static uint32_t put_copies(struct sg_plain *to, plain_kind kind, uint32_t dst, uint32_t from,
                           uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t i = 0, part; i < n; i += part, count++) {
        part = n - i < MOST_COPIED ? n - i : MOST_COPIED;
        if (to)
            to[count] = (struct sg_plain){.run.kind = kind + part - 1,
                                          .s[0] = {.dst = dst + i, .a = from + i}};
    }
    return count;
}

// Steps of all entries of the dynamics; 0 if one of them is not plain.
static uint32_t put_entries(struct sg_plain *to, const sg_exec *exec)
{
    uint32_t count = 0;
    for (uint32_t i = 0, n; i < exec->steps.dynamics_end; i += n, count++) {
        const sg_linked *c = &exec->steps.list[i];
        n = sg_fused_length(c);
        plain_kind kind = kind_of(c);
        if (kind == PLAIN_END || i + n > exec->steps.dynamics_end)
            return 0;
        if (to)
            to[count].run.kind = kind;
        for (uint32_t k = 0; to && k < n; k++)
            to[count].s[k] = (plain_step){c[k].dst, c[k].a, c[k].b};
    }
    return count;
}

bool sg_plain_link(sg_exec *exec)
{
    uint32_t n_entries = put_entries(NULL, exec),
             n_copies = put_copies(NULL, PLAIN_IN, 0, 0, exec->at.n_x);
    exec->steps.plain = NULL;
    if (!n_entries || !n_copies || exec->native.n_rows)
        return true;
    struct sg_plain *steps =
        SG_NEW_ARRAY(&exec->arena, struct sg_plain, (size_t)n_entries + 2 * n_copies + 1);
    if (!steps)
        return false;
    put_copies(steps, PLAIN_IN, exec->at.x, 0, exec->at.n_x);
    put_entries(steps + n_copies, exec);
    put_copies(steps + n_copies + n_entries, PLAIN_OUT, 0, exec->at.der, exec->at.n_x);
    exec->steps.plain = steps;
    exec->steps.plain_steps = n_entries + 2 * n_copies + 1;
    sg_exec_plain(exec, 0.0, NULL, NULL); // tells where each kind is
    return true;
}

// ---- running --------------------------------------------------------------------------------

// Addresses of labels are not of the standard; gcc and clang have them. They are kept as distances,
// which need no relocation when the program starts.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wpointer-arith"

#ifdef __clang__
#define SG_ONCE __attribute__((noinline))
#else
#define SG_ONCE __attribute__((noinline, noclone))
#endif

#define SG_NEXT                                                                                    \
    c++;                                                                                           \
    goto * c->run.code
#define SG_STEP_NOT(i, op) SG_DO_##op(w[c->s[i].a], w[c->s[i].b])
#define SG_STEP_LEFT(i, op) SG_DO_##op(r, w[c->s[i].b])
#define SG_STEP_RIGHT(i, op) SG_DO_##op(w[c->s[i].a], r)
#define SG_COPY_1 to[0] = from[0]
#define SG_COPY_2 SG_COPY_1, to[1] = from[1]
#define SG_COPY_3 SG_COPY_2, to[2] = from[2]
#define SG_COPY_4 SG_COPY_3, to[3] = from[3]
#define SG_COPY_5 SG_COPY_4, to[4] = from[4]
#define SG_COPY_6 SG_COPY_5, to[5] = from[5]
#define SG_COPY_7 SG_COPY_6, to[6] = from[6]
#define SG_COPY_8 SG_COPY_7, to[7] = from[7]
#define SG_SIZES(each) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8)

SG_ONCE SG_AS_IT_IS sg_status sg_exec_plain(sg_exec *exec, double t, const double *states,
                                            double *der)
{
    static const ptrdiff_t places[PLAIN_KINDS] = {&&end - &&end,
                                                  &&one_neg - &&end,
                                                  &&one_square - &&end,
                                                  &&one_copy - &&end,
                                                  &&one_ADD - &&end,
                                                  &&one_SUB - &&end,
                                                  &&one_MUL - &&end,
                                                  &&one_DIV - &&end,
#define SG_SIZE(n) &&in_##n - &&end,
                                                  SG_SIZES(SG_SIZE)
#undef SG_SIZE
#define SG_SIZE(n) &&out_##n - &&end,
                                                      SG_SIZES(SG_SIZE)
#undef SG_SIZE
#define SG_GROUP_2(x, y, use) &&two_##x##_##y##_##use - &&end,
#define SG_GROUP_3(x, y, use, z, last) &&three_##x##_##y##_##use##_##z##_##last - &&end,
                                                          SG_GROUPS
#undef SG_GROUP_2
#undef SG_GROUP_3
    };
    double *const w = exec->w;
    struct sg_plain *c = exec->steps.plain;
    if (!states) { // from sg_plain_link
        for (uint32_t i = 0; i < exec->steps.plain_steps; i++)
            c[i].run.code = (const char *)&&end + places[c[i].run.kind];
        return SG_OK;
    }
    exec->failure.kind = SG_FAILED_NOT;
    w[exec->at.time] = t;
    goto * c->run.code;
// One by one: numbers that were stored so a moment ago cannot be loaded in pairs before they have
// arrived in the cache.
#define SG_SIZE(n)                                                                                 \
    in_##n:                                                                                        \
    {                                                                                              \
        double *to = w + c->s[0].dst;                                                              \
        const double *from = states + c->s[0].a;                                                   \
        SG_COPY_##n;                                                                               \
        SG_NEXT;                                                                                   \
    }
    SG_SIZES(SG_SIZE)
#undef SG_SIZE
#define SG_SIZE(n)                                                                                 \
    out_##n:                                                                                       \
    {                                                                                              \
        double *to = der + c->s[0].dst;                                                            \
        const double *from = w + c->s[0].a;                                                        \
        SG_COPY_##n;                                                                               \
        SG_NEXT;                                                                                   \
    }
    SG_SIZES(SG_SIZE)
#undef SG_SIZE
one_neg:
    w[c->s[0].dst] = -w[c->s[0].a];
    SG_NEXT;
one_square:
    w[c->s[0].dst] = w[c->s[0].a] * w[c->s[0].a];
    SG_NEXT;
one_copy:
    w[c->s[0].dst] = w[c->s[0].a];
    SG_NEXT;
#define SG_ONE(op)                                                                                 \
    one_##op : w[c->s[0].dst] = SG_STEP_NOT(0, op);                                                \
    SG_NEXT;
    SG_ONE(ADD)
    SG_ONE(SUB)
    SG_ONE(MUL)
    SG_ONE(DIV)
#define SG_GROUP_2(x, y, use)                                                                      \
    two_##x##_##y##_##use:                                                                         \
    {                                                                                              \
        double r = SG_STEP_NOT(0, x);                                                              \
        w[c->s[0].dst] = r;                                                                        \
        w[c->s[1].dst] = SG_STEP_##use(1, y);                                                      \
        SG_NEXT;                                                                                   \
    }
#define SG_GROUP_3(x, y, use, z, last)                                                             \
    three_##x##_##y##_##use##_##z##_##last:                                                        \
    {                                                                                              \
        double r = SG_STEP_NOT(0, x);                                                              \
        w[c->s[0].dst] = r;                                                                        \
        r = SG_STEP_##use(1, y);                                                                   \
        w[c->s[1].dst] = r;                                                                        \
        w[c->s[2].dst] = SG_STEP_##last(2, z);                                                     \
        SG_NEXT;                                                                                   \
    }
    SG_GROUPS
#undef SG_GROUP_2
#undef SG_GROUP_3
end:
    return SG_OK;
}
#pragma GCC diagnostic pop
