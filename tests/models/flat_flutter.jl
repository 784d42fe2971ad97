# Friction holds a body where it is, also where little of a face carries it: forces of a patch that sticks have a potential, so
# that nothing feeds a swing. A cube on a slope near tipping, a sixth of its face in contact, comes to rest under every solver.
using Modia3D, Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_contact.txt")
rough(x, y, z) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = z), solidMaterial = "Steel", contactMaterial = "Rough", collision = true)
Slope(ratio, size) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [sin(atan(0.9*ratio)), 0, -cos(atan(0.9*ratio))]), enableContactDetection = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -size/4], feature = rough(10*size, 10*size, size/2)),
    box = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, size/2], feature = rough(size, size, size)))

for (ratio, size, solver) in [(0.99, 0.2, CVODE_BDF()), (0.99, 0.2, IDA()), (0.99, 0.2, Rodas5()), (0.9, 0.2, KenCarp4()), (0.95, 0.02, CVODE_BDF()), (0.95, 1.0, CVODE_BDF())]
    m = @instantiateModel(Slope(ratio, size), unitless = true)
    (A, x) = linearize!(m, solver, stopTime = 10.0, tolerance = 1e-6, interval = 0.5)
    t, place = ustrip.(get_result(m, "time")), get_result(m, "box.translation")
    late = [i for i in 1:length(t) if t[i] > 2.0]
    @test maximum(abs.(place[late, 1] .- place[end, 1])) < 1e-9
    @test maximum(abs.(place[late, 2] .- place[end, 2])) < 1e-9
    @test maximum(abs.(place[late, 3] .- place[end, 3])) < 1e-9
    @test maximum(abs.(getLastValue(m, "box.velocity"))) < 1e-9
end

# A cube that spins while it lands does not stay in place if it is not quite upright: friction below its center of mass feeds the
# swing. Methods and tolerances agree on where it goes.
Landing(tilts) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), enableContactDetection = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = Solid(shape = Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true)),
    cube = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.1001], angularVelocity = [tilts, 0, 20],
        feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), solidMaterial = "Steel", collision = true)))
ends = []
for (solver, tol) in [(CVODE_BDF(), 1e-10), (IDA(), 1e-10), (Rodas5(), 1e-7), (Rodas5(), 1e-8)]
    m = @instantiateModel(Landing(1e-4), unitless = true)
    simulate!(m, solver, stopTime = 0.035, tolerance = tol)
    push!(ends, getLastValue(m, "cube.translation"))
end
@test abs(ends[4][2]) > 3e-5
for e in ends
    @test maximum(abs.(e - ends[4])) < 1e-7
end
