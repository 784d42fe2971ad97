#include "vm/type.h"

#include "base/assert.h"
#include "vm/vm.h"

#include <string.h>

sg_type *sg_type_make(sg_vm *vm, sg_sym name, sg_type *parent, bool is_abstract)
{
    sg_type *type = sg_heap_new(vm, SG_OBJ_TYPE, sizeof *type);
    if (!type)
        return NULL;
    type->name = name;
    type->parent = parent;
    type->is_abstract = is_abstract;
    if (!SG_PUSH(vm->allocator, &vm->all_types, type)) // types are never collected
        return NULL;
    return type;
}

static uint32_t bit(sg_tag tag) { return 1u << tag; }

static void set_masks(sg_types *t)
{
    uint32_t ints = bit(SG_INT), floats = bit(SG_FLOAT) | bit(SG_FLOAT32);
    t->Bool->tag_mask = bit(SG_BOOL);
    t->Int64->tag_mask = t->Signed->tag_mask = ints;
    t->Integer->tag_mask = ints | bit(SG_BOOL);
    t->Float64->tag_mask = bit(SG_FLOAT);
    t->Float32->tag_mask = bit(SG_FLOAT32);
    t->AbstractFloat->tag_mask = floats;
    t->Real->tag_mask = ints | floats | bit(SG_BOOL);
    t->Quantity->tag_mask = bit(SG_QTY) | bit(SG_QTY_INT);
    t->Number->tag_mask = t->Real->tag_mask | t->Quantity->tag_mask;
    t->Units->tag_mask = bit(SG_UNIT);
    t->Nothing->tag_mask = bit(SG_NOTHING);
    t->Missing->tag_mask = bit(SG_MISSING);
    t->Char->tag_mask = t->AbstractChar->tag_mask = bit(SG_CHAR);
    t->Symbol->tag_mask = bit(SG_SYMBOL);
    t->Colon->tag_mask = bit(SG_COLON);
    t->Enum->tag_mask = bit(SG_ENUM);
    t->Any->tag_mask = ~0u;
}

// Whole numbers of fewer bits, or without a sign. Their values are those of Int64; their names tell
// what fits, so that a conversion says what does not.
static bool make_narrow_types(sg_vm *vm)
{
    sg_types *t = &vm->types;
    const struct {
        const char *name, *alias;
        int64_t least, greatest;
    } narrow[] = {{"Int32", "Cint", INT32_MIN, INT32_MAX}, {"UInt64", "UInt", 0, INT64_MAX}};
    for (size_t i = 0; i < SG_COUNT(narrow); i++) {
        sg_type *type = sg_type_make(vm, sg_vm_sym(vm, narrow[i].name), t->Int64->parent, false);
        if (!type)
            return false;
        type->wide = t->Int64;
        type->least = narrow[i].least;
        type->greatest = narrow[i].greatest;
        type->tag_mask = t->Int64->tag_mask;
        if (!sg_module_set(vm, vm->base, type->name, sg_object(type)) ||
            !sg_module_set(vm, vm->base, sg_vm_sym(vm, narrow[i].alias), sg_object(type)))
            return false;
    }
    return true;
}

