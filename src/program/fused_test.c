#include "program/fused.h"

#include "harness/sg_test.h"
#include "program/plain.h"

#include <math.h>
#include <string.h>

enum { N_STEPS = 48, N_NUMBERS = 24, N_PROGRAMS = 400 };

// The same by the textbook: one step after the other.
static void run_single(const sg_linked *code, double *w, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to; pc++) {
        const sg_linked *c = &code[pc];
        switch (c->form) {
        case SG_L_ADD:
            w[c->dst] = w[c->a] + w[c->b];
            break;
        case SG_L_SUB:
            w[c->dst] = w[c->a] - w[c->b];
            break;
        case SG_L_MUL:
            w[c->dst] = w[c->a] * w[c->b];
            break;
        case SG_L_DIV:
            w[c->dst] = w[c->a] / w[c->b];
            break;
        case SG_L_COPY:
            w[c->dst] = w[c->a];
            break;
        case SG_L_NEG:
            w[c->dst] = -w[c->a];
            break;
        case SG_L_SQUARE:
            w[c->dst] = w[c->a] * w[c->a];
            break;
        default:
            pc = c->a - 1; // a jump
        }
    }
}

// Few numbers, so that results are used at once, later, twice and never, and operands overwritten.
static void write_program(sg_rng *rng, sg_linked *code)
{
    static const uint16_t forms[] = {SG_L_ADD, SG_L_SUB, SG_L_MUL, SG_L_DIV, SG_L_MUL, SG_L_SUB};
    for (uint32_t i = 0; i < N_STEPS; i++) {
        uint64_t roll = sg_rng_u64(rng) % 20;
        uint32_t last =
            i && sg_rng_u64(rng) % 2 ? code[i - 1].dst : (uint32_t)(sg_rng_u64(rng) % N_NUMBERS);
        uint32_t other = (uint32_t)(sg_rng_u64(rng) % N_NUMBERS);
        bool left = sg_rng_u64(rng) % 2;
        code[i] = (sg_linked){.form = forms[sg_rng_u64(rng) % 6],
                              .dst = (uint32_t)(sg_rng_u64(rng) % N_NUMBERS),
                              .a = left ? last : other,
                              .b = left ? other : last};
        if (roll == 0)
            code[i].form = SG_L_COPY;
        if (roll == 1)
            code[i] = (sg_linked){.form = SG_L_JUMP,
                                  .a = i + 1 + (uint32_t)(sg_rng_u64(rng) % (N_STEPS - i))};
        code[i].run = code[i].form;
    }
    code[N_STEPS] = (sg_linked){.form = SG_L_END, .run = SG_L_END};
}

SG_TEST(steps_in_groups_do_what_they_do_one_by_one)
{
    sg_rng rng = sg_rng_seeded(1);
    sg_linked code[N_STEPS + 1];
    bool seen[SG_FUSED_END] = {false};
    for (int k = 0; k < N_PROGRAMS; k++) {
        double begin[N_NUMBERS], grouped[N_NUMBERS], single[N_NUMBERS];
        for (int i = 0; i < N_NUMBERS; i++)
            begin[i] = sg_rng_uniform(&rng, -2.0, 2.0);
        write_program(&rng, code);
        sg_fuse(code, N_STEPS);
        sg_exec exec = {.w = grouped, .steps.list = code, .steps.n = N_STEPS};
        for (uint32_t to = N_STEPS + 1; to-- > 0;) // all of it first, then what takes groups apart
            for (uint32_t from = 0; from <= to; from += 1 + from % 5) {
                for (uint32_t i = from; i < to; i++)
                    seen[code[i].run] = true;
                memcpy(grouped, begin, sizeof begin);
                memcpy(single, begin, sizeof begin);
                SG_REQUIRE(sg_run_range(&exec, from, to) == SG_OK);
                run_single(code, single, from, to);
                SG_REQUIRE(memcmp(grouped, single, sizeof single) == 0);
            }
    }
    int missing = 0;
    for (int i = SG_FUSED_2; i < SG_FUSED_END; i++)
        missing += !seen[i];
    SG_CHECK_MSG(missing == 0, "%d groups were never run", missing);
}

// Which sign a NaN has depends on the order of the operands of a sum, which compilers choose.
static bool same_numbers(const double *a, const double *b, uint32_t n)
{
    bool same = true;
    for (uint32_t i = 0; i < n; i++)
        same &= (isnan(a[i]) && isnan(b[i])) || memcmp(&a[i], &b[i], sizeof *a) == 0;
    return same;
}

// States, time and derivatives lie among the numbers that the steps work on.
SG_TEST(plain_dynamics_do_what_their_steps_do)
{
    enum { MOST_STATES = 11, TIME = 0 };
    sg_rng rng = sg_rng_seeded(2);
    sg_linked code[N_STEPS + 1];
    bool seen[SG_FUSED_END] = {false};
    for (int k = 0; k < 20 * N_PROGRAMS; k++) {
        double plain[N_NUMBERS], single[N_NUMBERS], x[MOST_STATES], der[MOST_STATES + 1];
        uint32_t n_x = 1 + (uint32_t)k % MOST_STATES, der_at = 1 + n_x;
        for (int i = 0; i < N_NUMBERS; i++)
            plain[i] = single[i] = sg_rng_uniform(&rng, -2.0, 2.0);
        write_program(&rng, code);
        for (uint32_t i = 0; i < N_STEPS; i++) {
            bool negates = sg_rng_u64(&rng) % 30 == 0, squares = sg_rng_u64(&rng) % 30 == 0;
            if (code[i].form == SG_L_JUMP || negates || squares)
                code[i].form = squares ? SG_L_SQUARE : SG_L_NEG;
            code[i].a %= N_NUMBERS; // jumps lead farther
        }
        sg_fuse(code, N_STEPS);
        for (uint32_t i = 0; i < N_STEPS; i += sg_fused_length(&code[i]))
            seen[code[i].run] = true;
        sg_exec exec = {.w = plain,
                        .steps.list = code,
                        .steps.n = N_STEPS,
                        .steps.dynamics_end = N_STEPS,
                        .at.time = TIME,
                        .at.x = 1,
                        .at.n_x = n_x,
                        .at.der = der_at};
        sg_arena_init(&exec.arena, sg_allocator_default());
        SG_REQUIRE(sg_plain_link(&exec) && exec.steps.plain);
        for (uint32_t i = 0; i < n_x; i++)
            single[1 + i] = x[i] = sg_rng_uniform(&rng, -2.0, 2.0);
        single[TIME] = 0.25;
        der[n_x] = 7.0;
        SG_REQUIRE(sg_exec_plain(&exec, 0.25, x, der) == SG_OK);
        run_single(code, single, 0, N_STEPS);
        SG_REQUIRE(same_numbers(plain, single, N_NUMBERS));
        SG_REQUIRE(same_numbers(der, single + der_at, n_x) && der[n_x] == 7.0);
        code[k % N_STEPS].form = SG_L_SIN; // which calls something
        sg_fuse(code, N_STEPS);
        SG_REQUIRE(sg_plain_link(&exec) && !exec.steps.plain);
        sg_arena_destroy(&exec.arena);
    }
    int missing = 0;
    for (int i = SG_FUSED_2; i < SG_FUSED_END; i++)
        missing += !seen[i];
    SG_CHECK_MSG(missing == 0, "%d groups were never run", missing);
}
