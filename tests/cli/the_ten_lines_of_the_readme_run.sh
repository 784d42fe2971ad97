# What the README promises: its ten lines give the output that stands below them.
sed -n '/^```julia$/,/^```$/p' "$SG_SOURCE_DIR/README.md" | grep -v '^```' >lag.jl
[ "$(wc -l <lag.jl)" -eq 10 ] || fail "the README has $(wc -l <lag.jl) lines of model"
status 0 "$SEGUE" run lag.jl
promised=$(sed -n 's/^    \(x at the end: .*\)$/\1/p' "$SG_SOURCE_DIR/README.md")
has out "$promised"
[ -s lag-results/figure1.svg ] || fail 'no picture'
