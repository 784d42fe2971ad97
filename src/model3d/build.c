// The build function of Model3D: finds the joints of a part and writes the equations that couple
// it.
//
// For joints in the order of the dictionary, of which c1, c2, ... have a flange and i1, ... do not:
//     multibodyTerms = terms(time, c1.phi, c1.w, ...)                                    h
//     multibodyMatrix = matrix(multibodyTerms)                                           M
//     multibodyForces = multibodyTerms + multibodyMatrix*[der(c1.w), der(c2.w), ...]
//     c1.flange.tau = implicitDependency(multibodyForces[1], der(c1.w))
//     multibodyAccelerations = accelerations(multibodyTerms, der(c1.w), ...)
//     der(i1.w) = multibodyAccelerations[1]
// Where joints may close loops (parts/loops.h), accelerations and forces change places:
//     der(c1.w) = multibodyTerms[1] + multibodyMatrix[1, 1]*c1.flange.tau + ...
//     multibodyAccelerations = accelerations(multibodyTerms, c1.flange.tau, ...)
// These are ordinary linear equations, as many as there are joints, so prescribed motion, gears and
// algebraic loops through drives need nothing special, and the matrix of a system of joints comes
// from exact tangents. Where all torques turn out to be known without the accelerations, the system
// is not solved at all but handed back to the part (inside.c).
#include "actions/actions.h"
#include "lang/runtime.h"
#include "model3d/segment.h"
#include "parts/build_ties.h"
#include "parts/constructors3d.h"
#include "parts/mesh.h"
#include "syntax/ast.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LEVELS = 200, MAX_GIVEN = 2000 };

typedef struct found_joint {
    const char *name; // inside of the part
    const sg_joint_form_step *step;
} found_joint;

typedef struct builder {
    sg_vm *vm;
    const sg_hand_hooks *hand;
    sg_part *part;
    sg_arena *arena;
    sg_span span;
    SG_VEC(found_joint) list;
    SG_VEC(sg_ast *) equations;
    int n_links, n_roots; // joints of any kind; objects without parent
    int n_joints;         // with coordinates
    bool may_close;       // actions may close loops
    sg_part_ties ties;    // joints that close loops instead
    const char *by_hand;  // the first component that does not belong into a model, or null
    sg_span by_hand_span;
    bool failed;
    sg_status wrong; // raised already
} builder;

// ---- finding the joints -----------------------------------------------------------------------

static bool attribute(sg_vm *vm, const sg_dict *dict, const char *name, sg_value *out)
{
    return sg_part_attribute(vm, dict, name, out);
}

static const char *full_path(builder *b, const char *name)
{
    return b->part->id[0] ? sg_arena_printf(b->arena, "%s.%s", b->part->id, name) : name;
}

static void add_step(builder *b, const char *name, const char *path, const sg_joint_form *form,
                     int i, sg_span span)
{
    sg_part *part = b->part;
    const sg_joint_form_step *step = &form->step[i];
    sg_part_joint joint = {.form = form,
                           .step = i,
                           .kind = step->kind,
                           .flange = step->flange != NULL,
                           .n_inputs = sg_joint_n_inputs(step),
                           .path = path ? sg_vm_sym(b->vm, path) : (sg_sym){0},
                           .span = span,
                           .object = -1,
                           .cut = -1};
    found_joint f = {name, step};
    b->failed |= !path || !SG_PUSH(b->vm->allocator, &b->list, f) ||
                 !SG_PUSH(part->allocator, &part->built.joints, joint);
    part->built.n_given += joint.flange;
}

static void add_joint(builder *b, const char *name, const sg_joint_form *form, sg_span span)
{
    sg_part *part = b->part;
    const char *path = full_path(b, name);
    b->failed |= !path || !sg_map_put(&part->built.joint_by_path, sg_vm_sym(b->vm, path).i,
                                      part->built.joints.len);
    b->n_joints++;
    for (int i = 0; i < sg_joint_n_steps(form); i++)
        add_step(b, name, path, form, i, span);
}

