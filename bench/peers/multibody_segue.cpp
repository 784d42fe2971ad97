#include "bench/peers/multibody_peers.h"
#include "segue/multibody.h"

#include <algorithm>

using namespace mechanics;

namespace
{

class Segue : public Peer
{
  public:
    ~Segue() override { sg_multibody_destroy(system); }

    bool build(const Mechanism &m) override
    {
        std::vector<sg_multibody_object> o{
            sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED)};
        sg_multibody_gravity gravity = {SG_MULTIBODY_UNIFORM, {}, 0.0};
        std::copy(m.gravity, m.gravity + 3, gravity.g);
        for (const Rod &r : m.rods) {
            auto rod = sg_multibody_object_make("rod", r.parent + 1, SG_MULTIBODY_REVOLUTE);
            std::copy(r.axis, r.axis + 3, rod.axis);
            std::copy(r.place, r.place + 3, rod.place.r);
            std::copy(r.center, r.center + 3, rod.center);
            for (int i = 0; i < 3; i++)
                rod.inertia[4 * i] = r.inertia[i];
            rod.mass = r.mass;
            o.push_back(rod);
        }
        return sg_multibody_create(nullptr, o.data(), (int)o.size(), gravity, nullptr, &system) ==
               SG_OK;
    }

    void evaluate(const double *q, const double *v, const double *tau, double *a) override
    {
        sg_multibody_set_state(system, q, v);
        sg_multibody_forward(system, tau, a, nullptr);
    }

  private:
    sg_multibody *system = nullptr;
};

const Register segue("segue", "sg_multibody_set_state, sg_multibody_forward",
                     []() -> std::unique_ptr<Peer> { return std::make_unique<Segue>(); });

} // namespace
