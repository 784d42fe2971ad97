#include "contact/stick.h"

#include "math/scalar.h"

#include <string.h>

// Across the normal swings die away with this part of the critical damping.
static const double damped_across = 0.3;
// How fast an anchor beyond the limit comes back, in the rate of swings along the normal: many
// times within the shortest impact, so that friction turns round with the motion.
static const double flows_back = 20.0;
// Without masses nothing swings [1/s].
static const double led_rate = 1e4;
// Sliding that a turn about the normal is worth, in the radius of the area (Hertz' pressure).
static const double arm_share = 3.0 * 3.14159265358979323846 / 16.0;

// Of two bodies that swing against each other; one without a mass stands still.
static double reduced(double a, double b)
{
    return a > 0.0 && b > 0.0 ? a * b / (a + b) : s_max(a, b);
}

sg_stick sg_stick_make(const double poisson[2], const sg_stick_body body[2], bool linear)
{
    double nu = 0.0;
    for (int i = 0; i < 2; i++)
        nu += 0.5 * (poisson[i] > 0.0 && poisson[i] < 0.5 ? poisson[i] : 0.3);
    return (sg_stick){.ratio = 2.0 * (1.0 - nu) / (2.0 - nu),
                      .turned = linear ? 0.0 : 2.0 / 3.0 * (2.0 - nu),
                      .mass = reduced(body[0].mass, body[1].mass),
                      .inertia = reduced(body[0].inertia, body[1].inertia)};
}

// What the depth makes of the constants.
typedef struct hold {
    double kt, km;   // [N/m], [N m]
    double k0, m0;   // those at the depth that anchors are counted at,
    double by, mby;  // and the roots of kt / k0 and of km / m0
    double c, cm, r; // [N s/m], [N m s], [m]
    double limit;    // [N]
    double back;     // 1/tau [1/s]
    double straight; // how fast z turns along with the normal [1/s]
} hold;

// Anchors are counted in the stiffness at this depth, in the radius: about that of a ball of steel
// or stone that lies on a floor. Only their scale depends on it.
static const double common_depth = 1e-5;

static double stiffness_at(const sg_contact_law *law, double p)
{
    return law->kind != SG_CONTACT_ELASTIC ? law->stiffness : 1.5 * law->stiffness * sqrt(p);
}

static hold hold_at(const sg_contact_law *law, const sg_stick *s, double p, double f, bool slips)
{
    double kn = stiffness_at(law, p), p0 = common_depth * law->radius;
    double swing = s->mass > 0.0 ? sqrt(kn / s->mass) : led_rate;
    double a2 = law->radius * p;
    hold h = {.kt = s->ratio * kn,
              .k0 = s->ratio * stiffness_at(law, p0),
              .limit = sg_contact_law_grip(law, slips) * f,
              .back = flows_back * swing,
              .straight = swing};
    h.km = s->turned * a2 * h.kt;
    h.m0 = s->turned * law->radius * p0 * h.k0;
    h.by = sqrt(h.kt / h.k0);
    h.mby = h.m0 > 0.0 ? sqrt(h.km / h.m0) : 0.0;
    h.r = s->turned > 0.0 ? arm_share * sqrt(a2) : 0.0;
    h.c = 2.0 * damped_across * sqrt(h.kt * s->mass);
    h.cm = 2.0 * damped_across * sqrt(h.km * s->inertia);
    return h;
}

// The part of y that lies across the normal, with all of its size: the normal has turned since.
static sg_vec3 lay_down(sg_vec3 y, sg_vec3 n)
{
    double along_n = v3_dot(y, n);
    sg_vec3 z = v3_add_scaled(y, n, -along_n);
    double size2 = v3_norm2(z);
    double more = size2 > along_n * along_n ? along_n * along_n / size2 : 1.0;
    return v3_scale(z, sqrt(1.0 + more));
}

// Size of force and torque together, in the limit.
static double share_of(const hold *h, double force, double torque)
{
    return hypot(force, h->r > 0.0 ? torque / h->r : 0.0) / h->limit;
}

typedef struct grip {
    sg_vec3 force; // on B
    double torque; // about the normal
    double kept;   // energy of the anchor [J]
} grip;

static grip grip_of(const hold *h, sg_vec3 n, sg_vec3 vt, double spin, const sg_stick_anchor *at,
                    double *share)
{
    sg_vec3 y = v3_scale(m3_mul_v(at->frame, v3_from(at->y)), at->side), z = lay_down(y, n);
    double psi = at->y[3];
    sg_vec3 held = v3_scale(z, h->by * h->k0);
    double twist = h->mby * h->m0 * psi;
    double over = share_of(h, v3_norm(held), twist);
    bool slips = at->held ? *at->branch & 1 : over > 1.0;
    double back = slips && over > 0.0 ? (1.0 - 1.0 / over) * h->back : 0.0;
    sg_vec3 rate = v3_add_scaled(v3_scale(vt, h->by), z, -back);
    rate = v3_add_scaled(rate, v3_cross(n, z), 0.5 * at->side * spin);
    rate = v3_add_scaled(rate, v3_sub(z, y), h->straight);
    v3_store(v3_scale(m3_tmul_v(at->frame, rate), at->side), at->rate);
    at->rate[3] = h->r > 0.0 ? h->mby * spin - back * psi * h->km / (h->kt * h->r * h->r) : 0.0;
    grip out = {v3_scale(v3_add_scaled(held, vt, h->c), -1.0), -twist - h->cm * spin, 0.0};
    double used = share_of(h, v3_norm(out.force), out.torque);
    bool cut = at->held ? *at->branch & 2 : used > 1.0;
    if (!at->held)
        *at->branch = slips + 2 * cut;
    *share = over;
    out.kept = 0.5 * (h->k0 * v3_norm2(y) + h->m0 * psi * psi) / s_max(1.0, over * over);
    double part = cut && used > 0.0 ? 1.0 / used : 1.0;
    return (grip){v3_scale(out.force, part), out.torque * part, out.kept};
}

void sg_stick_act(const sg_contact_law *law, const sg_stick *stick, double p, sg_vec3 n, sg_vec3 v,
                  sg_vec3 w, const sg_stick_anchor *anchor, double *share, sg_contact_action *out)
{
    sg_contact_law_act(law, p, n, v, w, out);
    *share = 0.0;
    memset(anchor->rate, 0, SG_ANCHOR * sizeof *anchor->rate);
    double f = out->pressure;
    if (!(p > 0.0 && f > 0.0)) {
        if (!anchor->held) // nothing can be held by no force
            *anchor->branch = 3;
        return;
    }
    hold h = hold_at(law, stick, p, f, anchor->slips);
    sg_vec3 vt = v3_add_scaled(v, n, out->rate);
    double spin = v3_dot(w, n);
    grip g = grip_of(&h, n, vt, spin, anchor, share);
    out->friction = v3_norm(g.force);
    out->force = v3_add(v3_scale(n, f), g.force);
    out->torque = v3_add_scaled(out->torque, n, g.torque);
    out->rolling = v3_norm(out->torque);
    out->kept = g.kept;
    out->slid = -v3_dot(g.force, vt) - g.torque * spin;
}
