// A spring whose damping grows with the depth, after Hunt and Crossley with a linear spring:
//
//     f = (c + d rate) p
//
// The force begins at zero, where that of a spring and a damper side by side jumps to d v. A mass m
// that comes with v leaves with e v and goes as deep as p, x = d v/c, whatever its size:
//
//     (1 + x)/(1 - e x) = exp(x (1 + e)),      c p^2/2 = m v^2 (x - log(1 + x))/x^2
#include "contact/law_form.h"

static double press(const sg_contact_law *l, double p, double rate)
{
    return (l->stiffness + l->damping * rate) * p;
}

const sg_law_form sg_law_VISCOUS = {.press = press};
