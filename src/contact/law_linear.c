// Spring and damper side by side ([OED2005] 4.5): f = c p + d rate.
#include "contact/law_form.h"

static double press(const sg_contact_law *l, double p, double rate)
{
    return l->stiffness * p + l->damping * rate;
}

const sg_law_form sg_law_LINEAR = {.press = press};
