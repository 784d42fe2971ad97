# What engineers ask of scripts: tables from and to text files, quantiles, arguments, plots of tables, thousands of runs.
cat >study.jl <<'END'
using Modia
Decay = Model(rate = 1.0, x = Var(init = 1.0), equations = :[der(x) = -rate*x])
decay = @instantiateModel(Decay, unitless = true)
rates = [0.5, 1.0, 2.0]
ends = [(simulate!(decay, stopTime = 1.0, merge = Map(rate = r), keep = :last); round(getLastValue(decay, "x"), digits = 4)) for r in rates]
writedlm("ends.csv", [rates ends], header = ["rate", "x"])
data, names = readdlm("ends.csv", ',', header = true)
println(data, " ", names)
plot((rate = rates, x = ends), "x")
plot(Dict("rate" => rates*u"s^-1", "x" => ends), figure = 2)
open("notes.txt", "w") do io
    println(io, "three runs")
    print(io, 1.5)
end
late = open("late.txt", "a")
println(late, "never closed")
println(readlines("notes.txt"), " ", isfile("nothing"), " ", ARGS)
println(quantile([4.0, 1.0, 3.0, 2.0], [0.0, 0.25, 1.0]), " ", median([3u"m", 1u"m", 2u"m"]), " ", readdlm("measured.txt"))
END
printf '  1 2.5\n\n3\t4\n' >measured.txt
status 0 "$SEGUE" run study.jl -- 12 fast
has out '[0.5 0.6065; 1.0 0.3679; 2.0 0.1353] ["rate", "x"]'
has out '["three runs", "1.5"] false ["12", "fast"]'
has out '[1.0, 1.75, 4.0] 2.0 m [1.0 2.5; 3.0 4.0]'
[ "$(ls study-results/*.segue)" = study-results/Decay.segue ] || fail "keep = :last kept $(ls study-results)"
has study-results/figure1.svg 'rate'
[ "$(cat study-results/late.txt)" = 'never closed' ] || fail 'a file that is not closed is lost'
printf 'rate,x\n' >head
head -n 1 study-results/ends.csv | cmp -s - head || fail 'no header'

# Nothing is written elsewhere, and nothing is read that must not be.
for code in 'open("../x.txt", "w")' 'writedlm("../x.csv", [1 2])' 'open("/etc/passwd")' 'readlines("/etc/passwd")'; do
    status 1 "$SEGUE" run -e "$code"
    has err 'E0006'
done
printf '1,2\n3\n' >ragged.csv
status 2 "$SEGUE" run -e 'readdlm("ragged.csv")'
has err "line 2: 1 fields, but 2"
status 2 "$SEGUE" run -e 'quantile([1.0], 1.5)'
has err 'a share is a number from 0 to 1'

# Which run files stay; more runs than files are allowed.
cat >many.jl <<'END'
using Modia
Decay = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
decay = @instantiateModel(Decay, unitless = true)
for k in 1:12
    simulate!(decay, stopTime = 1.0)
end
END
status 0 "$SEGUE" run --keep none -o none many.jl
[ ! -e none/Decay.segue ] || fail '--keep none keeps'
status 0 "$SEGUE" run --keep last --max-files 3 -o last many.jl
[ "$(ls last)" = Decay.segue ] || fail '--keep last keeps others'
status 0 "$SEGUE" run -o all many.jl
[ "$(ls all | wc -l)" -eq 12 ] || fail '--keep all'
status 6 "$SEGUE" run --max-files 3 -o few many.jl
status 1 "$SEGUE" run --keep some many.jl
has err '--keep takes all, last or none'
