// Segue by its command, as users run it, with the law of areas and with that of points before it.
#include "bench/peers/flat_peers.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace flat;

namespace
{

class Segue : public Peer
{
  public:
    explicit Segue(const char *law) : law(law) {}

    Run run(const Scene &s, double interval) override
    {
        Run out;
        write(s, interval);
        const char *segue = std::getenv("SEGUE");
        std::string command = std::string(segue ? segue : "build/segue") + " run --max-time " +
                              std::string(std::strcmp(law, "area") == 0 ? "60" : "5") +
                              " flat_scene.jl 2>&1";
        FILE *pipe = popen(command.c_str(), "r");
        static char line[1 << 16];
        while (pipe && std::fgets(line, sizeof line, pipe))
            read(s, line, &out);
        if (pipe)
            pclose(pipe);
        std::remove("flat_scene.jl");
        std::remove("flat_scene.txt");
        return out;
    }

  private:
    const char *law;

    void write(const Scene &s, double interval)
    {
        FILE *palette = std::fopen("flat_scene.txt", "w"), *f = std::fopen("flat_scene.jl", "w");
        if (!f || !palette)
            std::abort();
        std::fprintf(palette, "touch M M: restitution %g, friction %g, rolling 0\n", s.restitution,
                     s.friction);
        std::fclose(palette);
        std::fprintf(
            f,
            "using Modia3D\nModia3D.loadPalettes!(contactPairMaterialPalette = "
            "\"flat_scene.txt\")\n"
            "solid(shape) = Solid(shape = shape, solidMaterial = \"Steel\", contactMaterial = "
            "\"M\", collision = true)\n"
            "M = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = "
            "9.81, n = [%.17g, 0, %.17g]), flatContact = \"%s\")),\n"
            "floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = "
            "solid(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1)))",
            gravity_of(s)[0] / 9.81, gravity_of(s)[2] / 9.81, law);
        for (size_t k = 0; k < s.bodies.size(); k++) {
            const Body &b = s.bodies[k];
            double angle[3] = {0, 0, 0};
            angle[b.axis] = b.angle;
            std::fprintf(
                f,
                ",\nb%zu = Object3D(parent = :world, fixedToParent = false, translation = [%.17g, "
                "%.17g, %.17g], rotation = [%.17g, %.17g, %.17g], "
                "velocity = [%g, %g, %g], angularVelocity = [%g, %g, %g], feature = solid(",
                k, b.at[0], b.at[1], b.at[2], angle[0], angle[1], angle[2], b.v[0], b.v[1], b.v[2],
                b.w[0], b.w[1], b.w[2]);
            if (b.cylinder)
                std::fprintf(f, "Cylinder(axis = 3, diameter = %g, length = %g)))", 2 * b.half[0],
                             2 * b.half[2]);
            else
                std::fprintf(f, "Box(lengthX = %g, lengthY = %g, lengthZ = %g)))", 2 * b.half[0],
                             2 * b.half[1], 2 * b.half[2]);
        }
        std::fprintf(f,
                     ")\nm = @instantiateModel(M, unitless = true)\nsimulate!(m, stopTime = %g, "
                     "tolerance = 1e-6, interval = %g, log = true)\n"
                     "t = getValues(m, \"time\")\n",
                     s.until, interval);
        for (size_t k = 0; k < s.bodies.size(); k++)
            std::fprintf(f,
                         "r, v, w = getValues(m, \"b%zu.translation\"), getValues(m, "
                         "\"b%zu.velocity\"), getValues(m, \"b%zu.angularVelocity\")\n"
                         "for i in 1:length(t) println(\"STATE %zu \", t[i], \" \", r[i,1], \" \", "
                         "r[i,2], \" \", r[i,3], \" \", v[i,1], \" \", v[i,2], \" \", v[i,3], "
                         "\" \", w[i,1], \" \", w[i,2], \" \", w[i,3]) end\n",
                         k, k, k, k);
        std::fclose(f);
    }

    static void read(const Scene &s, const char *line, Run *out)
    {
        size_t b;
        double t;
        State x;
        const char *at;
        if (std::sscanf(line, "STATE %zu %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &b, &t, &x.r[0],
                        &x.r[1], &x.r[2], &x.v[0], &x.v[1], &x.v[2], &x.w[0], &x.w[1],
                        &x.w[2]) == 11 &&
            b < s.bodies.size()) {
            if (b == 0) {
                out->time.push_back(t);
                out->states.emplace_back(s.bodies.size());
                out->states.back()[0] = x;
                return;
            }
            for (size_t k = out->time.size(); k-- > 0;)
                if (out->time[k] == t) {
                    out->states[k][b] = x;
                    break;
                }
        } else if ((at = std::strstr(line, "nAcceptedSteps")))
            std::sscanf(at, "nAcceptedSteps = %ld", &out->steps);
        else if ((at = std::strstr(line, "simCpuTime")))
            std::sscanf(at, "simCpuTime = %lf", &out->cpu);
        else if ((at = std::strstr(line, "error[")) && out->failed.empty()) {
            const char *time = std::strstr(at, "time = ");
            out->failed =
                std::string(at + 6, 5) + (time ? " at " + std::string(time + 7, 7) + " s" : "");
        }
    }
};

const Registration area("Segue", [] { return std::unique_ptr<Peer>(new Segue("area")); });
const Registration point("Segue, points", [] { return std::unique_ptr<Peer>(new Segue("point")); });

} // namespace
