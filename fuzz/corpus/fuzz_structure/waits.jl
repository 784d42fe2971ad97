using Modia3D
lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m))
work(actions) = begin
    ActionWaitUntil(actions, "b", "c"; closer = 0.2)
    ActionAttach(actions, "lock", "lock2"; impulse = true)
    ActionWaitUntil(actions, "lock"; force = 0.5)
    ActionRelease(actions, "lock"; enableContactDetection = false)
    ActionDelete(actions, "lock2")
end
Pick = Model3D(
    world = Object3D(feature = Scene(gap = 0.3)),
    spot = Object3D(parent = :world, lockable = true, translation = [0.3, 0.0, 0.0]),
    a = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump(2.0)),
    depot = Object3D(parent = :a, lockable = true, translation = [0.3, 0.0, 0.0]),
    b = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.3, 0.0, 0.0], feature = lump(1.0)),
    lock = Object3D(parent = :b, lockable = true),
    c = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.3, 0.3, 0.0], velocity = [0.0, -1.0, 0.0], feature = lump(0.5)),
    lock2 = Object3D(parent = :c, lockable = true),
    actions = ModelActions(world = :world, actions = work),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)])
pick = @instantiateModel(Pick, unitless = true)
simulate!(pick, stopTime = 0.5, interval = 0.1)
