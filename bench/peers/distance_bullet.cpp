// Bullet in double precision (Debian's float64 build), all margins 0: its GJK/EPA solver called
// directly, distance first and penetration if that finds none; and the pair detector that its
// collision world uses, with the same solver for depths.
#include "bench/peers/distance_peers.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

using namespace peers;

namespace
{

// Bullet has no ellipsoid; users give it one in this way.
class Ellipsoid : public btConvexInternalShape
{
  public:
    explicit Ellipsoid(const btVector3 &semi_axes) : half(semi_axes)
    {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        setMargin(0);
    }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &n) const override
    {
        btVector3 d = n * half;
        btScalar length = d.length();
        return length > 0 ? half * d / length : btVector3(half.x(), 0, 0);
    }
    btVector3 localGetSupportingVertex(const btVector3 &n) const override
    {
        return localGetSupportingVertexWithoutMargin(n);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *n, btVector3 *out,
                                                           int count) const override
    {
        for (int i = 0; i < count; i++)
            out[i] = localGetSupportingVertexWithoutMargin(n[i]);
    }
    void calculateLocalInertia(btScalar, btVector3 &inertia) const override { inertia.setZero(); }
    const char *getName() const override { return "Ellipsoid"; }

  private:
    btVector3 half;
};

std::unique_ptr<btConvexShape> make_shape(const Shape &s)
{
    const double *d = s.size;
    std::unique_ptr<btConvexShape> out;
    if (s.kind == Kind::sphere)
        return std::make_unique<btSphereShape>(d[0]); // its margin is its radius
    if (s.kind == Kind::capsule)
        return std::make_unique<btCapsuleShapeZ>(d[0], 2 * d[1]); // here too
    if (s.kind == Kind::box)
        out = std::make_unique<btBoxShape>(btVector3(d[0], d[1], d[2]));
    else if (s.kind == Kind::ellipsoid)
        out = std::make_unique<Ellipsoid>(btVector3(d[0], d[1], d[2]));
    else if (s.kind == Kind::cylinder)
        out = std::make_unique<btCylinderShapeZ>(btVector3(d[0], d[0], d[1]));
    else if (s.kind == Kind::cone)
        out = std::make_unique<btConeShapeZ>(d[0], 2 * d[1]);
    else {
        auto hull = std::make_unique<btConvexHullShape>();
        for (size_t i = 0; i < s.vertices.size(); i += 3)
            hull->addPoint(btVector3(s.vertices[i], s.vertices[i + 1], s.vertices[i + 2]), false);
        hull->recalcLocalAabb();
        out = std::move(hull);
    }
    out->setMargin(0);
    return out;
}

btTransform place(const Shape &s)
{
    const double *R = s.R;
    return btTransform(btMatrix3x3(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                       btVector3(s.r[0], s.r[1], s.r[2]));
}

class Bullet : public Peer
{
  public:
    bool take(const Case &k) override
    {
        a = make_shape(k.a);
        b = make_shape(k.b);
        ta = place(k.a);
        tb = place(k.b);
        return true;
    }

  protected:
    std::unique_ptr<btConvexShape> a, b;
    btTransform ta, tb;
};

class Solver : public Bullet
{
  public:
    Answer ask() override
    {
        Answer out;
        btVector3 guess = tb.getOrigin() - ta.getOrigin();
        btGjkEpaSolver2::sResults r;
        if (btGjkEpaSolver2::Distance(a.get(), ta, b.get(), tb, guess, r)) {
            // The solver leaves out the margins, which are the radii of spheres and capsules.
            out.delta = r.distance - a->getMargin() - b->getMargin();
            if (out.delta > 0) {
                out.apart = true;
                return out;
            }
        }
        out.ok = btGjkEpaSolver2::Penetration(a.get(), ta, b.get(), tb, guess, r, true);
        out.delta = r.distance;
        return out;
    }
};

class Detector : public Bullet
{
  public:
    Answer ask() override
    {
        Answer out;
        btPointCollector points;
        btGjkPairDetector detector(a.get(), b.get(), &simplex, &depth);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = ta;
        input.m_transformB = tb;
        detector.getClosestPoints(input, points, nullptr);
        out.ok = points.m_hasResult;
        out.delta = points.m_distance;
        out.apart = out.delta > 0;
        return out;
    }

  private:
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
};

std::unique_ptr<Peer> make_solver() { return std::make_unique<Solver>(); }
std::unique_ptr<Peer> make_detector() { return std::make_unique<Detector>(); }

std::string built() { return "Debian " + std::to_string(btGetVersion()) + ", double, margin 0"; }

Register solver("bullet-gjk-epa", built(), make_solver);
Register detector("bullet-detector", built(), make_detector);

} // namespace
