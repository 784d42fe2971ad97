#include "lang/saved_values.h"

#include "lang/runtime.h"
#include "vm/function.h"
#include "vm/type.h"

typedef struct saved_object {
    sg_obj *o;       // of one that is read: null until it is made
    uint8_t kind;    // sg_obj_kind
    uint8_t applied; // a type with parameters
    uint32_t of;     // the type of an instance, the generic type of an applied one: its number
    uint32_t n;      // fields, parameters, captured variables
    sg_value *items; // that are read: parameters of an applied type, fields of an instance
    bool open;       // ... and is being made
} saved_object;

typedef struct values {
    sg_vm *vm;
    sg_archive *a;
    const sg_value *known;
    size_t n_known;
    sg_map number; // of an object that is written, by its address
    SG_VEC(saved_object) objects;
    sg_value *fresh; // what is read
    sg_arena scratch;
} values;

static void refuse(values *w, const char *why)
{
    w->a->refused = w->a->refused ? w->a->refused : why;
    w->a->failed = true;
}

// ---- texts ------------------------------------------------------------------------------------

static const char *archive_text(values *w, const char *text)
{
    size_t length = sg_archive_count(w->a, text ? strlen(text) : 0, 1);
    char *copy = w->a->failed ? NULL : sg_arena_alloc(&w->scratch, length + 1, 1);
    if (!copy) {
        w->a->failed = true;
        return "";
    }
    memcpy(copy, text ? text : "", text ? length : 0);
    if (length)
        sg_archive_bytes(w->a, copy, length);
    copy[length] = '\0';
    return copy;
}

static void archive_symbol(values *w, sg_sym *sym)
{
    bool any = sym->i != 0;
    SG_ARCHIVE(w->a, any);
    if (!any || w->a->failed) {
        *sym = (sg_sym){0};
        return;
    }
    const char *text = archive_text(w, sg_archive_reads(w->a) ? NULL : sg_vm_text(w->vm, *sym));
    if (sg_archive_reads(w->a) && !w->a->failed)
        *sym = sg_vm_sym(w->vm, text);
}

static void archive_unit(values *w, uint32_t *unit)
{
    sg_units *units = sg_runtime_of(w->vm)->units;
    bool any = *unit != SG_UNIT_NONE;
    SG_ARCHIVE(w->a, any);
    if (!any) {
        *unit = SG_UNIT_NONE;
        return;
    }
    const char *text = archive_text(w, sg_archive_reads(w->a) ? NULL : sg_unit_text(units, *unit));
    uint32_t id = sg_unit_parse(units, text, strlen(text), NULL, NULL, NULL);
    if (sg_archive_reads(w->a)) {
        *unit = id == SG_UNIT_BAD ? SG_UNIT_NONE : id;
        w->a->failed |= id == SG_UNIT_BAD;
    } else if (id != *unit) {
        refuse(w, "an object of the script with a unit that has no text");
    }
}

// ---- what the text defines --------------------------------------------------------------------

static sg_module *find_module(const values *w, const char *name)
{
    for (size_t i = 0; i < w->vm->modules.len; i++)
        if (strcmp(sg_vm_text(w->vm, w->vm->modules.data[i]->name), name) == 0)
            return w->vm->modules.data[i];
    return NULL;
}

// A global with this value; false if there is none that would be found again.
static bool find_global(const values *w, const sg_obj *o, const char **module, const char **name)
{
    for (size_t i = 0; i < w->vm->modules.len; i++) {
        const sg_module *m = w->vm->modules.data[i];
        *module = sg_vm_text(w->vm, m->name);
        for (size_t k = 0; k < m->cells.len && find_module(w, *module) == m; k++) {
            const sg_cell *cell = (const sg_cell *)(uintptr_t)m->cells.entries[k].value;
            *name = sg_vm_text(w->vm, (sg_sym){(uint32_t)m->cells.entries[k].key});
            if (cell->value.tag == SG_OBJECT && cell->value.o == o)
                return true;
        }
    }
    return false;
}

