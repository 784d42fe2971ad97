using Modia3D
lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m))
work(actions) = begin
    ActionAttach(actions, "lock", "depot")
    ActionWait(actions, 0.1)
    ActionRelease(actions, "lock")
    ActionDelete(actions, "lock")
end
Pick = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump(2.0)),
    depot = Object3D(parent = :a, lockable = true, translation = [0.3, 0.0, 0.0]),
    b = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.3, 0.0, 0.0], feature = lump(1.0)),
    lock = Object3D(parent = :b, lockable = true),
    actions = ModelActions(world = :world, actions = work),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)])
pick = @instantiateModel(Pick, unitless = true)
simulate!(pick, stopTime = 0.5, interval = 0.1)
