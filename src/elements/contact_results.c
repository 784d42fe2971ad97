// ContactResult and DistanceResult: one pair of objects that can collide, as signals
// (components3d.md 9.6).
//
// Vectors act on, or point into, object1, and are resolved in the reference object. Objects of
// several convex parts have one result: forces add up, and place and depth are those of the pair of
// parts that is deepest in each other. Of a contact of flat sides that place is the center of
// pressure, and its outline is a signal, too: a polygon around all of the patch.
#include "contact/seen.h"
#include "elements/contacts.h"
#include "elements/elements.h"
#include "multibody/element.h"

#include <math.h>

enum { MOST_NUMBERS = 11, MOST_VECTORS = 4, MOST_NAMES = MOST_NUMBERS + MOST_VECTORS };

typedef struct signal_list {
    const char *name[MOST_NAMES][2];
    int n_numbers, n_vectors;
} signal_list;

static const signal_list contact_signals = {{{"penetration", "m"},
                                             {"penetrationVelocity", "m/s"},
                                             {"tangentialVelocity", "m/s"},
                                             {"angularVelocity", "rad/s"},
                                             {"normalForce", "N"},
                                             {"tangentialForce", "N"},
                                             {"torque", "N*m"},
                                             {"frictionShare", ""},
                                             {"sticking", ""},
                                             {"contactPatchArea", "m^2"},
                                             {"maxPressure", "Pa"},
                                             {"positionVector", "m"},
                                             {"normalVector", ""},
                                             {"forceVector", "N"},
                                             {"torqueVector", "N*m"}},
                                            11,
                                            4};
static const signal_list distance_signals = {
    {{"distance", "m"}, {"positionVector1", "m"}, {"positionVector2", "m"}, {"normalVector", ""}},
    1,
    3};

// Corners of an outline unless somebody asks for another number, and the most: a rim that is drawn
// by 16 chords has 97 % of its area.
enum { FEW_CORNERS = 16, MOST_OUTLINE = 256 };

typedef struct pair_result {
    const signal_list *signals;
    int object[2], reference;
    int asked;           // for corners of the outline; -1: as many as there should be
    int corners;         // in this segment, 0: there is no outline
    const char *axis[3]; // names of its signals,
    int32_t outline[3];  // and these
    const char *name[MOST_NAMES];
    int32_t local[MOST_NAMES];
} pair_result;

typedef struct pair_values {
    double number[MOST_NUMBERS];
    size_t deepest; // number of the contact whose patch is the outline, and one more
    sg_vec3 vector[MOST_VECTORS];
} pair_values;

static bool define(sg_part *part, void *data)
{
    static const double zero[3] = {0};
    pair_result *r = data;
    for (int i = 0; i < r->signals->n_numbers + r->signals->n_vectors; i++) {
        bool number = i < r->signals->n_numbers;
        r->local[i] = sg_hidden_add_local(part->segment.hidden, r->name[i], r->signals->name[i][1],
                                          zero, number ? 1 : 3, number);
    }
    return !part->segment.hidden->failed;
}

static bool is_flat(const sg_part *part, int object)
{
    const sg_part_contacts *c = part->records.contacts;
    int first = 0, n = c && c->acts ? sg_part_colliders_of(c, object, &first) : 0;
    for (int i = 0; i < n; i++)
        if (c->collider[first + i].sharp)
            return true;
    return false;
}

static bool define_contact(sg_part *part, void *data)
{
    pair_result *r = data;
    double zero[MOST_OUTLINE] = {0};
    bool flat = is_flat(part, r->object[0]) && is_flat(part, r->object[1]);
    r->corners = flat ? (r->asked < 0 ? FEW_CORNERS : r->asked) : 0;
    for (int k = 0; r->corners && k < 3; k++)
        r->outline[k] = sg_hidden_add_local(part->segment.hidden, r->axis[k], "m", zero,
                                            (uint32_t)r->corners, false);
    return define(part, data);
}

