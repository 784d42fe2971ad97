#include "shapes/shape.h"

sg_pose sg_shape_frame(const sg_shape *shape, const sg_pose *pose)
{
    // Canonical (x, y, z) are the local axes (axis+1, axis+2, axis), taken cyclically.
    if (shape->core == SG_CORE_MESH)
        return (sg_pose){.R = pose->R, .r = pose_point(pose, shape->origin)};
    if (shape->axis == 2)
        return *pose;
    sg_vec3 x = m3_column(&pose->R, 0), y = m3_column(&pose->R, 1), z = m3_column(&pose->R, 2);
    return (sg_pose){.R = shape->axis == 0 ? m3_columns(y, z, x) : m3_columns(z, x, y),
                     .r = pose->r};
}

sg_vec3 sg_shape_centroid(const sg_shape *shape, const sg_pose *pose)
{
    sg_pose frame = sg_shape_frame(shape, pose);
    return pose_point(&frame, shape->centroid);
}

const char *sg_shape_kind_name(sg_shape_kind kind)
{
    static const char *const names[] = {
#define SG_SHAPE(NAME, name, Constructor, keywords) #name,
#include "segue/shape_list.h"
    };
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}
