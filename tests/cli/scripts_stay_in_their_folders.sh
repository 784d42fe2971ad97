# Nothing outside is read, nothing is written outside of the output folder, no program is run (docs/security.md).
mkdir -p package/inside victim
: >package/inside/Project.toml # this test itself may lie in a package
printf 'secret = 1\n' >package/outside.jl
cd package || exit 1

printf 'include("../outside.jl")\nprintln("got ", secret)\n' >inside/up.jl
status 1 "$SEGUE" run inside/up.jl
has err "run it with --allow-read $(pwd -P)"
status 0 "$SEGUE" run inside/up.jl --allow-read .
has out 'got 1'
status 1 "$SEGUE" run inside/up.jl --allow-read nowhere
has err "--allow-read needs a folder, and 'nowhere' is none"
printf 'include("%s/outside.jl")\n' "$(pwd)" >inside/absolute.jl
status 1 "$SEGUE" run inside/absolute.jl

# Folders that happen to be there give no rights.
mkdir test models examples
status 1 "$SEGUE" run inside/up.jl

# A link does not lead out either; one that stays inside does no harm.
ln -s "$(pwd)/outside.jl" inside/link.jl
printf 'include("link.jl")\nprintln(secret)\n' >inside/through.jl
status 1 "$SEGUE" run inside/through.jl
printf 'friend = 2\n' >inside/friend.jl
ln -s friend.jl inside/near.jl
printf 'include("near.jl")\nprintln("near ", friend)\n' >inside/stays.jl
status 0 "$SEGUE" run inside/stays.jl
has out 'near 2'

# Regular files only: no devices, no pipes, no files that other processes have open.
mkfifo inside/pipe.jl
printf 'include("pipe.jl")\n' >inside/fifo.jl
status 1 within 10 "$SEGUE" run inside/fifo.jl
has err 'not a regular file'
for name in /dev/stdin /dev/zero "/proc/$$/fd/0" /proc/self/environ; do
    printf 'include("%s")\n' "$name" >inside/device.jl
    status 1 within 10 "$SEGUE" run inside/device.jl
    [ $name = /proc/self/environ ] ||
        status 1 within 10 "$SEGUE" run inside/device.jl --allow-read /dev --allow-read /proc
done
# What the user names may be a pipe.
mkfifo named
printf 'println("from a pipe")\n' >named &
status 0 "$SEGUE" run named
has out 'from a pipe'

# Other things that are read: tables, palettes, meshes.
printf '{"a": 1}\n' >data.json
printf 'using Modia\nreadSignalTable("../data.json")\n' >inside/table.jl
status 1 "$SEGUE" run inside/table.jl
has err 'outside of the folders'

# Links that an archive brought along: the output folder, a folder in it, the file, its neighbors.
cat >evil.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M, unitless = true, saveCodeOnFile = "code.txt")
simulate!(m, stopTime = 0.1)
writeSignalTable("deep/table.json", m)
END
ln -s ../victim evil-results
"$SEGUE" run evil.jl --result-format csv >out 2>err && fail 'wrote through evil-results'
has err 'never writes through links'
rm evil-results
mkdir evil-results
ln -s ../../victim evil-results/deep
"$SEGUE" run evil.jl --result-format csv >out 2>err && fail 'wrote through a folder'
has err 'never writes through links'
rm evil-results/deep
for name in code.txt M.csv M.segue M.segue.part deep/table.json; do
    rm -rf evil-results
    mkdir -p evil-results/deep
    ln -s "$(pwd)/../victim/$(basename $name)" "evil-results/$name"
    "$SEGUE" run evil.jl -o evil-results --result-format csv >out 2>err
done
[ -z "$(ls ../victim)" ] || fail "the victim has $(ls ../victim)"
# The user may well name a link.
mkdir elsewhere
ln -s elsewhere chosen
status 0 "$SEGUE" run evil.jl -o chosen --result-format csv
[ -s elsewhere/M.csv ] && [ -s elsewhere/deep/table.json ] && [ -s elsewhere/code.txt ] || fail 'nothing in elsewhere'
ln -s ../victim/summary.json summary.json
status 1 "$SEGUE" run evil.jl -o chosen --summary summary.json
has err 'it is a link'
status 0 "$SEGUE" run evil.jl -q -o chosen --summary /dev/stdout
has out '"status"'
[ -z "$(ls ../victim)" ] || fail "the victim has $(ls ../victim)"

printf 'run(`touch ran`)\n' >inside/program.jl
status 2 "$SEGUE" run inside/program.jl
printf 'ccall(:system, Int, (String,), "touch ran")\n' >inside/ccall.jl
status 2 "$SEGUE" run inside/ccall.jl
[ ! -e ran ] && [ ! -e inside/ran ] || fail 'ran a program'
