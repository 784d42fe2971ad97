// Types, conversions, exceptions, enumerations, eval and include.
#include "base/digits.h"
#include "builtins/subjects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sg_status native_typeof(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "typeof", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_type *type = sg_typeof(vm, args->v[0]);
    if (sg_is_quantity(args->v[0])) { // of a number in its unit, for typed fields
        bool whole = args->v[0].tag == SG_QTY_INT;
        sg_value params[] = {sg_object(whole ? vm->types.Int64 : vm->types.Float64),
                             {.tag = SG_UNIT, .aux = sg_quantity_unit(args->v[0])}};
        type = sg_type_apply(vm, vm->types.Quantity, params, 2);
    }
    *out = sg_object(type);
    return type ? SG_OK : SG_ERR_MEMORY;
}

static sg_status native_isa(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "isa", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    if (!sg_is(args->v[1], SG_OBJ_TYPE))
        return sg_raise(vm, "TypeError", SG_E_TYPE, args->span,
                        "the second argument of isa must be a type");
    *out = sg_bool(sg_isa(vm, args->v[0], (sg_type *)args->v[1].o));
    return SG_OK;
}

static sg_status native_typeassert(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_status status = native_isa(vm, args, context, out);
    if (status != SG_OK)
        return status;
    if (!out->b) {
        sg_buf have, want;
        sg_buf_init(&want, vm->allocator);
        sg_type_print(vm, (sg_type *)args->v[1].o, &want);
        status = sg_raise(vm, "TypeError", SG_E_TYPE, args->span, "expected %s, found %s",
                          sg_buf_text(&want), sg_type_text(vm, args->v[0], &have));
        sg_buf_free(&want);
        sg_buf_free(&have);
        return status;
    }
    *out = args->v[0];
    return SG_OK;
}

static sg_status native_convert(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "convert", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    if (!sg_is(args->v[0], SG_OBJ_TYPE))
        return sg_raise(vm, "TypeError", SG_E_TYPE, args->span,
                        "the first argument of convert must be a type");
    return sg_convert(vm, (sg_type *)args->v[0].o, args->v[1], out);
}

static sg_status native_float(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "float", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (sg_is_sequence(v)) {
        sg_array *array = sg_as_array(vm, v);
        array = array ? sg_float_copy(vm, array) : NULL;
        *out = sg_object(array);
        return array ? SG_OK : SG_ERR_MODEL;
    }
    if (v.tag == SG_QTY_INT || v.tag == SG_QTY) {
        *out = sg_quantity_make(sg_quantity_number(v), v.aux);
        return SG_OK;
    }
    return sg_convert(vm, vm->types.Float64, v, out);
}

// The digits of an integer, with a sign and, where no base is given, a prefix of one: 0x, 0o, 0b.
// The end of what was read, or null if there is none or it does not fit.
static const char *parse_integer(const char *text, int64_t base, int64_t *out)
{
    bool minus = *text == '-';
    text += *text == '-' || *text == '+';
    if (!base) {
        char letter = text[0] == '0' ? text[1] : '\0';
        base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
        text += base == 10 ? 0 : 2;
    }
    int64_t sum = 0;
    const char *first = text;
    for (;; text++) {
        char c = *text;
        int64_t digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                        : c >= 'a' && c <= 'z' ? c - 'a' + (base > 36 ? 36 : 10)
                                               : base;
        if (digit >= base)
            break;
        if (__builtin_mul_overflow(sum, base, &sum) ||
            __builtin_sub_overflow(sum, minus ? digit : -digit, &sum))
            return NULL;
    }
    *out = sum;
    return text == first ? NULL : text;
}

