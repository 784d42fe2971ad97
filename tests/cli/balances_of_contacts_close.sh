# The balance of energy closes in all examples and scenes with contacts: kinetic, potential and stored elastic energy, and
# what damping, sliding and rolling took. Not accounted for is less than 1e-4 of the largest energy.
for file in "$SG_SOURCE_DIR"/examples/contact/*.jl "$SG_SOURCE_DIR"/tests/models/e[1-8]_*.jl \
    "$SG_SOURCE_DIR"/tests/models/symmetric_break.jl; do
    status 0 within 60 "$SEGUE" run -q --balance "$file"
    name=$(basename "$file")
    grep -q 'the balance closes' out || fail "$name has no balance"
    lacks out "does not close"
    worst=$(grep -o '([^ ]* of the largest energy)' out | tr -d '(' | awk '$1 > most { most = $1 } END { print most + 0 }')
    awk -v x="$worst" 'BEGIN { exit !(x < 1e-4) }' || fail "$name: $worst of the largest energy are not accounted for"
done
