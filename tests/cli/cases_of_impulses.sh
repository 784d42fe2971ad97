# The cases of shared/cases: impulses beside a body that is led are exact.
cases=$SG_SOURCE_DIR/../shared/cases/contacts
[ -f "$cases/impulse_on_paddle.jl" ] || { echo "skipped: no shared cases"; return 0; }
status 0 "$SEGUE" run -q "$cases/impulse_on_paddle.jl"
[ "$(grep -c '^CHECK ok  I' out)" -eq 12 ] || fail "a paddle: $(grep BAD out)"
