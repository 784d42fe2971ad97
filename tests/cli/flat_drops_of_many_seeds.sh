# label: long
# Energy never rises over random drops of boxes: 100 seeds with 4 of them, and 20 boxes for three seeds, which take half a minute each
# (tests/models/flat_methods.jl has a few with 4).
cp "$SG_SOURCE_DIR/tests/models/flat_contact.txt" .
for what in '1:100, 4, 0.5' '101:103, 20, 0.4'; do
    sed -e "s/^seeds, boxes, stopTime = .*/seeds, boxes, stopTime = $what/" "$SG_SOURCE_DIR/tests/models/flat_methods.jl" > drops.jl
    status 0 "$SEGUE" run -q drops.jl
    cat out err
done
