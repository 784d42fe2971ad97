# Sizes that change by merge, of visible arrays and of predefined components, and states that are
# chosen anew: every run of a model uses its one translation.
get() { "$SG_BINARY_DIR"/json_get "$@"; }
for model in examples/thesis/array_sizes tests/models/predefined_components tests/models/pendulum_turns; do
    status 0 within 60 "$SEGUE" run --summary runs.json "$SG_SOURCE_DIR/$model.jl"
    n=$(get runs.json 'simulations.#')
    [ "$n" -ge 2 ] || fail "$model: only $n runs"
    i=0
    while [ "$i" -lt "$n" ]; do
        [ "$(get runs.json simulations.$i.nTranslations)" = 1 ] ||
            fail "$model: run $i was translated $(get runs.json simulations.$i.nTranslations) times"
        i=$((i + 1))
    done
done
