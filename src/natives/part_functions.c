#include "natives/part_functions.h"

#include "base/assert.h"
#include "model/build.h"
#include "model3d/model3d.h"
#include "natives/c_component.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "natives/scripted.h"
#include "natives/touches.h"
#include "parts/coupling.h"
#include "parts/functions.h"

// ---- the components of a model
// ----------------------------------------------------------------------------

// A component of the script: the equations know it, and a run need not ask for anything but what
// the first of them answers for all (natives/scripted.h).
static const sg_component_functions scripted = {0};

static sg_status list_components(sg_model_object *m)
{
    const sg_instance *instance = &m->instance;
    size_t n = instance->built.len;
    sg_sim_component *list = SG_NEW_ARRAY(&m->arena, sg_sim_component, n + 1);
    m->parts = SG_NEW_ARRAY(&m->arena, sg_part *, n + 1);
    if (!list || !m->parts)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        sg_part *part = sg_part_of(instance->built.data[i].object);
        if (part)
            list[i] = (sg_sim_component){&sg_part_component, part};
        else if (!sg_component_in_run(instance->built.data[i].object, &list[i])) {
            list[i] = (sg_sim_component){&scripted, NULL};
            if (!m->scripted && !sg_scripted_begin_list(m, &list[i]))
                return SG_ERR_MEMORY;
            sg_scripted_add(m, i);
        }
        if (part)
            m->parts[m->n_parts++] = part;
    }
    m->components = (sg_sim_components){list, (uint32_t)n};
    return SG_OK;
}

sg_status sg_components_prepare(sg_model_object *m)
{
    sg_instance *instance = &m->instance;
    sg_status status = list_components(m);
    for (size_t i = 0; status != SG_ERR_MEMORY && i < m->n_parts; i++) {
        sg_status own = sg_part_couple(m->parts[i], instance);
        status = own == SG_OK ? status : own;
    }
    for (size_t i = 0; status == SG_OK && i < m->n_parts; i++)
        status = sg_part_check_names(m->parts[i], &instance->flat);
    return sg_flat_failed(&instance->flat) ? SG_ERR_MEMORY : status;
}

// ---- in the script ------------------------------------------------------------------------------

// Model3D(; components...): a Model with the functions that the prelude names.
static sg_status model3d_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n)
        return sg_raise(vm, "MethodError", SG_E_KEYWORD, args->span,
                        "Model3D takes keywords only, such as Model3D(world = Object3D(...))");
    return sg_model_of_keywords(vm, "model3DFunctions", args, out);
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
                                 &m->compiled.hidden, &m->compiled.exec->at.n_x);
}

void sg_session_print_balance(const sg_model_object *m, double tolerance, sg_span span)
{
    sg_vm *vm = m->session->vm;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (size_t i = 0; i < m->n_parts; i++) {
        const sg_part *part = m->parts[i];
        if (!sg_part_balance_sheet(part, tolerance, &text))
            continue;
        bool passed = sg_part_was_passed_through(part);
        if (passed)
            sg_warning(vm->diags, SG_E_ENERGY, span,
                       "the balance of energy%s%s does not close: a body went through another one",
                       sg_part_id(part)[0] ? " of " : "", sg_part_id(part));
        else if (!sg_part_balance_closes(part, tolerance))
            sg_warning(vm->diags, SG_E_ENERGY, span,
                       "the balance of energy%s%s does not close: the error is more than the "
                       "tolerance %g explains; try a smaller one. Beyond that, spring laws that "
                       "jump, states set anew at events, and --compat make energy",
                       sg_part_id(part)[0] ? " of " : "", sg_part_id(part), tolerance);
    }
    if (!m->n_parts)
        sg_note(vm->diags, span,
                "--balance: this model has no Model3D part, so there is no energy to report");
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
}

void sg_session_count_contacts(sg_model_object *m, bool asked, sg_span span)
{
    sg_vm *vm = m->session->vm;
    m->contacts = (sg_contact_counts){0};
    m->has_contacts = false;
    for (size_t i = 0; i < m->n_parts; i++)
        m->has_contacts |= sg_part_contact_counts(m->parts[i], &m->contacts);
    if (!asked)
        return;
    if (!m->has_contacts) {
        sg_note(vm->diags, span, "logContacts: no two solids of this model can collide");
        return;
    }
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_part_print_contact_counts(&m->contacts, &text);
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
}

// contactStatistics(model): the counts of its last simulation by name.
static sg_status statistics_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    const sg_model_object *m = sg_model_argument(vm, args, "contactStatistics");
    if (!m)
        return SG_ERR_MODEL;
    if (m->session->options.check_only)
        m->session->models.n_unknown++; // the statement is skipped, not wrong
    if (!m->has_contacts)
        return sg_raise(vm, "ErrorException", SG_E_ARGUMENT, args->span,
                        "contactStatistics: the model was not simulated, or no two of its solids "
                        "can collide");
    sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
    if (!dict)
        return SG_ERR_MEMORY;
    *out = sg_object(dict);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *out);
    sg_status status = SG_OK;
    sg_contact_count row;
    for (size_t i = 0; status == SG_OK && (row = sg_contact_count_at(&m->contacts, i)).name; i++)
        if (!sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, row.name)), sg_int(row.value),
                         args->span))
            status = SG_ERR_MEMORY;
    sg_root_pop(vm, mark);
    return status;
}

// contactTable(model): a dictionary of the names and numbers of each contact, for its last
// simulation.
static sg_status table_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    const sg_model_object *m = sg_model_argument(vm, args, "contactTable");
    if (!m)
        return SG_ERR_MODEL;
    if (m->session->options.check_only)
        m->session->models.n_unknown++; // the statement is skipped, not wrong
    if (!m->has_contacts || !m->result)
        return sg_raise(vm, "ErrorException", SG_E_ARGUMENT, args->span,
                        "contactTable: the model was not simulated, or no two of its solids can "
                        "collide");
    return sg_touches_values(vm, m->result, args->span, out);
}

bool sg_session_register_parts(sg_session *session)
{
    // Build and segment also by the names of [Neumayr-thesis] 3.2.2.
    static const struct {
        const char *name;
        sg_native_fn function;
    } functions[] = {
        {"Model3D", model3d_native},           {"build_Model3D!", build_native},
        {"buildModel3D!", build_native},       {"initSegment_Model3D!", begin_native},
        {"initSegmentModel3D!", begin_native}, {"contactStatistics", statistics_native},
        {"contactTable", table_native}};
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    for (size_t i = 0; i < SG_COUNT(functions); i++)
        if (!sg_vm_offer(session->vm, modia3d, functions[i].name, functions[i].function, session,
                         NULL))
            return false;
    return sg_parts_register_measures(session->vm, modia3d, &session->host) &&
           sg_parts_register_shapes(session->vm, modia3d, &session->host) &&
           sg_parts_register_actions(session->vm, modia3d) &&
           sg_session_register_palettes(session) && sg_session_register_animations(session);
}