// An element of which equations may name something. A joint of the user's own may have variables of
// these names itself.
static void add_place(builder *b, const sg_dict *dict, const char *name, const char *constructor,
                      bool component)
{
    sg_ports *ports = &b->part->built.ports;
    sg_value value;
    sg_part_place place = {.name = full_path(b, name),
                           .kind = constructor,
                           .observed = attribute(b->vm, dict, "objectObserveRef", &value),
                           .component = component};
    if (attribute(b->vm, dict, "reactionForce", &value) ||
        attribute(b->vm, dict, "reactionTorque", &value))
        return;
    b->failed |=
        !place.name || !SG_PUSH(b->part->allocator, &ports->places, place) ||
        !sg_map_put(&ports->place_by_path, sg_vm_sym(b->vm, place.name).i, ports->places.len - 1);
}

static bool starts_with_array(sg_vm *vm, sg_value var)
{
    sg_value start;
    return sg_part_is_class(vm, var, "Var") &&
           ((attribute(vm, (sg_dict *)var.o, "init", &start) && sg_is(start, SG_OBJ_ARRAY)) ||
            (attribute(vm, (sg_dict *)var.o, "start", &start) && sg_is(start, SG_OBJ_ARRAY)));
}

// phi = 0.5 makes a constant of what moves; most who write it mean the start value. Expressions and
// `nothing` are those of the language.
static void check_variable(builder *b, const sg_dict *joint, const char *name,
                           const sg_joint_form *form, const sg_joint_form_step *step, int i,
                           sg_span span)
{
    const char *variable = step->inputs[i];
    sg_value value;
    bool given = attribute(b->vm, joint, variable, &value);
    if (given && sg_joint_dof(step->kind) == 1 && starts_with_array(b->vm, value))
        b->wrong = sg_raise(b->vm, "ArgumentError", SG_E_JOINT, span,
                            "%s '%s': the start value of %s must be one number", form->name, name,
                            variable);
    if (!given || sg_part_is_class(b->vm, value, "Var") || value.tag == SG_NOTHING ||
        value.tag == SG_SYMBOL || sg_is(value, SG_OBJ_QUOTE))
        return;
    b->wrong = sg_raise(b->vm, "ArgumentError", SG_E_JOINT, span,
                        "%s '%s': %s is a variable of the joint; to give it a start value, "
                        "write %s = Var(init = ...)",
                        form->name, name, variable, variable);
}

static void check_variables(builder *b, const sg_dict *joint, const char *name,
                            const sg_joint_form *form, sg_span span)
{
    for (int k = 0; k < sg_joint_n_steps(form); k++)
        for (int i = 0; i < SG_JOINT_MAX_INPUTS && b->wrong == SG_OK; i++)
            if (form->step[k].inputs[i] && sg_joint_unit(&form->step[k], i))
                check_variable(b, joint, name, form, &form->step[k], i, span);
}

// What holds objects together, but for joints with coordinates.
static bool is_link(const char *kind)
{
    static const char *const names[] = {
#define SG_TIE(KIND, name, Constructor, required, optional) #Constructor,
#define SG_TIE_OF_JOINT(KIND, name, Constructor)
#include "multibody/ties_list.h"
#undef SG_TIE
#undef SG_TIE_OF_JOINT
        "Fix", "Free"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(kind, names[i]) == 0)
            return true;
    return false;
}

// Objects and what holds them together, for the number of loops. What an element is called with is
// not evaluated yet, but whether an object has a parent shows.
static void count_element(builder *b, sg_value value)
{
    const char *kind =
        sg_is(value, SG_OBJ_DICT) ? sg_part_constructor_of(b->vm, (sg_dict *)value.o) : NULL;
    sg_value given;
    if (!kind)
        return;
    if (strcmp(kind, "Object3D") == 0)
        b->n_roots +=
            !attribute(b->vm, (sg_dict *)value.o, "parent", &given) || given.tag == SG_NOTHING;
    else if (is_link(kind))
        b->n_links++;
    else if (strcmp(kind, "ModelActions") == 0 &&
             attribute(b->vm, (sg_dict *)value.o, "closesLoops", &given))
        b->may_close |= given.tag != SG_BOOL || given.b;
}

