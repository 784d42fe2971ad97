// The contacts of a segment: detection and response as one evaluation.
//
// Life of it: sg_contacts_init when a segment is built (colliders, parts, materials and options are
// then const), an evaluation in mode event before the first step, evaluations in modes crossings
// and forces as the solver asks, another event wherever z_d or z_p changed sign, destroy. What an
// evaluation needs of the bodies it reads in place (collide/bodies.h), what it does to them it adds
// up by body. Between events no evaluation allocates.
//
// At an event, contacts that began look up their material, store the speed of approach and choose
// their damping (contact/law.h); those that go on keep theirs until they are hit, which is seen
// from step to step (sg_contacts_follow). Where a material responds by impulses, an elastic contact
// begins that says so: whoever can change velocities does, and forces are there if it stays.
//
// components3d.md 8.1, 8.7, 8.8; [Neumayr-thesis] 6.3 and 7.
#pragma once

#include "collide/detect.h"
#include "contact/flat.h"
#include "contact/parts.h"
#include "contact/peaks.h"
#include "contact/stick.h"

// What the function of a written law gets: the penetration [m], its rate [m/s], and how the first
// body moves against the second at the contact point; world axes. The normal points into the first.
typedef struct sg_written_motion {
    double penetration, rate, time;
    sg_vec3 slide, spin, normal; // velocity across the normal [m/s], angular velocity [rad/s]
} sg_written_motion;

// A law that somebody outside computes, for all contacts between the parts of two owners. Force and
// torque act on the first one, at the contact point. `caller` is that of the evaluation.
typedef struct sg_written_law {
    int first, second; // owners (sg_contact_part)
    sg_status (*call)(const void *context, void *caller, const sg_written_motion *motion,
                      sg_vec3 *force, sg_vec3 *torque);
    const void *context;
} sg_written_law;

// Whether it is the law of these two, in either order.
static inline bool sg_written_law_is_of(const sg_written_law *law, int a, int b)
{
    return (law->first == a && law->second == b) || (law->first == b && law->second == a);
}

// Which point contacts stick: none, those whose pair of materials says so, or all whose pair does
// not say otherwise.
typedef enum sg_stick_choice { SG_STICK_NEVER, SG_STICK_BY_PAIR, SG_STICK_ALL } sg_stick_choice;

typedef struct sg_contact_options {
    sg_detect_options detect;
    sg_law_options law;
    const sg_written_law *written; // laws in the place of those of materials
    int n_written;
    bool flat;              // flat sides press over areas
    sg_stick_choice sticks; // points do
    // For both, what is known when a segment is built:
    const sg_area_body *const *area; // by collider; null for what is round
    const sg_stick_body *body;       // by body
    double gravity;                  // [m/s2]
    int n_anchors;
} sg_contact_options;

// Physics and the thesis.
sg_contact_options sg_contact_options_make(void);

// Whether a contact with an anchor slips (contact/slip.h).
typedef struct sg_contact_slip {
    bool is;      // mode: friction is that of sliding
    bool calm;    // it does, but has stayed below its limit for long
    bool told;    // it has settled: changes are events
    bool turned;  // the mode changed at the last event
    double since; // it is below its limit [s]
    double down;  // the two touch, without having parted [s]
} sg_contact_slip;

// A contact that slides below the speed where friction is regularized, for those who watch it.
typedef struct sg_contact_creep {
    double since; // without a break [s]; NaN: it does not
    sg_vec3 v;    // across the normal then [m/s]
} sg_contact_creep;

// A contact that closes faster from step to step, likewise.
typedef struct sg_contact_closing {
    double rate; // at the last one [m/s]
    int rises;   // steps in a row
} sg_contact_closing;

// A contact where the Jacobian is made (contact/unmoved.h).
typedef struct sg_contact_noted {
    sg_touch touch; // as it was measured
    sg_vec3 point;  // where it acted
    sg_contact_action action;
    sg_area_patch patch;
    double share, storing;
    double y[SG_ANCHOR], rate[SG_ANCHOR];
    bool is_here; // and what stands in the contact is this
} sg_contact_noted;

// What of a contact is the same as there: nothing that is known, where it is, how it moves there,
// too, or its anchor as well.
typedef enum sg_contact_same {
    SG_SAME_NOTHING,
    SG_SAME_PLACE,
    SG_SAME_MOTION,
    SG_SAME_ALL
} sg_contact_same;

// An area where forces were last evaluated, for crossings at the end of a step (act_again).
typedef struct sg_contact_pressed {
    double s;     // [m]
    sg_vec3 v, w; // of B against A at the center of pressure
    double rate[SG_ANCHOR];
} sg_contact_pressed;

