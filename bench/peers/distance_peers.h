// Signed distances by several libraries: what a peer is given and what it answers.
//
// A peer takes a case (its own shapes are made outside the clock) and is then asked many times. It
// registers itself by a static object, so the program holds the peers that were found on this
// machine and the driver knows none of them by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace peers
{

enum class Kind { sphere, box, ellipsoid, capsule, cylinder, cone, mesh };

// As in the file of cases: sizes are radii and half lengths, the axis is z.
struct Shape {
    Kind kind;
    std::string type; // the kind's name
    double size[3];
    double R[9], r[3]; // rows; x_world = R x + r
    std::vector<double> vertices;
    std::vector<unsigned> triangles;
};

struct Case {
    std::string id;
    int regime; // 0 separated, 1 shallow, 2 deep
    Shape a, b;
    double size; // mean of the bounding radii
    double reference, normal[3];
};

struct Answer {
    bool ok = true;        // false: the library says that it failed
    bool apart = false;    // the verdict
    bool has_delta = true; // false where a library knows no distance, only the verdict
    double delta = 0.0;
};

class Peer
{
  public:
    virtual ~Peer() = default;
    // False if the library has no such shape. The case outlives the peer's use of it.
    virtual bool take(const Case &k) = 0;
    virtual Answer ask() = 0;
};

struct Entry {
    std::string name, built; // how the library was built and what is called
    std::unique_ptr<Peer> (*make)();
};

std::vector<Entry> &registry();

struct Register {
    Register(const char *name, const std::string &built, std::unique_ptr<Peer> (*make)())
    {
        registry().push_back({name, built, make});
    }
};

} // namespace peers
