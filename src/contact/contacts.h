// The contacts of a segment: detection and response as one evaluation.
//
// Life of it: sg_contacts_init when a segment is built (colliders, parts, materials and options are
// then const), an evaluation in mode event before the first step, evaluations in modes crossings
// and forces as the solver asks, another event wherever z_d or z_p changed sign, destroy. What an
// evaluation needs of the bodies it reads in place (collide/bodies.h), what it does to them it adds
// up by body. Between events no evaluation allocates.
//
// At an event, contacts that began look up their material, store the speed of approach and choose
// their damping (contact/law.h); those that go on keep theirs, whatever happens around them.
//
// components3d.md 8.1, 8.7, 8.8; [Neumayr-thesis] 6.3 and 7.
#pragma once

#include "collide/detect.h"
#include "contact/parts.h"

typedef struct sg_contact_options {
    sg_detect_options detect;
    sg_law_options law;
} sg_contact_options;

// Physics and the thesis.
sg_contact_options sg_contact_options_make(void);
// The released program: distances along the portal in its own scale, sudden restitution, forces
// that pull. Single switches are the fields themselves.
sg_contact_options sg_contact_options_compat(void);

// A contact; number i belongs to detect.touch.data[i].
typedef struct sg_contact {
    sg_contact_response response; // elastic, or watch and none: no force
    bool alarm;                   // of a watch: to be reported
    sg_contact_law law;
    double start_speed;       // |rate of approach| when it began [m/s]
    double start_time;        // [s]
    sg_vec3 seen;             // where it was when somebody last looked, for those who watch it
    sg_contact_action action; // of the last evaluation with forces
} sg_contact;

// Sums over all contacts for the balance of energy.
typedef struct sg_contact_energy {
    double stored;               // [J]
    double damped, slid, rolled; // losses [W]
} sg_contact_energy;

typedef struct sg_contacts {
    sg_detect detect;
    const sg_contact_part *part; // by collider
    const sg_contact_table *table;
    sg_law_options law;
    SG_VEC(sg_contact) contact; // like detect.touch
    SG_VEC(sg_contact) last;    // like detect.last: what was before the last event
    int n_started, n_ended;     // at the last event
    int64_t started, ended;     // in all
    int64_t graph; // changes whenever contacts begin or end: the Jacobian's pattern is a new one
    sg_contact_energy energy;
} sg_contacts;

// Everything passed in must outlive the contacts. SG_ERR_MEMORY.
sg_status sg_contacts_init(sg_contacts *contacts, const sg_candidates *candidates,
                           const sg_contact_part *part, const sg_contact_table *table,
                           const sg_contact_options *options, sg_arena *arena,
                           const sg_allocator *allocator);
void sg_contacts_destroy(sg_contacts *contacts);

// One evaluation. An event may be evaluated several times, as events are iterated: only the first
// finds what is new, so `n_started` and `n_ended` count since the one before, `started` and `ended`
// altogether. `force` is by body, about its origin, in the world, and added to; null where none
// is wanted (crossings). Fails as sg_detect_evaluate does, and at an event with SG_ERR_MODEL when a
// contact begins that has no material or none that is available; detect.failure says which.
sg_status sg_contacts_evaluate(sg_contacts *contacts, sg_detect_mode mode, double time,
                               const sg_body_view *view, sg_force *force);

// Takes over the contacts of `old` that are there in the new segment, too, with their laws. `fresh`
// is the new number of an old collider, -1 if it is gone. Before the first event of a segment, so
// that what goes on is not taken for new; or, with all numbers the same, to evaluate forces and
// crossings of one segment in another place at the same time.
sg_status sg_contacts_carry(sg_contacts *contacts, const sg_contacts *old, const int *fresh);

// The next pair of materials that two candidates have and the table has not, for a warning when a
// segment starts. Begin with *a = 0, *b = 0; false when there are no more. Colliders whose pair it
// is are in *i, *j.
bool sg_contacts_missing(const sg_contacts *contacts, int *a, int *b, int *i, int *j);