static void archive_global(values *w, saved_object *s)
{
    const char *module = NULL, *name = NULL;
    bool reads = sg_archive_reads(w->a);
    if (!reads && s->kind == SG_OBJ_MODULE)
        module = name = sg_vm_text(w->vm, ((const sg_module *)s->o)->name);
    else if (!reads && !find_global(w, s->o, &module, &name)) {
        refuse(w, "an object of the script with a function or type that has no global name");
        return;
    }
    module = archive_text(w, module);
    name = archive_text(w, name);
    if (!reads || w->a->failed)
        return;
    sg_module *m = find_module(w, module);
    sg_value value = m ? sg_module_get(m, sg_vm_sym(w->vm, name)) : (sg_value){.tag = SG_UNDEF};
    if (s->kind == SG_OBJ_MODULE)
        value = sg_object(m);
    w->a->failed |= !sg_is(value, (sg_obj_kind)s->kind);
    s->o = w->a->failed ? NULL : value.o;
}

// The code of an anonymous function by its place in the text.
static sg_proto *find_proto(const values *w, sg_sym name, sg_span place, uint32_t n_code)
{
    for (sg_obj *o = w->vm->objects; o; o = o->next) {
        sg_proto *p = (sg_proto *)o;
        if (o->kind == SG_OBJ_PROTO && p->name.i == name.i && p->n_code == n_code && n_code &&
            memcmp(&p->spans[0], &place, sizeof place) == 0)
            return p;
    }
    return NULL;
}

static void archive_closure(values *w, saved_object *s)
{
    const sg_closure *old = (const sg_closure *)s->o;
    sg_sym name = old ? old->proto->name : (sg_sym){0};
    uint32_t n_code = old ? old->proto->n_code : 0;
    sg_span place = old && n_code ? old->proto->spans[0] : (sg_span){0};
    s->n = old ? old->n : 0;
    archive_symbol(w, &name);
    SG_ARCHIVE(w->a, n_code);
    SG_ARCHIVE(w->a, place);
    s->n = (uint32_t)sg_archive_count(w->a, s->n, 1);
    sg_proto *proto = w->a->failed ? NULL : find_proto(w, name, place, n_code);
    if (old && proto != old->proto) {
        refuse(w, "an object of the script with a function whose place is not known");
        return;
    }
    if (old)
        return;
    sg_closure *closure =
        proto ? sg_heap_new(w->vm, SG_OBJ_CLOSURE, sizeof *closure + s->n * sizeof(sg_cell *))
              : NULL;
    w->a->failed |= !closure;
    if (!closure)
        return;
    closure->proto = proto;
    closure->n = s->n;
    s->o = &closure->head;
}

// ---- values -----------------------------------------------------------------------------------

static uint32_t number_of(values *w, sg_obj *o)
{
    const uint64_t *known = sg_map_get(&w->number, (uintptr_t)o);
    if (known)
        return (uint32_t)*known;
    saved_object fresh = {.o = o, .kind = o->kind};
    if (!SG_PUSH(w->vm->allocator, &w->objects, fresh) ||
        !sg_map_put(&w->number, (uintptr_t)o, w->objects.len - 1))
        w->a->failed = true;
    return (uint32_t)w->objects.len - 1;
}

// The number of an object, or null. Its object where it is read and made already.
static uint32_t archive_number(values *w, const void *object)
{
    uint32_t number =
        object && !sg_archive_reads(w->a) ? number_of(w, (sg_obj *)(uintptr_t)object) + 1 : 0;
    SG_ARCHIVE(w->a, number);
    if (number > w->objects.len) {
        w->a->failed = true;
        return 0;
    }
    return number;
}

static sg_obj *object_of(values *w, uint32_t number)
{
    sg_obj *o = number && !w->a->failed ? w->objects.data[number - 1].o : NULL;
    w->a->failed |= number && !o;
    return o;
}

static sg_obj *archive_object(values *w, void *object, sg_obj_kind kind)
{
    uint32_t number = archive_number(w, object);
    if (!sg_archive_reads(w->a))
        return object;
    sg_obj *o = object_of(w, number);
    if (o && o->kind != kind) {
        w->a->failed = true;
        return NULL;
    }
    return o;
}

