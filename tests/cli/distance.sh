# segue distance: one line a case, errors by case, exit statuses, JSON, repetition.

cat > good.txt <<'END'
pairs 1
case near separated
shape sphere 1 0 0 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0
shape box 1 1 1 rot 1 0 0 0 1 0 0 0 1 pos 3 0.1 0.2 nv 0 nf 0
case deep deep
shape capsule 0.5 1 0 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0
shape box 1 1 1 rot 1 0 0 0 1 0 0 0 1 pos 1.4 0.1 0 nv 0 nf 0
END
sed 's/^shape box 1 1 1 rot 1 0 0 0 1 0 0 0 1 pos 3/shape box 1 0 1 rot 1 0 0 0 1 0 0 0 1 pos 3/' good.txt > flat.txt

"$SEGUE" distance good.txt > out.txt || { echo "good cases fail"; exit 1; }
[ "$(wc -l < out.txt)" -eq 2 ] || { echo "not one line a case"; exit 1; }
[ "$(awk 'NR == 1 { print NF, $1, $2, $12 }' out.txt)" = "12 near 1 0" ] || { cat out.txt; exit 1; }
awk 'NR == 2 { d = $2 + 0.1; exit !(d < 1e-12 && d > -1e-12) }' out.txt || { cat out.txt; exit 1; }

"$SEGUE" distance --exact --json good.txt | grep -q '"id": "deep", "delta": -0\.[01]' ||
    { echo "no JSON"; exit 1; }
"$SEGUE" distance --plain-mpr good.txt > /dev/null || { echo "plain MPR fails"; exit 1; }
"$SEGUE" distance - < good.txt | cmp -s - out.txt || { echo "standard input differs"; exit 1; }
"$SEGUE" distance --bench 3 good.txt | grep -q '^all  *all  *deep' || { echo "no bench"; exit 1; }

"$SEGUE" distance flat.txt > out.txt
[ $? -eq 2 ] || { echo "a bad case does not give status 2"; exit 1; }
grep -q '^near error .*volume' out.txt && grep -q '^deep -0' out.txt || { cat out.txt; exit 1; }

# A depth without proof: cylinders with an axis in common, as deep in a whole circle of directions.
cat > coaxial.txt <<'END'
pairs 1
case cans deep
shape cylinder 1 5 0 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0
shape cylinder 1 5 0 rot 1 0 0 0 1 0 0 0 1 pos 3e-9 0 0.613 nv 0 nf 0
END
for exact in "" --exact; do
    "$SEGUE" distance $exact coaxial.txt > out.txt 2> err.txt || { echo "no answer"; exit 1; }
    grep -q 'warning: case cans: The depth is not proven to be the least one.' err.txt && grep -q '^cans -1.99999999[67]' out.txt ||
        { cat out.txt err.txt; exit 1; }
    "$SEGUE" distance $exact --json coaxial.txt | grep -q '"warning": "The depth is not proven' || { echo "JSON does not say it"; exit 1; }
done

head -3 good.txt > cut.txt
"$SEGUE" distance cut.txt > /dev/null 2> err.txt
[ $? -eq 2 ] && grep -q '^cut.txt:[0-9]*: error: ' err.txt || { cat err.txt; exit 1; }
"$SEGUE" distance nowhere.txt 2> /dev/null
[ $? -eq 1 ] || { echo "a missing file does not give status 1"; exit 1; }
"$SEGUE" distance --exactly good.txt 2> /dev/null
[ $? -eq 1 ] || { echo "an unknown option does not give status 1"; exit 1; }
exit 0
