# Peaks of contacts against Hertz' impact, whatever the output interval, the tolerance and the solver.
#
# Without damping the deepest penetration is (5 m v^2/(4 k))^(2/5), and the largest force k times that to the power 1.5.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_elastic.txt")
steel(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
E, nu, density = 2e11, 0.3, 8000.0
stiffness(R) = 4/3*E/(2*(1 - nu^2))*sqrt(R)
mass(R) = density*4/3*pi*R^3
peak(R, v) = (5*mass(R)*v^2/(4*stiffness(R)))^0.4

function impact(R, v, touch)
    wall = Object3D(parent = :world, translation = [-R, 0.0, 0.0], feature = steel(Box(lengthX = 2*R, lengthY = 20*R, lengthZ = 20*R), touch))
    ball = Object3D(parent = :world, fixedToParent = false, translation = [2*R, 0.0, 0.0], velocity = [-v, 0.0, 0.0], feature = steel(Sphere(diameter = 2*R), touch))
    @instantiateModel(Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())), wall = wall, ball = ball), unitless = true)
end

# The whole flight takes 2 R/v, the contact a thousandth of it, and there are three points of output in it.
function check(m, R, v, solver, tolerance, interval, accuracy)
    simulate!(m, solver, stopTime = 2*R/v, tolerance = tolerance, interval = interval*R/v, dtmax = R/v)
    c = Modia3D.contactTable(m)
    depth, lasts = peak(R, v), 2.943275*peak(R, v)/v
    @test length(c[:begin]) == 1
    @test c[:object1] == ["wall"] && c[:object2] == ["ball"]
    @test abs(c[:begin][1]*v/R - 1) < accuracy
    @test abs((c[:end][1] - c[:begin][1])/lasts - 1) < 2*accuracy
    @test abs(c[:speed][1]/v - 1) < accuracy
    @test abs(c[:depth][1]/depth - 1) < accuracy
    @test abs(c[:force][1]/(stiffness(R)*depth^1.5) - 1) < 2*accuracy
    @test abs((c[:depthTime][1] - c[:begin][1])/lasts - 0.5) < 0.02
    @test abs((c[:forceTime][1] - c[:begin][1])/lasts - 0.5) < 0.02
    @test c[:impulse] == [0.0]
    # The signal tells the same, at the point behind the impact.
    deepest = getValues(m, "contacts.deepest")
    @test abs(maximum(deepest)/c[:depth][1] - 1) < 1e-6
    @test deepest[1] == 0.0 && deepest[end] == 0.0
    return c[:depth][1], c[:force][1]
end

small = impact(0.01, 2.0, "Spring")
numbers = [check(small, 0.01, 2.0, CVODE_BDF(), 1e-6, interval, 1e-3) for interval in [1.0, 0.3, 0.01, 1e-4]]
@test all(numbers[k] == numbers[1] for k in 2:4)  # nothing depends on the output
for (solver, tolerance) in [(CVODE_BDF(), 1e-5), (CVODE_BDF(), 1e-8), (Tsit5(), 1e-5), (Tsit5(), 1e-8), (DP8(), 1e-6), (IDA(), 1e-6)]
    check(small, 0.01, 2.0, solver, tolerance, 0.7, 1e-3)
end
for R in [1e-4, 10.0], v in [0.1, 30.0]
    check(impact(R, v, "Spring"), R, v, Tsit5(), 1e-6, 0.7, 1e-3)
end

# With damping the force is largest before the depth is; both are those of a run with many points in the contact.
dull = impact(0.01, 2.0, "Dull")
simulate!(dull, stopTime = 0.01, tolerance = 1e-6, interval = 0.01)
c = Modia3D.contactTable(dull)
@test c[:forceTime][1] < c[:depthTime][1]
simulate!(dull, Tsit5(), stopTime = 0.01, tolerance = 1e-9, interval = 1e-6)
fine = Modia3D.contactTable(dull)
@test abs(fine[:depth][1]/maximum(getValues(dull, "contacts.deepest")) - 1) < 1e-6
@test abs(c[:depth][1]/fine[:depth][1] - 1) < 1e-3 && abs(c[:force][1]/fine[:force][1] - 1) < 1e-3