// Of an object that is read, its number is in `i` until it is known (finish_value).
static void archive_plain(values *w, sg_value *v)
{
    bool reads = sg_archive_reads(w->a);
    SG_ARCHIVE(w->a, v->tag);
    if (w->a->failed || v->tag > SG_OBJECT) {
        w->a->failed = true;
        *v = SG_VALUE_NOTHING;
    } else if (v->tag == SG_OBJECT) {
        uint32_t number = archive_number(w, reads ? NULL : v->o);
        w->a->failed |= !number;
        if (reads)
            v->i = number;
    } else if (v->tag == SG_SYMBOL) {
        sg_sym sym = reads ? (sg_sym){0} : v->sym;
        archive_symbol(w, &sym);
        *v = sg_symbol(sym);
    } else if (v->tag == SG_UNIT || v->tag == SG_QTY || v->tag == SG_QTY_INT) {
        archive_unit(w, &v->aux);
        SG_ARCHIVE(w->a, v->i);
    } else {
        SG_ARCHIVE(w->a, v->aux);
        SG_ARCHIVE(w->a, v->i);
        if (v->tag == SG_BOOL)
            v->i = v->i != 0;
    }
}

static void finish_value(values *w, sg_value *v)
{
    if (!sg_archive_reads(w->a) || v->tag != SG_OBJECT)
        return;
    sg_obj *o = w->a->failed ? NULL : object_of(w, (uint32_t)v->i);
    *v = o ? sg_object(o) : SG_VALUE_NOTHING;
}

static void archive_value(values *w, sg_value *v)
{
    archive_plain(w, v);
    finish_value(w, v);
}

// ---- objects ----------------------------------------------------------------------------------

// All that an object leads to gets a number, also what that leads to.
static void number_parts(values *w, sg_obj *o)
{
    sg_value *v = NULL;
    size_t n = 0, at = 0;
    sg_dict_entry entry;
    switch ((sg_obj_kind)o->kind) {
    case SG_OBJ_ARRAY:
        v = ((sg_array *)o)->elem == SG_ELEM_ANY ? ((sg_array *)o)->v : NULL;
        n = v ? ((sg_array *)o)->len : 0;
        if (((sg_array *)o)->eltype)
            number_of(w, &((sg_array *)o)->eltype->head);
        break;
    case SG_OBJ_RANGE: // of numbers
    case SG_OBJ_STRING:
    case SG_OBJ_FUNCTION:
    case SG_OBJ_MODULE:
        break;
    case SG_OBJ_TUPLE:
    case SG_OBJ_NAMED_TUPLE:
    case SG_OBJ_PAIR:
        v = ((sg_tuple *)o)->items;
        n = ((sg_tuple *)o)->n;
        break;
    case SG_OBJ_DICT:
        while (sg_dict_next((sg_dict *)o, &at, &entry)) {
            if (entry.key.tag == SG_OBJECT)
                number_of(w, entry.key.o);
            if (entry.value.tag == SG_OBJECT)
                number_of(w, entry.value.o);
        }
        break;
    case SG_OBJ_CLOSURE:
        for (uint32_t i = 0; i < ((sg_closure *)o)->n; i++)
            number_of(w, &((sg_closure *)o)->cells[i]->head);
        break;
    case SG_OBJ_CELL:
        v = &((sg_cell *)o)->value;
        n = 1;
        break;
    case SG_OBJ_TYPE:
        v = ((sg_type *)o)->generic ? ((sg_type *)o)->params : NULL;
        n = v ? ((sg_type *)o)->n_params : 0;
        if (((sg_type *)o)->generic)
            number_of(w, &((sg_type *)o)->generic->head);
        break;
    case SG_OBJ_STRUCT:
        v = ((sg_struct *)o)->fields;
        n = ((sg_struct *)o)->n;
        number_of(w, &((sg_struct *)o)->type->head);
        break;
    case SG_OBJ_NATIVE:
        for (size_t i = 0; i < w->n_known; i++)
            if (w->known[i].tag == SG_OBJECT && w->known[i].o == o)
                return;
        refuse(w, "an object of the script that holds one of the host, such as a path or a file");
        break;
    case SG_OBJ_QUOTE:
    case SG_OBJ_EXCEPTION:
    case SG_OBJ_PROTO:
        refuse(w, "an object of the script that holds a quoted expression or an exception");
        break;
    }
    for (size_t i = 0; i < n; i++)
        if (v[i].tag == SG_OBJECT)
            number_of(w, v[i].o);
}

