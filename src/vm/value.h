// Values of the script language, and the heap they live in.
//
// A value is sixteen bytes: a tag, a small extra word, and a payload. Numbers, symbols, units and
// scalar quantities are immediate, so arithmetic on them allocates nothing. Everything else is a
// heap object with a common header.
//
// The heap is collected by mark and sweep, and only at safe points: the executor looks at the
// bytes allocated since the last collection at loop back-edges and calls. A native function that
// does not call back into the executor therefore needs no protection for the objects it builds;
// one that does (map, sort with a function, simulate!) roots its temporaries with sg_root_push.
//
// Arrays are column-major and reference objects, as in the language (language.md 2.5).
#pragma once

#include "base/buf.h"
#include "base/diags.h"
#include "base/limits.h"
#include "base/symbol.h"
#include "segue/status.h"

#include <string.h>

typedef enum sg_tag {
    SG_UNDEF, // not assigned; never visible to scripts
    SG_NOTHING,
    SG_MISSING,
    SG_BOOL,    // .b
    SG_INT,     // .i
    SG_FLOAT,   // .d
    SG_FLOAT32, // .d, rounded to single after each operation
    SG_CHAR,    // .i, a code point
    SG_SYMBOL,  // .sym
    SG_UNIT,    // a bare unit; aux is its id
    SG_QTY,     // .d times unit aux (a number "as written", not converted to SI)
    SG_QTY_INT, // .i times unit aux
    SG_COLON,   // the index ':'
    SG_ENUM,    // .i with aux the id of its type
    SG_OBJECT   // .o
} sg_tag;

typedef enum sg_obj_kind {
    SG_OBJ_STRING,
    SG_OBJ_ARRAY,
    SG_OBJ_RANGE,
    SG_OBJ_TUPLE,
    SG_OBJ_NAMED_TUPLE,
    SG_OBJ_PAIR,
    SG_OBJ_DICT,
    SG_OBJ_FUNCTION, // generic function: a name and its methods
    SG_OBJ_CLOSURE,  // a method together with what it captured
    SG_OBJ_CELL,     // a captured variable
    SG_OBJ_TYPE,
    SG_OBJ_STRUCT, // an instance
    SG_OBJ_MODULE,
    SG_OBJ_QUOTE,  // a quoted expression (syntax/ast.h)
    SG_OBJ_NATIVE, // an object of the host: instantiated model, solution, path, ...
    SG_OBJ_EXCEPTION,
    SG_OBJ_PROTO // compiled code; never visible to scripts
} sg_obj_kind;

typedef struct sg_obj {
    struct sg_obj *next; // in the list of all objects
    uint8_t kind;        // sg_obj_kind
    uint8_t marked;
    uint16_t flags;
    uint32_t size; // bytes, for the accounting (saturates)
} sg_obj;

typedef struct sg_value {
    uint32_t tag; // sg_tag
    uint32_t aux;
    union {
        bool b;
        int64_t i;
        double d;
        sg_sym sym;
        sg_obj *o;
    };
} sg_value;

#define SG_VALUE_NOTHING ((sg_value){.tag = SG_NOTHING, .i = 0})
#define SG_VALUE_MISSING ((sg_value){.tag = SG_MISSING, .i = 0})

static inline sg_value sg_bool(bool b) { return (sg_value){.tag = SG_BOOL, .i = b}; }
static inline sg_value sg_int(int64_t i) { return (sg_value){.tag = SG_INT, .i = i}; }
static inline sg_value sg_float(double d) { return (sg_value){.tag = SG_FLOAT, .d = d}; }
static inline sg_value sg_symbol(sg_sym s) { return (sg_value){.tag = SG_SYMBOL, .i = s.i}; }
static inline sg_value sg_object(void *o)
{
    return o ? (sg_value){.tag = SG_OBJECT, .o = (sg_obj *)o} : (sg_value){.tag = SG_UNDEF};
}
static inline sg_value sg_quantity(double d, uint32_t unit)
{
    return (sg_value){.tag = SG_QTY, .aux = unit, .d = d};
}
static inline bool sg_is(sg_value v, sg_obj_kind kind)
{
    return v.tag == SG_OBJECT && v.o->kind == kind;
}

// ---- objects --------------------------------------------------------------------------------

typedef struct sg_string {
    sg_obj head;
    uint32_t len;
    char text[]; // UTF-8, NUL behind
} sg_string;

// Names and paths go on as C strings, which end at the first NUL: one inside would make it another
// name. Values of scripts may hold them.
static inline bool sg_string_is_plain(const sg_string *s) { return !memchr(s->text, 0, s->len); }

typedef enum sg_elem { SG_ELEM_ANY, SG_ELEM_FLOAT, SG_ELEM_INT, SG_ELEM_BOOL } sg_elem;

enum { SG_MAX_DIMS = 4 };

// flags of sg_dict.head
enum {
    SG_DICT_LAZY = 1 // a copy: nested dictionaries still belong to the original (vm/dict.c)
};

