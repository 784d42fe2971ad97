// ODE in double precision: the deepest of the contacts that dCollide makes. It knows no distance
// apart, no ellipsoid and no cone.
#include "bench/peers/distance_peers.h"

#include <cmath>
#include <ode/ode.h>

using namespace peers;

namespace
{

struct Convex {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

// ODE keeps pointers into the arrays.
void fill_convex(const Shape &s, Convex &c)
{
    c = Convex();
    c.points.assign(s.vertices.begin(), s.vertices.end());
    for (size_t i = 0; i < s.triangles.size(); i += 3) {
        const double *p[3];
        c.polygons.push_back(3);
        for (size_t j = 0; j < 3; j++) {
            p[j] = &s.vertices[3 * s.triangles[i + j]];
            c.polygons.push_back(s.triangles[i + j]);
        }
        double u[3], v[3];
        for (int k = 0; k < 3; k++) {
            u[k] = p[1][k] - p[0][k];
            v[k] = p[2][k] - p[0][k];
        }
        double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                       u[0] * v[1] - u[1] * v[0]};
        double l = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (double &x : n)
            c.planes.push_back(x /= l);
        c.planes.push_back(n[0] * p[0][0] + n[1] * p[0][1] + n[2] * p[0][2]);
    }
}

dGeomID make_geom(const Shape &s, Convex &c)
{
    const double *d = s.size, *R = s.R;
    dGeomID g = nullptr;
    if (s.kind == Kind::sphere)
        g = dCreateSphere(nullptr, d[0]);
    else if (s.kind == Kind::box)
        g = dCreateBox(nullptr, 2 * d[0], 2 * d[1], 2 * d[2]);
    else if (s.kind == Kind::capsule)
        g = dCreateCapsule(nullptr, d[0], 2 * d[1]);
    else if (s.kind == Kind::cylinder)
        g = dCreateCylinder(nullptr, d[0], 2 * d[1]);
    else if (s.kind == Kind::mesh) {
        fill_convex(s, c);
        g = dCreateConvex(nullptr, c.planes.data(), unsigned(c.planes.size() / 4), c.points.data(),
                          unsigned(c.points.size() / 3), c.polygons.data());
    }
    if (!g)
        return nullptr;
    const dMatrix3 rotation = {R[0], R[1], R[2], 0, R[3], R[4], R[5], 0, R[6], R[7], R[8], 0};
    dGeomSetPosition(g, s.r[0], s.r[1], s.r[2]);
    dGeomSetRotation(g, rotation);
    return g;
}

class Ode : public Peer
{
  public:
    Ode() { dInitODE2(0); }
    ~Ode() override
    {
        drop();
        dCloseODE();
    }
    bool take(const Case &k) override
    {
        drop();
        a = make_geom(k.a, ca);
        b = make_geom(k.b, cb);
        return a && b;
    }
    Answer ask() override
    {
        Answer out;
        dContactGeom contact[64];
        int n = dCollide(a, b, 64, contact, sizeof *contact);
        out.apart = n == 0;
        out.has_delta = n > 0;
        for (int i = 0; i < n; i++)
            out.delta = std::fmin(out.delta, -contact[i].depth);
        return out;
    }

  private:
    void drop()
    {
        if (a)
            dGeomDestroy(a);
        if (b)
            dGeomDestroy(b);
        a = b = nullptr;
    }
    dGeomID a = nullptr, b = nullptr;
    Convex ca, cb;
};

std::unique_ptr<Peer> make() { return std::make_unique<Ode>(); }

Register ode("ode", "Debian, double, verdict only apart", make);

} // namespace
