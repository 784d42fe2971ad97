#include "model/connect.h"

#include "base/assert.h"
#include "model/convert.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

enum { MAX_REFS = 100000, MAX_VARS = 256 };

// One reference of a connection.
typedef struct end {
    sg_sym name;    // full name
    sg_value value; // what the dictionaries say it is; SG_UNDEF for an undeclared variable
    bool inner;     // a connector of this component itself, not of one inside it
    sg_span span;
} end;

typedef struct connection_set {
    SG_VEC(end) ends;
    sg_span span;
} connection_set;

// The variables of a connector with dotted names below it.
typedef struct port {
    sg_sym potentials[MAX_VARS], flows[MAX_VARS];
    uint32_t n_potentials, n_flows;
} port;

static bool is_var(const sg_instance *instance, sg_value value)
{
    return sg_model_is_class(instance, value, "Var");
}

static bool is_model(const sg_instance *instance, sg_value value)
{
    return sg_is(value, SG_OBJ_DICT) && !is_var(instance, value) &&
           !sg_model_is_class(instance, value, "Par");
}

bool sg_connect_is_connector(const sg_instance *instance, sg_value value)
{
    if (!is_model(instance, value))
        return false;
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next((sg_dict *)value.o, &at, &e);)
        if (is_var(instance, e.value) && sg_model_flag(instance, (sg_dict *)e.value.o, "flow"))
            return true;
    return false;
}

static void collect_below(sg_instance *instance, const sg_dict *dict, sg_sym below, port *out)
{
    // Unmarked variables in front of a flow count as potentials.
    sg_sym waiting[MAX_VARS];
    uint32_t n_waiting = 0;
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(dict, &at, &e);) {
        if (e.key.tag != SG_SYMBOL)
            continue;
        sg_sym name = sg_model_join(instance, below, sg_sym_text(instance->vm->symbols, e.key.sym));
        if (!is_var(instance, e.value)) {
            if (is_model(instance, e.value))
                collect_below(instance, (sg_dict *)e.value.o, name, out);
            continue;
        }
        const sg_dict *var = (sg_dict *)e.value.o;
        if (sg_model_flag(instance, var, "flow")) {
            for (uint32_t i = 0; i < n_waiting && out->n_potentials < MAX_VARS; i++)
                out->potentials[out->n_potentials++] = waiting[i];
            n_waiting = 0;
            if (out->n_flows < MAX_VARS)
                out->flows[out->n_flows++] = name;
        } else if (sg_model_flag(instance, var, "potential")) {
            if (out->n_potentials < MAX_VARS)
                out->potentials[out->n_potentials++] = name;
        } else if (n_waiting < MAX_VARS) {
            waiting[n_waiting++] = name;
        }
    }
}

static void collect_port(sg_instance *instance, const sg_dict *dict, port *out)
{
    out->n_potentials = out->n_flows = 0;
    collect_below(instance, dict, (sg_sym){0}, out);
}

// The value of `key`, or of the element of an array of components called key_1, key_2, ...
static bool find_key(const sg_instance *instance, const sg_dict *dict, const char *key,
                     size_t length, sg_value *out)
{
    const sg_symbols *symbols = instance->vm->symbols;
    sg_sym sym = sg_sym_find(symbols, key, length);
    if (sym.i && sg_dict_get_sym(dict, sym, out))
        return true;
    size_t digits = 0, number = 0, place = 1;
    while (digits < length && digits < 9 && key[length - 1 - digits] >= '0' &&
           key[length - 1 - digits] <= '9') {
        number += place * (size_t)(key[length - 1 - digits] - '0');
        place *= 10;
        digits++;
    }
    if (!digits || digits + 1 >= length || key[length - 1 - digits] != '_' || number == 0)
        return false;
    sym = sg_sym_find(symbols, key, length - 1 - digits);
    sg_value array;
    if (!sym.i || !sg_dict_get_sym(dict, sym, &array) || !sg_is(array, SG_OBJ_ARRAY) ||
        number > ((sg_array *)array.o)->len)
        return false;
    *out = sg_array_get((sg_array *)array.o, number - 1);
    return true;
}

