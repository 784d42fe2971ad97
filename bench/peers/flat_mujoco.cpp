// MuJoCo with its own steps of 2 ms, its own softness, and round cones of friction.
#include "bench/peers/flat_peers.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <mujoco/mujoco.h>

using namespace flat;

namespace
{

class MuJoCo : public Peer
{
  public:
    Run run(const Scene &s, double interval) override
    {
        Run out;
        std::vector<double> g = gravity_of(s);
        char text[600];
        std::snprintf(text, sizeof text,
                      "<mujoco><compiler angle=\"radian\"/><option gravity=\"%.17g %.17g %.17g\" "
                      "cone=\"elliptic\"/><default><geom "
                      "friction=\"%g 0.005 0.0001\"/></default><worldbody><geom type=\"box\" "
                      "size=\"2 2 0.05\" pos=\"0 0 -0.05\"/>",
                      g[0], g[1], g[2], s.friction);
        std::string xml = text;
        for (const Body &b : s.bodies) {
            double q[4] = {std::cos(b.angle / 2), 0, 0, 0};
            q[1 + b.axis] = std::sin(b.angle / 2);
            std::snprintf(
                text, sizeof text,
                "<body pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g "
                "%.17g\"><freejoint/><geom type=\"%s\" size=\"%g %g %g\" density=\"%g\"/></body>",
                b.at[0], b.at[1], b.at[2], q[0], q[1], q[2], q[3], b.cylinder ? "cylinder" : "box",
                b.half[0], b.cylinder ? b.half[2] : b.half[1], b.half[2], b.density);
            xml += text;
        }
        xml += "</worldbody></mujoco>";
        auto vfs = std::make_unique<mjVFS>();
        char error[1000] = "";
        mj_defaultVFS(vfs.get());
        mj_makeEmptyFileVFS(vfs.get(), "scene.xml", (int)xml.size() + 1);
        std::memcpy(vfs->filedata[0], xml.c_str(), xml.size() + 1);
        mjModel *m = mj_loadXML("scene.xml", vfs.get(), error, (int)sizeof error);
        mj_deleteVFS(vfs.get());
        if (!m) {
            out.failed = error;
            return out;
        }
        mjData *d = mj_makeData(m);
        for (size_t b = 0; b < s.bodies.size(); b++)
            for (int i = 0; i < 3; i++) {
                d->qvel[6 * b + (size_t)i] = s.bodies[b].v[i];
                d->qvel[6 * b + 3 + (size_t)i] = s.bodies[b].w[i];
            }
        double begin = cpu_now(), next = 0.0;
        while (d->time < s.until) {
            if (d->time >= next) {
                std::vector<State> now(s.bodies.size());
                for (size_t b = 0; b < now.size(); b++) {
                    std::memcpy(now[b].r, d->qpos + 7 * b, sizeof now[b].r);
                    std::memcpy(now[b].v, d->qvel + 6 * b, sizeof now[b].v);
                    std::memcpy(now[b].w, d->qvel + 6 * b + 3, sizeof now[b].w);
                }
                out.time.push_back(d->time);
                out.states.push_back(now);
                next += interval;
            }
            mj_step(m, d);
            out.steps++;
        }
        out.cpu = cpu_now() - begin;
        mj_deleteData(d);
        mj_deleteModel(m);
        return out;
    }
};

const Registration registration("MuJoCo", [] { return std::unique_ptr<Peer>(new MuJoCo); });

} // namespace