static void archive_array_head(values *w, saved_object *s)
{
    sg_array *old = (sg_array *)s->o;
    uint32_t elem = old ? old->elem : 0, ndims = old ? old->ndims : 0, unit = old ? old->unit : 0;
    uint16_t flags = old ? old->head.flags : 0;
    size_t dims[SG_MAX_DIMS] = {0}, len = old ? old->len : 0;
    memcpy(dims, old ? old->dims : dims, sizeof dims);
    flags &= (uint16_t)~SG_ARRAY_SHARED;
    SG_ARCHIVE(w->a, elem);
    SG_ARCHIVE(w->a, ndims);
    SG_ARCHIVE(w->a, flags);
    SG_ARCHIVE(w->a, dims);
    archive_unit(w, &unit);
    len = sg_archive_count(w->a, len, 1);
    if (!sg_archive_reads(w->a))
        return;
    w->a->failed |= elem > SG_ELEM_BOOL || ndims < 1 || ndims > SG_MAX_DIMS;
    size_t product = 1;
    for (uint32_t i = 0; i < ndims && !w->a->failed; i++) {
        w->a->failed |= dims[i] > len && len;
        product = w->a->failed || (dims[i] && product > len / dims[i] && len) ? SIZE_MAX
                                                                              : product * dims[i];
        w->a->failed |= product == SIZE_MAX;
    }
    sg_array *array =
        w->a->failed || product != len ? NULL : sg_array_make(w->vm, (sg_elem)elem, ndims, dims);
    w->a->failed |= !array;
    if (!array)
        return;
    array->head.flags = flags;
    array->unit = unit;
    s->o = &array->head;
}

static void archive_tuple_head(values *w, saved_object *s)
{
    const sg_tuple *old = (const sg_tuple *)s->o;
    s->n = (uint32_t)sg_archive_count(w->a, old ? old->n : 0, sizeof(uint32_t));
    bool named = s->kind == SG_OBJ_NAMED_TUPLE;
    sg_sym *names = named ? SG_NEW_ARRAY(&w->scratch, sg_sym, (size_t)s->n + 1) : NULL;
    w->a->failed |= (named && !names) || (s->kind == SG_OBJ_PAIR && s->n != 2);
    for (uint32_t i = 0; named && i < s->n && !w->a->failed; i++) {
        names[i] = old ? old->names[i] : (sg_sym){0};
        archive_symbol(w, &names[i]);
    }
    if (!sg_archive_reads(w->a) || w->a->failed)
        return;
    sg_value made = named ? sg_object(sg_named_tuple_make(w->vm, s->n, names))
                    : s->kind == SG_OBJ_PAIR
                        ? sg_pair_make(w->vm, SG_VALUE_NOTHING, SG_VALUE_NOTHING)
                        : sg_object(sg_tuple_make(w->vm, s->n));
    w->a->failed |= made.tag == SG_UNDEF;
    s->o = made.tag == SG_UNDEF ? NULL : made.o;
}

static void archive_dict_head(values *w, saved_object *s)
{
    const sg_dict *old = (const sg_dict *)s->o;
    sg_sym class_ = old ? old->class_ : (sg_sym){0};
    uint16_t flags = old ? old->head.flags : 0;
    SG_ARCHIVE(w->a, flags);
    archive_symbol(w, &class_);
    if (old || w->a->failed)
        return;
    sg_dict *dict = sg_dict_make(w->vm, class_);
    w->a->failed |= !dict;
    if (dict)
        dict->head.flags = flags;
    s->o = dict ? &dict->head : NULL;
}

static void archive_type_head(values *w, saved_object *s)
{
    const sg_type *old = (const sg_type *)s->o;
    s->applied = old && old->generic;
    SG_ARCHIVE(w->a, s->applied);
    if (!s->applied) {
        archive_global(w, s);
        return;
    }
    s->of = archive_number(w, old ? &old->generic->head : NULL);
    s->n = (uint32_t)sg_archive_count(w->a, old ? old->n_params : 0, sizeof(uint32_t));
    s->items = SG_NEW_ARRAY(&w->scratch, sg_value, (size_t)s->n + 1);
    w->a->failed |= !s->items || !s->of;
    for (uint32_t i = 0; i < s->n && !w->a->failed; i++) {
        s->items[i] = old ? old->params[i] : SG_VALUE_NOTHING;
        archive_plain(w, &s->items[i]);
    }
}

