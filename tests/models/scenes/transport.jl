# Scenario H2: a robot of five joints takes a sphere from its own loading plate, lifts it, puts it back and takes it
# again. No contact is computed; the sphere is rigidly attached to the plate or to the gripper and changes hands in
# events. The meshes are those of ../shared/data: run with --modia3d-path.
using Modia3D
using Test

include("$(Modia3D.modelsPath)/AllModels.jl")
include("$(Modia3D.modelsPath)/Translational.jl")

mesh(name) = FileMesh(filename = joinpath(Modia3D.path, "meshes/robot_KUKA_YouBot", name*".obj"))
Meshed(name, mass) = Solid(shape = mesh(name), massProperties = MassPropertiesFromShapeAndMass(mass = mass))
Boxed(x, y, z) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = z),
                       massProperties = MassPropertiesFromShapeAndMass(mass = 1e-9))

# Cascade: proportional on the angle of the motor, proportional-integral on its speed.
PPI(; ratio, outer, k) = Model(
    ref = input, phi = input, w = input, tau = output,
    PI = PI | Map(k = k, T = 1.0),
    equations = :[
        PI.u = $outer*($ratio*ref - phi) - w
        tau = PI.y
    ]
)

Servo(; ratio, J) = Model(
    ref = input,
    flange = Flange,
    ppi = PPI(ratio = ratio, outer = 50.0, k = 0.1),
    motor = UnitlessTorque,
    rotor = Inertia | Map(J = J, phi = Var(init = nothing), w = Var(init = nothing)),
    gear = IdealGear | Map(ratio = ratio),
    equations = :[
        ppi.ref = ref
        ppi.phi = rotor.phi
        ppi.w = rotor.w
        motor.tau = ppi.tau
    ],
    connect = :[
        (motor.flange, rotor.flange_a)
        (rotor.flange_b, gear.flange_a)
        (gear.flange_b, flange)
    ]
)

SlidingServo() = Model(
    ref = input,
    flange = TranslationalFlange,
    ppi = PPI(ratio = 1.0, outer = 50.0, k = 10.0),
    motor = UnitlessForce,
    mass = TranslationalMass | Map(m = 0.1, s = Var(init = nothing), v = Var(init = nothing)),
    equations = :[
        ppi.ref = ref
        ppi.phi = mass.s
        ppi.w = mass.v
        motor.f = ppi.tau
    ],
    connect = :[
        (motor.flange, mass.flange_a)
        (mass.flange_b, flange)
    ]
)

degrees(x, y, z) = [x*pi/180, y*pi/180, z*pi/180]
Robot() = Model(
    base = Object3D(parent = :world, translation = [-0.569, 0.0, 0.084], feature = Meshed("base_frame", 19.803)),
    plate = Object3D(parent = :base, translation = [-0.159, 0.0, 0.046], feature = Meshed("plate", 2.397)),
    plateBox = Object3D(parent = :base, translation = [-0.16, 0.0, 0.0702], feature = Boxed(0.22, 0.22, 0.01)),
    plateLock = Object3D(parent = :base, lockable = true, translation = [-0.19, 0.0, 0.0702]),
    wheel1 = Object3D(parent = :base, translation = [0.228, 0.158, -0.034], feature = Meshed("front-left_wheel", 1.4)),
    wheel2 = Object3D(parent = :base, translation = [0.228, -0.158, -0.034], feature = Meshed("front-right_wheel", 1.4)),
    wheel3 = Object3D(parent = :base, translation = [-0.228, 0.158, -0.034], feature = Meshed("back-left_wheel", 1.4)),
    wheel4 = Object3D(parent = :base, translation = [-0.228, -0.158, -0.034], feature = Meshed("back-right_wheel", 1.4)),
    armBase = Object3D(parent = :base, translation = [0.143, 0.0, 0.046], feature = Meshed("arm_base_frame", 0.961)),
    foot = Object3D(parent = :armBase, translation = [0.024, 0.0, 0.115], rotation = degrees(180, 0, 0)),
    link1 = Object3D(feature = Meshed("arm_joint_1", 1.39)),
    end1 = Object3D(parent = :link1, translation = [0.033, 0.0, 0.0], rotation = degrees(90, 0, -90)),
    link2 = Object3D(feature = Meshed("arm_joint_2", 1.318)),
    end2 = Object3D(parent = :link2, translation = [0.155, 0.0, 0.0], rotation = degrees(0, 0, -90)),
    link3 = Object3D(feature = Meshed("arm_joint_3", 0.821)),
    end3 = Object3D(parent = :link3, translation = [0.0, 0.135, 0.0]),
    link4 = Object3D(feature = Meshed("arm_joint_4", 0.769)),
    end4 = Object3D(parent = :link4, translation = [0.0, 0.11316, 0.0], rotation = degrees(-90, 0, 0)),
    link5 = Object3D(feature = Meshed("arm_joint_5", 0.687)),
    gripper = Object3D(parent = :link5, translation = [0.0, 0.0, 0.05716], rotation = degrees(0, 0, -180),
                       feature = Meshed("gripper_base_frame", 0.199)),
    right = Object3D(parent = :gripper, translation = [0.0, -0.03, 0.0]),
    rightFinger = Object3D(parent = :right, translation = [0.0, -0.0082, 0.0], feature = Meshed("gripper_right_finger", 0.010)),
    rightBox = Object3D(parent = :right, translation = [0.0, -0.0051, 0.0135], feature = Boxed(0.012, 0.01, 0.045)),
    gripperLock = Object3D(parent = :right, lockable = true, translation = [0.006, 0.005, 0.0225]),
    left = Object3D(),
    leftFinger = Object3D(parent = :left, translation = [0.0, 0.0082, 0.0], feature = Meshed("gripper_left_finger", 0.010)),
    leftBox = Object3D(parent = :left, translation = [0.0, 0.0051, 0.0135], feature = Boxed(0.012, 0.01, 0.045)),
    rev1 = RevoluteWithFlange(obj1 = :foot, obj2 = :link1),
    rev2 = RevoluteWithFlange(obj1 = :end1, obj2 = :link2),
    rev3 = RevoluteWithFlange(obj1 = :end2, obj2 = :link3),
    rev4 = RevoluteWithFlange(obj1 = :end3, obj2 = :link4),
    rev5 = RevoluteWithFlange(obj1 = :end4, obj2 = :link5),
    servo1 = Servo(ratio = 156.0, J = 1.3909e-5),
    servo2 = Servo(ratio = 156.0, J = 1.3909e-5),
    servo3 = Servo(ratio = 100.0, J = 1.3571e-5),
    servo4 = Servo(ratio = 71.0, J = 9.321e-6),
    servo5 = Servo(ratio = 71.0, J = 3.571e-6),
    servo6 = SlidingServo(),
    prism = PrismaticWithFlange(obj1 = :right, obj2 = :left, axis = 2),
    connect = :[
        (servo1.flange, rev1.flange)
        (servo2.flange, rev2.flange)
        (servo3.flange, rev3.flange)
        (servo4.flange, rev4.flange)
        (servo5.flange, rev5.flange)
        (servo6.flange, prism.flange)
    ]
)

