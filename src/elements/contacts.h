// Contacts between the objects of a part: an actor like a force element, but one for all pairs.
//
// Its constant half says what collides and how: shapes, materials, who may touch whom, made anew
// for each segment from the records. Its changing half is sg_contacts (contact/contacts.h), one in
// each state. The modes of an evaluation are those of contact detection: an event decides who is in
// contact, crossing functions z_p and z_d are written where the solver asks for them, and in all
// evaluations those in contact press against each other.
//
// components3d.md 6.2 and 8; [Neumayr-thesis] 5 to 7.
#pragma once

#include "contact/couple.h"
#include "contact/slip.h"
#include "elements/shown.h"
#include "parts/contact_counts.h"
#include "parts/impulse.h"
#include "parts/read.h"

enum { SG_CONTACT_TOTALS = 4 };
// Anchors of the first segment.
enum { SG_FEW_ANCHORS = 4 };

typedef struct sg_part_contacts {
    // All of the segment.
    sg_collider *collider;
    int *object; // by collider
    int n;
    bool acts; // detection is on, and there are pairs that may touch
    sg_candidates candidates;
    sg_contact_part *material; // by collider
    sg_contact_table table;
    sg_contact_options options;
    uint32_t zp, zd;                  // crossing functions; with the nearest pairs the first one
    int nz;                           // of these, 0: there are z_p and z_d
    int32_t total[SG_CONTACT_TOTALS]; // signals of all contacts together
    bool *moves;                      // by body
    int *carrier;                     // by body: number of the free object that carries it, from 1
    int *slide;                       // by body: number of the size of its joint's speed, from 1
    uint32_t anchors;                 // first number of the hidden states that are anchors
    uint32_t slip;                    // of two crossing functions, if there are anchors
    int n_anchors;
    int flat_pairs; // that may press over areas; not all of many are counted
} sg_part_contacts;

// A warning that was given for two objects, once a run.
typedef struct sg_contact_told {
    int a, b; // objects
    int what; // a bit for each kind of warning
} sg_contact_told;

// Bodies that were pushed through each other: how many times, and the first of them.
typedef struct sg_part_passing {
    int64_t n;
    int a, b;    // objects
    double time; // [s]
} sg_part_passing;

// What a state keeps of them.
typedef struct sg_part_touching {
    sg_contacts contacts;
    sg_crew *crew;   // who evaluates them; null: nobody else
    bool is_made;    // contacts are there
    bool has_begun;  // and an event has decided
    bool is_placed;  // boxes are those of the last evaluation
    bool was_placed; // the same, put aside
    int *object;     // by collider
    int n;           // colliders
    sg_force *force; // by body
    double *nearest; // likewise: to meeting or leaving something, where branches were noted [m]
    sg_body_pair *pairs;
    int n_pairs;       // room
    int64_t graph;     // that the hidden states are linked for
    sg_arena arena[2]; // of this segment and of the one before
    int turn;
    sg_contact_counts counts;        // of the segments that have ended
    int most;                        // contacts at once in this one
    int64_t struck, yielded;         // impulses in this one, and those that became forces
    sg_part_impulses impulses;       // room for them
    int n_anchors;                   // of flat contacts, from the next segment on
    int nz;                          // functions of the nearest pairs from the next segment on
    const char *restitution;         // what coefficients of it act as, in words; null before
    SG_VEC(sg_contact_told) told;    // warnings of this run
    SG_VEC(sg_contact_record) ended; // contacts that ended since the last stored point
    sg_detect_failure refused; // of a step that may be tried again; status SG_OK if there is none
    double refused_at;         // [s]
    sg_part_passing passed;    // bodies that were pushed through others
} sg_part_touching;

// Once all elements were read: adds the actor if there is something to watch. False when memory ran
// out.
bool sg_part_add_contacts(sg_part *part);
// Once the tree of a segment is known: colliders, candidates and materials (colliders.c). Reports
// what is wrong.
sg_status sg_part_find_colliders(sg_part *part);

// Boxes of one body that lie flush at each other have no grooves between them (flush.c). False when
// memory ran out.
bool sg_part_join_flush_boxes(sg_part *part, sg_part_contacts *c);

// What evaluations leave in the contacts of a state, put aside and back (contact/contacts.h).
sg_status sg_part_reserve_contacts(const sg_part_state *s);
sg_status sg_part_keep_contacts(const sg_part_state *s);
void sg_part_put_back_contacts(const sg_part_state *s);

// Whether the object has a shape that collides.
bool sg_part_can_collide(const sg_part_object *object);
// The keywords object1 and object2 of an element: two objects that can collide.
void sg_read_colliders(sg_keywords *r, int object[2]);
// The contacts of a state; null if there are none to look at. And what is kept of them, also while
// detection is off; null if nothing can touch.
sg_part_touching *sg_part_touching_of(const sg_part_state *s);
sg_part_touching *sg_part_touching_kept(const sg_part_state *s);
// How far a body of this segment reaches, for the weights of where it is: two diameters of what of
// it, or of what it carries, can touch [m]; 0 if nothing can.
double sg_part_reach_of(const sg_part *part, int body);

