# A workshop of joints: a door, a drawer, a lift and a crane arm; a drill, a table, a screw and a cardan shaft with parts on their flanges; a thrown box
#
# Shows: joints that come with friction, stops and motors, and the joints with several coordinates, whose flanges take everything of the library: stops, friction, motors, springs.
# Expect: each thing rests or moves as computed by hand below.
module Joints

using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/Mechanics3D.jl")
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
last(m, name) = getLastValue(m, name, unit = false)
block(m, x, y, z) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = z), massProperties = MassPropertiesFromShapeAndMass(mass = m))

# ---- joints with several coordinates, without weight: what is on their flanges is all that acts
I = 0.02
tool(m) = Solid(massProperties = MassProperties(mass = m, Ixx = I, Iyy = I, Izz = I))
Flanges = Model(
    bodies = Model3D(
        world = Object3D(feature = Scene(gravityField = NoGravityField())),
        spindle = Object3D(feature = tool(2.0)), drill = CylindricalWithFlanges(obj1 = :world, obj2 = :spindle, v = Var(init = 0.5), w = Var(init = 30.0)),
        plate = Object3D(feature = tool(5.0)), stage = PlanarWithFlanges(obj1 = :world, obj2 = :plate, v1 = Var(init = 1.0), v2 = Var(init = 0.6), w = Var(init = 4.0)),
        nut = Object3D(feature = tool(3.0)), feed = HelicalWithFlange(obj1 = :world, obj2 = :nut, pitch = 0.05),
        fork = Object3D(feature = tool(1.0)), cardan = UniversalWithFlanges(obj1 = :world, obj2 = :fork, w1 = Var(init = 2.0)),
        ring = Object3D(feature = tool(1.0)), sleeve = Cylindrical(obj1 = :world, obj2 = :ring, axis = 1, v = Var(init = 0.3), w = Var(init = 2.0)),
        puck = Object3D(feature = tool(0.2)), ice = Planar(obj1 = :world, obj2 = :puck, v1 = Var(init = 2.0), v2 = Var(init = -1.0), w = Var(init = 5.0)),
        wheel = Object3D(feature = tool(2.0)), axle = RevoluteWithFlange(obj1 = :world, obj2 = :wheel, w = Var(init = 10.0))),
    depth = LinearStop | Map(s_max = 0.3, d = 0.0), chuck = JointFriction | Map(tau_c = 0.1, tau_s = 0.1),
    along = GuideFriction | Map(f_c = 2.0, f_s = 2.0), across = LinearSpring | Map(c = 50.0), wall = FixedPosition, turn = JointFriction | Map(tau_c = 0.05, tau_s = 0.05),
    motor = JointMotor | Map(ratio = 1.0, eta = 1.0, R = 2.0, k = 0.1, J = 1.0e-3), u = ConstantVoltage | Map(V = 6.0), g = Ground,
    limit = RotationalStop | Map(phi_min = -10.0, phi_max = 0.5, c = 500.0, d = 0.0), other = Spring | Map(c = 3.0), post = Fixed,
    rub = LoadedFriction | Map(mu = 0.2, r = 0.05),
    equations = :[rub.load = 100.0],
    connect = :[
        (bodies.drill.flangeS, depth.flange)
        (bodies.drill.flangePhi, chuck.flange)
        (bodies.stage.flangeS1, along.flange)
        (bodies.stage.flangeS2, across.flange_b)
        (across.flange_a, wall.flange)
        (bodies.stage.flangePhi, turn.flange)
        (bodies.feed.flange, motor.flange)
        (bodies.cardan.flange1, limit.flange)
        (bodies.cardan.flange2, other.flange_b)
        (other.flange_a, post.flange)
        (bodies.axle.flange, rub.flange)
        (u.p, motor.p)
        (u.n, motor.n, g.p)
    ])
