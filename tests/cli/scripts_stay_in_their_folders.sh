# Nothing outside is read, nothing is written outside the output folder, no program is run.
#
# The folder lies outside the project: files up to the nearest folder that holds `test`, `examples` or
# `models` may be read, and here that would be the whole project.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
above=$scratch
while [ "$above" != / ]; do
    above=$(dirname "$above")
    for name in test examples models; do
        [ ! -d "$above/$name" ] || { echo "$above holds $name"; exit 77; }
    done
done
mkdir "$scratch/inside" && cd "$scratch" || exit 1
printf 'secret = 1\n' >outside.jl

printf 'include("../outside.jl")\n' >inside/up.jl
status 1 "$SEGUE" run inside/up.jl
has err outside.jl
printf 'include("%s/outside.jl")\n' "$scratch" >inside/absolute.jl
status 1 "$SEGUE" run inside/absolute.jl

# A link does not lead out either.
ln -s "$scratch/outside.jl" inside/link.jl
printf 'include("link.jl")\nprintln(secret)\n' >inside/through.jl
"$SEGUE" run inside/through.jl >out 2>err && fail 'read through a link that leads out'

printf 'run(`touch ran`)\n' >inside/program.jl
status 2 "$SEGUE" run inside/program.jl
printf 'ccall(:system, Int, (String,), "touch ran")\n' >inside/ccall.jl
status 2 "$SEGUE" run inside/ccall.jl
[ ! -e ran ] && [ ! -e inside/ran ] || fail 'ran a program'
