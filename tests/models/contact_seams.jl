# A ball that rolls over flush plates loses no more than on one long plate: rounded edges make no groove where two boxes of one
# body meet (src/elements/flush.c). Before, each seam took up to 0.3 % of the speed, and the ball jumped.
using Modia3D
using Test

# Plates of 10 cm, in a row or in two rows, or one of their size; all `size` times as large. `turned`: every other plate stands on its head or on its side.
function roll(n, v, d, radius; rows = 1, turned = false, moving = false, gap = 0.0, method = CVODE_BDF(), size = 1.0)
    s(shape; more...) = Solid(shape = shape, solidMaterial = "Steel", collision = true; more...)
    M = Model3D(world = Object3D(feature = Scene()), table = Object3D(parent = :world))
    for i in 1:n, k in 1:rows
        long, wide, thick = n == 1 ? size : 0.1*size, 0.2*size/rows, 0.02*size
        on_side = turned && iseven(i)
        box = on_side ? Box(lengthX = thick, lengthY = long, lengthZ = wide) : Box(lengthX = long, lengthY = thick, lengthZ = wide)
        M[Symbol("plate$(i)_$k")] = Object3D(parent = :table, translation = [(i - 0.5)*long + (i - 1)*gap - 0.05*size, -0.5*thick, (k - 0.5)*wide - 0.1*size],
                                             rotation = [0.0, 0.0, on_side ? pi/2 : 0.0], feature = s(box, collisionSmoothingRadius = radius))
    end
    M[:ball] = Object3D(parent = :world, fixedToParent = false, translation = [0.0, d/2, 0.0], velocity = [v, 0.0, 0.0],
                        angularVelocity = [0.0, 0.0, -2*v/d], feature = s(Sphere(diameter = d)))
    m = @instantiateModel(M, unitless = true)
    simulate!(m, method, stopTime = 0.8*size/v, tolerance = 1e-7)
    heights = getValues(m, "ball.translation")[:, 2]
    return getLastValue(m, "ball.velocity")[1]/v, maximum(heights) - minimum(heights)
end

for d in [0.02, 0.05], method in [CVODE_BDF(), IDA()]
    alone, sinks = roll(1, 1.0, d, 0.001, method = method)
    for (radius, turned) in [(0.001, false), (0.002, false), (0.0001, true), (0.0, false)]
        seams, moved = roll(10, 1.0, d, radius, turned = turned, method = method)
        @test abs(seams - alone) < 2e-5 # of eight seams
        @test moved < 2*sinks
    end
end
# Balls of 1 mm on plates of 2 mm, and of 2 m on plates of 10 m, at a speed that is in proportion.
for (size, d, loses) in [(0.02, 0.001, 2e-6), (100.0, 2.0, 1e-4)]
    alone, sinks = roll(1, sqrt(size), d, 0.001*size, size = size)
    seams, moved = roll(10, sqrt(size), d, 0.001*size, size = size)
    @test abs(seams - alone) < loses
end
# Along a seam, across others: four plates meet.
alone, sinks = roll(1, 1.0, 0.05, 0.001)
seams, moved = roll(10, 1.0, 0.05, 0.001, rows = 2)
@test abs(seams - alone) < 1e-4
@test moved < 2*sinks
# Slowly, with resistance to rolling at each of two contacts for as long as both are there.
alone, sinks = roll(1, 0.1, 0.05, 0.001)
seams, moved = roll(10, 0.1, 0.05, 0.001)
@test abs(seams - alone) < 1e-3
@test moved < 2*sinks
# A gap that is one stays a groove: the ball sinks into it.
seams, moved = roll(10, 0.1, 0.05, 0.001, gap = 1e-3)
@test moved > 1e-5
