# Chains of one to eight joints, revolute and prismatic in any mix, with drives, are turned around while they move. Their
# base is fixed to the world, their hand flies along with a free carrier. When the hand is fixed to the carrier the base
# lets go, at rest as it was; so nothing changes its motion at that instant: poses, speeds, torques, energy and momentum
# are those of before. From then on it is the system that a twin declares from the other side.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")
include("$(Modia.modelsPath)/Translational.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m, Ixy = 0.03*m,
                                                centerOfMass = [0.05, 0.02, -0.03]))
slides(k, kind) = kind == "sliding" || (kind == "mixed" && k % 3 == 2) || (kind == "other" && k % 2 == 1)
q(k) = 0.2 - 0.07*k
qd(k) = 0.5*(-1)^k + 0.1*k

# A joint with a spring and a damper for a drive. The flange is that of the joint as it was declared, before and after.
Turning(k, tip, body) = Model(
    joint = RevoluteWithFlange(obj1 = tip, obj2 = body, axis = k % 3 + 1, phi = Var(init = q(k)), w = Var(init = qd(k))),
    drive = Model(flange = Flange, equations = :[flange.tau = 8.0*(flange.phi - $(0.2*k)) + 0.3*der(flange.phi)]),
    connect = :[(joint.flange, drive.flange)])
Sliding(k, tip, body) = Model(
    joint = PrismaticWithFlange(obj1 = tip, obj2 = body, axis = k % 3 + 1, s = Var(init = q(k)), v = Var(init = qd(k))),
    drive = Model(flange = TranslationalFlange, equations = :[flange.f = 60.0*(flange.s - 0.1) + 2.0*der(flange.s)]),
    connect = :[(joint.flange, drive.flange)])

# Link by link from the base to the hand. Every second tip is turned.
function Chain(n, kind, base, hand, program, others)
    parts = Any[:world => Object3D(feature = Scene(gap = 1e-6, balance = true)); others;
                :base => base; :baseLock => Object3D(parent = :base, lockable = true);
                :tip0 => Object3D(parent = :base, translation = [0.1, 0.2, 0.0])]
    for k in 1:n
        body, tip = k == n ? :hand : Symbol("body$k"), Symbol("tip$(k-1)")
        push!(parts, body => (k == n ? hand : Object3D(feature = lump(1.0 + 0.2*k))))
        k < n && push!(parts, Symbol("tip$k") => Object3D(parent = body, translation = [0.3, 0.1*(-1)^k, 0.05*k], rotation = [0.2*k, -0.1*k, 0.3]))
        push!(parts, Symbol("axle$k") => (slides(k, kind) ? Sliding(k, tip, body) : Turning(k, tip, body)))
    end
    return Model3D(; parts...,
        handLock = Object3D(parent = :hand, lockable = true, translation = [0.1, 0.0, 0.0]),
        seenHand = SensorResult(object = :hand),
        seenBase = SensorResult(object = :base),
        actions = ModelActions(world = :world, actions = program),
        now = Var(hideResult = true),
        equations = :[now = executeActions(actions)])
end
last(m, name) = getLastValue(m, name, unit = false)
none(actions) = ActionWait(actions, 1.0)
turn(actions) = ActionFlipChain(actions, "handLock", "depot", "baseLock")

function compare(n, kind)
    held = Object3D(parent = :world, assemblyRoot = true, feature = lump(3.0))
    loose = Object3D(assemblyRoot = true, feature = lump(3.0))
    hand = Object3D(assemblyRoot = true, feature = lump(1.5))
    # Where the hand is, and how it moves.
    pilot = @instantiateModel(Chain(n, kind, held, hand, none, []), unitless = true)
    simulate!(pilot, stopTime = 0.0)
    (r, angles, v, w) = [last(pilot, name) for name in ["handLock.r_abs", "hand.rot123_abs", "seenHand.velocity", "seenHand.angularVelocity"]]
    carrier = Object3D(parent = :world, fixedToParent = false, translation = r, rotation = angles,
                       velocity = v + cross(w, r - last(pilot, "hand.r_abs")), angularVelocity = w, feature = lump(4.0))
    others = [:carrier => carrier; :depot => Object3D(parent = :carrier, lockable = true)]
    flipped = @instantiateModel(Chain(n, kind, held, hand, turn, others), unitless = true)
    fixed = Object3D(parent = :carrier, translation = [-0.1, 0.0, 0.0], assemblyRoot = true, feature = lump(1.5))
    twin = @instantiateModel(Chain(n, kind, loose, fixed, none, others), unitless = true)
    for m in [flipped, twin]
        simulate!(m, stopTime = 0.5, tolerance = 1e-9, interval = 0.05)
    end
    names = ["base.r_abs", "base.rot123_abs", "seenHand.velocity", "seenHand.angularVelocity", "seenBase.velocity", "carrier.velocity",
             "carrier.angularVelocity", "balance.kineticEnergy", "balance.momentum", "balance.angularMomentum"]
    for k in 1:n
        append!(names, ["axle$k.joint." * x for x in (slides(k, kind) ? ["s", "v", "flange.f"] : ["phi", "w", "flange.tau"])])
    end
    rows(m, name) = reshape(getValues(m, name, unit = false), length(getValues(m, "time")), :)
    for name in names
        (x, y) = rows(flipped, name), rows(twin, name)
        scale = max(1.0, maximum(abs.(y)))
        # The first point is that of the segment of no length, with the base held; the second one is behind the change.
        @test isapprox(x[1, :], x[2, :], atol = 1e-11*scale)
        @test isapprox(x[end, :], y[end, :], atol = 1e-8*scale)
    end
    # What is fixed to the world has no potential energy; the base, 3 kg with its center at 0.02 m, has it from then on.
    height = rows(flipped, "balance.potentialEnergy")
    @test isapprox(height[2] - height[1], 3.0*9.81*0.02, rtol = 1e-11)
end
for n in 1:8
    for kind in ["turning", "sliding", "mixed", "other"]
        compare(n, kind)
    end
end

# There and back at once: as if nothing had happened.
fro(actions) = begin
    turn(actions)
    ActionFlipChain(actions, "baseLock", "foot", "handLock")
end
function thereAndBack()
    held = Object3D(parent = :world, assemblyRoot = true, feature = lump(3.0))
    hand = Object3D(assemblyRoot = true, feature = lump(1.5))
    still = @instantiateModel(Chain(6, "mixed", held, hand, none, []), unitless = true)
    atRest = Map(; [Symbol("axle$k") => Map(joint = slides(k, "mixed") ? Map(v = 0.0) : Map(w = 0.0)) for k in 1:6]...)
    simulate!(still, stopTime = 0.0, merge = atRest)
    others = [:depot => Object3D(parent = :world, lockable = true, translation = last(still, "handLock.r_abs"));
              :foot => Object3D(parent = :world, lockable = true)]
    walked = @instantiateModel(Chain(6, "mixed", held, hand, fro, others), unitless = true)
    for m in [still, walked]
        simulate!(m, stopTime = 0.5, tolerance = 1e-9, merge = atRest)
    end
    @test get_xNames(still) == get_xNames(walked)
    for k in 1:6
        for x in (slides(k, "mixed") ? ["s", "v", "flange.f"] : ["phi", "w", "flange.tau"])
            @test isapprox(last(walked, "axle$k.joint.$x"), last(still, "axle$k.joint.$x"), atol = 1e-8)
        end
    end
    @test isapprox(last(walked, "handLock.r_abs"), last(still, "handLock.r_abs"), atol = 1e-8)
end
thereAndBack()
