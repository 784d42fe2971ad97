# PolygonalContactModel between two free blocks that hit each other askew: momenta stay, energy never grows, and neither the order of the
# two, nor the units of length, nor the solver matter.
using Modia3D
using Test

# Lengths are `s` times, masses and times stay: forces grow by s, so stiffness [N/m3] and damping [N s/m3] by s^-2.
function strike(; task = 3, s = 1.0, swapped = false, solver = CVODE_BDF(), tolerance = 1e-9)
    block(r, v, w, turn) = Object3D(parent = :world, fixedToParent = false, translation = s*r, velocity = s*v, angularVelocity = w, rotation = turn,
        feature = Solid(shape = FileMesh(filename = "block.obj", scale = [s, s, s]), massProperties = MassProperties(mass = 2.0, Ixx = 0.01*s^2, Iyy = 0.015*s^2, Izz = 0.02*s^2)))
    upper = block([0.03, 0.02, 0.13], [0.3, 0.1, -0.8], [0.2, -0.1, 0.5], [0.1, 0.05, 0.3])
    lower = block([0.0, 0.0, 0.0], [0.0, 0.0, 0.1], [0.0, 0.3, 0.0], [pi, 0.0, 0.0])
    # E and F are the lower and the upper one, which is soft; the other way round the task is the other one.
    first, second = swapped ? (:upper, :lower) : (:lower, :upper)
    layer = swapped ? Map(bodyE_YoungsModulus = 2e5/s, bodyE_LayerDepth = 0.02*s) : Map(bodyF_YoungsModulus = 2e5/s, bodyF_LayerDepth = 0.02*s)
    Strike = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)), upper = upper, lower = lower,
                     contact = PolygonalContactModel(obj1 = first, obj2 = second, task = swapped && task > 1 ? 5 - task : task, maxPenetration = 0.02*s,
                                                     compressionArealDampingFactor = 2e4/s^2, frictionCoefficient = 0.3,
                                                     frictionRegularizationVelocity = 1e-2*s) | layer)
    model = @instantiateModel(Strike, unitless = true)
    simulate!(model, solver, stopTime = 0.3, tolerance = tolerance, interval = 0.001)
    p, L = getValues(model, "balance.momentum")/s, getValues(model, "balance.angularMomentum")/s^2
    @test maximum(abs.(p .- p[1:1, :])) < 1e-12
    @test maximum(abs.(L .- L[1:1, :])) < 1e-7
    area = getValues(model, "contact.contactPatchArea")
    energy = getValues(model, "balance.kineticEnergy")[area .== 0.0]/s^2
    @test maximum(area) > 1e-4*s^2 && maximum(energy[2:end] - energy[1:end - 1]) < 1e-9*energy[1] && energy[end] < 0.95*energy[1]
    return vcat(getLastValue(model, "upper.velocity")/s, getLastValue(model, "upper.angularVelocity"))
end

ends = [strike(task = task) for task in 1:3]
println(ends)
for task in 1:3
    @test norm(strike(task = task, swapped = true) - ends[task]) < 1e-5
end
@test norm(strike(solver = IDA()) - ends[3]) < 1e-5
@test norm(strike(solver = Tsit5()) - ends[3]) < 1e-5
for s in [1e-3, 1e3]
    @test norm(strike(s = s) - ends[3]) < 1e-4
end