static const char *closest_key(const sg_instance *instance, const sg_dict *dict, const char *key,
                               size_t length)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)length, key);
    return sg_model_closest_key(instance, dict, name);
}

// Follows a dotted name through the dictionaries. An undeclared variable ends the walk without
// error, but only as the last part; a missing component is an error.
static bool resolve_end(sg_instance *instance, const sg_dict *dict, const char *text, end *e)
{
    sg_value at = sg_object((void *)(uintptr_t)dict);
    const char *part = text;
    e->inner = strchr(text, '.') == NULL;
    while (*part) {
        size_t length = strcspn(part, ".");
        bool last = part[length] == '\0';
        sg_value next;
        if (!find_key(instance, (sg_dict *)at.o, part, length, &next)) {
            if (last && (part == text || !sg_connect_is_connector(instance, at))) {
                e->value = (sg_value){.tag = SG_UNDEF};
                return true;
            }
            const char *hint = closest_key(instance, (sg_dict *)at.o, part, length);
            sg_error(instance->vm->diags, SG_E_CONNECT, e->span,
                     "'%.*s' is not found while following '%s'%s%s%s", (int)length, part, text,
                     hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
            return false;
        }
        if (!last && !is_model(instance, next)) {
            sg_error(instance->vm->diags, SG_E_CONNECT, e->span,
                     "'%.*s' in '%s' is not a component", (int)length, part, text);
            return false;
        }
        at = next;
        part += length + !last;
    }
    e->value = at;
    return true;
}

static bool read_tuple(sg_instance *instance, const sg_dict *dict, sg_sym path, const sg_ast *ast,
                       connection_set *out)
{
    const sg_allocator *allocator = instance->vm->allocator;
    uint32_t from = ast->kind == SG_AST_CALL ? 1 : 0;
    bool ok = true;
    out->span = ast->span;
    if (ast->n - from < 2) {
        sg_error(instance->vm->diags, SG_E_CONNECT, ast->span,
                 "a connection joins two or more connectors or signals");
        return false;
    }
    for (uint32_t i = from; i < ast->n; i++) {
        sg_buf text;
        sg_buf_init(&text, allocator);
        end e = {.span = ast->kids[i]->span};
        if (!sg_convert_reference(instance, ast->kids[i], &text)) {
            sg_error(instance->vm->diags, SG_E_CONNECT, e.span,
                     "a connection joins names such as 'component.connector'");
            ok = false;
        } else if (resolve_end(instance, dict, sg_buf_text(&text), &e)) {
            e.name = sg_model_join(instance, path, sg_buf_text(&text));
            ok &= SG_PUSH(allocator, &out->ends, e);
        } else {
            ok = false;
        }
        sg_buf_free(&text);
    }
    return ok;
}

static bool same_names(const sg_sym *a, uint32_t n, const sg_sym *b, uint32_t m)
{
    if (n != m)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!sg_sym_equal(a[i], b[i]))
            return false;
    return true;
}

static void list_names(const sg_instance *instance, const port *p, sg_buf *out)
{
    for (uint32_t i = 0; i < p->n_potentials; i++)
        sg_buf_printf(out, "%s%s", i ? ", " : "",
                      sg_sym_text(instance->vm->symbols, p->potentials[i]));
    sg_buf_puts(out, " | ");
    for (uint32_t i = 0; i < p->n_flows; i++)
        sg_buf_printf(out, "%s%s", i ? ", " : "", sg_sym_text(instance->vm->symbols, p->flows[i]));
}

static void report_mismatch(sg_instance *instance, const end *a, const port *pa, const end *b,
                            const port *pb)
{
    sg_buf ta, tb;
    sg_buf_init(&ta, instance->vm->allocator);
    sg_buf_init(&tb, instance->vm->allocator);
    list_names(instance, pa, &ta);
    list_names(instance, pb, &tb);
    sg_error(instance->vm->diags, SG_E_CONNECT, b->span,
             "'%s' (%s) and '%s' (%s) do not fit together: connectors need the same potentials "
             "and flows",
             sg_sym_text(instance->vm->symbols, a->name), sg_buf_text(&ta),
             sg_sym_text(instance->vm->symbols, b->name), sg_buf_text(&tb));
    sg_buf_free(&ta);
    sg_buf_free(&tb);
}

