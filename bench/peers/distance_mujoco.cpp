// MuJoCo: the collision function of the two geoms' types, its distance that of the deepest contact
// it makes. For separated pairs it needs a margin, by which it grows the shapes, that exceeds their
// distance; 0.2 does here, and the others get none. It has no cone.
#include "bench/peers/distance_peers.h"

#include <algorithm>
#include <cstdio>
#include <mujoco/mujoco.h>
#include <sstream>

using namespace peers;

namespace
{

void write_geom(std::ostream &out, std::ostream &assets, const Shape &s, const char *name)
{
    const double *R = s.R, *d = s.size;
    out << "<geom name='" << name << "' pos='" << s.r[0] << ' ' << s.r[1] << ' ' << s.r[2]
        << "' xyaxes='" << R[0] << ' ' << R[3] << ' ' << R[6] << ' ' << R[1] << ' ' << R[4] << ' '
        << R[7] << "' ";
    if (s.kind == Kind::mesh) {
        assets << "<mesh name='" << name << "' vertex='";
        for (double v : s.vertices)
            assets << v << ' ';
        assets << "'/>";
        out << "type='mesh' mesh='" << name << "'/>";
        return;
    }
    out << "type='" << s.type << "' size='" << d[0];
    if (s.kind == Kind::box || s.kind == Kind::ellipsoid)
        out << ' ' << d[1] << ' ' << d[2];
    else if (s.kind != Kind::sphere)
        out << ' ' << d[1];
    out << "'/>";
}

class Mujoco : public Peer
{
  public:
    ~Mujoco() override { drop(); }
    bool take(const Case &k) override
    {
        drop();
        if (k.a.kind == Kind::cone || k.b.kind == Kind::cone)
            return false;
        std::ostringstream geoms, assets, xml;
        geoms.precision(17);
        assets.precision(17);
        write_geom(geoms, assets, k.a, "a");
        write_geom(geoms, assets, k.b, "b");
        xml << "<mujoco><asset>" << assets.str() << "</asset><worldbody>" << geoms.str()
            << "</worldbody></mujoco>";
        std::string text = xml.str();
        auto files = std::make_unique<mjVFS>(); // large
        mj_defaultVFS(files.get());
        mj_makeEmptyFileVFS(files.get(), "pair.xml", int(text.size()));
        std::copy(text.begin(), text.end(), static_cast<char *>(files->filedata[0]));
        char error[500] = "";
        model = mj_loadXML("pair.xml", files.get(), error, sizeof error);
        mj_deleteVFS(files.get());
        if (!model) {
            std::fprintf(stderr, "distance_peers: MuJoCo refuses case %s: %s\n", k.id.c_str(),
                         error);
            return false;
        }
        data = mj_makeData(model);
        mj_kinematics(model, data);
        margin = k.regime == 0 ? 0.2 : 0.0;
        first = 0;
        second = 1;
        if (model->geom_type[0] > model->geom_type[1])
            std::swap(first, second);
        function = mjCOLLISIONFUNC[model->geom_type[first]][model->geom_type[second]];
        return function != nullptr;
    }
    Answer ask() override
    {
        Answer out;
        mjContact contact[mjMAXCONPAIR];
        int n = function(model, data, contact, first, second, margin);
        out.ok = n > 0;
        out.delta = 1e300;
        for (int i = 0; i < n; i++)
            out.delta = std::min(out.delta, contact[i].dist);
        out.apart = out.delta > 0;
        return out;
    }

  private:
    void drop()
    {
        if (data)
            mj_deleteData(data);
        if (model)
            mj_deleteModel(model);
        data = nullptr;
        model = nullptr;
    }
    mjModel *model = nullptr;
    mjData *data = nullptr;
    mjfCollision function = nullptr;
    int first = 0, second = 1;
    double margin = 0.0;
};

std::unique_ptr<Peer> make() { return std::make_unique<Mujoco>(); }

Register mujoco("mujoco",
                "Debian " + std::string(mj_versionString()) + ", double, margin 0.2 apart", make);

} // namespace
