# Contacts are evaluated by any number of threads with the same bits: boxes that press over areas, and ellipsoids that are measured
# pair by pair, with one solver for all.
cat >heap.jl <<'TEXT'
using Modia3D
function heap(threads)
    solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
    m = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), islands = false, threads = threads)),
                floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = solid(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))))
    for i in 1:9, k in 0:1
        m[Symbol("b$(i)_$k")] = Object3D(parent = :world, fixedToParent = false, translation = [0.15*i - 0.7, 0.01*sin(i), 0.0501 + 0.1001*k],
            rotation = [1e-3*sin(5*i), 1e-3*cos(i), 0.2*i], velocity = [0.1*k, 0, 0], feature = solid(Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1)))
    end
    for i in 1:9
        m[Symbol("e$i")] = Object3D(parent = :world, fixedToParent = false, translation = [0.15*i - 0.7, 0.3, 0.0499],
            angularVelocity = [0.5, 0.1*i, 1.0], feature = solid(Ellipsoid(lengthX = 0.12, lengthY = 0.14, lengthZ = 0.1)))
    end
    return m
end
Heap = heap(THREADS)
heap1 = @instantiateModel(Heap, unitless = true)
simulate!(heap1, stopTime = 0.01, interval = 0.001, tolerance = 1e-6)
TEXT
for n in 1 2 3 5; do
    sed "s/THREADS/$n/" heap.jl >heap$n.jl
    status 0 within 120 "$SEGUE" run -q -o $n heap$n.jl
    status 0 "$SEGUE" compare --rtol 0 --atol 0 1/Heap.segue $n/Heap.segue
done
for n in 0 65 -1 1.5 '"all"'; do
    sed "s/THREADS/$n/" heap.jl >wrong.jl
    status 2 "$SEGUE" run -q wrong.jl
    grep -q 'threads' err || fail "$n: $(cat err)"
done
