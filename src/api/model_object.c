#include "api/model_object.h"

#include "model/build.h"

#include <string.h>

static void mark_model(sg_vm *vm, void *data)
{
    sg_model_object *m = data;
    sg_instance_mark(&m->instance);
    sg_opaques_mark(&m->opaques, vm);
}

static void destroy_model(sg_vm *vm, void *data)
{
    sg_model_object *m = data;
    const sg_allocator *allocator = vm->allocator;
    if (m->compiled_ok)
        sg_compiled_destroy(&m->compiled);
    sg_opaques_destroy(&m->opaques, vm);
    sg_instance_destroy(&m->instance);
    sg_result_close(m->result);
    sg_vec_free(allocator, (void **)&m->final_states, &m->cap_final_states, sizeof(double));
    sg_arena_destroy(&m->arena);
    allocator->resize(allocator->context, m, sizeof *m, 0);
}

static void print_model(sg_vm *vm, void *data, sg_buf *out)
{
    const sg_model_object *m = data;
    sg_buf_printf(out, "InstantiatedModel(%s)", sg_vm_text(vm, m->instance.name));
}

const sg_native_class sg_model_class = {.name = "InstantiatedModel",
                                        .mark = mark_model,
                                        .destroy = destroy_model,
                                        .print = print_model};

sg_model_object *sg_model_argument(sg_vm *vm, const sg_args *args, const char *function)
{
    sg_model_object *m = args->n ? sg_native_data(args->v[0], &sg_model_class) : NULL;
    if (!m)
        sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                 "%s needs an instantiated model as its first argument (see @instantiateModel)",
                 function);
    return m;
}

// ---- functions of the equations -------------------------------------------------------------

static sg_value handle_value(const sg_model_object *m, void *handle)
{
    return m->instance.handles.data[(uintptr_t)handle - 1];
}

static bool make_externs(sg_model_object *m)
{
    const sg_flat *flat = &m->instance.flat;
    size_t n = flat->funcs.len;
    m->externs = SG_NEW_ARRAY(&m->arena, sg_extern, n + 1);
    m->functions = SG_NEW_ARRAY(&m->arena, sg_extern_function, n + 1);
    if (!m->externs || !m->functions)
        return false;
    for (size_t i = 1; i < n; i++) {
        m->functions[i] = (sg_extern_function){m->session->vm,
                                               &m->opaques,
                                               &m->compiled,
                                               handle_value(m, flat->funcs.data[i].handle),
                                               flat->funcs.data[i].name,
                                               m->single};
        m->externs[i] = sg_extern_make(&m->functions[i]);
    }
    return true;
}

// Parameters and constants that are no numbers get a slot of the table.
static bool opaque_parameter(void *context, sg_par_id par, double *handle)
{
    sg_model_object *m = context;
    sg_value value;
    if (!sg_instance_value(&m->instance, m->instance.flat.pars.data[par.i].name, &value))
        return false;
    *handle = sg_opaques_add(&m->opaques, m->session->vm, value);
    return *handle > 0;
}

static bool opaque_constant(void *context, uint32_t index, double *handle)
{
    sg_model_object *m = context;
    sg_value value = handle_value(m, m->instance.flat.consts.data[index].handle);
    // The reserved names stand for the model itself; the other two have no meaning here.
    if (value.tag == SG_SYMBOL)
        value = strcmp(sg_vm_text(m->session->vm, value.sym), "instantiatedModel") == 0
                    ? m->self
                    : SG_VALUE_NOTHING;
    *handle = sg_opaques_add(&m->opaques, m->session->vm, value);
    return *handle > 0;
}

// Components define their states before each segment.
static sg_status define_hidden(void *context)
{
    sg_model_object *m = context;
    sg_hidden_clear(&m->compiled.hidden);
    sg_status status = sg_init_segment(&m->instance, m->self);
    if (status != SG_OK)
        sg_report_exception(m->session->vm);
    return status;
}

// ---- instantiation --------------------------------------------------------------------------

static sg_model_object *new_model(sg_session *session, sg_value *out)
{
    const sg_allocator *allocator = session->allocator;
    sg_model_object *m = allocator->resize(allocator->context, NULL, 0, sizeof *m);
    if (!m)
        return NULL;
    *m = (sg_model_object){.session = session};
    m->instance.vm = session->vm;
    sg_arena_init(&m->arena, allocator);
    if (!sg_opaques_init(&m->opaques, session->vm)) {
        allocator->resize(allocator->context, m, sizeof *m, 0);
        return NULL;
    }
    *out = m->self = sg_native_make(session->vm, &sg_model_class, m);
    return m;
}

sg_status sg_model_instantiate(sg_session *session, sg_module *module, sg_value model,
                               const char *name, sg_instantiate_options options, sg_span span,
                               sg_value *out)
{
    sg_vm *vm = session->vm;
    sg_model_object *m = new_model(session, out);
    if (!m)
        return SG_ERR_MEMORY;
    m->single = options.single;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *out);
    sg_status status = sg_instance_create(&m->instance, vm, module, *out, model,
                                          sg_vm_sym(vm, name), options.unitless, span);
    if (status == SG_OK && !make_externs(m))
        status = SG_ERR_MEMORY;
    if (status == SG_OK) {
        sg_compile_options compile = {.translate = sg_translate_options_default()};
        compile.translate.alias_reduction = options.alias_reduction;
        m->compiled_ok = true;
        status = sg_compiled_create(&m->compiled, vm->allocator, &m->instance.flat, &compile,
                                    m->externs, vm->diags);
        m->compiled.opaque_parameter = opaque_parameter;
        m->compiled.opaque_constant = opaque_constant;
        m->compiled.context = m;
        if (m->instance.built.len)
            m->compiled.define_hidden = define_hidden;
    }
    sg_root_pop(vm, mark);
    if (status == SG_ERR_MODEL) { // reported; the script goes on without the model
        sg_session_fail(session, status);
        *out = SG_VALUE_NOTHING;
        return SG_OK;
    }
    return status;
}
