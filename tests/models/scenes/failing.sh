# Scenes for the loops of failing allocations, to be read by a script in its own folder.
# The library counts in a file beside the results, which a sandbox would refuse.
LIBRARY=$SG_BINARY_DIR/failing_malloc.so
SCENES="equations ida change plot contact segments mesh"
COMMANDS="convert figure info compare view check"
mkdir -p start
cp "$SG_SOURCE_DIR/examples/mechanics/meshes/bracket.obj" .

# try NAME FROM STEP once|forever OPTIONS...: see tests/harness/fail_loop.c
try() {
    what="$1 $4"
    folder=loop-$1
    from=$2 step=$3 mode=$4
    shift 4
    "$SG_BINARY_DIR/fail_loop" "$LIBRARY" "$folder" "$from" "$step" "$mode" "$SEGUE" "$@" > told 2>&1 ||
        fail "$what: $(cat told)"
    echo "$what: $(tail -n 1 told)"
}

# What the command does with a scene; it runs one folder deeper.
options() {
    case $1 in
    equations | ida | change | plot) echo "run --no-sandbox -o out --result-format csv,json,mat,arrow --html out/page.html --summary out/summary.json ../$1.jl" ;;
    contact | segments | mesh) echo "run --no-sandbox -o out --html out/page.html --glb out/scene.glb --balance ../$1.jl" ;;
    convert) echo "convert --no-sandbox ../kept/M.segue out/m.mat" ;;
    figure) echo "plot --no-sandbox -o out/m.svg ../kept/M.segue x" ;;
    info) echo "info --no-sandbox --events ../kept/M.segue" ;;
    compare) echo "compare --no-sandbox ../kept/M.segue ../kept/M.csv" ;;
    view) echo "view --no-sandbox -o out/page.html ../kept/M.segue" ;;
    check) echo "check --no-sandbox ../equations.jl" ;;
    esac
}

cat > equations.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), v = Var(init = 0.0), y = Var(start = 0.5), z = Var(start = 0.1), p = [1.0, 2.0],
    equations = :[der(x) = v; der(v) = -4.0*x - 0.1*v + z; y + exp(y) = 2.0 + x; z + sin(y*z) = p[1]*x; w = p*x;
                  s = if x > 0.2; 1.0 else -1.0 end])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0, interval = 0.1)
println(getValues(m, "x")[end])
END
cat > ida.jl <<'END'
using Modia
N = 12
M = Model(A = [i == j ? 3.0 : 1.0/(i + j) for i in 1:N, j in 1:N], b = ones(N), x = Var(init = ones(N)),
          equations = :[A*der(x) = b - x])
m = @instantiateModel(M, unitless = true)
simulate!(m, IDA(), stopTime = 1.0, interval = 0.1, nlinearMinForDAE = 2)
P = Model(x = Var(init = 1.0), y = Var(init = 0.0), vx = Var(init = 0.0), vy = Var(init = 0.0), l = Var(start = 1.0),
          equations = :[der(x) = vx; der(y) = vy; der(vx) = -l*x; der(vy) = -l*y - 9.81; x^2 + y^2 = 1.0])
p = @instantiateModel(P, unitless = true)
simulate!(p, IDA(), stopTime = 0.5, interval = 0.1)
END
# While the diode blocks, another solver takes over.
cat > change.jl <<'END'
using Modia
M = Model(L = 0.01, R = 10.0, Is = 1e-12, Vt = 0.026, i = Var(init = 0.0), equations = :[
    L*der(i) = 5*sin(2*pi*50*time) - R*i - Ud
    i = Is*(exp(Ud/Vt) - 1)])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.015, interval = 0.001)
END
cat > plot.jl <<'END'
using Modia
@usingModiaPlot
M = Model(x = Var(init = 1.0u"m"), equations = :[der(x) = -x/1.0u"s"])
m = @instantiateModel(M)
for solver in [Tsit5(), Rodas5(), CVODE_Adams()]
    simulate!(m, solver, stopTime = 1.0, interval = 0.1)
end
plot(m, [("x", "der(x)")], heading = "Decay", figure = 1)
showInfo(m)
END
cat > contact.jl <<'END'
using Modia3D
ball(r, v) = Object3D(parent = :world, fixedToParent = false, translation = r, velocity = v,
    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true))
M = Model3D(world = Object3D(feature = Scene(enableContactDetection = true)),
    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0],
        feature = Solid(shape = Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 2.0), solidMaterial = "Steel",
                        collision = true)),
    a = ball([0.0, 0.06, 0.0], [0.5, 0.0, 0.0]), b = ball([0.11, 0.05, 0.0], [0.0, 0.0, 0.0]),
    base = Object3D(parent = :world, translation = [0.5, 0.5, 0.0]),
    bob = Object3D(feature = Solid(shape = Ellipsoid(lengthX = 0.1, lengthY = 0.2, lengthZ = 0.1),
                                   solidMaterial = "Steel")),
    joint = Revolute(obj1 = :base, obj2 = :bob, axis = 3, phi = Var(init = 0.3)))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.05, interval = 0.005, tolerance = 1e-5)
END
cat > segments.jl <<'END'
using Modia3D
function program(actions)
    ActionAttach(actions, "s1.top", "s2.bottom")
    EventAfterPeriod(actions, 0.1)
    ActionRelease(actions, "s1.top")
    EventAfterPeriod(actions, 0.1)
    ActionDelete(actions, "s1.top")
end
thrust(; time, objectApply, objectCoord) = [0.0, time < 0.1 ? 3000.0 : 0.0, 0.0]
Stage(; start) = Model(
    body = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = start,
                    feature = Solid(shape = Cylinder(axis = 2, diameter = 0.2, length = 1.0),
                                    massProperties = MassProperties(mass = 100.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    bottom = Object3D(parent = :body, lockable = true, translation = [0.0, -0.5, 0.0]),
    top = Object3D(parent = :body, lockable = true, translation = [0.0, 0.5, 0.0]),
    force = WorldForce(objectApply = :bottom, forceFunction = thrust))
M = Model3D(world = Object3D(feature = Scene()), s1 = Stage(start = [0.0, 1.0, 0.0]), s2 = Stage(start = [0.0, 2.0, 0.0]),
    modelActions = ModelActions(world = :world, actions = program), currentAction = Var(hideResult = true),
    equations = :[currentAction = executeActions(modelActions)])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.3, interval = 0.05)
END
cat > mesh.jl <<'END'
using Modia3D
M = Model3D(world = Object3D(feature = Scene(enableContactDetection = true)),
    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0],
        feature = Solid(shape = Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 2.0), solidMaterial = "Steel",
                        collision = true)),
    a = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.3, 0.0],
        feature = Solid(shape = FileMesh(filename = "bracket.obj", scale = [0.001, 0.001, 0.001]),
                        solidMaterial = "Steel", collision = true)))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.02, interval = 0.005, tolerance = 1e-5)
END
"$SEGUE" run -q -o kept --result-format csv equations.jl > told || fail "no result to convert"
