# Frames of an animation are the poses of the result at the times of its grid, whatever the solver; events, on the grid or
# between, add none.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")

Servo = Model(
    robot = Model3D(
        world = Object3D(feature = Scene(provideAnimationHistory = true)),
        arm = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.2, thickness = 0.1), solidMaterial = "Steel")),
        hinge = Object3D(parent = :arm, translation = [-0.5, 0.0, 0.0]),
        rev = RevoluteWithFlange(obj1 = :world, obj2 = :hinge, axis = 3, phi = Var(init = nothing), w = Var(init = nothing)),
        box = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 2.0, 0.0], angularVelocity = [3.0, 0.1, 0.2],
                       feature = Solid(shape = Box(lengthX = 0.2), massProperties = 1.0))
    ),
    J = Inertia | Map(J = 0.1, phi = Var(init = 0.5)),
    u = Var(start = 0.0),
    equations = :[
        u = if after(0.5); -2.0 elseif after(0.313); 3.0 else 0.0 end
        J.flange_a.tau = u
    ],
    connect = :[(J.flange_b, robot.rev.flange)]
)
servo = @instantiateModel(Servo, unitless = true)

for solver in [CVODE_BDF(), Tsit5(), IDA()]
    simulate!(servo, solver, stopTime = 1.0, interval = 0.0625, nlinearMinForDAE = 1)
    frames = get_animationHistory(servo, "robot", log = false)
    time = get_result(servo, "time", unit = false)
    @test length(time) == 20      # two events: at 0.313 two points more, at 0.5 one more
    @test frames["time"] == collect(0.0:0.0625:1.0)
    @test collect(keys(frames)) == ["time", "robot.arm", "robot.box"]
    for name in ["robot.arm", "robot.box"], i in 1:17
        r = get_result(servo, name * ".r_abs", unit = false)
        rot = get_result(servo, name * ".rot123_abs", unit = false)
        k = findfirst(t -> t == frames["time"][i], time)
        @test frames[name].positions[i] == r[k, :]
        q = frames[name].quaternions[i]
        @test q[4] >= 0.0
        @test maximum(abs.(Modia3D.from_q(q) - Modia3D.rot123(rot[k, 1], rot[k, 2], rot[k, 3]))) < 1e-14
    end
end
