# PolygonalContactModel: keywords that make no sense, and faces that go too deep.
cat > block.obj <<'END'
v -0.1 -0.1 -0.1
v 0.1 -0.1 -0.1
v 0.1 0.1 -0.1
v -0.1 0.1 -0.1
v -0.1 -0.1 0.1
v 0.1 -0.1 0.1
v 0.1 0.1 0.1
v -0.1 0.1 0.1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END
run() { # run STATUS OBJ2 KEYWORDS
    cat > two.jl <<END
using Modia3D
mesh(m; scale = [1.0, 1.0, 1.0]) = Solid(shape = FileMesh(filename = "block.obj", scale = scale), massProperties = m)
Two = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0, 0, -1]))),
              a = Object3D(parent = :world, feature = mesh(1.0, scale = [9.0, 9.0, 1.0])),
              b = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 0.25], feature = mesh(1.0)),
              ball = Object3D(parent = :world, feature = Solid(shape = Sphere(), massProperties = 1.0)),
              contact = PolygonalContactModel(obj1 = :a, obj2 = :$2, $3))
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 0.2)
END
    status "$1" "$SEGUE" run two.jl
}
refused() { # refused TEXT OBJ2 KEYWORDS
    run 2 "$2" "$3"
    has err "two.jl:7:"
    has err "error[E0908]: PolygonalContactModel 'contact': $1"
}
layer='bodyF_YoungsModulus = 1e5, bodyF_LayerDepth = 0.01'
rest='maxPenetration = 0.01, frictionRegularizationVelocity = 1e-3'
refused "one of the bodies must have a layer: YoungsModulus and LayerDepth above 0" b "task = 3, $rest"
refused "task must be 1 (both surfaces), 2 or 3" b "$layer, $rest"
refused "maxPenetration must be positive" b "task = 3, $layer"
refused "bodyF_PoissonsRatio must lie between 0 and 0.45, as the layer has a depth" b "task = 3, $layer, $rest, bodyF_PoissonsRatio = 0.49"
refused "compressionArealDampingFactor must not be negative" b "task = 3, $layer, $rest, compressionArealDampingFactor = -1.0"
refused "obj2 must be an Object3D with a Solid of a FileMesh" ball "task = 3, $layer, $rest"
refused "obj1 and obj2 are the same object" a "task = 3, $layer, $rest"
run 0 b "task = 3, $layer, maxPenetration = 0.01, dampingTransitionMode = 1"
has err "warning[E0908]: PolygonalContactModel 'contact': frictionRegularizationVelocity = 0 is too small; 0.001 is used"
has err "warning[E0908]: PolygonalContactModel 'contact': dampingTransitionDepth = 0 is too small; 0.0001 is used"
run 0 b "task = 3, bodyF_YoungsModulus = 1e3, bodyF_LayerDepth = 0.01, $rest"
has err "m deep at time = 0."
has err "more than 90 % of maxPenetration; beyond that it feels nothing"

# The same where it happens between two points of the result, and how deep faces went: c A u^2/2 = m g (h + u), h = 0.05 m, A = 0.04 m2.
status 0 "$SEGUE" run --interval 0.2 two.jl
has err "more than 90 % of maxPenetration; beyond that it feels nothing"
run 0 b "task = 3, bodyF_YoungsModulus = 4e5, bodyF_LayerDepth = 0.01, $rest"
has err "note: PolygonalContactModel 'contact': the deepest penetration was 0.00078" # c = 4e7 N/m3: 0.000789 m
status 0 "$SEGUE" run --interval 0.2 two.jl
has err "note: PolygonalContactModel 'contact': the deepest penetration was 0.00078"
status 0 "$SEGUE" run --stop 0.05 two.jl
has err "note: PolygonalContactModel 'contact': the surfaces did not touch"
