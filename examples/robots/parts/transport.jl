# What the robot of gripping_robot.jl and gripping_scenarios.jl does: a sphere, two places on a plate, and the paths between.

diameter = 0.05
open, closed = diameter + 0.02, diameter

# Places of the sphere on the plate, and points of the path there.
left, right = [0.25, 0.15], [0.30, -0.12]
rest(place) = [place[1], place[2], plateTop + diameter/2]
above(place, width) = [reach(rest(place) + [0.0, 0.0, 0.12]); width]'
down(place, width) = [reach(rest(place)); width]'

start = [0.0, 0.3, 0.8, 0.6, 0.0, open]
v_max = [2.7, 2.7, 4.9, 5.9, 5.9, 0.2]
a_max = [3.0, 3.0, 3.0, 3.0, 3.0, 0.5]
fetch(place) = [above(place, open); down(place, open); down(place, closed)]
carry(from, to) = [above(from, closed); above(to, closed); down(to, closed)]
leave(place) = [down(place, open); above(place, open)]
# How long a path takes.
duration(points...) = pathEndTime(PTP_path(axes, positions = vcat(points...), v_max = v_max, a_max = a_max))

board = Box(lengthX = 0.2, lengthY = 0.5, lengthZ = 0.02)

# With contacts the sphere, the plate and the fingers touch each other; without, they go through each other.
Scenery(program; contacts = false, gap = 1e-3, file = "gripping_robot.json") = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), gap = gap,
                                     enableContactDetection = contacts, animationFile = file, nominalLength = 0.3)),
    plate = Object3D(parent = :world, translation = [0.3, 0.0, plateTop - 0.01],
                     feature = contacts ? Solid(shape = board, solidMaterial = "DryWood", contactMaterial = "Felt", collision = true)
                                        : Visual(shape = board)),
    leftPlace = Object3D(parent = :world, lockable = true, translation = rest(left)),
    rightPlace = Object3D(parent = :world, lockable = true, translation = rest(right)),
    sphere = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = rest(left),
                      feature = Solid(shape = Sphere(diameter = diameter), solidMaterial = "DryWood", collision = contacts,
                                      visualMaterial = VisualMaterial(color = "Dark Orange"))),
    sphereLock = Object3D(parent = :sphere, lockable = true),
    robot = Robot(start, pads = contacts),
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[
        now = executeActions(actions)
        robot.drive1.ref = getRefPathPosition(now, 1)
        robot.drive2.ref = getRefPathPosition(now, 2)
        robot.drive3.ref = getRefPathPosition(now, 3)
        robot.drive4.ref = getRefPathPosition(now, 4)
        robot.drive5.ref = getRefPathPosition(now, 5)
        robot.finger.ref = getRefPathPosition(now, 6)
    ]
)
