# After a run there is something, and it says where and what comes next.
cat >twice.jl <<'END'
using Modia
Lag = Model(T = 0.5, x = Var(init = 1.0), equations = :[T*der(x) = -x])
lag = @instantiateModel(Lag, unitless = true)
simulate!(lag, stopTime = 1.0, requiredFinalStates = [exp(-2.0)])
simulate!(lag, stopTime = 2.0)
slow = @instantiateModel(Lag | Map(T = 2.0), unitless = true)
simulate!(slow, stopTime = 1.0)
loose = @instantiateModel(Model(y = Var(init = 1.0), equations = :[der(y) = 1.0]), unitless = true)
simulate!(loose, stopTime = 1.0)
END
status 0 "$SEGUE" run twice.jl
lacks out "results in"
lacks err "results in"
[ "$(ls twice-results | tr '\n' ' ')" = "Lag-2.segue Lag-3.segue Lag.segue model.segue " ] ||
    fail "names of run files: $(ls twice-results)"
status 0 "$SEGUE" run -q - <twice.jl
status 0 "$SEGUE" run -e 'include("twice.jl")'
[ -s segue-results/model.segue ] || fail "-e keeps nothing"

# The folder stands for its last run; signals may be named.
status 0 "$SEGUE" info twice-results y
has err "'twice-results' holds 4 runs; this is the last one, 'twice-results/model.segue'"
has out "y "
status 0 "$SEGUE" plot --ascii twice-results y
status 0 "$SEGUE" compare twice-results twice-results/model.segue
status 0 "$SEGUE" convert twice-results y.csv
mkdir empty
status 1 "$SEGUE" info empty
has err "the folder 'empty' holds no run file"

# On a terminal the last line tells; not with -q.
if command -v script >/dev/null; then
    script -qc "$SEGUE run twice.jl" /dev/null </dev/null >tty 2>&1
    has tty "results in twice-results; look at them with: segue plot twice-results"
    script -qc "$SEGUE run -q twice.jl" /dev/null </dev/null >tty 2>&1
    lacks tty "results in"
fi

# Other numbers end elsewhere: what the script requires is not tested.
status 0 "$SEGUE" run --set T=5 twice.jl
has err "note: requiredFinalStates is not tested: the command line changed the model or the stop time"
status 0 "$SEGUE" run --stop 3 twice.jl
has err "requiredFinalStates is not tested"
status 0 "$SEGUE" run --tol 1e-9 twice.jl
lacks err "is not tested"

# Folders that cannot be written are told before the run: asked for, it is an error.
touch twice-file
status 1 "$SEGUE" run -o twice-file/sub twice.jl
has err "twice.jl:4:1: error[E0001]: cannot make the folder 'twice-file/sub'"
mkdir inside && cd inside || exit 1
touch twice-results
status 0 "$SEGUE" run ../twice.jl
has err "warning[E0001]: results are not kept: cannot write 'twice-results/Lag.segue'"
[ "$(grep -c 'not kept' err)" -eq 1 ] || fail "said more than once"
cd ..

# More than anybody wants.
status 1 "$SEGUE" run --interval 1e-10 twice.jl
has err "error[E0805]: the result would have 2 signals x 10000000001 points = 240.0 GB"
has err "or --force"

# A relative path to Modia3D is meant from where the command is given.
mkdir -p modia3d/objects models
cp "$SG_SOURCE_DIR"/examples/mechanics/meshes/*.obj modia3d/objects/
mesh=$(basename "$(ls modia3d/objects/*.obj | head -n 1)")
cat >models/mesh.jl <<END
using Modia3D
M = Model3D(world = Object3D(feature = Scene()),
    b = Object3D(parent = :world, feature = Visual(shape = FileMesh(filename = joinpath(Modia3D.path, "objects/$mesh")))))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
END
status 0 "$SEGUE" run --modia3d-path modia3d models/mesh.jl
lacks err "cannot read"
