// What the operations of the language share while a script runs: the table of units, the syntax
// trees, the counters of tests, the files that are open, and the host's answers.
//
// The executor (vm/script_exec.c) knows numbers and calls; everything else an operator does is in
// this folder and reached through sg_vm_hooks. Built-in functions are one room further.
#pragma once

#include "base/assert.h"
#include "lang/compile.h"
#include "lang/print.h"
#include "lang/quantity.h"
#include "lang/script.h"
#include "lang/unit.h"
#include "syntax/ast.h"
#include "vm/vm.h"

typedef struct sg_test_set {
    sg_value name; // a string or nothing
    size_t passed, failed, broken, errors;
} sg_test_set;

typedef struct sg_runtime {
    sg_vm *vm;
    sg_units *units;
    sg_compiler *compiler;
    sg_arena trees; // syntax trees of everything that was read
    sg_script_host host;
    sg_test_counts tests;
    SG_VEC(sg_test_set) sets; // open ones, outermost first
    SG_VEC(uint32_t) files;   // numbers of the files being run, for cyclic includes
    bool log_merge;
    struct {
        sg_sym class_, value, equations, initialEquations, connect, connections, redeclare, Model,
            Map, Var, Par, path, underscore_outer;
    } names;
} sg_runtime;

// What stands behind a stream of a script. Standard output has none.
typedef struct sg_io {
    void (*write)(struct sg_io *io, sg_vm *vm, const char *text, size_t length);
} sg_io;
extern const sg_native_class sg_io_class;

static inline sg_runtime *sg_runtime_of(const sg_vm *vm) { return vm->runtime; }

// ---- operators (arith.c, elementwise.c, matrix.c) -----------------------------------------------

// Any operator on any two values; what the executor falls back to.
sg_status sg_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out);
sg_status sg_unary(sg_vm *vm, sg_operator op, sg_value a, sg_value *out);
sg_status sg_raise_operands(sg_vm *vm, sg_operator op, sg_value a, sg_value b);
bool sg_less(sg_vm *vm, sg_value a, sg_value b, sg_status *status); // isless: total order

// op(_, with): a function of one argument.
sg_status sg_comparing_make(sg_vm *vm, sg_operator op, sg_value with, sg_value *out);

// Operators on arrays and ranges. `dotted`: shapes are extended, else they must agree.
sg_status sg_array_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, bool dotted,
                          sg_value *out);
sg_status sg_array_negate(sg_vm *vm, const sg_array *array, sg_value *out);
sg_status sg_broadcast(sg_vm *vm, sg_value function, const sg_args *args, sg_value *out);

sg_status sg_matrix_multiply(sg_vm *vm, const sg_array *a, const sg_array *b, sg_value *out);
sg_status sg_matrix_divide(sg_vm *vm, const sg_array *a, const sg_array *b, sg_value *out); // a\b
sg_status sg_matrix_power(sg_vm *vm, const sg_array *a, int64_t n, sg_value *out);
sg_status sg_matrix_adjoint(sg_vm *vm, sg_value a, sg_value *out);

// ---- arrays -------------------------------------------------------------------------------------

// An array of the values of any sequence (array itself, range, tuple); null after raising.
sg_array *sg_as_array(sg_vm *vm, sg_value value);
// Float elements in a new array of the same shape (arrays of numbers only); null after raising.
sg_array *sg_float_copy(sg_vm *vm, const sg_array *array);
sg_array *sg_array_clone(sg_vm *vm, const sg_array *array);
// An ANY array becomes as narrow as its elements allow. Null after raising.
sg_array *sg_array_narrow(sg_vm *vm, sg_array *array);
bool sg_is_sequence(sg_value value); // array or range
sg_status sg_index(sg_vm *vm, sg_value base, const sg_value *at, uint32_t n, sg_value *out);
sg_status sg_index_set(sg_vm *vm, sg_value base, const sg_value *at, uint32_t n, sg_value value);
sg_status sg_range_build(sg_vm *vm, sg_value start, sg_value step, sg_value stop, sg_value *out);
// start, start + step, ... with `n` elements up to `stop`, rounded as the reference does.
sg_value sg_range_by_length(sg_vm *vm, double start, double stop, int64_t n, uint32_t unit);
sg_status sg_vcat(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out);
sg_status sg_hcat(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out);
sg_status sg_build_hook(sg_vm *vm, uint32_t what, uint32_t extra, const sg_value *items, uint32_t n,
                        sg_value *out);

// ---- iteration, fields, conversion, calls -------------------------------------------------------

