// Quantities of elements in the flat model: found by their names, and given equations.
#include "parts/ports.h"

#include "base/assert.h"
#include "parts/coupling.h"
#include "parts/part.h"
#include "symbolic/walk.h"

#include <string.h>

static const sg_port_kind kinds[] = {
#define SG_PORT(element, signal, rows, cols, level, unit, rate)                                    \
    {#element, #signal, rows, cols, SG_PORT_##level, unit, rate},
#include "parts/ports_list.h"
#undef SG_PORT
};

static const sg_port_kind *find_kind(const char *element, const char *signal)
{
    for (size_t i = 0; i < SG_COUNT(kinds); i++)
        if (strcmp(kinds[i].element, element) == 0 && strcmp(kinds[i].signal, signal) == 0)
            return &kinds[i];
    return NULL;
}

bool sg_part_has_ports(const char *element)
{
    for (size_t i = 0; i < SG_COUNT(kinds); i++)
        if (strcmp(kinds[i].element, element) == 0)
            return true;
    return false;
}

void sg_ports_init(sg_ports *ports, const sg_allocator *allocator)
{
    *ports = (sg_ports){0};
    sg_map_init(&ports->place_by_path, allocator);
}

void sg_ports_free(sg_ports *ports, const sg_allocator *allocator)
{
    SG_VEC_FREE(allocator, &ports->places);
    SG_VEC_FREE(allocator, &ports->list);
    sg_map_free(&ports->place_by_path);
}

// ---- finding them -------------------------------------------------------------------------------

typedef struct port_search {
    sg_part *part;
    sg_flat *flat;
    sg_diags *diags;
    sg_arena *arena;
    SG_VEC(sg_var_id) vars; // of the ports
    uint32_t *port_of;      // by variable: 1 + its port, or 0
    bool wrong, failed;
} port_search;

static const sg_part_place *place_before(const port_search *s, const char *name, const char *dot)
{
    const sg_ports *ports = &s->part->built.ports;
    sg_sym path = sg_sym_intern(s->flat->symbols, name, (size_t)(dot - name));
    const uint64_t *index = sg_map_get(&ports->place_by_path, path.i);
    return index ? &ports->places.data[*index] : NULL;
}

// The element that a name begins with, and what is called so of it; null if there is none.
static const sg_part_place *place_of(const port_search *s, const char *name, const char **signal)
{
    const sg_part_place *place = NULL;
    const char *dot = s->part->built.ports.places.len ? strchr(name, '.') : NULL;
    for (; dot && !place; dot = strchr(dot + 1, '.')) {
        place = place_before(s, name, dot);
        *signal = dot + 1;
    }
    return place;
}

// What a name has behind a path, or null.
static const char *behind(const char *name, const char *path)
{
    size_t n = strlen(path);
    return strncmp(name, path, n) == 0 && name[n] == '.' ? name + n + 1 : NULL;
}

static void tell_unknown(port_search *s, const sg_part_place *place, const sg_flat_var *var,
                         const char *signal)
{
    const sg_flat *flat = s->flat;
    const char **names = SG_NEW_ARRAY(s->arena, const char *, SG_COUNT(kinds) + flat->vars.len);
    const char *list = "";
    size_t n = 0;
    for (size_t i = 0; i < SG_COUNT(kinds) && names; i++)
        if (strcmp(kinds[i].element, place->kind) == 0)
            names[n++] = kinds[i].signal;
    // Variables of its own, those of flanges included, are what only joints have.
    for (size_t i = 1; i < flat->vars.len && names && place->component; i++)
        if (flat->vars.data[i].attributes & SG_ATTR_DECLARED) {
            names[n] = behind(sg_sym_text(flat->symbols, flat->vars.data[i].name), place->name);
            n += names[n] != NULL;
        }
    for (size_t i = 0; i < n && list; i++)
        list = sg_arena_printf(s->arena, "%s%s%s", list, i ? ", " : "", names[i]);
    const char *hint = sg_closest_name(signal, names, n);
    s->wrong = true;
    if (hint)
        sg_error(s->diags, SG_E_PORT, var->span,
                 "%s '%s' has nothing that is called '%s'; did you mean '%s'?", place->kind,
                 place->name, signal, hint);
    else
        sg_error(s->diags, SG_E_PORT, var->span,
                 "%s '%s' has nothing that is called '%s'; equations may use: %s", place->kind,
                 place->name, signal, list ? list : "");
}

// Whether laws, or what equations give, are a part of it.
static bool is_force(const sg_port_kind *kind)
{
    bool element = strcmp(kind->element, "ContactResult") != 0;
    return kind->level == SG_PORT_MOTION && element && kind->unit[0] == 'N';
}

static void add_port(port_search *s, const sg_part_place *place, const sg_port_kind *kind,
                     sg_var_id var)
{
    sg_ports *ports = &s->part->built.ports;
    const sg_flat_var *v = &s->flat->vars.data[var.i];
    sg_port port = {.kind = kind,
                    .name = sg_arena_printf(s->arena, "%s.%s", place->name, kind->signal),
                    .place = place,
                    .span = v->span,
                    .at = ports->n[kind->level],
                    .depends_on_laws = is_force(kind),
                    .object = -1,
                    .local = -1};
    ports->n[kind->level] += sg_port_size(kind);
    ports->reactions |= sg_port_is_reaction(kind);
    s->port_of[var.i] = (uint32_t)ports->list.len + 1;
    s->failed |= !port.name || !SG_PUSH(s->part->allocator, &ports->list, port) ||
                 !SG_PUSH(s->part->allocator, &s->vars, var);
}

// der(x) of a signal x whose derivative is another one becomes a plain variable for that.
static void find_rate(port_search *s, const sg_port *of, sg_var_id var)
{
    sg_flat_var *v = &s->flat->vars.data[var.i];
    const sg_part_place *place = of->place;
    const char *signal = of->kind->signal;
    const sg_port_kind *rate = find_kind(place->kind, of->kind->rate);
    if (!rate || place->observed) {
        s->wrong = true;
        sg_error(s->diags, SG_E_PORT, v->span,
                 rate ? "der(%s.%s) is not %s.%s, since the sensor has an observer of its own"
                      : "der(%s.%s) is not known: a 3D part is not differentiated, and %s has no "
                        "signal for it%s",
                 place->name, signal, place->name, rate ? rate->signal : "");
        return;
    }
    const char *name = sg_arena_printf(s->arena, "%s.der(%s)", place->name, signal);
    s->failed |= !name;
    if (!name)
        return;
    s->flat->vars.data[v->of.i].der = (sg_var_id){0};
    v->of = (sg_var_id){0};
    v->name = sg_sym_intern(s->flat->symbols, name, strlen(name));
    add_port(s, place, rate, var);
}

// Whether a joint knows a variable: it declares it, or an equation of it or of its parts has it.
static bool is_known(const port_search *s, const sg_part_place *joint, sg_var_id var)
{
    sg_flat *flat = s->flat;
    if (flat->vars.data[var.i].attributes & SG_ATTR_DECLARED)
        return true;
    for (size_t i = 1; i < flat->eqs.len; i++) {
        const sg_flat_eq *eq = &flat->eqs.data[i];
        const char *component = sg_sym_text(flat->symbols, eq->component);
        if ((strcmp(component, joint->name) == 0 || behind(component, joint->name)) &&
            (sg_expr_contains_var(&flat->exprs, eq->lhs, var) ||
             sg_expr_contains_var(&flat->exprs, eq->rhs, var)))
            return true;
    }
    return false;
}

static void find_port(port_search *s, sg_var_id var)
{
    const sg_flat_var *v = &s->flat->vars.data[var.i];
    const char *signal;
    const sg_part_place *place = place_of(s, sg_sym_text(s->flat->symbols, v->name), &signal);
    if (!place)
        return;
    const sg_port_kind *kind = find_kind(place->kind, signal);
    if (kind)
        add_port(s, place, kind, var);
    else if (!place->component || !is_known(s, place, var))
        tell_unknown(s, place, v, signal);
}

// A derivative stands behind its variable.
static void find_ports(port_search *s)
{
    for (uint32_t i = 1; i < s->flat->vars.len && !s->failed; i++) {
        uint32_t of = s->flat->vars.data[i].of.i;
        if (!of) {
            find_port(s, (sg_var_id){i});
        } else if (s->port_of[of]) {
            sg_port base = s->part->built.ports.list.data[s->port_of[of] - 1];
            find_rate(s, &base, (sg_var_id){i});
        }
    }
}

// The sum of an element's forces, where equations give a part of it: who asked for it in an
// equation would get it without that part.
static void refuse_sums(port_search *s)
{
    const sg_ports *ports = &s->part->built.ports;
    for (size_t i = 0; i < ports->list.len; i++)
        for (size_t k = 0; k < ports->list.len; k++) {
            const sg_port *sum = &ports->list.data[i], *input = &ports->list.data[k];
            const char *signal = sum->kind->signal;
            if (!sum->depends_on_laws || sum->place != input->place ||
                input->kind->level != SG_PORT_INPUT || strncmp(signal, "spring", 6) == 0 ||
                strncmp(signal, "damper", 6) == 0)
                continue;
            s->wrong = true;
            sg_error(s->diags, SG_E_PORT, sum->span,
                     "'%s' contains what equations give as '%s'; use that, and the forces of "
                     "springs and dampers",
                     sum->name, input->name);
        }
}

// ---- their equations ----------------------------------------------------------------------------

static sg_var_id add_vector(port_search *s, const char *name, uint32_t n)
{
    sg_part *part = s->part;
    const char *own = sg_part_own_name(part, name), *full = own;
    if (own && part->id[0])
        full = sg_arena_printf(s->arena, "%s.%s", part->id, own);
    double *zeros = SG_NEW_ARRAY(s->arena, double, n);
    s->failed |= !full || !zeros;
    if (s->failed)
        return (sg_var_id){0};
    sg_var_id var =
        sg_flat_var_add(s->flat, sg_sym_intern(s->flat->symbols, full, strlen(full)), part->span);
    if (var.i) {
        sg_flat_var_get(s->flat, var)->attributes |= SG_ATTR_HIDE_RESULT;
        sg_flat_set_value(s->flat, var, SG_ATTR_HAS_START,
                          sg_flat_array(s->flat, zeros, n, 1, false));
    }
    return var;
}

static sg_expr_id number_of(sg_exprs *x, sg_var_id vector, uint32_t i)
{
    sg_expr_id index[2] = {sg_expr_var(x, vector), sg_expr_int(x, i + 1.0)};
    return sg_expr_make(x, SG_X_INDEX, index, 2);
}

// The numbers of a port in the vector of its level: v[i], v[i:i+2], or a matrix by rows.
static sg_expr_id value_of(sg_exprs *x, const sg_port *port, sg_var_id vector)
{
    const sg_port_kind *k = port->kind;
    if (!k->cols)
        return number_of(x, vector, port->at);
    if (k->cols == 1) {
        uint32_t last = port->at + k->rows;
        sg_expr_id ends[2] = {sg_expr_int(x, port->at + 1.0), sg_expr_int(x, last)};
        sg_expr_id index[2] = {sg_expr_var(x, vector), sg_expr_make(x, SG_X_RANGE, ends, 2)};
        return sg_expr_make(x, SG_X_INDEX, index, 2);
    }
    sg_expr_id rows[3], row[3];
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t j = 0; j < 3; j++)
            row[j] = number_of(x, vector, port->at + 3 * i + j);
        rows[i] = sg_expr_make(x, SG_X_HCAT, row, 3);
    }
    return sg_expr_make(x, SG_X_VCAT, rows, 3);
}

