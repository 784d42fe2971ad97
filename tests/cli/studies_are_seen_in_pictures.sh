# Pictures of a study's table: points, maps, histograms, scatter matrices; curves of all runs by the folder.
cat >osc.jl <<'EOT'
using Modia
Osc = Model(k = 1.0, d = 0.1, x = Var(init = 1.0), v = Var(init = 0.0),
    equations = :[der(x) = v; der(v) = -k*x - d*v + (if k > 3.5; log(0.5 - time) else 0.0 end)])
osc = @instantiateModel(Osc, unitless = true)
simulate!(osc, stopTime = 2.0, tolerance = 1e-6, interval = 0.05)
EOT
quiet() { "$SEGUE" study "$@" >/dev/null 2>&1; }
quiet osc.jl --vary k=1:3:9 --metric 'end=last(x)' --metric 'min(x, v)' -o not && fail 'a curve is no metric'
quiet osc.jl --vary k=1:3:9 --metric 'end=last(x)' --metric 'max(x - v)' -o sweep --keep-runs x
quiet osc.jl --vary k=1:4:7 --vary d=0.1:0.3:5 --metric 'end=last(x)' -o grid
quiet osc.jl --vary 'k=uniform(1,3)' --vary 'd=normal(0.2,0.02)' --runs 4000 --metric 'end=last(x)' --stop 0.2 -o draws -j 2

# A sweep: nine points, joined by a line that goes from value to value.
status 0 "$SEGUE" plot sweep end 'max(x - v)' --x k -o points.svg
test "$(grep -c 'stroke="#999999"' points.svg)" -eq 2 || fail 'lines through the points of a sweep'
test "$(grep 'stroke-width="4' points.svg | grep -o 'M[0-9. -]*L' | wc -l)" -eq 18 || fail 'a point for each run'
has points.svg '9 runs'
# A grid: a field for each combination, but for those of two values of k, which fail.
status 0 "$SEGUE" plot grid end --map k,d -o map.svg
test "$(grep -c '<rect' map.svg)" -eq $(($(grep -c ',ok,' grid/table.csv) + 64 + 2)) || fail 'fields of a map'
failed=$(grep -vc ',ok,' grid/table.csv)
has map.svg "35 runs, $((failed - 1)) of them without a value"
# Draws: means of fields; points are no line.
status 0 "$SEGUE" plot draws end --map k,d -o fields.svg
test "$(grep -c '<rect' fields.svg)" -gt 500 || fail 'fields of draws'
status 0 "$SEGUE" plot draws end --x k --color-by d -o colored.svg
lacks colored.svg 'stroke="#999999"'
# The numbers of a histogram are those of the table.
status 0 "$SEGUE" plot draws end --histogram -o histogram.svg
mean=$(awk -F, 'NR > 1 { s += $4; n++ } END { printf "%.4g", s/n }' draws/table.csv)
has histogram.svg "mean $mean, deviation"
median=$(tail -n +2 draws/table.csv | cut -d, -f4 | sort -g | awk '{ v[NR] = $1 } END { printf "%.4g", (v[2000] + v[2001])/2 }')
has histogram.svg "median $median, nine"
# Fontconfig, which cairo brings along, keeps some memory to the end of the process.
echo leak:libfontconfig > fontconfig.txt
LSAN_OPTIONS=print_suppressions=0:suppressions=fontconfig.txt status 0 "$SEGUE" plot draws --scatter -o scatter.png
test "$(head -c 4 scatter.png | tail -c 3)" = PNG || fail 'a picture'
status 0 "$SEGUE" plot draws/table.segue --scatter k d end -o scatter.svg
test "$(wc -c <scatter.svg)" -lt 2000000 || fail 'a scatter matrix is too large'
# Curves by the folder.
status 0 "$SEGUE" plot sweep x --color-by k -o curves.svg
status 0 "$SEGUE" plot sweep x --band
# What cannot be.
status 1 "$SEGUE" plot draws end -o x.svg
has err 'no run of the study'
status 1 "$SEGUE" plot draws end --histogram
has err 'need -o FILE'
status 1 "$SEGUE" plot draws end --histogram --scatter -o x.svg
has err 'only one of'
status 1 "$SEGUE" plot draws --map seed,failed -o x.svg
status 1 "$SEGUE" plot draws end --map k -o x.svg
has err 'needs two columns'
status 1 "$SEGUE" plot draws end --points -o x.svg
has err '--points needs --x'
status 1 "$SEGUE" plot draws nix --histogram -o x.svg
has err "no signal 'nix'"
# The page of a study: all that was varied, and all runs that were kept.
if "$SEGUE" view sweep -o sweep.html >out 2>err; then
    has err '9 of 9 rows, curves of 9 and 9 whole of 9 runs'
    has sweep.html '"variables":1,'
    # Any state can be the only signal that was kept.
    for state in x v; do
        quiet osc.jl --vary k=1:3:3 -o one_$state --keep-runs $state
        status 0 "$SEGUE" view one_$state -o one.html
        has err 'curves of 3 and 3 whole of 3 runs'
        has one.html "\"signals\":[\"$state\"]"
    done
    status 0 "$SEGUE" view grid -o grid.html
    has grid.html '"variables":2,'
    status 1 "$SEGUE" view grid --glb x.glb
    status 1 "$SEGUE" view grid --png 1 -o x.png
else
    has err 'cannot make pages'
fi
