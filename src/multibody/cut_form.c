#include "multibody/cut_form.h"

static sg_loop_row along(const sg_cut_frames *f, int axis)
{
    return (sg_loop_row){.sort = SG_ROW_ALONG, .a = m3_column(&f->R1, axis)};
}

static sg_loop_row perpendicular(const sg_cut_frames *f, int axis1, int axis2)
{
    return (sg_loop_row){
        .sort = SG_ROW_PERP, .a = m3_column(&f->R1, axis1), .b = m3_column(&f->R2, axis2)};
}

static void add_along(const sg_cut_frames *f, int n, sg_loop_row *out)
{
    for (int i = 0; i < n; i++)
        out[i] = along(f, i);
}

// The third axes stay parallel.
static void add_parallel(const sg_cut_frames *f, sg_loop_row *out)
{
    out[0] = perpendicular(f, 0, 2);
    out[1] = perpendicular(f, 1, 2);
}

static void add_aligned(const sg_cut_frames *f, sg_loop_row *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = perpendicular(f, (i + 1) % 3, (i + 2) % 3);
}

#define ALONG_XYZ "force along x", "force along y", "force along z"
#define ACROSS "force across the axis (1)", "force across the axis (2)"
#define TILT "moment across the axis (1)", "moment across the axis (2)"
#define ABOUT_XYZ "moment about x", "moment about y", "moment about z"

// ---- joints of the tree, where they are cut -----------------------------------------------------

static void revolute_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    add_along(f, 3, out);
    add_parallel(f, out + 3);
}

static const sg_cut_form revolute_form = {
    .n_rows = 5,
    .row_name = {ACROSS, "force along the axis", TILT},
    .has_axis = true,
    .turns = true,
    .parallel = 4,
    .rows = revolute_rows,
};

static void prismatic_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    add_along(f, 2, out);
    add_aligned(f, out + 2);
}

static const sg_cut_form prismatic_form = {
    .n_rows = 5,
    .row_name = {ACROSS, ABOUT_XYZ},
    .has_axis = true,
    .aligned = 3,
    .rows = prismatic_rows,
};

static void rigid_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    add_along(f, 3, out);
    add_aligned(f, out + 3);
}

static const sg_cut_form rigid_form = {
    .n_rows = 6,
    .row_name = {ALONG_XYZ, ABOUT_XYZ},
    .aligned = 4,
    .rows = rigid_rows,
};

// ---- joints that only close loops ---------------------------------------------------------------

static void spherical_rows(const sg_cut_frames *f, sg_loop_row *out) { add_along(f, 3, out); }

static const sg_cut_form spherical_form = {
    .n_rows = 3,
    .row_name = {ALONG_XYZ},
    .rows = spherical_rows,
};

static void universal_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    add_along(f, 3, out);
    out[3] = (sg_loop_row){.sort = SG_ROW_PERP, .a = f->axis, .b = f->axis2};
}

static const sg_cut_form universal_form = {
    .n_rows = 4,
    .row_name = {ALONG_XYZ, "moment about both axes"},
    .rows = universal_rows,
    .axis_key = {"axis1", "axis2"},
    .axis_standard = {1, 2},
};

static void rod_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    (void)f;
    out[0] = (sg_loop_row){.sort = SG_ROW_ROD};
}

static const sg_cut_form rod_form = {
    .n_rows = 1,
    .row_name = {"force along the rod"},
    .rows = rod_rows,
    .length_key = "length",
};

static void cylindrical_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    add_along(f, 2, out);
    add_parallel(f, out + 2);
}

// It turns about the axis and slides along it.
static const sg_cut_form cylindrical_form = {
    .n_rows = 4,
    .row_name = {ACROSS, TILT},
    .has_axis = true,
    .parallel = 3,
    .rows = cylindrical_rows,
    .axis_key = {"axis"},
    .axis_standard = {3},
};

