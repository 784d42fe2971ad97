// Which component brings too few or too many equations.
//
// As in Modelica a component is balanced if it has as many equations as unknowns that are not
// determined from outside: the flows of its own connectors and its inputs are, by the connections
// of the component around it. Equations and unknowns of a component are those of everything in it.
// Of the components that are not balanced the innermost ones are named: they are where to look.
#include "equations/system.h"

#include <string.h>

enum { MAX_COMPONENTS = 5 }; // of a message

typedef struct component {
    sg_sym path;
    sg_span span; // of its first equation
    int parent;   // SG_NONE: the model itself
    int equations, unknowns, open;
    bool bad_inside;
} component;

typedef struct counter {
    sg_system *sys;
    SG_VEC(component) list; // parents before children
    sg_map index;           // path -> number
    bool failed;
} counter;

static int find_component(counter *c, sg_sym path)
{
    uint64_t *at = path.i ? sg_map_get(&c->index, path.i) : NULL;
    return at ? (int)*at : SG_NONE;
}

// The component of this path, with those around it.
static int add_component(counter *c, const char *path, size_t length)
{
    sg_symbols *symbols = c->sys->flat->symbols;
    if (!length)
        return SG_NONE;
    sg_sym sym = sg_sym_intern(symbols, path, length);
    int known = find_component(c, sym), parent = SG_NONE;
    if (known != SG_NONE || !sym.i)
        return known;
    for (size_t n = length; n-- > 0 && parent == SG_NONE;)
        if (path[n] == '.') {
            parent = add_component(c, path, n);
            break;
        }
    int number = (int)c->list.len;
    c->failed |=
        !SG_PUSH(c->sys->allocator, &c->list, ((component){.path = sym, .parent = parent}));
    c->failed |= !sg_map_put(&c->index, sym.i, (uint64_t)number);
    return c->failed ? SG_NONE : number;
}

// The innermost component that holds a variable of this name.
static int owner_of(counter *c, const char *name)
{
    for (size_t n = strlen(name); n-- > 0;) {
        if (name[n] != '.')
            continue;
        int found = find_component(c, sg_sym_find(c->sys->flat->symbols, name, n));
        if (found != SG_NONE)
            return found;
    }
    return SG_NONE;
}

// The values of inputs and of flows that nothing is connected to come from the component around.
static bool given_from_outside(const sg_flat *flat, const sg_flat_eq *e)
{
    sg_var_id var = sg_expr_var_of(&flat->exprs, e->lhs);
    return e->origin == SG_EQ_FLOW_ZERO ||
           (e->origin == SG_EQ_BINDING && var.i &&
            (flat->vars.data[var.i].attributes & SG_ATTR_COMPONENT_INPUT));
}

static void count_equations(counter *c)
{
    const sg_flat *flat = c->sys->flat;
    for (size_t i = 1; i < flat->eqs.len && !c->failed; i++) {
        const sg_flat_eq *e = &flat->eqs.data[i];
        const char *path = sg_sym_text(flat->symbols, e->component);
        int at = add_component(c, path, strlen(path));
        if (at == SG_NONE)
            continue;
        component *owner = &c->list.data[at];
        if (!owner->span.file)
            owner->span = e->span;
        if (given_from_outside(flat, e))
            at = owner->parent;
        for (; at != SG_NONE; at = c->list.data[at].parent)
            c->list.data[at].equations += e->n_results ? (int)e->n_results : 1;
    }
}

static void count_unknowns(counter *c)
{
    sg_system *sys = c->sys;
    for (int j = 0; j < sys->n_original_cols; j++) {
        const sg_flat_var *v = &sys->flat->vars.data[sys->cols.data[j].i];
        int at = owner_of(c, sg_sym_text(sys->flat->symbols, v->name));
        if (at == SG_NONE)
            continue;
        if (v->attributes & (SG_ATTR_FLOW | SG_ATTR_COMPONENT_INPUT))
            c->list.data[at].open++;
        for (; at != SG_NONE && !sys->potential[j]; at = c->list.data[at].parent)
            c->list.data[at].unknowns++;
    }
}

void sg_note_unbalanced(sg_system *sys, bool missing)
{
    counter c = {.sys = sys};
    int told = 0;
    sg_map_init(&c.index, sys->allocator);
    count_equations(&c);
    count_unknowns(&c);
    for (size_t k = c.list.len; k-- > 0 && !c.failed;) {
        const component *one = &c.list.data[k];
        int wanted = one->unknowns - one->open;
        bool bad = missing ? one->equations < wanted : one->equations > wanted;
        if (bad && !one->bad_inside && told++ < MAX_COMPONENTS)
            sg_note(sys->diags, one->span, "component '%s' brings %d equation%s, but %d %s needed",
                    sg_sym_text(sys->flat->symbols, one->path), one->equations,
                    one->equations == 1 ? "" : "s", wanted, wanted == 1 ? "is" : "are");
        if ((bad || one->bad_inside) && one->parent != SG_NONE)
            c.list.data[one->parent].bad_inside = true;
    }
    if (!told && c.list.len && !c.failed)
        sg_note(sys->diags, (sg_span){0},
                "every component is balanced in itself: look at the connections and at the "
                "equations of the model itself");
    SG_VEC_FREE(sys->allocator, &c.list);
    sg_map_free(&c.index);
}
