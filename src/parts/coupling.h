// Which unknowns of a model a 3D part is about: coordinates, velocities, accelerations and forces
// of its joints, found once after flattening and read by everybody.
//
// The part wrote the equations that couple it (build.c), so flattening leaves them in the flat
// model under whatever names its component has there. They are recognized by the functions of the
// part that they call, not by those names. Translation may then replace a variable by its alias;
// who asks for the program's name of one goes through sg_coupling_expr.
#pragma once

#include "equations/translate.h"
#include "model/instance.h"
#include "parts/part.h"

// Free motion has a translation and angles, all others have one of each. Null where the model does
// not have it as a variable, as with a coordinate that is bound to a number.
typedef struct sg_coupling_joint {
    sg_var_id q[2], v[2];
    sg_var_id a[2]; // der(v)
    sg_var_id tau;  // torque or force in the flange; null without one
} sg_coupling_joint;

typedef struct sg_coupling {
    sg_coupling_joint *joints; // in the order of the part
    uint32_t n_joints;
    uint32_t *given; // joints with flange, in the order of the forces
    uint32_t n_given;
    sg_var_id terms, matrix, forces, accelerations; // results of the functions, null: none
    sg_func_id function[SG_PART_N_FUNCTIONS];       // rows of the flat model
} sg_coupling;

// After flattening and before translation. Functions that only rewritten blocks call become rows of
// the flat model, too. SG_ERR_MEMORY; SG_ERR_MODEL after reporting what cannot be coupled.
sg_status sg_part_couple(sg_part *part, sg_instance *instance);
// Part of it: finds the quantities of elements that equations name, and writes their equations
// (ports.c). SG_ERR_MODEL after reporting what an element does not have.
sg_status sg_part_open_ports(sg_part *part, sg_flat *flat, const sg_coupling *c);
// Once all parts are: names that only elements have, of elements that there are not, though one of
// this part has nearly that name. SG_ERR_MODEL after reporting them.
sg_status sg_part_check_names(sg_part *part, sg_flat *flat);
// What was found; null before.
const sg_coupling *sg_part_coupling(const sg_part *part);

// After a translation failed: notes on equations that prescribe a joint without a flange, or that
// prescribe it by what an element shows.
void sg_part_explain_coupling(const sg_part *part, const sg_flat *flat, sg_diags *diags);

// What a variable of the flat model is after translation: itself, its alias or minus that, zero.
sg_expr_id sg_coupling_expr(sg_exprs *exprs, const sg_structure *structure, sg_var_id var);
