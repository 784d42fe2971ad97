# Thirty robots in URDF for robots_mujoco.c, and the script that asks Segue for the same: robots.py FOLDER. Arms, legs, hands and gantries, with joints of
# all kinds at any angles. Random, but the same every time. Bodies behind fixed joints stay apart in MuJoCo: it finds the principal axes of those that it fuses to 1e-7 only.
import math
import os
import random
import sys

folder = sys.argv[1]
STATES = 100
r = random.Random(35)


def numbers(n, size):
    return " ".join("%.6f" % (size*r.uniform(-1, 1)) for _ in range(n))


# A body of a box's proportions, turned.
def link(name, size, mass):
    a, b, c = [size*r.uniform(0.2, 1.0) for _ in range(3)]
    i = [mass/12*(y*y + z*z) for y, z in ((b, c), (a, c), (a, b))]
    return ('<link name="%s"><inertial><origin xyz="%s" rpy="%s"/><mass value="%.6f"/><inertia ixx="%.9f" ixy="0" ixz="0" iyy="%.9f" iyz="0" izz="%.9f"/></inertial></link>'
            % (name, numbers(3, 0.5*size), numbers(3, 3.0), mass, *i))


def joint(name, kind, parent, child, size, damping):
    limit = '<limit lower="-5000" upper="5000" effort="1" velocity="1"/>' if kind in ("revolute", "prismatic") else ""
    dynamics = '<dynamics damping="%.6f"/>' % damping if damping and kind != "fixed" else ""
    return ('<joint name="%s" type="%s"><origin xyz="%s" rpy="%s"/><parent link="%s"/><child link="%s"/><axis xyz="%s"/>%s%s</joint>'
            % (name, kind, numbers(3, size), numbers(3, 3.0), parent, child, numbers(3, 1.0), limit, dynamics))


# `parents[k]` is the link that link k + 1 hangs on.
def robot(parents, kinds, size, damped):
    parts = [link("l0", size, 3.0)]
    for k, parent in enumerate(parents):
        mass = r.uniform(0.1, 2.0)
        parts.append(link("l%d" % (k + 1), size, mass))
        kind = kinds[k % len(kinds)]
        damping = 0.0 if not damped else mass*size*size*r.uniform(0.5, 2.0) if kind != "prismatic" else mass*r.uniform(0.5, 2.0)
        parts.append(joint("j%d" % (k + 1), kind, "l%d" % parent, "l%d" % (k + 1), size, damping))
    return '<robot name="r"><mujoco><compiler fusestatic="false"/></mujoco>' + "\n".join(parts) + "</robot>\n", [k for k in range(len(parents)) if kinds[k % len(kinds)] != "fixed"]


made = []
for n in range(2, 8):  # arms
    made.append((list(range(n)), ["continuous"], 0.3, n % 2 == 1))
    made.append((list(range(n)), ["revolute", "prismatic", "continuous"], 0.4, True))
for n in (2, 4, 6):  # legs of three joints, and a foot that is fixed
    made.append(([0 if k % 4 == 0 else k for k in range(4*n)], ["continuous", "revolute", "continuous", "fixed"], 0.2, True))
for n in (2, 3, 5):  # hands: a wrist, and fingers of three joints behind a palm
    made.append(([0, 1] + [2 if k % 3 == 0 else k + 2 for k in range(3*n)], ["continuous"], 0.05, True))
for n in (1, 2, 3):  # gantries
    made.append((list(range(3 + n)), ["prismatic", "prismatic", "prismatic", "continuous"], 1.0, False))
while len(made) < 30:  # trees
    n = r.randint(3, 10)
    made.append(([r.randint(0, k) for k in range(n)], ["continuous", "prismatic", "fixed", "revolute"][:r.randint(1, 4)], 0.3, r.random() < 0.5))

script = open(os.path.join(folder, "robots.jl"), "w")
states = open(os.path.join(folder, "states.txt"), "w")
script.write("using Modia3D\n")
for number, (parents, kinds, size, damped) in enumerate(made):
    text, moving = robot(parents, kinds, size, damped)
    with open(os.path.join(folder, "robot%d.urdf" % number), "w") as f:
        f.write(text)
    names = ["j%d" % (k + 1) for k in moving]
    slides = [kinds[k % len(kinds)] == "prismatic" for k in moving]
    script.write('World%d = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]))), robot = URDF("robot%d.urdf", stops = false%s))\n'
                 % (number, number, ", mergeFixed = true" if number % 2 else ""))
    script.write("m = @instantiateModel(World%d, unitless = true)\n" % number)
    for _ in range(STATES):
        q = [r.uniform(-1, 1)*(size if s else 3.0) for s in slides]
        v = [r.uniform(-1, 1)*(size if s else 2.0) for s in slides]
        states.write("%d %d %s %s\n" % (number, len(q), " ".join("%.9f" % x for x in q), " ".join("%.9f" % x for x in v)))
        start = ", ".join("%s = Map(%s = Var(init = %.9f), %s = Var(init = %.9f))" % (n, "s" if s else "phi", a, "v" if s else "w", b) for n, s, a, b in zip(names, slides, q, v))
        script.write("simulate!(m, Tsit5(), stopTime = 1e-9, interval = 1e-9, merge = Map(robot = Map(%s)))\n" % start)
        script.write('println(%d, " "%s)\n' % (number, "".join(', getValues(m, "robot.%s.der(%s)")[1], " "' % (n, "v" if s else "w") for n, s in zip(names, slides))))
    # A swing of 5 s from rest, where nothing is chaotic: with damping.
    if damped:
        script.write("simulate!(m, Tsit5(), stopTime = 5.0, tolerance = 1e-12, merge = Map(robot = Map(%s)))\n"
                     % ", ".join("%s = Map(%s = Var(init = 0.0), %s = Var(init = 0.0))" % (n, "s" if s else "phi", "v" if s else "w") for n, s in zip(names, slides)))
        script.write('println("swing ", %d, " "%s)\n' % (number, "".join(', getLastValue(m, "robot.%s.%s"), " "' % (n, "s" if s else "phi") for n, s in zip(names, slides))))
    states.write("names %d %d %s\n" % (number, damped, " ".join(names)))