// Int("3") is a question for parse; numbers and enumeration values convert.
static sg_status native_parse(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool try_only = context != NULL;
    const sg_string *text = NULL;
    static const char *const keywords[] = {"base"};
    const char *name = try_only ? "tryparse" : "parse";
    if (sg_args_check_count(vm, args, name, 2, 2) != SG_OK ||
        sg_args_check_keywords(vm, args, name, keywords, 1) != SG_OK ||
        sg_arg_string(vm, args, 1, &text) != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *base = sg_args_find(vm, args, "base");
    if (base && (base->tag != SG_INT || base->i < 2 || base->i > 62))
        return SG_RAISE_ARGUMENT(vm, args, "the base of %s is a number from 2 to 62", name);
    if (!sg_is(args->v[0], SG_OBJ_TYPE))
        return sg_raise(vm, "TypeError", SG_E_TYPE, args->span,
                        "the first argument of parse must be a type");
    const sg_type *type = (const sg_type *)args->v[0].o;
    const char *start = text->text;
    while (*start == ' ' || *start == '\t')
        start++;
    char *end = NULL;
    *out = SG_VALUE_NOTHING;
    if (type == vm->types.Bool) {
        if (strcmp(start, "true") == 0 || strcmp(start, "false") == 0) {
            *out = sg_bool(*start == 't');
            return SG_OK;
        }
    } else if (sg_subtype(type, vm->types.Integer)) {
        int64_t i = 0;
        end = (char *)parse_integer(start, base ? base->i : 0, &i);
        if (type->wide && (i < type->least || i > type->greatest))
            end = NULL;
        *out = sg_int(i);
    } else if (sg_subtype(type, vm->types.Real)) {
        double d = 0.0;
        size_t length = strcspn(start, " \t\r\n");
        end = (char *)start + (sg_number_parse(start, length, &d) ? length : 0);
        *out = type == vm->types.Float32 ? (sg_value){.tag = SG_FLOAT32, .d = (double)(float)d}
                                         : sg_float(d);
    } else {
        return sg_raise(vm, "ArgumentError", SG_E_UNSUPPORTED, args->span,
                        "parse makes numbers and Bools only");
    }
    while (end && (*end == ' ' || *end == '\t' || *end == '\n' || *end == '\r'))
        end++;
    if (end && end != start && !*end)
        return SG_OK;
    *out = SG_VALUE_NOTHING;
    if (try_only)
        return SG_OK;
    return SG_RAISE_ARGUMENT(vm, args, "\"%s\" is not a number of type %s", text->text,
                             sg_vm_text(vm, type->name));
}

// promote(a, b): both as the wider type.
static sg_status native_promote(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    bool any_float = false;
    for (uint32_t i = 0; i < args->n; i++)
        any_float = any_float || args->v[i].tag == SG_FLOAT;
    sg_tuple *tuple = sg_tuple_make(vm, args->n);
    if (!tuple)
        return SG_ERR_MEMORY;
    for (uint32_t i = 0; i < args->n; i++) {
        double d = 0;
        tuple->items[i] = any_float && sg_to_float(args->v[i], &d) ? sg_float(d) : args->v[i];
    }
    *out = sg_object(tuple);
    return SG_OK;
}

static sg_status native_promote_type(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    const sg_types *t = &vm->types;
    static const int ranks = 4;
    sg_type *order[4] = {t->Bool, t->Int64, t->Float32, t->Float64};
    int best = 0;
    for (uint32_t i = 0; i < args->n; i++) {
        int rank = -1;
        for (int k = 0; k < ranks; k++)
            if (sg_is(args->v[i], SG_OBJ_TYPE) && (sg_type *)args->v[i].o == order[k])
                rank = k;
        if (rank < 0) {
            *out = args->n && sg_value_identical(args->v[0], args->v[args->n - 1])
                       ? args->v[0]
                       : sg_object(t->Any);
            return SG_OK;
        }
        if (rank > best)
            best = rank;
    }
    *out = sg_object(order[best]);
    return SG_OK;
}

static sg_status native_supertype(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n != 1 || !sg_is(args->v[0], SG_OBJ_TYPE))
        return SG_RAISE_ARGUMENT(vm, args, "supertype needs a type");
    const sg_type *type = (const sg_type *)args->v[0].o;
    *out = sg_object(type->parent ? type->parent : vm->types.Any);
    return SG_OK;
}

static sg_status native_eltype(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "eltype", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    sg_type *type = vm->types.Any;
    if (sg_is(v, SG_OBJ_ARRAY))
        type = sg_array_eltype(vm, (sg_array *)v.o);
    else if (sg_is(v, SG_OBJ_RANGE))
        type = sg_typeof(vm, ((sg_range *)v.o)->start);
    else if (sg_is(v, SG_OBJ_STRING))
        type = vm->types.Char;
    else if (sg_is(v, SG_OBJ_TYPE)) {
        const sg_type *t = (const sg_type *)v.o;
        for (uint32_t i = 0; i < t->n_params; i++)
            if (sg_is(t->params[i], SG_OBJ_TYPE))
                type = (sg_type *)t->params[i].o;
        if (!t->n_params)
            type = (sg_type *)v.o;
    } else if (v.tag != SG_OBJECT) {
        type = sg_typeof(vm, v);
    }
    *out = sg_object(type);
    return SG_OK;
}

