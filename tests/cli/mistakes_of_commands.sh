# Mistakes of the command line that went on without a word once.
cat >decay.jl <<'END'
using Modia
Decay = Model(rate = 1.0, x = Var(init = 1.0), equations = :[der(x) = -rate*x])
decay = @instantiateModel(Decay, unitless = true)
for k in 1:3
    simulate!(decay, stopTime = 1.0, merge = Map(rate = 1.0*k))
end
END
sed 's/1:3/1:2/' decay.jl >fewer.jl

# A command that is misspelt.
status 1 "$SEGUE" rnu decay.jl
has err "did you mean 'segue run'?"

# A file without anything.
: >empty.jl
printf '# only\n   # comments\n' >comments.jl
for file in empty comments; do
    status 0 "$SEGUE" run $file.jl
    has err "there is nothing to run in this file"
    status 5 "$SEGUE" run --strict $file.jl
done

# Files that cannot be written are told before the run.
for option in html glb obj stl three-json summary; do
    status 1 "$SEGUE" run --$option nowhere/file decay.jl
    has err "--$option: cannot write 'nowhere/file': No such file or directory"
    [ ! -e decay-results ] || fail "--$option: the run came first"
done
# The folder of the results is made by the run, behind the wall or without it.
status 0 "$SEGUE" run -q --sandbox=off -o made/ --summary made/summary.json decay.jl
status 0 "$SEGUE" run -q --sandbox=off --summary decay-results/summary.json decay.jl

# Runs of an earlier study in the same folder.
status 0 "$SEGUE" run -o study decay.jl
lacks err "earlier"
cp decay.jl keep.jl && cp fewer.jl decay.jl
status 0 "$SEGUE" run -o study decay.jl
has err "note: 'study/Decay-3.segue' is of an earlier run"
lacks err "is replaced" # the same script may be run again
status 0 "$SEGUE" plot study/*.segue x
has err "warning: 1 of these 3 results is of an earlier run, such as 'study/Decay-3.segue'"
status 0 "$SEGUE" plot study/Decay.segue study/Decay-2.segue x
lacks err "earlier"

# Another script that writes to the same folder.
cp keep.jl other.jl
status 0 "$SEGUE" run -o study other.jl
has err "'study/Decay.segue', a result of 'decay.jl', is replaced"
[ "$(grep -c 'is replaced' err)" -eq 1 ] || fail "told more than once"
