// Forward dynamics by several libraries: what a peer is given and what it answers.
//
// A peer builds a mechanism outside the clock and is then asked many times for accelerations. It
// registers itself by a static object, so the program holds the peers that were found on this
// machine and the driver knows none of them by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace mechanics
{

// A rod on a revolute joint through its origin.
struct Rod {
    int parent;        // index of another rod before it, -1 for the world
    double axis[3];    // of length one, in both frames of the joint
    double place[3];   // of the joint in the parent, not turned
    double center[3];  // of mass
    double inertia[3]; // about the center of mass, along the axes of the frame
    double mass;
};

struct Mechanism {
    std::string name;
    std::vector<Rod> rods; // parents first; coordinate i belongs to rod i
    double gravity[3];
};

class Peer
{
  public:
    virtual ~Peer() = default;
    // False, with nothing changed, if the library cannot hold it.
    virtual bool build(const Mechanism &m) = 0;
    // Angles, rates and torques to accelerations: all that one derivative evaluation needs.
    virtual void evaluate(const double *q, const double *v, const double *tau, double *a) = 0;
};

struct Entry {
    std::string name, calls; // what is called
    std::unique_ptr<Peer> (*make)();
};

std::vector<Entry> &registry();

struct Register {
    Register(const char *name, const char *calls, std::unique_ptr<Peer> (*make)())
    {
        registry().push_back({name, calls, make});
    }
};

} // namespace mechanics
