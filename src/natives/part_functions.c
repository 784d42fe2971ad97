#include "natives/part_functions.h"

#include "base/assert.h"
#include "model/build.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "parts/functions.h"
#include "parts/held.h"
#include "parts/inside.h"
#include "parts/run.h"

#include <stdio.h>
#include <string.h>

// ---- between the two ----------------------------------------------------------------------------

static sg_var_id variable(sg_model_object *m, const char *id, const char *name)
{
    sg_vm *vm = m->session->vm;
    sg_sym path = id[0] ? sg_vm_sym(vm, id) : (sg_sym){0};
    return sg_flat_var_find(&m->instance.flat, sg_model_join(&m->instance, path, name));
}

static sg_func_id add_function(sg_model_object *m, const sg_part *part, sg_part_function kind,
                               const char *name)
{
    uint32_t handle = sg_instance_handle(&m->instance, sg_part_function_value(part, kind));
    return sg_flat_func_add(&m->instance.flat, sg_vm_sym(m->session->vm, name),
                            (void *)(uintptr_t)(handle + 1));
}

bool sg_parts_prepare(sg_model_object *m)
{
    sg_instance *instance = &m->instance;
    m->insides = SG_NEW_ARRAY(&m->arena, sg_inside, instance->built.len + 1);
    for (size_t i = 0; m->insides && i < instance->built.len; i++) {
        const sg_part *part = sg_part_of(instance->built.data[i].object);
        if (!part)
            continue;
        const char *id = sg_part_id(part);
        m->insides[i] = (sg_inside){
            variable(m, id, "multibodyForces"), variable(m, id, "multibodyTerms"),
            add_function(m, part, SG_PART_FORWARD, "forwardDynamics"),
            add_function(m, part, SG_PART_INVERSE, "inverseDynamics"), sg_part_n_given(part)};
    }
    return m->insides && !sg_flat_failed(&instance->flat);
}

// All functions of a part, as one tree.
bool sg_parts_trees(sg_model_object *m)
{
    const sg_flat *flat = &m->instance.flat;
    sg_sim_tree *trees = SG_NEW_ARRAY(&m->arena, sg_sim_tree, m->instance.built.len + 1);
    uint32_t n = 0;
    for (size_t i = 0; trees && i < m->instance.built.len; i++) {
        sg_part *part = sg_part_of(m->instance.built.data[i].object);
        if (part)
            trees[n++] = sg_part_tree(part);
    }
    for (uint32_t f = 1; trees && f < flat->funcs.len; f++) {
        sg_part_function kind = SG_PART_N_FUNCTIONS;
        uintptr_t handle = (uintptr_t)flat->funcs.data[f].handle;
        const sg_part *part = sg_part_of_function(m->instance.handles.data[handle - 1], &kind);
        for (uint32_t k = 0; part && kind != SG_PART_INVERSE && k < n; k++)
            if (trees[k].context == part)
                *(kind == SG_PART_TERMS           ? &trees[k].terms
                  : kind == SG_PART_MATRIX        ? &trees[k].matrix
                  : kind == SG_PART_ACCELERATIONS ? &trees[k].accelerations
                                                  : &trees[k].forward) = f;
    }
    m->compiled.trees = trees;
    m->compiled.n_trees = n;
    return trees != NULL;
}

void sg_parts_rewrite(void *model, sg_exprs *exprs, sg_blocks *blocks, sg_arena *arena, bool first)
{
    sg_model_object *m = model;
    for (size_t i = 0; i < m->instance.built.len; i++) {
        sg_part *part = sg_part_of(m->instance.built.data[i].object);
        bool inverse = false,
             inside = part && m->insides[i].forces.i &&
                      sg_solve_inside(exprs, blocks, &m->insides[i], arena, &inverse);
        if (part)
            sg_part_set_inside(part, inside, inverse, first);
    }
}

// ---- in the script ------------------------------------------------------------------------------

// Model3D(; components...): a Model with the functions that the prelude names. Not written in the
// language, so that components keep their places for messages.
static sg_status model3d_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n)
        return sg_raise(vm, "MethodError", SG_E_KEYWORD, args->span,
                        "Model3D takes keywords only, such as Model3D(world = Object3D(...))");
    sg_module *modia3d = sg_vm_module(vm, "Modia3D");
    sg_value functions = sg_module_get(modia3d, sg_vm_sym(vm, "model3DFunctions"));
    sg_dict *model = sg_dict_make(vm, sg_vm_sym(vm, "Model"));
    bool ok = model && sg_is(functions, SG_OBJ_DICT);
    sg_dict_entry e;
    for (size_t at = 0; ok && sg_dict_next((sg_dict *)functions.o, &at, &e);)
        ok = sg_dict_put(vm, model, e.key, e.value, args->span);
    for (uint32_t i = 0; ok && i < args->n_kw; i++)
        ok = sg_dict_put(vm, model, sg_symbol(args->kw[i]), args->kwv[i],
                         args->spans ? args->spans[i] : args->span);
    if (ok)
        model->span = args->span;
    *out = sg_object(model);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// (newModel, part) = build_Model3D!(model, module, FloatType, TimeType, options, ID, path)
