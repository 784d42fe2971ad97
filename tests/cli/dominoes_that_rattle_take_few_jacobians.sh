# Dominoes that rattle on each other stick and slip hundreds of times. The rate of an anchor had a kink there: Newton's method failed at each, and made a
# Jacobian. Three dominoes of steel took 7,681 steps, 36,756 evaluations and 547 Jacobians for 0.4 s.
cat > three.jl <<'EOF'
using Modia3D
steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Three = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))))
for i in 1:3
    tips = i == 1 ? 3.0 : 0.0
    Three[Symbol("b$i")] = Object3D(parent = :world, fixedToParent = false, translation = [0.03*(i - 1), 0, 0.05], velocity = [0.05*tips, 0, 0.005*tips],
                                    angularVelocity = [0.0, tips, 0.0], feature = steel(Box(lengthX = 0.01, lengthY = 0.05, lengthZ = 0.1)))
end
m = @instantiateModel(Three, unitless = true)
simulate!(m, stopTime = 0.4, tolerance = 1e-6, interval = 0.1, log = true)
EOF
status 0 "$SEGUE" run three.jl
awk '$1 == "nAcceptedSteps" && $3 < 7000 || $1 == "nf_integrator" && $3 < 33000 || $1 == "nJac" && $3 < 450 { n++ } END { exit n != 3 }' out ||
    fail "too many: $(grep -E 'nAcceptedSteps|nf_integrator|nJac' out | tr '\n' ' ')"