// A guess, which also says its shape where it is an unknown of a system.
static void give_shape(const port_search *s, const sg_port_kind *kind, sg_var_id var)
{
    static const double zeros[9] = {0};
    sg_flat_var *v = sg_flat_var_get(s->flat, var);
    if (v->attributes & (SG_ATTR_HAS_INIT | SG_ATTR_HAS_START) || !kind->cols)
        return;
    sg_flat_set_value(s->flat, var, SG_ATTR_HAS_START,
                      sg_flat_array(s->flat, zeros, kind->rows, kind->cols, false));
}

// Elements but for objects show their signals in the result anyway.
static bool is_result(const sg_port_kind *kind)
{
    return strcmp(kind->element, "Object3D") != 0 || strcmp(kind->signal, "r_abs") == 0 ||
           strcmp(kind->signal, "rot123_abs") == 0 || sg_port_is_reaction(kind);
}

static void write_port(port_search *s, size_t i, const sg_var_id vector[SG_PORT_N_LEVELS])
{
    sg_flat *flat = s->flat;
    const sg_port *port = &s->part->built.ports.list.data[i];
    sg_var_id var = s->vars.data[i];
    sg_flat_var *v = sg_flat_var_get(flat, var);
    give_shape(s, port->kind, var);
    if (!v->unit.i && port->kind->unit[0])
        v->unit = sg_sym_intern(flat->symbols, port->kind->unit, strlen(port->kind->unit));
    if (port->kind->level == SG_PORT_INPUT)
        return;
    if (is_result(port->kind))
        v->attributes |= SG_ATTR_HIDE_RESULT;
    sg_expr_id value = value_of(&flat->exprs, port, vector[port->kind->level]);
    s->failed |= !sg_flat_eq_add(flat, sg_expr_var(&flat->exprs, var), value, port->span,
                                 (sg_sym){0}, SG_EQ_BINDING)
                      .i;
}

