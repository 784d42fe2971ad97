// What a contact law by springs is asked for: one table each, one file each (law_NAME.c). Friction
// and the torque against drilling follow from the pressure and are the same for all of them
// (law_spring.c).
//
// A row of shapes/responses_list.h with SG_BY_SPRING names the table sg_law_KIND.
#pragma once

#include "contact/law.h"

typedef struct sg_law_form {
    // The pressure [N] at the depth p > 0 [m] and its rate [m/s], before it is kept from pulling.
    double (*press)(const sg_contact_law *law, double p, double rate);
    // Without any rate: force and its slope are c p and c. The energy is c p^2/2.
} sg_law_form;

// Null of a law that is not by springs.
const sg_law_form *sg_law_form_of(sg_contact_response kind);

void sg_law_spring_act(const sg_contact_law *law, double p, sg_vec3 n, sg_vec3 v, sg_vec3 w,
                       sg_contact_action *out);