static sg_status build_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_session *session = context;
    const char *id = sg_text_argument(args, 5);
    sg_value unitless;
    if (args->n < 6 || !id || !sg_is(args->v[0], SG_OBJ_DICT) || !sg_is(args->v[4], SG_OBJ_DICT))
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "build_Model3D! is called when a model is instantiated, not by hand");
    if (!sg_dict_get_sym((sg_dict *)args->v[4].o, sg_vm_sym(vm, "unitless"), &unitless) ||
        unitless.tag != SG_BOOL || !unitless.b)
        return sg_raise(vm, "ErrorException", SG_E_MODEL, args->span,
                        "a model with 3D parts needs @instantiateModel(..., unitless = true), as "
                        "their equations carry no units");
    sg_tuple *pair = sg_tuple_make(vm, 2);
    if (!pair)
        return SG_ERR_MEMORY;
    *out = sg_object(pair);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *out);
    sg_value model = SG_VALUE_NOTHING, part = SG_VALUE_NOTHING;
    sg_status status = sg_part_build(vm, &session->host, args->v[0], id, args->span, &model, &part);
    pair->items[0] = model;
    pair->items[1] = part;
    sg_root_pop(vm, mark);
    return status;
}

// initSegment_Model3D!(instantiatedModel, path, ID, parameters)
static sg_status begin_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    sg_model_object *m = sg_model_argument(vm, args, "initSegment_Model3D!");
    const char *id = sg_text_argument(args, 2);
    sg_value object;
    if (!m)
        return SG_ERR_MODEL;
    sg_part *part = id && sg_built_object(&m->instance, id, &object) ? sg_part_of(object) : NULL;
    if (!part || args->n < 4)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "initSegment_Model3D! is called before a segment, not by hand");
    return sg_part_begin_segment(part, args->v[3], &m->session->compat.parts, &m->session->host,
                                 &m->compiled.hidden, &m->compiled.exec->n_x);
}

// Whether somebody wrote, outside of the joint, what this variable of it is.
static bool is_prescribed(const sg_flat *flat, const sg_flat_eq *e, const char *joint,
                          sg_sym variable)
{
    sg_var_id left = sg_expr_var_of(&flat->exprs, e->lhs);
    sg_var_id right = sg_expr_var_of(&flat->exprs, e->rhs);
    bool is_side = (left.i && flat->vars.data[left.i].name.i == variable.i) ||
                   (right.i && flat->vars.data[right.i].name.i == variable.i);
    return is_side && e->origin == SG_EQ_WRITTEN &&
           strcmp(sg_sym_text(flat->symbols, e->component), joint) != 0;
}

static void explain_variable(const sg_model_object *m, const char *joint, const char *name,
                             bool turns)
{
    const sg_flat *flat = &m->instance.flat;
    char text[512];
    int length = snprintf(text, sizeof text, "%s.%s", joint, name);
    if (length < 0 || (size_t)length >= sizeof text)
        return;
    sg_sym variable = sg_sym_find(flat->symbols, text, (size_t)length);
    for (size_t i = 1; variable.i && i < flat->eqs.len; i++)
        if (is_prescribed(flat, &flat->eqs.data[i], joint, variable))
            sg_note(m->session->vm->diags, flat->eqs.data[i].span,
                    "this prescribes '%s', which follows from the forces; a joint needs a flange "
                    "for that: make it a %sWithFlange",
                    text, turns ? "Revolute" : "Prismatic");
}

void sg_parts_explain(const sg_model_object *m)
{
    for (size_t i = 0; i < m->instance.built.len; i++) {
        const sg_part *part = sg_part_of(m->instance.built.data[i].object);
        const char *joint;
        bool turns;
        for (size_t j = 0; part && sg_part_joint_alone(part, j, &joint, &turns); j++)
            for (int k = 0; joint && k < 2; k++)
                explain_variable(m, joint, turns ? (k ? "w" : "phi") : (k ? "v" : "s"), turns);
    }
}

void sg_session_print_balance(const sg_model_object *m, double tolerance, sg_span span)
{
    sg_vm *vm = m->session->vm;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    bool any = false;
    for (size_t i = 0; i < m->instance.built.len; i++) {
        const sg_part *part = sg_part_of(m->instance.built.data[i].object);
        any |= part != NULL;
        if (!part || !sg_part_balance_sheet(part, tolerance, &text))
            continue;
        if (!sg_part_balance_closes(part, tolerance))
            sg_warning(vm->diags, SG_E_ENERGY, span,
                       "the balance of energy%s%s does not close: the error is more than the "
                       "tolerance %g explains; try a smaller one. Beyond that, spring laws that "
                       "jump, states set anew at events, and --compat make energy",
                       sg_part_id(part)[0] ? " of " : "", sg_part_id(part), tolerance);
    }
    if (!any)
        sg_note(vm->diags, span,
                "--balance: this model has no Model3D part, whose energy could be told");
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
}

bool sg_session_register_parts(sg_session *session)
{
    // Build and segment also by the names of [Neumayr-thesis] 3.2.2.
    static const struct {
        const char *name;
        sg_native_fn function;
    } functions[] = {{"Model3D", model3d_native},
                     {"build_Model3D!", build_native},
                     {"buildModel3D!", build_native},
                     {"initSegment_Model3D!", begin_native},
                     {"initSegmentModel3D!", begin_native}};
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    for (size_t i = 0; i < SG_COUNT(functions); i++)
        if (!sg_vm_register(session->vm, modia3d, functions[i].name, functions[i].function, session,
                            NULL))
            return false;
    return sg_parts_register_measures(session->vm, modia3d, &session->host) &&
           sg_parts_register_shapes(session->vm, modia3d, &session->host) &&
           sg_parts_register_later(session->vm, modia3d) && sg_session_register_palettes(session) &&
           sg_session_register_animations(session);
}
