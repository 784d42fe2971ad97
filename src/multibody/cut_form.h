// What a cut joint forbids: one table a kind.
//
// All are made of a few sorts of rows (multibody/loops.h) between the frames of the joint in its
// two bodies. The third axis of these frames is that of the joint, if it has one; the second point
// of a row is the origin of obj2.
#pragma once

#include "multibody/loops.h"

// From the frame of a cut joint to the roots of its two bodies.
typedef struct sg_cut_frames {
    sg_mat3 R1, R2;
    sg_vec3 axis, axis2; // as given, in the roots of body 1 and 2
} sg_cut_frames;

typedef struct sg_cut_form {
    int n_rows;
    const char *row_name[SG_CUT_MAX_ROWS]; // "force along x", for messages
    bool has_axis;                         // one axis, the same in both frames
    bool turns;                            // its coordinate is an angle
    // Rows that keep two axes parallel (x1 . z2, y1 . z2), or all three: their number counted from
    // 1 on, 0 without any. They have a second zero half a turn away (multibody/loop_facing.h).
    int parallel, aligned;
    void (*rows)(const sg_cut_frames *f, sg_loop_row *out);

    // ---- what models say, of joints that only close loops
    const char *axis_key[2]; // in obj1 and in obj2
    int axis_standard[2];    // 1, 2, 3
    const char *length_key;  // of a number that must be given, null without one
    bool may_be_negative;    // but not zero
} sg_cut_form;

const sg_cut_form *sg_cut_form_of(sg_cut_kind kind);
sg_cut_frames sg_cut_frames_of(const sg_tree *tree, const sg_tree_cut *cut);
// Rows of the constraints, and of the coordinate where it is held; how many there are.
int sg_cut_rows(const sg_tree *tree, const sg_tree_cut *cut, sg_loop_row *out);
// The row that measures the coordinate.
sg_loop_row sg_cut_coordinate(const sg_tree *tree, const sg_tree_cut *cut);
