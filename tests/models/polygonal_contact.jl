# PolygonalContactModel against closed forms: a block that stands on a floor, is dropped on it, and slides over it.
using Modia3D
using Test

g, mass, area, mu = 9.81, 4.0, 0.04, 0.2
stiffness = (1 - 0.3)/((1 + 0.3)*(1 - 0.6))*2e5/0.02
mesh(m; scale = [1.0, 1.0, 1.0]) = Solid(shape = FileMesh(filename = "block.obj", scale = scale), massProperties = m)

layer = Map(task = 3, bodyF_YoungsModulus = 2e5, bodyF_PoissonsRatio = 0.3, bodyF_LayerDepth = 0.02, maxPenetration = 0.01,
            frictionRegularizationVelocity = 1e-4)
function lies(changes; v = [0.0, 0.0, 0.0], deep = 0.0, stop = 1.0)
    Lie = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), balance = true)),
                  floor = Object3D(parent = :world, translation = [0.0, 0.0, -0.1], feature = mesh(1.0, scale = [20.0, 20.0, 2.0])),
                  block = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 0.05 - deep], velocity = v, feature = mesh(mass)),
                  contact = PolygonalContactModel(obj1 = :floor, obj2 = :block) | layer | changes)
    model = @instantiateModel(Lie, unitless = true)
    simulate!(model, stopTime = stop, tolerance = 1e-10, interval = stop/500)
    total = getValues(model, "balance.totalEnergy") + getValues(model, "balance.dissipatedEnergy") - getValues(model, "balance.suppliedEnergy")
    @test maximum(total) - minimum(total) < 1e-6
    return model
end
last(model, name) = getValues(model, name)[end]
z(model) = getValues(model, "block.translation")[:, 3] .- 0.05

# It sinks until c A u = m g; the softer both are, the more. Counts, area and pressure are those of the bottom.
sinks = mass*g/(stiffness*area)
stands = lies(Map(compressionArealDampingFactor = 2e5, expansionArealDampingFactor = 2e5), stop = 2.0)
@test abs(z(stands)[end] + sinks) < 1e-9
@test last(stands, "contact.numContactElements") == 32 && abs(last(stands, "contact.contactPatchArea") - area) < 1e-12
@test abs(last(stands, "contact.weightedPressure") - mass*g/area) < 1e-4 && abs(last(stands, "contact.maxPenetration") - sinks) < 1e-9
@test norm(getValues(stands, "contact.forceVector")[end, :] - [0.0, 0.0, mass*g]) < 1e-5 # on the block
@test norm(getValues(stands, "contact.weightedNormal")[end, :] - [0.0, 0.0, -1.0]) < 1e-12
both = Map(bodyE_YoungsModulus = 2e5, bodyE_PoissonsRatio = 0.3, bodyE_LayerDepth = 0.02, compressionArealDampingFactor = 2e5,
           expansionArealDampingFactor = 2e5)
@test abs(z(lies(both, stop = 2.0))[end] + 2*sinks) < 1e-9

# Without damping it swings about that: sinks (1 - cos(w t)), w = sqrt(c A/m).
w = sqrt(stiffness*area/mass)
swings = lies(Map(), stop = 3.3*2*pi/w)
t = getValues(swings, "time")
@test maximum(abs.(z(swings) + sinks*(1 .- cos.(w*t)))) < 1e-6*sinks
# With it, faster than that it leaves: m z'' = -c A z - d A z' until the force is zero.
d = 0.1*2*sqrt(stiffness*area*mass)/area
damped = lies(Map(compressionArealDampingFactor = d, expansionArealDampingFactor = d), stop = 2*2*pi/w)
t = getValues(damped, "time")
wd = w*sqrt(1 - 0.01)
exact = [sinks*(1 - exp(-0.1*w*x)*(cos(wd*x) + 0.1*w/wd*sin(wd*x))) for x in t]
@test maximum(abs.(z(damped) + exact)) < 1e-6*sinks

# It slides with mu g until it stands: v^2/(2 mu g) far, and by a tilt of 2e-4 rad, which its bottom pushes along, 0.1 % farther.
slides = lies(Map(compressionArealDampingFactor = d, expansionArealDampingFactor = d, frictionCoefficient = mu), v = [0.6, 0.8, 0.0], deep = sinks)
x = getValues(slides, "block.translation")[end, :]
@test abs(norm(x[1:2]) - 1/(2*mu*g)) < 4e-4 && abs(x[1]/x[2] - 0.75) < 1e-4
@test abs(last(slides, "balance.dissipatedEnergy") - mass/2) < 1e-3
early = [i for i in 1:500 if getValues(slides, "time")[i] < 0.3]
@test maximum(abs.(getValues(slides, "contact.weightedTraction")[early] - mu*getValues(slides, "contact.weightedPressure")[early])) < 1e-9*mass*g/area
