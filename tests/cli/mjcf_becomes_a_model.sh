# segue convert robot.xml robot.jl: the file runs and moves as the robot does that MJCF(...) makes; drives, includes, and words for what is wrong.
cat >leg.xml <<'XML'
<mujocoinclude>
  <body name="shank" pos="0 0 -0.3"><joint name="knee" ref="20" range="-100 100"/><geom fromto="0 0 0 0 0 -0.3"/><site name="foot" pos="0 0 -0.3"/></body>
</mujocoinclude>
XML
cat >robot.xml <<'XML'
<mujoco model="leg">
  <default><joint axis="0 1 0" damping="0.2"/><geom type="capsule" size="0.03"/></default>
  <worldbody>
    <body name="thigh" pos="0 0 1"><joint name="hip" stiffness="2" springref="15" armature="0.01"/><joint name="turn" axis="0 0 1"/><geom fromto="0 0 0 0 0 -0.3"/><include file="leg.xml"/></body>
  </worldbody>
  <actuator><position name="servo" joint="knee" kp="20"/><motor name="motor" joint="hip" gear="2" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos joint="hip"/></sensor>
</mujoco>
XML
status 0 "$SEGUE" convert robot.xml leg.jl
[ "$(grep -c '<sensor> is not used' err)" = 1 ] || fail 'no word about the sensor'
status 0 "$SEGUE" run -q -o converted leg.jl
cat >own.jl <<'XML'
using Modia3D
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
m = @instantiateModel(Model3D(world = world, robot = MJCF("robot.xml")), unitless = true)
simulate!(m, stopTime = 5.0)
XML
status 0 "$SEGUE" run -q -o own own.jl
status 0 "$SEGUE" compare --rtol 0 --atol 0 converted own
cat >drives.jl <<'XML'
using Modia3D
using Test
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
# Drives by constants, by equations in place, and by inputs: a servo holds the joint where it is told, but for its stiffness.
held(robot; equations = :[]) = begin
    h = @instantiateModel(Model3D(world = world, robot = robot, equations = equations), unitless = true)
    simulate!(h, stopTime = 60.0, tolerance = 1e-8)
    [getLastValue(h, "robot.knee.phi"), getLastValue(h, "robot.hip.phi"), getLastValue(h, "robot.turn.phi")]
