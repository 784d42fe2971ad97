# label: long
# Energy never rises over random drops of boxes: 100 seeds with 4 of them, and 50 with 20, which take six seconds each; flat_drops_of_more_seeds.sh has the other 50
# (tests/models/flat_methods.jl has a few with 4).
cp "$SG_SOURCE_DIR/tests/models/flat_contact.txt" .
for what in '1:100, 4, 0.5' '1:50, 20, 0.4'; do
    sed -e "s/^seeds, boxes, stopTime = .*/seeds, boxes, stopTime = $what/" "$SG_SOURCE_DIR/tests/models/flat_methods.jl" > drops.jl
    status 0 "$SEGUE" run -q drops.jl
    cat out err
done
