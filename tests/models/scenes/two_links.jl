# An arm of two links that swings in a plane, and the equations of Lagrange for it, with torques written in the
# accelerations a1, a2.
TwoLinks(joint1, joint2) = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.4, 0, 0], Ixx = 0.1, Iyy = 0.2, Izz = 0.2))),
    elbow = Object3D(parent = :a, translation = [1.0, 0, 0]),
    b = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.5, centerOfMass = [0.3, 0, 0], Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    r1 = joint1(obj1 = :world, obj2 = :a, phi = Var(init = 0.3), w = Var(init = 0.2)),
    r2 = joint2(obj1 = :elbow, obj2 = :b, phi = Var(init = -0.5), w = Var(init = 0.7))
)
TwoLinksOfLagrange(T1, T2) = Model(
    q1 = Var(init = 0.3), q2 = Var(init = -0.5), w1 = Var(init = 0.2), w2 = Var(init = 0.7),
    equations = :[
        der(q1) = w1
        der(q2) = w2
        M12 = 0.1 + 1.5*(0.09 + 0.3*cos(q2))
        h = 1.5*0.3*sin(q2)
        (0.3 + 2.0*0.16 + 1.5*(1.09 + 0.6*cos(q2)))*a1 + M12*a2 - h*w2^2 - 2*h*w1*w2 + 9.81*(0.8*cos(q1) + 1.5*(cos(q1) + 0.3*cos(q1 + q2))) = $T1
        M12*a1 + (0.1 + 1.5*0.09)*a2 + h*w1^2 + 9.81*1.5*0.3*cos(q1 + q2) = $T2
        der(w1) = a1
        der(w2) = a2
    ]
)
