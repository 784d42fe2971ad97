// FCL in double precision: signed distance with its default solver (built on libccd), tolerance
// 1e-6 as it comes, and its own closed forms where it has some.
#include "bench/peers/distance_peers.h"

#include <fcl/config.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/distance.h>

using namespace peers;

namespace
{

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry make_geometry(const Shape &s)
{
    const double *d = s.size;
    if (s.kind == Kind::sphere)
        return std::make_shared<fcl::Sphered>(d[0]);
    if (s.kind == Kind::box)
        return std::make_shared<fcl::Boxd>(2 * d[0], 2 * d[1], 2 * d[2]);
    if (s.kind == Kind::ellipsoid)
        return std::make_shared<fcl::Ellipsoidd>(d[0], d[1], d[2]);
    if (s.kind == Kind::capsule)
        return std::make_shared<fcl::Capsuled>(d[0], 2 * d[1]);
    if (s.kind == Kind::cylinder)
        return std::make_shared<fcl::Cylinderd>(d[0], 2 * d[1]);
    if (s.kind == Kind::cone)
        return std::make_shared<fcl::Coned>(d[0], 2 * d[1]);
    auto v = std::make_shared<std::vector<fcl::Vector3d>>();
    auto f = std::make_shared<std::vector<int>>();
    for (size_t i = 0; i < s.vertices.size(); i += 3)
        v->push_back({s.vertices[i], s.vertices[i + 1], s.vertices[i + 2]});
    for (size_t i = 0; i < s.triangles.size(); i += 3) {
        f->push_back(3);
        for (size_t j = 0; j < 3; j++)
            f->push_back(int(s.triangles[i + j]));
    }
    return std::make_shared<fcl::Convexd>(v, int(s.triangles.size() / 3), f);
}

fcl::Transform3d place(const Shape &s)
{
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            t.linear()(i, j) = s.R[3 * i + j];
        t.translation()(i) = s.r[i];
    }
    return t;
}

class Fcl : public Peer
{
  public:
    bool take(const Case &k) override
    {
        a = make_geometry(k.a);
        b = make_geometry(k.b);
        ta = place(k.a);
        tb = place(k.b);
        return true;
    }
    Answer ask() override
    {
        Answer out;
        fcl::DistanceRequestd request(true, true);
        fcl::DistanceResultd result;
        try {
            fcl::distance(a.get(), ta, b.get(), tb, request, result);
        } catch (const std::exception &) {
            out.ok = false;
        }
        out.delta = result.min_distance;
        out.apart = out.delta > 0;
        return out;
    }

  private:
    Geometry a, b;
    fcl::Transform3d ta, tb;
};

std::unique_ptr<Peer> make() { return std::make_unique<Fcl>(); }

Register fcl_peer("fcl", "Debian " FCL_VERSION ", double, tolerance 1e-6", make);

} // namespace
