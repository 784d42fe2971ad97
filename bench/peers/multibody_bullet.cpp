// Bullet's Featherstone bodies, in double precision. Its function adds dt times the accelerations
// to the velocities; with dt = 1 they are the difference.
#include "bench/peers/multibody_peers.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

using namespace mechanics;

namespace
{

btVector3 vec(const double *x) { return btVector3(x[0], x[1], x[2]); }

class Bullet : public Peer
{
  public:
    bool build(const Mechanism &m) override
    {
        int n = (int)m.rods.size();
        body = std::make_unique<btMultiBody>(n, 1.0, btVector3(1, 1, 1), true, false);
        for (int i = 0; i < n; i++) {
            const Rod &r = m.rods[(size_t)i];
            btVector3 from = vec(r.place);
            if (r.parent >=
                0) // places are given in the parent's frame, Bullet counts from its center
                from -= vec(m.rods[(size_t)r.parent].center);
            body->setupRevolute(i, r.mass, vec(r.inertia), r.parent, btQuaternion(0, 0, 0, 1),
                                vec(r.axis), from, vec(r.center), true);
            weight.push_back(vec(m.gravity) * r.mass);
        }
        body->finalizeMultiDof();
        body->setLinearDamping(0.0);
        body->setAngularDamping(0.0);
        body->setMaxCoordinateVelocity(1e300);
        return true;
    }

    void evaluate(const double *q, const double *v, const double *tau, double *a) override
    {
        int n = (int)weight.size();
        body->clearForcesAndTorques();
        for (int i = 0; i < n; i++) {
            body->setJointPos(i, q[i]);
            body->setJointVel(i, v[i]);
            body->addLinkForce(i, weight[(size_t)i]);
            body->addJointTorque(i, tau[i]);
        }
        body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(1.0, r, vectors, matrices, false,
                                                                   false, false);
        for (int i = 0; i < n; i++)
            a[i] = body->getJointVel(i) - v[i];
    }

  private:
    std::unique_ptr<btMultiBody> body;
    std::vector<btVector3> weight;
    btAlignedObjectArray<btScalar> r;
    btAlignedObjectArray<btVector3> vectors;
    btAlignedObjectArray<btMatrix3x3> matrices;
};

const Register bullet("bullet", "btMultiBody, articulated bodies, float64",
                      []() -> std::unique_ptr<Peer> { return std::make_unique<Bullet>(); });

} // namespace
