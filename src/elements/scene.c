// Scene: the feature of the world, and the gravity field (components3d.md 2).
#include "base/assert.h"
#include "elements/elements.h"

#include <math.h>
#include <string.h>

// components3d.md 2
#define GRAVITATION 6.67408e-11 // [m3/(kg s2)]
#define EARTH_MASS 5.9722e24    // [kg]
// More than a scene of any size has neighbors.
#define SG_MOST_CROSSINGS 100000

static void read_gravity(sg_keywords *r, sg_gravity *out)
{
    const char *kind = sg_element_kind(r->part->vm, r->dict);
    double g = 9.81, mass = EARTH_MASS;
    sg_vec3 n = {0.0, -1.0, 0.0};
    if (strcmp(kind, "NoGravityField") == 0) {
        *out = (sg_gravity){.kind = SG_GRAVITY_NONE};
    } else if (strcmp(kind, "UniformGravityField") == 0) {
        sg_read_number(r, "g", &g);
        sg_read_vec3(r, "n", &n);
        if (g < 0.0)
            sg_read_fail(r, "g", SG_E_ARGUMENT, "g must not be negative; turn n around instead");
        if (v3_max_abs(n) == 0.0)
            sg_read_fail(r, "n", SG_E_ARGUMENT, "the direction n must not be zero");
        else
            *out = (sg_gravity){.kind = SG_GRAVITY_UNIFORM, .g = v3_scale(v3_unit(n), g)};
    } else if (strcmp(kind, "PointGravityField") == 0) {
        sg_read_number(r, "mass", &mass);
        double mue = GRAVITATION * mass;
        sg_read_number(r, "mue", &mue);
        if (mue < 0.0)
            sg_read_fail(r, "mass", SG_E_ARGUMENT, "the mass must not be negative");
        *out = (sg_gravity){.kind = SG_GRAVITY_POINT, .mue = mue};
    } else {
        sg_read_fail(r, "g", SG_E_ARGUMENT,
                     "gravityField must be UniformGravityField, NoGravityField or "
                     "PointGravityField");
    }
}

// compatibility = "modia-0.12" or a list of switches, as on the command line.
sg_status sg_read_switches(sg_part *part, const sg_part_element *element)
{
    sg_keywords object = sg_reader_make(part, element);
    sg_value value;
    if (!sg_read_has(&object, "feature", &value) || !sg_is(value, SG_OBJ_DICT) ||
        strcmp(sg_element_kind(part->vm, (const sg_dict *)value.o), "Scene") != 0)
        return SG_OK;
    sg_keywords r = sg_reader_inner(&object, (const sg_dict *)value.o);
    const char *name = "";
    sg_read_string(&r, "compatibility", &name);
    while (*(name += strspn(name, " ")) && r.ok) {
        size_t length = strcspn(name, ",");
        if (!sg_part_compat_set(&part->records.compat, name, length))
            sg_read_fail(&r, "compatibility", SG_E_ARGUMENT,
                         "there is no compatibility switch '%.*s' for 3D parts", (int)length, name);
        name += length + (name[length] == ',');
    }
    return r.ok ? SG_OK : SG_ERR_MODEL;
}

static void read_positive(sg_keywords *r, const char *key, double *x)
{
    sg_read_number(r, key, x);
    if (!(*x > 0.0))
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be positive", key);
}

// How contacts are found and answered (components3d.md 8), and what later parts of the program go
// by; of the latter it is only seen that it makes sense.
static void read_numbers(sg_keywords *r)
{
    static const char *const later[] = {"gap", "attachSpeed", "attachAngularSpeed"};
    sg_contact_options *o = &r->part->records.scene.contact_options;
    *o = sg_contact_options_make();
    double tolerance = o->detect.mpr.tolerance, iterations = o->detect.mpr.max_iterations;
    double factor = 1.0;
    bool unused = false;
    for (size_t i = 0; i < SG_COUNT(later); i++) {
        double x = 1.0;
        read_positive(r, later[i], &x);
    }
    read_positive(r, "mprTolerance", &tolerance);
    read_positive(r, "mprIterMax", &iterations);
    read_positive(r, "maximumContactDamping", &o->law.max_damping);
    sg_read_flag(r, "enableVisualization", &unused); // of a program that shows the run
    sg_read_number(r, "elasticContactReductionFactor", &factor);
    if (!(factor >= 0.0 && factor <= 1.1))
        sg_read_fail(r, "elasticContactReductionFactor", SG_E_ARGUMENT,
                     "elasticContactReductionFactor must lie between 0 and 1.1");
    o->law.reduction = factor;
    o->detect.mpr.tolerance = tolerance;
    o->detect.mpr.max_iterations = (int)fmin(iterations, 1e6);
    o->detect.eps = sg_detect_eps(tolerance);
}

// restitution = "exact": bodies leave with the coefficient of their materials (contact/law.h).
static void read_restitution(sg_keywords *r)
{
    const char *name = "thesis";
    sg_read_string(r, "restitution", &name);
    r->part->records.scene.contact_options.law.exact = strcmp(name, "exact") == 0;
    if (!r->part->records.scene.contact_options.law.exact && strcmp(name, "thesis") != 0)
        sg_read_fail(r, "restitution", SG_E_ARGUMENT,
                     "restitution must be \"thesis\", the damping that published models have, or "
                     "\"exact\", that which leaves the coefficient of restitution");
}

