# Thirty robots in MJCF for mjcf_mujoco.c, and the script that asks Segue for the same: mjcf_robots.py FOLDER STATES [swings]. Arms, legs, hands with couplings, loops, quadrupeds, wheeled bases, ball
# joints, gantries and trees, random, but the same every time. A body has one geom or an <inertial> along its principal axes: MuJoCo finds those of others to 1e-7 only.
import os
import random
import sys

folder = sys.argv[1]
STATES = int(sys.argv[2])
SWINGS = len(sys.argv) > 3
r = random.Random(38)


def numbers(n, size):
    return " ".join("%.6f" % (size*r.uniform(-1, 1)) for _ in range(n))


# One of the ways to say how something is turned.
def turned():
    return r.choice(['euler="%s"' % numbers(3, 170), 'quat="%s"' % numbers(4, 1), 'axisangle="%s %.3f"' % (numbers(3, 1), r.uniform(-170, 170)), 'xyaxes="%s"' % numbers(6, 1), 'zaxis="%s"' % numbers(3, 1), ""])


def inertia(size, mass):
    a, b, c = [size*r.uniform(0.2, 1.0) for _ in range(3)]
    return '<inertial pos="%s" %s mass="%.6f" diaginertia="%.9f %.9f %.9f"/>' % (numbers(3, 0.5*size), turned(), mass, *[mass/12*(y*y + z*z) for y, z in ((b, c), (a, c), (a, b))])


