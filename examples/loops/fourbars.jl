# A row of N fourbars that share their cranks: a benchmark of the multibody community. 2N + 1 uniform rods of 1 m and 1 kg,
# cranks upright at the start, the first moving joint at 1 m/s along x, 20 s under gravity.
#
# Shows: a mechanism of any size built by a loop; singular positions, as all rods are in line twice a turn.
# Expect: all cranks turn alike, and the energy stays; the time grows in proportion to N (bench/fourbars_bench.sh).
using Modia3D
using Test
@usingModiaPlot

N = 5
rod(d) = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = 0.5*d, Ixx = d[1] > 0.5 ? 1e-4 : 1/12, Iyy = d[2] > 0.5 ? 1e-4 : 1/12, Izz = 1/12))
look(d, color) = Visual(shape = Beam(axis = d[1] > 0.5 ? 1 : 2, length = 1.0, width = 0.08, thickness = 0.04), visualMaterial = VisualMaterial(color = color))
function mechanism(N)
    m = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false, balance = true)))
    for i in 0:N
        m[Symbol("pivot$i")] = Object3D(parent = :world, translation = [1.0*i, 0.0, 0.0])
        m[Symbol("crank$i")] = Object3D(feature = rod([0.0, 1.0, 0.0]))
        m[Symbol("crankShape$i")] = Object3D(parent = Symbol("crank$i"), translation = [0.0, 0.5, 0.0], feature = look([0.0, 1.0, 0.0], "Red"))
        m[Symbol("top$i")] = Object3D(parent = Symbol("crank$i"), translation = [0.0, 1.0, 0.0])
        m[Symbol("foot$i")] = Revolute(obj1 = Symbol("pivot$i"), obj2 = Symbol("crank$i"), w = Var(init = -1.0))
        if i > 0
            k = i - 1
            m[Symbol("bar$i")] = Object3D(feature = rod([1.0, 0.0, 0.0]))
            m[Symbol("barShape$i")] = Object3D(parent = Symbol("bar$i"), translation = [0.5, 0.0, i % 2 == 0 ? 0.05 : -0.05], feature = look([1.0, 0.0, 0.0], "Blue"))
            m[Symbol("end$i")] = Object3D(parent = Symbol("bar$i"), translation = [1.0, 0.0, 0.0])
            m[Symbol("head$i")] = Revolute(obj1 = Symbol("top$k"), obj2 = Symbol("bar$i"), w = Var(init = 1.0))
            m[Symbol("tail$i")] = Revolute(obj1 = Symbol("top$i"), obj2 = Symbol("end$i"))
        end
    end
    return m
end

Fourbars = mechanism(N)
fourbars = @instantiateModel(Fourbars, unitless = true)
simulate!(fourbars, Tsit5(), stopTime = 20.0, interval = 0.1, tolerance = 1e-8)
plot(fourbars, ["foot0.w", "tail1.reactionForce", "balance.totalEnergy"], figure = 1)

energy = getValues(fourbars, "balance.totalEnergy")
@test maximum(abs.(energy .- energy[1])) < 1e-7*(maximum(getValues(fourbars, "balance.kineticEnergy")))
@test maximum(abs.(getValues(fourbars, "foot0.phi") .- getValues(fourbars, "foot$N.phi"))) < 1e-10