static void search(builder *b, const sg_dict *model, const char *prefix, int depth);

static void search_value(builder *b, sg_value value, const char *name, sg_span span, int depth)
{
    if (b->hand && b->hand->is_one(value) && !b->by_hand) {
        b->by_hand = name;
        b->by_hand_span = span;
    }
    count_element(b, value);
    bool element = sg_part_is_class(b->vm, value, "Par");
    if (!element && !sg_part_is_class(b->vm, value, "Model"))
        return;
    const char *constructor = sg_part_constructor_of(b->vm, (sg_dict *)value.o);
    if (element) {
        if (constructor && sg_part_has_ports(constructor))
            add_place(b, (sg_dict *)value.o, name, constructor, false);
        return;
    }
    const sg_joint_form *form = constructor ? sg_joint_form_of(constructor) : NULL;
    if (!form) {
        search(b, (sg_dict *)value.o, name, depth + 1);
        return;
    }
    bool is_tie = sg_part_is_tie(&b->ties, name);
    if (is_tie) {
        b->n_links++;
    } else {
        check_variables(b, (sg_dict *)value.o, name, form, span);
        add_joint(b, name, form, span);
    }
    if (sg_part_has_ports(constructor))
        add_place(b, (sg_dict *)value.o, name, form->name, !is_tie);
}

static void search(builder *b, const sg_dict *model, const char *prefix, int depth)
{
    sg_dict_entry e;
    for (size_t at = 0;
         depth < MAX_LEVELS && !b->failed && b->wrong == SG_OK && sg_dict_next(model, &at, &e);) {
        if (e.key.tag != SG_SYMBOL)
            continue;
        const char *key = sg_vm_text(b->vm, e.key.sym);
        if (key[0] == '_')
            continue;
        const char *name = prefix[0] ? sg_arena_printf(b->arena, "%s.%s", prefix, key) : key;
        const sg_array *array = sg_is(e.value, SG_OBJ_ARRAY) ? (const sg_array *)e.value.o : NULL;
        for (size_t i = 0; name && array && array->elem == SG_ELEM_ANY && i < array->len; i++) {
            const char *element = sg_arena_printf(b->arena, "%s_%zu", name, i + 1);
            if (element)
                search_value(b, array->v[i], element, e.span, depth);
        }
        if (name && !array)
            search_value(b, e.value, name, e.span, depth);
        b->failed |= !name;
    }
}

// ---- trees ------------------------------------------------------------------------------------

static sg_ast *node(builder *b, sg_ast_kind kind, uint32_t n)
{
    sg_ast *ast = SG_NEW(b->arena, sg_ast);
    sg_ast **kids = n ? SG_NEW_ARRAY(b->arena, sg_ast *, n) : NULL;
    if (!ast || (n && !kids)) {
        b->failed = true; // whoever goes on with the null node asks for this first
        return NULL;
    }
    *ast = (sg_ast){.kind = (uint8_t)kind, .height = 1, .n = n, .span = b->span, .kids = kids};
    return ast;
}

static sg_ast *with_kids(builder *b, sg_ast_kind kind, sg_ast *const *kids, uint32_t n)
{
    sg_ast *ast = node(b, kind, n);
    for (uint32_t i = 0; i < n && !b->failed; i++) {
        ast->kids[i] = kids[i];
        if (kids[i]->height >= ast->height)
            ast->height = (uint16_t)(kids[i]->height + 1);
    }
    return ast;
}

static sg_ast *name_node(builder *b, const char *text)
{
    sg_ast *ast = node(b, SG_AST_NAME, 0);
    if (!b->failed)
        ast->sym = sg_vm_sym(b->vm, text);
    return ast;
}

// a.b.c
static sg_ast *path_node(builder *b, const char *path, const char *last)
{
    sg_ast *tree = NULL;
    for (const char *part = path; *part && !b->failed;) {
        size_t length = strcspn(part, ".");
        sg_ast *next = tree ? with_kids(b, SG_AST_FIELD, &tree, 1) : node(b, SG_AST_NAME, 0);
        if (!b->failed)
            next->sym = sg_sym_intern(b->vm->symbols, part, length);
        tree = next;
        part += length + (part[length] == '.');
    }
    sg_ast *whole = tree ? with_kids(b, SG_AST_FIELD, &tree, 1) : node(b, SG_AST_NAME, 0);
    if (!b->failed)
        whole->sym = sg_vm_sym(b->vm, last);
    return whole;
}

