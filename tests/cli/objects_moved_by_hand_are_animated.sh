# closeAnalysis! writes the frames of visualize! to the file that the Scene names, as a simulation does.
cat > arm.jl <<'EOF'
using Modia3D
import Modia3D.Composition as C
world = C.Object3D(feature = Scene(animationFile = "arm.json"))
arm = C.Object3D(feature = Visual(shape = Box(lengthX = 0.4)))
tips = [C.Object3D(parent = arm, translation = [x, 0.0, 0.0], feature = Visual(shape = Sphere(diameter = 0.1))) for x in [0.2, -0.2]]
hinge = C.Revolute(world, arm; axis = 3)
Modia3D.initAnalysis!(world)
for time in 0.0:0.5:1.0
    Modia3D.setAngle!(hinge, pi*time)
    Modia3D.updatePosition!(world)
    Modia3D.visualize!(world, time)
end
Modia3D.closeAnalysis!(world)
EOF
status 0 "$SEGUE" check arm.jl
[ -e arm-results/arm.json ] && fail "a check wrote a file"
status 0 "$SEGUE" run arm.jl
cp arm-results/arm.json json || fail "no animation"
# An object is called as the variable that holds it; each has a track of positions and one of turns.
has json '"name":"arm"'
has json '"name":"tips[1]"'
has json '"name":"tips[2]"'
[ "$(grep -c '"type":"vector3"' json)" -eq 3 ] || fail "not three tracks of positions"
[ "$(grep -c '"type":"quaternion"' json)" -eq 3 ] || fail "not three tracks of quaternions"

# One picture of a world, without angles and loops.
cat > picture.jl <<'EOF'
using Modia3D
import Modia3D.Composition as C
world = C.Object3D()
ball = C.Object3D(parent = world, translation = [1.0, 2.0, 3.0], feature = Visual(shape = Sphere(diameter = 0.5)))
Modia3D.visualizeWorld!(world; sceneOptions = Scene(animationFile = "picture.json"))
EOF
status 0 "$SEGUE" run picture.jl
cp picture-results/picture.json json || fail "no picture"
has json '"name":"ball"'
has json '[1,2,3]'
