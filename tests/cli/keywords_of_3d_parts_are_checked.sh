# Keywords of Scene, Object3D, Solid and Visual that make no sense: one message each, at the keyword.
try() # expected status, expected words, keywords of the scene, feature of an object
{
    printf 'using Modia3D\nM = Model3D(\n    world = Object3D(feature = Scene(%s)),\n    a = Object3D(parent = :world%s)\n)\nm = @instantiateModel(M, unitless = true)\nsimulate!(m, stopTime = 0.1)\n' "$3" "${4-}" > try.jl
    status "$1" "$SEGUE" run try.jl
    has err "$2"
    [ "$(grep '^try.jl.*\(error\|warning\)' err | grep -vc E0317)" = 1 ] || fail "not one message for $3 ${4-}"
}
for key in mprTolerance mprIterMax maximumContactDamping gap nominalLength defaultFrameLength nVisualContSupPoints \
           defaultContactSphereDiameter cameraDistance lightDistance attachSpeed attachAngularSpeed; do
    try 2 "$key must be positive" "$key = 0"
done
try 2 "must lie between 0 and 1.1" "elasticContactReductionFactor = 1.2"
try 2 "visualizeFrames must be true or false" "visualizeFrames = 1"
try 0 "warning[E0306]: Scene of Object3D 'world': animationFile 'a.txt' does not end in .json" 'animationFile = "a.txt"'
try 0 "useOptimizedStructure = false has no effect" "useOptimizedStructure = false"
try 0 "warning[E0306]: Object3D 'a': rotation is nothing; zeros are taken" "" ", rotation = nothing"
try 0 "Object3D has no keyword 'color'; it takes parent" "" ", color = 1"
try 0 "it is taken for neither" "" ", lockable = true, assemblyRoot = true"
try 0 "visualMaterial is nothing; it is not seen" "" ", feature = Solid(shape = Box(), visualMaterial = nothing)"
try 2 "leave it out for the default" "" ", feature = Visual(shape = Box(), visualMaterial = nothing)"
try 2 "this shape is only seen; use Visual" "" ", feature = Solid(shape = Grid())"
try 2 "fontFamily must be FreeSans" "" ', feature = Visual(shape = TextShape(text = "a", font = Font(fontFamily = "Sans")))'
try 2 "axisAlignment must be one of Modia3D.Screen" "" ', feature = Visual(shape = TextShape(text = "a", axisAlignment = 7))'
try 0 "the array 'b' holds components beside other values" "" "), b = [Object3D(parent = :world), 3], c = Object3D(parent = :world"
try 2 "this is an equation; a value that objects and other parameters can use is written name = Par(value" "" \
    "), L = 0.5, half = :(L/2), b = Object3D(parent = :a, translation = :[half, 0, 0]"

# Keywords that come by merging are looked at, too; objects may be added.
cat > merged.jl <<'EOF'
using Modia3D
M = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(), massProperties = 1.0))
)
m = @instantiateModel(M | Map(a = Map(velocty = [0, 1, 0], feature = Map(shape = Map(diamter = 2.0)))), unitless = true)
simulate!(m, stopTime = 0.1, merge = Map(b = Object3D(parent = :a, translation = [1, 0, 0])))
println(getLastValue(m, "b.r_abs")[1])
EOF
status 0 "$SEGUE" run merged.jl
has err "merged.jl:6:39: warning[E0310]: Object3D has no keyword 'velocty'; did you mean 'velocity'?"
has err "warning[E0310]: Sphere has no keyword 'diamter'; did you mean 'diameter'?"
lacks err "no effect"
has out "1.0 m"
sed 's/b = Object3D.*$/j = Revolute(obj1 = :world, obj2 = :a)))/' merged.jl > joint.jl
status 2 "$SEGUE" run joint.jl
has err "joint.jl:7:42: error[E0503]: 'j' is a component with equations, which cannot be added for a run"