static sg_ast *der_node(builder *b, sg_ast *of)
{
    sg_ast *kids[2] = {name_node(b, "der"), of};
    return with_kids(b, SG_AST_CALL, kids, 2);
}

static sg_ast *infix(builder *b, const char *operator, sg_ast * x, sg_ast *y)
{
    sg_ast *kids[3] = {name_node(b, operator), x, y};
    sg_ast *ast = with_kids(b, SG_AST_CALL, kids, 3);
    if (!b->failed)
        ast->flags = SG_AST_INFIX;
    return ast;
}

static sg_ast *int_node(builder *b, int64_t value)
{
    sg_ast *ast = node(b, SG_AST_INT, 0);
    if (!b->failed)
        ast->i = value;
    return ast;
}

static sg_ast *element(builder *b, const char *vector, size_t i)
{
    sg_ast *kids[2] = {name_node(b, vector), int_node(b, (int64_t)i + 1)};
    return with_kids(b, SG_AST_INDEX, kids, 2);
}

static void equation(builder *b, sg_ast *left, sg_ast *right)
{
    sg_ast *kids[2] = {left, right};
    sg_ast *ast = with_kids(b, SG_AST_ASSIGN, kids, 2);
    b->failed |= !SG_PUSH(b->vm->allocator, &b->equations, ast);
}

// variable = function(arguments...)
static void call_equation(builder *b, const char *variable, sg_value function, sg_ast **args,
                          uint32_t n)
{
    sg_ast *callee = node(b, SG_AST_VALUE, 0);
    if (!b->failed)
        callee->value = function;
    args[0] = callee; // the place was left free
    equation(b, name_node(b, variable), with_kids(b, SG_AST_CALL, args, n));
}

// ---- the equations ----------------------------------------------------------------------------

// Variables of the part's own equations and of those of its ports (ports.c).
static const char *const own_names[] = {"multibodyTerms",  "multibodyMatrix",
                                        "multibodyForces", "multibodyAccelerations",
                                        "multibodyMotion", "multibodySensed"};

// Elements of a model may be called whatever the author likes, also by one of these names.
static void choose_tail(builder *b, const sg_dict *model)
{
    sg_buf tail;
    sg_buf_init(&tail, b->vm->allocator);
    for (size_t i = 0; i < SG_COUNT(own_names) && !b->failed && !tail.failed;) {
        b->part->tail = sg_buf_text(&tail);
        const char *name = sg_part_own_name(b->part, own_names[i]);
        sg_value taken;
        b->failed |= !name;
        if (name && attribute(b->vm, model, name, &taken)) {
            sg_buf_putc(&tail, '_');
            i = 0;
        } else {
            i++;
        }
    }
    b->part->tail = sg_arena_text(b->arena, sg_buf_text(&tail), tail.len);
    b->failed |= !b->part->tail || tail.failed;
    sg_buf_free(&tail);
}

static const char *own(builder *b, const char *name)
{
    const char *full = sg_part_own_name(b->part, name);
    b->failed |= !full;
    return full ? full : name;
}

static sg_ast *own_node(builder *b, const char *name) { return name_node(b, own(b, name)); }

static sg_ast *acceleration(builder *b, size_t joint, int which)
{
    const found_joint *f = &b->list.data[joint];
    return der_node(b, path_node(b, f->name, f->step->inputs[1 + 2 * which]));
}

static sg_ast *flange_force(builder *b, size_t joint)
{
    const found_joint *f = &b->list.data[joint];
    const char *flange = sg_arena_printf(b->arena, "%s.%s", f->name, f->step->flange);
    b->failed |= !flange;
    sg_ast *force = path_node(b, flange ? flange : "", sg_flange_force(f->step->kind));
    // As if the joint said it itself: a flange that nothing is connected to feels no force.
    if (!b->failed)
        force->flags |= SG_AST_INNER;
    return force;
}