static void archive_native(values *w, saved_object *s)
{
    size_t i = 0;
    while (s->o && i < w->n_known && w->known[i].o != s->o)
        i++;
    SG_ARCHIVE(w->a, i);
    w->a->failed |= i >= w->n_known;
    if (!w->a->failed)
        s->o = w->known[i].o;
}

// What an object is, so that it can be made before anything refers to it.
static void archive_head(values *w, saved_object *s)
{
    sg_archive *a = w->a;
    bool reads = sg_archive_reads(a);
    SG_ARCHIVE(a, s->kind);
    if (a->failed || s->kind >= SG_OBJ_PROTO || s->kind == SG_OBJ_QUOTE) {
        a->failed = true;
        return;
    }
    switch ((sg_obj_kind)s->kind) {
    case SG_OBJ_STRING: {
        const char *text = archive_text(w, reads ? NULL : ((sg_string *)s->o)->text);
        sg_string *string = reads ? sg_string_make(w->vm, text, strlen(text)) : (sg_string *)s->o;
        if (!reads && !sg_string_is_plain(string))
            refuse(w, "an object of the script with a text that contains a zero");
        s->o = string ? &string->head : NULL;
        a->failed |= !string;
        break;
    }
    case SG_OBJ_ARRAY:
        archive_array_head(w, s);
        break;
    case SG_OBJ_RANGE:
        if (reads) {
            sg_value range = sg_range_make(w->vm, sg_int(0), sg_int(1), 0);
            a->failed |= range.tag == SG_UNDEF;
            s->o = range.tag == SG_UNDEF ? NULL : range.o;
        }
        break;
    case SG_OBJ_TUPLE:
    case SG_OBJ_NAMED_TUPLE:
    case SG_OBJ_PAIR:
        archive_tuple_head(w, s);
        break;
    case SG_OBJ_DICT:
        archive_dict_head(w, s);
        break;
    case SG_OBJ_FUNCTION:
    case SG_OBJ_MODULE:
        archive_global(w, s);
        break;
    case SG_OBJ_TYPE:
        archive_type_head(w, s);
        break;
    case SG_OBJ_CLOSURE:
        archive_closure(w, s);
        break;
    case SG_OBJ_CELL: {
        sg_sym name = reads ? (sg_sym){0} : ((sg_cell *)s->o)->name;
        archive_symbol(w, &name);
        sg_cell *cell = reads && !a->failed ? sg_cell_make(w->vm, name) : (sg_cell *)s->o;
        a->failed |= !cell;
        s->o = cell ? &cell->head : NULL;
        break;
    }
    case SG_OBJ_STRUCT:
        s->of = archive_number(w, reads ? NULL : &((sg_struct *)s->o)->type->head);
        s->n = (uint32_t)sg_archive_count(a, reads ? 0 : ((sg_struct *)s->o)->n, sizeof(uint32_t));
        break;
    case SG_OBJ_NATIVE:
        archive_native(w, s);
        break;
    case SG_OBJ_QUOTE:
    case SG_OBJ_EXCEPTION:
    case SG_OBJ_PROTO:
        a->failed = true;
        break;
    }
}

// An applied type, once what it is made of is there; types in types are few levels deep.
static sg_type *make_type(values *w, uint32_t number, int level)
{
    enum { MOST_LEVELS = 16 };
    saved_object *s = number ? &w->objects.data[number - 1] : NULL;
    if (!s || s->kind != SG_OBJ_TYPE || level > MOST_LEVELS || s->open) {
        w->a->failed = true;
        return NULL;
    }
    if (s->o || !s->applied)
        return (sg_type *)s->o;
    s->open = true;
    sg_type *generic = make_type(w, s->of, level + 1);
    for (uint32_t i = 0; i < s->n && !w->a->failed; i++) {
        uint32_t at = s->items[i].tag == SG_OBJECT ? (uint32_t)s->items[i].i : 0;
        if (at && w->objects.data[at - 1].kind == SG_OBJ_TYPE)
            make_type(w, at, level + 1);
        finish_value(w, &s->items[i]);
    }
    sg_type *type = w->a->failed || !generic ? NULL : sg_type_apply(w->vm, generic, s->items, s->n);
    w->a->failed |= !type;
    s->o = type ? &type->head : NULL;
    s->open = false;
    return type;
}

