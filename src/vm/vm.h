// The machine that runs scripts: heap, stack, modules, types, and the seams to the host.
//
// One struct owns everything a run of scripts needs; there are no globals. What the operators do
// beyond plain numbers (arrays, quantities, dictionaries) is not known here: lang/ hands down a
// table of hooks, and the host registers its functions by name.
#pragma once

#include "base/pool.h"
#include "base/vec.h"
#include "vm/function.h"
#include "vm/type.h"
#include "vm/value.h"

// SG_OPERATOR(enumerator, spelling). The first five have fast paths in the executor.
#define SG_OPERATORS(X)                                                                            \
    X(ADD, "+")                                                                                    \
    X(SUB, "-")                                                                                    \
    X(MUL, "*")                                                                                    \
    X(DIV, "/")                                                                                    \
    X(POW, "^")                                                                                    \
    X(EQ, "==")                                                                                    \
    X(NE, "!=")                                                                                    \
    X(LT, "<")                                                                                     \
    X(LE, "<=")                                                                                    \
    X(GT, ">")                                                                                     \
    X(GE, ">=")                                                                                    \
    X(REM, "%")                                                                                    \
    X(LDIV, "\\")                                                                                  \
    X(OR, "|")                                                                                     \
    X(AND, "&")                                                                                    \
    X(IDIV, "÷")                                                                                   \
    X(PM, "±")                                                                                     \
    X(MP, "∓")                                                                                     \
    X(IDENTICAL, "===")                                                                            \
    X(NOT_IDENTICAL, "!==")                                                                        \
    X(SUBTYPE, "<:")                                                                               \
    X(IN, "in")                                                                                    \
    X(APPROX, "≈")                                                                                 \
    X(RATIONAL, "//")                                                                              \
    X(SHL, "<<")                                                                                   \
    X(SHR, ">>")                                                                                   \
    X(PAIR, "=>")                                                                                  \
    X(NEG, "-")                                                                                    \
    X(POS, "+")                                                                                    \
    X(NOT, "!")

typedef enum sg_operator {
#define SG_OPERATOR_NAME(name, text) SG_OPER_##name,
    SG_OPERATORS(SG_OPERATOR_NAME)
#undef SG_OPERATOR_NAME
        SG_OPER_COUNT
} sg_operator;

const char *sg_operator_text(sg_operator op);

// The state of an iteration: `at` starts at 0; what it counts is the collection's affair.
typedef struct sg_vm_hooks {
    sg_status (*binary)(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out);
    sg_status (*unary)(sg_vm *vm, sg_operator op, sg_value a, sg_value *out);
    sg_status (*index)(sg_vm *vm, sg_value base, const sg_value *at, uint32_t n, sg_value *out);
    sg_status (*index_set)(sg_vm *vm, sg_value base, const sg_value *at, uint32_t n,
                           sg_value value);
    sg_status (*field)(sg_vm *vm, sg_value base, sg_sym name, sg_value *out);
    sg_status (*field_set)(sg_vm *vm, sg_value base, sg_sym name, sg_value value);
    sg_status (*iterate)(sg_vm *vm, sg_value collection, int64_t *at, sg_value *item, bool *done);
    sg_status (*convert)(sg_vm *vm, const sg_type *type, sg_value value, sg_value *out);
    // A call of something that is neither function, closure nor native object.
    sg_status (*call)(sg_vm *vm, sg_value callee, const sg_args *args, sg_value *out);
    // ranges a:b and a:s:b; concatenations and literals of arrays; interpolation; quotes
    sg_status (*range)(sg_vm *vm, sg_value start, sg_value step, sg_value stop, sg_value *out);
    sg_status (*build)(sg_vm *vm, uint32_t what, uint32_t extra, const sg_value *items, uint32_t n,
                       sg_value *out);
    sg_status (*broadcast)(sg_vm *vm, sg_value function, const sg_args *args, sg_value *out);
    void (*mark_quote)(sg_vm *vm, sg_obj *quote);
    void (*free_quote)(sg_vm *vm, sg_obj *quote);
    void (*mark_roots)(sg_vm *vm);                            // of the runtime in lang/
    void (*describe)(sg_vm *vm, sg_value value, sg_buf *out); // short text for messages
} sg_vm_hooks;

typedef struct sg_frame {
    struct sg_proto *proto;
    sg_closure *closure;
    const struct sg_instr *ip;
    sg_value *base;
    sg_value *result; // where the caller wants the value
    sg_value callee;  // the function or type as called
    uint32_t entry;   // non-zero: return to C
} sg_frame;

typedef struct sg_root_mark {
    size_t depth;
} sg_root_mark;

struct sg_vm {
    const sg_allocator *allocator;
    sg_pool pool; // objects and what belongs to them
    sg_symbols *symbols;
    sg_sources *sources;
    sg_diags *diags;
    sg_limits limits;
    sg_span place; // in a file of the user: of the last call of a function in C, or statement
    _Atomic uint64_t place_outside; // its file and first byte, in one, for other threads

