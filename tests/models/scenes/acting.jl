# A Model3D whose parts an action program moves, and short names for its results.
using Modia3D

Acting(program; parts...) = Model3D(; parts...,
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)])
signal(m, name) = getValues(m, name, unit = false)
last(m, name) = getLastValue(m, name, unit = false)