static sg_expr_id member(sg_instance *instance, sg_sym connector, sg_sym name, sg_span span)
{
    sg_symbols *symbols = instance->vm->symbols;
    sg_sym full = sg_model_join(instance, connector, sg_sym_text(symbols, name));
    sg_par_id par = sg_flat_par_find(&instance->flat, full);
    if (par.i)
        return sg_expr_par(&instance->flat.exprs, par);
    return sg_expr_var(&instance->flat.exprs, sg_flat_var_add(&instance->flat, full, span));
}

static sg_expr_id signal_of(sg_instance *instance, const end *e)
{
    sg_par_id par = sg_flat_par_find(&instance->flat, e->name);
    if (par.i)
        return sg_expr_par(&instance->flat.exprs, par);
    return sg_expr_var(&instance->flat.exprs, sg_flat_var_add(&instance->flat, e->name, e->span));
}

static bool connect_signals(sg_instance *instance, const connection_set *s, sg_sym path)
{
    for (size_t i = 1; i < s->ends.len; i++)
        sg_flat_eq_add(&instance->flat, signal_of(instance, &s->ends.data[i - 1]),
                       signal_of(instance, &s->ends.data[i]), s->span, path, SG_EQ_CONNECTION);
    return true;
}

static bool connect_ports(sg_instance *instance, const connection_set *s, sg_sym path)
{
    sg_exprs *x = &instance->flat.exprs;
    port of_first, other, *first = &of_first, *p = &other;
    const end *ends = s->ends.data;
    collect_port(instance, (sg_dict *)ends[0].value.o, first);
    for (size_t i = 1; i < s->ends.len; i++) {
        collect_port(instance, (sg_dict *)ends[i].value.o, p);
        if (!same_names(first->potentials, first->n_potentials, p->potentials, p->n_potentials) ||
            !same_names(first->flows, first->n_flows, p->flows, p->n_flows)) {
            report_mismatch(instance, &ends[0], first, &ends[i], p);
            return false;
        }
        for (uint32_t k = 0; k < first->n_potentials; k++)
            sg_flat_eq_add(&instance->flat,
                           member(instance, ends[i - 1].name, first->potentials[k], s->span),
                           member(instance, ends[i].name, first->potentials[k], s->span), s->span,
                           path, SG_EQ_CONNECTION);
    }
    for (uint32_t k = 0; k < first->n_flows; k++) {
        sg_expr_id sums[2] = {{0}, {0}}; // inflow, outflow
        for (size_t i = 0; i < s->ends.len; i++) {
            sg_expr_id f = member(instance, ends[i].name, first->flows[k], s->span);
            sg_expr_id *sum = &sums[ends[i].inner ? 0 : 1];
            *sum = sum->i ? sg_expr_add(x, *sum, f) : f;
        }
        for (int i = 0; i < 2; i++)
            if (!sums[i].i)
                sums[i] = sg_expr_int(x, 0);
        sg_flat_eq_add(&instance->flat, sums[0], sums[1], s->span, path, SG_EQ_CONNECTION);
    }
    return true;
}

// A joint that has a brother with a flange, as Revolute has RevoluteWithFlange.
static const char *kind_with_flange(const sg_instance *instance, const sg_dict *dict)
{
    sg_vm *vm = instance->vm;
    sg_value kind;
    if (!sg_model_attribute(instance, dict, "_constructor", &kind))
        return NULL;
    if (sg_is(kind, SG_OBJ_DICT))
        sg_model_attribute(instance, (sg_dict *)kind.o, "value", &kind);
    if (kind.tag != SG_SYMBOL)
        return NULL;
    char text[64];
    snprintf(text, sizeof text, "%sWithFlange", sg_vm_text(vm, kind.sym));
    sg_sym other = sg_sym_find(vm->symbols, text, strlen(text));
    return other.i ? sg_vm_text(vm, other) : NULL;
}

