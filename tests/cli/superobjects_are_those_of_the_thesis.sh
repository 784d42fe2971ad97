# Figures 3.5 and 3.6 of the thesis: twelve objects in five bodies, found by the program from a model file.
cat > thesis.jl <<'END'
using Modia3D
Lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))
Thesis = Model3D(
    world = Object3D(feature = Scene()),
    obj1 = Object3D(feature = Lump),
    obj2 = Object3D(parent = :obj1, feature = Lump),
    obj3 = Object3D(parent = :obj1, feature = Lump),
    obj4 = Object3D(feature = Lump),
    obj5 = Object3D(parent = :obj4, feature = Lump),
    obj6 = Object3D(feature = Lump),
    obj7 = Object3D(parent = :obj6, feature = Lump),
    obj8 = Object3D(parent = :obj7, feature = Lump),
    obj9 = Object3D(parent = :obj5, fixedToParent = false, feature = Lump),
    obj10 = Object3D(parent = :obj9, feature = Lump),
    obj11 = Object3D(parent = :obj10, feature = Lump),
    rev1 = Revolute(obj1 = :world, obj2 = :obj1),
    rev2 = Revolute(obj1 = :obj3, obj2 = :obj4),
    prism = Prismatic(obj1 = :obj4, obj2 = :obj6)
)
thesis = @instantiateModel(Thesis, unitless = true)
END
status 0 "$SEGUE" info --superobjects thesis.jl
cat > expected <<'END'
thesis
0 world
1 obj1: revolute on world, 3 kg; with obj3, obj2
2 obj4: revolute on obj1, 2 kg; with obj5
3 obj6: prismatic on obj4, 3 kg; with obj7, obj8
4 obj9: free on obj4, 3 kg; with obj10, obj11
END
cmp -s out expected || fail "other bodies: $(cat out)"
status 1 "$SEGUE" info --superobjects thesis.jl nothing
has err "no model"

# A joint that cannot be: said once, although the file simulates and its bodies are asked for.
cat > stiff.jl <<'EOF'
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), a = Object3D(), b = Object3D(parent = :a), rev = Revolute(obj1 = :a, obj2 = :b))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.0)
EOF
status 2 "$SEGUE" info --superobjects stiff.jl
[ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one error for one mistake"
