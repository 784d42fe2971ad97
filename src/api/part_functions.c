#include "api/part_functions.h"

#include "api/model_object.h"
#include "api/natives.h"
#include "model/build.h"
#include "parts/functions.h"
#include "parts/run.h"

// ---- in the numeric program ---------------------------------------------------------------------

static const double *argument(const void *context, uint32_t i)
{
    const sg_extern_call *call = context;
    return call->args[i].data;
}

static sg_part_call part_call(const sg_extern_call *call)
{
    return (sg_part_call){argument, call, call->time, call->events, call->results[0].data};
}

static sg_status terms_shape(void *context, const sg_extern_call *call, sg_shape *results)
{
    (void)call;
    results[0] = sg_shape_vector(sg_part_result_length(context, true));
    return SG_OK;
}

static sg_status accelerations_shape(void *context, const sg_extern_call *call, sg_shape *results)
{
    (void)call;
    results[0] = sg_shape_vector(sg_part_result_length(context, false));
    return SG_OK;
}

static sg_status call_terms(void *context, const sg_extern_call *call)
{
    sg_part_call c = part_call(call);
    return sg_part_terms(context, &c);
}

static sg_status call_accelerations(void *context, const sg_extern_call *call)
{
    sg_part_call c = part_call(call);
    return sg_part_accelerations(context, &c);
}

bool sg_part_extern(sg_value function, sg_extern *out)
{
    bool terms;
    sg_part *part = sg_part_of_function(function, &terms);
    if (part)
        *out = terms ? (sg_extern){part, terms_shape, call_terms}
                     : (sg_extern){part, accelerations_shape, call_accelerations};
    return part != NULL;
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
    (void)context;
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
    sg_status status = sg_part_build(vm, args->v[0], id, args->span, &model, &part);
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

void sg_session_print_balance(const sg_model_object *m)
{
    sg_vm *vm = m->session->vm;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (size_t i = 0; i < m->instance.built.len; i++) {
        const sg_part *part = sg_part_of(m->instance.built.data[i].object);
        if (part)
            sg_part_balance_sheet(part, &text);
    }
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
}

bool sg_session_register_parts(sg_session *session)
{
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    return sg_vm_register(session->vm, modia3d, "Model3D", model3d_native, session, NULL) &&
           sg_vm_register(session->vm, modia3d, "build_Model3D!", build_native, session, NULL) &&
           sg_vm_register(session->vm, modia3d, "initSegment_Model3D!", begin_native, session,
                          NULL) &&
           sg_parts_register_measures(session->vm, modia3d, &session->host) &&
           sg_parts_register_shapes(session->vm, modia3d, &session->host) &&
           sg_session_register_palettes(session);
}
