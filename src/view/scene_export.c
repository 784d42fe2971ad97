// sg_scene_export of segue/page.h: one scene, several formats.
#include "result/result.h"
#include "segue/page.h"
#include "view/glb.h"
#include "view/surfaces.h"
#include "view/three.h"

static const sg_span nowhere = {0, 0, 0};

static sg_status write_scene(sg_scene *scene, const char *path, sg_scene_format format,
                             sg_diags *diags)
{
    if (format == SG_SCENE_THREE)
        return sg_three_write(&scene->animation, path, nowhere, diags);
    if (!sg_scene_solidify(scene, diags))
        return SG_ERR_MEMORY;
    return format == SG_SCENE_GLB   ? sg_glb_write(scene, path, diags)
           : format == SG_SCENE_OBJ ? sg_obj_write(scene, path, diags)
                                    : sg_stl_write(scene, path, diags);
}

sg_status sg_scene_export(const sg_result *result, const char *path, sg_scene_format format,
                          sg_diags *diags)
{
    if (!result || !path || (int)format < 0 || format > SG_SCENE_STL)
        return sg_misuse(diags, "sg_scene_export needs a result, a path and one of its formats");
    sg_scene *scene;
    sg_status status = sg_scene_open(result, result->arena.allocator, diags, &scene);
    if (status == SG_OK && (!scene || !scene->animation.time.len)) {
        sg_error(diags, SG_E_ANIMATION, nowhere,
                 "'%s' has no scene to write to '%s': it needs 3D parts, and a run file or a page "
                 "that was asked for",
                 result->name, path);
        status = SG_ERR_USAGE;
    } else if (status == SG_OK) {
        status = write_scene(scene, path, format, diags);
    }
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    sg_scene_close(scene);
    return status;
}