end
constant = held(MJCF("robot.xml") | Map(servo = Map(ctrl = 0.5), motor = Map(ctrl = 5.0)))
inputs = held(MJCF("robot.xml", inputs = true), equations = :[robot.servo.ctrl = 0.5; robot.motor.ctrl = 1.0])
@test maximum(abs.(constant - inputs)) < 1e-6
# By hand: the file's angle of the knee is phi + 20 degrees; the motor gives 2 N m, its control being limited to 1. Both links weigh the same m, centers 0.15 m along.
knee, hip, turn = constant
mass = 1000*pi*0.03^2*(0.3 + 4/3*0.03)
low = 9.81*mass*0.15*sin(hip + knee)
@test abs(20*(0.5 - (knee + 20*pi/180)) - low) < 1e-4
@test abs(2.0 - 2*(hip - 15*pi/180) - low - 9.81*mass*(0.15 + 0.3)*sin(hip)) < 1e-4
XML
status 0 "$SEGUE" run -q -o drives drives.jl
# What is wrong has its file and line.
sed 's/fromto="0 0 0 0 0 -0.3"/fromto="0 0 zero"/' leg.xml >leg2.xml
sed 's/leg.xml/leg2.xml/' robot.xml >bad.xml
status 2 "$SEGUE" convert bad.xml bad.jl
grep -q 'leg2.xml:2:[0-9]*: fromto="0 0 zero"' err || fail 'no place'
[ ! -e bad.jl ] || fail 'half a model was written'
printf 'using Modia3D\nm = MJCF("bad.xml")\n' >script.jl
status 2 "$SEGUE" run -q script.jl
grep -q 'leg2.xml:2:[0-9]*: fromto="0 0 zero"' err || fail 'no place in a script'
sed 's,leg.xml,/etc/passwd,' robot.xml >outside.xml
printf 'using Modia3D\nm = MJCF("outside.xml")\n' >outside.jl
status 2 "$SEGUE" run -q outside.jl
grep -q "outside.xml:4:[0-9]*: cannot read '/etc/passwd'" err || fail 'the script reads what it must not'
status 2 "$SEGUE" convert --free-base robot.xml free.jl
grep -q '<freejoint/>' err || fail 'no word about a free base'
sed 's,<sensor>.*</sensor>,<tendon><fixed name="t"/></tendon>,' robot.xml >tendon.xml
status 2 "$SEGUE" convert tendon.xml tendon.jl
grep -q 'tendon.xml:7:11: <fixed> of <tendon> is not there' err || fail 'a tendon is taken'
# A mesh that is not there.
sed 's,<default>,<asset><mesh name="m" file="none.stl"/></asset><default>,; s,<include,<geom type="mesh" mesh="m"/><include,' robot.xml >mesh.xml
status 0 "$SEGUE" convert mesh.xml mesh.jl
status 2 "$SEGUE" run -q mesh.jl
grep -q 'none.stl' err || fail 'no word about the mesh'
# A mesh gives its body mass by its volume; weld closes a loop with the pose that it says.
cat >cube.obj <<'XML'
v -5 -5 -5
v 5 -5 -5
v 5 5 -5
v -5 5 -5
v -5 -5 5
v 5 -5 5
v 5 5 5
v -5 5 5
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
f 2 3 7 6
f 1 5 8 4
XML
cat >cube.xml <<'XML'
<mujoco><compiler meshdir="."/><asset><mesh file="cube.obj" scale="0.01 0.01 0.01"/></asset><worldbody>
<body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/>
  <body name="b" pos="0.3 0 0" euler="0 30 0"><joint name="jb" axis="0 1 0"/><geom type="mesh" mesh="cube" pos="0.1 0 0" density="500"/></body></body>
<body name="c" pos="0.3 0 1.2"><joint name="jz" type="slide" axis="0 0 1"/><joint name="jx" type="slide" axis="1 0 0"/><joint name="jr" axis="0 1 0"/><geom type="mesh" mesh="cube" mass="2"/></body>
</worldbody><equality><weld body1="b" body2="c" relpose="0.1 0 0.2 1 0 0 0"/></equality></mujoco>
XML
cat >cube.jl <<'XML'
using Modia3D
using Test
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
m = @instantiateModel(Model3D(world = world, r = MJCF("cube.xml", collisions = false)), unitless = true)
simulate!(m, stopTime = 0.5)
@test abs(totalMass(m)[1] - (1000*pi*0.02^2*(0.3 + 4/3*0.02) + 500*0.001 + 2.0)) < 1e-12
p, R = forwardKinematics(m, "r.b")
s, T = forwardKinematics(m, "r.c")
@test maximum(abs.(p + R*[0.1, 0.0, 0.2] - s)) < 1e-12 && maximum(abs.(R - T)) < 1e-12
@test abs(getLastValue(m, "r.ja.phi")) > 0.01
XML
status 0 "$SEGUE" run -q -o cube cube.jl
# Attributes that are not used are told once each; those that belong to soft contacts and the like are not.
cat >attributes.xml <<'XML'
<mujoco><default><joint dampng="1"/></default><worldbody>
<body pos="0 0 1"><joint name="a" type="hinge" margin="0.1" actuatorfrcrange="-1 1"/><geom size="0.1" solref="0.02 1"/></body>
<body pos="0 1 1"><joint name="b" range="-90 60" dampng="2" damping="1"/><geom size="0.1" pos="0.1 0 0"/></body></worldbody>
<actuator><position joint="b" kp="50" inheritrange="0.5"/></actuator></mujoco>
XML
status 0 "$SEGUE" convert attributes.xml attributes.jl
[ "$(grep -c 'dampng of <joint> is not used' err)" = 1 ] || fail 'no word, or too many, about a misspelt attribute'
grep -q 'attributes.xml:2:[0-9]*: actuatorfrcrange of <joint> is not used' err || fail 'no word about an attribute'
! grep -q 'margin\|solref' err || fail 'words about contacts'
# The range of the control is half of that of the joint, about the same mean: -52.5 to 22.5 degrees.
grep -q 'min(max(ctrl, -0.9162978572970231), 0.39269908169872414)' attributes.jl || fail 'another range'
# Who touches whom, as MuJoCo has it: neighbors do not, nor what is excluded, nor what bits rule out; pairs do. What is fixed to an excluded body is told.
cat >touching.xml <<'XML'
<mujoco><default><geom size="0.1" mass="1"/></default><worldbody><geom name="w" type="box" size="1 1 0.1" pos="0 0 -0.15"/>
<body name="a"><joint name="ja" axis="1 0 0"/><geom name="ga"/><body name="b" pos="0.05 0 0"><geom name="gb"/>
  <body name="c" pos="0.02 0.02 0"><joint name="jc" axis="0 1 0"/><geom name="gc"/>
    <body name="d" pos="0 0.04 0"><joint name="jd" axis="0 0 1"/><geom name="gd"/></body></body></body></body>
