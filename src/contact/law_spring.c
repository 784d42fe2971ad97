#include "contact/law_form.h"
#include "math/scalar.h"

#include <math.h>

#define SG_BY_NOTHING_FORM(KIND)
#define SG_BY_ELASTICITY_FORM(KIND)
#define SG_BY_SPRING_FORM(KIND) extern const sg_law_form sg_law_##KIND;
#define SG_RESPONSE(KIND, name, word, constants) constants##_FORM(KIND)
#include "shapes/responses_list.h"
#undef SG_RESPONSE
#undef SG_BY_SPRING_FORM
#define SG_BY_SPRING_FORM(KIND) [SG_CONTACT_##KIND] = &sg_law_##KIND,

static const sg_law_form *const forms[SG_CONTACT_N_RESPONSES] = {
#define SG_RESPONSE(KIND, name, word, constants) constants##_FORM(KIND)
#include "shapes/responses_list.h"
#undef SG_RESPONSE
};

const sg_law_form *sg_law_form_of(sg_contact_response kind) { return forms[kind]; }

sg_contact_law sg_contact_law_spring(sg_contact_response kind, const sg_spring_pair *pair)
{
    return (sg_contact_law){
        .kind = kind,
        .stiffness = pair->spring,
        .damping = pair->damping,
        .radius = 1.0,
        .friction = pair->friction,
        .rolling = pair->drilling,
        .v_min = pair->v_min,
        .w_min = pair->w_min,
    };
}

void sg_law_spring_act(const sg_contact_law *l, double p, sg_vec3 n, sg_vec3 v, sg_vec3 w,
                       sg_contact_action *out)
{
    double apart = v3_dot(v, n), rate = -apart, spring = l->stiffness * s_max(p, 0.0);
    // The pair comes apart a little before the event that ends it: nothing pulls or damps there.
    double f = p > 0.0 ? s_max(sg_law_form_of(l->kind)->press(l, p, rate), 0.0) : 0.0;
    sg_vec3 vt = v3_add_scaled(v, n, -apart);
    double slide = v3_norm(vt), drill = v3_dot(w, n);
    double grip = l->friction * f / s_max(slide, l->v_min);
    double hold = l->rolling * f / s_max(fabs(drill), l->w_min);
    *out = (sg_contact_action){
        .penetration = p,
        .rate = rate,
        .pressure = f,
        .slide = slide,
        .spin = v3_norm(w),
        .friction = grip * slide,
        .rolling = hold * fabs(drill),
        .force = v3_add_scaled(v3_scale(n, f), vt, -grip),
        .torque = v3_scale(n, -hold * drill),
        .stored = 0.5 * spring * s_max(p, 0.0),
        .damped = (f - spring) * rate,
        .slid = grip * slide * slide,
        .rolled = hold * drill * drill,
    };
}
