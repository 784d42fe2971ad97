# What hangs on a joint lies on things, too: a lever on its post, by the balance of torques, and a box between jaws that slide.
# Differences of Jacobians that lift such a body off see no stiffness: levers of 1 cm and less never came to rest.
using Modia3D, Test

g = 9.81
steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
scene() = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1])))

# ---- a lever that falls on its post --------------------------------------------------------------------------------------
# Weight times half of its length is force times where the middle of pressure is; depth by the pressure and both foundations.
modulus = 2e11*0.7/(1.3*0.4)
function lever(s, from, method, tolerance)
    Lever = Model3D(world = scene(), post = Object3D(parent = :world, translation = [0.75*s, 0, -0.25*s], feature = steel(Box(lengthX = 0.05*s, lengthY = 0.2*s, lengthZ = 0.5*s))),
        beam = Object3D(feature = steel(Box(lengthX = s, lengthY = 0.1*s, lengthZ = 0.1*s))), hub = Object3D(parent = :beam, translation = [-s/2, 0, -0.05*s]),
        hinge = Revolute(obj1 = :world, obj2 = :hub, axis = 2, phi = Var(init = from), w = Var(init = 0.0)), touch = ContactResult(object1 = :beam, object2 = :post))
    m = @instantiateModel(Lever, unitless = true)
    simulate!(m, method, stopTime = 1.0, tolerance = tolerance, interval = 0.01)
    phi, at = getValues(m, "hinge.phi"), getValues(m, "touch.positionVector")[end, 1]
    weight = 8000*0.01*s^3*g
    @test abs(getValues(m, "touch.normalForce")[end]*at/(weight*s/2) - 1) < 1e-5
    @test abs(phi[end] - phi[80]) < 1e-12
    # The column is as thick as the thinner side of the post and as the beam.
    @test abs(phi[end]*0.75*s/(weight*2/3/(0.05*0.1*s^2)*(0.05*s + 0.1*s)/modulus) - 1) < 0.02
end
for (s, method, tolerance) in [(0.001, CVODE_BDF(), 1e-6), (0.001, CVODE_BDF(), 1e-8), (0.003, CVODE_BDF(), 1e-7), (0.01, CVODE_BDF(), 1e-8), (0.01, IDA(), 1e-7), (0.01, Rodas5(), 1e-7), (1.0, CVODE_BDF(), 1e-7)], from in [-0.0002, -0.0003]
    lever(s, from, method, tolerance)
end

# ---- a vise ------------------------------------------------------------------------------------------------------------------
# A jaw on a slide presses a box with 20 times its weight; friction carries it.
drive = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
for s in [0.001, 0.02, 1.0], gap in [0.0, 1e-3]
    weight = 8000*s^3*g
    jaw() = steel(Box(lengthX = s, lengthY = 2*s, lengthZ = 2*s))
    Vise = Model3D(world = scene(), jaw1 = Object3D(parent = :world, translation = [s, 0, 0], feature = jaw()), jaw2 = Object3D(feature = jaw()),
        slide = PrismaticWithFlange(obj1 = :world, obj2 = :jaw2, axis = 1, s = Var(init = -s*(1 + gap))), drive = drive, connect = :[(slide.flange, drive.flange)],
        box = Object3D(parent = :world, fixedToParent = false, feature = steel(Box(lengthX = s, lengthY = s, lengthZ = s))), force = 20*weight, equations = :[drive.u = force],
        touch1 = ContactResult(object1 = :box, object2 = :jaw1), touch2 = ContactResult(object1 = :box, object2 = :jaw2))
    m = @instantiateModel(Vise, unitless = true)
    simulate!(m, stopTime = 2.0, tolerance = 1e-7, interval = 0.01)
    @test abs(getValues(m, "touch1.normalForce")[end]/(20*weight) - 1) < 1e-6
    @test abs(getValues(m, "touch2.normalForce")[end]/(20*weight) - 1) < 1e-6
    @test abs((getValues(m, "touch1.forceVector")[end, 3] + getValues(m, "touch2.forceVector")[end, 3])/weight - 1) < 1e-6
    z = getValues(m, "box.translation")[:, 3]
    @test abs(z[end] - z[100]) < 1e-9
end
