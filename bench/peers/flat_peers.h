// Things that stand on things, in several engines: the same ten scenes, and what to ask of each.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace flat
{

struct Body {
    bool cylinder;             // along z, else a box
    double half[3];            // half lengths; radius, radius, half length
    double at[3];              // [m]
    int axis;                  // that it is turned about,
    double angle;              // by so much [rad]
    double v[3], w[3];         // [m/s], [rad/s]
    double density = 8000.0;   // [kg/m3]
    double mass() const;       // [kg]
    double inertia(int) const; // [kg m2]
};

struct Scene {
    std::string name;
    double slope; // [rad], by which gravity leans towards x
    double friction = 0.3, restitution = 0.5, until = 10.0;
    std::vector<Body> bodies; // on a plate of 4 m, 0.1 m thick, its upper side at z = 0
};

struct State {
    double r[3], v[3], w[3]; // angular velocity in the body
};

struct Run {
    std::vector<double> time;
    std::vector<std::vector<State>> states; // by time and body
    long steps = 0;
    double cpu = 0.0; // [s]
    std::string failed;
};

class Peer
{
  public:
    virtual ~Peer() = default;
    virtual Run run(const Scene &scene, double interval) = 0;
};

struct Registered {
    const char *name;
    std::unique_ptr<Peer> (*make)();
};
std::vector<Registered> &peers();
struct Registration {
    Registration(const char *name, std::unique_ptr<Peer> (*make)())
    {
        peers().push_back({name, make});
    }
};
double cpu_now();
std::vector<double> gravity_of(const Scene &scene);

} // namespace flat
