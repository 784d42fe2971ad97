# `--html --glb` forgot a name. A value that begins with '-' is refused by every option that takes a
# file or folder, in one piece and in two, before anything is done; "./-x" is such a file.
cat >model.jl <<'END'
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]))
simulate!(m, stopTime = 1.0)
END

refused() { # WORDS...
    status 1 "$SEGUE" "$@"
    has err 'needs a file'
    left=$(ls -A | grep -vxE 'model.jl|out|err')
    [ -z "$left" ] || fail "segue $* left: $left"
}

# Every option whose value is a file by the word of its help page.
n=0
for command in run check view info dump; do
    for option in $("$SEGUE" $command --help | sed -nE 's/^ +(-.,)? *--([a-z0-9-]+) [A-Za-z]*(FILE|OUT|DIR|LIB)[^ ]* .*/\2/p'); do
        n=$((n + 1))
        refused $command --$option --glb model.jl
        refused $command --$option=-x model.jl
        [ "$option" = summary ] || refused $command --$option - model.jl
    done
    [ $failures -eq 0 ] || break
done
[ $n -ge 25 ] || fail "only $n options were found"
refused run -o -q model.jl
refused run -o-q model.jl
refused view -o -q model.jl
refused plot -o --events model.jl

status 0 "$SEGUE" run -q -o ./-r --html ./-x --summary - model.jl
has out '"simulations"'
[ -f ./-x ] && [ -d ./-r ] || fail "a name with a dash: $(ls -A)"
# What is no file may begin so.
status 0 "$SEGUE" run -q --set x=-1 -e '-1'
