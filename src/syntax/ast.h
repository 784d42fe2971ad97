// The syntax tree, for running and for quoting alike.
//
// One generic node serves all: a kind, a span, a small payload and children. That keeps quoting,
// interpolation, printing and walking one piece of code each. Trees from a file live in the run's
// arena; a quote that was built by interpolation owns its copy (sg_quote). Nodes never change after
// they were built. A large model is millions of nodes, most of them names: the parser leaves away
// what its kind does not have at the end of a node, but nothing breaks that copies a whole one.
//
// Implements language.md 1.10; the kinds are in syntax/ast_kinds.h.
#pragma once

#include "base/arena.h"
#include "base/diags.h"
#include "base/symbol.h"
#include "vm/value.h"

typedef enum sg_ast_kind {
#define SG_AST_KIND(name, text, children) SG_AST_##name,
#include "syntax/ast_kinds.h"
#undef SG_AST_KIND
    SG_AST_COUNT
} sg_ast_kind;

// flags of sg_ast
enum {
    SG_AST_INFIX = 1,  // a call written with an operator
    SG_AST_JUXT = 2,   // a product written by juxtaposition: 2.0u"m"
    SG_AST_DOTTED = 4, // broadcast: f.(x), a .+ b, x .= y
    SG_AST_PAREN = 8,  // was written in parentheses
    SG_AST_TERNARY = 16,
    SG_AST_MUTABLE = 32,
    SG_AST_FLATTEN = 64, // [x for i in a for j in b]: the generator's expr is a generator too
    SG_AST_INNER = 128   // a name in an equation that belongs to the component it names
};

// No tree is higher than this, so that walking one by recursion is safe.
enum { SG_AST_MAX_HEIGHT = 2000 };

typedef struct sg_text {
    const char *bytes;
    uint32_t len;
} sg_text;

typedef struct sg_ast {
    uint8_t kind; // sg_ast_kind
    uint8_t flags;
    uint16_t height; // 1 for leaves
    uint32_t n;      // children
    sg_span span;
    union {
        sg_sym sym;         // NAME, FIELD, SYMBOL, MACROCALL, KW, OPASSIGN, macro of STRMACRO, ...
        uint32_t dimension; // NCAT
    };
    union { // a leaf may have its text or its value where others have their children
        struct sg_ast **kids; // `n` of them
        int64_t i;            // INT, BOOL, CHAR
        double d;             // FLOAT, FLOAT32
        sg_text text;         // STRING (escapes resolved), STRMACRO (raw)
        sg_value value;       // VALUE: spliced in by interpolation
    };
} sg_ast;

// A quoted expression as a value. `owned` is memory of this object alone, or null when the tree
// belongs to the run. Values spliced into the tree are listed for the collector.
typedef struct sg_quote {
    sg_obj head;
    const sg_ast *root;
    sg_arena *owned;
    sg_value *values;
    uint32_t n_values;
} sg_quote;

const char *sg_ast_kind_name(sg_ast_kind kind);

// The dialect's own spelling: `a + b * c`, `[1 2; 3 4]`, `if c; a else b end`. What printing a
// quote shows. Parses back to the same tree.
void sg_ast_print(const sg_symbols *symbols, const sg_ast *ast, sg_buf *out);
// The same, with a function that prints the values that interpolation spliced in.
typedef void (*sg_value_printer)(void *context, sg_value value, sg_buf *out);
void sg_ast_print_with(const sg_symbols *symbols, const sg_ast *ast, sg_value_printer print_value,
                       void *context, sg_buf *out);
// One node a line with kind, payload and span; for `segue dump ast` and tests.
void sg_ast_dump(const sg_symbols *symbols, const sg_ast *ast, sg_buf *out);
// Structural equality (== of two quotes): without spans, and however it was spelled.
bool sg_ast_equal(const sg_ast *a, const sg_ast *b);
// Checks the shape of the tree (number and kinds of children); for tests and fuzzing.
bool sg_ast_validate(const sg_ast *ast);
// A deep copy into another arena.
sg_ast *sg_ast_copy(sg_arena *arena, const sg_ast *ast);