// The last part of a name may be a variable that nobody declared, but not a connector.
static void report_missing(sg_instance *instance, const end *e)
{
    sg_vm *vm = instance->vm;
    const char *name = sg_vm_text(vm, e->name), *dot = strrchr(name, '.');
    const char *names[MAX_VARS];
    size_t n = 0;
    sg_sym owner = dot ? sg_sym_find(vm->symbols, name, (size_t)(dot - name)) : (sg_sym){0};
    const sg_dict *dict = sg_model_component(instance, owner);
    sg_dict_entry entry;
    for (size_t at = 0; dict && n < MAX_VARS && sg_dict_next(dict, &at, &entry);)
        if (entry.key.tag == SG_SYMBOL && sg_connect_is_connector(instance, entry.value))
            names[n++] = sg_vm_text(vm, entry.key.sym);
    const char *hint = sg_closest_name(dot ? dot + 1 : name, names, n);
    const char *other = dict && !n ? kind_with_flange(instance, dict) : NULL;
    sg_error(vm->diags, SG_E_CONNECT, e->span, "there is no connector '%s'%s%s%s", name,
             hint    ? "; did you mean '"
             : other ? "; a joint with one is made by '"
                     : "",
             hint    ? hint
             : other ? other
                     : "",
             hint    ? "'?"
             : other ? "'"
                     : "");
}

static bool connect_set(sg_instance *instance, const connection_set *s, sg_sym path)
{
    bool connector = sg_connect_is_connector(instance, s->ends.data[0].value);
    for (size_t i = 0; i < s->ends.len; i++) {
        const end *e = &s->ends.data[i];
        bool is_port = sg_connect_is_connector(instance, e->value);
        if (is_port != connector) {
            const end *missing = e->value.tag == SG_UNDEF ? e : &s->ends.data[0];
            if (missing->value.tag == SG_UNDEF)
                report_missing(instance, missing);
            else
                sg_error(instance->vm->diags, SG_E_CONNECT, e->span,
                         "a connector and a signal cannot be connected: '%s' is a %s, '%s' is a %s",
                         sg_sym_text(instance->vm->symbols, s->ends.data[0].name),
                         connector ? "connector" : "signal",
                         sg_sym_text(instance->vm->symbols, e->name),
                         is_port ? "connector" : "signal");
            return false;
        }
        if (!is_port && is_model(instance, e->value)) {
            sg_error(instance->vm->diags, SG_E_CONNECT, e->span,
                     "'%s' is a component without flows; connect its variables one by one",
                     sg_sym_text(instance->vm->symbols, e->name));
            return false;
        }
        if (!e->inner)
            sg_map_put(&instance->connected, e->name.i, 1);
    }
    return connector ? connect_ports(instance, s, path) : connect_signals(instance, s, path);
}

// Sets on their way to be united: lists of references, so that any two are joined at once however
// many references they have.
typedef struct union_list {
    uint32_t first, last; // links, counted from 1; 0 for an empty list
    uint32_t parent;      // the set that this one became part of, or itself
} union_list;

typedef struct union_link {
    end e;
    uint32_t next; // 0 for the last one
} union_link;

static uint32_t united_in(union_list *lists, uint32_t k)
{
    while (lists[k].parent != k)
        k = lists[k].parent = lists[lists[k].parent].parent;
    return k;
}

static void append(union_list *list, union_link *links, uint32_t first, uint32_t last)
{
    if (list->last)
        links[list->last - 1].next = first;
    else
        list->first = first;
    list->last = last;
}

// Behind the references of the sets that share one with set k, its new ones.
static bool unite_one(connection_set *sets, uint32_t k, union_list *lists, union_link *links,
                      uint32_t *n_links, sg_map *owner)
{
    union_list *mine = &lists[k];
    for (size_t i = 0; i < sets[k].ends.len; i++) {
        const uint64_t *at = sg_map_get(owner, sets[k].ends.data[i].name.i);
        uint32_t other = at ? united_in(lists, (uint32_t)*at) : k;
        if (other == k)
            continue;
        append(mine, links, lists[other].first, lists[other].last);
        lists[other] = (union_list){.parent = k};
    }
    for (size_t i = 0; i < sets[k].ends.len; i++) {
        const end *e = &sets[k].ends.data[i];
        if (sg_map_get(owner, e->name.i))
            continue;
        links[(*n_links)++] = (union_link){.e = *e};
        append(mine, links, *n_links, *n_links);
        if (!sg_map_put(owner, e->name.i, k))
            return false;
    }
    return true;
}

