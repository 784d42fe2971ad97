# Actions that cannot be carried out: one message with the action, the objects and the time, exit status 7, and the
# results up to then are kept.
cat > scene.jl <<'END'
using Modia3D
lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
Scenery(steps) = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    table = Object3D(parent = :world),
    tableLock = Object3D(parent = :table, lockable = true),
    far = Object3D(parent = :world, lockable = true, translation = [0.0, 3.0, 0.0]),
    box = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump),
    boxLock = Object3D(parent = :box, lockable = true),
    boxEdge = Object3D(parent = :box, lockable = true),
    boxFrame = Object3D(parent = :box),
    rider = Object3D(parent = :box, fixedToParent = false, assemblyRoot = true, feature = lump),
    riderLock = Object3D(parent = :rider, lockable = true),
    fast = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump, velocity = [2.0, 0.0, 0.0],
                    translation = [-1.0, 0.0, 0.0]),
    fastLock = Object3D(parent = :fast, lockable = true),
    wheel = Object3D(assemblyRoot = true, feature = lump),
    wheelLock = Object3D(parent = :wheel, lockable = true),
    axle = Revolute(obj1 = :world, obj2 = :wheel),
    tied = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump),
    tiedLock = Object3D(parent = :tied, lockable = true),
    spring = SpringDamperPtP(obj1 = :wheel, obj2 = :tied, nominalLength = 0.0, springForceLaw = 1.0),
    hub = Object3D(parent = :world, assemblyRoot = true, feature = lump),
    hubLock = Object3D(parent = :hub, lockable = true),
    vane = Object3D(feature = lump),
    pin = Revolute(obj1 = :hub, obj2 = :vane),
    program = ModelActions(world = :world, actions = steps),
    now = Var(hideResult = true),
    equations = :[now = executeActions(program)]
)
END
# try MESSAGE COMMAND...: at 0.5 s
try() {
    message=$1
    shift
    { echo 'include("scene.jl")'; echo 'steps(a) = begin'; echo '    ActionWait(a, 0.5)'
      for line in "$@"; do echo "    $line"; done
      echo end
      echo 'm = @instantiateModel(Scenery(steps), unitless = true)'
      echo 'simulate!(m, stopTime = 1.0)'; } > bad.jl
    status 7 "$SEGUE" run -o out-bad --summary bad.json bad.jl
    has err "error[E0920]: Action"
    has err " at time = 0.5 s: "
    has err "$message"
    lacks err "caused this"
    [ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one error for: $*"
    ls out-bad/*.segue > /dev/null || fail "no results for: $*"
    has bad.json '"finalTime":0.5'
}
try "there is no Object3D 'bxLock'" 'ActionAttach(a, "bxLock", "tableLock")'
try "there is no Object3D 'tabel'" 'ActionAttach(a, "boxLock", "tabel")'
try "'table' is not lockable" 'ActionAttach(a, "boxLock", "table")'
try "'boxFrame' is not lockable" 'ActionRelease(a, "boxFrame")'
try "'tableLock' belongs to no assembly" 'ActionAttach(a, "tableLock", "boxLock")'
try "cannot be attached to itself" 'ActionAttach(a, "boxLock", "boxLock")'
try "belong to the same assembly, 'box'" 'ActionAttach(a, "boxLock", "boxEdge")'
try "'riderLock' is carried by the assembly 'box' itself" 'ActionAttach(a, "boxLock", "riderLock")'
try "'boxLock' is 3 m away from 'far'; they must be closer than 0.001 m" 'ActionAttach(a, "boxLock", "far")'
try "moves relative to 'tableLock' with 2 m/s and turns with 0 rad/s; attaching needs less than 0.1 m/s and 0.5 rad/s" \
    'ActionAttach(a, "fastLock", "tableLock")'
try "the assembly 'box' is free already" 'ActionRelease(a, "boxLock")'
try "is free; there is nothing to release it from" 'ActionReleaseAndAttach(a, "boxLock", "tableLock")'
try "hangs on the joint 'axle'" 'ActionRelease(a, "wheelLock")'
try "'tied' is still used by the force element 'spring'" 'ActionDelete(a, "tiedLock")'
try "'hub' is still used by the joint 'pin'" 'ActionDelete(a, "hubLock")'
try "'box' still carries 'rider'" 'ActionDelete(a, "boxLock")'
try "was deleted before" 'ActionDelete(a, "riderLock")' 'ActionRelease(a, "riderLock")'
try "there is no chain of joints from 'boxLock' to 'hubLock'" 'ActionFlipChain(a, "hubLock", "tableLock", "boxLock")'
try "'boxFrame' is not lockable" 'ActionFlipChain(a, "hubLock", "tableLock", "boxFrame")'
try "there is no Object3D 'tabel'" 'ActionFlipChain(a, "hubLock", "tabel", "boxLock")'
try "'world' is not lockable" 'ActionAttach(a, "world", "tableLock")'
try "'box' is not lockable" 'ActionAttach(a, "box", "tableLock")'
try "there is no Object3D ''" 'ActionDelete(a, "")'
try "there is no chain of joints from 'hubLock' to 'hubLock'" 'ActionFlipChain(a, "hubLock", "tableLock", "hubLock")'
try "hangs on the joint 'axle'" 'ActionFlipChain(a, "wheelLock", "tableLock", "wheelLock")'
try "hangs on the joint 'axle'" 'ActionDelete(a, "wheelLock")'
try "hangs on the joint 'axle'" 'ActionAttach(a, "wheelLock", "tableLock")'
try "belongs to no assembly" 'ActionRelease(a, "far")'
try "is free already" 'ActionAttach(a, "boxLock", "tableLock")' 'ActionRelease(a, "boxLock")' 'ActionRelease(a, "boxLock")'
try "'riderLock' was deleted before" 'ActionDelete(a, "riderLock")' 'ActionDelete(a, "riderLock")'
try "'riderLock' was deleted before" 'ActionDelete(a, "riderLock")' 'ActionAttach(a, "boxLock", "riderLock")'
try "the assembly 'box' is not parked" 'ActionWake(a, "boxLock")'
try "the assembly 'fast' is parked already" 'ActionPark(a, "fastLock")' 'ActionPark(a, "fastLock")'
try "the assembly 'fast' is parked; wake it first" 'ActionPark(a, "fastLock")' 'ActionRelease(a, "fastLock")'
try "the assembly 'fast' is parked; wake it first" 'ActionPark(a, "fastLock")' 'ActionAttach(a, "fastLock", "tableLock")'
try "'rider' moves on the assembly 'box'; only what stands still can be parked" 'ActionPark(a, "boxLock")'
try "'vane' moves on the assembly 'hub'" 'ActionPark(a, "hubLock")'
try "hangs on the joint 'axle'" 'ActionPark(a, "wheelLock")'
try "'fastLock' is carried by the assembly 'fast' itself" 'ActionPark(a, "fastLock", "fastLock")'
try "'table' is not lockable" 'ActionPark(a, "fastLock", "table")'
try "belongs to no assembly" 'ActionPark(a, "far")'
try "'riderLock' was deleted before" 'ActionDelete(a, "riderLock")' 'ActionPark(a, "riderLock")'
try "moves relative to 'tableLock' with 2 m/s" 'ActionAttach(a, "fastLock", "tableLock"; joint = "revolute")'
try "moves relative to 'tableLock' with 2 m/s" 'ActionAttach(a, "fastLock", "tableLock"; joint = "prismatic", axis = 2)'
try "there is no impulse that ends the motion of 'hub' relative to 'far': it is not free; release it first" 'ActionAttach(a, "hubLock", "far"; impulse = true)'
try "'boxLock' is 3 m away from 'far'" 'ActionAttach(a, "boxLock", "far"; impulse = true)'
try "there is no Object3D 'tabel'" 'ActionAttach(a, "boxLock", "tabel"; impulse = true)'

# Clumsy, but right: twice the same, several at once, at the start and at the stop time.
fine() {
    states=$1
    shift
    { echo 'include("scene.jl")'; echo 'steps(a) = begin'
      for line in "$@"; do echo "    $line"; done
      echo end
      echo 'm = @instantiateModel(Scenery(steps), unitless = true)'
      echo 'simulate!(m, stopTime = 1.0)'
      echo 'println(length(get_xNames(m)), " states at ", getLastValue(m, "time"))'; } > fine.jl
    status 0 "$SEGUE" run --summary fine.json fine.jl
    has out "$states at 1.0"
    lacks err "warning"
}
fine "40 states" 'ActionAttach(a, "boxLock", "tableLock")' 'ActionAttach(a, "boxLock", "tableLock")'
has fine.json '"nSegments":3'
fine "42 states" 'ActionAttach(a, "boxLock", "tableLock"; joint = "revolute", axis = 3)'
fine "30 states" 'ActionAttach(a, "boxLock", "tableLock"; joint = "revolute")' 'ActionAttach(a, "riderLock", "boxLock")'
fine "28 states" 'ActionAttach(a, "boxLock", "tableLock")' 'ActionAttach(a, "riderLock", "boxLock")'
fine "40 states" 'ActionWait(a, 1.0)' 'ActionAttach(a, "boxLock", "tableLock")'
has fine.json '"nSegments":2'
fine "52 states" 'ActionWait(a, 0.0)' 'ActionWait(a)' 'ActionAttach(a, "boxLock", "tableLock")' 'EventAfterPeriod(a)' \
    'ActionRelease(a, "boxLock")'
fine "52 states" 'ActionWait(a, 500u"ms")' 'ActionAttach(a, "boxLock", "tableLock"; waitingPeriod = 0.1u"s")' 'ActionRelease(a, "boxLock")'
fine "64 states" 'ActionRelease(a, "hubLock")'
# Behind the stop time nothing is executed, nor looked at; a note says so.
fine "52 states" 'ActionWait(a, 1.5)' 'ActionAttach(a, "nothing", "tableLock")'
has err "fine.jl:4:5: note: ModelActions 'program': the run ended before 1 of its commands; this one would be due at time = 1.5 s"
# Commands that no equation executes.
sed '/equations = /d; s/now = Var(hideResult = true),/now = Var(init = 0.0), equations = :[der(now) = 0.0]/' scene.jl > idle.jl
printf 'include("idle.jl")\nm = @instantiateModel(Scenery(a -> ActionRelease(a, "hubLock")), unitless = true)\nsimulate!(m, stopTime = 1.0)\n' > forgotten.jl
status 0 "$SEGUE" run forgotten.jl
has err "warning[E0920]: ModelActions 'program': none of its commands was executed"

# Loops: one at each assembly, at rest, and no impulse.
loops() {
    message=$1
    shift
    sed 's/actions = steps)/actions = steps, closesLoops = true)/' scene.jl > looped.jl
    { echo 'include("looped.jl")'; echo 'steps(a) = begin'; echo '    ActionWait(a, 0.5)'
      for line in "$@"; do echo "    $line"; done
      echo end
      echo 'm = @instantiateModel(Scenery(steps), unitless = true)'
      echo 'simulate!(m, stopTime = 1.0)'; } > loop.jl
    status 7 "$SEGUE" run loop.jl
    has err "$message"
}
loops "the assembly 'wheel' closes a loop already; release it first" 'ActionAttach(a, "wheelLock", "tableLock"; joint = "revolute", axis = 3)' \
    'ActionAttach(a, "wheelLock", "tableLock")'
loops "'wheel' closes a loop, which takes no impulse" 'ActionAttach(a, "wheelLock", "tableLock"; impulse = true)'
loops "'box' still holds 'wheel'" 'ActionDelete(a, "riderLock")' 'ActionAttach(a, "wheelLock", "boxLock"; joint = "revolute", axis = 3)' \
    'ActionDelete(a, "boxLock")'
loops "'wheelLock' is 3 m away from 'far'" 'ActionAttach(a, "wheelLock", "far")'

# What an action leaves cannot move: the message says which one.
cat > massless.jl <<'END'
using Modia3D
steps(a) = begin
    ActionWait(a, 0.5)
    ActionRelease(a, "lock")
end
Left(; arm, box) = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    arm = Object3D(),
    rev = Revolute(obj1 = :world, obj2 = :arm),
    weight = Object3D(parent = :arm, feature = arm),
    box = Object3D(parent = :arm, assemblyRoot = true, translation = [1.0, 0.0, 0.0], feature = box),
    lock = Object3D(parent = :box, lockable = true),
    program = ModelActions(world = :world, actions = steps),
    now = Var(hideResult = true),
    equations = :[now = executeActions(program)])
lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
END
printf 'include("massless.jl")\nm = @instantiateModel(Left(arm = lump, box = nothing), unitless = true)\nsimulate!(m, stopTime = 1.0)\n' > box.jl
status 7 "$SEGUE" run box.jl
has err "object 'box' moves freely, but neither it nor what is fixed to it has mass"
has err "note: ActionRelease of 'lock' at time = 0.5 s caused this"
printf 'include("massless.jl")\nm = @instantiateModel(Left(arm = nothing, box = lump), unitless = true)\nsimulate!(m, stopTime = 1.0)\n' > arm.jl
status 2 "$SEGUE" run arm.jl
has err "moves nothing that has inertia"
has err "note: ActionRelease of 'lock' at time = 0.5 s caused this"

# Programs that are wrong themselves: before the run.
broken() {
    message=$1
    shift
    { echo 'include("scene.jl")'; echo 'steps(a) = begin'
      for line in "$@"; do echo "    $line"; done
      echo end
      echo 'm = @instantiateModel(Scenery(steps), unitless = true)'
      echo 'simulate!(m, stopTime = 1.0)'; } > bad.jl
    status 2 "$SEGUE" run bad.jl
    has err "$message"
    [ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one error for: $*"
}
broken "no more paper" 'error("no more paper")'
has err "in the action program of ModelActions 'program'"
broken "does this program end" 'while true' '  ActionWait(a, 1.0)' 'end'
broken "did not end within 2 s of CPU time" 'while true' 'end'
broken "ActionWait: the period must be finite and not negative; it is -1 s" 'ActionWait(a, -1.0)'
broken "EventAfterPeriod: the period must be finite and not negative; it is nan s" 'EventAfterPeriod(a, NaN)'
broken "the period must be finite and not negative; it is inf s" 'ActionWait(a, Inf)'
broken "ActionWait: the period must be a number of seconds" 'ActionWait(a, "1.0")'
broken "ActionWait: period is measured in s, not in m" 'ActionWait(a, 2.0u"m")'
broken "ActionRelease: waitingPeriod is measured in s, not in kg" 'ActionRelease(a, "hubLock"; waitingPeriod = 1.0u"kg")'
broken "ActionDelete: the waitingPeriod must be finite and not negative" 'ActionDelete(a, "hubLock"; waitingPeriod = -0.5)'
broken "it is ActionWait(actions, period), not 3 arguments" 'ActionWait(a, 1.0, 2.0)'
broken "objects are given by their paths" 'ActionAttach(a, :boxLock, :tableLock)'
broken "ActionAttach needs the argument of the action program as its first argument" 'ActionAttach("boxLock", "tableLock")'
broken "enableContactDetection must be true or false" 'ActionRelease(a, "hubLock"; enableContactDetection = 1)'
broken "it is ActionFlipChain(actions, movablePartNew, robotOrDepot, movablePartOld), not 3" 'ActionFlipChain(a, "hubLock", "tableLock")'
broken "a_max must be positive; entry 1 is 0" 'addReferencePath(a; names = ["p"], a_max = 0.0)'
broken "positions, velocities and limits must be finite" 'addReferencePath(a; names = ["p"], position = NaN)'
broken "addReferencePath needs names" 'addReferencePath(a; names = "p")'
broken "has a reference path already" 'addReferencePath(a; names = ["p"])' 'addReferencePath(a; names = ["q"])'
broken "positions, velocities and limits must be finite" 'addReferencePath(a; names = ["p"])' 'ptpJointSpace(a, [Inf])'
broken "it is ActionAttach(actions, movablePart, robotOrDepot)" 'ActionAttach(a, "boxLock")'
broken "waitingPeriod" 'ActionAttach(a, "boxLock", "tableLock"; waitingPerod = 1.0)'
broken "needs addReferencePath before it" 'ptpJointSpace(a, [1.0])'
broken "the reference path has 2 signals, the positions 1 columns" \
    'addReferencePath(a; names = ["p", "q"])' 'ptpJointSpace(a, [1.0])'
broken "ActionWake: velocity must be a vector of 3 numbers" 'ActionWake(a, "fastLock"; velocity = [1.0, 2.0])'
broken "ActionWake: velocity is measured in m/s, not in m" 'ActionWake(a, "fastLock"; velocity = [1.0, 2.0, 3.0]u"m")'
broken "positions, velocities and limits must be finite" 'ActionWake(a, "fastLock"; angularVelocity = [1.0, NaN, 3.0])'
broken "ActionPark has no keyword argument 'velocity'" 'ActionPark(a, "fastLock"; velocity = zeros(3))'
broken "it is ActionWake(actions, movablePart), not 3" 'ActionWake(a, "fastLock", "tableLock")'
broken 'ActionAttach: joint must be "revolute" or "prismatic"' 'ActionAttach(a, "fastLock", "tableLock"; joint = "ball")'
broken 'ActionAttach: joint must be "revolute" or "prismatic"' 'ActionAttach(a, "fastLock", "tableLock"; joint = 3)'
broken "ActionAttach: axis must be 1, 2, 3 or a vector" 'ActionAttach(a, "fastLock", "tableLock"; joint = "revolute", axis = 4)'
broken "ActionAttach: axis must not be zero" 'ActionAttach(a, "fastLock", "tableLock"; joint = "revolute", axis = [0.0, 0.0, 0.0])'
broken "ActionAttach: axis must be a vector of 3 numbers" 'ActionAttach(a, "fastLock", "tableLock"; joint = "revolute", axis = [0.0, 1.0])'
broken "an axis needs joint" 'ActionAttach(a, "fastLock", "tableLock"; axis = 1)'
broken "ActionReleaseAndAttach has no keyword argument 'joint'" 'ActionReleaseAndAttach(a, "hubLock", "tableLock"; joint = "revolute")'
broken "impulse must be true or false" 'ActionAttach(a, "fastLock", "tableLock"; impulse = 1)'
broken "ActionRelease has no keyword argument 'impulse'" 'ActionRelease(a, "fastLock"; impulse = true)'
# Conditions.
broken "waits for a condition that executeActions does not have" 'ActionWaitUntil(a, 1)'
broken "conditions are counted from 1" 'ActionWaitUntil(a, 0)'
broken "waits for condition k of executeActions, and takes nothing else" 'ActionWaitUntil(a, 1; closer = 2.0)'
broken "ActionWaitUntil takes the number of a condition" 'ActionWaitUntil(a, "box", "table")'
broken "ActionWaitUntil takes the number of a condition" 'ActionWaitUntil(a, "box", "table"; closer = 1.0, contact = true)'
broken "ActionWaitUntil takes the number of a condition" 'ActionWaitUntil(a, "box"; closer = 1.0)'
broken "ActionWaitUntil takes the number of a condition" 'ActionWaitUntil(a, "box", "table"; force = 1.0)'
broken "closr" 'ActionWaitUntil(a, "box", "table"; closr = 1.0)'
broken "ActionWaitUntil: closer must be a positive number" 'ActionWaitUntil(a, "box", "table"; closer = 0.0)'
broken "ActionWaitUntil: force must be a positive number" 'ActionWaitUntil(a, "boxLock"; force = NaN)'
broken "ActionWaitUntil: closer is measured in m, not in s" 'ActionWaitUntil(a, "box", "table"; closer = 1.0u"s")'
broken "ActionWaitUntil: torque is measured in N*m, not in N" 'ActionWaitUntil(a, "boxLock"; torque = 1.0u"N")'
broken "ActionWaitUntil: contact must be true or false" 'ActionWaitUntil(a, "box", "table"; contact = 1)'
broken "objects are given by their paths" 'ActionWaitUntil(a, :box, "table"; closer = 1.0)'
broken "ActionWaitUntil: there is no Object3D 'tabel'" 'ActionWaitUntil(a, "box", "tabel"; closer = 1.0)'
broken "ActionWaitUntil: there is no Object3D and no force element 'sprig'" 'ActionWaitUntil(a, "sprig"; force = 1.0)'
broken "ActionWaitUntil: the force element 'spring' has no torque" 'ActionWaitUntil(a, "spring"; torque = 1.0)'
broken "ActionWaitUntil: 'box' cannot touch anything" 'ActionWaitUntil(a, "box", "table"; contact = true)'
broken "ActionWaitUntil: 'box' is named twice" 'ActionWaitUntil(a, "box", "box"; closer = 1.0)'
# The same for what stands around the program.
around() {
    printf 'include("scene.jl")\nsteps(a) = ActionWait(a, 1.0)\nm = @instantiateModel(Scenery(steps) | Model(%s), unitless = true)\nsimulate!(m, stopTime = 1.0)\n' \
        "$2" > around.jl
    status 2 "$SEGUE" run around.jl
    has err "$1"
    [ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one error for: $2"
}
around "ModelActions: startTime is measured in s, not in m" 'program = ModelActions(world = :world, actions = steps, startTime = 1.0u"m")'
around "closesLoops must be true or false" 'program = ModelActions(world = :world, actions = steps, closesLoops = 1)'
around "startTime must be a finite number" 'program = ModelActions(world = :world, actions = steps, startTime = NaN)'
around "the world of action programs is the Object3D with the Scene" 'program = ModelActions(world = :box, actions = steps)'
around "actions must be a function of one argument" 'program = ModelActions(world = :world, actions = 3)'
around "what follows the ModelActions in executeActions must be conditions" 'equations = :[again = executeActions(program, 2)]'
around "executeActions needs a ModelActions of this model as its first argument" 'equations = :[again = executeActions(2)]'
around "the action program has no addReferencePath" 'equations = :[p = getRefPathPosition(now, 1)]'
printf 'using Modia3D\nexecuteActions(1)\n' > alone.jl
status 2 "$SEGUE" run alone.jl
has err "alone.jl:2:1: error[E0920]: executeActions belongs in an equation"

# The published program: too far is a warning, and motion is not looked at.
{ echo 'include("scene.jl")'
  echo 'steps(a) = begin'; echo '    ActionWait(a, 0.5)'; echo '    ActionAttach(a, "boxLock", "far")'; echo 'end'
  echo 'm = @instantiateModel(Scenery(steps), unitless = true)'; echo 'simulate!(m, stopTime = 1.0)'; } > far.jl
status 0 "$SEGUE" run --compat modia-0.12 far.jl
has err "warning[E0920]: ActionAttach at time = 0.5 s: 'boxLock' is 3 m away from 'far'"
