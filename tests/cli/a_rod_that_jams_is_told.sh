# Painleve's rod: where friction presses it on harder than the contact pushes it off, the run says so, once, with the coefficient from which on that is so. Just
# below the limit it slides on, and nothing is said; no run hangs.
cat > chalk.txt <<'END'
solid Chalk: density 8000, young 2e11, poisson 0.3, melts 1500, heat 500, conducts 50, expands 1e-05
END
cat > touch.txt <<'END'
touch Chalk Chalk: restitution 0.5, friction 1.4, rolling 0
END
cat > rod.jl <<'END'
using Modia3D
Modia3D.loadPalettes!(solidMaterialPalette = "chalk.txt", contactPairMaterialPalette = "touch.txt")
chalk(shape) = Solid(shape = shape, solidMaterial = "Chalk", collision = true)
L, b, mu = 1.0, 0.02, 1.4
edge(tilt) = [-L/2*sin(tilt) + b/2*cos(tilt), -L/2*cos(tilt) - b/2*sin(tilt)]
limit(tilt) = ((L^2 + b^2)/12 + edge(tilt)[1]^2)/(edge(tilt)[1]*edge(tilt)[2])
function at(low, high) # where the limit is mu
    for k in 1:50
        mid = (low + high)/2
        limit(mid) > mu ? (low = mid) : (high = mid)
    end
    return low
end
for (low, high) in [(0.2, 0.5), (0.9, 0.5)], beyond in [-0.001, 0.001]
    tilt = at(low, high) + (low < high ? beyond : -beyond)
    Rod = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 0.0, n = [0, 0, -1]))),
        floor = Object3D(parent = :world, translation = [0, 0, -0.1], feature = chalk(Box(lengthX = 40.0, lengthY = 2.0, lengthZ = 0.2))),
        ahead = Object3D(), above = Object3D(), rod = Object3D(feature = chalk(Box(lengthX = b, lengthY = 0.1, lengthZ = L))),
        x = Prismatic(obj1 = :world, obj2 = :ahead, axis = 1, v = Var(init = -1.0)),
        z = Prismatic(obj1 = :ahead, obj2 = :above, axis = 3, s = Var(init = -edge(tilt)[2] + 1e-9), v = Var(init = -1e-5)),
        turn = Revolute(obj1 = :above, obj2 = :rod, axis = 2, phi = Var(init = tilt)))
    rod = @instantiateModel(Rod, unitless = true)
    println("limit ", limit(tilt))
    simulate!(rod, stopTime = 0.5, tolerance = 1e-7)
end
END
status 0 within 60 "$SEGUE" run rod.jl
[ "$(grep -c "'floor' and 'rod' jam at time" err)" = 2 ] || fail "told $(grep -c jam err) times"
has err "friction of 1.4 presses them together"
has err "from 1.399 on here"