static sg_status native_fieldnames(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "fieldnames", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    const sg_type *type = NULL;
    if (sg_is(args->v[0], SG_OBJ_TYPE))
        type = (const sg_type *)args->v[0].o;
    else if (sg_is(args->v[0], SG_OBJ_STRUCT))
        type = ((sg_struct *)args->v[0].o)->type;
    if (sg_is(args->v[0], SG_OBJ_NAMED_TUPLE)) {
        const sg_tuple *named = (const sg_tuple *)args->v[0].o;
        sg_tuple *tuple = sg_tuple_make(vm, named->n);
        for (uint32_t i = 0; tuple && i < named->n; i++)
            tuple->items[i] = sg_symbol(named->names[i]);
        *out = sg_object(tuple);
        return SG_OK;
    }
    if (!type)
        return SG_RAISE_ARGUMENT(vm, args, "fieldnames needs a struct");
    if (type->generic)
        type = type->generic;
    sg_tuple *tuple = sg_tuple_make(vm, type->n_fields);
    for (uint32_t i = 0; tuple && i < type->n_fields; i++)
        tuple->items[i] = sg_symbol(type->field_names[i]);
    *out = sg_object(tuple);
    return SG_OK;
}

static sg_status native_getfield(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "getfield", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    if (args->v[1].tag == SG_INT && sg_is(args->v[0], SG_OBJ_STRUCT)) {
        const sg_struct *s = (const sg_struct *)args->v[0].o;
        if ((uint64_t)args->v[1].i - 1 >= s->n)
            return sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span, "there is no such field");
        *out = s->fields[args->v[1].i - 1];
        return SG_OK;
    }
    if (args->v[1].tag != SG_SYMBOL)
        return sg_index(vm, args->v[0], args->v + 1, 1, out);
    return sg_field(vm, args->v[0], args->v[1].sym, out);
}

static sg_status native_setfield(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "setfield!", 3, 3) != SG_OK)
        return SG_ERR_MODEL;
    if (args->v[1].tag != SG_SYMBOL)
        return SG_RAISE_ARGUMENT(vm, args, "the name of a field is a symbol");
    *out = args->v[2];
    return sg_field_set(vm, args->v[0], args->v[1].sym, args->v[2]);
}

static sg_status native_hasfield(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "hasproperty", 2, 2) != SG_OK || args->v[1].tag != SG_SYMBOL)
        return SG_RAISE_ARGUMENT(vm, args, "expected an object and a symbol");
    sg_value base = args->v[0], ignored;
    if (sg_is(base, SG_OBJ_TYPE)) {
        const sg_type *type = (const sg_type *)base.o;
        bool found = false;
        for (uint32_t i = 0; i < type->n_fields; i++)
            found = found || type->field_names[i].i == args->v[1].sym.i;
        *out = sg_bool(found);
        return SG_OK;
    }
    bool found = sg_field(vm, base, args->v[1].sym, &ignored) == SG_OK;
    vm->exception = (sg_value){.tag = SG_UNDEF};
    *out = sg_bool(found);
    return SG_OK;
}

static sg_status native_isnothing(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    if (sg_args_check_count(vm, args, "isnothing", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_bool(args->v[0].tag == (uint32_t)(uintptr_t)context);
    return SG_OK;
}

static sg_status native_isequal(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n == 1)
        return sg_comparing_make(vm, SG_OPER_EQ, args->v[0], out);
    if (sg_args_check_count(vm, args, "isequal", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    bool same;
    sg_status status = sg_value_equal(vm, args->v[0], args->v[1], true, &same);
    *out = sg_bool(same);
    return status;
}

static sg_status native_isless(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "isless", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_status status;
    *out = sg_bool(sg_less(vm, args->v[0], args->v[1], &status));
    return status;
}

static sg_status native_identity(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "identity", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    *out = args->v[0];
    return SG_OK;
}

// Val(x): the instance of the type Val{x}.
static sg_status native_val(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_type *type = context;
    if (args->n == 1)
        type = sg_type_apply(vm, vm->types.Val, args->v, 1);
    return type ? sg_struct_new(vm, type, NULL, 0, out) : SG_ERR_MEMORY;
}

static sg_status native_ref(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_struct *s = sg_heap_new(vm, SG_OBJ_STRUCT, sizeof *s + sizeof(sg_value));
    if (!s)
        return SG_ERR_MEMORY;
    s->type = vm->types.Ref;
    s->n = 1;
    s->fields[0] = args->n ? args->v[0] : SG_VALUE_NOTHING;
    *out = sg_object(s);
    return SG_OK;
}

static sg_status refuse_nul(sg_vm *vm, const sg_args *args, const char *what)
{
    return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span, "a %s cannot hold a NUL", what);
}

static sg_status native_symbol(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = 0; i < args->n; i++)
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
    if (text.len && memchr(sg_buf_text(&text), '\0', text.len)) {
        sg_buf_free(&text);
        return refuse_nul(vm, args, "name");
    }
    *out = sg_symbol(sg_sym_intern(vm->symbols, sg_buf_text(&text), text.len));
    sg_buf_free(&text);
    return SG_OK;
}

// ---- exceptions ---------------------------------------------------------------------------------

static sg_status native_error(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context, (void)out;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = 0; i < args->n; i++)
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
    sg_exception *e = sg_exception_make(vm, vm->types.ErrorException, sg_buf_text(&text));
    sg_buf_free(&text);
    return e ? sg_throw(vm, sg_object(e), args->span) : SG_ERR_MEMORY;
}

