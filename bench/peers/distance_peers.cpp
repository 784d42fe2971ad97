// Signed distances on the shared cases, ours and the peers' in one run: mean time of a query, worst
// error against the rigorous references, failures, by regime. One JSON line each.
//
// A case is timed for every peer in turn, many short rounds, and the least counts, so that a busy
// moment of the machine hurts nobody in particular. A failure is a query that reports one, a wrong
// verdict, or a distance that is off by more than a hundredth of the size; the worst error is that
// of the others.
//
//     distance_peers [CASES REFERENCES]
#include "bench/peers/distance_peers.h"

extern "C" {
#include "bench/bench.h"
}

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

namespace peers
{

std::vector<Entry> &registry()
{
    static std::vector<Entry> entries;
    return entries;
}

} // namespace peers

using namespace peers;

namespace
{

const char *const regime_name[3] = {"separated", "shallow", "deep"};

bool name_kind(const std::string &type, Kind &kind)
{
    static const char *const names[] = {"sphere",   "box",  "ellipsoid", "capsule",
                                        "cylinder", "cone", "mesh"};
    for (int i = 0; i < 7; i++)
        if (type == names[i]) {
            kind = Kind(i);
            return true;
        }
    return false;
}

bool read_shape(std::istream &in, Shape &s)
{
    std::string word;
    size_t nv = 0, nf = 0;
    in >> word >> s.type >> s.size[0] >> s.size[1] >> s.size[2] >> word;
    for (double &x : s.R)
        in >> x;
    in >> word >> s.r[0] >> s.r[1] >> s.r[2] >> word >> nv >> word >> nf;
    s.vertices.resize(3 * nv);
    s.triangles.resize(3 * nf);
    for (size_t i = 0; i < nv; i++)
        in >> word >> s.vertices[3 * i] >> s.vertices[3 * i + 1] >> s.vertices[3 * i + 2];
    for (size_t i = 0; i < nf; i++)
        in >> word >> s.triangles[3 * i] >> s.triangles[3 * i + 1] >> s.triangles[3 * i + 2];
    return in && name_kind(s.type, s.kind);
}

double bounding_radius(const Shape &s)
{
    const double *d = s.size;
    if (s.kind == Kind::sphere)
        return d[0];
    if (s.kind == Kind::box)
        return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (s.kind == Kind::ellipsoid)
        return std::max(d[0], std::max(d[1], d[2]));
    if (s.kind == Kind::capsule)
        return d[0] + d[1];
    if (s.kind == Kind::cylinder || s.kind == Kind::cone)
        return std::hypot(d[0], d[1]);
    double most = 0.0;
    for (size_t i = 0; i < s.vertices.size(); i += 3)
        most = std::max(most, std::hypot(s.vertices[i], s.vertices[i + 1], s.vertices[i + 2]));
    return most;
}

bool read_cases(const char *cases_file, const char *references_file, std::vector<Case> &out)
{
    std::ifstream in(cases_file), ref(references_file);
    std::string word, regime;
    if (!(in >> word >> word) || !ref)
        return false;
    Case k;
    while (in >> word >> k.id >> regime) {
        std::string id;
        double lo, hi;
        k.regime = regime == "deep" ? 2 : regime == "shallow" ? 1 : 0;
        if (!read_shape(in, k.a) || !read_shape(in, k.b))
            return false;
        if (!(ref >> id >> lo >> hi >> k.normal[0] >> k.normal[1] >> k.normal[2]) || id != k.id)
            return false;
        k.reference = 0.5 * (lo + hi);
        k.size = 0.5 * (bounding_radius(k.a) + bounding_radius(k.b));
        out.push_back(k);
    }
    return !out.empty();
}

struct Tally {
    int cases = 0, failures = 0, distances = 0;
    double time = 0.0, ours = 0.0; // ours: the first peer's time on the same cases
    double worst = 0.0;
};

constexpr int repeat = 20, rounds = 25;

void judge(const Case &k, const Answer &r, Tally &t)
{
    if (!r.ok || r.apart != (k.reference > 0.0)) {
        t.failures++;
        return;
    }
    if (!r.has_delta)
        return;
    double error = std::fabs(r.delta - k.reference) / k.size;
    if (!(error < 1e-2)) {
        t.failures++;
        return;
    }
    t.distances++;
    t.worst = std::max(t.worst, error);
}

void run_case(const Case &k, std::vector<std::unique_ptr<Peer>> &all,
              std::vector<std::vector<Tally>> &tally)
{
    std::vector<double> least(all.size(), std::numeric_limits<double>::infinity());
    std::vector<char> takes(all.size());
    for (size_t i = 0; i < all.size(); i++)
        takes[i] = all[i]->take(k);
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < all.size(); i++) {
            if (!takes[i])
                continue;
            double start = bench_clock();
            for (int j = 0; j < repeat; j++)
                all[i]->ask();
            least[i] = std::min(least[i], (bench_clock() - start) / repeat);
        }
    for (size_t i = 0; i < all.size(); i++) {
        if (!takes[i])
            continue;
        Tally &t = tally[i][size_t(k.regime)];
        t.cases++;
        t.time += least[i];
        t.ours += least[0];
        judge(k, all[i]->ask(), t);
    }
}

void print(const Entry &entry, int regime, const Tally &t)
{
    char label[128], extra[512], error[48] = "null";
    if (t.distances)
        std::snprintf(error, sizeof error, "%.2g", t.worst);
    std::snprintf(label, sizeof label, "distance_peers/%s/%s", entry.name.c_str(),
                  regime_name[regime]);
    std::snprintf(extra, sizeof extra,
                  "\"us\": %.3f, \"over_segue\": %.2f, \"worst_error\": %s, \"failures\": %d, "
                  "\"distances\": %d, \"built\": \"%s\"",
                  1e6 * t.time / t.cases, t.time / t.ours, error, t.failures, t.distances,
                  entry.built.c_str());
    bench_print(label, t.cases, "cases", t.time / t.cases, extra);
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<Case> cases;
    const char *shared = SG_SOURCE_DIR "/../shared/data/distance/";
    std::string c = argc > 2 ? argv[1] : std::string(shared) + "cases.txt";
    std::string r = argc > 2 ? argv[2] : std::string(shared) + "references.txt";
    if (!read_cases(c.c_str(), r.c_str(), cases)) {
        std::fprintf(stderr, "distance_peers: no cases; give their file and the references'\n");
        return 0;
    }
    // Ours first, the others by name: the order of static objects is the linker's.
    std::vector<Entry> &entries = registry();
    std::sort(entries.begin(), entries.end(), [](const Entry &x, const Entry &y) {
        bool ours = x.name.rfind("segue", 0) == 0, theirs = y.name.rfind("segue", 0) == 0;
        return ours != theirs ? ours : x.name < y.name;
    });
    std::vector<std::unique_ptr<Peer>> all;
    for (const Entry &e : entries)
        all.push_back(e.make());
    std::vector<std::vector<Tally>> tally(all.size(), std::vector<Tally>(3));
    for (const Case &k : cases)
        run_case(k, all, tally);
    for (size_t i = 0; i < all.size(); i++)
        for (int g = 0; g < 3; g++)
            if (tally[i][size_t(g)].cases)
                print(entries[i], g, tally[i][size_t(g)]);
    return 0;
}
