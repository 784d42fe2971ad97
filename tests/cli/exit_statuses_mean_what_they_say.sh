# 0 success, 1 usage or files, 2 model, 4 solver, 5 check, 6 limit, 130 interrupted.
status 0 "$SEGUE" run -e 'println(1 + 1)'
has out 2

status 1 "$SEGUE" run no-such-file.jl
has err no-such-file.jl
status 1 "$SEGUE" run --no-such-option x.jl
has err no-such-option
status 1 "$SEGUE" no-such-command x.jl
mkdir folder.jl
status 1 "$SEGUE" run folder.jl
has err folder.jl
status 1 "$SEGUE" run

printf 'x = (1,\n' >syntax.jl
status 2 "$SEGUE" run syntax.jl
has err 'syntax.jl:'
printf 'using Modia\nprintln(unknownName)\n' >name.jl
status 2 "$SEGUE" run name.jl
has err 'name.jl:2:9'
printf 'using Modia\nx = 1.0u"m" + 1.0u"s"\n' >units.jl
status 2 "$SEGUE" run units.jl

cat >blowup.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[ der(x) = x^2 ])
m = @instantiateModel(M)
simulate!(m, stopTime = 2.0)
println("the script goes on")
END
status 4 "$SEGUE" run blowup.jl
has out 'the script goes on'

printf 'using Test\n@test 1 == 2\n' >check.jl
status 5 "$SEGUE" run check.jl
cat >states.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[ der(x) = -x ])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0, requiredFinalStates = [0.5])
END
status 5 "$SEGUE" run states.jl

printf 'i = 0\nwhile true\n    global i += 1\nend\n' >endless.jl
status 6 within 20 "$SEGUE" run --max-cpu-time 0.3 endless.jl

status 130 timeout --foreground --preserve-status -s INT 0.5 "$SEGUE" run endless.jl
