# label: long
# Dominoes that fall on each other make a wave whose speed settles: the last five of twenty begin to tip in steps of 21.3 to 22.0 ms, 1.39 m/s. The first
# steps take up to five times as long. They are a thousand times softer than wood, for the time that it takes (15 s); with ten times that stiffness the
# steps up to the fifteenth are the same within 4 %.
cat > wave.jl <<'END'
using Modia3D
wood(shape) = Solid(shape = shape, solidMaterial = "DryWood", collision = true)
n = 20
Wave = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), elasticContactReductionFactor = 1e-3)),
    floor = Object3D(parent = :world, translation = [0.3, 0, -0.05], feature = wood(Box(lengthX = 2.0, lengthY = 1.0, lengthZ = 0.1))))
for i in 1:n
    tips = i == 1 ? 3.0 : 0.0
    Wave[Symbol("b$i")] = Object3D(parent = :world, fixedToParent = false, translation = [0.03*(i - 1), 0, 0.05], velocity = [0.05*tips, 0, 0.005*tips],
                                   angularVelocity = [0.0, tips, 0.0], feature = wood(Box(lengthX = 0.01, lengthY = 0.05, lengthZ = 0.1)))
end
m = @instantiateModel(Wave, unitless = true)
simulate!(m, stopTime = 0.72, tolerance = 1e-5, interval = 0.001)
t = getValues(m, "time")
# When number i leans by 0.02 rad.
function begins(i)
    angle = getValues(m, "b$i.rotation")[:, 2]
    k = findfirst(x -> x > 0.02, angle)
    return t[k] - 0.001*(angle[k] - 0.02)/(angle[k] - angle[k-1])
end
at = [begins(i) for i in 2:n]
steps = at[2:end] - at[1:end-1]
last, before = steps[end-3:end], steps[end-6:end-4]
mean(v) = sum(v)/length(v)
println("steps ", steps)
println("settled ", maximum(abs.(last .- mean(last))) < 0.03*mean(last) && abs(mean(before)/mean(last) - 1) < 0.05 ? "yes" : "no")
println("slower at first ", steps[1] > 3*mean(last) ? "yes" : "no")
END
status 0 "$SEGUE" run -q wave.jl
has out "settled yes"
has out "slower at first yes"
