# label: long
# The other half of flat_drops_of_many_seeds.sh: energy never rises over random drops of 20 boxes.
cp "$SG_SOURCE_DIR/tests/models/flat_contact.txt" .
sed -e "s/^seeds, boxes, stopTime = .*/seeds, boxes, stopTime = 51:100, 20, 0.4/" "$SG_SOURCE_DIR/tests/models/flat_methods.jl" > drops.jl
status 0 "$SEGUE" run -q drops.jl
cat out err
