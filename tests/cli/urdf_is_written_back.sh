# segue convert model.jl robot.urdf: bodies and joints of a model as URDF; read again, it is the same robot. Meshes with scales and package paths, and transmissions.
cp "$SG_SOURCE_DIR/examples/robots/parts/arm.urdf" arm.urdf
status 0 "$SEGUE" convert arm.urdf arm.jl
status 0 "$SEGUE" convert arm.jl back.urdf
# The same links, limits, damping, friction.
grep -q '<joint name="shoulder" type="revolute"><origin xyz="0.0 0.0 0.1" rpy="0.0 0.0 0.0"/><parent link="turret"/><child link="upper_arm"/><axis xyz="0.0 1.0 0.0"/><limit lower="-1.8" upper="1.8" effort="60.0" velocity="0.0"/><dynamics damping="0.5" friction="0.2"/></joint>' back.urdf || fail 'the shoulder is another one'
grep -q '<joint name="grip2" .*<mimic joint="grip" multiplier="1.0" offset="0.0"/></joint>' back.urdf || fail 'the second finger mimics nobody'
grep -q '<box size="0.07 0.07 0.4"/>' back.urdf || fail 'the box is gone'
# A robot of our own, turned frames and all, with joints of several coordinates and free bodies.
cat >own.jl <<'END'
using Modia3D
body(m) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.1, -0.2, 0.05*m], Ixx = 0.2, Iyy = 0.3, Izz = 0.25, Ixy = 0.01, Ixz = -0.02, Iyz = 0.03))
Own = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]))),
    a = Object3D(feature = body(1.0)), b = Object3D(feature = body(2.0)), c = Object3D(feature = body(3.0)),
    p = Object3D(parent = :a, translation = [0.3, 0.1, -0.2], rotation = [0.4, -1.1, 2.0]), lump = Object3D(parent = :p, translation = [0.1, 0.0, 0.0], rotation = [1.0, 0.0, 0.3], feature = body(0.5)),
    j1 = Revolute(obj1 = :world, obj2 = :a, axis = [0.36, 0.48, 0.8]), j2 = PrismaticWithFlange(obj1 = :p, obj2 = :b, axis = -2), j3 = Universal(obj1 = :b, obj2 = :c, axis1 = 1, axis2 = 3),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [1.0, 2.0, 3.0], rotation = [0.1, 0.2, 0.3], feature = body(4.0)))
own = @instantiateModel(Own, unitless = true)
END
status 0 "$SEGUE" convert own.jl own.urdf
cat >same.jl <<'END'
using Modia3D
using Test
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
# Mass matrix and bias forces of both, in the order of names of the first; `other` is what the second calls them.
function same(x, y, other)
    mine, theirs = coordinateNames(x), coordinateNames(y)
    n = length(mine)
    at = zeros(Int, n)
    for i = 1:n, k = 1:n
        if theirs[k] == other(mine[i])
            at[i] = k
        end
    end
    @test minimum(at) > 0
    q, v = sin.(1.0:n), cos.(2*(1.0:n))
    Q, V = zeros(n), zeros(n)
    Q[at] = q
    V[at] = v
    M, N = massMatrix(x, q), massMatrix(y, Q)
    @test maximum(abs.(M - N[at, at])) < 1e-14*maximum(abs.(M))
    h, g = inverseDynamics(x, q, v, zeros(n)), inverseDynamics(y, Q, V, zeros(n))
    @test maximum(abs.(h - g[at])) < 1e-13*maximum(abs.(h))
