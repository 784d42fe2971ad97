# Group D of the scenarios with --compat modia-0.12, too (by default they run as tests/models/d*.jl).
for file in "$SG_SOURCE_DIR"/tests/models/d[0-9]_*.jl; do
    cp "$file" .
    status 0 within 60 "$SEGUE" run -q --compat modia-0.12 "$(basename "$file")"
done
