# Pages of docs/reference are what the program says, no name is without an entry, and examples give what they promise.
status 0 "$SEGUE" library --undocumented
[ ! -s out ] || fail "without an entry: $(tr '\n' ' ' <out)"
sh "$SG_SOURCE_DIR/tools/reference" "$SEGUE" pages
diff -r pages "$SG_SOURCE_DIR/docs/reference" >difference || fail "make reference, and commit: $(head -n 5 difference)"

# Every part of the library has a picture, joints do, too; bases of parts need none, and functions begin with small letters.
for page in pages/*.md; do
    grep -q 'stand in `library/models' "$page" || [ "$page" = pages/Joints.md ] || continue
    awk '/^## `/ { if (name != "") print name; name = $0; gsub(/^## `|[(`].*/, "", name); if (name ~ /^[a-z]/ && $0 ~ /\(/) name = "" }
         /^!\[/ { name = "" }
         END { if (name != "") print name }' "$page"
done | grep -v -E '^(Partial.*|OnePort|SISO|SO|SI2SO|SignalSource)$' >without || true
[ ! -s without ] || fail "parts without a line in library/symbols.txt: $(cat without)"
for picture in pages/symbols/*.svg; do
    grep -q "](symbols/$(basename "$picture"))" pages/*.md || fail "$picture is of no part"
done

# Examples with a result: `code  # => value`.
cat "$SG_SOURCE_DIR"/library/reference/*.txt | sed -n 's/^    \(.*[^ ]\) *# => \(.*\)$/\1\t\2/p' >examples
[ "$(wc -l <examples)" -gt 40 ] || fail "only $(wc -l <examples) examples"
awk -F '\t' '{ print "println(repr(" $1 "))" }' examples >all.jl
cut -f 2 examples >want
status 0 "$SEGUE" run all.jl
diff out want >difference || fail "examples: $(head -n 8 difference)"

# Every entry has an example, but for what scripts have no use of.
cat "$SG_SOURCE_DIR"/library/reference/*.txt | awk '
    function tell() { if (name && !example && !excused) print name }
    /^## / { tell(); name = $0; example = excused = 0 }
    /^    / { example = 1 }
    /Accepted|docs\/components.md|not by scripts|not supported|^Their values|^What an evaluation|^Keywords of your own|docs\/animation.md/ { excused = 1 }
    END { tell() }' >without
[ ! -s without ] || fail "without an example: $(cat without)"
# They can be read as programs.
cat "$SG_SOURCE_DIR"/library/reference/*.txt | sed -n 's/^    //p' | grep -v '^ *equations = ' >parsed.jl
status 0 "$SEGUE" dump ast parsed.jl

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
