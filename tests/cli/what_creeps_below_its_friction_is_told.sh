# A point contact of the default law that leans on friction and creeps is told once, with what helps; what slides, rolls, comes to rest or lies is not.

cat > pairs.txt <<'END'
touch Grip Grip: restitution 0.5, friction 0.3
touch Ice Ice: restitution 0.5, friction 1e-4
touch Tyre Tyre: restitution 0.5, friction 0.3, rolling 0.01
END

# model CONTACT-MATERIAL SLOPE FRICTION STOP-TIME BODY
model()
{
    cat > creep.jl <<END
using Modia3D
Modia3D.loadPalettes!(contactPairMaterialPalette = "pairs.txt")
solid(shape, mass) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = "$1", massProperties = mass, collision = true)
foot(x, y) = Object3D(parent = :body, translation = [x, y, 0.01], feature = solid(Sphere(diameter = 0.02), MassProperties(mass = 0.0)))
free(height, v, feature) = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, height], velocity = [v, 0, 0], feature = feature)
Creep = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [sin($2), 0, -cos($2)])$3)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = solid(Box(lengthX = 100.0, lengthY = 2.0, lengthZ = 0.1), 1.0)),
    $5)
creep = @instantiateModel(Creep, unitless = true)
simulate!(creep, stopTime = $4, tolerance = 1e-6, interval = 0.1)
END
}
crate='body = free(0.0, 0.0, Solid(massProperties = MassProperties(mass = 10.0, centerOfMass = [0, 0, 0.1], Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    foot1 = foot(0.2, 0.1), foot2 = foot(-0.2, 0.1), foot3 = foot(0.2, -0.1), foot4 = foot(-0.2, -0.1)'
thrown=$(echo "$crate" | sed 's/free(0.0, 0.0/free(0.0, V/')
ball='body = free(0.05, 0.0, solid(Sphere(diameter = 0.1), 1.0))'

told()
{
    status 0 "$SEGUE" run creep.jl
    [ "$(grep -c 'creeping along each other' err)" = "$1" ] || fail "told $(grep -c 'creeping along each other' err) times, not $1 ($2)"
}

model Grip 0.2 '' 6.0 "$crate"
told 1 "a crate on four feet"
has err "friction is at 68 % of its limit"
has err 'Scene(friction = "stick") lets it hold'
model Grip 0.2 ', friction = "stick"' 6.0 "$crate"
told 0 "it holds"
model Grip 0.4 '' 4.0 "$crate"
told 0 "it slides"
model Grip 0.0 '' 6.0 "$crate"
told 0 "it lies"
model Grip 0.0 '' 6.0 "$(echo "$thrown" | sed 's/V/1.0/')"
told 0 "it slides to a stop"
model Ice 0.0 '' 20.0 "$(echo "$thrown" | sed 's/V/0.009/')"
told 0 "on ice it slides for long, and slowly"
model Grip 0.2 '' 4.0 "$ball"
told 0 "a ball rolls"
model Tyre 0.0 '' 6.0 "$(echo "$ball" | sed 's/0.05, 0.0/0.05, 0.5/')"
told 0 "a ball rolls to a stop"
