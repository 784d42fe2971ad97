#include "program/fused.h"

// The place of an operation in the numbers of groups, -1 if it is not in any.
static int place_of(uint16_t form)
{
    switch (form) {
    case SG_L_ADD:
        return 0;
    case SG_L_SUB:
        return 1;
    case SG_L_MUL:
        return 2;
    case SG_L_DIV:
        return 3;
    default:
        return -1;
    }
}

// x - x of the result in front is left to single steps.
static int use_of(const sg_linked *step, const sg_linked *before)
{
    bool left = step->a == before->dst, right = step->b == before->dst;
    return left && right ? -1 : left ? SG_FUSED_LEFT : right ? SG_FUSED_RIGHT : SG_FUSED_NOT;
}

static uint16_t group_at(const sg_linked *code, uint32_t left)
{
    int x = place_of(code[0].form);
    int y = x >= 0 && left >= 2 ? place_of(code[1].form) : -1;
    int use_y = y >= 0 ? use_of(&code[1], &code[0]) : -1;
    if (use_y < 0)
        return code[0].form;
    int z = left >= 3 ? place_of(code[2].form) : -1;
    int use_z = z >= 0 ? use_of(&code[2], &code[1]) : -1;
    if (use_z >= 0 && x < SG_FUSED_OPS3 && y < SG_FUSED_OPS3 && z < SG_FUSED_OPS3)
        return (uint16_t)(SG_FUSED_3 +
                          (((x * SG_FUSED_OPS3 + y) * SG_FUSED_USES + use_y) * SG_FUSED_OPS3 + z) *
                              SG_FUSED_USES +
                          use_z);
    return (uint16_t)(SG_FUSED_2 + (x * SG_FUSED_OPS2 + y) * SG_FUSED_USES + use_y);
}

void sg_fuse(sg_linked *code, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        code[i].run = group_at(code + i, n - i);
}
