#include "natives/animations.h"

#include "byhand/objects.h"
#include "model3d/model3d.h"
#include "natives/natives.h"
#include "natives/overrides.h"
#include "view/animation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- a run ----------------------------------------------------------------------------------

// --result-format json writes MODEL.json, a name that an animation may well have, too.
static bool is_result(const sg_model_object *m, const char *path, sg_span span)
{
    sg_session *session = m->session;
    const char *list = session->options.result_format;
    for (size_t n; list && *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (n != 4 || memcmp(list, "json", 4) != 0)
            continue;
        const char *name = sg_output_name(session, m, "json");
        const char *result =
            name ? sg_files_output(&session->files, name, span, &session->diags) : NULL;
        return result && strcmp(result, path) == 0;
    }
    return false;
}

// A file that cannot be is said before hours of simulation.
static sg_status check_file(void *context, const char *file, sg_span span)
{
    const sg_model_object *m = context;
    sg_session *session = m->session;
    const char *path = sg_files_output(&session->files, file, span, &session->diags);
    if (path && is_result(m, path, span)) {
        sg_error(&session->diags, SG_E_ANIMATION, span,
                 "animationFile '%s' is also the name of the result that --result-format json "
                 "writes; choose another one",
                 file);
        return SG_ERR_INPUT;
    }
    return path ? SG_OK : SG_ERR_IO;
}

void sg_animations_film(sg_model_object *m, const sg_sim_options *o, sg_film *film)
{
    *film = (sg_film){.parts = m->parts,
                      .n_parts = m->n_parts,
                      .start = o->start,
                      .stop = o->stop,
                      .interval = o->interval,
                      .diags = &m->session->diags,
                      .check = check_file,
                      .context = m};
}

static void tell_file(void *context, const sg_part *part, const char *path)
{
    const sg_model_object *m = context;
    sg_vm *vm = m->session->vm;
    const sg_animation *a = sg_part_animation(part);
    char line[160];
    int n = snprintf(line, sizeof line, "      Animation: %zu objects x %zu frames in ",
                     a->visuals.len, sg_animation_frames(a));
    sg_vm_write(vm, line, (size_t)n);
    sg_vm_write(vm, path, strlen(path));
    sg_vm_write(vm, "\n", 1);
}

sg_status sg_animations_finish(sg_film *film, bool log)
{
    return sg_film_finish(film, log ? tell_file : NULL);
}

// ---- get_animationHistory -------------------------------------------------------------------

static sg_value times_value(sg_vm *vm, const sg_animation *a)
{
    sg_array *t = sg_vector_make(vm, SG_ELEM_FLOAT, a->time.len);
    if (t && a->time.len)
        memcpy(t->f, a->time.data, a->time.len * sizeof *t->f);
    return sg_object(t);
}

// A vector over time of positions, or of quaternions.
static sg_value poses_value(sg_vm *vm, const sg_animation *a, size_t visual, bool turns)
{
    sg_array *rows = sg_vector_make(vm, SG_ELEM_ANY, a->time.len);
    size_t n = turns ? 4 : 3;
    for (size_t k = 0; rows && k < a->time.len; k++) {
        const sg_visual_pose *pose = sg_animation_pose(a, k, visual);
        sg_array *row = sg_vector_make(vm, SG_ELEM_FLOAT, n);
        if (!row)
            return sg_object(NULL);
        memcpy(row->f, turns ? pose->q : pose->r, n * sizeof *row->f);
        rows->v[k] = sg_object(row);
    }
    return sg_object(rows);
}

static bool put_visual(sg_vm *vm, const sg_animation *a, size_t visual, sg_dict *history)
{
    const sg_sym names[2] = {sg_vm_sym(vm, "positions"), sg_vm_sym(vm, "quaternions")};
    sg_tuple *element = sg_named_tuple_make(vm, 2, names);
    if (!element)
        return false;
    element->items[0] = poses_value(vm, a, visual, false);
    element->items[1] = poses_value(vm, a, visual, true);
    sg_value key = sg_string_value(vm, a->visuals.data[visual].path);
    return key.tag != SG_UNDEF && element->items[0].tag != SG_UNDEF &&
           element->items[1].tag != SG_UNDEF &&
           sg_dict_put(vm, history, key, sg_object(element), (sg_span){0});
}

