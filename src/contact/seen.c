#include "contact/seen.h"

const char *sg_contact_law_word(const sg_contact *k)
{
    // An impulse that could not be one, and so became a force, is elastic.
    if (sg_response_takes(k->response) == SG_BY_ELASTICITY)
        return k->peak.impulse != 0.0 || k->strikes ? "impulse" : k->is_flat ? "area" : "point";
    return sg_response_word(k->response);
}

// In slip an anchor is beyond what it can hold, in stick below it.
static const double at_the_limit = 1.0 - 1e-9;

sg_contact_seen sg_contact_look_at(const sg_contact *k)
{
    const sg_contact_action *a = &k->action;
    sg_contact_seen out = {.law = sg_contact_law_word(k)};
    double limit = k->law.friction * a->pressure;
    bool anchored = (k->is_flat || k->sticks) && k->anchor >= 0;
    if (k->is_flat)
        out.area = k->patch.area;
    // Of a law that somebody wrote the limit is not known.
    if (!sg_contact_presses(k) || k->written || !(limit > 0.0))
        return out;
    out.share = fmin(1.0, anchored ? k->share : a->friction / limit);
    if (anchored)
        out.grip = out.share < at_the_limit ? SG_GRIP_STICKS : SG_GRIP_SLIPS;
    else
        out.grip = a->slide > k->law.v_min ? SG_GRIP_SLIPS : SG_GRIP_CREEPS;
    return out;
}
