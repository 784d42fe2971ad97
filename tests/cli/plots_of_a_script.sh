# plot in all its forms: a symbol, an element, tuples, a matrix, reuse with a prefix, another axis, PNG.
cat > forms.jl <<'END'
using Modia
@usingModiaPlot
M = Model(r = Var(init = [1.0, 2.0]), x = Var(init = 1.0), k = 3.0,
          equations = :[der(r) = -r; der(x) = -k*x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
plot(m, :x, figure = 1)
plot(m, "r[2]", figure = 2, heading = "one element")
plot(m, [("x", "r"), "k", "der(x)"], figure = 3)
plot(m, ["x" "r[1]"; "der(x)" ("r", "x")], figure = 4, grid = false)
simulate!(m, stopTime = 1.0, merge = Map(k = 5.0))
plot(m, :x, figure = 1, reuse = true, prefix = "second ")
plot(m, "x", figure = 5, xAxis = "r[1]")
saveFigure(4, "four.svg")
END
status 0 "$SEGUE" run -o plots forms.jl
has plots/figure1.svg "second x"
has plots/figure2.svg "one element"
has plots/figure3.svg "der(x)"
has plots/four.svg "r[1]"
has plots/figure5.svg "r[1]"

# A file that may not grow: one message, nothing left behind, what was there stays.
echo before > big.json
(ulimit -f 1 && exec "$SEGUE" convert plots/M.segue big.json) > out.txt 2> err.txt && fail "no room, no error"
has err.txt "error"
has big.json "before"
[ "$(ls | grep -c 'big.json')" -eq 1 ] || fail "a piece of the file is left"