static sg_value history_value(sg_vm *vm, const sg_animation *a)
{
    sg_dict *history = sg_dict_make(vm, (sg_sym){0});
    sg_value key = sg_string_value(vm, "time"), time = times_value(vm, a);
    bool ok = history && key.tag != SG_UNDEF && time.tag != SG_UNDEF &&
              sg_dict_put(vm, history, key, time, (sg_span){0});
    for (size_t i = 0; ok && i < a->visuals.len; i++)
        ok = put_visual(vm, a, i, history);
    return sg_object(ok ? history : NULL);
}

// By the path of the part, or of an object in it such as its world.
static const sg_part *find_part(const sg_model_object *m, const char *path)
{
    for (size_t i = 0; i < m->n_parts; i++)
        if (strcmp(sg_part_id(m->parts[i]), path) == 0)
            return m->parts[i];
    for (size_t i = 0; i < m->n_parts; i++)
        if (sg_part_has_object(m->parts[i], path))
            return m->parts[i];
    return NULL;
}

static sg_status no_part(sg_vm *vm, const sg_args *args, const sg_model_object *m, const char *path)
{
    sg_buf known;
    sg_buf_init(&known, vm->allocator);
    for (size_t i = 0; i < m->n_parts; i++)
        sg_buf_printf(&known, "%s\"%s\"", known.len ? ", " : "", sg_part_id(m->parts[i]));
    sg_status status = sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                                "get_animationHistory: the model has no 3D part \"%s\"%s%s", path,
                                known.len ? "; it has " : "", known.len ? sg_buf_text(&known) : "");
    sg_buf_free(&known);
    return status;
}

// Plain words on standard output, as the published program has them.
static void say(sg_vm *vm, const char *path, const sg_animation *a)
{
    char text[320];
    int n = a ? snprintf(text, sizeof text, "... animation of '%.100s': %zu objects x %zu frames\n",
                         path, a->visuals.len, sg_animation_frames(a))
              : snprintf(text, sizeof text,
                         "... no animation of '%.100s': use Scene(provideAnimationHistory = true) "
                         "and simulate!, or visualize! what is moved by hand\n",
                         path);
    sg_vm_write(vm, text, (size_t)n);
}

// The part of a model at a path; *unknown where there is no model, since it is only checked.
static sg_status part_of_model(sg_vm *vm, const sg_args *args, bool *unknown, const char **path,
                               const sg_part **part)
{
    sg_status status = sg_args_check_count(vm, args, "get_animationHistory", 2, 2);
    sg_model_object *m =
        status == SG_OK ? sg_model_argument(vm, args, "get_animationHistory") : NULL;
    if (!m)
        return status == SG_OK ? SG_ERR_MODEL : status;
    *path = sg_text_of(vm, args->v[1]);
    if (!*path)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "get_animationHistory(model, path) needs the path of a Model3D as a text, "
                        "\"\" for a model that is one");
    *unknown = m->session->options.check_only;
    *part = *unknown ? NULL : find_part(m, *path);
    return *part || *unknown ? SG_OK : no_part(vm, args, m, *path);
}

// get_animationHistory(model, path; log = true), or of a world whose objects are moved by hand
static sg_status history_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    const char *path = "world";
    bool unknown = false;
    const sg_part *part = args->n ? sg_by_hand_part(args->v[0]) : NULL;
    sg_status status = SG_OK;
    *out = SG_VALUE_NOTHING;
    if (!part)
        status = part_of_model(vm, args, &unknown, &path, &part);
    if (status != SG_OK)
        return status;
    if (unknown) {
        *out = sg_unknown_value(vm);
        return SG_OK;
    }
    const sg_value *log = sg_args_find(vm, args, "log");
    const sg_animation *a = sg_part_animation(part);
    if (a && !sg_animation_frames(a))
        a = NULL;
    if (!a || !log || log->tag != SG_BOOL || log->b)
        say(vm, path, a);
    if (a)
        *out = history_value(vm, a);
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

bool sg_session_register_animations(sg_session *session)
{
    return sg_vm_offer(session->vm, sg_vm_module(session->vm, "Modia3D"), "get_animationHistory",
                       history_native, session, NULL);
}