<body name="e" pos="0.03 0 0.03"><freejoint/><geom name="ge"/></body>
<body name="f" pos="0.04 0 0.03"><freejoint/><geom name="gf" contype="2" conaffinity="1"/></body>
<body name="g" pos="0.04 0.05 0.03"><freejoint/><geom name="gg" contype="0" conaffinity="2"/></body>
<body name="h" pos="0.04 0.01 0.03"><freejoint/><geom name="gh" contype="0" conaffinity="0"/></body></worldbody>
<contact><exclude body1="d" body2="e"/><exclude body1="a" body2="f"/><pair geom1="gh" geom2="gc"/><pair geom1="gh" geom2="w"/></contact></mujoco>
XML
cat >touching.jl <<'XML'
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())), r = MJCF("touching.xml")), unitless = true)
simulate!(m, stopTime = 1e-7, interval = 1e-7)
XML
status 0 "$SEGUE" run -o touching touching.jl
grep -q "touching.xml:9:[0-9]*: body 'b' is fixed to 'a', so this <exclude> holds for it, too" err || fail 'no word about what is fixed to a body'
# MuJoCo 2.2.2 says this but for gb and gf.
sed -n "s/.*'r\.\([a-z]*\)' and 'r\.\([a-z]*\)' start.*/\1 \2/p" err | awk '{ print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort -u | tr '\n' ',' >who
echo 'ga gd,ga ge,ga w,gb gd,gb ge,gb w,gc ge,gc gf,gc gh,gc w,gd gf,gd w,ge gf,ge w,gf gg,gf w,gh w,' | tr -d '\n' | cmp - who || fail "others touch: $(cat who)"
# Damping of a free joint, of the class of defaults as here: MuJoCo has it along the axes of the world and of the body; for one number that is the same.
cat >free.xml <<'XML'
<mujoco><default><joint damping="0.5"/></default><worldbody><body name="b" pos="0 0 9"><joint type="free"/><geom type="box" size="0.1 0.1 0.1" mass="2"/></body></worldbody></mujoco>
XML
cat >free.jl <<'XML'
using Modia3D
using Test
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
m = @instantiateModel(Model3D(world = world, r = MJCF("free.xml")), unitless = true)
simulate!(m, Tsit5(), stopTime = 1.0, tolerance = 1e-9, merge = Map(r = Map(b = Map(angularVelocity = [0.1, 0.2, -0.3]))))
@test abs(getLastValue(m, "r.b.velocity")[3] + 2.0*9.81/0.5*(1 - exp(-0.5/2.0))) < 1e-6
@test maximum(abs.(getLastValue(m, "r.b.angularVelocity") - [0.1, 0.2, -0.3]*exp(-0.5/(2.0/6*0.04)))) < 1e-9
XML
status 0 "$SEGUE" run -q -o free free.jl
