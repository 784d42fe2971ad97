# Mesh files in models: mass from the surface, meshes of published robots in both modes.
cat > cube.jl <<'EOF'
using Modia3D, Test
# A cube of edge 2 around (1, 0, 0), in the formats that are read here.
corner(i) = [2.0*(i % 2), 2.0*(div(i, 2) % 2) - 1.0, 2.0*div(i, 4) - 1.0]
solid(file) = Solid(shape = FileMesh(filename = file), solidMaterial = SolidMaterial(density = 1.5))
for file in ["cube.obj", "cube.stl", "bytes.stl", "cube.json"]
    (m, c, I) = Modia3D.massProperties(solid(file))
    @test abs(m - 12.0) < 1e-12
    @test maximum(abs.(c - [1.0, 0.0, 0.0])) < 1e-12
    @test maximum(abs.(I - [8.0 0.0 0.0; 0.0 8.0 0.0; 0.0 0.0 8.0])) < 1e-12
end
(m, c, I) = Modia3D.massProperties(Solid(shape = FileMesh(filename = "cube.obj", scale = [0.5, 1.0, 1.0]), massProperties = 3.0))
@test m == 3.0 && abs(I[1,1] - 2.0) < 1e-12 && abs(I[2,2] - 3.0/12*5) < 1e-12
@test abs(Modia3D.volume(FileMesh(filename = "cube.obj")) - 8.0) < 1e-12
# Negative factors mirror a mesh, as robots do with left and right parts: what was outside stays outside.
for file in ["cube.obj", "cube.stl", "bytes.stl", "cube.json"], mirror in [[-1.0, 1.0, 1.0], [-1.0, -1.0, -1.0], [-1.0, 1.0, -2.0]]
    (m, c, I) = Modia3D.massProperties(Solid(shape = FileMesh(filename = file, scale = mirror), solidMaterial = SolidMaterial(density = 1.5)))
    @test abs(m - 12.0*abs(mirror[3])) < 1e-12 && maximum(abs.(c - [-1.0, 0.0, 0.0])) < 1e-12
end

# As a pendulum: the period of a rigid body about the origin of the file.
Swing = Model3D(
    world = Object3D(feature = Scene()),
    cube = Object3D(feature = solid("cube.obj")),
    rev = Revolute(obj1 = :world, obj2 = :cube, phi = Var(init = -pi/2 + 1e-3))
)
swing = @instantiateModel(Swing, unitless = true)
period = 2*pi*sqrt((8.0 + 12.0)/(12.0*9.81))
simulate!(swing, stopTime = period, tolerance = 1e-9)
@test abs(getLastValue(swing, "rev.phi") - (-pi/2 + 1e-3)) < 1e-8
EOF
cat > cube.json <<'EOF'
{"geometries": [{"uuid": "g", "type": "BoxGeometry", "width": 2, "height": 2, "depth": 2}],
 "object": {"type": "Group", "position": [5, 5, 5], "children": [
     {"type": "Mesh", "geometry": "g", "position": [1, 0, 0]}, {"type": "AmbientLight"}]}}
EOF
cat > make.awk <<'EOF'
BEGIN {
    n = split("0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5", t, " ")
    for (i = 0; i < 8; i++) p[i] = (2 * (i % 2)) " " (2 * (int(i / 2) % 2) - 1) " " (2 * int(i / 4) - 1)
    for (i = 0; i < 8; i++) print "v " p[i] > "cube.obj"
    print "solid cube" > "cube.stl"
    for (i = 1; i <= n; i += 3) {
        print "f " t[i] + 1 " " t[i+1] + 1 " " t[i+2] + 1 > "cube.obj"
        print "facet normal 0 0 0\nouter loop" > "cube.stl"
        for (k = i; k < i + 3; k++) print "vertex " p[t[k]] > "cube.stl"
        print "endloop\nendfacet" > "cube.stl"
    }
    print "endsolid cube" > "cube.stl"
}
EOF
awk -f make.awk
# Binary STL: 0, 1, 2 and -1 are the only numbers.
awk 'BEGIN { for (i = 0; i < 80; i++) printf "%s", "\\000"; printf "%s", "\\014\\000\\000\\000" }
     /^facet/ { for (i = 0; i < 12; i++) printf "%s", "\\000" }
     /^vertex/ { for (i = 2; i <= 4; i++) printf "%s", $i == 0 ? "\\000\\000\\000\\000" : $i == 1 ? "\\000\\000\\200\\077" : $i == 2 ? "\\000\\000\\000\\100" : "\\000\\000\\200\\277" }
     /^endfacet/ { printf "%s", "\\000\\000" }' cube.stl > octal
