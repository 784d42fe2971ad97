// Quantities of a 3D part in equations: what its elements show, and what equations give them.
//
// An equation may name a signal of an element (`sensor.velocity`, `body.r_abs`,
// `contact.normalForce`) and determine one that an element takes (`load.force`). No component
// declares these names, so flattening makes plain unknowns of them. They are found by their names
// in the flat model, wherever the equation stands, and get equations; the calls that couple the
// part are written anew around them:
//     multibodyMotion = motion(time, c1.phi, c1.w, ...)
//     sensor.velocity = multibodyMotion[1:3]
//     multibodyTerms = terms(multibodyMotion, load.force, ...)
//     multibodyMatrix = matrix(multibodyMotion)
//     ...
//     multibodySensed = sensed(multibodyAccelerations)
//     sensor.acceleration = multibodySensed[1:3]
// So the order of evaluation, and whether a force depends on an acceleration that depends on the
// force, is seen by the sorting of equations like everything else. A system that results is solved
// there: the calls are linear in forces and accelerations (sg_part_is_linear_call).
//
// Values are those of the result signals of the elements, asked for earlier than at the points of
// the result; only objects have more than these. Reactions become signals where they are named.
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "segue/diag.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum sg_port_level {
    SG_PORT_MOTION,       // known with positions, velocities and the forces of elements
    SG_PORT_ACCELERATION, // known with accelerations
    SG_PORT_INPUT,        // given by equations
    SG_PORT_N_LEVELS
} sg_port_level;

// A kind of quantity, a line of ports_list.h.
typedef struct sg_port_kind {
    const char *element, *signal;
    uint32_t rows, cols; // no columns: a number
    sg_port_level level;
    const char *unit, *rate;
} sg_port_kind;

// An element of the dictionary.
typedef struct sg_part_place {
    const char *name; // full path
    const char *kind; // constructor
    bool observed;    // a sensor with an observer of its own
    bool component;   // a joint, which has variables of its own besides
} sg_part_place;

// A quantity of an element that some equation names.
typedef struct sg_port {
    const sg_port_kind *kind;
    const char *name;           // full path of the signal
    const sg_part_place *place; // its element
    sg_span span;               // where it is named first
    uint32_t at;                // of its first number among those of its level
    bool depends_on_laws;       // a force of an element
    // In this segment:
    int object;    // of an Object3D, else -1
    int quantity;  // of it
    int32_t local; // result signal of another element
} sg_port;

typedef struct sg_ports {
    SG_VEC(sg_part_place) places;
    sg_map place_by_path;
    SG_VEC(sg_port) list;
    uint32_t n[SG_PORT_N_LEVELS]; // numbers
    bool reactions;               // there are some among them (model3d/reactions.h)
    // In this segment, for the first two levels: actors whose signals are asked for.
    uint32_t *actors[SG_PORT_INPUT];
    uint32_t n_actors[SG_PORT_INPUT];
} sg_ports;

static inline uint32_t sg_port_size(const sg_port_kind *kind)
{
    return kind->cols ? kind->rows * kind->cols : kind->rows;
}
// What a joint or a rigid connection transmits (model3d/reactions.h).
static inline bool sg_port_is_reaction(const sg_port_kind *kind)
{
    return strncmp(kind->signal, "reaction", 8) == 0;
}
void sg_ports_init(sg_ports *ports, const sg_allocator *allocator);
void sg_ports_free(sg_ports *ports, const sg_allocator *allocator);
// Whether there are quantities of such an element.
bool sg_part_has_ports(const char *element);
// Whether equations name anything of the part.
static inline bool sg_ports_open(const sg_ports *ports) { return ports->list.len > 0; }
