// libccd as its users call it: GJK with EPA, and MPR. It knows the depth of a penetration and
// nothing of distances apart. Tolerances 1e-6; its default of 1e-4 is coarser.
#include "bench/peers/distance_peers.h"

#include <ccd/ccd.h>
#include <cmath>

using namespace peers;

namespace
{

void center(const void *object, ccd_vec3_t *c)
{
    const Shape *s = static_cast<const Shape *>(object);
    ccdVec3Set(c, s->r[0], s->r[1], s->r[2]);
}

void local_support(const Shape &s, const double n[3], double x[3])
{
    const double *d = s.size;
    double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double across = std::sqrt(n[0] * n[0] + n[1] * n[1]);
    auto sign = [](double v) { return v < 0 ? -1.0 : 1.0; };
    auto rim = [&](double r, double z) {
        x[0] = across > 0 ? r * n[0] / across : r;
        x[1] = across > 0 ? r * n[1] / across : 0;
        x[2] = z;
    };
    if (s.kind == Kind::sphere || s.kind == Kind::capsule) {
        for (int i = 0; i < 3; i++)
            x[i] = d[0] * n[i] / length;
        if (s.kind == Kind::capsule)
            x[2] += sign(n[2]) * d[1];
    } else if (s.kind == Kind::box) {
        for (int i = 0; i < 3; i++)
            x[i] = sign(n[i]) * d[i];
    } else if (s.kind == Kind::ellipsoid) {
        double h[3] = {d[0] * n[0], d[1] * n[1], d[2] * n[2]};
        double l = std::sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
        for (int i = 0; i < 3; i++)
            x[i] = d[i] * h[i] / l;
    } else if (s.kind == Kind::cylinder) {
        rim(d[0], sign(n[2]) * d[1]);
    } else if (s.kind == Kind::cone) {
        if (n[2] * d[1] > d[0] * across - n[2] * d[1])
            rim(0, d[1]);
        else
            rim(d[0], -d[1]);
    } else {
        double most = -INFINITY;
        for (size_t i = 0; i < s.vertices.size(); i += 3) {
            const double *v = &s.vertices[i];
            double t = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
            if (t > most) {
                most = t;
                x[0] = v[0];
                x[1] = v[1];
                x[2] = v[2];
            }
        }
    }
}

void support(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *out)
{
    const Shape *s = static_cast<const Shape *>(object);
    const double *R = s->R;
    double n[3], x[3] = {0, 0, 0};
    for (int j = 0; j < 3; j++)
        n[j] = R[j] * dir->v[0] + R[3 + j] * dir->v[1] + R[6 + j] * dir->v[2];
    local_support(*s, n, x);
    for (int i = 0; i < 3; i++)
        out->v[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2] + s->r[i];
}

template <bool mpr> class Ccd : public Peer
{
  public:
    bool take(const Case &k) override
    {
        which = &k;
        CCD_INIT(&ccd);
        ccd.support1 = ccd.support2 = support;
        ccd.center1 = ccd.center2 = center;
        ccd.max_iterations = 100;
        ccd.epa_tolerance = ccd.mpr_tolerance = 1e-6;
        return true;
    }
    Answer ask() override
    {
        Answer out;
        ccd_real_t depth = 0;
        ccd_vec3_t n, p;
        int r = mpr ? ccdMPRPenetration(&which->a, &which->b, &ccd, &depth, &n, &p)
                    : ccdGJKPenetration(&which->a, &which->b, &ccd, &depth, &n, &p);
        out.apart = r == -1;
        out.ok = r == 0 || r == -1;
        out.has_delta = r == 0;
        out.delta = -depth;
        return out;
    }

  private:
    const Case *which = nullptr;
    ccd_t ccd;
};

template <bool mpr> std::unique_ptr<Peer> make() { return std::make_unique<Ccd<mpr>>(); }

Register gjk("libccd-gjk-epa", "Debian, double, tolerance 1e-6, verdict only apart", make<false>);
Register portal("libccd-mpr", "Debian, double, tolerance 1e-6, verdict only apart", make<true>);

} // namespace
