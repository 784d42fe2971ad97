# A fourbar mechanism of uniform rods in the plane of x and y: crank, coupler and rocker between two points of the world.
# The base is along x; gravity is along -y. rev4, the last joint, closes the loop.
Rod(; L, m = 1.0) = Model(
    obj1 = Object3D(feature = Solid(massProperties = MassProperties(mass = m, centerOfMass = [L/2, 0.0, 0.0], Ixx = 0.001, Iyy = m*L^2/12, Izz = m*L^2/12))),
    obj2 = Object3D(parent = :obj1, translation = [L, 0.0, 0.0])
)

Fourbar(l; phi = 1.2, w = 9.0) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false)),
    pivot = Object3D(parent = :world, translation = [l.base, 0.0, 0.0]),
    crank = Rod(L = l.crank), coupler = Rod(L = l.coupler), rocker = Rod(L = l.rocker),
    rev1 = Revolute(obj1 = :world, obj2 = :(crank.obj1), phi = Var(init = phi), w = Var(init = w)),
    rev2 = Revolute(obj1 = :(crank.obj2), obj2 = :(coupler.obj1), phi = Var(init = -0.6)),
    rev3 = Revolute(obj1 = :pivot, obj2 = :(rocker.obj1), phi = Var(init = 2.0)),
    rev4 = Revolute(obj1 = :(coupler.obj2), obj2 = :(rocker.obj2))
)
