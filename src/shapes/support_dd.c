#include "shapes/support_dd.h"

#include "shapes/shape_form.h"

static sg_dd3 times(sg_dd3 e, double s)
{
    return (sg_dd3){dd_mul_d(e.x, s), dd_mul_d(e.y, s), dd_mul_d(e.z, s)};
}

static sg_dd row_dot(const double *row, sg_dd3 v)
{
    return dd_add(dd_add(dd_mul_d(v.x, row[0]), dd_mul_d(v.y, row[1])), dd_mul_d(v.z, row[2]));
}

sg_dd3 sg_support_dd(const sg_shape *shape, const sg_pose *pose, sg_dd3 e, bool reference)
{
    sg_pose frame = sg_shape_frame(shape, pose);
    sg_mat3 back = m3_transpose(frame.R);
    sg_dd3 u = {row_dot(back.m[0], e), row_dot(back.m[1], e), row_dot(back.m[2], e)};
    sg_dd3 p = shape->form->support_dd(shape, u, reference);
    sg_dd3 w = {row_dot(frame.R.m[0], p), row_dot(frame.R.m[1], p), row_dot(frame.R.m[2], p)};
    w = dd3_add(w, dd3_from(frame.r));
    // The ball inside an ellipsoid is a device of the default path; here its point is complete.
    if (!shape->form->dd_is_whole)
        w = dd3_add(w, times(e, shape->radius));
    return w;
}