// flags of sg_array.head
enum {
    SG_ARRAY_STATIC = 1,  // SVector, SMatrix: fixed length as a state
    SG_ARRAY_FLOAT32 = 2, // element type Float32 (elements are kept as rounded doubles)
    SG_ARRAY_SHARED = 4,  // data belongs to someone else and outlives this object
    SG_ARRAY_ROW = 8      // the adjoint of a vector: row * vector is a number
};

typedef struct sg_array {
    sg_obj head;
    uint8_t elem;           // sg_elem
    uint8_t ndims;          // 1 to SG_MAX_DIMS
    uint32_t unit;          // of all elements (numeric element kinds only); 0 is none
    struct sg_type *eltype; // declared element type of SG_ELEM_ANY arrays (String[..]), or null
    size_t dims[SG_MAX_DIMS];
    size_t len, cap; // number of elements; capacity for push!
    union {
        void *data;
        double *f;
        int64_t *n;
        uint8_t *b;
        sg_value *v;
    };
} sg_array;

typedef struct sg_range {
    sg_obj head;
    sg_value start, step; // Int or Float, or quantities of one unit
    int64_t len;
    double num, num_step, den; // if den is not 0, element i is (num + i*num_step)/den, rounded once
} sg_range;

sg_value sg_range_get(const sg_range *range, size_t index); // from 0

typedef struct sg_tuple { // also NAMED_TUPLE and PAIR (two items)
    sg_obj head;
    uint32_t n;
    sg_sym *names; // null unless named
    sg_value items[];
} sg_tuple;

// Insertion-ordered dictionaries. `class_` is Model, Map, Var, Par, or null for a plain
// OrderedDict or Dict. Keys are any immediate value or string. Copies share entries until one is
// changed (copy on write), so merging a chain of models stays linear.
typedef struct sg_dict_entry {
    sg_value key, value;
    sg_span span;  // where this entry was written; for diagnostics
    bool added;    // by a modification: what was modified had no such key
    bool replaced; // a modification replaced a quantity of another dimension: sg_dict_was
} sg_dict_entry;

typedef struct sg_dict_store sg_dict_store; // shared, counted; vm/dict.c
typedef struct sg_dict {
    sg_obj head;
    sg_sym class_;
    sg_span span;         // of the constructor call
    uint32_t count, live; // entries of the store that this view sees; those not removed
    sg_dict_store *store;
} sg_dict;

typedef struct sg_vm sg_vm;

// What a native function gets.
typedef struct sg_args {
    const sg_value *v; // positional arguments
    uint32_t n;
    const sg_sym *kw;    // names of the keyword arguments
    const sg_value *kwv; // their values
    uint32_t n_kw;
    sg_span span;         // of the call, for diagnostics
    const sg_span *spans; // of each argument, positional then keyword; may be null
} sg_args;

// Returns SG_OK and *out, or raises (sg_raise) and returns its status.
typedef sg_status (*sg_native_fn)(sg_vm *vm, const sg_args *args, void *context, sg_value *out);

// A type: abstract or concrete, built in or made by `struct`. Dispatch walks `parent`.
typedef struct sg_type {
    sg_obj head;
    sg_sym name;
    struct sg_type *parent;  // null for Any
    struct sg_type *also;    // a second parent: Vector is an Array and an AbstractVector
    struct sg_type *generic; // Vector for Vector{Float64}; null if not parametric
    sg_value *params;        // type parameters: types, integers, symbols, Bools
    uint32_t n_params;
    uint32_t tag_mask; // bit t: every immediate value with tag t is an instance
    bool is_abstract, is_mutable, is_union, is_var;
    bool stands_in;    // as its class of the host
    bool is_covariant; // Tuple: parameters may be subtypes
    uint32_t n_fields;
    sg_sym *field_names;
    struct sg_type **field_types;    // null entries accept anything
    struct sg_function *constructor; // inner and outer constructors; may be null
    struct sg_function *caller;      // what calling an instance does; may be null
    bool has_inner;                  // declares inner constructors: no default one
    sg_sym *var_names;               // of a parametric struct: S{T} has one, T
    uint32_t n_vars;
    uint32_t enum_id; // of an enumeration, else 0
    // Int32 and UInt64: whole numbers are held in 64 bits, and what is made of them must lie
    // between these two. Null for all other types.
    struct sg_type *wide;
    int64_t least, greatest;
} sg_type;

typedef struct sg_struct {
    sg_obj head;
    sg_type *type;
    uint32_t n;
    sg_value fields[]; // SG_UNDEF until assigned
} sg_struct;

