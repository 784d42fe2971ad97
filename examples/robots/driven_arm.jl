# An arm on a hinge that waits for a torque: the plant for a controller in another tool.
#
# Shows: an input and outputs at the top level, for `segue export`; driven_arm.py beside this file is the
# other tool. Here the input keeps its start value, the torque that holds the arm where it begins.
# Expect: the arm stays at -pi/2, hanging down, since no torque is needed there.
using Modia3D
using Test

Arm = Model3D(
    torque = Var(input = true, start = 0.0u"N*m"),
    phi = Var(output = true),
    w = Var(output = true),
    world = Object3D(feature = Scene(enableContactDetection = false)),
    beam = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.1, thickness = 0.1),
                                    solidMaterial = "Aluminium")),
    shoulder = Object3D(parent = :beam, translation = [-0.5, 0.0, 0.0]),
    joint = RevoluteWithFlange(axis = 3, obj1 = :world, obj2 = :shoulder,
                               phi = Var(init = -pi/2), w = Var(init = 0.0)),
    equations = :[
        joint.flange.tau = torque
        phi = joint.phi
        w = joint.w
    ])

arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 3.0, tolerance = 1e-6)
@test abs(getLastValue(arm, "phi") + pi/2) < 1e-6