// friction = "stick": points do (contact/stick.h).
static void read_friction(sg_keywords *r)
{
    const char *name = "thesis";
    sg_read_string(r, "friction", &name);
    bool sticks = strcmp(name, "stick") == 0;
    r->part->records.scene.contact_options.sticks = sticks ? SG_STICK_ALL : SG_STICK_BY_PAIR;
    if (!sticks && strcmp(name, "thesis") != 0)
        sg_read_fail(r, "friction", SG_E_ARGUMENT,
                     "friction must be \"thesis\", which falls to zero with the speed as in "
                     "published models, or \"stick\", which holds up to its limit");
}

// flatContact = "point": as published, also where flat sides meet (contact/area.h).
static void read_flat(sg_keywords *r)
{
    const char *name = "area";
    sg_read_string(r, "flatContact", &name);
    r->part->records.scene.contact_options.flat = strcmp(name, "area") == 0;
    if (!r->part->records.scene.contact_options.flat && strcmp(name, "point") != 0)
        sg_read_fail(r, "flatContact", SG_E_ARGUMENT,
                     "flatContact must be \"area\", pressure over the area where flat sides meet, "
                     "or \"point\", one force at the deepest point");
}

// zeroCrossings = :smallest, nz = 100: functions of the nearest pairs instead of two.
static void read_crossings(sg_keywords *r)
{
    int nz = 100;
    sg_read_count(r, "nz", &nz);
    if (r->ok && (nz < 1 || nz > SG_MOST_CROSSINGS))
        sg_read_fail(r, "nz", SG_E_ARGUMENT, "nz must lie between 1 and %d", SG_MOST_CROSSINGS);
    const char *name = "extremes";
    sg_read_string(r, "zeroCrossings", &name);
    bool smallest = strcmp(name, "smallest") == 0;
    if (!smallest && strcmp(name, "extremes") != 0)
        sg_read_fail(r, "zeroCrossings", SG_E_ARGUMENT,
                     "zeroCrossings must be :extremes, two functions for all contacts, or "
                     ":smallest, one for each of the nz nearest pairs");
    r->part->records.scene.contact_options.detect.nz = smallest ? nz : 0;
}

// loops = :projected: with IDA, too, states move back to the loops between steps (docs/loops.md).
static void read_loops(sg_keywords *r)
{
    const char *name = "ggl";
    sg_read_string(r, "loops", &name);
    r->part->records.scene.projects_loops = strcmp(name, "projected") == 0;
    if (!r->part->records.scene.projects_loops && strcmp(name, "ggl") != 0)
        sg_read_fail(r, "loops", SG_E_ARGUMENT,
                     "loops must be :ggl, constraints among the equations of IDA, or :projected, "
                     "states that are moved back to the loops between the steps of any solver");
}

// What is asked for and not done is said.
static void warn_of_the_rest(sg_keywords *r)
{
    sg_diags *diags = r->part->vm->diags;
    bool optimized = true;
    sg_read_flag(r, "useOptimizedStructure", &optimized);
    if (!optimized)
        sg_warning(diags, SG_E_ARGUMENT, sg_read_span(r, "useOptimizedStructure"),
                   "%s: useOptimizedStructure = false has no effect; what is rigidly connected is "
                   "always one body",
                   r->what);
}

static void read_islands(sg_keywords *r)
{
    sg_value given;
    bool wanted = false;
    sg_read_flag(r, "islands", &wanted);
    r->part->records.scene.islands = !sg_read_has(r, "islands", &given) ? SG_ISLANDS_WHERE_THEY_PAY
                                     : wanted ? SG_ISLANDS_WHEREVER_THEY_FIT
                                              : SG_ISLANDS_NEVER;
}

static void read_threads(sg_keywords *r)
{
    int n = 1;
    sg_read_count(r, "threads", &n);
    if (r->ok && (n < 1 || n > SG_LARGEST_CREW))
        sg_read_fail(r, "threads", SG_E_ARGUMENT, "threads must lie between 1 and %d",
                     SG_LARGEST_CREW);
    r->part->records.scene.threads = n;
}

void sg_read_scene(sg_keywords *r)
{
    const sg_dict *field;
    read_numbers(r);
    read_restitution(r);
    read_flat(r);
    read_friction(r);
    read_crossings(r);
    read_loops(r);
    warn_of_the_rest(r);
    r->part->records.gravity = (sg_gravity){.kind = SG_GRAVITY_UNIFORM, .g = {0.0, -9.81, 0.0}};
    r->part->records.scene.balance = r->part->records.scene.reactions = false;
    r->part->records.scene.detects_contacts = true;
    sg_read_view(r);
    sg_read_flag(r, "enableContactDetection", &r->part->records.scene.detects_contacts);
    read_islands(r);
    read_threads(r);
    sg_read_flag(r, "balance", &r->part->records.scene.balance);
    sg_read_flag(r, "reactions", &r->part->records.scene.reactions);
    r->part->records.scene.attach = (sg_attach_limits){0.001, 0.1, 0.5};
    sg_read_number(r, "gap", &r->part->records.scene.attach.gap);
    sg_read_number(r, "attachSpeed", &r->part->records.scene.attach.speed);
    sg_read_number(r, "attachAngularSpeed", &r->part->records.scene.attach.angular_speed);
    sg_read_inner(r, "gravityField", "UniformGravityField(g = 9.81, n = [0, -1, 0])", &field);
    if (!field)
        return;
    sg_keywords inner = sg_reader_inner(r, field);
    read_gravity(&inner, &r->part->records.gravity);
    r->ok &= inner.ok;
}
