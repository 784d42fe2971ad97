#include "bench/peers/multibody_peers.h"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

using namespace mechanics;

namespace
{

Eigen::Vector3d vec(const double *x) { return Eigen::Vector3d(x[0], x[1], x[2]); }

class Dart : public Peer
{
  public:
    bool build(const Mechanism &m) override
    {
        using namespace dart::dynamics;
        skeleton = Skeleton::create("rods");
        skeleton->setGravity(vec(m.gravity));
        std::vector<BodyNode *> nodes;
        for (size_t i = 0; i < m.rods.size(); i++) {
            const Rod &r = m.rods[i];
            RevoluteJoint::Properties joint;
            joint.mName = "j" + std::to_string(i);
            joint.mAxis = vec(r.axis);
            joint.mT_ParentBodyToJoint.translation() = vec(r.place);
            BodyNode::Properties body;
            body.mName = "b" + std::to_string(i);
            body.mInertia.setMass(r.mass);
            body.mInertia.setLocalCOM(vec(r.center));
            body.mInertia.setMoment(r.inertia[0], r.inertia[1], r.inertia[2], 0, 0, 0);
            BodyNode *parent = r.parent < 0 ? nullptr : nodes[(size_t)r.parent];
            nodes.push_back(
                skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second);
        }
        for (BodyNode *node : nodes)
            dof.push_back((Eigen::Index)node->getParentJoint()->getIndexInSkeleton(0));
        for (auto *x : {&positions, &velocities, &forces})
            x->resize((Eigen::Index)dof.size());
        return true;
    }

    void evaluate(const double *q, const double *v, const double *tau, double *a) override
    {
        for (size_t i = 0; i < dof.size(); i++) {
            positions[dof[i]] = q[i];
            velocities[dof[i]] = v[i];
            forces[dof[i]] = tau[i];
        }
        skeleton->setPositions(positions);
        skeleton->setVelocities(velocities);
        skeleton->setForces(forces);
        skeleton->computeForwardDynamics();
        for (size_t i = 0; i < dof.size(); i++)
            a[i] = skeleton->getAcceleration((size_t)dof[i]);
    }

  private:
    dart::dynamics::SkeletonPtr skeleton;
    std::vector<Eigen::Index> dof;
    Eigen::VectorXd positions, velocities, forces;
};

const Register dart_("dart", "Skeleton::computeForwardDynamics",
                     []() -> std::unique_ptr<Peer> { return std::make_unique<Dart>(); });

} // namespace
