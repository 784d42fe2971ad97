# A robot arm that draws: no equations, no forces. The script puts the arm together by hand, computes
# the angles of its joints from where the pen is to be, and asks where the pen really is.
# Expect a flower in the terminal, a pen that misses its marks by no more than rounding, and a file
# drawing_arm.json with the moving arm, to be dropped on the editor of three.js.
using Modia3D
import Modia3D.Composition: Object3D, Revolute, initAnalysis!, setAngle!, updatePosition!, visualize!, closeAnalysis!

(height, upper, lower) = (0.4, 0.6, 0.5)
steel = VisualMaterial(color = "SteelBlue")
bar(length) = Visual(shape = Beam(axis = 1, length = length, width = 0.08, thickness = 0.06), visualMaterial = steel)

# y points up. A joint makes two frames one; lengths are built with objects of their own.
world    = Object3D(feature = Scene(animationFile = "drawing_arm.json", nominalLength = 0.25))
column   = Object3D(feature = Visual(shape = Cylinder(axis = 2, diameter = 0.15, length = 2*height), visualMaterial = steel))
shoulder = Object3D(parent = column, translation = [0.0, height, 0.0])
arm      = Object3D()
elbow    = Object3D(parent = arm, translation = [upper, 0.0, 0.0])
forearm  = Object3D()
pen      = Object3D(parent = forearm, translation = [lower, 0.0, 0.0], feature = Visual(shape = Sphere(diameter = 0.05)))
Object3D(parent = arm, translation = [upper/2, 0.0, 0.0], feature = bar(upper))
Object3D(parent = forearm, translation = [lower/2, 0.0, 0.0], feature = bar(lower))

yaw   = Revolute(world, column; axis = 2)
lift  = Revolute(shoulder, arm; axis = 3)
bend  = Revolute(elbow, forearm; axis = 3)

# The angles that bring the pen to a point: a turn towards it, then two sides of a triangle.
function reach(x, y, z)
    (out, up) = (sqrt(x^2 + z^2), y - height)
    b = -acos((out^2 + up^2 - upper^2 - lower^2)/(2*upper*lower))
    return (atan(-z, x), atan(up, out) - atan(lower*sin(b), upper + lower*cos(b)), b)
end

# A flower on a board in front of the arm.
flower(s) = [0.7, 0.6 + 0.25*cos(3.0*s)*sin(s), 0.25*cos(3.0*s)*cos(s)]

initAnalysis!(world)
paper = fill(" ", 21, 61)
miss = 0.0
for time in 0.0:0.01:2.0
    point = flower(pi*time/2)
    (a, b, c) = reach(point[1], point[2], point[3])
    setAngle!(yaw, a)
    setAngle!(lift, b)
    setAngle!(bend, c)
    updatePosition!(world)
    visualize!(world, time)
    global miss = max(miss, maximum(abs.(pen.r_abs - point)))
    row = 11 - round(Int, 40.0*(pen.r_abs[2] - 0.6))
    paper[row, 31 + round(Int, 80.0*pen.r_abs[3])] = "*"
end
closeAnalysis!(world)

for row in 1:21
    println(join(paper[row,:]))
end
println("The pen missed by at most ", miss, " m.")
println("It ends at ", pen.r_abs, ", the elbow bent by ", 180.0/pi*bend.phi, " degrees.")