// The force in a flange is one of the vector of all; which of the accelerations it is solved for
// must be said, as the structure of a vector does not show it.
static void write_flange(builder *b, size_t joint, size_t row)
{
    sg_ast *force = flange_force(b, joint);
    sg_ast *kids[3] = {name_node(b, "implicitDependency"),
                       element(b, own(b, "multibodyForces"), row), acceleration(b, joint, 0)};
    equation(b, force, with_kids(b, SG_AST_CALL, kids, 3));
}

// terms[row] + matrix[row, 1]*force of the first flange + ...
static sg_ast *sum_forces(builder *b, const size_t *given, size_t n, size_t row)
{
    sg_ast *sum = element(b, own(b, "multibodyTerms"), row);
    for (size_t j = 0; j < n; j++) {
        sg_ast *kids[3] = {own_node(b, "multibodyMatrix"), int_node(b, (int64_t)row + 1),
                           int_node(b, (int64_t)j + 1)};
        sg_ast *entry = with_kids(b, SG_AST_INDEX, kids, 3);
        sum = infix(b, "+", sum, infix(b, "*", entry, flange_force(b, given[j])));
    }
    return sum;
}

static void write_given(builder *b, const size_t *given, size_t n, sg_ast **args)
{
    args[1] = own_node(b, "multibodyTerms");
    call_equation(b, own(b, "multibodyMatrix"), b->part->built.functions[SG_PART_MATRIX], args, 2);
    if (b->part->built.looped) {
        for (size_t j = 0; j < n; j++)
            equation(b, acceleration(b, given[j], 0), sum_forces(b, given, n, j));
        return;
    }
    for (size_t j = 0; j < n; j++)
        args[j] = acceleration(b, given[j], 0);
    sg_ast *all = with_kids(b, SG_AST_VECT, args, (uint32_t)n);
    equation(b, own_node(b, "multibodyForces"),
             infix(b, "+", own_node(b, "multibodyTerms"),
                   infix(b, "*", own_node(b, "multibodyMatrix"), all)));
    for (size_t j = 0; j < n; j++)
        write_flange(b, given[j], j);
}

// Vector of three elements of a vector: v[i:i+2].
static sg_ast *three_elements(builder *b, const char *vector, size_t i)
{
    sg_ast *ends[2] = {int_node(b, (int64_t)i + 1), int_node(b, (int64_t)i + 3)};
    sg_ast *kids[2] = {name_node(b, vector), with_kids(b, SG_AST_RANGE, ends, 2)};
    return with_kids(b, SG_AST_INDEX, kids, 2);
}

// Joints without flange: their accelerations are known inside.
static void write_inner(builder *b)
{
    size_t at = 0;
    sg_span whole = b->span;
    for (size_t i = 0; i < b->list.len; i++) {
        if (b->part->built.joints.data[i].flange)
            continue;
        b->span =
            b->part->built.joints.data[i].span; // where to look if the model says it otherwise, too
        int dof = sg_joint_dof(b->part->built.joints.data[i].kind);
        if (dof == 1) {
            equation(b, acceleration(b, i, 0), element(b, own(b, "multibodyAccelerations"), at++));
            continue;
        }
        for (int which = 0; 3 * which < dof; which++, at += 3)
            equation(b, acceleration(b, i, which),
                     three_elements(b, own(b, "multibodyAccelerations"), at));
    }
    b->span = whole;
}

static void write_equations(builder *b, sg_ast **args, size_t *given)
{
    sg_part *part = b->part;
    size_t n = 0;
    uint32_t n_args = 1;
    args[n_args++] = name_node(b, "time");
    for (size_t i = 0; i < b->list.len; i++) {
        const found_joint *f = &b->list.data[i];
        for (uint32_t k = 0; k < part->built.joints.data[i].n_inputs; k++)
            args[n_args++] = path_node(b, f->name, f->step->inputs[k]);
        if (part->built.joints.data[i].flange)
            given[n++] = i;
    }
    call_equation(b, own(b, "multibodyTerms"), part->built.functions[SG_PART_TERMS], args, n_args);
    if (n)
        write_given(b, given, n, args);
    n_args = 1;
    args[n_args++] = own_node(b, "multibodyTerms");
    for (size_t j = 0; j < n; j++)
        args[n_args++] =
            part->built.looped ? flange_force(b, given[j]) : acceleration(b, given[j], 0);
    call_equation(b, own(b, "multibodyAccelerations"), part->built.functions[SG_PART_ACCELERATIONS],
                  args, n_args);
    write_inner(b);
}

