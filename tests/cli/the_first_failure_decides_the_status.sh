cat >both.jl <<'END'
using Modia
using Test
M = Model(x = Var(init = 1.0), equations = :[ der(x) = x^2 ])
m = @instantiateModel(M)
simulate!(m, stopTime = 2.0)
@test 1 == 2
END
status 4 "$SEGUE" run --summary both.json both.jl
[ "$("$SG_BINARY_DIR"/json_get both.json exitStatus)" = 4 ] || fail 'exitStatus of the summary'