static sg_status native_throw(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context, (void)out;
    if (sg_args_check_count(vm, args, "throw", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    return sg_throw(vm, args->v[0], args->span);
}

// Constructors of the exception types.
static sg_status native_exception(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_type *type = context;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = 0; i < args->n; i++) {
        if (i)
            sg_buf_puts(&text, ", ");
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[i], &text);
    }
    sg_exception *e = sg_exception_make(vm, type, sg_buf_text(&text));
    sg_buf_free(&text);
    if (!e)
        return SG_ERR_MEMORY;
    e->payload = args->n ? args->v[0] : SG_VALUE_NOTHING;
    *out = sg_object(e);
    return SG_OK;
}

// ---- enumerations -------------------------------------------------------------------------------

// _enum(:Name, :a, 0 or nothing, :b, ...)
static sg_status helper_enum(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    bool fits = args->n % 2 == 1;
    for (uint32_t i = 0; fits && i < args->n; i++)
        fits = i && i % 2 == 0 ? args->v[i].tag == SG_INT || args->v[i].tag == SG_NOTHING
                               : args->v[i].tag == SG_SYMBOL;
    if (!fits)
        return SG_RAISE_ARGUMENT(vm, args, "@enum needs names, and integers as their values");
    sg_module *module = sg_vm_current_module(vm);
    uint32_t n = (args->n - 1) / 2;
    sg_type *type = sg_type_make(vm, args->v[0].sym, vm->types.Enum, false);
    if (!type || !SG_PUSH(vm->allocator, &vm->enums, type))
        return SG_ERR_MEMORY;
    type->enum_id = (uint32_t)vm->enums.len;
    // The names are the fields, the numbers are the parameters: printing and instances use them.
    type->field_names = n ? sg_heap_resize(vm, NULL, 0, n * sizeof(sg_sym)) : NULL;
    type->params = type->field_names ? sg_heap_resize(vm, NULL, 0, n * sizeof(sg_value)) : NULL;
    if (n && !type->params) {
        if (type->field_names)
            sg_heap_resize(vm, type->field_names, n * sizeof(sg_sym), 0);
        type->field_names = NULL;
        return SG_ERR_MEMORY;
    }
    int64_t next = 0;
    for (uint32_t i = 0; i < n; i++) {
        sg_sym name = args->v[1 + 2 * i].sym;
        sg_value number = args->v[2 + 2 * i];
        if (number.tag == SG_INT)
            next = number.i;
        type->field_names[i] = name;
        type->params[i] = sg_int(next);
        sg_value item = {.tag = SG_ENUM, .aux = type->enum_id, .i = next};
        next = (int64_t)((uint64_t)next + 1);
        if (!sg_module_set(vm, module, name, item))
            return SG_ERR_MEMORY;
    }
    type->n_fields = type->n_params = n;
    *out = SG_VALUE_NOTHING;
    return sg_module_set(vm, module, type->name, sg_object(type)) ? SG_OK : SG_ERR_MEMORY;
}

