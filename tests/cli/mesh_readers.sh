# Damaged meshes in a model: an error with the code of meshes, or a warning and a mesh; never a signal.
"$SG_BINARY_DIR/mesh_readers" "$SG_SOURCE_DIR/fuzz/corpus" 12 . > out || fail "no damaged files"
refused=0
for file in [0-9]*.*; do
    printf 'using Modia3D\nModia3D.massProperties(Solid(shape = FileMesh(filename = "%s"), massProperties = 1.0))\n' "$file" > damaged.jl
    "$SEGUE" run damaged.jl > out 2> err
    got=$?
    [ $got -eq 0 ] || [ $got -eq 2 ] || fail "$file: status $got: $(cat err)"
    [ $got -eq 0 ] || refused=$((refused + 1))
    [ $got -eq 0 ] || grep -q "damaged.jl:2:.*error\[E0906\]" err || fail "$file: $(cat err)"
done
[ $refused -ge 30 ] || fail "only $refused damaged files were refused"

# Formats that are not read are refused before a byte of them is looked at: this one ends assimp in a signal.
printf 'nodes\n18446744073709551615 "a" -1' > m.smd
sed 's/"[0-9]*\.[a-z]*"/"m.smd"/' damaged.jl > smd.jl
status 2 "$SEGUE" run smd.jl
has err "smd.jl:2:"
has err "the mesh 'm.smd' has a format that is not read: files that end in .obj, .stl, .ply, .gltf, .glb and .json (of three.js) are; others only with --foreign-meshes"
