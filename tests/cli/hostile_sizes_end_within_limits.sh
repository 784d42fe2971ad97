# Sizes that nobody needs and a stranger's file may have: each ends in order, within its limits, with one message, and a
# place where there is a file.
allowed=500 # [ms] of CPU time beyond the limit
[ "$SG_SLOWNESS" -gt 1 ] && allowed=3000

# ends STATUS PATTERN NAME OPTION...: runs NAME.jl
ends() {
    wanted=$1 pattern=$2 name=$3
    shift 3
    "$SG_BINARY_DIR/stop" 0 "$SEGUE" "$@" "$name.jl" > figures.all 2> err < /dev/null
    tail -n 1 figures.all > figures
    read -r got ms mib < figures
    [ "$got" -eq "$wanted" ] || fail "$name: status $got, not $wanted: $(head -n 3 err)"
    [ "$ms" -le $((300 + allowed)) ] || fail "$name: $ms ms of CPU time"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "$name: not one error: $(head -n 5 err)"
    grep -qE "^[^:]+:[0-9]+:[0-9]+: $pattern" err || fail "$name: no place, or another message: $(head -n 3 err)"
}
limit='error\[E0004\]: the limit of 0.3 s of CPU time was reached'
limited() { ends 6 "$limit" "$1" run --max-cpu-time 0.3; }

# Values that share their parts: 61 objects, 2^60 elements.
shared='x = Any[1]; for i in 1:60 global x = Any[x, x] end; z = Any[1]; for i in 1:60 global z = Any[z, z] end'
for use in 'x == z' 'isequal(x, z)' '-x' 'deepcopy(x)' 'string(x)[1] == z' 'isapprox(x, z)' 'x .+ z' 'sort([x, z])'; do
    echo "$shared; $use" > shared.jl
    case $use in
    string*) status 0 "$SEGUE" run --max-cpu-time 5 shared.jl ;; # shown in short
    isapprox* | sort*) "$SEGUE" run --max-cpu-time 0.3 shared.jl > out 2> err; [ $? -lt 7 ] || fail "$use: $(cat err)" ;;
    *) limited shared ;;
    esac
done
echo 'x = :(a + b); for i in 1:60 global x = :($x + $x) end; println(x)' > quoted.jl
limited quoted
echo 'using Modia; x = Map(a = 1); for i in 1:60 global x = Map(a = x, b = x) end
m = @instantiateModel(Model(y = x, equations = :[z = 1]))' > maps.jl
limited maps

# A text that is too long is not blamed on a name.
echo 's = "abcdefgh"^400000000' > long.jl
ends 2 'error\[E0004\]: a string of this length does not fit into memory' long run
if [ "$SG_SLOWNESS" -eq 1 ]; then
    echo 's = "abcdefgh"^4000000; for i in 1:10 global s = s * s end' > long.jl
    ends 6 'error\[E000[34]\]: .*(limit of 200 MiB|no more than)' long run --max-memory 200
fi

# Files that are mostly holes are refused before they are read.
truncate -s 20G hole.txt
mkdir hole-results # readModel looks there
for use in 'include("hole.txt")' 'using Modia; readModel("../hole.txt")' \
    'using Modia3D; Modia3D.loadPalettes!(solidMaterialPalette = "hole.txt")'; do
    echo "$use" > hole.jl
    ends 6 'error\[E000[34]\]: (the limit of 100 MiB of memory was reached|out of memory)' hole run --max-memory 100
done

# Files that include each other, or one thing for ever.
mkdir chain
for i in 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do echo "include(\"n$i$j.jl\")" > "chain/n$((10 * i + j - 1)).jl"; done; done
echo 'include("n9.jl")' > chain/start.jl
ends 2 'error\[E0004\]: files include each other more than 60 levels deep' chain/start run
echo 'y = 1' > small.jl
echo 'for i in 1:10^7 include("small.jl") end' > many.jl
limited many

# Palettes nested 100,000 deep; a million objects; a million parameters; many simulations.
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "{\"a\":"; printf "1"; for (i = 0; i < 100000; i++) printf "}" }' > deep.json
echo 'using Modia3D; Modia3D.loadPalettes!(solidMaterialPalette = "deep.json")' > palette.jl
ends 2 'error\[E0[0-9]+\]: .*deep.json' palette run
echo 'using Modia3D
M = Model3D(; [Symbol("o", i) => Object3D(parent = :world) for i in 1:1000000]..., world = Object3D(feature = Scene()))
m = @instantiateModel(M, unitless = true)' > objects.jl
limited objects
awk 'BEGIN { print "using Modia"; print "M = Model("; for (i = 0; i < 200000; i++) print "p" i " = " i ".0,"; print "equations = :[x = p1])" }' > parameters.jl
"$SEGUE" run --max-cpu-time 5 parameters.jl > out 2> err
got=$?
[ $got -eq 0 ] || [ $got -eq 6 ] || fail "parameters: status $got: $(head -n 3 err)"
echo 'using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
for i in 1:100000 simulate!(m, stopTime = 1.0) end' > simulations.jl
limited simulations

# Meshes and results that promise more than they hold, or hold more than anybody wants.
mesh() { # mesh FILE: a model with it, in mesh.jl
    echo "using Modia3D
M = Model3D(world = Object3D(feature = Scene()), b = Object3D(parent = :world, fixedToParent = false,
    feature = Solid(shape = FileMesh(filename = \"$1\"), massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)" > mesh.jl
}
printf 'v 0 0 0\nv 1 0 0\nv nan 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n' > nan.obj
mesh nan.obj
ends 2 'error\[E0906\]: .*a coordinate of a vertex is not finite' mesh run
{ head -c 80 /dev/zero; printf '\377\377\377\377'; head -c 500 /dev/zero; } > short.stl # 2^32 - 1 triangles
mesh short.stl
ends 2 'error\[E0906\]: .*ends before its last triangle' mesh run
status 1 "$SEGUE" info deep.json
has err 'less nesting'
awk 'BEGIN { printf "time"; for (i = 0; i < 300000; i++) printf ",s%d", i; print ""; for (i = 0; i < 300000; i++) printf "%d,", i; print "1" }' > wide.csv
if [ "$SG_SLOWNESS" -eq 1 ]; then
    status 6 "$SEGUE" info --max-memory 20 wide.csv
    has err 'out of memory'
fi
status 0 "$SEGUE" info wide.csv s299999
