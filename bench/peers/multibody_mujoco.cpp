// MuJoCo, without the parts of mj_forward that a mechanism without contact, actuators and sensors
// does not need: kinematics, composite inertias and their factor, Newton-Euler for the bias.
#include "bench/peers/multibody_peers.h"

#include <cstdio>
#include <cstring>
#include <mujoco/mujoco.h>

using namespace mechanics;

namespace
{

// The model as XML files. MuJoCo's parser refuses elements more than a hundred deep, so every fifty
// levels go on in a file of their own, which the one above includes.
class Writer
{
  public:
    std::vector<std::string> files; // number i is called "i.xml"

    explicit Writer(const Mechanism &mechanism) : m(mechanism), children(m.rods.size() + 1)
    {
        for (size_t i = 0; i < m.rods.size(); i++)
            children[(size_t)(m.rods[i].parent + 1)].push_back((int)i);
        files.resize(1);
        files[0] = "<mujoco><compiler angle=\"radian\"/><option" + three("gravity", m.gravity) +
                   "/><worldbody>" + inside(0, 1) + "</worldbody></mujoco>";
    }

  private:
    const Mechanism &m;
    std::vector<std::vector<int>> children; // of rod i at i + 1

    static std::string number(double x)
    {
        char text[32];
        std::snprintf(text, sizeof text, "%.17g", x);
        return text;
    }
    static std::string three(const char *name, const double *x)
    {
        return std::string(" ") + name + "=\"" + number(x[0]) + ' ' + number(x[1]) + ' ' +
               number(x[2]) + '"';
    }
    std::string body(int i, int depth)
    {
        const Rod &r = m.rods[(size_t)i];
        return "<body" + three("pos", r.place) + "><inertial mass=\"" + number(r.mass) + '"' +
               three("pos", r.center) + three("diaginertia", r.inertia) + "/><joint name=\"j" +
               std::to_string(i) + "\" type=\"hinge\"" + three("axis", r.axis) + "/>" +
               inside(i + 1, depth + 1) + "</body>";
    }
    std::string inside(int node, int depth)
    {
        std::string text;
        for (int c : children[(size_t)node])
            text += body(c, depth);
        if (depth % 50 != 0 || text.empty())
            return text;
        files.push_back("<mujocoinclude>" + text + "</mujocoinclude>");
        return "<include file=\"" + std::to_string(files.size() - 1) + ".xml\"/>";
    }
};

class MuJoCo : public Peer
{
  public:
    ~MuJoCo() override
    {
        if (data)
            mj_deleteData(data);
        if (model)
            mj_deleteModel(model);
    }

    bool build(const Mechanism &m) override
    {
        Writer writer(m);
        auto vfs = std::make_unique<mjVFS>();
        mj_defaultVFS(vfs.get());
        for (size_t i = 0; i < writer.files.size(); i++) {
            const std::string &text = writer.files[i];
            std::string name = std::to_string(i) + ".xml";
            if (mj_makeEmptyFileVFS(vfs.get(), name.c_str(), (int)text.size()) == 0)
                std::memcpy(vfs->filedata[i], text.data(), text.size());
        }
        char error[500] = "";
        model = mj_loadXML("0.xml", vfs.get(), error, sizeof error);
        mj_deleteVFS(vfs.get());
        if (!model) {
            std::fprintf(stderr, "mujoco: %s\n", error);
            return false;
        }
        data = mj_makeData(model);
        // Bodies come depth first: where each joint of ours went.
        for (size_t i = 0; i < m.rods.size(); i++)
            dof.push_back(mj_name2id(model, mjOBJ_JOINT, ("j" + std::to_string(i)).c_str()));
        force.resize(m.rods.size());
        return true;
    }

    void evaluate(const double *q, const double *v, const double *tau, double *a) override
    {
        size_t n = dof.size();
        for (size_t i = 0; i < n; i++) {
            data->qpos[dof[i]] = q[i];
            data->qvel[dof[i]] = v[i];
        }
        mj_kinematics(model, data);
        mj_comPos(model, data);
        mj_crb(model, data);
        mj_factorM(model, data);
        mj_comVel(model, data);
        mj_rne(model, data, 0, data->qfrc_bias);
        for (size_t i = 0; i < n; i++)
            force[(size_t)dof[i]] = tau[i] - data->qfrc_bias[dof[i]];
        mj_solveM(model, data, data->qacc, force.data(), 1);
        for (size_t i = 0; i < n; i++)
            a[i] = data->qacc[dof[i]];
    }

  private:
    mjModel *model = nullptr;
    mjData *data = nullptr;
    std::vector<int> dof;
    std::vector<double> force;
};

const Register mujoco("mujoco", "mj_kinematics, comPos, crb, factorM, comVel, rne, solveM",
                      []() -> std::unique_ptr<Peer> { return std::make_unique<MuJoCo>(); });

} // namespace
