# Every part that is a model stands in a model that a test instantiates: behind the includes of each test a part gets one more parameter, which
# prints its name where it is evaluated, and the test still passes. Parts that are functions (joints, most of Mechanics3D)
# are left to cli/library_parts_have_tests, which asks for their names.
for group in $("$SEGUE" library --groups); do
    "$SEGUE" library --page "$group" >page
    grep -q 'stand in `library/models' page || continue
    sed -n 's/^## `\([A-Z][A-Za-z0-9_]*\)`$/\1/p' page
done | grep -vE '^(Pin|Plug|Flange|TranslationalFlange|HeatPort|FluidPort|Partial.*|OnePort|SISO|SO|SI2SO|SignalSource)$' | sort -u >models
[ "$(wc -l <models)" -ge 180 ] || fail "only $(wc -l <models) parts are models"
for file in "$SG_SOURCE_DIR"/tests/models/library_*.jl; do
    last=$(grep -n '^include(' "$file" | tail -n 1 | cut -d: -f1)
    [ -n "$last" ] || continue
    grep -oE '^[A-Z][A-Za-z0-9_]* = ' "$file" | tr -d ' =' | sort -u >own # names that the test gives to something else
    sed 's/#.*//' "$file" | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u | comm -23 - own | comm -12 - models >named
    {
        head -n "$last" "$file"
        while read -r name; do
            printf 'function ran_%s()\n    println("ran %s")\n    return 1.0\nend\n%s = %s | Map(ran_%s = :(ran_%s()))\n' "$name" "$name" "$name" "$name" "$name" "$name"
        done <named
        tail -n "+$((last + 1))" "$file"
    } >marked.jl
    status 0 "$SEGUE" run -q marked.jl
    sed -n 's/^ran //p' out >>ran
done
sort -u ran | comm -23 models - >idle
[ ! -s idle ] || fail "no test runs $(tr '\n' ' ' <idle)"
