// Which bodies act on which through contacts: the contact graph, for Jacobians.
//
// Between events the graph does not change (`sg_contacts.graph` tells), so a Jacobian's pattern and
// colors hold that long. A body that no contact touches depends on nobody else's motion, and one on
// a fixed table only on its own: it takes a contact of two moving bodies to couple them.
#pragma once

#include "contact/contacts.h"

typedef struct sg_body_pair {
    int a, b; // a < b
} sg_body_pair;

// The pairs of moving bodies with a contact that has a force, each once, in ascending order.
// `moves` is by body. Writes at most `room` pairs and returns how many there are; `room` for all
// contacts always suffices.
int sg_contacts_coupled(const sg_contacts *contacts, const bool *moves, sg_body_pair *pair,
                        int room);