// Objects of the host. The table is static; `data` belongs to the object.
typedef struct sg_native_class {
    const char *name; // what typeof prints
    bool stands_in;   // for values that nobody knows; see sg_exception.about_stand_in
    void (*mark)(sg_vm *vm, void *data);               // may be null
    void (*destroy)(sg_vm *vm, void *data);            // may be null
    void (*print)(sg_vm *vm, void *data, sg_buf *out); // may be null
    // a.b on such an object; *found stays false for an unknown field. May be null.
    sg_status (*get_field)(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out);
    // Callable objects; may be null.
    sg_status (*call)(sg_vm *vm, void *data, const sg_args *args, sg_value *out);
    // a[i, j]; may be null.
    sg_status (*index)(sg_vm *vm, void *data, const sg_value *at, uint32_t n, sg_value *out);
    // The next item, with *at counting from 0; *done at the end. May be null.
    sg_status (*iterate)(sg_vm *vm, void *data, int64_t *at, sg_value *item, bool *done);
    int64_t (*length)(sg_vm *vm, void *data); // of an iteration; negative if not known; may be null
    // a.b = value; *found stays false for an unknown field. May be null.
    sg_status (*set_field)(sg_vm *vm, void *data, sg_sym name, sg_value value, bool *found);
} sg_native_class;

typedef struct sg_native {
    sg_obj head;
    const sg_native_class *class_;
    void *data;
} sg_native;

// ---- making objects: null / SG_UNDEF when the allocator or the memory limit refuses (already
// ---- raised); the new object is safe until the next safe point ------------------------------

sg_string *sg_string_make(sg_vm *vm, const char *text, size_t length);
sg_value sg_string_value(sg_vm *vm, const char *text);
// Zero-filled (ANY: nothing). Checks the product of dims against the memory limit before asking.
sg_array *sg_array_make(sg_vm *vm, sg_elem elem, uint32_t ndims, const size_t *dims);
sg_array *sg_vector_make(sg_vm *vm, sg_elem elem, size_t n);
bool sg_array_push(sg_vm *vm, sg_array *array, sg_value item); // widens the element kind if needed
sg_value sg_array_get(const sg_array *array, size_t index);    // from 0; adds the unit
sg_tuple *sg_tuple_make(sg_vm *vm, uint32_t n);
sg_tuple *sg_named_tuple_make(sg_vm *vm, uint32_t n, const sg_sym *names);
sg_value sg_pair_make(sg_vm *vm, sg_value first, sg_value second);
sg_value sg_range_make(sg_vm *vm, sg_value start, sg_value step, int64_t len);
sg_value sg_native_make(sg_vm *vm, const sg_native_class *class_, void *data);
// The data of a native object of this class, or null.
void *sg_native_data(sg_value value, const sg_native_class *class_);

sg_dict *sg_dict_make(sg_vm *vm, sg_sym class_);
sg_dict *sg_dict_copy(sg_vm *vm, const sg_dict *dict); // shares until changed; nested ones too
bool sg_dict_put(sg_vm *vm, sg_dict *dict, sg_value key, sg_value value, sg_span span);
bool sg_dict_get(const sg_dict *dict, sg_value key, sg_value *out);
bool sg_dict_get_sym(const sg_dict *dict, sg_sym key, sg_value *out);
sg_span sg_dict_span(const sg_dict *dict, sg_sym key); // where the entry was written
// Right after it was put.
void sg_dict_mark_added(sg_dict *dict, sg_value key);
// `was` is the quantity of another dimension that was there before, SG_UNDEF takes the mark away.
// False when memory ran out.
bool sg_dict_mark_replaced(sg_vm *vm, sg_dict *dict, sg_value key, sg_value was);
// What was there before, of an entry that is marked.
sg_value sg_dict_was(const sg_dict *dict, sg_value key);
// Room for so many entries in one that is empty yet, and no more; others are not touched.
bool sg_dict_reserve(sg_vm *vm, sg_dict *dict, uint32_t n);
bool sg_dict_remove(sg_vm *vm, sg_dict *dict, sg_value key);
size_t sg_dict_len(const sg_dict *dict);
// Walks entries in order: start with *at = 0; false at the end.
bool sg_dict_next(const sg_dict *dict, size_t *at, sg_dict_entry *out);

// ---- errors that a script can catch ---------------------------------------------------------

// Sets the pending exception of type `type` ("ErrorException", "ArgumentError",
// "DimensionMismatch", "UndefVarError", "MethodError", "BoundsError", "KeyError", "DimensionError"
// for units, ...) and returns SG_ERR_MODEL, so that a native says
// return sg_raise(vm, "ArgumentError", SG_E_..., args->span, "...").
sg_status sg_raise(sg_vm *vm, const char *type, sg_code code, sg_span span, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Not catchable: limits, interruption, memory. Returns `status`.
sg_status sg_raise_status(sg_vm *vm, sg_status status, sg_code code, sg_span span,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));

// ---- equality -------------------------------------------------------------------------------

bool sg_value_identical(sg_value a, sg_value b); // ===
// == of the language for every kind of value (dictionaries independent of order, arrays
// element-wise, numbers by value); isequal treats NaN as equal to NaN. Values that are nested too
// deep are an error, which is raised.
sg_status sg_value_equal(sg_vm *vm, sg_value a, sg_value b, bool isequal, bool *same);