// Tuples that share a reference become one; the union stands where the later one stood, in the
// order in which the references first appeared.
static bool unite(sg_instance *instance, connection_set *sets, size_t n)
{
    const sg_allocator *allocator = instance->vm->allocator;
    size_t n_ends = 0;
    for (size_t k = 0; k < n; k++)
        n_ends += sets[k].ends.len;
    sg_map owner; // name -> the set that it first stood in
    sg_map_init(&owner, allocator);
    SG_VEC(union_list) lists = {0};
    SG_VEC(union_link) links = {0};
    bool ok = SG_RESERVE(allocator, &lists, n) && SG_RESERVE(allocator, &links, n_ends);
    uint32_t n_links = 0;
    for (uint32_t k = 0; k < n && ok; k++) {
        lists.data[k] = (union_list){.parent = k};
        ok = unite_one(sets, k, lists.data, links.data, &n_links, &owner);
    }
    for (size_t k = 0; k < n && ok; k++) {
        sets[k].ends.len = 0;
        for (uint32_t at = lists.data[k].first; at && ok; at = links.data[at - 1].next)
            ok = SG_PUSH(allocator, &sets[k].ends, links.data[at - 1].e);
    }
    SG_VEC_FREE(allocator, &lists);
    SG_VEC_FREE(allocator, &links);
    sg_map_free(&owner);
    return ok;
}

static bool no_reference_twice(sg_instance *instance, const connection_set *s)
{
    sg_map seen;
    sg_map_init(&seen, instance->vm->allocator);
    bool ok = true;
    for (size_t i = 0; i < s->ends.len; i++) {
        const end *e = &s->ends.data[i];
        if (sg_map_get(&seen, e->name.i)) {
            sg_error(instance->vm->diags, SG_E_CONNECT, e->span,
                     "'%s' stands twice in this connection",
                     sg_sym_text(instance->vm->symbols, e->name));
            ok = false;
        }
        sg_map_put(&seen, e->name.i, 1);
    }
    sg_map_free(&seen);
    return ok;
}

bool sg_connect_level(sg_instance *instance, const sg_dict *dict, sg_sym path,
                      const sg_connections *connections)
{
    size_t n = connections->tuples.len;
    if (n == 0)
        return true;
    const sg_allocator *allocator = instance->vm->allocator;
    connection_set *sets = SG_NEW_ARRAY(&instance->flat.arena, connection_set, n);
    if (!sets)
        return false;
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok &= read_tuple(instance, dict, path, connections->tuples.data[i], &sets[i]) &&
              no_reference_twice(instance, &sets[i]);
    ok = ok && unite(instance, sets, n);
    for (size_t i = 0; i < n; i++) {
        if (ok && sets[i].ends.len)
            ok &= connect_set(instance, &sets[i], path);
        SG_VEC_FREE(allocator, &sets[i].ends);
    }
    return ok;
}

void sg_connect_close_flows(sg_instance *instance)
{
    for (size_t i = 0; i < instance->connectors.len; i++) {
        const sg_connector_ref *c = &instance->connectors.data[i];
        if (sg_map_get(&instance->connected, c->name.i))
            continue;
        port own, *p = &own;
        collect_port(instance, c->dict, p);
        // A connector that may stay open, as that of a joint with friction for further parts, says
        // so; without a place nothing is said about it.
        sg_span place = sg_model_flag(instance, c->dict, "_optional")
                            ? (sg_span){0}
                            : sg_model_place(instance, c->name, c->span);
        for (uint32_t k = 0; k < p->n_flows; k++) {
            sg_sym full =
                sg_model_join(instance, c->name, sg_sym_text(instance->vm->symbols, p->flows[k]));
            // An equation of an outer component that mentions the flow stands for a connection.
            if (sg_map_get(&instance->outer_uses, full.i))
                continue;
            sg_flat_eq_add(&instance->flat, member(instance, c->name, p->flows[k], c->span),
                           sg_expr_int(&instance->flat.exprs, 0), place, c->component,
                           SG_EQ_FLOW_ZERO);
        }
    }
}
