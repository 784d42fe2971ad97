// Ourselves, cold, by the public functions: as delivered, exact, and without closed forms.
#include "bench/peers/distance_peers.h"
#include "segue/distance.h"

#include <algorithm>
#include <cstring>

using namespace peers;

namespace
{

sg_shape *make_convex(const Shape &s)
{
    sg_shape_spec spec = {};
    const double *d = s.size;
    auto set = [&](sg_shape_kind kind, double x, double y, double z) {
        spec.kind = kind;
        spec.size[0] = x;
        spec.size[1] = y;
        spec.size[2] = z;
    };
    if (s.kind == Kind::sphere)
        set(SG_SHAPE_SPHERE, 2 * d[0], 0, 0);
    else if (s.kind == Kind::box)
        set(SG_SHAPE_BOX, 2 * d[0], 2 * d[1], 2 * d[2]);
    else if (s.kind == Kind::ellipsoid)
        set(SG_SHAPE_ELLIPSOID, 2 * d[0], 2 * d[1], 2 * d[2]);
    else if (s.kind == Kind::capsule)
        set(SG_SHAPE_CAPSULE, 2 * d[0], 2 * d[1], 0);
    else if (s.kind == Kind::cylinder)
        set(SG_SHAPE_CYLINDER, 2 * d[0], 2 * d[1], 0);
    else if (s.kind == Kind::cone) {
        set(SG_SHAPE_CONE, 2 * d[0], 2 * d[1], 0);
        spec.base = -d[1];
    } else {
        spec.kind = SG_SHAPE_MESH;
        spec.vertices = s.vertices.data();
        spec.n_vertices = s.vertices.size() / 3;
    }
    sg_shape *out = nullptr;
    return sg_shape_create(nullptr, &spec, nullptr, &out) == SG_OK ? out : nullptr;
}

sg_placement place(const Shape &s)
{
    sg_placement p;
    std::copy(s.R, s.R + 9, p.R);
    std::copy(s.r, s.r + 3, p.r);
    return p;
}

class Segue : public Peer
{
  public:
    Segue(sg_distance_mode mode, bool closed_forms)
    {
        sg_distance_query_options settings = sg_distance_query_options_make();
        settings.mode = mode;
        settings.closed_forms = closed_forms;
        sg_distance_query_create(nullptr, &settings, &query);
    }
    ~Segue() override
    {
        drop();
        sg_distance_query_destroy(query);
    }
    bool take(const Case &k) override
    {
        drop();
        a = make_convex(k.a);
        b = make_convex(k.b);
        pa = place(k.a);
        pb = place(k.b);
        return a && b;
    }
    Answer ask() override
    {
        Answer out;
        sg_distance_answer r;
        sg_distance_query_reset(query);
        out.ok = sg_distance_between(query, a, &pa, b, &pb, &r) == SG_OK;
        out.delta = r.delta;
        out.apart = r.delta > 0.0;
        return out;
    }

  private:
    void drop()
    {
        sg_shape_destroy(a);
        sg_shape_destroy(b);
        a = b = nullptr;
    }
    sg_distance_query *query = nullptr;
    sg_shape *a = nullptr, *b = nullptr;
    sg_placement pa, pb;
};

template <sg_distance_mode mode, bool closed_forms> std::unique_ptr<Peer> make()
{
    return std::make_unique<Segue>(mode, closed_forms);
}

Register as_delivered("segue", "double, closed forms where there are some",
                      make<SG_DISTANCE_DEFAULT, true>);
Register exact("segue-exact", "double, deep pairs exact too", make<SG_DISTANCE_EXACT, true>);
Register general("segue-general", "double, no closed forms", make<SG_DISTANCE_DEFAULT, false>);

} // namespace