D = 0.05
function transport(actions)
    addReferencePath(actions, names = ["q1", "q2", "q3", "q4", "q5", "g"], position = zeros(6),
                     v_max = [2.68512, 2.68512, 4.8879, 5.8997, 5.8997, 2.0], a_max = [1.5, 1.5, 1.5, 1.5, 1.5, 0.5])
    ActionAttach(actions, "sphereLock", "youbot1.plateLock")
    EventAfterPeriod(actions, 1e-10)
    ptpJointSpace(actions, [pi pi/4 pi/4 0.0  0.0 D+0.01
                            pi pi/4 pi/4 1.04 0.0 D+0.01
                            pi pi/4 pi/4 1.04 0.0 D-0.002])
    ActionAttach(actions, "sphereLock", "youbot1.gripperLock")
    ptpJointSpace(actions, [pi pi/4-0.1   pi/4 1.04 0.0 D-0.002
                            pi 0.0        pi/2 0.0  0.0 D-0.002
                            pi pi/4-0.015 pi/4 1.04 0.0 D-0.002
                            pi pi/4-0.015 pi/4 1.04 0.0 D+0.01
                            pi pi/4       pi/4 1.04 0.0 D+0.01])
    ActionReleaseAndAttach(actions, "sphereLock", "youbot1.plateLock")
    ptpJointSpace(actions, [pi 0.0  pi/2 0.0  0.0 D+0.01
                            pi pi/4 pi/4 1.04 0.0 D+0.01
                            pi pi/4 pi/4 1.04 0.0 D-0.002])
    ActionAttach(actions, "sphereLock", "youbot1.gripperLock")
    ptpJointSpace(actions, [pi pi/4-0.1 pi/4 1.04 0.0 D-0.002
                            pi 0.0      pi/2 0.0  0.0 D-0.002])
end

Transport = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), gap = 0.2,
                                     enableContactDetection = false, maximumContactDamping = 1000,
                                     elasticContactReductionFactor = 1e-3)),
    sphere = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [-0.78, 0.0, 0.1845],
                      feature = Solid(shape = Sphere(diameter = D), solidMaterial = "DryWood")),
    sphereLock = Object3D(parent = :sphere, lockable = true, translation = [0.0, 0.025, 0.0]),
    youbot1 = Robot(),
    modelActions = ModelActions(world = :world, actions = transport),
    currentAction = Var(hideResult = true),
    equations = :[
        currentAction = executeActions(modelActions)
        youbot1.servo1.ref = getRefPathPosition(currentAction, 1)
        youbot1.servo2.ref = getRefPathPosition(currentAction, 2)
        youbot1.servo3.ref = getRefPathPosition(currentAction, 3)
        youbot1.servo4.ref = getRefPathPosition(currentAction, 4)
        youbot1.servo5.ref = getRefPathPosition(currentAction, 5)
        youbot1.servo6.ref = getRefPathPosition(currentAction, 6)
    ]
)

stored = [3.1415926553482936, 3.940308425576264e-09, 0.6805942761756493, -0.0956576899775176, 0.7909095290954901,
          0.10951977177943406, 1.0327025673843655, -0.14501159844620148, 1.9286175287484307e-08, -3.283069277920548e-08,
          -4.1609409172268536e-06, -0.41631100515552766, -0.36361306819749833, -0.1122726475747107, 0.0003657180323440799,
          6.003535500656957e-05, 0.04800122492323228, -1.2243878275181126e-06]
model = @instantiateModel(Transport, unitless = true)