static bool put(builder *b, sg_dict *dict, const char *key, sg_value value)
{
    return sg_dict_put(b->vm, dict, sg_symbol(sg_vm_sym(b->vm, key)), value, b->span);
}

// Var(hideResult = true)
static sg_value hidden_var(builder *b)
{
    sg_dict *var = sg_dict_make(b->vm, sg_vm_sym(b->vm, "Var"));
    b->failed |= !var || !put(b, var, "hideResult", sg_bool(true));
    return sg_object(var);
}

static sg_status merge_equations(builder *b, sg_value model, sg_value *out)
{
    sg_vm *vm = b->vm;
    sg_ast *list = with_kids(b, SG_AST_VECT, b->equations.data, (uint32_t)b->equations.len);
    sg_dict *addition = sg_dict_make(vm, sg_vm_sym(vm, "Model"));
    if (b->failed || !addition)
        return SG_ERR_MEMORY;
    addition->span = b->span;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(addition));
    bool ok = put(b, addition, own(b, "multibodyTerms"), hidden_var(b)) &&
              put(b, addition, own(b, "multibodyMatrix"), hidden_var(b)) &&
              put(b, addition, own(b, "multibodyForces"), hidden_var(b)) &&
              put(b, addition, own(b, "multibodyAccelerations"), hidden_var(b)) &&
              put(b, addition, "equations", sg_quote_make(vm, list)) && !b->failed;
    sg_status status = ok ? sg_merge(vm, model, sg_object(addition), out) : SG_ERR_MEMORY;
    sg_root_pop(vm, mark);
    return status;
}

static sg_status build(builder *b, sg_value model, sg_value *out)
{
    sg_status found = sg_part_find_ties(&b->ties, b->vm, &model);
    if (found != SG_OK)
        return found;
    sg_root_push(b->vm, model); // until the caller is done
    search(b, (sg_dict *)model.o, "", 0);
    if (b->wrong != SG_OK)
        return b->wrong;
    if (b->by_hand)
        return sg_raise(b->vm, "ErrorException", SG_E_BY_HAND, b->by_hand_span,
                        "'%s' was made by Modia3D.Composition, to be moved by hand; an element of "
                        "a Model3D is made by Modia3D.Object3D(...), Modia3D.Revolute(...) and so "
                        "on, with names such as :world for other elements",
                        b->by_hand);
    // These may be tied to each other by any equations, which takes a full matrix.
    if (b->part->built.n_given > MAX_GIVEN)
        return sg_raise(b->vm, "ArgumentError", SG_E_MODEL, b->span,
                        "one Model3D has %u joints with a flange; at most %d are possible (joints "
                        "without one are not limited)",
                        (unsigned)b->part->built.n_given, (int)MAX_GIVEN);
    sg_ast **args = SG_NEW_ARRAY(b->arena, sg_ast *, SG_JOINT_MAX_INPUTS * b->list.len + 3);
    size_t *given = SG_NEW_ARRAY(b->arena, size_t, b->list.len + 1);
    if (b->failed || !args || !given)
        return SG_ERR_MEMORY;
    choose_tail(b, (sg_dict *)model.o);
    b->part->built.looped = b->may_close || b->n_links + b->n_joints > b->n_roots - 1;
    write_equations(b, args, given);
    return b->failed ? SG_ERR_MEMORY : merge_equations(b, model, out);
}

// ---- the part as a value ------------------------------------------------------------------------

