#include "program/fused.h"

#include "harness/sg_test.h"

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
        sg_exec exec = {.w = grouped, .code = code, .n_code = N_STEPS};
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