// The one equation of the part that assigns the result of a function.
static sg_flat_eq *equation_of(const port_search *s, sg_var_id left)
{
    for (size_t i = 1; i < s->flat->eqs.len; i++)
        if (left.i && sg_expr_var_of(&s->flat->exprs, s->flat->eqs.data[i].lhs).i == left.i)
            return &s->flat->eqs.data[i];
    return NULL;
}

static sg_expr_id call(port_search *s, sg_func_id function, const sg_expr_id *args, uint32_t n)
{
    return sg_expr_result(&s->flat->exprs, sg_expr_call(&s->flat->exprs, function, args, n), 0);
}

// motion takes the arguments of the terms; these take the motion and what equations give.
static void write_motion(port_search *s, const sg_coupling *c, sg_var_id motion)
{
    sg_exprs *x = &s->flat->exprs;
    sg_flat_eq *terms = equation_of(s, c->terms), *matrix = equation_of(s, c->matrix);
    sg_expr_id inner =
        sg_expr_op_of(x, terms->rhs) == SG_X_RESULT ? sg_expr_arg(x, terms->rhs, 0) : terms->rhs;
    uint32_t n = sg_expr_n_args(x, inner), at = 0;
    sg_expr_id *args = SG_NEW_ARRAY(s->arena, sg_expr_id, n + s->vars.len + 1);
    if (!args) {
        s->failed = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        args[i] = sg_expr_arg(x, inner, i);
    sg_expr_id moved = call(s, c->function[SG_PART_MOTION], args, n);
    args[at++] = sg_expr_var(x, motion);
    if (matrix && s->part->built.ports.n[SG_PORT_INPUT])
        matrix->rhs = call(s, c->function[SG_PART_MATRIX], args, 1);
    for (size_t i = 0; i < s->vars.len; i++)
        if (s->part->built.ports.list.data[i].kind->level == SG_PORT_INPUT)
            args[at++] = sg_expr_var(x, s->vars.data[i]);
    terms->rhs = call(s, c->function[SG_PART_TERMS], args, at);
    s->failed |= !sg_flat_eq_add(s->flat, sg_expr_var(x, motion), moved, s->part->span,
                                 terms->component, SG_EQ_BINDING)
                      .i;
}

static void write_equations(port_search *s, const sg_coupling *c)
{
    const sg_ports *ports = &s->part->built.ports;
    sg_exprs *x = &s->flat->exprs;
    sg_var_id vector[SG_PORT_N_LEVELS] = {{0}};
    uint32_t n = ports->n[SG_PORT_MOTION];
    vector[SG_PORT_MOTION] = add_vector(s, "multibodyMotion", n ? n : 1);
    if (!s->failed)
        write_motion(s, c, vector[SG_PORT_MOTION]);
    if (ports->n[SG_PORT_ACCELERATION] && !s->failed) {
        sg_expr_id known = sg_expr_var(x, c->accelerations);
        vector[SG_PORT_ACCELERATION] =
            add_vector(s, "multibodySensed", ports->n[SG_PORT_ACCELERATION]);
        s->failed |= !sg_flat_eq_add(s->flat, sg_expr_var(x, vector[SG_PORT_ACCELERATION]),
                                     call(s, c->function[SG_PART_SENSED], &known, 1), s->part->span,
                                     (sg_sym){0}, SG_EQ_BINDING)
                          .i;
    }
    for (size_t i = 0; i < ports->list.len && !s->failed; i++)
        write_port(s, i, vector);
}

sg_status sg_part_open_ports(sg_part *part, sg_flat *flat, const sg_coupling *c)
{
    port_search s = {.part = part,
                     .flat = flat,
                     .diags = part->vm->diags,
                     .arena = &part->arena,
                     .port_of = SG_NEW_ARRAY(&part->arena, uint32_t, flat->vars.len)};
    s.failed = !s.port_of;
    find_ports(&s);
    if (!s.failed)
        refuse_sums(&s);
    if (sg_ports_open(&part->built.ports) && !s.failed && !s.wrong)
        write_equations(&s, c);
    SG_VEC_FREE(part->allocator, &s.vars);
    if (s.failed || part->arena.failed || sg_flat_failed(flat))
        return SG_ERR_MEMORY;
    return s.wrong ? SG_ERR_MODEL : SG_OK;
}

// ---- names that nothing has ---------------------------------------------------------------------

// Names that hardly anything but objects and joints has.
static bool is_telling(const char *signal)
{
    return find_kind("Object3D", signal) || find_kind("Revolute", signal);
}

// Whether a component has this path: it declares a variable, or brings an equation.
static bool is_component(const sg_flat *flat, const char *path, size_t length)
{
    sg_sym component = sg_sym_intern(flat->symbols, path, length);
    for (size_t i = 1; i < flat->eqs.len; i++)
        if (flat->eqs.data[i].component.i == component.i)
            return true;
    for (size_t i = 1; i < flat->vars.len; i++) {
        const char *name = sg_sym_text(flat->symbols, flat->vars.data[i].name);
        if (flat->vars.data[i].attributes & SG_ATTR_DECLARED && strncmp(name, path, length) == 0 &&
            name[length] == '.')
            return true;
    }
    return false;
}

// Whether an equation says what a variable is, also that of a part which shows it.
static bool is_assigned(const sg_flat *flat, sg_var_id var)
{
    for (size_t i = 1; i < flat->eqs.len; i++)
        if (sg_expr_var_of(&flat->exprs, flat->eqs.data[i].lhs).i == var.i)
            return true;
    return false;
}

// The element that was meant: with its path in front, or spelled otherwise.
static const char *meant(const port_search *s, const char *path)
{
    const sg_ports *ports = &s->part->built.ports;
    const char **names = SG_NEW_ARRAY(s->arena, const char *, ports->places.len + 1);
    size_t n = strlen(path);
    for (size_t i = 0; names && i < ports->places.len; i++) {
        const char *name = names[i] = ports->places.data[i].name;
        size_t length = strlen(name);
        if (length > n && name[length - n - 1] == '.' && strcmp(name + length - n, path) == 0)
            return name;
    }
    return names ? sg_closest_name(path, names, ports->places.len) : NULL;
}

static void tell_no_place(port_search *s, sg_var_id var)
{
    const sg_flat_var *v = &s->flat->vars.data[var.i];
    const char *name = sg_sym_text(s->flat->symbols, v->name), *dot = strrchr(name, '.');
    if (!dot || !is_telling(dot + 1) || is_assigned(s->flat, var) ||
        is_component(s->flat, name, (size_t)(dot - name)))
        return;
    const char *path = sg_arena_printf(s->arena, "%.*s", (int)(dot - name), name);
    const char *hint = path ? meant(s, path) : NULL;
    if (!hint)
        return;
    s->wrong = true;
    sg_error(s->diags, SG_E_PORT, v->span, "nothing is called '%s' here; did you mean '%s.%s'?",
             path, hint, dot + 1);
}

sg_status sg_part_check_names(sg_part *part, sg_flat *flat)
{
    port_search s = {.part = part, .flat = flat, .diags = part->vm->diags, .arena = &part->arena};
    for (uint32_t i = 1; i < flat->vars.len; i++)
        if (!flat->vars.data[i].of.i)
            tell_no_place(&s, (sg_var_id){i});
    return part->arena.failed ? SG_ERR_MEMORY : s.wrong ? SG_ERR_MODEL : SG_OK;
}

const char *sg_part_own_name(sg_part *part, const char *name)
{
    return sg_arena_printf(&part->arena, "%s%s", name, part->tail ? part->tail : "");
}