// A contact; number i belongs to detect.touch.data[i].
typedef struct sg_contact {
    sg_contact_response response; // a law, or watch and none: no force
    const sg_written_law *written;
    bool strikes; // an impulse is due; without one it is elastic
    bool alarm;   // of a watch: to be reported
    sg_contact_law law;
    bool is_flat; // it presses over an area, by this law,
    sg_area_law area;
    sg_flat_stick stick;
    bool sticks; // it is a point with an anchor, by this law;
    sg_stick point_stick;
    int frame;                // anchors are in the frame of this collider
    sg_contact_slip slip;     // of one with an anchor
    double share;             // of the limit that the anchor holds
    int anchor;               // number of its anchor; -1: none,
    int branch;               // and the branch of its law (contact/flat.h)
    double storing;           // power that it takes and does not lose [W]
    sg_area_patch patch;      // and did so in the last evaluation with forces
    double start_speed;       // |rate of approach| when it began [m/s]
    double start_time;        // [s]
    sg_vec3 seen;             // where it was when somebody last looked, for those who watch it;
    uint32_t n_jumps;         // how often it was far from there then,
    double jumps_from;        // and since when [s]
    sg_contact_action action; // of the last evaluation with forces
    sg_contact_peak peak;     // how deep and hard it was so far
    sg_contact_creep creep;
    sg_contact_closing closing;
    sg_vec3 sank[2];          // its normal where it became deep, in the frames of A and of B,
    bool is_deep, is_through; // if it did; and that it has turned round since then
    sg_contact_pressed pressed;
    sg_contact_noted noted;
    sg_contact_same same;
    uint64_t version[2]; // of its bodies, when it was last evaluated in a group,
    double version_time; // and then
} sg_contact;

// Whether bodies feel it.
static inline bool sg_contact_presses(const sg_contact *contact)
{
    return contact->response == SG_CONTACT_ELASTIC || contact->response == SG_CONTACT_WRITTEN ||
           sg_response_takes(contact->response) == SG_BY_SPRING;
}

// Whether it has an anchor, if there is one for it.
static inline bool sg_contact_holds(const sg_contact *contact)
{
    return contact->is_flat || contact->sticks;
}

// Whether contacts of this pair stick where they are points.
static inline bool sg_contact_pair_sticks(const sg_contact_options *options,
                                          const sg_contact_material *material)
{
    bool all = options->sticks == SG_STICK_ALL;
    bool choice = isnan(material->sticks) ? all : material->sticks > 0.0;
    return options->sticks != SG_STICK_NEVER && choice && material->friction > 0.0;
}

// Sums over all contacts for the balance of energy.
typedef struct sg_contact_energy {
    double stored;               // [J]
    double damped, slid, rolled; // losses [W]
} sg_contact_energy;

// What evaluations of forces change between events, put away (kept.c).
typedef struct sg_contacts_kept {
    sg_detect_saved detect;
    SG_VEC(sg_contact) contact;
    double pressed_at, time;
    bool again;
    sg_contact_energy energy;
    const double *anchor;
    double *anchor_rate;
} sg_contacts_kept;

