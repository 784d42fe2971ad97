// What the files of the compiler share; see lang/compile.h.
#pragma once

#include "base/assert.h"
#include "lang/compile.h"

typedef struct sg_local {
    sg_sym name;
    uint16_t reg;
    bool boxed;       // the register holds a cell
    bool sure;        // surely assigned at this point of the code
    bool is_global;   // declared by `global`
    bool is_function; // holds a function that further definitions extend
    bool assigned;    // some code was made that assigns it
    uint32_t level;   // of conditional nesting where it was declared
} sg_local;

typedef struct sg_up {
    sg_sym name;
    bool from_local; // captured from a register of the enclosing function, else from its captures
    uint16_t index;
} sg_up;

typedef struct sg_loop {
    struct sg_loop *up;
    SG_VEC(uint32_t) breaks;    // jumps to patch
    SG_VEC(uint32_t) continues; //
    struct sg_try *tries;       // what was open when the loop began
} sg_loop;

typedef struct sg_try { // a block whose `finally` must run on every way out
    struct sg_try *up;
    const sg_ast *finally_block;
    uint32_t from; // start of the range that the handler covers
    SG_VEC(sg_handler) ranges;
} sg_try;

typedef enum sg_scope_kind { SG_SCOPE_SOFT, SG_SCOPE_HARD } sg_scope_kind;

typedef struct sg_fn {
    struct sg_fn *up;
    sg_vm *vm;
    sg_module *module;
    sg_sym name;
    SG_VEC(sg_instr) code;
    SG_VEC(sg_span) spans;
    SG_VEC(sg_value) constants;
    sg_map constant_index;
    SG_VEC(sg_handler) handlers;
    SG_VEC(sg_local) locals;
    SG_VEC(sg_up) ups;
    sg_map captured; // names that nested functions mention
    uint32_t next_reg, max_reg;
    uint32_t level;    // of conditional nesting
    uint32_t n_scopes; // open local scopes
    uint32_t n_hard;   // hard ones among them; in a function there is always one
    bool top;          // a statement at top level: names outside of scopes are globals
    sg_loop *loops;
    sg_try *tries;
    const sg_ast *return_type;
    sg_cell *struct_cell; // inside an inner constructor: the type `new` makes
    uint16_t index_base;  // register of the array around `end`, and which index of how many
    uint32_t index_dim, index_count;
    uint16_t caught;       // register of the exception inside a catch block, or 0xFFFF
    sg_name_lookup lookup; // of the outermost function
    void *lookup_context;
    bool failed;
    sg_local spare; // stands in when the list of locals cannot grow
    sg_span span;   // of the node that code is made for
} sg_fn;

// ---- core (compile.c) ---------------------------------------------------------------------------

