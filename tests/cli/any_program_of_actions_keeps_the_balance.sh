# Programs put together at random from commands that are possible: bodies change hands, rigidly, with joints and with impulses, are released and deleted, chains
# are flipped, bodies are parked and wake, paths are followed, contacts are left out and found again. Whatever happens, the run ends well, the
# balance of energy closes, and a second run of the same model gives the same end.
cat > scene.jl <<'EOF'
using Modia3D, Test
include("$(Modia.modelsPath)/AllModels.jl")
inertia(m) = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m, Ixy = 0.02*m, centerOfMass = [0.02, 0.01, 0.0])
link(m) = Solid(massProperties = inertia(m))
ball(m) = Solid(shape = Sphere(diameter = 0.1), massProperties = inertia(m), solidMaterial = "Steel", collision = true)
Drive = Model(flange = Flange, ref = input, equations = :[flange.tau = 20.0*(flange.phi - ref) + der(flange.phi)])
loose(parent, x, m) = Object3D(parent = parent, fixedToParent = false, assemblyRoot = true, translation = x, rotation = [0.1, x[1], 0.0],
                               velocity = [0.5, 0.1 - x[2], 0.2], angularVelocity = [0.3, x[1], 0.5], feature = ball(m))
fast(parent, x, m) = Object3D(parent = parent, assemblyRoot = true, translation = x, rotation = [0.1, x[1], 0.0], feature = ball(m))
Lock(parent) = Object3D(parent = parent, lockable = true, translation = [0.05, 0.0, 0.02])
Anything(steps) = Model3D(
    world = Object3D(feature = Scene(gap = 1e3, attachSpeed = 1e3, attachAngularSpeed = 1e3, gravityField = UniformGravityField(g = 2.0, n = [0, 0, -1]))),
    spot = Object3D(parent = :world, lockable = true, translation = [0.3, 0.1, 0.0]),
    arm = Object3D(feature = link(2.0)),
    hand = Object3D(parent = :arm, lockable = true, translation = [0.4, 0.0, 0.0], rotation = [0.2, 0.3, 0.1]),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :arm, axis = 3, w = Var(init = 1.0)),
    drive = Drive,
    base = Object3D(parent = :world, assemblyRoot = true, translation = [0.0, 2.0, 0.0], feature = link(1.0)),
    baseLock = Object3D(parent = :base, lockable = true),
    middle = Object3D(feature = link(1.0)),
    tip = Object3D(parent = :middle, lockable = true, translation = [0.2, 0.0, 0.0]),
    joint1 = Revolute(obj1 = :base, obj2 = :middle, axis = 2, w = Var(init = 0.5)),
    last = Object3D(assemblyRoot = true, feature = link(0.7)),
    lastLock = Object3D(parent = :last, lockable = true),
    joint2 = Prismatic(obj1 = :tip, obj2 = :last, axis = 1),
    body1 = loose(:world, [0.5, 0.0, 0.5], 1.0), lock1 = Lock(:body1),
    body2 = fast(:world, [0.8, 0.2, 0.5], 2.0), lock2 = Lock(:body2),
    body3 = fast(:arm, [1.1, 0.4, 0.5], 3.0), lock3 = Lock(:body3),
    body4 = loose(:middle, [1.4, 0.6, 0.5], 4.0), lock4 = Lock(:body4),
    spring = SpringDamperPtP(obj1 = :world, obj2 = :body1, nominalLength = 0.3, springForceLaw = 10.0, damperForceLaw = 0.1),
    bushing = Bushing(obj1 = :arm, obj2 = :body3, springForceLaw = [5.0, 5.0, 5.0], rotSpringForceLaw = [0.5, 0.5, 0.5], largeAngles = true),
    seen = SensorResult(object = :body1, objectOrigin = :body2),
    touch = ContactResult(object1 = :body1, object2 = :body2),
    connect = :[(drive.flange, rev.flange)],
    actions = ModelActions(world = :world, actions = steps),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions); drive.ref = getRefPathPosition(now, 1)]
)
EOF
# A program that knows what is free, fixed and gone, and what carries what.
cat > program.awk <<'EOF'
# The same numbers from every awk: Lehmer's generator.
function chance() { state = state * 16807 % 2147483647; return state / 2147483647 }
function any(n) { return 1 + int(n * chance()) }
function carries(b, c,   k) { for (k = 0; c && k < 9; k++) { if (c == b) return 1; c = on[c] } return 0 }
function say(text) { print "    " text }
BEGIN {
    state = 1000003 * seed; fixed[2] = fixed[3] = 1; old = "baseLock"; new = "lastLock"
    print "steps(a) = begin"; say("addReferencePath(a; names = [\"p\"], v_max = [5.0], a_max = [20.0])")
    split("|; waitingPeriod = 0.03|; enableContactDetection = false", keyword, "|")
    split("|; impulse = true|; joint = \"revolute\", axis = 2|; joint = \"prismatic\", axis = [1, 2, 0], impulse = true", joining, "|")
    split("spot hand tip baseLock", place, " ")
    for (i = 0; i < 12; i++) {
        if (chance() < 0.3) say(sprintf("ActionWait(a, %.3f)", 0.15 * chance()))
        else if (chance() < 0.2) say(sprintf("ptpJointSpace(a, [%.3f])", chance()))
        b = any(4); extra = keyword[any(3)]; lock = "\"lock" b "\""
        if (gone[b]) continue
        if (parked[b]) { if (chance() < 0.6) { say("ActionWake(a, " lock extra ")"); parked[b] = fixed[b] = on[b] = 0 } continue }
        if (chance() < 0.15) { say("ActionPark(a, " lock extra ")"); parked[b] = fixed[b] = 1; continue }
        for (c = 1; c <= 4 && on[c] != b; c++) ;
        if (chance() < 0.12) { say("ActionFlipChain(a, \"" new "\", \"" place[any(2)] "\", \"" old "\")"); x = old; old = new; new = x }
        else if (fixed[b] && chance() < 0.4) { say("ActionRelease(a, " lock extra ")"); fixed[b] = on[b] = 0 }
        else if (chance() < 0.1 && c > 4 && b != 3) { say("ActionDelete(a, " lock ")"); gone[b] = 1; on[b] = 0 }
        else {
            c = any(4); to = gone[c] || carries(b, c) || chance() < 0.4 ? 0 : c
            if (!fixed[b] && chance() < 0.6) extra = joining[any(4)]
            say((fixed[b] ? "ActionReleaseAndAttach" : "ActionAttach") "(a, " lock ", \"" (to ? "lock" to : place[any(4)]) "\"" extra ")")
            fixed[b] = 1; on[b] = to
        }
    }
    print "end"
}
EOF
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    { echo 'include("scene.jl")'; awk -v seed=$seed -f program.awk; cat <<'EOF'; } > random.jl
m = @instantiateModel(Anything(steps), unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-7)
@test length(get_xNames(m)) == length(unique(get_xNames(m)))
first = [getLastValue(m, name, unit = false) for name in get_xNames(m)]
simulate!(m, stopTime = 1.0, tolerance = 1e-7)
@test first == [getLastValue(m, name, unit = false) for name in get_xNames(m)]
EOF
    status 0 within 60 "$SEGUE" run --balance --summary random.json random.jl
    [ "$(grep -c 'the balance closes' out)" = 2 ] || { fail "seed $seed"; cp random.jl seed$seed.jl; }
    grep -o '"nSegments":[0-9]*' random.json | head -n 1 >> segments
done
awk -F: '{ n += $2 } END { exit n < 100 }' segments || fail "hardly any segments: $(cat segments | tr '\n' ' ')"