printf "$(cat octal)" > bytes.stl
status 0 "$SEGUE" run cube.jl
lacks err warning

# PLY, and glTF with its numbers beside it; names that lead out of the folder are not followed.
{
    printf 'ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n'
    printf 'element face 6\nproperty list uchar int vertex_indices\nend_header\n'
    printf '0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n'
    printf '4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n'
} > cube.ply
printf 'using Modia3D\nprintln(Modia3D.massProperties(Solid(shape = FileMesh(filename = "cube.ply"), solidMaterial = SolidMaterial(density = 2.0)))[1:2])\n' > ply.jl
sed 's/cube.ply/inside\/cube.gltf/' ply.jl > gltf.jl
status 0 "$SEGUE" run ply.jl
has out "(2.0, [0.5, 0.5, 0.5])"
mkdir -p inside/more
# The same cube by bytes, and a strip of its 14 corners.
printf '\000\000\000\001\000\000\000\001\000\001\001\000\000\000\001\001\000\001\000\001\001\001\001\001\003\002\007\006\004\002\000\003\001\007\005\004\001\000' > inside/more/c.bin
gltf() { # gltf URI
    cat > inside/cube.gltf <<END
{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 38, "uri": "$1"}],
 "bufferViews": [{"buffer": 0, "byteLength": 24}, {"buffer": 0, "byteOffset": 24, "byteLength": 14}],
 "accessors": [{"bufferView": 0, "componentType": 5121, "count": 8, "type": "VEC3"},
               {"bufferView": 1, "componentType": 5121, "count": 14, "type": "SCALAR"}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}]}],
 "nodes": [{"mesh": 0}]}
END
}
gltf more/c.bin
status 0 "$SEGUE" run gltf.jl
has out "(2.0, [0.5, 0.5, 0.5])"
cp inside/more/c.bin outside.bin
ln -s ../outside.bin inside/link.bin
for uri in ../outside.bin link.bin more "$PWD/outside.bin" none.bin; do
    gltf "$uri"
    status 2 "$SEGUE" run gltf.jl
    has err "buffers[0]: '"
done

# What Segue writes it reads.
cat > written.jl <<'END'
using Modia3D
Two = Model3D(world = Object3D(feature = Scene(nominalLength = 1.0)),
              a = Object3D(parent = :world, translation = [1.0, 2.0, 3.0], feature = Visual(shape = Box(lengthX = 1.0, lengthY = 2.0, lengthZ = 3.0))))
simulate!(@instantiateModel(Two, unitless = true), stopTime = 0.1)
END
status 0 "$SEGUE" run --glb written.glb written.jl
sed 's/cube.ply/written.glb/' ply.jl > read.jl
status 0 "$SEGUE" run read.jl
has out "(12.0"

data=$SG_SOURCE_DIR/../shared/data
[ -d "$data/meshes" ] || { echo "no shared meshes: the rest is skipped"; return 0; }

# Scenario G1: a servo on a revolute joint moves a link of the robot; both modes.
cat > servo.jl <<'EOF'
using Modia3D
include("$(Modia.modelsPath)/AllModels.jl")
Controller = Model(
    ref = input, phi = input, w = input, tau = output,
    PI = PI | Map(k = 0.1, T = 1.0),
    equations = :[PI.u = 50.0*(156*ref - phi) - w; tau = PI.y]
)
Servo = Model(
    ref = input,
    flange = Flange,
    ppi = Controller,
    torque = UnitlessTorque,
    rotor = Inertia | Map(J = 1.3909e-5),
    gear = IdealGear | Map(ratio = 156.0),
    equations = :[ppi.ref = ref; ppi.phi = rotor.phi; ppi.w = rotor.w; torque.tau = ppi.tau],
    connect = :[(torque.flange, rotor.flange_a), (rotor.flange_b, gear.flange_a), (gear.flange_b, flange)]
)
Link = Model3D(
    world = Object3D(feature = Scene()),
    body = Object3D(feature = Solid(shape = FileMesh(filename = joinpath(Modia3D.path, "meshes/robot_KUKA_YouBot/arm_joint_1.obj")),
                                    massProperties = MassPropertiesFromShapeAndMass(mass = 1.39))),
    hinge = Object3D(parent = :body, translation = [0.033, 0.0, 0.0], rotation = [180u"°", 0, 0]),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :hinge),
    ramp = Ramp | Map(height = 2.95, duration = 1.18),
    servo = Servo,
    connect = :[(ramp.y, servo.ref), (servo.flange, rev.flange)]
)
link = @instantiateModel(Link, unitless = true)
simulate!(link, stopTime = 4.0, requiredFinalStates = [2.949999509178657, 4.908194611512363e-07, 0.02159751818019237])
EOF
status 0 "$SEGUE" run --modia3d-path "$data" servo.jl
has err "is open: 6 edges"
status 0 "$SEGUE" run --modia3d-path "$data" --compat modia-0.12 servo.jl

