// Functions: a name, its methods, and the code they run.
//
// A generic function keeps its methods sorted from the most to the least specific, so dispatch
// takes the first that accepts the arguments. A function of the host is the last resort behind
// the methods that scripts added, and a function that shadows a built-in one falls back to it.
// Variables that outlive their frame (globals and captured locals) are cells; a global cell of one
// module may be linked to the cell of a module it uses.
//
// Some hundred functions of the host are there for every script, and a script uses ten. They wait
// on a shelf of their module (vm/shelf.c, sg_vm_offer), as a name and a pointer, and get their cell
// and their object when the name is looked up: 100 instructions each at the start instead of 1,100.
//
// Implements language.md 2.2 and 2.3.
#pragma once

#include "base/map.h"
#include "vm/value.h"

struct sg_proto;
struct sg_module;

// flags of sg_cell.head
enum {
    SG_CELL_CONST = 1,
    SG_CELL_ASSIGNED = 2, // some compiled statement assigns it
    SG_CELL_IMPORTED = 4  // definitions of methods extend the linked function
};

typedef struct sg_cell {
    sg_obj head;
    sg_value value;       // SG_UNDEF until assigned
    struct sg_cell *link; // where to look while undefined, or null
    sg_sym name;          // of a global, for messages
} sg_cell;

typedef struct sg_closure {
    sg_obj head;
    struct sg_proto *proto;
    uint32_t n;
    sg_cell *cells[];
} sg_closure;

typedef struct sg_method {
    sg_closure *closure;
    sg_type **types; // one for each positional parameter; null accepts anything
    uint32_t n_required, n_max;
    bool varargs; // the last of the n_max parameters takes the rest
    bool plain;   // no types, no defaults, no rest: the number of arguments decides
} sg_method;

typedef struct sg_function {
    sg_obj head;
    sg_sym name;
    sg_method *methods; // most specific first
    uint32_t n_methods, cap_methods;
    sg_native_fn native; // tried behind the methods; may be null
    void *context;
    const char *signature;        // of the native, for messages; may be null
    struct sg_function *fallback; // the function that this one shadows, or null
} sg_function;

enum { SG_MODULE_RECENT = 8 };

typedef struct sg_module {
    sg_obj head;
    sg_sym name;
    struct sg_module *parent;
    sg_map cells;            // symbol to sg_cell; sg_module_complete before going through all
    uint64_t taken[4];       // a bit for each sg_name_slot that some cell's name has
    struct sg_shelf *shelf;  // functions that wait until somebody asks for them; may be null
    struct sg_module **uses; // searched in order for names that are not defined here
    uint32_t n_uses, cap_uses;
    sg_cell *recent[SG_MODULE_RECENT]; // of its own: what scripts asked for by M.name
} sg_module;

typedef struct sg_exception {
    sg_obj head;
    sg_type *type;
    sg_value message; // a string
    sg_value payload; // the thrown value, or what e.key, e.var give
    sg_code code;
    sg_status status; // SG_ERR_MODEL unless it cannot be caught
    sg_span span;
    sg_span *trace; // innermost call first
    sg_sym *trace_names;
    uint32_t n_trace;
    bool about_stand_in; // its message names the type of a value that stands in for another
} sg_exception;

// One of 256, by bytes of the name: cheaper than a hash of it all.
static inline uint32_t sg_name_slot(const char *name, size_t length)
{
    const unsigned char *text = (const unsigned char *)name;
    uint32_t n = (uint32_t)length;
    return n ? (text[0] + 7u * text[n - 1] + 29u * text[n / 2] + 37u * n) % 256 : 0;
}

// ---- cells and modules ------------------------------------------------------------------------

sg_cell *sg_cell_make(sg_vm *vm, sg_sym name);
// The variable's value, following links; SG_UNDEF if it has none.
static inline sg_value sg_cell_value(const sg_cell *cell)
{
    while (cell->value.tag == SG_UNDEF && cell->link)
        cell = cell->link;
    return cell->value;
}

sg_module *sg_module_make(sg_vm *vm, sg_sym name, sg_module *parent);
bool sg_module_use(sg_vm *vm, sg_module *module, sg_module *used);
// The cell of this name in this module, made (and linked to a used module's) if absent.
sg_cell *sg_module_cell(sg_vm *vm, sg_module *module, sg_sym name);
// The cell that defines the name here or in a used module, or null.
sg_cell *sg_module_find(const sg_module *module, sg_sym name);
sg_value sg_module_get(const sg_module *module, sg_sym name); // SG_UNDEF if not defined
// The same for M.name in a script, which may run at every step: the place of what is the module's
// own, and so can be nowhere else any more, is remembered.
sg_value sg_module_recall(sg_module *module, sg_sym name);
// Gives every function that waits on the shelf its cell. False when memory ran out.
bool sg_module_complete(const sg_module *module);
bool sg_module_set(sg_vm *vm, sg_module *module, sg_sym name, sg_value value);

typedef struct sg_shelf sg_shelf;
// Gives a function that waits under this name its cell; false if there is none.
bool sg_shelf_fetch(sg_shelf *shelf, sg_sym name);
void sg_shelf_free(sg_vm *vm, sg_shelf *shelf); // null is fine

// ---- functions --------------------------------------------------------------------------------

sg_function *sg_function_make(sg_vm *vm, sg_sym name);
// Takes the place of a method with the same parameter types. `types` is copied.
bool sg_function_add(sg_vm *vm, sg_function *function, sg_closure *closure, sg_type *const *types,
                     uint32_t n_required, uint32_t n_max, bool varargs);
// The method for these arguments, or null; does not look at natives.
const sg_method *sg_function_pick(sg_vm *vm, const sg_function *function, const sg_value *args,
                                  uint32_t n);