end
arm = @instantiateModel(Model3D(world = world, robot = URDF("arm.urdf")), unitless = true)
back = @instantiateModel(Model3D(world = world, robot = URDF("back.urdf")), unitless = true)
same(arm, back, x -> x)
include("own.jl")
again = @instantiateModel(Model3D(world = world, robot = URDF("own.urdf")), unitless = true)
# A free body begins at zero in its joint there.
r, R = forwardKinematics(again, "robot.ball")
@test maximum(abs.(r - [1.0, 2.0, 3.0])) < 1e-14 && maximum(abs.(R - forwardKinematics(own, "ball")[2])) < 1e-14
called(x) = x == "j3.phi1" ? "robot.j3_1.phi" : x == "j3.phi2" ? "robot.j3_2.phi" : "robot." * x
same(own, again, called)
END
status 0 "$SEGUE" run -q same.jl
# What URDF cannot say.
sed 's/j3 = Universal(obj1 = :b, obj2 = :c, axis1 = 1, axis2 = 3)/j3 = Spherical(obj1 = :b, obj2 = :c)/' own.jl >ball.jl
status 2 "$SEGUE" convert ball.jl ball.urdf
grep -q "URDF has no joint like 'j3'" err || fail 'a ball is written'
status 2 "$SEGUE" convert "$SG_SOURCE_DIR/examples/loops/fourbar.jl" loop.urdf
grep -q 'URDF knows trees only' err || fail 'a loop is written'
[ ! -e ball.urdf ] && [ ! -e loop.urdf ] || fail 'half a robot was written'
# A cube of 100 units as a mesh, 1 mm each, in a package: it falls and rests on its side.
mkdir -p pack/cube/urdf pack/cube/meshes
cube() {
    echo 'solid cube'
    for f in '-50 -50 -50  -50 50 -50  50 50 -50' '-50 -50 -50  50 50 -50  50 -50 -50' '-50 -50 50  50 -50 50  50 50 50' '-50 -50 50  50 50 50  -50 50 50' '-50 -50 -50  50 -50 -50  50 -50 50' '-50 -50 -50  50 -50 50  -50 -50 50' \
        '-50 50 -50  -50 50 50  50 50 50' '-50 50 -50  50 50 50  50 50 -50' '-50 -50 -50  -50 -50 50  -50 50 50' '-50 -50 -50  -50 50 50  -50 50 -50' '50 -50 -50  50 50 -50  50 50 50' '50 -50 -50  50 50 50  50 -50 50'; do
        set -- $f
        echo "facet normal 0 0 0"
        echo "outer loop"
        echo "vertex $1 $2 $3"
        echo "vertex $4 $5 $6"
        echo "vertex $7 $8 $9"
        echo "endloop"
        echo "endfacet"
    done
    echo 'endsolid cube'
}
cube >pack/cube/meshes/cube.stl
cat >pack/cube/urdf/cube.urdf <<'END'
<robot name="cube"><link name="body"><inertial><mass value="1"/><inertia ixx="0.002" iyy="0.002" izz="0.002"/></inertial>
<visual><geometry><mesh filename="package://cube/meshes/cube.stl" scale="0.001 0.001 0.001"/></geometry></visual>
<collision><geometry><mesh filename="package://cube/meshes/cube.stl" scale="0.001 0.001 0.001"/></geometry></collision></link>
<link name="arm"><inertial><mass value="0.01"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5"/></inertial></link>
<joint name="j" type="continuous"><parent link="body"/><child link="arm"/><axis xyz="0 0 1"/></joint>
<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="j"/><actuator name="motor"><mechanicalReduction>50</mechanicalReduction></actuator></transmission></robot>
END
cat >fall.jl <<'END'
using Modia3D
using Test
include("$(Modia3D.modelsPath)/Mechanics3D.jl")
Fall = Model(
    bodies = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]))),
        floor = Object3D(parent = :world, translation = [0.0, 0.0, -0.1005], feature = Solid(shape = Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true)),
        cube = URDF("pack/cube/urdf/cube.urdf", freeBase = true)),
    drive = ConstantTorque | Map(tau = 1e-4), connect = :[(drive.flange, bodies.cube.motor_flange)])
m = @instantiateModel(Fall, unitless = true)
simulate!(m, stopTime = 0.3, tolerance = 1e-8)
# It fell by half a millimeter and lies there, its side 50 mm below the middle.
@test abs(getLastValue(m, "bodies.cube.body.translation")[3] - (-0.0005)) < 2e-6
# The drive turns 50 times as far and has a fiftieth of the torque: 50*1e-4 N m on 1e-5 kg m^2 from rest, and the cube turns back.
@test abs(getLastValue(m, "bodies.cube.j.w")/(50*1e-4*(1/1e-5 + 1/0.002)*0.3) - 1) < 0.02
END
status 0 "$SEGUE" run -q -o fall fall.jl
mkdir -p elsewhere
status 0 "$SEGUE" convert pack/cube/urdf/cube.urdf elsewhere/cube.jl
grep -q 'meshes/cube.stl", scale = \[0.001, 0.001, 0.001\]' elsewhere/cube.jl || fail 'no mesh'
rm pack/cube/meshes/cube.stl
status 2 "$SEGUE" run -q -o gone fall.jl
grep -q 'cube.stl' err || fail 'no word about the mesh that is not there'
