// Attributes that are not used, be they misspelt or unknown here, are told of like elements.
#include "robots/mjcf_reader.h"

#include <stdio.h>
#include <string.h>

#define PLACE " pos quat axisangle euler xyaxes zaxis "
#define SOFT " solref solimp solmix condim priority margin gap solreffriction solimpfriction "
#define DRIVE                                                                                      \
    " name class group user joint jointinparent tendon cranksite slidersite site body gear "       \
    "ctrllimited ctrlrange forcelimited forcerange lengthrange kp kv dampratio timeconst "         \
    "inheritrange "

// What is read, and what changes neither bodies nor motion here (friction of geoms has a word of
// its own).
static const struct {
    const char *kind, *known;
} elements[] = {
    {"joint", " name class group user type pos axis stiffness damping armature frictionloss range "
              "limited ref springref springdamper solreflimit solimplimit" SOFT},
    {"freejoint", " name group align "},
    {"body", " name childclass mocap gravcomp user" PLACE},
    {"frame", " name childclass" PLACE},
    {"inertial", " mass diaginertia fullinertia" PLACE},
    {"geom", " name class group user type size fromto material rgba friction mass density mesh "
             "shellinertia contype conaffinity" PLACE SOFT},
    {"site", " name class group user type size fromto material rgba" PLACE},
    {"mesh",
     " name class file scale refpos refquat smoothnormal maxhullvert inertia content_type "},
    {"motor", DRIVE},
    {"position", DRIVE},
    {"velocity", DRIVE},
    {"general", DRIVE "gaintype gainprm biastype biasprm dyntype dynprm "},
    {"pair", " name class geom1 geom2 friction" SOFT},
    {"exclude", " name class body1 body2 "},
    {"connect", " name class active body1 body2 anchor site1 site2 solref solimp "},
    {"weld",
     " name class active body1 body2 anchor site1 site2 relpose torquescale solref solimp "},
    {"compiler", " autolimits boundmass boundinertia settotalmass balanceinertia strippath "
                 "coordinate angle eulerseq meshdir texturedir assetdir inertiafromgeom "
                 "inertiagrouprange discardvisual usethread fusestatic exactmeshinertia convexhull "
                 "fitaabb saveinertial alignfree "},
};

// Of <equality>, where it means another thing.
static const char coupling[] = " name class active joint1 joint2 polycoef solref solimp ";

static bool has_word(const char *list, const char *word)
{
    char padded[64];
    int n = snprintf(padded, sizeof padded, " %s ", word);
    return n < (int)sizeof padded && strstr(list, padded);
}

void sg_mjcf_look_at_attributes(sg_mjcf_reader *r)
{
    for (const sg_mjcf_node *n = r->root; n && !r->in.arena->failed; n = sg_mjcf_walk(r->root, n)) {
        const char *known = NULL;
        for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
            known = strcmp(elements[i].kind, n->e->name) == 0 ? elements[i].known : known;
        bool joins = n->parent && sg_mjcf_is(n->parent, "equality");
        known = joins && sg_mjcf_is(n, "joint") ? coupling : known;
        for (uint32_t i = 0; known && i < n->e->n_attributes; i++) {
            const char *name = n->e->attributes[i].name;
            if (has_word(known, name))
                continue;
            size_t room = strlen(n->e->name) + strlen(name) + 2;
            char *both = SG_NEW_ARRAY(r->in.arena, char, room);
            if (!both)
                return;
            snprintf(both, room, "%s %s", n->e->name, name);
            if (sg_robot_is_new(&r->in, both))
                SG_MJCF_SAY(r, SG_WARNING, n, "%.60s of <%s> is not used", name, n->e->name);
        }
    }
}
