#include "parts/coupling.h"

#include "parts/part.h"
#include "symbolic/walk.h"

#include <string.h>

// What blocks and messages call it.
static void print_function(sg_vm *vm, void *data, sg_buf *out)
{
    static const char *const names[SG_PART_N_FUNCTIONS] = {
        "bodyForces",      "massMatrix", "bodyAccelerations", "forwardDynamics",
        "inverseDynamics", "bodyMotion", "bodySenses"};
    (void)vm;
    sg_buf_puts(out, names[((const sg_part_entry *)data)->kind]);
}

const sg_native_class sg_part_function_class = {.name = "MultibodyFunction",
                                                .print = print_function};

// Behind a function stands its entry in the state of the run.
sg_part *sg_part_of_function(sg_value function, sg_part_function *kind)
{
    const sg_part_entry *entry = sg_native_data(function, &sg_part_function_class);
    if (entry)
        *kind = entry->kind;
    return entry ? entry->owner : NULL;
}

static void find_functions(const sg_part *part, const sg_instance *instance, sg_coupling *c)
{
    for (uint32_t row = 1; row < instance->flat.funcs.len; row++) {
        uintptr_t handle = (uintptr_t)instance->flat.funcs.data[row].handle;
        sg_part_function kind;
        if (sg_part_of_function(instance->handles.data[handle - 1], &kind) == part)
            c->function[kind] = (sg_func_id){row};
    }
}

static bool add_function(const sg_part *part, sg_instance *instance, sg_part_function kind,
                         const char *name, sg_coupling *c)
{
    uint32_t handle = sg_instance_handle(instance, part->built.functions[kind]);
    c->function[kind] = sg_flat_func_add(&instance->flat, sg_vm_sym(instance->vm, name),
                                         (void *)(uintptr_t)(handle + 1));
    return c->function[kind].i != 0;
}

// The call that an equation assigns, the null node if it does something else.
static sg_expr_id call_of(const sg_exprs *x, const sg_flat_eq *eq)
{
    sg_expr_id e = sg_expr_op_of(x, eq->rhs) == SG_X_RESULT ? sg_expr_arg(x, eq->rhs, 0) : eq->rhs;
    return sg_expr_op_of(x, e) == SG_X_CALL ? e : (sg_expr_id){0};
}

// The arguments of the terms: time, and for each joint coordinates and velocities in turn.
static void read_terms(const sg_part *part, const sg_flat *flat, sg_expr_id call, sg_coupling *c)
{
    const sg_exprs *x = &flat->exprs;
    uint32_t at = 1;
    for (uint32_t j = 0; j < c->n_joints; j++) {
        int n = part->built.joints.data[j].kind == SG_JOINT_FREE ? 2 : 1;
        for (int k = 0; k < n; k++) {
            sg_coupling_joint *joint = &c->joints[j];
            joint->q[k] = sg_expr_var_of(x, sg_expr_arg(x, call, at + 2 * (uint32_t)k));
            joint->v[k] = sg_expr_var_of(x, sg_expr_arg(x, call, at + 2 * (uint32_t)k + 1));
            joint->a[k] = flat->vars.data[joint->v[k].i].der;
        }
        at += part->built.joints.data[j].n_inputs;
    }
}

static void read_calls(const sg_part *part, const sg_flat *flat, sg_coupling *c)
{
    for (size_t i = 1; i < flat->eqs.len; i++) {
        const sg_flat_eq *eq = &flat->eqs.data[i];
        sg_expr_id call = call_of(&flat->exprs, eq);
        uint32_t row = call.i ? sg_expr_get(&flat->exprs, call)->index : 0;
        sg_var_id left = sg_expr_var_of(&flat->exprs, eq->lhs);
        if (!row || !left.i)
            continue;
        if (row == c->function[SG_PART_TERMS].i) {
            c->terms = left;
            read_terms(part, flat, call, c);
        } else if (row == c->function[SG_PART_MATRIX].i) {
            c->matrix = left;
        } else if (row == c->function[SG_PART_ACCELERATIONS].i) {
            c->accelerations = left;
        }
    }
}

// forces = terms + matrix*[...], the one equation with the matrix besides its own.
static void find_forces(sg_flat *flat, sg_coupling *c)
{
    for (size_t i = 1; i < flat->eqs.len && !c->forces.i; i++) {
        const sg_flat_eq *eq = &flat->eqs.data[i];
        sg_var_id left = sg_expr_var_of(&flat->exprs, eq->lhs);
        if (left.i && left.i != c->matrix.i && sg_expr_op_of(&flat->exprs, eq->rhs) == SG_X_ADD &&
            sg_expr_contains_var(&flat->exprs, eq->rhs, c->matrix))
            c->forces = left;
    }
}

// tau = implicitDependency(forces[k], der(v))
static void find_flanges(const sg_flat *flat, sg_coupling *c)
{
    const sg_exprs *x = &flat->exprs;
    for (size_t i = 1; i < flat->eqs.len; i++) {
        const sg_flat_eq *eq = &flat->eqs.data[i];
        if (sg_expr_op_of(x, eq->rhs) != SG_X_IMPLICIT)
            continue;
        sg_expr_id element = sg_expr_arg(x, eq->rhs, 0);
        double number;
        if (sg_expr_op_of(x, element) == SG_X_INDEX &&
            sg_expr_var_of(x, sg_expr_arg(x, element, 0)).i == c->forces.i &&
            sg_expr_is_number(x, sg_expr_arg(x, element, 1), &number) && number >= 1.0 &&
            number <= c->n_given)
            c->joints[c->given[(uint32_t)number - 1]].tau = sg_expr_var_of(x, eq->lhs);
    }
}

