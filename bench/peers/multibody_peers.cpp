// One derivative evaluation, angles, rates and torques in and accelerations out, of chains of
// revolute joints and of a binary tree, by Segue and every peer found, in one run.
//
// All get the same numbers. Before the clock starts, the accelerations are compared: whoever
// disagrees has solved another problem. Then the libraries take turns, many short blocks each, and
// the least time of each counts; so a disturbance of the machine hits all alike. Behind the JSON
// lines comes the table of docs/theory/multibody.md. The program ends with status 1 if a peer
// disagrees or is faster than Segue.
#include "bench/peers/multibody_peers.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace mechanics
{

std::vector<Entry> &registry()
{
    static std::vector<Entry> entries;
    return entries;
}

} // namespace mechanics

using namespace mechanics;

namespace
{

// Largest difference of accelerations, relative to the largest acceleration: recursions and
// factored matrices round differently, and a chain of 200 amplifies that.
constexpr double agreement = 1e-8;
constexpr int rounds = 40;
constexpr double block = 2e-3; // [s]

// Rod i hangs from the end of rod (i - 1) / branches; neighbors turn about different axes.
Mechanism make(const char *name, int n, int branches)
{
    Mechanism m{name, {}, {0.0, -9.81, 0.0}};
    for (int i = 0; i < n; i++) {
        Rod r{};
        double diagonal = std::sqrt(0.5);
        r.parent = i == 0 ? -1 : (i - 1) / branches;
        r.axis[1] = i % 2 == 0 ? diagonal : 0.0;
        r.axis[2] = i % 2 == 0 ? diagonal : 1.0;
        r.place[0] = i == 0 ? 0.0 : 1.0;
        r.center[0] = 0.5;
        r.inertia[0] = 0.02;
        r.inertia[1] = 0.09;
        r.inertia[2] = 0.085;
        r.mass = 1.0;
        m.rods.push_back(r);
    }
    return m;
}

struct Runner {
    std::string name, calls;
    std::unique_ptr<Peer> peer;
    std::vector<double> a;
    double seconds = 1e300; // for one evaluation
    double deviation = 0.0;
};

struct Point {
    std::vector<double> q, v, tau;
};

double now()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

void measure(Runner &r, Point &at)
{
    int count = 0;
    double start = now(), time;
    do {
        for (int i = 0; i < 20; i++, count++) {
            at.q[0] += 1e-9; // nobody can answer from memory
            r.peer->evaluate(at.q.data(), at.v.data(), at.tau.data(), r.a.data());
        }
        time = now() - start;
    } while (time < block);
    r.seconds = std::min(r.seconds, time / count);
}

void compare(Runner &r, const Runner &reference, const Point &at)
{
    r.peer->evaluate(at.q.data(), at.v.data(), at.tau.data(), r.a.data());
    double largest = 0.0, off = 0.0;
    for (size_t i = 0; i < r.a.size(); i++) {
        double d = std::fabs(r.a[i] - reference.a[i]);
        off = d <= off ? off : d; // a NaN wins
        largest = std::max(largest, std::fabs(reference.a[i]));
    }
    r.deviation = off / largest;
}

const char *const everybody[] = {"segue", "mujoco", "bullet", "dart", "simbody"};

// A line of the table: nanoseconds a joint, the ratio to the fastest peer, and how far the
// accelerations of each peer are from ours.
std::string line_of(const Mechanism &m, const std::vector<Runner> &runners, double best)
{
    char text[64];
    double n = (double)m.rods.size();
    std::string line = "| " + m.name + " of " + std::to_string(m.rods.size()) + " |", agreed;
    for (const char *name : everybody) {
        auto r = std::find_if(runners.begin(), runners.end(),
                              [&](const Runner &x) { return x.name == name; });
        bool here = r != runners.end();
        std::snprintf(text, sizeof text, " %.0f |", here ? 1e9 * r->seconds / n : 0.0);
        line += here ? text : " |";
        std::snprintf(text, sizeof text, " %.0e |", here ? r->deviation : 0.0);
        if (name != everybody[0])
            agreed += here ? text : " |";
    }
    std::snprintf(text, sizeof text, " %.2f |", runners[0].seconds / best);
    return line + text + agreed;
}

// All on one mechanism; false if a peer disagrees or wins.
bool contest(const Mechanism &m, std::vector<std::string> &table)
{
    size_t n = m.rods.size();
    Point at;
    for (size_t i = 0; i < n; i++) {
        at.q.push_back(0.3 * std::sin(1.0 + 2.0 * (double)i));
        at.v.push_back(0.2 * std::cos(3.0 * (double)i));
        at.tau.push_back(0.1 * std::sin(5.0 * (double)i));
    }
    std::vector<Runner> runners;
    for (const Entry &e : registry()) {
        Runner r{e.name, e.calls, e.make(), std::vector<double>(n)};
        if (r.peer->build(m))
            runners.push_back(std::move(r));
        else
            std::printf(
                "{\"name\": \"multibody_peers\", \"peer\": \"%s\", \"skipped\": \"%s %zu\"}\n",
                e.name.c_str(), m.name.c_str(), n);
    }
    std::stable_partition(runners.begin(), runners.end(),
                          [](const Runner &r) { return r.name == "segue"; });
    for (Runner &r : runners)
        compare(r, runners[0], at);
    for (int round = 0; round < rounds; round++)
        for (Runner &r : runners)
            measure(r, at);
    double best = 1e300;
    bool ok = true;
    for (const Runner &r : runners) {
        std::printf(
            "{\"name\": \"multibody_peers\", \"mechanism\": \"%s\", \"size\": %zu, \"peer\": "
            "\"%s\", \"time\": %.4g, \"ns_per_joint\": %.1f, \"deviation\": %.1e}\n",
            m.name.c_str(), n, r.name.c_str(), r.seconds, 1e9 * r.seconds / (double)n, r.deviation);
        ok = ok && r.deviation <= agreement;
        if (&r != &runners[0])
            best = std::min(best, r.seconds);
    }
    if (runners.size() > 1)
        std::printf("{\"name\": \"multibody_peers\", \"mechanism\": \"%s\", \"size\": %zu, "
                    "\"ratio\": %.2f, \"goal\": 0.6}\n",
                    m.name.c_str(), n, runners[0].seconds / best);
    std::fflush(stdout);
    table.push_back(line_of(m, runners, best));
    return ok && runners[0].seconds <= best;
}

} // namespace

int main()
{
    bool ok = true;
    std::vector<std::string> table;
    for (const char *wanted : everybody) {
        auto found = std::find_if(registry().begin(), registry().end(),
                                  [&](const Entry &e) { return e.name == wanted; });
        bool is_here = found != registry().end();
        std::printf("{\"name\": \"multibody_peers\", \"peer\": \"%s\", \"%s\": \"%s\"}\n", wanted,
                    is_here ? "calls" : "skipped",
                    is_here ? found->calls.c_str() : "not found when this program was built");
    }
    for (int n : {2, 7, 20, 50, 200})
        ok = contest(make("chain", n, 1), table) && ok;
    ok = contest(make("binary_tree", 63, 2), table) && ok;
    std::printf("\n| ns a joint | Segue | MuJoCo | Bullet | DART | Simbody | Segue / fastest peer "
                "| off: MuJoCo | Bullet | DART | Simbody |\n"
                "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
    for (const std::string &line : table)
        std::printf("%s\n", line.c_str());
    return ok ? 0 : 1;
}