static void mark_part(sg_vm *vm, void *data)
{
    sg_part *part = data;
    for (int k = 0; k < SG_PART_N_FUNCTIONS; k++)
        sg_mark_value(vm, part->built.functions[k]);
    sg_actions_mark(vm, part);
}

static void destroy_part(sg_vm *vm, void *data)
{
    sg_part *part = data;
    sg_part_clear_records(part);
    sg_part_state_free(part->run);
    part->allocator->resize(part->allocator->context, part->run, sizeof *part->run, 0);
    sg_part_free_meshes(part);
    sg_animation_destroy(&part->built.animation);
    SG_VEC_FREE(part->allocator, &part->built.joints);
    SG_VEC_FREE(part->allocator, &part->records.objects);
    SG_VEC_FREE(part->allocator, &part->records.declared);
    SG_VEC_FREE(part->allocator, &part->records.links);
    SG_VEC_FREE(part->allocator, &part->records.ties);
    SG_VEC_FREE(part->allocator, &part->records.frees);
    SG_VEC_FREE(part->allocator, &part->records.hinges);
    SG_VEC_FREE(part->allocator, &part->records.at_rest);
    SG_VEC_FREE(part->allocator, &part->records.actors);
    SG_VEC_FREE(part->allocator, &part->records.contact_laws);
    SG_VEC_FREE(part->allocator, &part->records.apart);
    SG_VEC_FREE(part->allocator, &part->records.programs.all);
    SG_VEC_FREE(part->allocator, &part->records.fixes);
    sg_ports_free(&part->built.ports, part->allocator);
    sg_map_free(&part->built.joint_by_path);
    sg_map_free(&part->records.object_of);
    sg_arena_destroy(&part->arena);
    vm->allocator->resize(vm->allocator->context, part, sizeof *part, 0);
}

const sg_native_class sg_part_class = {
    .name = "Model3D", .mark = mark_part, .destroy = destroy_part};

sg_part *sg_part_of(sg_value value) { return sg_native_data(value, &sg_part_class); }

sg_status sg_part_make(sg_vm *vm, const char *id, sg_span span, sg_value *out)
{
    sg_part *part = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *part);
    if (!part)
        return SG_ERR_MEMORY;
    sg_part_state *run = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *run);
    if (!run) {
        vm->allocator->resize(vm->allocator->context, part, sizeof *part, 0);
        return SG_ERR_MEMORY;
    }
    *part = (sg_part){.vm = vm, .allocator = vm->allocator, .span = span, .run = run};
    sg_part_state_init(run, part);
    sg_arena_init(&part->arena, vm->allocator);
    sg_arena_init(&part->records.arena, vm->allocator);
    sg_arena_init(&part->segment.arena, vm->allocator);
    sg_ports_init(&part->built.ports, vm->allocator);
    sg_map_init(&part->built.joint_by_path, vm->allocator);
    sg_map_init(&part->records.object_of, vm->allocator);
    part->id = sg_arena_text(&part->arena, id, strlen(id));
    *out = sg_native_make(vm, &sg_part_class, part);
    if (out->tag == SG_UNDEF) {
        destroy_part(vm, part);
        return SG_ERR_MEMORY;
    }
    bool ok = part->id;
    for (int k = 0; k < SG_PART_N_FUNCTIONS; k++) {
        run->entries[k].owner = part;
        part->built.functions[k] = sg_native_make(vm, &sg_part_function_class, &run->entries[k]);
        ok &= part->built.functions[k].tag != SG_UNDEF;
    }
    return ok ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_part_build(sg_vm *vm, const sg_part_host *host, sg_value model, const char *id,
                        sg_span span, sg_value *new_model, sg_value *value)
{
    sg_status status = sg_part_make(vm, id, span, value);
    if (status != SG_OK)
        return status;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *value);
    sg_part *part = sg_part_of(*value);
    builder b = {
        .vm = vm, .hand = host->by_hand, .part = part, .arena = &part->arena, .span = span};
    status = build(&b, model, new_model);
    SG_VEC_FREE(vm->allocator, &b.list);
    SG_VEC_FREE(vm->allocator, &b.equations);
    sg_part_ties_free(&b.ties);
    sg_root_pop(vm, mark);
    return status;
}
