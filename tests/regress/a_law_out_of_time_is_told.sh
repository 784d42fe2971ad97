# A limit that is reached inside of a function that the equations call is told like any other; it once ended runs with
# status 6 and not a word.
cat >mount.jl <<'END'
using Modia3D
rubber(x) = begin
    y = 0.0
    for i in 1:2000
        y += 20.0*x
    end
    y
end
Mount = Model3D(
    world = Object3D(feature = Scene()),
    engine = Object3D(parent = :world, fixedToParent = false,
                      feature = Solid(massProperties = MassProperties(mass = 80.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    mount = Bushing(obj1 = :world, obj2 = :engine, springForceLaw = [rubber, rubber, rubber]))
mount = @instantiateModel(Mount, unitless = true)
simulate!(mount, stopTime = 1e6, tolerance = 1e-9)
END
for limit in 0.05 0.1 0.15 0.2 0.25; do
    "$SEGUE" run -q --max-cpu-time $limit mount.jl 2>messages
    got=$?
    [ $got -eq 6 ] || fail "status $got with $limit s"
    grep -q '^mount.jl:15:1: error.*limit of .*time' messages || fail "with $limit s it says: $(head -1 messages)"
done