static void write(const sg_part_eval *e, const pair_result *r, const pair_values *v)
{
    sg_mat3 R = M3_IDENTITY;
    if (r->reference != SG_WORLD)
        R = sg_tree_object_pose(e->part->segment.tree, &e->state->tree, r->reference).R;
    int n = r->signals->n_numbers;
    for (int i = 0; i < n; i++)
        sg_part_set_local(e, r->local[i], &v->number[i], 1);
    for (int i = 0; i < r->signals->n_vectors; i++) {
        sg_vec3 x = r->reference == SG_WORLD ? v->vector[i] : m3_tmul_v(&R, v->vector[i]);
        sg_part_set_local(e, r->local[n + i], &x.x, 3);
    }
}

// ---- contact --------------------------------------------------------------------------------

// One more pair of parts in contact. `sign` is 1 where object1 is the second of the two.
static void add_contact(pair_values *v, const sg_contacts *c, size_t at, double sign)
{
    const sg_touch *t = &c->detect.touch.data[at];
    const sg_contact *k = &c->contact.data[at];
    const sg_contact_action *a = &k->action;
    double *number = v->number;
    sg_contact_seen seen = sg_contact_look_at(k);
    if (a->penetration > number[0] || number[0] == 0.0) {
        v->deepest = at + 1;
        number[7] = seen.share;
        number[8] = seen.grip == SG_GRIP_STICKS;
        number[0] = a->penetration;
        number[1] = a->rate;
        number[2] = a->slide;
        number[3] = a->spin;
        v->vector[0] = t->point;
        v->vector[1] = v3_scale(t->n, sign);
    }
    if (!sg_contact_presses(k))
        return;
    number[4] += a->pressure;
    number[5] += a->friction;
    number[6] += a->rolling;
    number[9] += seen.area;
    v->vector[2] = v3_add_scaled(v->vector[2], a->force, sign);
    v->vector[3] = v3_add_scaled(v->vector[3], a->torque, sign);
}

// A polygon that has fewer corners than there are numbers ends with its last one.
static void write_outline(const sg_part_eval *e, const pair_result *r, const sg_contact *k,
                          const sg_outline *outline)
{
    double x[3][MOST_OUTLINE] = {{0}};
    sg_vec3 corner[MOST_OUTLINE];
    int n = 0;
    sg_mat3 R = M3_IDENTITY;
    if (r->reference != SG_WORLD)
        R = sg_tree_object_pose(e->part->segment.tree, &e->state->tree, r->reference).R;
    if (k)
        n = sg_outline_hull(outline, k->patch.n, r->corners, corner);
    for (int i = 0; n && i < r->corners; i++) {
        sg_vec3 p = v3_add(k->patch.origin, corner[i < n ? i : n - 1]);
        p = m3_tmul_v(&R, p);
        x[0][i] = p.x;
        x[1][i] = p.y;
        x[2][i] = p.z;
    }
    for (int a = 0; a < 3; a++)
        sg_part_set_local(e, r->outline[a], x[a], (uint32_t)r->corners);
}

static sg_status store_contact(sg_part_eval *e, const void *data, void *own)
{
    const pair_result *r = data;
    const sg_part_touching *t = sg_part_touching_of(e->state);
    pair_values v = {0};
    sg_outline outline;
    (void)own;
    for (size_t i = 0; t && t->is_made && i < t->contacts.contact.len; i++) {
        const sg_touch *touch = &t->contacts.detect.touch.data[i];
        int a = t->object[touch->a], b = t->object[touch->b];
        if (a == r->object[0] && b == r->object[1])
            add_contact(&v, &t->contacts, i, -1.0);
        else if (a == r->object[1] && b == r->object[0])
            add_contact(&v, &t->contacts, i, 1.0);
    }
    // Equations may ask for numbers at any time; the patch is for who looks.
    if (e->mode == SG_MODE_RESULT && v.deepest) {
        sg_body_view view = sg_part_body_view(e->state);
        sg_contacts_outline(&t->contacts, &view, v.deepest - 1, &outline);
        v.number[10] = sg_outline_peak(&outline);
    }
    if (e->mode == SG_MODE_RESULT && r->corners)
        write_outline(e, r, v.deepest ? &t->contacts.contact.data[v.deepest - 1] : NULL, &outline);
    write(e, r, &v);
    return SG_OK;
}

