# study(...) in a script gives the numbers of segue study, leaves the model as it was, and takes functions as
# metrics; so does the command.
cat >osc.jl <<'EOT'
using Modia, Test
Osc = Model(w = 2.0, d = 0.0, n = 1, on = true, x = Var(init = 1.0), v = Var(init = 0.0),
    equations = :[der(x) = v; der(v) = if on; -w^2*n*x - d*v else 0.0 end])
osc = @instantiateModel(Osc, unitless = true, log = false)
peak(r) = maximum(abs.(getValues(r, "v")))
odd(r) = getValues(r, "v")[end] > 0 ? error("too fast") : nothing
word(r) = "a text"
simulate!(osc, Tsit5(), stopTime = 2.0, tolerance = 1e-9, interval = 1e-3, log = false)
if length(ARGS) > 0
    before = rand()
    t = study(osc, Tsit5(), vary = Map(w = [1.0, 2.0, 3.0]), metric = ["last(x)", "p=peak", (sum = r -> sum(getValues(r, "x")),)],
        stopTime = 2.0, tolerance = 1e-9, interval = 1e-3)
    @test maximum(abs.(t["last(x)"] - cos.(2*t["w"]))) < 1e-7
    @test t["p"] == t["p"] && all(t["status"] .== "ok") && t["run"] == [0, 1, 2]
    @test collect(keys(t)) == ["run", "w", "last(x)", "p", "sum", "status", "message", "seed"]
    @test getLastValue(osc, "x") ≈ cos(4.0)
    draws = study(osc, Tsit5(), vary = ["w=uniform(1,3)", "x=normal(1,0.1)"], metric = Dict("l" => "last(x)", "v0" => "first(v)"), runs = 4,
        seed = 3, sampler = "lhs", stopTime = 2.0, tolerance = 1e-9, interval = 1e-3, keep = "v")
    @test length(getValues(draws["result"][2], "v")) == 2001
    for i in 1:4
        println("row ", draws["w"][i], ",", draws["x"][i], ",", draws["l"][i], ",", draws["seed"][i])
    end
    whole = study(osc, vary = (n = [1, 4], on = [true, false]), metric = "last(x)", stopTime = 1.0, tolerance = 1e-9)
    @test maximum(abs.(whole["last(x)"] - [cos(2.0), 1.0, cos(4.0), 1.0])) < 1e-6
    failing = study(osc, vary = "w=1:3:9", metric = (o = odd, text = word), stopTime = 2.0)
    @test all(failing["status"] .== "metric") && "too fast" in failing["message"]
    for bad in [(vary = "q=1,2",), (vary = "w=1,2", metric = "last(y)"), (vary = Map(w = []),), (vary = 3,), (metric = "max(x",), (runs = -1,), (vary = "w=1,2", metric = "w=last(x)"),
            (vary = "w=1,2", nonsense = 3)]
        message = ""
        try
            study(osc; stopTime = 1.0, bad...)
        catch e
            message = sprint(showerror, e)
        end
        println("refused: ", message)
    end
    simulate!(osc, Tsit5(), stopTime = 2.0, tolerance = 1e-9, interval = 1e-3, log = false)
    @test getLastValue(osc, "x") ≈ cos(4.0)
    plot(t, ["last(x)", "p"], xAxis = "w")
end
EOT
status 0 "$SEGUE" run osc.jl -- all
has out "nothing to be set called 'q'"
has out "there is no signal 'y' (there are x, v"
has out "a value or more for each name"
has out "vary is a text"
has out "runs is a whole number"
has out "has a column 'w' already"
has out "no keyword argument 'nonsense'"
test -s osc-results/figure1.svg || fail 'a plot of the table'
sed -n 's/^row //p' out >script.rows
status 0 "$SEGUE" study osc.jl --vary 'w=uniform(1,3)' --vary 'x=normal(1,0.1)' --runs 4 --seed 3 --sampler lhs \
    --metric 'l=last(x)' --metric p=peak -o by -j 2
awk -F, 'NR > 1 { print $2 "," $3 "," $4 "," $8 }' by/table.csv >command.rows
cmp script.rows command.rows || fail 'the script and the command have other numbers'
awk -F, 'NR > 1 { if ($5 <= 0 || $5 > 4) bad = 1 } END { exit bad }' by/table.csv || fail 'a function as a metric'
# A function that raises is a row with its place; one without a number as well.
status 5 "$SEGUE" study osc.jl --vary w=1:3:9 --metric odd -o odd
has odd/table.csv 'too fast'
status 5 "$SEGUE" study osc.jl --vary w=1,2 --metric word -o word
has word/table.csv "the function 'word' of a metric returns no number"
# What is not there is told with what is.
status 1 "$SEGUE" study osc.jl --vary w=1,2 --metric 'last(xx) + max(v)' -o none
has err "no signal 'xx'; did you mean 'x'? (there are x, v"
status 0 "$SEGUE" check osc.jl
