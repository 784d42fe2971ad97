// URDF("arm.urdf"), MJCF("arm.xml"): a robot of another tool as a model, which the script evaluates
// like one of its own.
#include "base/source.h"
#include "lang/runtime.h"
#include "natives/natives.h"
#include "natives/table_functions.h"
#include "robots/mjcf.h"
#include "robots/urdf.h"

#include <string.h>

// Parts on the flanges of joints are of the library.
static const char library[] =
    "@isdefined(JointFriction) || include(\"$(Modia3D.modelsPath)/Mechanics3D.jl\")\n";

static sg_status check_values(sg_vm *vm, const sg_args *args)
{
    static const char *const flags[] = {"mergeFixed", "repairInertia", "stops",   "collisions",
                                        "visuals",    "inputs",        "freeBase"};
    static const char *const names[] = {"parent", "material"};
    for (size_t i = 0; i < SG_COUNT(flags); i++) {
        const sg_value *value = sg_args_find(vm, args, flags[i]);
        if (value && value->tag != SG_BOOL)
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                            "%s must be true or false", flags[i]);
    }
    for (size_t i = 0; i < SG_COUNT(names); i++) {
        const sg_value *value = sg_args_find(vm, args, names[i]);
        if (value && !sg_text_of(vm, *value))
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span, "%s must be a name: %s",
                            names[i], i ? "material = \"Steel\"" : "parent = :world");
    }
    return SG_OK;
}

static bool is_true(sg_vm *vm, const sg_args *args, const char *name, bool otherwise)
{
    const sg_value *value = sg_args_find(vm, args, name);
    return value ? value->b : otherwise;
}

static void take_options(sg_vm *vm, const sg_args *args, sg_robot_options *o)
{
    const sg_value *parent = sg_args_find(vm, args, "parent");
    const sg_value *material = sg_args_find(vm, args, "material");
    o->material = material ? sg_text_of(vm, *material) : NULL;
    o->inputs = is_true(vm, args, "inputs", false);
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

// A file that the robot's one includes, by the rights of the script.
static bool read_included(void *context, sg_arena *arena, const char *path, const char **text,
                          size_t *length)
{
    sg_session *session = context;
    sg_diags unheard; // the reader says what is missing, and where it was named
    char *own = NULL;
    size_t n = 0;
    sg_diags_init(&unheard, session->allocator);
    const char *found = sg_files_input(&session->files, path, (sg_span){0}, &unheard);
    bool ok = found && sg_read_file(session->allocator, found, &own, &n) == SG_OK;
    sg_diags_destroy(&unheard);
    if (!ok)
        return false;
    *text = sg_arena_text(arena, own, n);
    *length = n;
    session->allocator->resize(session->allocator->context, own, n + 1, 0);
    return *text != NULL;
}

static sg_status read_robot(sg_session *session, const sg_args *args, const char *name, bool mjcf,
                            bool repair, sg_arena *arena, sg_robot **robot)
{
    char *text;
    size_t length;
    sg_diags diags;
    sg_status status = sg_script_read(session, args, name, &text, &length);
    if (status != SG_OK)
        return status;
    sg_robot_files files = {session, read_included};
    sg_diags_init(&diags, session->allocator);
    status =
        mjcf ? sg_mjcf_read(arena, name, text, length, &files, repair, &diags, args->span, robot)
             : sg_urdf_read(arena, name, sg_files_input(&session->files, name, args->span, &diags),
                            text, length, repair, &diags, args->span, robot);
    const sg_vec3 *g = &(*robot ? *robot : &(sg_robot){0})->gravity;
    if (status == SG_OK && !(g->x == 0.0 && g->y == 0.0 && g->z == -9.81))
        sg_note(&diags, args->span,
                "%s has the gravity [%g, %g, %g]; that of the Scene counts here", name, g->x, g->y,
                g->z);
    status = sg_session_pass_on(session, &diags, status == SG_ERR_INPUT ? SG_ERR_MODEL : status);
    sg_diags_destroy(&diags);
    session->allocator->resize(session->allocator->context, text, length + 1, 0);
    return status;
}

static sg_status robot_native(sg_vm *vm, const sg_args *args, void *context, bool mjcf,
                              sg_value *out)
{
    static const char *const keywords[] = {"parent",   "mergeFixed", "repairInertia",
                                           "stops",    "collisions", "visuals",
                                           "material", "inputs",     "freeBase"};
    sg_session *session = context;
    const char *name = sg_text_argument(args, 0);
    *out = SG_VALUE_NOTHING;
    if (!name || args->n != 1)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "%s takes the name of a file: %s, parent = :world)", mjcf ? "MJCF" : "URDF",
                        mjcf ? "MJCF(\"arm.xml\"" : "URDF(\"arm.urdf\"");
    // What hangs on what is said by the file in MJCF.
    if (sg_args_check_keywords(vm, args, mjcf ? "MJCF" : "URDF", keywords,
                               SG_COUNT(keywords) - mjcf) != SG_OK)
        return SG_ERR_MODEL;
    if (check_values(vm, args) != SG_OK)
        return SG_ERR_MODEL;
    sg_robot_options options = sg_robot_options_make();
    take_options(vm, args, &options);
    sg_arena arena;
    sg_buf model;
    sg_robot *robot = NULL;
    sg_arena_init(&arena, session->allocator);
    sg_buf_init(&model, session->allocator);
    sg_status status =
        read_robot(session, args, name, mjcf, options.repair_inertia, &arena, &robot);
    if (status == SG_OK) {
        const char *slash = strrchr(name, '/');
        options.folder = slash ? sg_arena_text(&arena, name, (size_t)(slash - name) + 1) : NULL;
        sg_robot_write_model(robot, &options, "", &model);
        status =
            arena.failed || model.failed ? SG_ERR_MEMORY : evaluate(session, name, &model, out);
    }
    sg_buf_free(&model);
    sg_arena_destroy(&arena);
    return status;
}

static sg_status urdf_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return robot_native(vm, args, context, false, out);
}

static sg_status mjcf_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return robot_native(vm, args, context, true, out);
}

bool sg_session_register_robots(sg_session *session)
{
    static const sg_session_function list[] = {{"URDF", urdf_native, NULL},
                                               {"MJCF", mjcf_native, NULL}};
    return sg_session_register(session, list, SG_COUNT(list));
}
