# Painleve's rod: pushed ahead over a rough floor, it jams where mu > ((L^2 + b^2)/12 + x^2)/(x z), (x, z) the edge that touches as seen from the center of mass.
# For rigid bodies there is no force then that fits. With elastic ones the touch grows until the edge stands still, however gently it began; below the
# limit it glances off. Both sides of both angles where 1.4 is the limit; no weight, so that nothing else turns it.
using Modia3D, Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_contact.txt")
mu = 1.4
chalk(shape) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = "Chalk", collision = true)
edge(L, b, tilt) = [-L/2*sin(tilt) + b/2*cos(tilt), -L/2*cos(tilt) - b/2*sin(tilt)]
function limit(L, b, tilt)
    x, z = edge(L, b, tilt)
    return ((L^2 + b^2)/12 + x^2)/(x*z)
end
# The part of its speed that is left.
function left(L, b, tilt, approach, method)
    Rod = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 0.0, n = [0, 0, -1]))),
        floor = Object3D(parent = :world, translation = [0, 0, -0.1*L], feature = chalk(Box(lengthX = 40*L, lengthY = 2*L, lengthZ = 0.2*L))),
        # In its plane: free, it twists away about its own axis, since mu > tan(tilt).
        ahead = Object3D(), above = Object3D(), rod = Object3D(feature = chalk(Box(lengthX = b, lengthY = 0.1*L, lengthZ = L))),
        x = Prismatic(obj1 = :world, obj2 = :ahead, axis = 1, v = Var(init = -1.0)),
        z = Prismatic(obj1 = :ahead, obj2 = :above, axis = 3, s = Var(init = -edge(L, b, tilt)[2] + 1e-9*L), v = Var(init = -approach)),
        turn = Revolute(obj1 = :above, obj2 = :rod, axis = 2, phi = Var(init = tilt)))
    m = @instantiateModel(Rod, unitless = true)
    simulate!(m, method, stopTime = 0.5*L, tolerance = 1e-7)
    return -getLastValue(m, "x.v")
end
# Where the limit is 1.4, the smaller and the larger angle.
function angle(L, b, low, high)
    for k in 1:50
        mid = (low + high)/2
        limit(L, b, mid) > mu ? (low = mid) : (high = mid)
    end
    return low
end
for (L, b, method) in [(1.0, 0.02, CVODE_BDF()), (1.0, 0.02, IDA()), (1.0, 0.02, Rodas5()), (0.01, 0.0002, CVODE_BDF()), (1.0, 0.005, CVODE_BDF()), (10.0, 0.2, CVODE_BDF())]
    for (low, high) in [(0.2, 0.5), (0.9, 0.5)]
        at = angle(L, b, low, high)
        towards = low < high ? 1.0 : -1.0
        @test left(L, b, at - 0.01*towards, 1e-5, method) > 0.99
        @test left(L, b, at + 0.03*towards, 1e-5, method) < 0.75
    end
    # Well inside it jams from any approach, and as hard.
    @test abs(left(L, b, 0.5, 1e-5, method)/left(L, b, 0.5, 1e-4, method) - 1) < 0.01
    @test left(L, b, 0.15, 1e-3, method) > 0.95
end