static sg_status native_instances(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n != 1 || !sg_is(args->v[0], SG_OBJ_TYPE) || !((sg_type *)args->v[0].o)->enum_id)
        return SG_RAISE_ARGUMENT(vm, args, "instances needs an enumeration");
    const sg_type *type = (const sg_type *)args->v[0].o;
    sg_tuple *tuple = sg_tuple_make(vm, type->n_fields);
    for (uint32_t i = 0; tuple && i < type->n_fields; i++)
        tuple->items[i] = (sg_value){.tag = SG_ENUM, .aux = type->enum_id, .i = type->params[i].i};
    *out = sg_object(tuple);
    return SG_OK;
}

// ---- expressions --------------------------------------------------------------------------------

static sg_status native_eval(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "eval", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_runtime *runtime = sg_runtime_of(vm);
    sg_module *module = sg_vm_current_module(vm);
    if (args->n == 2 && sg_is(args->v[0], SG_OBJ_MODULE))
        module = (sg_module *)args->v[0].o;
    sg_value v = args->v[args->n - 1];
    if (v.tag == SG_SYMBOL) {
        *out = sg_module_get(module, v.sym);
        if (out->tag == SG_UNDEF)
            return sg_raise(vm, "UndefVarError", SG_E_NAME, args->span, "'%s' is not defined",
                            sg_vm_text(vm, v.sym));
        return SG_OK;
    }
    if (!sg_is(v, SG_OBJ_QUOTE)) {
        *out = v;
        return SG_OK;
    }
    // Code keeps pointing into its tree, so the tree must live as long as the run.
    const sg_quote *quote = (const sg_quote *)v.o;
    const sg_ast *tree = quote->owned ? sg_ast_copy(&runtime->trees, quote->root) : quote->root;
    if (!tree)
        return SG_ERR_MEMORY;
    return sg_script_eval(runtime, module, tree, out);
}

static sg_status native_include(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    const sg_string *path = NULL;
    uint32_t last = args->n ? args->n - 1 : 0;
    if (sg_args_check_count(vm, args, "include", 1, 2) != SG_OK ||
        sg_arg_string(vm, args, last, &path) != SG_OK)
        return SG_ERR_MODEL;
    if (!sg_string_is_plain(path))
        return refuse_nul(vm, args, "path");
    sg_module *module = sg_vm_current_module(vm);
    if (args->n == 2 && sg_is(args->v[0], SG_OBJ_MODULE))
        module = (sg_module *)args->v[0].o;
    sg_status status = sg_script_include(sg_runtime_of(vm), module, path->text, args->span, out);
    // What goes wrong inside is a LoadError for whoever tests for it.
    if (status == SG_ERR_MODEL && sg_is(vm->exception, SG_OBJ_EXCEPTION) &&
        ((sg_exception *)vm->exception.o)->type == vm->types.ErrorException)
        ((sg_exception *)vm->exception.o)->type = vm->types.LoadError;
    return status;
}

static sg_status helper_isdefined(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "isdefined", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    const sg_module *module = sg_vm_current_module(vm);
    sg_value name = args->v[args->n - 1];
    if (args->n == 2 && sg_is(args->v[0], SG_OBJ_MODULE))
        module = (const sg_module *)args->v[0].o;
    *out = sg_bool(name.tag == SG_SYMBOL && sg_module_get(module, name.sym).tag != SG_UNDEF);
    return SG_OK;
}

static sg_status native_applicable(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n < 1)
        return SG_RAISE_ARGUMENT(vm, args, "applicable needs a function");
    bool yes = sg_is(args->v[0], SG_OBJ_CLOSURE);
    if (sg_is(args->v[0], SG_OBJ_FUNCTION)) {
        const sg_function *f = (const sg_function *)args->v[0].o;
        yes = f->native || sg_function_pick(vm, f, args->v + 1, args->n - 1);
    }
    *out = sg_bool(yes);
    return SG_OK;
}

static sg_status native_methods(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n != 1 || !sg_is(args->v[0], SG_OBJ_FUNCTION))
        return SG_RAISE_ARGUMENT(vm, args, "methods needs a function");
    *out = sg_object(sg_vector_make(vm, SG_ELEM_INT, ((sg_function *)args->v[0].o)->n_methods));
    return SG_OK;
}

static sg_status native_nameof(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_value v = args->n ? args->v[0] : SG_VALUE_NOTHING;
    sg_sym name = {0};
    if (sg_is(v, SG_OBJ_FUNCTION))
        name = ((sg_function *)v.o)->name;
    else if (sg_is(v, SG_OBJ_TYPE))
        name = ((sg_type *)v.o)->name;
    else if (sg_is(v, SG_OBJ_MODULE))
        name = ((sg_module *)v.o)->name;
    else
        return SG_RAISE_ARGUMENT(vm, args, "nameof needs a function, type or module");
    *out = sg_symbol(name);
    return SG_OK;
}