    // the heap
    sg_obj *objects;
    size_t bytes;     // alive or not yet swept
    size_t threshold; // collect when `bytes` passes it
    // Small objects may hold much that is not on the heap of the script: a model, a result.
    uint64_t threshold_in_all; // or all memory of the session passes this one
    uint64_t left_in_all;      // of these behind the last collection
    uint64_t n_allocations, n_collections;
    SG_VEC(sg_obj *) gray;
    bool gray_overflow;
    uint32_t epoch; // of marking; for shared stores of dictionaries
    SG_VEC(sg_value) roots;

    // the executor
    sg_value *stack, *stack_end;
    sg_value *top; // first free slot; everything below is marked
    sg_frame *frames;
    uint32_t n_frames, max_frames;
    uint32_t native_depth;    // executors nested by natives that call back
    const sg_value *kw_spans; // places of the keyword arguments of the call that begins, or null
    int64_t budget;           // back-edges and calls until limits and heap are looked at
    size_t worked;            // since sg_vm_poll; see sg_vm_worked

    sg_value exception;  // pending; SG_UNDEF if none
    bool named_stand_in; // a text since the last exception names such a type
    sg_module *base, *main;
    SG_VEC(sg_module *) modules; // all, so that a package name is found again
    sg_types types;
    uint32_t type_depth;   // of collections whose type is being found
    uint32_t nesting;      // levels of values that C functions are inside of
    sg_map interned_types; // hash to index + 1 of the first of a chain
    SG_VEC(sg_type *) all_types;
    SG_VEC(uint64_t) type_hashes;
    SG_VEC(sg_type *) enums;
    sg_function *operators[SG_OPER_COUNT]; // the functions behind the operators

    const sg_vm_hooks *hooks;
    void *runtime; // of lang/
    void (*write_out)(void *context, const char *text, size_t length);
    void *out_context;
    void (*write_err)(void *context, const char *text, size_t length); // null: as write_out
    void *err_context;
    uint64_t random_state;
};

// `symbols`, `sources` and `diags` must outlive the machine. Null when memory ran out.
sg_vm *sg_vm_create(const sg_allocator *allocator, sg_symbols *symbols, sg_sources *sources,
                    sg_diags *diags, sg_limits limits, const sg_vm_hooks *hooks);
void sg_vm_destroy(sg_vm *vm);

// Loops of functions in C ask here now and then whether to go on; what ends them is raised. Memory
// is not collected, since they may hold values that nobody else knows.
sg_status sg_vm_poll(sg_vm *vm);
// The same for loops over elements, which tell how many they went through since they asked last:
// the limits are looked at when enough came together, some milliseconds of it.
static inline sg_status sg_vm_worked(sg_vm *vm, size_t elements)
{
    enum { ENOUGH = 1 << 18 };
    vm->worked += elements;
    return vm->worked < ENOUGH ? SG_OK : sg_vm_poll(vm);
}
// Keeps where the script is, for messages that nobody else has a place for.
static inline void sg_vm_at(sg_vm *vm, sg_span span)
{
    if (span.file && !sg_source_is_library(vm->sources, span.file)) {
        vm->place = span;
        atomic_store_explicit(&vm->place_outside, (uint64_t)span.file << 32 | span.first,
                              memory_order_release);
    }
}

static inline sg_sym sg_vm_sym(sg_vm *vm, const char *text)
{
    return sg_sym_intern_text(vm->symbols, text);
}
static inline const char *sg_vm_text(const sg_vm *vm, sg_sym sym)
{
    return sg_sym_text(vm->symbols, sym);
}

// Makes `name` a native function of the module (null: of Base). A function that exists already
// gets this native in the place of its old one. `signature` is shown when a call does not fit; it
// may be null. Null when memory ran out.
sg_function *sg_vm_register(sg_vm *vm, sg_module *module, const char *name, sg_native_fn native,
                            void *context, const char *signature);
// The same for one that may wait until a script asks for its name, which must be a literal.
bool sg_vm_offer(sg_vm *vm, sg_module *module, const char *name, sg_native_fn native, void *context,
                 const char *signature);
// A module under Base (Modia, Test, ...), made if absent.
sg_module *sg_vm_module(sg_vm *vm, const char *name);
// The module of the running code (Main when none runs).
sg_module *sg_vm_current_module(const sg_vm *vm);
// Where the running code is; file 0 when none runs.
sg_span sg_vm_where(const sg_vm *vm);

// Calls any callable value. Roots its arguments itself; *out is not rooted.
sg_status sg_call(sg_vm *vm, sg_value callee, const sg_args *args, sg_value *out);
sg_status sg_call_values(sg_vm *vm, sg_value callee, const sg_value *args, uint32_t n,
                         sg_value *out);
// Runs code without parameters (a top-level statement).
sg_status sg_run_proto(sg_vm *vm, struct sg_proto *proto, sg_value *out);

