# A quadruped in MJCF with a load off its middle stands on a plane as in MuJoCo: angles of its twelve servos and forces of its four feet, which are without friction, so that there is one answer.
# Skipped where MuJoCo is not installed (Debian: libmujoco-dev).
"${CC:-cc}" -O1 -o quadruped_mujoco "$SG_SOURCE_DIR/tests/peers/quadruped_mujoco.c" -lmujoco -lm 2>cc.log || { echo 'skipped: no MuJoCo'; exit 77; }
sed 's,<site name="imu",<geom type="box" pos="0.1 0.04 0.07" size="0.03 0.03 0.02" mass="1.5"/>&,; s,<geom density="600",<geom condim="1" solref="-1e5 -6e2" solimp="0.9999 0.9999 0.001" density="600",; s,<compiler ,<option timestep="2e-4" integrator="RK4" tolerance="1e-12" solver="Newton"/>&,' \
    "$SG_SOURCE_DIR/examples/robots/parts/dog.xml" >loaded.xml
status 0 within 120 ./quadruped_mujoco loaded.xml
sort out >mujoco.txt
echo 'touch Steel Steel: restitution 0.1, friction 0, rolling 0' >slick.txt
cat >stand.jl <<'END'
using Modia3D
Modia3D.loadPalettes!(contactPairMaterialPalette = "slick.txt")
hold = Map(ctrl = -80*pi/180)
Stand = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]), nominalLength = 0.8)),
    dog = MJCF("loaded.xml") | Map(servo_knee_fl = hold, servo_knee_fr = hold, servo_knee_bl = hold, servo_knee_br = hold),
    foot_fl = ContactResult(object1 = :(dog.foot_fl), object2 = :(dog.floor)), foot_fr = ContactResult(object1 = :(dog.foot_fr), object2 = :(dog.floor)),
    foot_bl = ContactResult(object1 = :(dog.foot_bl), object2 = :(dog.floor)), foot_br = ContactResult(object1 = :(dog.foot_br), object2 = :(dog.floor)))
m = @instantiateModel(Stand, unitless = true)
simulate!(m, stopTime = 8.0, tolerance = 1e-7)
for leg in ["fl", "fr", "bl", "br"]
    for joint in ["roll_", "hip_", "knee_"]
        println(joint, leg, " ", getLastValue(m, "dog." * joint * leg * ".phi"))
    end
    println("foot_", leg, " ", getLastValue(m, "foot_" * leg * ".normalForce", unit = false))
end
END
status 0 within 120 "$SEGUE" run -q stand.jl
sort out >segue.txt
join mujoco.txt segue.txt >table.txt
cat table.txt
[ "$(wc -l <table.txt)" = 16 ] || fail 'not all joints and feet are there'
# 1e-7 rad, and 1e-5 of a force.
awk '{ off = $2 - $3; off = off < 0 ? -off : off; if (!(off < ($1 ~ /foot/ ? 1e-5*$2 : 1e-7))) { print $0; bad = 1 } } END { exit bad }' table.txt >bad.txt || fail "$(cat bad.txt)"
