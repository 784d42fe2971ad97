#include "bench/peers/multibody_peers.h"

#include <Simbody.h>

using namespace mechanics;

namespace
{

SimTK::Vec3 vec(const double *x) { return SimTK::Vec3(x[0], x[1], x[2]); }

class Simbody : public Peer
{
  public:
    bool build(const Mechanism &m) override
    {
        SimTK::Force::Gravity(all_forces, matter, vec(m.gravity));
        torques = std::make_unique<SimTK::Force::DiscreteForces>(all_forces, matter);
        for (const Rod &r : m.rods) {
            SimTK::Inertia I(r.inertia[0], r.inertia[1], r.inertia[2]);
            SimTK::Body::Rigid rod(SimTK::MassProperties(
                r.mass, vec(r.center), I.shiftFromMassCenter(vec(r.center), r.mass)));
            // Its pins turn about z of their own frames.
            SimTK::Rotation turn(SimTK::UnitVec3(vec(r.axis)), SimTK::ZAxis);
            SimTK::MobilizedBody &parent =
                r.parent < 0 ? (SimTK::MobilizedBody &)matter.updGround() : pins[(size_t)r.parent];
            pins.push_back(SimTK::MobilizedBody::Pin(parent, SimTK::Transform(turn, vec(r.place)),
                                                     rod, SimTK::Transform(turn)));
        }
        state = system.realizeTopology();
        system.realizeModel(state);
        for (const auto &pin : pins)
            dof.push_back(pin.getFirstUIndex(state));
        mobility.resize((int)dof.size());
        return true;
    }

    void evaluate(const double *q, const double *v, const double *tau, double *a) override
    {
        SimTK::Vector &Q = state.updQ(), &U = state.updU();
        for (size_t i = 0; i < dof.size(); i++) {
            Q[dof[i]] = q[i];
            U[dof[i]] = v[i];
            mobility[dof[i]] = tau[i];
        }
        torques->setAllMobilityForces(state, mobility);
        system.realize(state, SimTK::Stage::Acceleration);
        const SimTK::Vector &udot = state.getUDot();
        for (size_t i = 0; i < dof.size(); i++)
            a[i] = udot[dof[i]];
    }

  private:
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem all_forces{system};
    std::unique_ptr<SimTK::Force::DiscreteForces> torques;
    std::vector<SimTK::MobilizedBody::Pin> pins;
    std::vector<int> dof;
    SimTK::Vector mobility;
    SimTK::State state;
};

const Register simbody("simbody", "MultibodySystem::realize(Acceleration)",
                       []() -> std::unique_ptr<Peer> { return std::make_unique<Simbody>(); });

} // namespace