sg_status sg_iterate(sg_vm *vm, sg_value collection, int64_t *at, sg_value *item, bool *done);
// The number of items, or -1 if only iterating tells.
int64_t sg_length(sg_vm *vm, sg_value collection);
sg_value sg_zip_make(sg_vm *vm, const sg_value *items, uint32_t n, bool counted);
sg_value sg_generator_make(sg_vm *vm, sg_value function, sg_value items, sg_value filter);
// All items of anything that can be iterated, as a vector of any elements (rooted by the caller).
sg_array *sg_collect(sg_vm *vm, sg_value collection);

sg_status sg_field(sg_vm *vm, sg_value base, sg_sym name, sg_value *out);
sg_status sg_field_set(sg_vm *vm, sg_value base, sg_sym name, sg_value value);
sg_status sg_convert(sg_vm *vm, const sg_type *type, sg_value value, sg_value *out);
sg_status sg_call_value(sg_vm *vm, sg_value callee, const sg_args *args, sg_value *out);

// ---- quotes (quote.c) ---------------------------------------------------------------------------

sg_value sg_quote_make(sg_vm *vm, const sg_ast *root); // a tree of the run
// An empty list with an arena of its own for the tree that it is to get; null: no memory.
sg_quote *sg_quote_make_owner(sg_vm *vm);
// What a script sees of a tree: ex.head and ex.args. Null without memory.
const char *sg_quote_head(const sg_ast *ast);
sg_array *sg_quote_args(sg_vm *vm, const sg_ast *ast);
sg_status sg_quote_fill(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out);
// A vector of equations or connections, [:(a.p, b.n), (:c, :d), :(x = y)], as the quote :[...] that
// it stands for. An empty vector is such a list, too.
bool sg_is_list_of_lines(sg_value value);
sg_value sg_quote_of_lines(sg_vm *vm, sg_value list, sg_span span);
void sg_quote_mark(sg_vm *vm, sg_obj *quote);
void sg_quote_free(sg_vm *vm, sg_obj *quote);
// The value as a quoted expression would hold it: a symbol for a NAME, a number for a literal.
sg_value sg_quote_value(sg_vm *vm, const sg_ast *ast);

// ---- names that are not defined (undefined.c) ---------------------------------------------------

// Replaces the message of a pending UndefVarError by one that says what to write, where the
// statement shows what was meant.
void sg_explain_undefined(sg_runtime *runtime, const sg_ast *statement);

// ---- models (models.c, merge.c) -----------------------------------------------------------------

sg_status sg_merge(sg_vm *vm, sg_value a, sg_value b, sg_value *out); // a | b
// equations, initialEquations, connect, connections: keys whose values are lists of lines.
bool sg_is_list_key(const sg_runtime *runtime, sg_sym key);

// ---- registration of the built-in functions -----------------------------------------------------

typedef struct sg_builtin {
    const char *name;
    sg_native_fn native;
    const char *signature;
} sg_builtin;

// One of several functions that one native computes; `context` says which.
typedef struct sg_builtin_form {
    const char *name;
    sg_native_fn native;
    uintptr_t context;
} sg_builtin_form;

// Both as functions of Base. False when memory ran out.
bool sg_register_all(sg_vm *vm, const sg_builtin *list, size_t n);
bool sg_register_forms(sg_vm *vm, const sg_builtin_form *list, size_t n);
bool sg_register_linear(sg_vm *vm); // matrix.c
bool sg_register_expr(sg_vm *vm);
bool sg_register_models(sg_vm *vm);

// ---- small helpers of natives -------------------------------------------------------------------

#define SG_RAISE_ARGUMENT(vm, args, ...)                                                           \
    sg_raise((vm), "ArgumentError", SG_E_ARGUMENT, (args)->span, __VA_ARGS__)

// An integer argument; raises unless it is one (or a float without fraction).
sg_status sg_arg_int(sg_vm *vm, const sg_args *args, uint32_t i, int64_t *out);
sg_status sg_arg_float(sg_vm *vm, const sg_args *args, uint32_t i, double *out);
sg_status sg_arg_string(sg_vm *vm, const sg_args *args, uint32_t i, const sg_string **out);
sg_status sg_arg_array(sg_vm *vm, const sg_args *args, uint32_t i, sg_array **out);
bool sg_to_float(sg_value value, double *out); // plain numbers
// That the function `name` is one of numbers, and what to write for arrays.
sg_status sg_raise_no_number(sg_vm *vm, const sg_args *args, const char *name, sg_value v);
// The name of the type of a value, for messages; valid until the buffer is freed.
const char *sg_type_text(sg_vm *vm, sg_value value, sg_buf *buf);
