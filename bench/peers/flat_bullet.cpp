// Bullet with steps of 1/240 s and its own solver; nothing is put to sleep.
#include "bench/peers/flat_peers.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>

using namespace flat;

namespace
{

class Bullet : public Peer
{
  public:
    Run run(const Scene &s, double interval) override
    {
        Run out;
        std::vector<double> g = gravity_of(s);
        btDefaultCollisionConfiguration configuration;
        btCollisionDispatcher dispatcher(&configuration);
        btDbvtBroadphase broad;
        btSequentialImpulseConstraintSolver solver;
        btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
        world.setGravity(btVector3(g[0], g[1], g[2]));
        std::vector<std::unique_ptr<btCollisionShape>> shapes;
        std::vector<std::unique_ptr<btRigidBody>> bodies;
        auto add = [&](btCollisionShape *shape, double mass, btVector3 inertia, btTransform at) {
            shapes.emplace_back(shape);
            btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
            info.m_startWorldTransform = at;
            bodies.emplace_back(new btRigidBody(info));
            bodies.back()->setFriction(std::sqrt(s.friction)); // Bullet multiplies
            bodies.back()->setRestitution(std::sqrt(s.restitution));
            bodies.back()->setActivationState(DISABLE_DEACTIVATION);
            world.addRigidBody(bodies.back().get());
        };
        add(new btBoxShape(btVector3(2, 2, 0.05)), 0.0, btVector3(0, 0, 0),
            btTransform(btQuaternion::getIdentity(), btVector3(0, 0, -0.05)));
        for (const Body &b : s.bodies) {
            btVector3 half(b.half[0], b.half[1], b.half[2]), axis(0, 0, 0);
            axis[b.axis] = 1.0;
            btCollisionShape *shape =
                b.cylinder ? (btCollisionShape *)new btCylinderShapeZ(half) : new btBoxShape(half);
            add(shape, b.mass(), btVector3(b.inertia(0), b.inertia(1), b.inertia(2)),
                btTransform(btQuaternion(axis, b.angle), btVector3(b.at[0], b.at[1], b.at[2])));
            bodies.back()->setLinearVelocity(btVector3(b.v[0], b.v[1], b.v[2]));
            bodies.back()->setAngularVelocity(btVector3(b.w[0], b.w[1], b.w[2]));
        }
        double begin = cpu_now(), next = 0.0, step = 1.0 / 240.0;
        for (double t = 0.0; t < s.until; t += step, out.steps++) {
            if (t >= next) {
                std::vector<State> now(s.bodies.size());
                for (size_t b = 0; b < now.size(); b++) {
                    const btRigidBody &body = *bodies[b + 1];
                    btVector3 w =
                        body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
                    for (int i = 0; i < 3; i++) {
                        now[b].r[i] = body.getWorldTransform().getOrigin()[i];
                        now[b].v[i] = body.getLinearVelocity()[i];
                        now[b].w[i] = w[i];
                    }
                }
                out.time.push_back(t);
                out.states.push_back(now);
                next += interval;
            }
            world.stepSimulation(step, 0, step);
        }
        out.cpu = cpu_now() - begin;
        for (auto &b : bodies)
            world.removeRigidBody(b.get());
        return out;
    }
};

const Registration registration("Bullet", [] { return std::unique_ptr<Peer>(new Bullet); });

} // namespace