typedef struct sg_contacts {
    sg_detect detect;
    const sg_contact_part *part; // by collider
    const sg_contact_table *table;
    sg_law_options law;
    const sg_written_law *written; // `n_written` of them
    int n_written;
    sg_contact_options options;
    sg_area_work *work;           // null if nothing is flat
    struct sg_pressing *pressing; // null for one thread
    bool pressed_before;          // by this, in the present evaluation
    // Anchors of flat contacts, SG_ANCHOR numbers each: states of the caller's, set before each
    // evaluation. Contacts that find none free slide, and `anchors_missing` counts them.
    const double *anchor;
    double *anchor_rate;
    int n_anchors, anchors_missing;
    bool *anchor_taken;
    bool held;  // anchors stay on the branches that they are on,
    bool notes; // which are remembered by this evaluation
    struct sg_contacts_unmoved *unmoved;
    bool accounts;              // somebody asks for energies
    double pressed_at;          // time of the last forces that somebody may use again, or NaN [s]
    bool again;                 // and this evaluation may
    void *caller;               // for their functions; of the present evaluation, and its
    double time;                // [s]
    SG_VEC(sg_contact) contact; // like detect.touch
    SG_VEC(sg_contact) last;    // like detect.last: what was before the last event
    int n_started, n_ended;     // at the last event
    int64_t started, ended;     // in all
    double lately;              // the deepest of those that ended since the last stored point [m]
    int64_t graph; // changes whenever contacts begin or end: the Jacobian's pattern is a new one
    sg_contact_energy energy;
    sg_contacts_kept kept;
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
// is wanted (crossings). Fails as sg_detect_evaluate does, at an event with SG_ERR_MODEL when a
// contact begins that has no material or none that is available (detect.failure says which), and as
// a written law does (detect.failure has no message).
sg_status sg_contacts_evaluate(sg_contacts *contacts, sg_detect_mode mode, double time,
                               const sg_body_view *view, sg_force *force);

// Evaluations of forces between these two, with detect.pure, leave nothing behind but what
// sg_contacts_stored notes. What was put away may be put back more than once. SG_ERR_MEMORY, which
// is taken where there are more contacts than ever, or before that by sg_contacts_reserve (kept.c).
sg_status sg_contacts_reserve(sg_contacts *contacts);
sg_status sg_contacts_keep(sg_contacts *contacts);
void sg_contacts_put_back(sg_contacts *contacts);

// Takes a look at all contacts for their peaks (contact/peaks.h), where a step has ended and forces
// were evaluated. Events do so by themselves, also with those that end: these are in `last`, and
// sg_contacts_next_ended finds them until the next event.
void sg_contacts_look(sg_contacts *contacts, double time);
// The number in `last` of the next contact from *at on that the last event ended; false if there is
// none. `*at` goes on behind it.
bool sg_contacts_next_ended(const sg_contacts *contacts, size_t *at, size_t *found);
// Whether a solver should start anew behind the last event. Contacts began, or ended other than as
// areas, which press no more when they end. Or the last one did: what flies has nothing in common
// with what was pressed, and a fresh start takes long steps at once.
bool sg_contacts_jumped(const sg_contacts *contacts);
// The largest penetration since the last stored point, for a point that is stored here; and that it
// was [m].
double sg_contacts_deepest(const sg_contacts *contacts, double time);
void sg_contacts_stored(sg_contacts *contacts, double time);
// The last evaluation, one with forces, was at the end of a step, or behind an event: contacts
// choose their damping anew where they are hit.
void sg_contacts_follow(sg_contacts *contacts);
// And the longest step that impacts allow then [s].
double sg_contacts_hit_bound(const sg_contacts *contacts);

// The same for some contacts alone, `n` numbers in `group`, whose bodies have moved since the last
// evaluation: forces between events; and where a step of theirs has ended, looks, follows and gives
// the bound. Nothing is known of all others then (model3d/islands.h). `version` by body is another
// number whenever it was put somewhere else, or has another speed: contacts of two bodies that have
// not moved press as they did at that time. Bodies that one presses anew are `stirred`.
sg_status sg_contacts_evaluate_group(sg_contacts *contacts, double time, const sg_body_view *view,
                                     const int *group, int n, const uint64_t *version,
                                     bool *stirred, sg_force *force);
double sg_contacts_end_step_of_group(sg_contacts *contacts, double time, const int *group, int n);

// With the last evaluation at the end of a step: contacts so deep that the shapes are half in each
// other, and whose normal has turned round since it was so, seen from either body. The one has been
// pushed through the other. Returns the number of the next contact from `at` on that has just been,
// or that of contacts.
size_t sg_contacts_next_through(sg_contacts *contacts, const sg_body_view *view, size_t at);

// Whether there is a contact without damping, so that the two bodies get back what they lose by it,
// and neither of them is in one with damping at the same time, which would take it again. `moves`
// is by body: what stands still has no energy to lose.
bool sg_contacts_give_back(const sg_contacts *contacts, const bool *moves);
bool sg_contacts_gives_back(const sg_contacts *contacts, size_t contact, const bool *moves); // one

// With the last evaluation one with forces: the patch of contact i, to be looked at; empty where it
// is no flat one. Corners are from the patch's origin.
void sg_contacts_outline(const sg_contacts *contacts, const sg_body_view *view, size_t i,
                         sg_outline *out);

// Takes over the contacts of `old` that are there in the new segment, too, with their laws. `fresh`
// is the new number of an old collider, -1 if it is gone. Before the first event of a segment, so
// that what goes on is not taken for new; or, with all numbers the same, to evaluate forces and
// crossings of one segment in another place at the same time.
sg_status sg_contacts_carry(sg_contacts *contacts, const sg_contacts *old, const int *fresh);

// The next pair of materials that two candidates have and the table has not, for a warning when a
// segment starts. Begin with *a = 0, *b = 0; false when there are no more. Colliders whose pair it
// is are in *i, *j.
bool sg_contacts_missing(const sg_contacts *contacts, int *a, int *b, int *i, int *j);
