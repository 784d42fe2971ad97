// Several linked steps run as one: less of the time goes into finding the next one.
//
// Most steps of a right-hand side are sums and products of two numbers, and most of them use the
// result of the step in front. So groups of two or three such steps have code of their own, in
// which that result stays in a register. All results are stored all the same, since whoever looks
// for the cause of a failure, or for the terms of a residual, reads them.
//
// A group is told by the entry it begins with (sg_linked.run); the entries behind it keep their
// own, so that a jump may lead into the middle of a group, and a range may begin there. One that
// ends in a group takes the group apart (sg_fuse_part). Operations, their order and their bits are
// those of the single steps.
#pragma once

#include "program/linked.h"

// How a step uses the result of the one in front of it in its group.
typedef enum sg_fused_use {
    SG_FUSED_NOT,
    SG_FUSED_LEFT,
    SG_FUSED_RIGHT,
    SG_FUSED_USES
} sg_fused_use;

// Operations of groups; a group of three does not divide, since dividing takes long in any case.
enum { SG_FUSED_OPS2 = 4, SG_FUSED_OPS3 = 3 };

// Numbers of sg_linked.run behind those of sg_form: groups of two, then those of three.
enum {
    SG_FUSED_2 = SG_L_LEVEL + 1,
    SG_FUSED_3 = SG_FUSED_2 + SG_FUSED_OPS2 * SG_FUSED_OPS2 * SG_FUSED_USES,
    SG_FUSED_END =
        SG_FUSED_3 + SG_FUSED_OPS3 * SG_FUSED_OPS3 * SG_FUSED_USES * SG_FUSED_OPS3 * SG_FUSED_USES,
    SG_NATIVE_RUN = SG_FUSED_END // a row that was compiled begins here (native.h)
};

// Finds the groups of a whole program whose single steps are linked.
void sg_fuse(sg_linked *code, uint32_t n);

static inline uint32_t sg_fused_length(const sg_linked *entry)
{
    return entry->run < SG_FUSED_2 || entry->run == SG_NATIVE_RUN ? 1
           : entry->run < SG_FUSED_3                              ? 2
                                                                  : 3;
}

// Whoever runs up to `to` must not run beyond.
static inline void sg_fuse_part(sg_linked *code, uint32_t to)
{
    for (uint32_t back = 1; back < 3 && back <= to; back++)
        if (sg_fused_length(&code[to - back]) > back)
            code[to - back].run = code[to - back].form;
}
