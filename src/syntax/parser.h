// Text to syntax tree: a hand-written recursive descent with operator precedence.
//
// Whole-file parsing recovers at statement boundaries, so several independent mistakes are all
// reported, each once. Nesting is bounded (E0202), so no input overflows the stack.
// Implements language.md 1.1 to 1.10, and beyond it what a user of Julia would try next.
#pragma once

#include "segue/status.h"
#include "syntax/ast.h"

typedef struct sg_parser_options {
    uint32_t max_depth; // of nesting; 0 takes the default
} sg_parser_options;

// A BLOCK with one child a top-level statement. SG_ERR_MODEL when errors were reported; the tree
// then holds ERROR nodes in their place and is still well formed.
sg_status sg_parse(const sg_sources *sources, uint32_t file, sg_symbols *symbols, sg_arena *arena,
                   sg_diags *diags, sg_parser_options options, sg_ast **out);
