# A tower that a machine shakes, without and with a tuned mass damper, passive and active.
#
# Shows: a force between two bodies that equations give (actuatorForce of a Bushing) by the acceleration that they see: the
# force changes the acceleration that it depends on, which is a linear system of equations (segue dump blocks).
# The tower of 1000 kg shakes at its natural frequency. A mass of 50 kg on a spring and a damper, tuned as Den Hartog did,
# takes most of it; an actuator that pushes the mass against the acceleration of the tower makes it swing as a mass of 250 kg
# would, and takes most of the rest.
# Expect: amplitudes of the closed forms; the balance closes although an actuator works.
using Modia3D
using Test
@usingModiaPlot

M, m, k, F = 1000.0, 50.0, 4.0e5, 200.0
mu = m/M
w0 = sqrt(k/M)
d1 = 2*0.02*M*w0                          # 2 % of damping of its own
w2 = w0/(1 + mu)
k2 = m*w2^2
d2 = 2*m*w2*sqrt(3*mu/(8*(1 + mu)^3))

block(mass, x, color) = Solid(shape = Box(lengthX = x, lengthY = x, lengthZ = x), visualMaterial = VisualMaterial(color = color),
                              massProperties = MassPropertiesFromShapeAndMass(mass = mass))
Tower(absorber, gain) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), balance = true, nominalLength = 3.0)),
    tower = Object3D(feature = block(M, 1.0, "Steel Blue")),
    slide1 = Prismatic(obj1 = :world, obj2 = :tower, axis = 1),
    ground = Bushing(obj1 = :world, obj2 = :tower, springForceLaw = [k, 0.0, 0.0], damperForceLaw = [d1, 0.0, 0.0]),
    roof = Object3D(parent = :tower, translation = [0.0, 0.0, 0.9]),
    mass = Object3D(feature = block(absorber ? m : 1e-6, 0.5, "Orange")),
    slide2 = Prismatic(obj1 = :roof, obj2 = :mass, axis = 1),
    spring = Bushing(obj1 = :roof, obj2 = :mass, springForceLaw = [k2, 0.0, 0.0], damperForceLaw = [d2, 0.0, 0.0]),
    machine = WorldForce(objectApply = :tower),
    F = F, w0 = w0, gain = gain,
    equations = :[
        machine.force = [F*sin(w0*time), 0.0, 0.0]
        spring.actuatorForce = [gain*tower.a_abs[1], 0.0, 0.0]
    ]
)
# Amplitude of the tower: x = re sin + im cos, both bodies in the two equations of (M + gain) x1'' and m x2'' - gain x1''.
function closedForm(mass, gain)
    stiff = [k + k2 - w0^2*(M + gain)  -k2; w0^2*gain - k2  k2 - w0^2*mass]
    damp = w0*[d1 + d2  -d2; -d2  d2]
    x = [stiff -damp; damp stiff] \ [F, 0.0, 0.0, 0.0]
    return sqrt(x[1]^2 + x[3]^2)
end
for (what, absorber, gain) in [("without an absorber", false, 0.0), ("with it", true, 0.0), ("with an actuator", true, -200.0)]
    tower = @instantiateModel(Tower(absorber, gain), unitless = true)
    simulate!(tower, stopTime = 40.0, tolerance = 1e-8, interval = 0.002)
    x = getValues(tower, "slide1.s")
    amplitude = maximum(abs.(x[end-2000:end]))
    expected = closedForm(absorber ? m : 1e-6, gain)
    println(what, ": ", round(1000*amplitude, digits = 3), " mm, expected ", round(1000*expected, digits = 3), " mm")
    @test abs(amplitude - expected) < 2e-4*expected
    e(name) = getValues(tower, "balance.$name")
    lost = e("kineticEnergy") + e("potentialEnergy") + e("springEnergy") + e("dissipatedEnergy") - e("suppliedEnergy")
    @test maximum(abs.(lost .- lost[1])) < 1e-5*maximum(e("suppliedEnergy"))
    if gain != 0.0
        plot(tower, [("slide1.s"), ("slide2.s"), ("spring.actuatorForce")], heading = "An active mass damper")
    end
end
