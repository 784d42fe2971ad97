# Pages of docs/reference are what the program says, no name is without an entry, and examples give what they promise.
status 0 "$SEGUE" library --undocumented
[ ! -s out ] || fail "without an entry: $(tr '\n' ' ' <out)"
sh "$SG_SOURCE_DIR/tools/reference" "$SEGUE" pages
diff -r pages "$SG_SOURCE_DIR/docs/reference" >difference || fail "make reference, and commit: $(head -n 5 difference)"

# Examples with a result: `code  # => value`.
cat "$SG_SOURCE_DIR"/library/reference/*.txt | sed -n 's/^    \(.*[^ ]\) *# => \(.*\)$/\1\t\2/p' >examples
[ "$(wc -l <examples)" -gt 40 ] || fail "only $(wc -l <examples) examples"
awk -F '\t' '{ print "println(repr(" $1 "))" }' examples >all.jl
cut -f 2 examples >want
status 0 "$SEGUE" run all.jl
diff out want >difference || fail "examples: $(head -n 8 difference)"

# Everything that is asked for by name.
status 0 "$SEGUE" help Resistor
has out 'R = 1.0u"Ω"'
has out 'R*i = v'
has out 'include("$(Modia.modelsPath)/Electric.jl")'
status 0 "$SEGUE" help 'simulate!'
has out 'stopTime'
status 0 "$SEGUE" help Revolute
status 0 "$SEGUE" library
has out 'SpringDamperPtP'
status 1 "$SEGUE" help Resistr
has err "did you mean 'Resistor'?"
status 1 "$SEGUE" library Nonsense
has err 'there are Electric'