static void make_struct(values *w, saved_object *s)
{
    sg_type *type = make_type(w, s->of, 0);
    if (s->o && ((sg_struct *)s->o)->type == type && ((sg_struct *)s->o)->n == s->n)
        return; // the object that is there
    const sg_type *shape = type && type->generic ? type->generic : type;
    w->a->failed |= !shape || shape->n_fields != s->n;
    sg_struct *made =
        w->a->failed ? NULL
                     : sg_heap_new(w->vm, SG_OBJ_STRUCT, sizeof *made + s->n * sizeof(sg_value));
    w->a->failed |= !made;
    s->o = made ? &made->head : NULL;
    if (!made)
        return;
    made->type = type;
    made->n = s->n;
}

static void archive_entries(values *w, sg_dict *dict)
{
    size_t n = sg_archive_count(w->a, sg_dict_len(dict), 2 * sizeof(uint32_t)), at = 0;
    for (size_t i = 0; i < n && !w->a->failed; i++) {
        sg_dict_entry e = {.key = SG_VALUE_NOTHING, .value = SG_VALUE_NOTHING};
        if (!sg_archive_reads(w->a) && !sg_dict_next(dict, &at, &e))
            break;
        archive_value(w, &e.key);
        archive_value(w, &e.value);
        if (sg_archive_reads(w->a) && !w->a->failed &&
            !sg_dict_put(w->vm, dict, e.key, e.value, (sg_span){0}))
            w->a->failed = true;
    }
}

// An object that stays keeps its fields until all went well.
static void archive_fields(values *w, saved_object *o)
{
    sg_struct *s = (sg_struct *)o->o;
    const sg_type *shape = s->type->generic ? s->type->generic : s->type;
    o->items = SG_NEW_ARRAY(&w->scratch, sg_value, (size_t)s->n + 1);
    w->a->failed |= !o->items;
    for (uint32_t i = 0; i < s->n && !w->a->failed; i++) {
        o->items[i] = s->fields[i];
        archive_value(w, &o->items[i]);
        const sg_type *declared = shape->field_types ? shape->field_types[i] : NULL;
        bool fits = !sg_archive_reads(w->a) || !declared || declared->is_var ||
                    o->items[i].tag == SG_UNDEF || sg_isa(w->vm, o->items[i], declared);
        w->a->failed |= !fits;
    }
}

static void archive_content(values *w, saved_object *s)
{
    sg_archive *a = w->a;
    sg_value *v = NULL;
    size_t n = 0;
    switch ((sg_obj_kind)s->kind) {
    case SG_OBJ_ARRAY: {
        sg_array *array = (sg_array *)s->o;
        array->eltype =
            (sg_type *)archive_object(w, array->eltype, SG_OBJ_TYPE); // null if there is none
        if (array->elem == SG_ELEM_ANY) {
            v = array->v;
            n = array->len;
        } else if (array->len) {
            sg_archive_bytes(a, array->data, array->len * sg_elem_size((sg_elem)array->elem));
        }
        break;
    }
    case SG_OBJ_RANGE: {
        sg_range *range = (sg_range *)s->o;
        archive_value(w, &range->start);
        archive_value(w, &range->step);
        SG_ARCHIVE(a, range->len);
        SG_ARCHIVE(a, range->num);
        SG_ARCHIVE(a, range->num_step);
        SG_ARCHIVE(a, range->den);
        a->failed |= range->start.tag == SG_OBJECT || range->step.tag == SG_OBJECT;
        break;
    }
    case SG_OBJ_TUPLE:
    case SG_OBJ_NAMED_TUPLE:
    case SG_OBJ_PAIR:
        v = ((sg_tuple *)s->o)->items;
        n = ((sg_tuple *)s->o)->n;
        break;
    case SG_OBJ_DICT:
        archive_entries(w, (sg_dict *)s->o);
        break;
    case SG_OBJ_CLOSURE:
        for (uint32_t i = 0; i < s->n && !a->failed; i++) {
            sg_cell **cell = &((sg_closure *)s->o)->cells[i];
            *cell = (sg_cell *)archive_object(w, *cell, SG_OBJ_CELL);
            a->failed |= !*cell;
        }
        break;
    case SG_OBJ_CELL:
        v = &((sg_cell *)s->o)->value;
        n = 1;
        break;
    case SG_OBJ_STRUCT:
        archive_fields(w, s);
        break;
    case SG_OBJ_STRING:
    case SG_OBJ_FUNCTION:
    case SG_OBJ_TYPE:
    case SG_OBJ_MODULE:
    case SG_OBJ_QUOTE:
    case SG_OBJ_NATIVE:
    case SG_OBJ_EXCEPTION:
    case SG_OBJ_PROTO:
        break;
    }
    for (size_t i = 0; i < n && !a->failed; i++)
        archive_value(w, &v[i]);
}

