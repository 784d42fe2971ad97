# The case of shared/cases: a skin of wood on steel yields as wood, by default and in compatibility.
cases=$SG_SOURCE_DIR/../shared/cases/contacts
[ -f "$cases/contact_material.jl" ] || { echo "skipped: no shared cases"; return 0; }
for mode in '' '--compat modia-0.12'; do
    # shellcheck disable=SC2086
    status 0 "$SEGUE" run -q $mode "$cases/contact_material.jl"
    awk '/^R / { exit !($3 > 0.97e-3 && $3 < 1.01e-3) }' out || fail "deepest ($mode): $(cat out)"
done
