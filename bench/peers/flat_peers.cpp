// flat_peers [SCENE]: ten scenes of flat contact in every engine that is here, as rows of a
// table. Each engine runs as it comes: Segue at tolerance 1e-6, others with the steps that their
// makers chose. Put down from 0.1 mm, 10 s each.
//
// drift: farthest from where a body ends, from 1 s on. creep: the same over the time. left: kinetic
// energy at the end. rise: what kinetic and potential energy are more than at the start, at most.
#include "bench/peers/flat_peers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace flat
{

std::vector<Registered> &peers()
{
    static std::vector<Registered> list;
    return list;
}

double cpu_now() { return (double)clock() / CLOCKS_PER_SEC; }

double Body::mass() const
{
    double v = cylinder ? 3.14159265358979323846 * half[0] * half[0] * 2 * half[2]
                        : 8 * half[0] * half[1] * half[2];
    return density * v;
}

double Body::inertia(int i) const
{
    double a = 4 * half[(i + 1) % 3] * half[(i + 1) % 3],
           b = 4 * half[(i + 2) % 3] * half[(i + 2) % 3];
    if (!cylinder)
        return mass() * (a + b) / 12;
    double r2 = half[0] * half[0], l2 = 4 * half[2] * half[2];
    return i == 2 ? mass() * r2 / 2 : mass() * (3 * r2 + l2) / 12;
}

std::vector<double> gravity_of(const Scene &s)
{
    return {9.81 * std::sin(s.slope), 0.0, -9.81 * std::cos(s.slope)};
}

} // namespace flat

using namespace flat;

static Body cube(double x, double y, double z, double turn = 0.0)
{
    return {false, {0.1, 0.1, 0.1}, {x, y, z}, 2, turn, {0, 0, 0}, {0, 0, 0}};
}

static std::vector<Scene> make_scenes()
{
    const double lift = 1e-4, pi = 3.14159265358979323846;
    std::vector<Scene> all;
    auto add = [&](const char *name, std::vector<Body> bodies, double slope = 0.0) {
        Scene s;
        s.name = name;
        s.slope = slope;
        s.bodies = bodies;
        all.push_back(s);
    };
    Body end = cube(0, 0, 0.1 + lift), side = end, spins = end, slides = end,
         falls = cube(0, 0, 0.2);
    end.cylinder = side.cylinder = true;
    side.axis = 0;
    side.angle = pi / 2;
    spins.w[2] = 10.0;
    slides.v[0] = 2.0;
    falls.axis = 1;
    falls.angle = 0.3;
    add("box", {cube(0, 0, 0.1 + lift)});
    add("box on a slope, 0.99 of the limit", {cube(0, 0, 0.1)}, std::atan(0.99 * 0.3));
    add("cylinder on its end", {end});
    add("cylinder on its side", {side});
    add("box on a box, turned by 30 degrees",
        {cube(0, 0, 0.1 + lift), cube(0, 0, 0.3 + 2 * lift, pi / 6)});
    for (int n : {5, 10}) {
        std::vector<Body> stack;
        for (int k = 0; k < n; k++)
            stack.push_back(cube(k % 2 ? 0.001 : 0.0, 0, 0.1 + 0.2 * k + lift * (k + 1)));
        add(n == 5 ? "stack of 5, 1 mm askew" : "stack of 10, 1 mm askew", stack);
    }
    add("box that spins with 10 rad/s", {spins});
    add("box that slides with 2 m/s", {slides});
    add("box that falls on an edge", {falls});
    return all;
}

static double energy(const Scene &s, const std::vector<State> &now, bool kinetic)
{
    double e = 0.0;
    std::vector<double> g = gravity_of(s);
    for (size_t b = 0; b < now.size(); b++)
        for (int i = 0; i < 3; i++) {
            const State &x = now[b];
            e += 0.5 * s.bodies[b].mass() * x.v[i] * x.v[i] +
                 0.5 * s.bodies[b].inertia(i) * x.w[i] * x.w[i];
            e -= kinetic ? 0.0 : s.bodies[b].mass() * g[(size_t)i] * x.r[i];
        }
    return e;
}

// A row of the table. False if there is nothing to tell, neither numbers nor why there are none.
static bool report(const Scene &s, const char *peer, const Run &run)
{
    if (run.failed.empty() && run.states.empty()) {
        std::fprintf(stderr, "flat_peers: %s: %s said nothing\n", s.name.c_str(), peer);
        return false;
    }
    if (!run.failed.empty()) {
        std::printf("| %s | %s | %s | | | | %ld | %.2f |\n", s.name.c_str(), peer,
                    run.failed.c_str(), run.steps, run.cpu);
        return true;
    }
    double drift = 0.0, rise = 0.0, first = energy(s, run.states.front(), false);
    const std::vector<State> &last = run.states.back();
    for (size_t k = 0; k < run.states.size(); k++) {
        rise = std::max(rise, energy(s, run.states[k], false) - first);
        for (size_t b = 0; run.time[k] >= 1.0 && b < last.size(); b++) {
            const double *x = run.states[k][b].r, *y = last[b].r;
            drift = std::max(drift, std::sqrt((x[0] - y[0]) * (x[0] - y[0]) +
                                              (x[1] - y[1]) * (x[1] - y[1]) +
                                              (x[2] - y[2]) * (x[2] - y[2])));
        }
    }
    std::printf("| %s | %s | %.1e | %.1e | %.1e | %.1e | %ld | %.3f |\n", s.name.c_str(), peer,
                drift, drift / (s.until - 1.0), energy(s, last, true), rise, run.steps, run.cpu);
    std::fflush(stdout);
    return true;
}

// What was asked for beside ours; a table without one of them says so.
static void tell_who_is_missing()
{
    for (const char *name : {"Bullet", "MuJoCo"})
        if (std::none_of(peers().begin(), peers().end(),
                         [&](const Registered &p) { return name == std::string(p.name); }))
            std::fprintf(stderr,
                         "flat_peers: SKIPPED %s, which is not on this machine; `tools/setup "
                         "bench` installs it\n",
                         name);
}

int main(int argc, char **argv)
{
    tell_who_is_missing();
    bool complete = true;
    std::printf("| scene | engine | drift [m] | creep [m/s] | left [J] | rise [J] | steps | CPU "
                "time [s] |\n|---|---|---|---|---|---|---|---|\n");
    for (const Scene &s : make_scenes())
        for (const Registered &p : peers())
            if (argc < 2 || s.name.find(argv[1]) != std::string::npos)
                complete = report(s, p.name, p.make()->run(s, 0.02)) && complete;
    return complete ? 0 : 1;
}