// names(module; all = false): what it defines, without the helpers whose names begin with '_'.
static sg_status native_names(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n != 1 || !sg_is(args->v[0], SG_OBJ_MODULE))
        return SG_RAISE_ARGUMENT(vm, args, "names needs a module");
    const sg_value *all = sg_args_find(vm, args, "all");
    const sg_module *module = (const sg_module *)args->v[0].o;
    if (!sg_module_complete(module))
        return SG_ERR_MEMORY;
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    *out = sg_object(list);
    for (size_t i = 0; list && i < module->cells.len; i++) {
        const sg_cell *cell = (const sg_cell *)(uintptr_t)module->cells.entries[i].value;
        bool hidden =
            (sg_vm_text(vm, cell->name)[0] == '_' && !(all && all->tag == SG_BOOL && all->b)) ||
            cell->name.i == module->name.i; // its own name, which leads to itself
        if (cell->value.tag != SG_UNDEF && !hidden &&
            !sg_array_push(vm, list, sg_symbol(cell->name)))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

bool sg_register_types(sg_vm *vm)
{
    static const sg_builtin list[] = {{"typeof", native_typeof, "typeof(x)"},
                                      {"isa", native_isa, "isa(x, T)"},
                                      {"typeassert", native_typeassert, "x::T"},
                                      {"convert", native_convert, "convert(T, x)"},
                                      {"float", native_float, "float(x)"},
                                      {"parse", native_parse, "parse(T, text)"},
                                      {"promote", native_promote, NULL},
                                      {"promote_type", native_promote_type, NULL},
                                      {"supertype", native_supertype, NULL},
                                      {"eltype", native_eltype, "eltype(a)"},
                                      {"fieldnames", native_fieldnames, "fieldnames(T)"},
                                      {"propertynames", native_fieldnames, NULL},
                                      {"getfield", native_getfield, NULL},
                                      {"getproperty", native_getfield, NULL},
                                      {"setfield!", native_setfield, NULL},
                                      {"setproperty!", native_setfield, NULL},
                                      {"hasproperty", native_hasfield, NULL},
                                      {"hasfield", native_hasfield, NULL},
                                      {"isequal", native_isequal, NULL},
                                      {"isless", native_isless, NULL},
                                      {"identity", native_identity, NULL},
                                      {"Val", native_val, NULL},
                                      {"Ref", native_ref, NULL},
                                      {"Symbol", native_symbol, NULL},
                                      {"error", native_error, NULL},
                                      {"throw", native_throw, NULL},
                                      {"rethrow", native_throw, NULL},
                                      {"_enum", helper_enum, NULL},
                                      {"instances", native_instances, NULL},
                                      {"eval", native_eval, NULL},
                                      {"include", native_include, "include(path)"},
                                      {"_isdefined", helper_isdefined, NULL},
                                      {"isdefined", helper_isdefined, NULL},
                                      {"applicable", native_applicable, NULL},
                                      {"methods", native_methods, NULL},
                                      {"nameof", native_nameof, NULL},
                                      {"names", native_names, "names(module)"}};
    if (!sg_register_all(vm, list, SG_COUNT(list)))
        return false;
    if (!sg_vm_offer(vm, NULL, "tryparse", native_parse, vm, NULL) ||
        !sg_vm_offer(vm, NULL, "isnothing", native_isnothing, (void *)(uintptr_t)SG_NOTHING,
                     NULL) ||
        !sg_vm_offer(vm, NULL, "ismissing", native_isnothing, (void *)(uintptr_t)SG_MISSING, NULL))
        return false;
    static const char *const exceptions[] = {
        "ErrorException",    "ArgumentError",     "AssertionError",     "BoundsError",
        "DimensionMismatch", "DimensionError",    "DivideError",        "DomainError",
        "InexactError",      "KeyError",          "LoadError",          "MethodError",
        "OverflowError",     "SingularException", "StackOverflowError", "SystemError",
        "TypeError",         "UndefKeywordError", "UndefRefError",      "UndefVarError",
        "InterruptException"};
    for (size_t i = 0; i < SG_COUNT(exceptions); i++)
        if (!sg_vm_offer(vm, NULL, exceptions[i], native_exception, NULL, NULL))
            return false;
    return true;
}
