# Forces of cut joints in motion: of a slider-crank against its closed form, and of every kind of joint against the momentum of
# the body that it holds.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")

off(x, y) = maximum(abs.(x .- y))

# A slider-crank at constant speed, without gravity: piston and connecting rod are moved by the pin alone, which is cut.
(r, L, w, mp, mr) = (0.05, 0.2, 30.0, 0.7, 0.4)
solid(m, c, I) = Solid(massProperties = MassProperties(mass = m, centerOfMass = c, Ixx = I, Iyy = I, Izz = I))
SliderCrank = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), enableContactDetection = false)),
    crank = Object3D(feature = solid(1.0, [0.0, 0.0, 0.0], 1e-3)), crankPin = Object3D(parent = :crank, translation = [r, 0.0, 0.0]),
    rod = Object3D(feature = solid(mr, [L/2, 0.0, 0.0], mr*L^2/12)), rodEnd = Object3D(parent = :rod, translation = [L, 0.0, 0.0]),
    piston = Object3D(feature = solid(mp, [0.0, 0.0, 0.0], 1e-4)),
    drive = RevoluteWithFlange(obj1 = :world, obj2 = :crank, phi = Var(init = nothing), w = Var(init = nothing)), joint = Revolute(obj1 = :crankPin, obj2 = :rod),
    guide = Prismatic(obj1 = :world, obj2 = :piston, axis = 1, s = Var(init = r + L)), pin = Revolute(obj1 = :rodEnd, obj2 = :piston, cut = true))
Turned = Model(w = 0.0, flange = Flange, equations = :[flange.phi = w*time])
Engine = Model(arm = SliderCrank, turn = Turned | Map(w = w), connect = :[(turn.flange, arm.drive.flange)])
engine = @instantiateModel(Engine, unitless = true)
simulate!(engine, DP8(), stopTime = 0.5, interval = 0.002, tolerance = 1e-10)

# On the piston along the guide m a; across it what turns the rod, from its balance of moments about the crank pin. The
# torque at the crank has the power of both.
function closedForm(t)
    (s, c) = (sin(w*t), cos(w*t))
    b = asin(r*s/L)
    b1 = r*w*c/(L*cos(b))
    b2 = (-r*w^2*s/L + b1^2*sin(b))/cos(b)
    v = -r*w*s - L*b1*sin(b)
    a = -r*w^2*c - L*(b2*sin(b) + b1^2*cos(b))
    gv = [-r*w*s - L/2*b1*sin(b), r*w*c - L/2*b1*cos(b)]
    ga = [-r*w^2*c - L/2*(b2*sin(b) + b1^2*cos(b)), -r*w^2*s - L/2*(b2*cos(b) - b1^2*sin(b))]
    fx = mp*a
    moment = -mr*L^2/12*b2 + mr*L/2*(cos(b)*ga[2] + sin(b)*ga[1])
    fy = -(moment/L + fx*sin(b))/cos(b)
    tau = (mp*v*a + mr*(gv[1]*ga[1] + gv[2]*ga[2]) + mr*L^2/12*b1*b2)/w
    return [fx, fy, tau]
end
reference = [closedForm(t) for t in getValues(engine, "time")]
force = getValues(engine, "arm.pin.reactionForce")
@test off(force[:, 1], [f[1] for f in reference]) < 1e-8
@test off(force[:, 2], [f[2] for f in reference]) < 1e-8
@test off(force[:, 3], 0.0*force[:, 3]) < 1e-9
@test off(getValues(engine, "arm.drive.flange.tau"), [f[3] for f in reference]) < 1e-8
@test maximum(force[:, 1]) > 20.0 && maximum(force[:, 2]) > 1.0

# A body on a swinging arm, held by one joint away from its origin: the force is its change of momentum without its weight, the
# torque that of its moment of momentum.
(m, c, I, at) = (2.0, [0.1, -0.2, 0.15], [0.05, 0.08, 0.11], [0.2, 0.1, -0.1])
body = Solid(massProperties = MassProperties(mass = m, centerOfMass = c, Ixx = I[1], Iyy = I[2], Izz = I[3]))
Held(joint; below = 0.0) = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false)),
    arm = Object3D(feature = solid(1.5, [0.5, 0.0, 0.0], 0.2)), tip = Object3D(parent = :arm, translation = [1.0, 0.0, 0.0]),
    body = Object3D(parent = :world, fixedToParent = false, translation = [1.0, -below, 0.0] .- at, angularVelocity = [1.0, -2.0, 3.0], feature = body),
    grip = Object3D(parent = :body, translation = at), hinge = Revolute(obj1 = :world, obj2 = :arm, w = Var(init = 2.0)), joint = joint)

crossed(a, b) = [a[2]*b[3] - a[3]*b[2], a[3]*b[1] - a[1]*b[3], a[1]*b[2] - a[2]*b[1]]
function toWorld(a)
    (s, k) = (sin.(a), cos.(a))
    x = [1.0 0.0 0.0; 0.0 k[1] s[1]; 0.0 -s[1] k[1]]
    y = [k[2] 0.0 -s[2]; 0.0 1.0 0.0; s[2] 0.0 k[2]]
    z = [k[3] s[3] 0.0; -s[3] k[3] 0.0; 0.0 0.0 1.0]
    return transpose(z*y*x)
end
function check(joint; below = 0.0, more = Map())
    held = @instantiateModel(Held(joint, below = below) | more, unitless = true)
    simulate!(held, DP8(), stopTime = 1.0, interval = 0.05, tolerance = 1e-10)
    (angles, w, z, a) = (getValues(held, "body.rot123_abs"), getValues(held, "body.angularVelocity"), getValues(held, "body.der(angularVelocity)"), getValues(held, "body.der(velocity)"))
    (force, torque) = (getValues(held, "joint.reactionForce"), getValues(held, "joint.reactionTorque"))
    (worst, most) = (0.0, 0.0)
    for i in 1:size(angles, 1)
        (R, wi, zi) = (toWorld(angles[i, :]), w[i, :], z[i, :])
        (rc, rg) = (R*c, R*at)
        F = m*(a[i, :] + crossed(zi, rc) + crossed(wi, crossed(wi, rc)) + [0.0, 9.81, 0.0])
        turned(x) = R*(I .* (transpose(R)*x))
        T = turned(zi) + crossed(wi, turned(wi)) - crossed(rg - rc, F)
        worst = max(worst, off(force[i, :], F), off(torque[i, :], T))
        most = max(most, maximum(abs.(F)))
    end
    return worst < 1e-9*most && most > 2.0
end
@test check(Revolute(obj1 = :tip, obj2 = :grip, axis = 2))
@test check(Prismatic(obj1 = :tip, obj2 = :grip, axis = [0.6, 0.0, 0.8]))
@test check(Spherical(obj1 = :tip, obj2 = :grip))
@test check(Universal(obj1 = :tip, obj2 = :grip, axis1 = 1, axis2 = 2))
# A weld is cut where nothing else can be: in a mechanism of its own that flies along.
flying = Map(hinge = nothing, arm = Map(parent = :world, fixedToParent = false, velocity = [1.0, 2.0, 0.0], angularVelocity = [2.0, -1.0, 5.0]))
@test check(Fix(obj1 = :tip, obj2 = :grip), more = flying)
@test check(Rod(obj1 = :tip, obj2 = :grip, length = 0.5), below = 0.5)
