# What the pages show is what the program does. In a page, a block ```julia or ```text that begins with a line `# NAME.jl`
# is a file; a block ```console holds commands behind `$ ` and what they print, on both streams. A line `...` stands for any
# number of lines.
mkdir -p bin
ln -s "$SEGUE" bin/segue
PATH=$PWD/bin:$PATH

extract() { # extract PAGE: writes the files, and the sessions as session1, session2, ...
    awk '
        /^```/ && inside { if (inside == "console") n++; inside = ""; if (name) close(name); name = ""; next }
        /^```(julia|text)/ { inside = "file"; first = 1; next }
        /^```console/ { inside = "console"; next }
        /^```/ { inside = "other"; next }
        inside == "file" && first { first = 0; if ($0 ~ /^# [a-z0-9_]+\.[a-z]+$/) { name = $2; printf "" > name } }
        inside == "file" && name { print > name }
        inside == "console" { print > ("session" (n + 1)) }' "$1"
}

# Compares lines of `got` with those of `want`, where `...` matches as many as needed. Numbers may differ in digits that
# depend on the machine's functions.
same() {
    awk 'function alike(a, b,  i, n, m, x, y) {
             n = split(a, x, /[ ,;()\[\]]+/)
             m = split(b, y, /[ ,;()\[\]]+/)
             if (n != m) return 0
             for (i = 1; i <= n; i++)
                 if (x[i] != y[i] && !(is_number(x[i]) && is_number(y[i]) && near(x[i], y[i]))) return 0
             return 1
         }
         function is_number(a) { return a ~ /^[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ }
         function near(a, b) { d = a - b; s = a < 0 ? -a : a; return d*d <= 1e-10*s*s + 1e-18 }
         NR == FNR { got[++n] = $0; next }
         { want[++m] = $0 }
         END {
             i = 1
             for (j = 1; j <= m; j++) {
                 if (want[j] == "...") {
                     if (j == m) exit 0
                     while (i <= n && !alike(got[i], want[j + 1])) i++
                     continue
                 }
                 if (i > n || !alike(got[i], want[j])) {
                     printf "line %d: expected: %s\n         printed:  %s\n", j, want[j], got[i]
                     exit 1
                 }
                 i++
             }
             if (i <= n) { printf "more is printed: %s\n", got[i]; exit 1 }
         }' got want
}

play() { # play SESSION PAGE
    sed -n 's/^\$ //p' "$1" >commands
    k=0
    while read -r command; do
        k=$((k + 1))
        awk -v k="$k" '/^\$ / { n++; next } n == k' "$1" >want
        sh -c "$command" >got 2>&1 </dev/null
        difference=$(same) || fail "$2: $command
$difference"
    done <commands
}

pages=0
for page in "${pages_of:-$SG_SOURCE_DIR/docs}"/*.md; do
    name=$(basename "$page" .md)
    mkdir -p "$name"
    cd "$name" || exit 1
    ln -sf "$SG_SOURCE_DIR/examples" examples
    extract "$page"
    for session in session*; do
        [ -f "$session" ] || continue
        pages=$((pages + 1))
        play "$session" "$name"
    done
    cd ..
done
[ "$pages" -ge 5 ] || fail "only $pages sessions found"