// ---- all of them ------------------------------------------------------------------------------

static void write_values(values *w, sg_value *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].tag == SG_OBJECT)
            number_of(w, list[i].o);
    for (size_t i = 0; i < w->objects.len && !w->a->failed; i++)
        number_parts(w, w->objects.data[i].o);
    sg_archive_count(w->a, w->objects.len, 1);
    for (size_t i = 0; i < n; i++)
        archive_plain(w, &list[i]);
    for (size_t i = 0; i < w->objects.len && !w->a->failed; i++)
        archive_head(w, &w->objects.data[i]);
}

static void read_values(values *w, sg_value *list, size_t n)
{
    size_t n_objects = sg_archive_count(w->a, 0, 1);
    sg_value *fresh = SG_NEW_ARRAY(&w->scratch, sg_value, n + 1);
    for (size_t i = 0; i < n_objects && !w->a->failed; i++)
        w->a->failed |= !SG_PUSH(w->vm->allocator, &w->objects, (saved_object){0});
    w->a->failed |= !fresh;
    for (size_t i = 0; i < n && !w->a->failed; i++) {
        fresh[i] = SG_VALUE_NOTHING;
        archive_plain(w, &fresh[i]);
    }
    for (size_t i = 0; i < n_objects && !w->a->failed; i++)
        archive_head(w, &w->objects.data[i]);
    for (size_t i = 0; i < n && !w->a->failed; i++)
        if (fresh[i].tag == SG_OBJECT && sg_is(list[i], SG_OBJ_STRUCT) &&
            w->objects.data[fresh[i].i - 1].kind == SG_OBJ_STRUCT)
            w->objects.data[fresh[i].i - 1].o = list[i].o;
    for (size_t i = 0; i < n_objects && !w->a->failed; i++)
        if (w->objects.data[i].kind == SG_OBJ_TYPE)
            make_type(w, (uint32_t)i + 1, 0);
    for (size_t i = 0; i < n_objects && !w->a->failed; i++)
        if (w->objects.data[i].kind == SG_OBJ_STRUCT)
            make_struct(w, &w->objects.data[i]);
    w->fresh = fresh;
}

static void take_over(values *w, sg_value *list, size_t n)
{
    for (size_t i = 0; i < w->objects.len; i++) {
        saved_object *s = &w->objects.data[i];
        if (s->kind == SG_OBJ_STRUCT && s->n)
            memcpy(((sg_struct *)s->o)->fields, s->items, s->n * sizeof *s->items);
    }
    for (size_t i = 0; i < n; i++) {
        finish_value(w, &w->fresh[i]);
        list[i] = w->fresh[i];
    }
}

void sg_values_archive(sg_vm *vm, sg_value *list, size_t n, const sg_value *known, size_t n_known,
                       sg_archive *a)
{
    values w = {.vm = vm, .a = a, .known = known, .n_known = n_known};
    sg_map_init(&w.number, vm->allocator);
    sg_arena_init(&w.scratch, vm->allocator);
    sg_archive_section(a, "objects of the script");
    if (sg_archive_reads(a))
        read_values(&w, list, n);
    else
        write_values(&w, list, n);
    for (size_t i = 0; i < w.objects.len && !a->failed; i++)
        archive_content(&w, &w.objects.data[i]);
    if (sg_archive_reads(a) && !a->failed)
        take_over(&w, list, n);
    sg_map_free(&w.number);
    sg_arena_destroy(&w.scratch);
    SG_VEC_FREE(vm->allocator, &w.objects);
}