static void planar_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    out[0] = along(f, 2);
    add_parallel(f, out + 1);
}

// It turns about the axis and slides across it.
static const sg_cut_form planar_form = {
    .n_rows = 3,
    .row_name = {"force along the axis", TILT},
    .has_axis = true,
    .parallel = 2,
    .rows = planar_rows,
    .axis_key = {"axis"},
    .axis_standard = {3},
};

static void helical_rows(const sg_cut_frames *f, sg_loop_row *out)
{
    cylindrical_rows(f, out);
    out[4] = (sg_loop_row){.sort = SG_ROW_SCREW,
                           .a = m3_column(&f->R1, 2),
                           .b = m3_column(&f->R2, 0),
                           .c = m3_column(&f->R1, 0)};
}

// It slides along the axis by `length` with every turn.
static const sg_cut_form helical_form = {
    .n_rows = 5,
    .row_name = {ACROSS, TILT, "force along the thread"},
    .has_axis = true,
    .parallel = 3,
    .rows = helical_rows,
    .axis_key = {"axis"},
    .axis_standard = {3},
    .length_key = "pitch",
    .may_be_negative = true,
};

// ---- all ----------------------------------------------------------------------------------------

const sg_cut_form *sg_cut_form_of(sg_cut_kind kind)
{
    static const sg_cut_form *const forms[SG_CUT_KINDS] = {
        [SG_CUT_REVOLUTE] = &revolute_form,
        [SG_CUT_PRISMATIC] = &prismatic_form,
        [SG_CUT_RIGID] = &rigid_form,
#define SG_TIE(KIND, name, Constructor, required, optional) [SG_CUT_##KIND] = &name##_form,
#define SG_TIE_OF_JOINT(KIND, name, Constructor) [SG_CUT_##KIND] = &name##_form,
#include "multibody/ties_list.h"
#undef SG_TIE
#undef SG_TIE_OF_JOINT
    };
    return forms[kind];
}

static sg_mat3 frame_about(sg_vec3 axis)
{
    sg_vec3 n = v3_perpendicular(axis);
    return m3_columns(n, v3_cross(axis, n), axis);
}

sg_cut_frames sg_cut_frames_of(const sg_tree *tree, const sg_tree_cut *cut)
{
    const sg_pose *pose1 = &tree->object[cut->obj1].pose, *pose2 = &tree->object[cut->obj2].pose;
    sg_mat3 F = sg_cut_form_of(cut->kind)->has_axis ? frame_about(cut->axis) : M3_IDENTITY;
    return (sg_cut_frames){m3_mul(m3_mul(pose1->R, cut->place.R), F), m3_mul(pose2->R, F),
                           m3_mul_v(&pose1->R, cut->axis), m3_mul_v(&pose2->R, cut->axis2)};
}

sg_loop_row sg_cut_coordinate(const sg_tree *tree, const sg_tree_cut *cut)
{
    sg_cut_frames f = sg_cut_frames_of(tree, cut);
    return (sg_loop_row){.sort = sg_cut_form_of(cut->kind)->turns ? SG_ROW_TURN : SG_ROW_ALONG,
                         .a = m3_column(&f.R1, 2),
                         .b = m3_column(&f.R2, 0),
                         .c = m3_column(&f.R1, 0)};
}

int sg_cut_rows(const sg_tree *tree, const sg_tree_cut *cut, sg_loop_row *out)
{
    const sg_cut_form *form = sg_cut_form_of(cut->kind);
    sg_cut_frames f = sg_cut_frames_of(tree, cut);
    int n = form->n_rows;
    form->rows(&f, out);
    if (cut->held) {
        out[n] = sg_cut_coordinate(tree, cut);
        out[n].held = true;
        out[n].at = cut->at;
        out[n++].speed = cut->speed;
    }
    return n;
}

const char *sg_cut_row_name(sg_cut_kind kind, int row)
{
    return sg_cut_form_of(kind)->row_name[row];
}