// A value may be deeper than the stack of C, or contain itself. Every function that calls itself
// for the parts of a value (arrays in arrays, tuples in tuples) begins a level here and ends it;
// false after raising a StackOverflowError.
bool sg_nest_begin(sg_vm *vm);
static inline void sg_nest_end(sg_vm *vm) { vm->nesting--; }

void sg_vm_write(sg_vm *vm, const char *text, size_t length);
// The same for what a script prints to stderr.
void sg_vm_write_error(sg_vm *vm, const char *text, size_t length);

// ---- the heap -----------------------------------------------------------------------------------

// A new object of `size` bytes, zeroed behind the header; null after raising.
void *sg_heap_new(sg_vm *vm, sg_obj_kind kind, size_t size);
// Memory that belongs to an object (array data); counted. Null after raising; new_size 0 frees.
void *sg_heap_resize(sg_vm *vm, void *block, size_t old_size, size_t new_size);
void sg_heap_collect(sg_vm *vm);
void sg_heap_destroy(sg_vm *vm); // frees every object
// Before functions of the script are called where nothing is to be allocated, and again at events:
// room for what they make until it is collected. Afterwards `settle`.
void sg_heap_reserve(sg_vm *vm);
void sg_heap_settle(sg_vm *vm);
// From here on what grows is counted: what is there now belongs to the session itself.
void sg_heap_begin(sg_vm *vm);
// A collection if one is due. Only where every live object is reachable.
void sg_heap_safe_point(sg_vm *vm);
// The same between two statements of a file.
void sg_heap_end_statement(sg_vm *vm);
void sg_mark_value(sg_vm *vm, sg_value value);
void sg_mark_object(sg_vm *vm, void *object); // null is fine

// Temporaries of natives that call back: take a mark, push, pop to the mark.
sg_root_mark sg_root_mark_get(const sg_vm *vm);
bool sg_root_push(sg_vm *vm, sg_value value);
void sg_root_pop(sg_vm *vm, sg_root_mark mark);

// ---- dictionaries (vm/dict.c) and arrays (vm/array.c), for their users inside src ---------------

// For comparisons inside of comparisons: so many levels are used up already.
bool sg_dict_get_within(const sg_dict *dict, sg_value key, int depth, sg_value *out);
bool sg_value_equal_within(sg_vm *vm, sg_value a, sg_value b, bool isequal, int depth);
void sg_dict_mark(sg_vm *vm, sg_dict *dict);
void sg_dict_free(sg_vm *vm, sg_dict *dict);
size_t sg_elem_size(sg_elem elem);
// Stores and converts to the element kind; false if the value does not fit it (nothing is raised).
bool sg_array_store(sg_array *array, size_t index, sg_value value);
// Changes the element kind to ANY (or Int to Float), keeping the values.
bool sg_array_widen(sg_vm *vm, sg_array *array, sg_elem elem);
bool sg_array_reserve(sg_vm *vm, sg_array *array, size_t cap);
// An array over values: the narrowest of Bool, Int, Float (with a common unit) or ANY.
sg_array *sg_array_from_values(sg_vm *vm, const sg_value *values, size_t n);

// A new instance; missing fields are undefined, given ones are converted to the declared types.
sg_status sg_struct_new(sg_vm *vm, sg_type *type, const sg_value *fields, uint32_t n,
                        sg_value *out);

// ---- exceptions (vm/exception.c) ----------------------------------------------------------------

// Raises an exception value, or any other thrown value.
sg_status sg_throw(sg_vm *vm, sg_value value, sg_span span);
sg_exception *sg_exception_make(sg_vm *vm, sg_type *type, const char *message);
// Appends the pending exception and its call stack to the diagnostics, and clears it.
void sg_report_exception(sg_vm *vm);
// The same as what explains an error that was reported before: one mistake is one error.
void sg_report_exception_as(sg_vm *vm, sg_severity severity);
// Where it is to be shown: where it was raised, or, inside of the library, where the user called
// it.
sg_span sg_exception_place(const sg_vm *vm, const sg_exception *e);
// A value of any kind as a callable condition: raises unless it is a Bool.
sg_status sg_truth(sg_vm *vm, sg_value value, bool *out);
// The best of the defined names of a module and those it uses, for "did you mean"; may be null.
const char *sg_suggest_name(sg_vm *vm, const sg_module *module, const char *name);

// ---- arguments of natives -----------------------------------------------------------------------

// The keyword argument of this name, or null.
const sg_value *sg_args_find(sg_vm *vm, const sg_args *args, const char *name);
// Raises ArgumentError with "did you mean" when a keyword is not among `names` (n of them).
sg_status sg_args_check_keywords(sg_vm *vm, const sg_args *args, const char *function,
                                 const char *const *names, size_t n);
// Raises when the number of positional arguments is outside lo..hi.
sg_status sg_args_check_count(sg_vm *vm, const sg_args *args, const char *function, uint32_t lo,
                              uint32_t hi);
