# Parts of a 3D model that are read but not simulated: a warning each, and none where they do not matter.
# Functions of later steps are known by name and say what is missing.
for call in 'executeActions(1)' 'ActionAttach(1, "a", "b")' 'ActionWait(1, 2.0)'; do
    printf 'using Modia3D\n%s\n' "$call" > later.jl
    status 2 "$SEGUE" run later.jl
    has err "later.jl:2:1: error[E0313]: '"
    has err " yet"
done

# The same in an equation, where a program of actions stands: one error, which names the equation.
cat > rocket.jl <<'EOF'
using Modia3D
steps(actions) = ActionWait(actions, 1.0)
Rocket = Model3D(
    world = Object3D(feature = Scene()),
    program = ModelActions(world = :world, actions = steps, startTime = 0.5),
    now = Var(hideResult = true),
    equations = :[now = executeActions(program)]
)
rocket = @instantiateModel(Rocket, unitless = true)
simulate!(rocket, stopTime = 1.0)
EOF
status 2 "$SEGUE" run rocket.jl
has err "rocket.jl:5:5: warning[E0313]: ModelActions 'program' is not simulated yet"
has err "rocket.jl:7:19: error[E0714]: function 'executeActions' failed"
has err "note[E0313]: 'executeActions': action programs of ModelActions cannot be run yet"
[ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one error for one mistake"

# 3D models as the first papers wrote them.
printf 'using Modia3D\n@assembly Bar(; L = 1.0) begin\n    frame = Object3D(r = [L, 0.0, 0.0])\nend\n' > old.jl
status 2 "$SEGUE" run old.jl
has err "old.jl:2:1: error[E0301]: there is no macro '@assembly'"
has err "note: write Name(; parameters...) = Model(obj = Object3D(...), ...)"
