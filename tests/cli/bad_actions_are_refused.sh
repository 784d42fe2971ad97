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
broken "not negative" 'ActionWait(a, -1.0)'
broken "it is ActionAttach(actions, movablePart, robotOrDepot)" 'ActionAttach(a, "boxLock")'
broken "waitingPeriod" 'ActionAttach(a, "boxLock", "tableLock"; waitingPerod = 1.0)'
broken "needs addReferencePath before it" 'ptpJointSpace(a, [1.0])'
broken "the reference path has 2 signals, the positions 1 columns" \
    'addReferencePath(a; names = ["p", "q"])' 'ptpJointSpace(a, [1.0])'
printf 'using Modia3D\nexecuteActions(1)\n' > alone.jl
status 2 "$SEGUE" run alone.jl
has err "alone.jl:2:1: error[E0920]: executeActions belongs into an equation"

# The published program: too far is a warning, and motion is not looked at.
{ echo 'include("scene.jl")'
  echo 'steps(a) = begin'; echo '    ActionWait(a, 0.5)'; echo '    ActionAttach(a, "boxLock", "far")'; echo 'end'
  echo 'm = @instantiateModel(Scenery(steps), unitless = true)'; echo 'simulate!(m, stopTime = 1.0)'; } > far.jl
status 0 "$SEGUE" run --compat modia-0.12 far.jl
has err "warning[E0920]: ActionAttach at time = 0.5 s: 'boxLock' is 3 m away from 'far'"