def geom(size):
    kind = r.choice(["capsule", "cylinder", "box", "ellipsoid", "sphere", "ends"])
    weight = r.choice(['density="%.3f"' % r.uniform(500, 2000), 'mass="%.4f"' % r.uniform(0.1, 2.0)])
    s = ["%.5f" % (size*r.uniform(0.1, 0.5)) for _ in range(3)]
    if kind == "ends":
        return '<geom class="thin" fromto="0 0 0 %s" %s/>' % (numbers(3, size), weight)
    return '<geom type="%s" size="%s" pos="%s" %s %s/>' % (kind, " ".join(s[:{"capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3, "sphere": 1}[kind]]), numbers(3, 0.5*size), turned(), weight)


class Robot:
    def __init__(self, size, damped):
        self.size, self.damped, self.kinds, self.extra, self.free = size, damped, [], "", None

    # The joint's tag; kinds: hinge, slide, ball.
    def joint(self, kind, own=""):
        name = "j%d" % len(self.kinds)
        self.kinds.append((name, kind))
        more = ['damping="%.4f"' % (r.uniform(0.5, 2.0)*(self.size**2 if kind != "slide" else 1.0))] if self.damped else ['damping="0"']
        if kind != "ball":
            if r.random() < 0.3:
                more.append('stiffness="%.3f" springref="%.3f"' % (r.uniform(0.5, 2)*self.size**2, r.uniform(-0.5, 0.5)*(57.0 if kind == "hinge" else 0.2)))
            if r.random() < 0.3:
                more.append('armature="%.5f"' % (r.uniform(0.1, 1)*(self.size**2 if kind == "hinge" else 1.0)))
            if r.random() < 0.3:
                more.append('ref="%.3f"' % (r.uniform(-20, 20) if kind == "hinge" else r.uniform(-0.1, 0.1)))
        if 'axis' not in own and kind != "ball":
            own += ' axis="%s"' % numbers(3, 1)
        if 'pos' not in own and r.random() < 0.4:
            own += ' pos="%s"' % numbers(3, 0.3*self.size)
        return '<joint name="%s" type="%s" %s %s/>' % (name, kind, own, " ".join(more))

    # Bodies in a row; each a list of kinds of joints.
    def chain(self, bodies, inner="", first=""):
        text = inner
        tags = []
        for k, kinds in enumerate(bodies):
            place = first if k == 0 and first else 'pos="%s" %s' % (numbers(3, self.size), turned())
            tags.append('<body %s>%s%s' % (place, "".join(self.joint(x) for x in kinds), geom(self.size) if r.random() < 0.5 else inertia(self.size, r.uniform(0.2, 2.0))))
        return "".join(tags) + text + "</body>"*len(bodies)


def drives(robot, which):
    text = ""
    for name, kind in which:
        how = r.choice(["motor", "position", "velocity"])
        own = {"motor": 'ctrlrange="-1 1" ctrllimited="true"', "position": 'kp="%.3f"' % (3*robot.size**2), "velocity": 'kv="%.3f"' % (2*robot.size**2)}[how]
        text += '<%s name="d_%s" joint="%s" gear="%.3f" %s/>' % (how, name, name, r.uniform(0.5, 2), own)
    robot.driven = [name for name, kind in which]
    return "<actuator>%s</actuator>" % text


def write(number, robot, body, extra=""):
    with open(os.path.join(folder, "robot%d.xml" % number), "w") as f:
        f.write('<mujoco model="r"><compiler angle="degree" autolimits="true"/><option gravity="0 0 -9.81"><flag contact="disable"/></option>'
                '<default><geom contype="0" conaffinity="0"/><default class="thin"><geom type="capsule" size="%.4f"/></default></default>\n<worldbody><geom type="plane" size="0 0 1"/>%s</worldbody>\n%s</mujoco>\n'
                % (0.1*robot.size, body, extra))


made = []
for n in range(2, 8):  # arms
    a = Robot(0.3, True)
    body = a.chain([["hinge"]]*n)
    made.append((a, body, drives(a, a.kinds[:2])))
for kinds in ([["hinge"], ["slide"], ["hinge", "hinge"]], [["slide", "slide"], ["hinge", "slide", "hinge"]], [["hinge"], [], ["hinge"], [], ["slide"]]):  # arms with all that slides and turns
    a = Robot(0.4, True)
    made.append((a, a.chain(kinds), ""))
for n in (2, 4):  # legs with hips of three joints in one body, and feet
    a = Robot(0.2, True)
    made.append((a, "<body>%s%s</body>" % (inertia(0.3, 3.0), "".join(a.chain([["hinge", "hinge", "hinge"], ["hinge"], []]) for _ in range(n))), ""))
for n in (2, 3, 5):  # hands: fingers whose outer joints follow the inner ones, some by a curve
    a = Robot(0.05, True)
    fingers = "".join(a.chain([["hinge"], ["hinge"], ["hinge"]]) for _ in range(n))
    rules = "".join('<joint joint1="j%d" joint2="j%d" polycoef="%.3f %.3f %s"/>' % (3*k + i + 1, 3*k + i, r.uniform(-0.2, 0.2), r.uniform(0.5, 1.2), "0.1 0 0" if k % 2 else "0 0 0") for k in range(n) for i in range(2))
    a.followers = [3*k + i + 1 for k in range(n) for i in range(2)]
    made.append((a, "<body>%s%s</body>" % (inertia(0.1, 0.5), fingers), "<equality>%s</equality>" % rules))
for k in range(3):  # loops: fourbars, closed by connect
    a = Robot(0.3, True)
    l = [0.2 + 0.05*k, 0.5, 0.35]
    y = 'axis="0 1 0" pos="0 0 0"'
    crank = '<body name="crank">%s%s<body name="rod" pos="%.3f 0 0" euler="0 -40 0">%s%s</body></body>' % (a.joint("hinge", y), inertia(0.2, 1.0), l[0], a.joint("hinge", y), inertia(0.3, 0.7))
    rocker = '<body name="rocker" pos="0.6 0 -0.1">%s%s</body>' % (a.joint("hinge", y), inertia(0.3, 1.1))
    crank = crank.replace(' ref="', ' user="').replace('stiffness="', 'user="')
    rocker = rocker.replace(' ref="', ' user="').replace('stiffness="', 'user="')
    a.followers = [1, 2]
    a.loops = True
    made.append((a, crank + rocker, '<equality><connect body1="rod" body2="rocker" anchor="%.3f 0 0"/></equality>' % l[1]))
for n in (2, 4, 4):  # quadrupeds and such, far above a plane
    a = Robot(0.25, True)
    legs = "".join(a.chain([["hinge", "hinge"], ["hinge"]]) for _ in range(n))
    a.free = "trunk"
    made.append((a, '<body name="trunk" pos="0 0 200"><freejoint/>%s%s</body>' % (inertia(0.5, 4.0), legs), drives(a, a.kinds)))
for n in (2, 4):  # wheeled bases, one on slides and a hinge, one free
    a = Robot(0.2, True)
    base = "".join([a.joint("slide", 'axis="1 0 0"'), a.joint("slide", 'axis="0 1 0"'), a.joint("hinge", 'axis="0 0 1"')]) if n == 2 else "<freejoint/>"
    wheels = "".join(a.chain([["hinge"]]) for _ in range(n))
    a.free = None if n == 2 else "base"
    made.append((a, '<body name="base" pos="0 0 %d">%s%s%s</body>' % (0 if n == 2 else 200, base, inertia(0.4, 5.0), wheels), drives(a, a.kinds[-2:])))
for n in (1, 2, 3):  # ball joints
    a = Robot(0.3, True)
    made.append((a, a.chain([["ball"], ["hinge"]]*n), ""))
for n in (1, 2):  # gantries
    a = Robot(1.0, False)
    made.append((a, a.chain([["slide"]]*3 + [["hinge"]]*n), ""))
while len(made) < 30:  # trees
    a = Robot(0.3, True)
    made.append((a, "".join(a.chain([[r.choice(["hinge", "slide"])] for _ in range(r.randint(1, 3))], "".join(a.chain([["hinge"]]*r.randint(1, 2)) for _ in range(2))) for _ in range(2)), ""))

script = open(os.path.join(folder, "robots.jl"), "w")
script.write('''using Modia3D
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
function places(m, mine)
    names = coordinateNames(m)
    at = zeros(Int, length(mine))
    for i = 1:length(mine), k = 1:length(names)
        if names[k] == mine[i]
            at[i] = k
        end
    end
    return at
end
put(x) = for y in x
    print(y, " ")
end
# Mass, center, mass matrix and bias forces, in the order of `mine`.
function bodies(m, at, q, v)
    n = length(at)
    Q, V = zeros(n), zeros(n)
    Q[at] = q
    V[at] = v
    mass, center = totalMass(m, Q)
    M, h = massMatrix(m, Q), inverseDynamics(m, Q, V, zeros(n))
    put([mass])
    put(center)
    for i = 1:n
        put(M[at[i], at])
    end
    put(h[at])
end
''')
for number, (a, body, extra) in enumerate(made):
    write(number, a, body, extra)
    # What the numbers belong to: free motion first, then joints in the order of the file.
    names, start, speed, read, rate = [], [], [], [], []
    if a.free:
        names += ["robot.%s.translation[%d]" % (a.free, k) for k in (1, 2, 3)] + ["robot.%s.rotation[%d]" % (a.free, k) for k in (1, 2, 3)]
    for name, kind in a.kinds:
        names += ["robot.%s.rot[%d]" % (name, k) for k in (1, 2, 3)] if kind == "ball" else ["robot.%s.%s" % (name, "s" if kind == "slide" else "phi")]
    followers = getattr(a, "followers", [])
    loops = getattr(a, "loops", False)
    driven = getattr(a, "driven", [])
    script.write('m = @instantiateModel(Model3D(world = world, robot = MJCF("robot%d.xml", collisions = false)), unitless = true)\n' % number)
    script.write("at = places(m, [%s])\n" % ", ".join('"%s"' % n for n in names))
    script.write('println("robot %d %d %d %s")\n' % (number, len(names), bool(followers), " ".join((["free"] if a.free else []) + [n + ":" + k for n, k in a.kinds] + ["d_" + n for n in driven])))

    def state(q, v, ctrl):
        at, parts = 0, []
        vec = lambda x: "[%s]" % ", ".join("%.9f" % y for y in x)
        if a.free:
            parts.append("%s = Map(translation = %s, rotation = %s, velocity = %s, angularVelocity = %s)" % (a.free, vec(q[0:3]), vec(q[3:6]), vec(v[0:3]), vec(v[3:6])))
            at = 6
        for i, (name, kind) in enumerate(a.kinds):
            if kind == "ball":
                parts.append("%s = Map(rot = Var(init = %s), w = Var(init = %s))" % (name, vec(q[at:at + 3]), vec(v[at:at + 3])))
                at += 3
            else:
                if i not in followers or loops:
                    parts.append("%s = Map(%s = Var(init = %.9f), %s = Var(init = %.9f))" % (name, "s" if kind == "slide" else "phi", q[at], "v" if kind == "slide" else "w", v[at]))
                at += 1
        parts += ["d_%s = Map(ctrl = %.6f)" % (n, c) for n, c in zip(driven, ctrl)]
        return "Map(robot = Map(%s))" % ", ".join(parts)

    def shown(which):
        out = []
        if a.free:
            out += ['robot.%s.%s' % (a.free, {"q": x, "v": y, "a": "der(%s)" % y}[which]) for x, y in (("translation", "velocity"), ("rotation", "angularVelocity"))]
        for name, kind in a.kinds:
            x, y = {"ball": ("rot", "w"), "slide": ("s", "v"), "hinge": ("phi", "w")}[kind]
            out.append("robot.%s.%s" % (name, {"q": x, "v": y, "a": "der(%s)" % y}[which]))
        return out

    def first(which):
        return "vcat(%s)" % ", ".join('at1("%s")' % n for n in shown(which))

    script.write('at1(name) = (x = getValues(m, name); ndims(x) == 1 ? [x[1]] : x[1, :])\nlast1(name) = vcat(getLastValue(m, name, unit = false))\n')
    for k in range(STATES):
        size = [x for n in names for x in [a.size if n.endswith(".s") else 50.0 if "translation" in n else 3.0 if "phi" in n else 1.2]]
        q = [r.uniform(-1, 1)*s*(0.3 if loops else 1.0) for s in size]
        v = [r.uniform(-1, 1)*(a.size if n.endswith(".s") else 2.0) for n in names]
        ctrl = [r.uniform(-1.5, 1.5) for _ in driven]
        script.write("simulate!(m, Tsit5(), stopTime = 1e-9, interval = 1e-9, merge = %s)\n" % state(q, v, ctrl))
        script.write("q, v, acc = %s, %s, %s\nput(q); put(v); put([%s]); put(acc); bodies(m, at, q, v); println()\n" % (first("q"), first("v"), first("a"), ", ".join("%.6f" % c for c in ctrl)))
    # A swing of 5 s from rest where damping keeps it from being chaotic.
    zero = [0.0]*len(names)
    if a.free:
        zero[2] = 200.0
    if loops:
        zero[0] = 0.4
    if a.damped and SWINGS:
        script.write("simulate!(m, Tsit5(), stopTime = 5.0, tolerance = 1e-11, interval = 5.0, merge = %s)\n" % state(zero, [0.0]*len(names), [0.3]*len(driven)))
        script.write('print("swing "); put(%s); put(%s)' % (first("q"), "vcat(%s)" % ", ".join('last1("%s")' % n for n in shown("q"))))
        for name in ["robot.%s.isrot123" % n for n, k in a.kinds if k == "ball"]:  # the sequence of its angles
            script.write('; print(getLastValue(m, "%s") ? 1 : 0, " ")' % name)
        script.write("; println()\n")
    else:
        script.write('println("still")\n')
