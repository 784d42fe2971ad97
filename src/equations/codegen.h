// From sorted blocks to a numeric program (program/program.h).
//
// Each distinct node of the expression graph becomes one step, so common subexpressions are
// computed once; what depends on parameters only is left to the linker. Systems get exact tangent
// code from symbolic derivatives; what in a system does not depend on its unknowns is moved in
// front of it. Blocks that neither derivatives nor events need come last and run only when results
// are stored.
//
// Comparisons of quantities that change continuously become events (language 3.7): time events
// where `time` stands against something that changes at events only, else crossing functions. In
// compatibility mode they just compare.
#pragma once

#include "base/diags.h"
#include "equations/blocks.h"
#include "program/program.h"
#include "segue/status.h"

typedef struct sg_codegen_options {
    bool comparisons_are_events; // false: compatibility mode
    // Another program of the same graph, may be null: event operators get the slots they have
    // there, so that a run can go on with this program and keep its memories.
    const sg_program *like;
    const sg_expr_id *extras; // computed with the results, see sg_program.extra_regs
    uint32_t n_extras;
} sg_codegen_options;

sg_codegen_options sg_codegen_options_default(void);

// The program copies names, texts and spans; it does not refer to `exprs` or `blocks` later. The
// graph grows by derivatives. SG_ERR_MODEL with diagnostics for operators used wrongly (pre of
// something that is not a variable, reinit of something that is not a state).
sg_status sg_codegen(sg_exprs *exprs, const sg_blocks *blocks, const sg_codegen_options *options,
                     const sg_allocator *allocator, sg_diags *diags, sg_program **out);