bool sg_types_init(sg_vm *vm)
{
    sg_types *t = &vm->types;
#define SG_TYPE_NEW(type_, parent_, abstract_)                                                     \
    t->type_ = sg_type_make(vm, sg_vm_sym(vm, #type_), t->parent_, abstract_);                     \
    if (!t->type_ || !sg_module_set(vm, vm->base, t->type_->name, sg_object(t->type_)))            \
        return false;
    SG_TYPES(SG_TYPE_NEW)
#undef SG_TYPE_NEW
    t->Any->parent = NULL;
    t->Vector->also = t->AbstractVector;
    t->Matrix->also = t->AbstractMatrix;
    t->SVector->also = t->MVector->also = t->AbstractVector;
    t->SMatrix->also = t->MMatrix->also = t->AbstractMatrix;
    t->Tuple->is_covariant = true;
    set_masks(t);
    // Names that are the same type on this machine.
    const struct {
        const char *name;
        sg_type *type;
    } aliases[] = {
        {"Int", t->Int64},        {"Cdouble", t->Float64},      {"AbstractUnitRange", t->UnitRange},
        {"SubString", t->String}, {"StaticVector", t->SVector}, {"StaticMatrix", t->SMatrix}};
    for (size_t i = 0; i < SG_COUNT(aliases); i++)
        if (!sg_module_set(vm, vm->base, sg_vm_sym(vm, aliases[i].name),
                           sg_object(aliases[i].type)))
            return false;
    if (!make_narrow_types(vm))
        return false;
    sg_type *elements[4] = {t->Any, t->Float64, t->Int64, t->Bool};
    for (int e = 0; e < 4; e++) {
        for (uint32_t n = 1; n <= SG_MAX_DIMS; n++) {
            sg_value params[2] = {sg_object(elements[e]), sg_int(n)};
            t->arrays[e][n] = n == 1   ? sg_type_apply(vm, t->Vector, params, 1)
                              : n == 2 ? sg_type_apply(vm, t->Matrix, params, 1)
                                       : sg_type_apply(vm, t->Array, params, 2);
            if (!t->arrays[e][n])
                return false;
        }
    }
    return true;
}

// ---- interning ----------------------------------------------------------------------------------

static uint64_t hash_params(const sg_type *generic, const sg_value *params, uint32_t n)
{
    uint64_t h = generic ? generic->name.i : 7;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t part = params[i].tag == SG_OBJECT && params[i].o->kind == SG_OBJ_TYPE
                            ? ((const sg_type *)params[i].o)->name.i
                            : (uint64_t)params[i].i;
        h = sg_hash_u64(h ^ (part + params[i].tag));
    }
    return h;
}

static sg_type *find_interned(sg_vm *vm, const sg_type *generic, const sg_value *params, uint32_t n,
                              uint64_t hash)
{
    // Equal hashes of different types are rare: they probe the next key.
    for (uint64_t key = hash;; key++) {
        uint64_t *at = sg_map_get(&vm->interned_types, key);
        if (!at)
            return NULL;
        sg_type *type = (sg_type *)(uintptr_t)*at;
        if (type->generic != generic || type->n_params != n)
            continue;
        uint32_t i = 0;
        while (i < n && sg_value_identical(type->params[i], params[i]))
            i++;
        if (i == n)
            return type;
    }
}

sg_type *sg_type_apply(sg_vm *vm, sg_type *generic, const sg_value *params, uint32_t n)
{
    if (generic->generic)
        generic = generic->generic;
    if (!n)
        return generic;
    const sg_types *t = &vm->types;
    if (generic == t->Array && n == 2 && params[1].tag == SG_INT && params[1].i >= 1 &&
        params[1].i <= 2)
        return sg_type_apply(vm, params[1].i == 1 ? t->Vector : t->Matrix, params, 1);
    if (generic == t->AbstractArray && n == 2 && params[1].tag == SG_INT && params[1].i >= 1 &&
        params[1].i <= 2)
        return sg_type_apply(vm, params[1].i == 1 ? t->AbstractVector : t->AbstractMatrix, params,
                             1);
    uint64_t hash = hash_params(generic, params, n);
    sg_type *type = find_interned(vm, generic, params, n, hash);
    if (type)
        return type;
    type = sg_type_make(vm, generic->name, generic->parent, generic->is_abstract);
    if (!type)
        return NULL;
    type->generic = generic;
    type->also = generic->also;
    type->is_mutable = generic->is_mutable;
    type->has_inner = generic->has_inner;
    if (generic == t->Quantity)
        type->tag_mask = generic->tag_mask; // units do not take part in dispatch
    type->params = sg_heap_resize(vm, NULL, 0, n * sizeof(sg_value));
    if (!type->params)
        return NULL;
    type->n_params = n;
    memcpy(type->params, params, n * sizeof(sg_value));
    uint64_t key = hash;
    while (sg_map_get(&vm->interned_types, key))
        key++;
    return sg_map_put(&vm->interned_types, key, (uintptr_t)type) ? type : NULL;
}

sg_type *sg_type_union(sg_vm *vm, sg_type *const *members, uint32_t n)
{
    sg_type *type = sg_type_make(vm, vm->types.Union->name, vm->types.Any, true);
    if (!type)
        return NULL;
    type->is_union = true;
    type->params = n ? sg_heap_resize(vm, NULL, 0, n * sizeof(sg_value)) : NULL;
    if (n && !type->params)
        return NULL;
    type->n_params = n;
    for (uint32_t i = 0; i < n; i++) {
        type->params[i] = sg_object(members[i]);
        type->tag_mask |= members[i]->tag_mask;
    }
    return type;
}

sg_type *sg_type_var(sg_vm *vm, sg_sym name, sg_type *bound)
{
    sg_type *type = sg_type_make(vm, name, bound, true);
    if (!type)
        return NULL;
    type->is_var = true;
    type->tag_mask = bound ? bound->tag_mask : ~0u;
    return type;
}

// ---- typeof -------------------------------------------------------------------------------------

// Of collections in collections; what lies deeper counts as Any. Also ends collections that contain
// themselves.
enum { MAX_TYPE_DEPTH = 16 };

sg_type *sg_array_eltype(sg_vm *vm, const sg_array *array)
{
    const sg_types *t = &vm->types;
    switch ((sg_elem)array->elem) {
    case SG_ELEM_ANY:
        break;
    case SG_ELEM_FLOAT:
        return array->unit                            ? t->Quantity
               : array->head.flags & SG_ARRAY_FLOAT32 ? t->Float32
                                                      : t->Float64;
    case SG_ELEM_INT:
        return array->unit ? t->Quantity : t->Int64;
    case SG_ELEM_BOOL:
        return t->Bool;
    }
    if (array->eltype)
        return array->eltype;
    // The common type of the elements, as Julia infers for a literal.
    sg_type *common = NULL;
    if (vm->type_depth >= MAX_TYPE_DEPTH)
        return t->Any;
    vm->type_depth++;
    for (size_t i = 0; i < array->len; i++) {
        sg_type *type = sg_typeof(vm, array->v[i]);
        if (!type || (common && type != common)) {
            common = t->Any;
            break;
        }
        common = type;
    }
    vm->type_depth--;
    return common ? common : t->Any;
}

static sg_type *type_of_array(sg_vm *vm, const sg_array *array)
{
    sg_types *t = &vm->types;
    if (array->head.flags & SG_ARRAY_STATIC) {
        sg_value params[3];
        uint32_t n = 0;
        for (uint32_t i = 0; i < array->ndims && n < 2; i++)
            params[n++] = sg_int((int64_t)array->dims[i]);
        params[n++] = sg_object(sg_array_eltype(vm, array));
        return sg_type_apply(vm, array->ndims == 1 ? t->SVector : t->SMatrix, params, n);
    }
    bool special =
        array->unit || (array->head.flags & SG_ARRAY_FLOAT32) || array->elem == SG_ELEM_ANY;
    if (!special)
        return t->arrays[array->elem][array->ndims];
    sg_value params[2] = {sg_object(sg_array_eltype(vm, array)), sg_int(array->ndims)};
    return array->ndims == 1   ? sg_type_apply(vm, t->Vector, params, 1)
           : array->ndims == 2 ? sg_type_apply(vm, t->Matrix, params, 1)
                               : sg_type_apply(vm, t->Array, params, 2);
}

static sg_type *type_of_tuple(sg_vm *vm, const sg_tuple *tuple, sg_type *generic)
{
    enum { MOST = 16 };
    sg_value params[MOST];
    if (!tuple->n || tuple->n > MOST || vm->type_depth >= MAX_TYPE_DEPTH)
        return generic;
    vm->type_depth++;
    bool failed = false;
    for (uint32_t i = 0; i < tuple->n && !failed; i++) {
        sg_type *type = sg_typeof(vm, tuple->items[i]);
        params[i] = sg_object(type);
        failed = !type;
    }
    vm->type_depth--;
    if (failed)
        return NULL;
    return sg_type_apply(vm, generic, params, tuple->n);
}

static sg_type *type_of_object(sg_vm *vm, sg_obj *o)
{
    sg_types *t = &vm->types;
    switch ((sg_obj_kind)o->kind) {
    case SG_OBJ_STRING:
        return t->String;
    case SG_OBJ_ARRAY:
        return type_of_array(vm, (sg_array *)o);
    case SG_OBJ_RANGE: {
        const sg_range *range = (sg_range *)o;
        sg_type *kind = range->start.tag != SG_INT                        ? t->StepRangeLen
                        : range->step.tag == SG_INT && range->step.i == 1 ? t->UnitRange
                                                                          : t->StepRange;
        sg_value param = sg_object(sg_typeof(vm, range->start));
        return sg_type_apply(vm, kind, &param, 1);
    }
    case SG_OBJ_TUPLE:
        return type_of_tuple(vm, (sg_tuple *)o, t->Tuple);
    case SG_OBJ_NAMED_TUPLE:
        return t->NamedTuple;
    case SG_OBJ_PAIR:
        return type_of_tuple(vm, (sg_tuple *)o, t->Pair);
    case SG_OBJ_DICT:
        return t->OrderedDict;
    case SG_OBJ_FUNCTION:
    case SG_OBJ_CLOSURE:
        return t->Function;
    case SG_OBJ_TYPE:
        return ((sg_type *)o)->is_union ? t->UnionType : t->DataType;
    case SG_OBJ_STRUCT:
        return ((sg_struct *)o)->type;
    case SG_OBJ_MODULE:
        return t->Module;
    case SG_OBJ_QUOTE:
        return t->Expr;
    case SG_OBJ_NATIVE: {
        // One type for each class of the host, bound in Base when first asked for.
        sg_sym name = sg_vm_sym(vm, ((sg_native *)o)->class_->name);
        sg_value known = sg_module_get(vm->base, name);
        if (sg_is(known, SG_OBJ_TYPE))
            return (sg_type *)known.o;
        sg_value param = sg_symbol(name);
        sg_type *type = sg_type_apply(vm, t->Ref, &param, 1);
        if (type) {
            type->name = name;
            type->stands_in = ((sg_native *)o)->class_->stands_in;
        }
        return type;
    }
    case SG_OBJ_EXCEPTION:
        return ((sg_exception *)o)->type;
    case SG_OBJ_CELL:
    case SG_OBJ_PROTO:
        break;
    }
    return t->Any;
}

sg_type *sg_typeof(sg_vm *vm, sg_value value)
{
    sg_types *t = &vm->types;
    switch ((sg_tag)value.tag) {
    case SG_UNDEF:
        return t->Any;
    case SG_NOTHING:
        return t->Nothing;
    case SG_MISSING:
        return t->Missing;
    case SG_BOOL:
        return t->Bool;
    case SG_INT:
        return t->Int64;
    case SG_FLOAT:
        return t->Float64;
    case SG_FLOAT32:
        return t->Float32;
    case SG_CHAR:
        return t->Char;
    case SG_SYMBOL:
        return t->Symbol;
    case SG_UNIT:
        return t->Units;
    case SG_QTY:
    case SG_QTY_INT:
        return t->Quantity;
    case SG_COLON:
        return t->Colon;
    case SG_ENUM:
        return value.aux && value.aux <= vm->enums.len ? vm->enums.data[value.aux - 1] : t->Enum;
    case SG_OBJECT:
        break;
    }
    return type_of_object(vm, value.o);
}

// ---- subtyping ----------------------------------------------------------------------------------

// Does the plain (unapplied) type a descend from b?
static bool descends(const sg_type *a, const sg_type *b)
{
    for (; a; a = a->parent) {
        if (a == b || (a->generic && a->generic == b))
            return true;
        if (a->also && descends(a->also, b))
            return true;
    }
    return false;
}

static bool is_static_type(const sg_type *type)
{
    // SVector{3,Float64} and SMatrix{2,2,Float64}: sizes come before the element type.
    return type->n_params && type->params[0].tag == SG_INT;
}

// The parameter that stands for the elements, or null.
static const sg_value *element_param(const sg_type *type)
{
    for (uint32_t i = 0; i < type->n_params; i++)
        if (type->params[i].tag != SG_INT)
            return &type->params[i];
    return NULL;
}

static bool param_fits(sg_value a, sg_value b, bool covariant)
{
    if (sg_is(b, SG_OBJ_TYPE)) {
        const sg_type *tb = (const sg_type *)b.o;
        if (!sg_is(a, SG_OBJ_TYPE))
            return tb->is_var;
        if (tb->is_var)
            return !tb->parent || sg_subtype((const sg_type *)a.o, tb->parent);
        if (covariant)
            return sg_subtype((const sg_type *)a.o, tb);
        return sg_type_wide((const sg_type *)a.o) == sg_type_wide(tb);
    }
    return sg_value_identical(a, b);
}

static bool params_fit(const sg_type *a, const sg_type *b)
{
    const sg_type *ga = a->generic ? a->generic : a;
    if (ga != b->generic) { // Vector{Float64} <: AbstractVector{Float64}: compare the elements
        const sg_value *ea = element_param(a), *eb = element_param(b);
        return !eb || (ea && param_fits(*ea, *eb, false));
    }
    if (b->generic->is_covariant && a->n_params != b->n_params)
        return false;
    if (a->n_params < b->n_params && !is_static_type(a))
        return false;
    for (uint32_t i = 0; i < b->n_params && i < a->n_params; i++)
        if (!param_fits(a->params[i], b->params[i], b->generic->is_covariant))
            return false;
    return true;
}

bool sg_subtype(const sg_type *a, const sg_type *b)
{
    a = sg_type_wide(a);
    b = sg_type_wide(b);
    if (a == b || !b->parent) // Any, or a variable without bound
        return true;
    if (b->is_var)
        return sg_subtype(a, b->parent);
    if (a->is_union) {
        for (uint32_t i = 0; i < a->n_params; i++)
            if (!sg_subtype((const sg_type *)a->params[i].o, b))
                return false;
        return true;
    }
    if (b->is_union) {
        for (uint32_t i = 0; i < b->n_params; i++)
            if (sg_subtype(a, (const sg_type *)b->params[i].o))
                return true;
        return false;
    }
    if (a->is_var)
        return a->parent && sg_subtype(a->parent, b);
    if (!b->generic)
        return descends(a, b);
    return descends(a, b->generic) && params_fit(a, b);
}

bool sg_type_has_unit(const sg_vm *vm, const sg_type *type)
{
    bool found = false;
    for (uint32_t i = 0; type && type->generic == vm->types.Quantity && i < type->n_params; i++)
        found |= type->params[i].tag == SG_UNIT;
    return found;
}

bool sg_isa(sg_vm *vm, sg_value value, const sg_type *type)
{
    if (!type || (value.tag != SG_OBJECT && (type->tag_mask >> value.tag) & 1))
        return true;
    if (value.tag != SG_OBJECT && value.tag != SG_ENUM && !type->is_union)
        return !type->parent;
    if (!type->parent)
        return true; // Any
    const sg_type *generic = type->generic;
    if (generic == vm->types.Type && sg_is(value, SG_OBJ_TYPE)) {
        const sg_value param = type->params[0];
        if (!sg_is(param, SG_OBJ_TYPE))
            return true;
        const sg_type *wanted = (const sg_type *)param.o;
        if (wanted->is_var)
            return !wanted->parent || sg_subtype((const sg_type *)value.o, wanted->parent);
        return (const sg_type *)value.o == wanted;
    }
    if (type->is_union) {
        for (uint32_t i = 0; i < type->n_params; i++)
            if (sg_isa(vm, value, (const sg_type *)type->params[i].o))
                return true;
        return false;
    }
    sg_type *actual = sg_typeof(vm, value);
    return actual && sg_subtype(actual, type);
}

void sg_type_print(sg_vm *vm, const sg_type *type, sg_buf *out)
{
    sg_buf_puts(out, sg_vm_text(vm, type->name));
    vm->named_stand_in |= type->stands_in;
    const sg_type *ref = vm->types.Ref; // what objects of the host are, under their own names
    bool hosted = ref && type->generic == ref && type->name.i != ref->name.i;
    if (!type->n_params || type->is_var || type->enum_id || hosted)
        return;
    sg_buf_putc(out, '{');
    for (uint32_t i = 0; i < type->n_params; i++) {
        if (i)
            sg_buf_puts(out, ", ");
        sg_value p = type->params[i];
        if (sg_is(p, SG_OBJ_TYPE))
            sg_type_print(vm, (const sg_type *)p.o, out);
        else if (p.tag == SG_INT)
            sg_buf_printf(out, "%lld", (long long)p.i);
        else if (p.tag == SG_BOOL)
            sg_buf_puts(out, p.b ? "true" : "false");
        else if (p.tag == SG_SYMBOL)
            sg_buf_printf(out, ":%s", sg_vm_text(vm, p.sym));
        else
            sg_buf_putc(out, '_');
    }
    sg_buf_putc(out, '}');
}