# Scenario B3, the mesh; its parts; meshes that are inside out.
cat > bunny.jl <<'EOF'
using Modia3D, Test
file(name) = joinpath(Modia3D.path, "meshes", name)
bunny(; keys...) = Solid(shape = FileMesh(filename = file("bunny/bunny.obj"), scale = 0.05*[1.0, 1.0, 1.0]; keys...), solidMaterial = "Steel")
(m, c, I) = Modia3D.massProperties(bunny())
@test abs(m - 201.79714) < 1e-4
@test maximum(abs.(c - [-0.0132022, 0.171867, 0.0399409])) < 1e-6
# The integrals of the file, moved to the center of mass and scaled.
J = [3639.9 536.547 53.8627; 536.547 1535.62 -524.81; 53.8627 -524.81 4224.26]
s = c/0.05
J_center = J - 201.79714*(sum(s.^2)*Modia3D.NullRotation - s*s')
@test maximum(abs.(I - J_center*m/201.79714*0.05^2)) < 1e-4
(m2, c2, I2) = Modia3D.massProperties(bunny(convexPartition = true))
@test m2 == m && I2 == I          # mass is counted once
(m3, c3, I3) = Modia3D.massProperties(Solid(shape = FileMesh(filename = file("robot_KUKA_YouBot/back-right_wheel.obj")), massProperties = 1.4))
@test maximum(abs.(c3 - [-2.91979e-05, -0.000252733, 2.5339e-05])) < 1e-9 && I3[1,1] > 1e-4
EOF
status 0 "$SEGUE" run --modia3d-path "$data" bunny.jl
has err "inside out"
cat > published.jl <<'EOF'
using Modia3D, Test
file(name) = joinpath(Modia3D.path, "meshes", name)
(m, c, I) = Modia3D.massProperties(Solid(shape = FileMesh(filename = file("robot_KUKA_YouBot/arm_joint_2.obj")), massProperties = 1.318))
@test abs(I[3,3] - 3.82184e-6) < 1e-11
@test maximum(abs.(c - [0.06930646765, 0.00137920044, -0.03399256560])) < 1e-10
(m, c, I) = Modia3D.massProperties(Solid(shape = FileMesh(filename = file("robot_KUKA_YouBot/back-right_wheel.obj")), massProperties = 1.4))
@test m == 1.4 && c == [0.0, 0.0, 0.0] && maximum(abs.(I)) == 0.0
# The parts have mass, too.
bunny(partition) = Solid(shape = FileMesh(filename = file("bunny/bunny.obj"), convexPartition = partition), solidMaterial = SolidMaterial(density = 1.0))
parts = 54.5715 + 197.904 + 6.74452 + 10.4398 + 3.18929 + 5.51026
@test abs(Modia3D.massProperties(bunny(true))[1] - Modia3D.massProperties(bunny(false))[1] - parts) < 1e-2
# ... that of the solidMaterial, whatever the mass of the mesh comes from.
bunny(properties, material) = Solid(shape = FileMesh(filename = file("bunny/bunny.obj"), convexPartition = true),
                                    massProperties = properties, solidMaterial = material)
light = SolidMaterial(density = 1.0)
@test abs(Modia3D.massProperties(bunny(2.0, light))[1] - 2.0 - parts) < 1e-2
@test abs(Modia3D.massProperties(bunny(MassProperties(mass = 3.0), light))[1] - 3.0 - parts) < 1e-2
@test Modia3D.massProperties(bunny(2.0, nothing))[1] == 2.0
@test abs(Modia3D.massProperties(bunny(light, nothing))[1] - Modia3D.massProperties(bunny(false))[1]) < 1e-9
EOF
status 0 "$SEGUE" run --modia3d-path "$data" --compat modia-0.12 published.jl