flanges = @instantiateModel(Flanges, unitless = true)
simulate!(flanges, stopTime = 2.0, tolerance = 1e-9)
# The drill comes back from its stop; its chuck slows down by tau/I. Half a period of the stop takes pi sqrt(m/c).
back = 0.3 - 0.5*(2.0 - 0.6 - pi*sqrt(2.0/1e5))
println("drill ", round(last(flanges, "bodies.drill.s"), digits = 6), " m (", round(back, digits = 6), ")")
@test near(last(flanges, "bodies.drill.s"), back, 1e-5) && near(last(flanges, "bodies.drill.phi"), 30*2 - 0.5*0.1/I*4, 1e-6)
# The plate: friction along (v^2 m/(2 f) = 1.25 m, not yet at rest after 2 s), a spring across, friction about.
@test near(last(flanges, "bodies.stage.s1"), 1.0*2 - 0.5*2.0/5.0*4, 1e-6) && near(last(flanges, "bodies.stage.s2"), 0.6*sqrt(5/50)*sin(2*sqrt(50/5)), 1e-6)
@test near(last(flanges, "bodies.stage.phi"), 4.0^2*I/(2*0.05), 1e-6) && abs(last(flanges, "bodies.stage.w")) < 1e-9
# The screw turns a body and moves it: I + m (pitch/2pi)^2 + J, with the time constant R (sum)/k^2 beside that of the coil.
sum = I + 3.0*(0.05/(2*pi))^2 + 1.0e-3
a, b = 2.0/0.001, 0.1^2/(0.001*sum)
l1, l2 = -a/2 + sqrt(a^2/4 - b), -a/2 - sqrt(a^2/4 - b)
w = 60*(1 + (l2*exp(2*l1) - l1*exp(2*l2))/(l1 - l2))
println("screw ", round(last(flanges, "bodies.feed.w"), digits = 6), " rad/s (", round(w, digits = 6), ")")
@test near(last(flanges, "bodies.feed.w"), w, 1e-6) && near(last(flanges, "motor.motor.w"), w, 1e-6)
# The cross swings between its stop and ... nothing: after 2 s it is on its way back; the other axis stays at rest.
@test near(last(flanges, "bodies.cardan.phi1"), 0.5 - 2.0*(2.0 - 0.25 - pi*sqrt(I/500)), 1e-4) && abs(last(flanges, "bodies.cardan.phi2")) < 1e-9
@test near(last(flanges, "bodies.sleeve.s"), 0.6) && near(last(flanges, "bodies.sleeve.phi"), 4.0) && near(last(flanges, "bodies.ice.s1"), 4.0) && near(last(flanges, "bodies.ice.s2"), -2.0) && near(last(flanges, "bodies.ice.phi"), 10.0)
# A bearing under 100 N: 1 N m stops the wheel after I w/tau.
@test near(last(flanges, "bodies.axle.phi"), 0.5*I*100/1.0) && abs(last(flanges, "bodies.axle.w")) < 1e-9
# A motor with a lead screw on the flange of a slide, in the same way.
Ram = Model(bodies = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())), ram = Object3D(feature = tool(4.0)), slide = PrismaticWithFlange(obj1 = :world, obj2 = :ram)),
            push = SlideMotor | Map(lead = 0.02, eta = 1.0, R = 2.0, k = 0.1, J = 1.0e-4), u = ConstantVoltage | Map(V = 6.0), g = Ground,
            connect = :[(bodies.slide.flange, push.flange); (u.p, push.p); (u.n, push.n, g.p)])
ram = @instantiateModel(Ram, unitless = true)
simulate!(ram, stopTime = 2.0, tolerance = 1e-9)
h = 0.02/(2*pi)
m = 4.0 + 1.0e-4/h^2
b = 0.1^2/(0.001*m*h^2)
l1, l2 = -a/2 + sqrt(a^2/4 - b), -a/2 - sqrt(a^2/4 - b)
@test near(last(ram, "bodies.slide.v"), 60*h*(1 + (l2*exp(2*l1) - l1*exp(2*l2))/(l1 - l2)), 1e-6)

# ---- bodies that fly, with variables that equations see: the way of a throw, and angles that keep away from where they are singular
Thrown = Model3D(world = Object3D(feature = Scene()), a = Object3D(feature = block(1.0, 0.3, 0.2, 0.1)), b = Object3D(feature = block(1.0, 0.3, 0.2, 0.1)),
                 free = FreeMotion(obj1 = :world, obj2 = :a, v = Var(init = [3.0, 6.0, 0.0]), w = Var(init = [0.0, 2.0, 0.0])), free2 = FreeMotion2(obj1 = :world, obj2 = :b, r = Var(init = [0.0, 0.0, 1.0]), v = Var(init = [3.0, 6.0, 0.0]), w = Var(init = [0.0, 0.0, 2.0])))
thrown = @instantiateModel(Thrown, unitless = true)
simulate!(thrown, stopTime = 1.0, tolerance = 1e-9)
for name in ["free.r", "free2.r"]
    r = last(thrown, name)
    @test near(r[1], 3.0) && near(r[2], 6.0 - 0.5*9.81)
end
@test near(last(thrown, "free2.rot")[3], 2.0)