// How far differences of Jacobians move a coordinate of the joint of a body with flat sides, or its
// rate [m], [m/s], [rad], [rad/s] for `which` from 0; 0 where the body has none.
double sg_part_difference_of(const sg_part *part, int body, int which);

// How much of the size of a joint's coordinate or rate `var` counts, and how far differences move
// it: ones that lift a face off what it lies on see no stiffness. A lever of 1 cm took steps of
// nanoseconds as soon as it lay on its post. False without memory.
bool sg_part_bound_size(sg_part *part, const sg_part_joint *joint, uint32_t var, bool rate);
// Where a body of this segment is and how it is turned, if it has flat sides that may touch: a
// face sinks in by a tiny part of its size, so its pose is a matter of more digits.
// `which` is 0 to 3: position, velocity, angles, angular velocity.
void sg_part_sharpen(const sg_part *part, int body, int which, sg_hidden_var *state);
// The colliders of an object: how many, and the first; they stand together.
int sg_part_colliders_of(const sg_part_contacts *c, int object, int *first);
// All bodies as contact detection looks at them.
sg_body_view sg_part_body_view(const sg_part_state *s);

// Anchors (contact_anchors.c): defined for a segment, `some` of them or as many as were needed
// before, and going on from where they were; false when memory ran out. An anchor depends on both
// bodies and acts on them: its links for the Jacobian. Where an evaluation finds them. After an
// event: contacts that begin have not moved yet, and where anchors are too few there will be more.
bool sg_part_define_anchors(sg_part *part, sg_part_contacts *c, int some);
bool sg_part_link_anchors(const sg_part_eval *e, const sg_part_contacts *c,
                          const sg_part_touching *t);
void sg_part_set_anchors(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);
void sg_part_begin_anchors(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);

// After an event that found contacts that begin: impulses where materials respond by them
// (contact_impulse.c).
void sg_part_strike_contacts(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);

// After such an event: how heavy these impacts can be (contact_weight.c).
// Of a segment; false when memory ran out. And before each step of a run.
bool sg_part_find_carriers(sg_part *part, sg_part_contacts *c);
void sg_part_limit_speeds(const sg_part_eval *e, const sg_part_contacts *c,
                          const sg_part_touching *t);
void sg_part_weigh_contacts(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);

// What point contact says too little about, once for two objects: after an event or at the end of
// a step; `first` of a run (contact_reports.c).
void sg_part_warn_of_contacts(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                              bool event, bool first);
// The same for `n` contacts alone, at the end of a step of their bodies.
void sg_part_warn_of_some_contacts(const sg_part_eval *e, const sg_part_contacts *c,
                                   sg_part_touching *t, const int *some, int n);
// At the end of a step: bodies that were pushed through others; told and counted.
void sg_part_warn_of_passing(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);
// Likewise: what leans on friction and slides all the same, since friction of the thesis is
// regularized.
void sg_part_warn_of_creep(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);
// Likewise: what slides so that friction presses it on harder than it is pushed off (Painleve).
void sg_part_warn_of_jam(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);
// An impulse that cannot be one, though it is no slow contact; told once for two objects.
void sg_part_warn_of_yield(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                           const sg_touch *touch, const char *why);
// Why an evaluation of contacts failed, as an error; and after a run, of the last step refused.
void sg_part_report_failed_contact(const sg_part_eval *e, const sg_part_contacts *c,
                                   const sg_detect_failure *failure);
void sg_part_explain_contacts(const sg_part *part, sg_diags *diags);
// Contacts that began and ended at this event, as lines of logEvents.
void sg_part_log_contacts(const sg_part_eval *e, const sg_part_contacts *c,
                          const sg_part_touching *t);
// Contacts that began to slip or stuck again at this event, likewise.
void sg_part_log_slips(const sg_part_eval *e, const sg_part_contacts *c, const sg_part_touching *t);
// Signals of all contacts together: defined in each segment, stored by the actor; and the counts of
// a run up to now (contact_totals.c).
bool sg_part_define_contact_totals(sg_part *part, sg_part_contacts *c);
sg_status sg_part_store_contact_totals(sg_part_eval *e, const void *data, void *own);
sg_contact_counts sg_part_counts_so_far(const sg_part_touching *t);
// Records of the contacts that this event ended; of those of the segment before, `old`, that the
// present one does not take over, by the new numbers of colliders (contact_peaks.c).
sg_status sg_part_keep_ended(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t);
sg_status sg_part_keep_dropped(const sg_part_state *s, const sg_part_touching *old,
                               sg_part_touching *t, const int *fresh);
// What there is to detect, as a line of the log at the start of a run (components3d.md 8.9), and
// what coefficients of restitution act as, which is kept.
void sg_part_log_contact_setup(const sg_part_eval *e, const sg_part_contacts *c,
                               sg_part_touching *t);