sg_status sg_part_couple(sg_part *part, sg_instance *instance)
{
    sg_coupling *c = SG_NEW(&part->arena, sg_coupling);
    if (!c)
        return SG_ERR_MEMORY;
    c->joints = SG_NEW_ARRAY(&part->arena, sg_coupling_joint, part->built.joints.len + 1);
    c->given = SG_NEW_ARRAY(&part->arena, uint32_t, part->built.n_given + 1);
    if (part->arena.failed)
        return SG_ERR_MEMORY;
    for (size_t j = 0; j < part->built.joints.len; j++)
        if (part->built.joints.data[j].flange)
            c->given[c->n_given++] = (uint32_t)j;
    c->n_joints = (uint32_t)part->built.joints.len;
    find_functions(part, instance, c);
    if (!add_function(part, instance, SG_PART_FORWARD, "forwardDynamics", c) ||
        !add_function(part, instance, SG_PART_INVERSE, "inverseDynamics", c) ||
        !add_function(part, instance, SG_PART_MOTION, "bodyMotion", c) ||
        !add_function(part, instance, SG_PART_SENSED, "bodySenses", c))
        return SG_ERR_MEMORY;
    read_calls(part, &instance->flat, c);
    // In the form of loops nothing is solved for accelerations (parts/loops.h).
    if (c->matrix.i && !part->built.looped)
        find_forces(&instance->flat, c);
    if (c->forces.i)
        find_flanges(&instance->flat, c);
    part->built.coupling = c;
    return sg_part_open_ports(part, &instance->flat, c);
}

const sg_coupling *sg_part_coupling(const sg_part *part) { return part->built.coupling; }

// The variable that this is, or that this is a derivative of.
static sg_var_id base_of(const sg_flat *flat, sg_var_id var)
{
    while (var.i && flat->vars.data[var.i].of.i)
        var = flat->vars.data[var.i].of;
    return var;
}

// Whether somebody wrote, outside of the joint, what this variable of it is.
static bool is_prescribed(const sg_flat *flat, const sg_flat_eq *e, sg_sym joint, sg_var_id var)
{
    sg_var_id left = base_of(flat, sg_expr_var_of(&flat->exprs, e->lhs));
    sg_var_id right = base_of(flat, sg_expr_var_of(&flat->exprs, e->rhs));
    return (left.i == var.i || right.i == var.i) && e->origin == SG_EQ_WRITTEN &&
           e->component.i != joint.i;
}

static void explain_variable(const sg_flat *flat, const sg_part_joint *joint, sg_var_id var,
                             sg_diags *diags)
{
    for (size_t i = 1; var.i && i < flat->eqs.len; i++)
        if (is_prescribed(flat, &flat->eqs.data[i], joint->path, var))
            sg_note(diags, flat->eqs.data[i].span,
                    "this prescribes '%s', which follows from the forces; a joint needs a flange "
                    "for that: make it a %sWithFlange%s",
                    sg_sym_text(flat->symbols, flat->vars.data[var.i].name), joint->form->name,
                    sg_joint_n_steps(joint->form) > 1 ? "s" : "");
}

// What elements show is not differentiated, which prescribing a coordinate by it would take.
static void explain_ports(const sg_part *part, sg_diags *diags)
{
    bool derivative = false;
    for (size_t i = 0; i < diags->len; i++)
        derivative |= diags->list[i].code == SG_E_DERIVATIVE;
    for (size_t i = 0; derivative && i < part->built.ports.list.len; i++)
        if (part->built.ports.list.data[i].kind->level != SG_PORT_INPUT)
            sg_note(diags, part->built.ports.list.data[i].span,
                    "'%s' is a signal of a 3D element and cannot be differentiated, so it cannot "
                    "prescribe a coordinate; a force may drive it there instead",
                    part->built.ports.list.data[i].name);
}

void sg_part_explain_coupling(const sg_part *part, const sg_flat *flat, sg_diags *diags)
{
    explain_ports(part, diags);
    for (size_t j = 0; part->built.coupling && j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (joint->flange || sg_joint_dof(joint->kind) > 1)
            continue;
        explain_variable(flat, joint, part->built.coupling->joints[j].q[0], diags);
        explain_variable(flat, joint, part->built.coupling->joints[j].v[0], diags);
    }
}

sg_expr_id sg_coupling_expr(sg_exprs *exprs, const sg_structure *structure, sg_var_id var)
{
    const sg_alias *alias = &structure->aliases[var.i];
    switch (alias->kind) {
    case SG_ALIAS_NONE:
        break;
    case SG_ALIAS_PLUS:
        return sg_expr_var(exprs, alias->of);
    case SG_ALIAS_MINUS:
        return sg_expr_neg(exprs, sg_expr_var(exprs, alias->of));
    case SG_ALIAS_ZERO:
    case SG_ALIAS_FREE_ZERO:
        return sg_expr_num(exprs, 0.0);
    }
    return sg_expr_var(exprs, var);
}