// ---- distance -------------------------------------------------------------------------------

static sg_status store_distance(sg_part_eval *e, const void *data, void *own)
{
    const pair_result *r = data;
    sg_part_touching *t = sg_part_touching_kept(e->state);
    pair_values v = {.number = {(double)NAN}};
    int first[2] = {0, 0}, n[2] = {0, 0};
    (void)own;
    if (t && t->is_made)
        for (int i = 0; i < 2; i++)
            n[i] = sg_part_colliders_of(e->part->records.contacts, r->object[i], &first[i]);
    sg_body_view view = sg_part_body_view(e->state);
    for (int i = 0; i < n[0]; i++)
        for (int j = 0; j < n[1]; j++) {
            int a = first[0] + i, b = first[1] + j;
            bool turned = a > b;
            sg_touch m;
            sg_status status =
                sg_detect_measure(&t->contacts.detect, &view, turned ? b : a, turned ? a : b, &m);
            if (status != SG_OK || m.delta >= v.number[0])
                continue;
            v.number[0] = m.delta;
            v.vector[0] = turned ? m.pb : m.pa;
            v.vector[1] = turned ? m.pa : m.pb;
            v.vector[2] = v3_scale(m.n, turned ? 1.0 : -1.0);
        }
    write(e, r, &v);
    return SG_OK;
}

// ---- reading --------------------------------------------------------------------------------

static void read_corners(sg_keywords *r, pair_result *result, const char *path)
{
    static const char *const axes[3] = {"outlineX", "outlineY", "outlineZ"};
    sg_read_count(r, "outlineCorners", &result->asked);
    if (result->asked >= 0 &&
        (result->asked == 1 || result->asked == 2 || result->asked > MOST_OUTLINE))
        sg_read_fail(r, "outlineCorners", SG_E_ARGUMENT,
                     "outlineCorners must be 0, for no outline, or from 3 to %d", MOST_OUTLINE);
    for (int k = 0; k < 3; k++)
        result->axis[k] = sg_arena_printf(&r->part->records.arena, "%s.%s", path, axes[k]);
}

static sg_status read_result(sg_part *part, const sg_part_element *element,
                             const signal_list *signals, sg_part_actor actor)
{
    sg_keywords r = sg_reader_make(part, element);
    pair_result *result = SG_NEW(&part->records.arena, pair_result);
    if (!result)
        return SG_ERR_MEMORY;
    *result = (pair_result){.signals = signals, .reference = SG_WORLD, .asked = -1};
    sg_read_colliders(&r, result->object);
    sg_read_object(&r, "objectCoordinateRef", &result->reference);
    if (signals == &contact_signals)
        read_corners(&r, result, element->path);
    if (!r.ok)
        return SG_ERR_MODEL;
    for (int i = 0; i < signals->n_numbers + signals->n_vectors; i++)
        result->name[i] =
            sg_arena_printf(&part->records.arena, "%s.%s", element->path, signals->name[i][0]);
    actor.data = result;
    actor.define = signals == &contact_signals ? define_contact : define;
    actor.needs[0] = result->object[0] + 1;
    actor.needs[1] = result->object[1] + 1;
    actor.needs[2] = result->reference + 1;
    bool ok = !part->records.arena.failed && SG_PUSH(part->allocator, &part->records.actors, actor);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_read_contact_result(sg_part *part, const sg_part_element *element)
{
    return read_result(part, element, &contact_signals, (sg_part_actor){.store = store_contact});
}

sg_status sg_read_distance_result(sg_part *part, const sg_part_element *element)
{
    part->records.measures = true;
    return read_result(part, element, &distance_signals, (sg_part_actor){.store = store_distance});
}
