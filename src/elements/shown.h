// What the elements of a part show of a run: its balance, its contacts, and its moving picture.
#pragma once

#include "parts/run.h"

// The balance of the run so far as a table; false if it was not wanted or nothing ran. `tolerance`
// is that of the run: whether the balance closes is meant up to errors of that order.
bool sg_part_balance_sheet(const sg_part *part, double tolerance, sg_buf *out);
bool sg_part_balance_closes(const sg_part *part, double tolerance);
// Whether a body went through another one in the run: energy may be accounted for, and the balance
// does not close all the same.
bool sg_part_was_passed_through(const sg_part *part);

// What the contacts of the run so far did, added to *sum; false if nothing can touch in this part.
bool sg_part_contact_counts(const sg_part *part, sg_contact_counts *sum);
// What coefficients of restitution act as in the last run where that differs from what they say, in
// words; "" if it does not.
const char *sg_part_restitution(const sg_part *part);
// As a table.
void sg_part_print_contact_counts(const sg_contact_counts *counts, sg_buf *out);

// What a contact was, from its begin to its end: how fast the two came, how deep and how hard they
// pressed at most (along the normal), and when. Of an impact that takes no time the impulse.
typedef struct sg_contact_record {
    int object[2];       // of the part
    double begin, end;   // [s]; NaN while it lasts
    double speed;        // of approach when it began [m/s]
    double depth, force; // [m], [N]
    double depth_time;   // [s]
    double force_time;   // [s]
    double impulse;      // [N s]; 0 unless there was one
    const char *law;     // by which it pressed, a word (contact/seen.h)
} sg_contact_record;

// Whether anything of it may touch. At each stored point of a run: contacts that ended since the
// last one; those that last, by number; and that the point was stored, which forgets the former.
bool sg_part_has_contacts(const sg_part *part);
size_t sg_part_ended_contacts(const sg_part *part, const sg_contact_record **list);
size_t sg_part_lasting_contacts(const sg_part *part);
sg_contact_record sg_part_lasting_contact(const sg_part *part, size_t i);
void sg_part_point_stored(sg_part *part, double time);

// Frames of a run (components3d.md 11): before its first point, at each stored point with the model
// evaluated there, and after the last. They do nothing unless the Scene asks for it.
sg_status sg_part_begin_animation(sg_part *part, double start, double interval, double n_frames);
sg_status sg_part_record(sg_part *part, double t);
void sg_part_finish_animation(sg_part *part);
// A frame that is kept in any case, at the present positions.
sg_status sg_part_add_frame(sg_part *part, double t);
// Writes the frames to the file that the Scene names, if it does. *path is where they are, null if
// nothing was written. Reports what goes wrong.
sg_status sg_part_write_animation(const sg_part *part, const char **path);
// What was recorded, as long as the part and until the next run begins; null if nothing was.
const sg_animation *sg_part_animation(const sg_part *part);
// What the Scene names as its animationFile, and where; null if none is to be written.
const char *sg_part_animation_file(const sg_part *part, sg_span *span);
// Whether this is the path of one of its objects in the present segment.
bool sg_part_has_object(const sg_part *part, const char *path);

// The same for the scene of a run file (view/scene.h), which is of all parts together; their
// objects are counted on, from `first_object`. First what is visible, then at each point poses and
// contacts.
bool sg_part_stage(sg_part *part, sg_animation *stage, int first_object);
sg_scene_extras sg_part_stage_extras(const sg_part *part);
void sg_part_stage_poses(const sg_part *part, const sg_visual *visuals, size_t n, int first_object,
                         sg_visual_pose *out);
bool sg_part_stage_contacts(const sg_part *part, uint32_t first_object, sg_scene_log *log);
size_t sg_part_n_objects(const sg_part *part);
const char *sg_part_object_path(const sg_part *part, size_t object);
bool sg_part_object_gone(const sg_part *part, size_t object); // deleted by an action

// After an event: whether contacts press that keep the energy they get.
bool sg_part_gives_back(const sg_part *part);
