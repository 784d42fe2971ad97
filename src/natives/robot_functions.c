// URDF("arm.urdf"): a robot of another tool as a model, which the script evaluates like one of its
// own.
#include "lang/runtime.h"
#include "natives/natives.h"
#include "natives/table_functions.h"
#include "robots/urdf.h"

#include <string.h>

// Parts on the flanges of joints are of the library.
static const char library[] =
    "@isdefined(JointFriction) || include(\"$(Modia3D.modelsPath)/Mechanics3D.jl\")\n";

static bool is_true(sg_vm *vm, const sg_args *args, const char *name, bool otherwise)
{
    const sg_value *value = sg_args_find(vm, args, name);
    return value && value->tag == SG_BOOL ? value->b : otherwise;
}

static void take_options(sg_vm *vm, const sg_args *args, sg_robot_options *o)
{
    const sg_value *parent = sg_args_find(vm, args, "parent");
    o->parent = parent ? sg_text_of(vm, *parent) : NULL;
    o->free_base = is_true(vm, args, "freeBase", false);
    o->merge_fixed = is_true(vm, args, "mergeFixed", false);
    o->repair_inertia = is_true(vm, args, "repairInertia", false);
    o->stops = is_true(vm, args, "stops", true);
    o->collisions = is_true(vm, args, "collisions", true);
    o->visuals = is_true(vm, args, "visuals", true);
}

static sg_status evaluate(sg_session *session, const char *name, const sg_buf *text, sg_value *out)
{
    sg_vm *vm = session->vm;
    sg_script *script = sg_runtime_of(vm);
    sg_module *module = sg_vm_current_module(vm);
    sg_status status =
        sg_script_run_text(script, module, "segue://robots", library, sizeof library - 1, NULL);
    return status ? status
                  : sg_script_run_text(script, module, name, sg_buf_text(text), text->len, out);
}

static sg_status urdf_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const keywords[] = {"parent", "freeBase",   "mergeFixed", "repairInertia",
                                           "stops",  "collisions", "visuals"};
    sg_session *session = context;
    const char *name = sg_text_argument(args, 0);
    *out = SG_VALUE_NOTHING;
    if (!name || args->n != 1)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "URDF takes the name of a file: URDF(\"arm.urdf\", parent = :world)");
    if (sg_args_check_keywords(vm, args, "URDF", keywords, SG_COUNT(keywords)) != SG_OK)
        return SG_ERR_MODEL;
    sg_robot_options options = sg_robot_options_make();
    take_options(vm, args, &options);
    char *text;
    size_t length;
    sg_status status = sg_script_read(session, args, name, &text, &length);
    if (status != SG_OK)
        return status;
    sg_arena arena;
    sg_diags diags;
    sg_buf model;
    sg_robot *robot = NULL;
    sg_arena_init(&arena, session->allocator);
    sg_diags_init(&diags, session->allocator);
    sg_buf_init(&model, session->allocator);
    status = sg_urdf_read(&arena, name, text, length, options.repair_inertia, &diags, args->span,
                          &robot);
    status = sg_session_pass_on(session, &diags, status == SG_ERR_INPUT ? SG_ERR_MODEL : status);
    if (status == SG_OK) {
        const char *slash = strrchr(name, '/');
        options.folder = slash ? sg_arena_text(&arena, name, (size_t)(slash - name) + 1) : NULL;
        sg_robot_write_model(robot, &options, "", &model);
        status =
            arena.failed || model.failed ? SG_ERR_MEMORY : evaluate(session, name, &model, out);
    }
    sg_buf_free(&model);
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
    session->allocator->resize(session->allocator->context, text, length + 1, 0);
    return status;
}

bool sg_session_register_robots(sg_session *session)
{
    static const sg_session_function list[] = {{"URDF", urdf_native, NULL}};
    return sg_session_register(session, list, SG_COUNT(list));
}
