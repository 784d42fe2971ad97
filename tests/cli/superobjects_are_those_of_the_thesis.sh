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

# Figures 11.1 and 11.2: obj9 leads an assembly and moves freely relative to obj5; attaching its obj10 to obj2, under
# obj1, makes five super-objects four. The log of states shows them before and after.
cat > attach.jl <<'END'
using Modia3D
using Test
lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.3*m, Ixy = 0.02*m,
                                                centerOfMass = [0.02, 0.01, -0.03]))
steps(actions) = ActionAttach(actions, "obj10", "obj2")
none(actions) = ActionWait(actions, 1.0)
# obj2 turned as it is puts obj10, which is turned otherwise, at the same place.
place9 = [0.5, 0.15, 0.1]
Figure(program, obj9) = Model3D(
    world = Object3D(feature = Scene(gap = 1e-9)),
    obj1 = Object3D(feature = lump(1.0)),
    obj2 = Object3D(parent = :obj1, lockable = true, translation = place9 + [-0.2, 0.0, 0.05], rotation = [0.3, 0.0, 0.0], feature = lump(2.0)),
    obj3 = Object3D(parent = :obj1, translation = [0.4, 0.0, 0.0], feature = lump(3.0)),
    obj4 = Object3D(feature = lump(4.0)),
    obj5 = Object3D(parent = :obj4, translation = [0.1, 0.15, 0.0], feature = lump(5.0)),
    obj6 = Object3D(feature = lump(6.0)),
    obj7 = Object3D(parent = :obj6, feature = lump(7.0)),
    obj8 = Object3D(parent = :obj7, translation = [0.0, 0.2, 0.0], feature = lump(8.0)),
    obj9 = obj9,
    obj10 = Object3D(parent = :obj9, lockable = true, translation = [-0.2, 0.0, 0.05], rotation = [0.0, 0.7, 0.0], feature = lump(10.0)),
    obj11 = Object3D(parent = :obj10, translation = [0.0, 0.0, 0.1], feature = lump(11.0)),
    rev1 = Revolute(obj1 = :world, obj2 = :obj1, axis = 3, w = Var(init = 1.5)),
    rev2 = Revolute(obj1 = :obj3, obj2 = :obj4, axis = 2),
    prism = Prismatic(obj1 = :obj4, obj2 = :obj6, axis = 1, v = Var(init = 0.4)),
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)]
)
figure = @instantiateModel(Figure(steps, Object3D(parent = :obj5, fixedToParent = false, assemblyRoot = true,
                                                  translation = place9 - [0.5, 0.15, 0.0], feature = lump(9.0))), unitless = true)
simulate!(figure, stopTime = 1.0, tolerance = 1e-9, logStates = true)
# From then on it is the model that has obj9 there from the beginning: masses, centers and inertias were put together
# anew, the joints kept their states.
twin = @instantiateModel(Figure(none, Object3D(parent = :obj1, assemblyRoot = true, translation = place9, feature = lump(9.0))), unitless = true)
simulate!(twin, stopTime = 1.0, tolerance = 1e-9)
@test get_xNames(figure) == get_xNames(twin)
for name in ["rev1.phi", "rev1.w", "rev2.phi", "rev2.w", "prism.s", "prism.v", "obj11.r_abs", "obj11.rot123_abs"]
    @test isapprox(getLastValue(figure, name, unit = false), getLastValue(twin, name, unit = false), rtol = 1e-7)
end
END
status 0 "$SEGUE" run --summary attach.json attach.jl
sed -n '/# super-objects/,/# states/p' out | grep '^ *[0-9] ' | sed 's/^ *//' > bodies
cat > expected <<'END'
0 world
1 obj1: revolute on world, 6 kg; with obj3, obj2
2 obj4: revolute on obj1, 9 kg; with obj5
3 obj6: prismatic on obj4, 21 kg; with obj7, obj8
4 obj9: free on obj4, 30 kg; with obj10, obj11
0 world
1 obj1: revolute on world, 36 kg; with obj3, obj2, obj9, obj10, obj11
2 obj4: revolute on obj1, 9 kg; with obj5
3 obj6: prismatic on obj4, 21 kg; with obj7, obj8
END
cmp -s bodies expected || fail "other bodies: $(cat bodies)"
has attach.json '"nSegments":2'
has attach.json '"nTranslations":1'

# A joint that cannot be: said once, although the file simulates and its bodies are asked for.
cat > stiff.jl <<'EOF'
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), a = Object3D(), b = Object3D(parent = :a), rev = Revolute(obj1 = :a, obj2 = :b))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.0)
EOF
status 2 "$SEGUE" info --superobjects stiff.jl
[ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one error for one mistake"