void sg_fn_open(sg_fn *fn, sg_fn *up, sg_vm *vm, sg_module *module, sg_sym name);
sg_proto *sg_fn_close(sg_fn *fn); // null when it failed
void sg_fn_error(sg_fn *fn, sg_code code, sg_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

uint32_t sg_emit(sg_fn *fn, sg_bc op, uint32_t a, uint32_t b, uint32_t c);
uint32_t sg_emit_x(sg_fn *fn, sg_bc op, uint32_t a, int32_t x);
uint32_t sg_here(const sg_fn *fn);
uint32_t sg_emit_jump(sg_fn *fn, sg_bc op, uint32_t a); // to be patched
void sg_patch(sg_fn *fn, uint32_t jump);                // to here
void sg_patch_to(sg_fn *fn, uint32_t jump, uint32_t target);
uint32_t sg_constant(sg_fn *fn, sg_value value);
uint16_t sg_new_reg(sg_fn *fn);             // a new temporary
uint16_t sg_regs(sg_fn *fn, uint32_t n);    // n consecutive ones
void sg_reg_drop(sg_fn *fn, uint32_t next); // back to next_reg == next
sg_sym sg_fn_sym(sg_fn *fn, const char *text);

// ---- names (compile_names.c) --------------------------------------------------------------------

typedef enum sg_place_kind { SG_PLACE_LOCAL, SG_PLACE_UP, SG_PLACE_GLOBAL } sg_place_kind;

typedef struct sg_place {
    sg_place_kind kind;
    uint32_t local; // index into locals
    uint16_t up;
} sg_place;

sg_place sg_find_name(sg_fn *fn, sg_sym name);
bool sg_is_local_name(sg_fn *fn, sg_sym name); // not a global
sg_local *sg_declare(sg_fn *fn, sg_sym name);  // a register of its own; a cell is made if boxed
sg_local *sg_declare_at(sg_fn *fn, sg_sym name, uint16_t reg); // in this register
void sg_load_name(sg_fn *fn, sg_sym name, uint16_t dst);
void sg_store_name(sg_fn *fn, sg_sym name, uint16_t src);
uint32_t sg_global_constant(sg_fn *fn, sg_sym name); // the cell, as a constant

// A scope around `body` (several nodes may be given by calling sg_scope_names).
typedef struct sg_scope_mark {
    size_t n_locals;
    uint32_t next_reg;
    sg_scope_kind kind;
} sg_scope_mark;

sg_scope_mark sg_scope_open(sg_fn *fn, sg_scope_kind kind);
void sg_scope_names(sg_fn *fn, const sg_ast *body); // declares what the body assigns
void sg_scope_close(sg_fn *fn, sg_scope_mark mark);
void sg_note_captures(sg_fn *fn, const sg_ast *body); // names that functions inside mention
bool sg_mentions(const sg_ast *ast, sg_sym name);

// ---- expressions --------------------------------------------------------------------------------

void sg_compile_to(sg_fn *fn, const sg_ast *ast, uint16_t dst);
uint16_t sg_compile_any(sg_fn *fn, const sg_ast *ast);     // a local's own register, or a temporary
void sg_compile_effect(sg_fn *fn, const sg_ast *ast);      // the value is not needed
uint16_t sg_compile_operand(sg_fn *fn, const sg_ast *ast); // register, or constant with SG_RK
// Jumps when the truth of `ast` is `when`; the jumps are appended to the list.
typedef SG_VEC(uint32_t) sg_jumps;
void sg_compile_branch(sg_fn *fn, const sg_ast *ast, bool when, sg_jumps *jumps);
void sg_compile_if(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted);
void sg_patch_all(sg_fn *fn, sg_jumps *jumps); // to here, and frees the list

// R[base] = the Base function `name`, to be called with arguments behind it.
void sg_load_base(sg_fn *fn, const char *name, uint16_t dst);
// Calls the function in `base` with n arguments behind it; the result is in `base`.
void sg_emit_call(sg_fn *fn, uint16_t base, uint32_t n);
void sg_emit_build(sg_fn *fn, uint16_t base, uint32_t n, sg_build what, uint32_t extra);
void sg_compile_quote(sg_fn *fn, const sg_ast *tree, uint16_t dst);
sg_value sg_literal_string(sg_fn *fn, const char *text, size_t length);
bool sg_operator_of(sg_fn *fn, const sg_ast *callee, uint32_t n_args, sg_operator *op);

// ---- calls (compile_call.c) ---------------------------------------------------------------------

void sg_compile_call(sg_fn *fn, const sg_ast *call, const sg_ast *first, uint16_t dst);
// Arguments from `first` on into the list in R[base + 1] and, by name, the dictionary behind it.
void sg_compile_splat_lists(sg_fn *fn, const sg_ast *list, uint32_t first, bool keywords,
                            uint16_t base);

// ---- arrays (compile_array.c) -------------------------------------------------------------------

void sg_compile_array(sg_fn *fn, const sg_ast *ast, uint16_t dst);
void sg_compile_index(sg_fn *fn, const sg_ast *ast, uint16_t dst);
void sg_compile_generator(sg_fn *fn, const sg_ast *ast, uint16_t dst);
// Index expressions of base register `base` into consecutive registers.
void sg_compile_indices(sg_fn *fn, const sg_ast *ast, uint16_t base);

// ---- statements (compile_stmt.c, compile_assign.c) ----------------------------------------------

bool sg_compile_statement_kind(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted);
void sg_compile_block(sg_fn *fn, const sg_ast *ast, uint16_t dst);
// target = value in `src`
void sg_compile_store(sg_fn *fn, const sg_ast *target, uint16_t src, bool is_const);
void sg_compile_assign(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted, bool is_const);
void sg_compile_op_assign(sg_fn *fn, const sg_ast *ast, uint16_t dst);
// Opens a loop over the iterables; `body` is called inside.
typedef void (*sg_body_fn)(sg_fn *fn, void *context);
void sg_compile_loops(sg_fn *fn, const sg_ast *const *iters, uint32_t n, sg_body_fn body,
                      void *context);

// ---- functions (compile_function.c) -------------------------------------------------------------

void sg_compile_function(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted);
void sg_compile_lambda(sg_fn *fn, const sg_ast *ast, uint16_t dst);
void sg_compile_struct(sg_fn *fn, const sg_ast *ast);
void sg_compile_abstract(sg_fn *fn, const sg_ast *ast);
// A closure of one parameter (or a tuple of them) and an expression.
// The same call with its keywords in pieces, null if they are not too many (or memory ran out, and
// the statement is too large).
const sg_ast *sg_keywords_in_pieces(sg_fn *fn, const sg_ast *call);
// Complains about a keyword that a call has twice.
void sg_check_keywords(sg_fn *fn, const sg_ast *call);
void sg_compile_small_lambda(sg_fn *fn, const sg_ast *target, const sg_ast *body, uint16_t dst);

// ---- macros (compile_macro.c) -------------------------------------------------------------------

void sg_compile_macro(sg_fn *fn, const sg_ast *ast, uint16_t dst);
// Names that a macro call assigns in the scope around it.
bool sg_macro_is_transparent(const sg_vm *vm, const sg_ast *ast);
