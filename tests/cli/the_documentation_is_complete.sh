# Whatever a user may write is in the documentation: options of the commands, keywords of 3D elements, switches.
docs=$SG_SOURCE_DIR/docs

for command in run check info view plot compare convert distance dump; do
    status 0 "$SEGUE" "$command" --help
    grep -q "segue $command" "$docs/cli.md" || fail "cli.md does not know segue $command"
    for option in $(grep -oE -- '--[a-z0-9-]+' out | sort -u); do
        [ "$option" = --help ] || grep -q -- "$option\>" "$docs/cli.md" || fail "cli.md lacks $option of segue $command"
    done
done

# The words in SG_3D(name, path, unknown, "required", "optional") and SG_SHAPE(A, a, name, "keywords").
words=$(tr -d '\n' <"$SG_SOURCE_DIR/src/parts/constructors3d_list.h" | sed 's/SG_3D(/\n&/g' |
    grep -v 'SG_3D(Constructor' | sed -n 's/^SG_3D(\([A-Za-z0-9]*\),[^,]*,[^,]*,\(.*\))$/\1 \2/p' | tr -d '",')
shapes=$(tr -d '\n' <"$SG_SOURCE_DIR/include/segue/shape_list.h" | sed 's/SG_SHAPE(/\n&/g' |
    grep -v '^SG_SHAPE(NAME' | sed -n 's/^SG_SHAPE(\([A-Z]*\),[^,]*,\([^,]*\),\([^)]*\)).*$/\2 \3/p' | tr -d '",')
[ "$(echo "$shapes" | wc -w)" -gt 25 ] || fail "only these words of shapes found: $shapes"
ties=$(sed -n 's/^SG_TIE([A-Z]*, [a-z]*, \(.*\))$/\1/p' "$SG_SOURCE_DIR/src/multibody/ties_list.h" | tr -d '",')
joints=$(sed -n 's/^SG_JOINT(\([A-Za-z0-9]*\),.*/\1/p' "$SG_SOURCE_DIR/src/parts/joints_list.h")
[ "$(echo "$ties $joints" | wc -w)" -gt 14 ] || fail "only these words of joints found: $ties $joints"
words="$words $shapes $ties $joints"
[ "$(echo "$words" | wc -w)" -gt 150 ] || fail "only these keywords found: $words"
for word in $words; do
    grep -qE "(\`|[(, ])$word(\`|[ (),])" "$docs"/*.md || fail "no page knows $word"
done

switches=$(sed -n 's/^SG_PART_COMPAT([a-z_]*, *"\([a-z-]*\)".*/\1/p' "$SG_SOURCE_DIR/src/parts/compat_list.h")
[ "$(echo "$switches" | wc -w)" -gt 5 ] || fail "only these switches found: $switches"
for name in $switches; do
    grep -q "\`$name\`" "$docs/compat.md" || fail "compat.md lacks $name"
done

# Functions of Modia3D: the names in the tables of the source.
functions=$(grep -ohE '"(measFrame|applyFrame)[A-Za-z]+!?"' "$SG_SOURCE_DIR/src/parts/measure_functions.c" | tr -d '"')
[ "$(echo "$functions" | wc -w)" -eq 15 ] || fail "only these functions found: $functions"
for name in $functions; do
    grep -q "$name(\|\`$name\`" "$docs/forces.md" || fail "forces.md lacks $name"
done
