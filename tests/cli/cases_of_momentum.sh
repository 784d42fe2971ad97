# The cases of shared/cases: momentum of what is attached, or parked on what moves.
cases=$SG_SOURCE_DIR/../shared/cases/contacts
[ -f "$cases/attach_momentum.jl" ] || { echo "skipped: no shared cases"; return 0; }
status 0 "$SEGUE" run -q "$cases/attach_momentum.jl"
[ "$(grep -c '^CHECK ok' out)" -eq 2 ] || fail "attached: $(cat out)"
status 0 "$SEGUE" run -q "$cases/park_on_moving.jl"
awk '/^t / { gsub(/[][,]/, " "); for (i = 4; i < NF; i++) if ($i ~ /^[-0-9]/ && ($i > 1e-12 || $i < -1e-12)) bad = 1; n++ }
     END { exit bad || n != 2 }' out || fail "parked: $(cat out)"
# As published.
status 0 "$SEGUE" run -q --compat modia-0.12 "$cases/attach_momentum.jl"
has out "CHECK BAD P: got 0.0"