# ---- joints that are ready to use
Ready = Model(
    bodies = Model3D(
        surroundings = surroundings, world = World(nominalLength = 2.0),
        leaf = Object3D(feature = block(20.0, 0.9, 2.0, 0.04)), edge = Object3D(parent = :leaf, translation = [-0.45, 0.0, 0.0]),
        door = RevoluteWithStops(obj1 = :world, obj2 = :edge, axis = 2, w = Var(init = 1.5), phi_min = 0.0, phi_max = 1.6, c = 2000.0, d = 200.0),
        place = Object3D(parent = :world, translation = [1.5, 0.5, 0.0]), box = Object3D(feature = block(4.0, 0.4, 0.15, 0.5)),
        drawer = PrismaticWithFriction(obj1 = :place, obj2 = :box, axis = 3, v = Var(init = 0.8), f_c = 3.0, f_s = 4.0),
        place2 = Object3D(parent = :world, translation = [1.5, 0.8, 0.0]), box2 = Object3D(feature = block(4.0, 0.4, 0.15, 0.5)),
        drawer2 = PrismaticWithStops(obj1 = :place2, obj2 = :box2, axis = 3, v = Var(init = 0.8), s_min = -0.01, s_max = 0.4, d = 500.0),
        place3 = Object3D(parent = :world, translation = [-1.5, 0.0, 0.0]), table = Object3D(feature = block(30.0, 0.8, 0.05, 0.8)),
        lift = PrismaticWithMotor(obj1 = :place3, obj2 = :table, axis = 2, lead = 0.01, eta = 0.6, R = 0.5, k = 0.05),
        place4 = Object3D(parent = :world, translation = [-1.5, 2.0, 0.0]), bar = Object3D(feature = block(3.0, 1.0, 0.08, 0.08)), root = Object3D(parent = :bar, translation = [-0.5, 0.0, 0.0]),
        arm = RevoluteWithMotor(obj1 = :place4, obj2 = :root, ratio = 100.0, eta = 0.8, tau_f = 0.15, R = 1.0, k = 0.05),
        place5 = Object3D(parent = :world, translation = [0.0, 2.5, 0.0]), sign = Object3D(feature = block(2.0, 0.6, 0.3, 0.02)), rod = Object3D(parent = :sign, translation = [0.0, 0.4, 0.0]),
        hanger = RevoluteWithFriction(obj1 = :place5, obj2 = :rod, axis = 3, phi = Var(init = 1.2), tau_c = 0.4, tau_s = 0.4)),
    supply = ConstantVoltage | Map(V = 24.0), hold = ConstantVoltage | Map(V = 0.0), g = Ground,
    connect = :[
        (supply.p, bodies.lift.p)
        (hold.p, bodies.arm.p)
        (supply.n, bodies.lift.n, hold.n, bodies.arm.n, g.p)
    ])
ready = @instantiateModel(Ready, unitless = true)
simulate!(ready, stopTime = 8.0, tolerance = 1e-8)
plot(ready, ["bodies.door.phi", ("bodies.drawer.s", "bodies.drawer2.s"), "bodies.lift.s", ("bodies.arm.phi", "bodies.hanger.phi")], heading = "A door, drawers, a lift, an arm that its gear holds and a sign")
h = 0.01/(2*pi)
println("drawer ", round(last(ready, "bodies.drawer.s"), digits = 4), " m (", round(0.5*4.0*0.64/3.0, digits = 4), "); lift ", round(last(ready, "bodies.lift.v"), digits = 6), " m/s (", round(h*(24 - 0.5*30*9.81*h/(0.6*0.05))/0.05, digits = 6), "); the arm is held with ", round(last(ready, "bodies.arm.joint.flange.tau"), digits = 4), " N m (", 3*9.81*0.5, ")")
@test near(last(ready, "bodies.drawer.s"), 0.5*4.0*0.64/3.0, 2e-3) && abs(last(ready, "bodies.drawer.v")) < 1e-9
@test near(last(ready, "bodies.lift.v"), h*(24 - 0.5*30*9.81*h/(0.6*0.05))/0.05, 1e-6)
@test abs(last(ready, "bodies.arm.phi")) < 1e-9 && near(last(ready, "bodies.arm.joint.flange.tau"), 3*9.81*0.5)
@test 0 <= last(ready, "bodies.door.phi") + 0.01 && maximum(getValues(ready, "bodies.door.phi")) < 1.75
# The sign hangs askew, within the angle whose weight its friction holds.
@test abs(last(ready, "bodies.hanger.w")) < 1e-10 && abs(sin(last(ready, "bodies.hanger.phi"))) <= 0.4/(2*9.81*0.4) + 1e-6

end
