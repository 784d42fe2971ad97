# Objects and joints that a script puts together and moves by itself (components3d.md 14): only poses
# are computed. Everything is compared with closed forms that are written down here.
using Modia3D
import Modia3D.Composition
import Modia3D.Composition: initAnalysis!, setAngle!, setDistance!, updatePosition!, visualize!, closeAnalysis!, visualizeWorld!
using Test

near(a, b; tol = 1e-14) = maximum(abs.(a - b)) <= tol

@testset "a planar arm of three links" begin
    world = Composition.Object3D(feature = Scene())
    len = [0.9, 0.7, 0.4]
    hinges = []
    frames = [world]
    for i in 1:3
        link = Composition.Object3D(feature = Visual(shape = Beam(axis = 1, length = len[i])))
        push!(hinges, Composition.Revolute(frames[end], link; axis = 3))
        push!(frames, Composition.Object3D(link; r = [len[i], 0.0, 0.0]))
    end
    initAnalysis!(world)
    for t in 0.0:0.1:1.0
        phi = [0.3 + t, -1.1*t, 2.0*sin(3.0*t)]
        setAngle!.(hinges, phi)
        updatePosition!(world)
        total = cumsum(phi)
        for i in 1:3
            x = sum(len[1:i].*cos.(total[1:i]))
            y = sum(len[1:i].*sin.(total[1:i]))
            @test near(frames[i+1].r_abs, [x, y, 0.0])
            @test near(frames[i+1].R_abs, Modia3D.rot3(total[i]))
        end
    end
    @test frames[2].parent.parent === world
    @test length(world.children) == 1
    @test hinges[2].phi == -1.1
    closeAnalysis!(world)
end

@testset "a slider-crank: the chain follows what the closed form says" begin
    (r, l) = (0.1, 0.25)
    world = Composition.Object3D(feature = Scene())
    crank = Composition.Object3D()
    drive = Composition.Revolute(; obj1 = world, obj2 = crank, axis = 3)
    pin = Composition.Object3D(parent = crank, translation = [r, 0.0, 0.0])
    rod = Composition.Object3D()
    big = Composition.Revolute(obj1 = pin, obj2 = rod, axis = 3)
    wrist = Composition.Object3D(parent = rod, translation = [l, 0.0, 0.0])
    piston = Composition.Object3D()
    guide = Composition.Prismatic(world, piston; axis = 1)
    initAnalysis!(world)
    for phi in range(0.0, 2*pi, length = 25)
        psi = -asin(r/l*sin(phi))
        s = r*cos(phi) + sqrt(l^2 - r^2*sin(phi)^2)
        setAngle!(drive, phi)
        setAngle!(big, psi - phi)
        setDistance!(guide, s)
        updatePosition!(world)
        @test near(wrist.r_abs, [s, 0.0, 0.0])
        @test Modia3D.distance(wrist, piston) <= 1e-15
        @test near(Modia3D.measFramePosition(piston; frameOrig = pin, frameCoord = rod), [l, 0.0, 0.0])
    end
    @test guide.s == piston.r_abs[1]
end

# Two trees from the ground that must meet: crank and coupler on the left, rocker on the right.
@testset "a four-bar: both sides meet where two circles do" begin
    (a, b, c, d) = (0.2, 0.6, 0.5, 0.7)
    world = Composition.Object3D(feature = Scene())
    right = Composition.Object3D(parent = world, translation = [d, 0.0, 0.0])
    (crank, coupler, rocker) = (Composition.Object3D(), Composition.Object3D(), Composition.Object3D())
    j1 = Composition.Revolute(world, crank)
    j2 = Composition.Revolute(Composition.Object3D(crank; translation = [a, 0.0, 0.0]), coupler)
    j3 = Composition.Revolute(right, rocker)
    (end1, end2) = (Composition.Object3D(coupler; translation = [b, 0.0, 0.0]), Composition.Object3D(rocker; translation = [c, 0.0, 0.0]))
    initAnalysis!(world)
    for k in 1:24
        phi = 2*pi*k/24
        A = [a*cos(phi), a*sin(phi)]
        (dx, dy) = (d - A[1], -A[2])
        e = sqrt(dx^2 + dy^2)
        h = (b^2 - c^2 + e^2)/(2*e)
        q = sqrt(b^2 - h^2)
        B = [A[1] + (h*dx - q*dy)/e, A[2] + (h*dy + q*dx)/e]
        setAngle!(j1, phi)
        setAngle!(j2, atan(B[2] - A[2], B[1] - A[1]) - phi)
        setAngle!(j3, atan(B[2], B[1] - d))
        updatePosition!(world)
        @test near(end1.r_abs, [B[1], B[2], 0.0])
        @test near(end1.r_abs, end2.r_abs)
    end
end

@testset "negative axes and axes along vectors" begin
    world = Composition.Object3D()
    tips = []
    axes = [1, 2, 3, -1, -2, -3]
    for axis in axes
        o = Composition.Object3D()
        Composition.Revolute(world, o; axis = axis, phi = 0.4)
        push!(tips, Composition.Object3D(o; translation = [1.0, 2.0, 3.0]))
    end
    (turned, shifted) = (Composition.Object3D(), Composition.Object3D())
    e = [2.0, -1.0, 2.0]/3.0
    Composition.Revolute(world, turned; axis = [2.0, -1.0, 2.0], phi = 0.4)
    slide = Composition.Prismatic(world, shifted; axis = [2.0, -1.0, 2.0], s = 3.0)
    initAnalysis!(world)
    for i in 1:6
        R = Modia3D.rotAxis(abs(axes[i]), axes[i] > 0, 0.4)
        @test near(tips[i].R_abs, R)
        @test near(tips[i].r_abs, R'*[1.0, 2.0, 3.0])
    end
    @test near(turned.R_abs, Modia3D.rot_e(e, 0.4))
    @test near(shifted.r_abs, [2.0, -1.0, 2.0])
    @test near(slide.axis, [2.0, -1.0, 2.0])
end

# r_abs = p.r_abs + p.R_abs'*r_rel and R_abs = R_rel*p.R_abs, by hand in the plainest sense.
@testset "a chain in space is the product of its members" begin
    world = Composition.Object3D()
    (r, angles) = ([0.3, -0.2, 0.5], [0.2, -0.7, 1.1])
    (expected_r, expected_R) = (zeros(3), Modia3D.NullRotation)
    (last, joints) = (world, [])
    for i in 1:6
        place = Composition.Object3D(last; translation = i*r, rotation = angles/i)
        (expected_r, expected_R) = (expected_r + expected_R'*(i*r), Modia3D.rot123(angles/i)*expected_R)
        last = Composition.Object3D()
        if i % 2 == 0
            push!(joints, Composition.Prismatic(place, last; axis = 1 + i % 3, s = 0.1*i))
            expected_r = expected_r + expected_R'*(0.1*i*Modia3D.eAxis(1 + i % 3))
        else
            push!(joints, Composition.Revolute(place, last; axis = 1 + i % 3, phi = 0.1*i))
            expected_R = Modia3D.rotAxis(1 + i % 3, 0.1*i)*expected_R
        end
    end
    initAnalysis!(world)
    @test near(last.r_abs, expected_r)
    @test near(last.R_abs, expected_R)
    @test near(last.q_abs, Modia3D.from_R(expected_R))
    @test near(last.r_abs, last.parent.r_abs + last.parent.R_abs'*last.r_rel)
    @test near(last.R_abs, last.R_rel*last.parent.R_abs)
    (distance, rot) = Modia3D.distanceAndAngles(world, last)
    @test abs(distance - sqrt(sum(expected_r.^2))) < 1e-14
    @test near(Modia3D.rot123(rot), expected_R)
    @test near(Modia3D.measFrameRotation(last; frameOrig = last.parent), last.R_rel)
end

# The same three-link arm, declared from the hand down to the world: trees are turned around, with the
# joints in them, and the angles go on meaning what they did: phi turns obj1 into obj2.
@testset "an arm that is built from its tip" begin
    tip = Composition.Object3D()
    frames = [tip]
    joints = []
    for i in 1:3
        knee = Composition.Object3D(parent = frames[end], translation = [-0.5*i, 0.0, 0.1])
        push!(frames, Composition.Object3D())
        push!(joints, Composition.Revolute(knee, frames[end]; axis = 2, phi = 0.3*i))
    end
    world = Composition.Object3D(feature = Scene())
    Composition.Fix(frames[end], world; translation = [0.0, 0.0, -0.4])
    initAnalysis!(world)
    @test world.parent === nothing
    @test tip.parent !== nothing
    for t in [0.0, 0.7, 2.5]
        for i in 1:3
            setAngle!(joints[i], 0.3*i + t)
        end
        updatePosition!(world)
        # Down from the tip: where the world is, seen from it; then the other way around.
        (p, Q) = (zeros(3), Modia3D.NullRotation)
        for i in 1:3
            p = p + Q'*[-0.5*i, 0.0, 0.1]
            Q = Modia3D.rot2(0.3*i + t)*Q
        end
        p = p + Q'*[0.0, 0.0, -0.4]
        @test near(tip.R_abs, Q')
        @test near(tip.r_abs, -Q*p)
    end
end

@testset "obj2 may be the one on the ground" begin
    world = Composition.Object3D(feature = Scene())
    (a, b) = (Composition.Object3D(), Composition.Object3D())
    hinge = Composition.Revolute(a, world; axis = 1, phi = 0.5)
    slide = Composition.Prismatic(b, world; axis = -2, s = 0.25)
    initAnalysis!(world)
    @test near(a.R_abs, Modia3D.rot1(-0.5))
    @test near(b.r_abs, [0.0, 0.25, 0.0])
    @test a.parent === world
end

@testset "Fix, rotation by matrix and quaternion, both names of keywords" begin
    world = Composition.Object3D(feature = Scene())
    R = Modia3D.rot123(0.3, 0.4, -0.9)
    q = Modia3D.from_R(R)
    (a, b, c, d) = (Composition.Object3D(world; r = [1.0, 2.0, 3.0], R = R), Composition.Object3D(world; q = q),
                    Composition.Object3D(), Composition.Object3D(parent = world, rotation = [17.0, 0.0, 0.0]u"°"))
    Composition.Fix(a, c; translation = [0.0, 1.0, 0.0], rotation = [0.0, 0.0, 0.5])
    initAnalysis!(world)
    @test a.R_abs == R
    @test a.r_abs == [1.0, 2.0, 3.0]
    @test near(b.R_abs, R)
    @test near(c.R_abs, Modia3D.rot3(0.5)*R)
    @test near(c.r_abs, [1.0, 2.0, 3.0] + R'*[0.0, 1.0, 0.0])
    @test near(d.R_abs, Modia3D.rot1(17.0*pi/180.0))
    @test near(d.rotation, [17.0*pi/180.0, 0.0, 0.0])
end

@testset "numbers may have units, and joints begin as they are told" begin
    world = Composition.Object3D(feature = Scene())
    (a, b, c) = (Composition.Object3D(), Composition.Object3D(), Composition.Object3D())
    turn = Composition.Revolute(world, a; axis = 3, phi = Var(init = 90u"°"))
    slide = Composition.Prismatic(a, b; s = 20.0u"cm")
    third = Composition.Revolute(b, c; phi_start = -0.5)
    setAngle!(third, 0.75) # before the analysis, too
    initAnalysis!(world)
    @test near(b.r_abs, [0.0, 0.2, 0.0])
    @test third.phi == 0.75
    setAngle!(turn, 180u"°")
    setDistance!(slide, 5u"mm")
    @test near(b.r_abs, [0.0, 0.2, 0.0]) # nothing moves before
    updatePosition!(world)
    @test near(b.r_abs, [-0.005, 0.0, 0.0])
    initAnalysis!(world) # a second time: joints stay where they are
    @test near(b.r_abs, [-0.005, 0.0, 0.0])
end

@testset "free objects are put where the script wants them" begin
    world = Composition.Object3D(feature = Scene())
    car = Composition.Object3D()
    turn = Composition.Revolute(world, car; axis = 3, phi = pi/2)
    ball = Composition.Object3D(parent = car, fixedToParent = false, translation = [1.0, 0.0, 0.0], rotation = [0.0, 0.2, 0.0])
    mark = Composition.Object3D(parent = ball, translation = [0.0, 0.0, 1.0])
    initAnalysis!(world)
    @test near(ball.r_abs, [0.0, 1.0, 0.0])
    @test near(ball.R_rel, Modia3D.rot2(0.2))
    R = Modia3D.rot123(0.1, 1.57, 0.4)
    ball.r_rel = [0.0, 2.0, 0.0]
    ball.R_rel = R
    updatePosition!(world)
    @test near(ball.r_abs, [-2.0, 0.0, 0.0])
    @test near(ball.R_abs, R*Modia3D.rot3(pi/2))
    @test near(mark.r_abs, ball.r_abs + ball.R_abs'*[0.0, 0.0, 1.0])
    ball.translation = [3.0, 0.0, 0.0]u"cm"
    updatePosition!(world)
    @test near(ball.r_rel, [0.03, 0.0, 0.0])
end

@testset "the names of models take objects made by hand, too" begin
    scene = Modia3D.Scene()
    world = Modia3D.Composition.Object3D(scene)
    arm = Modia3D.Object3D(world, Modia3D.Visual(shape = Modia3D.Box(lengthX = 0.2)))
    wheel = Modia3D.Composition.Object3D(feature = Modia3D.Solid(shape = Modia3D.Cylinder(diameter = 0.3, length = 0.1), solidMaterial = "Steel"))
    rev = Modia3D.Revolute(obj1 = arm, obj2 = wheel, axis = -2)
    hand = Modia3D.Composition.Object3D()
    slide = Modia3D.Prismatic(wheel, hand)
    loose = Modia3D.Object3D(parent = hand, translation = [0.0, 1.0, 0.0])
    Modia3D.initAnalysis!(world, scene)
    for time in 0.0:0.5:1.0
        Modia3D.setAngle!(rev, time)
        Modia3D.setDistance!(slide, 2.0)
        Modia3D.updatePosition!(world)
        Modia3D.visualize!(scene, time)
        @test near(loose.r_abs, Modia3D.rot2(-time)'*[2.0, 1.0, 0.0])
    end
    Modia3D.closeAnalysis!(scene)
    @test near(loose.r_abs, Modia3D.rot2(-1.0)'*[2.0, 1.0, 0.0]) # the last poses stay readable
    @test abs(Modia3D.volume(wheel) - pi*0.15^2*0.1) < 1e-15
    @test Modia3D.massProperties(wheel)[1] > 50.0
    visualizeWorld!(world)
    # In a model the same names describe components.
    @test haskey(Revolute(obj1 = :world, obj2 = :arm), :equations)
    @test haskey(Object3D(parent = :world), :_constructor)
    @test haskey(Fix(obj1 = :world, obj2 = :arm), :_constructor)
end

# The same motion simulated and made by hand gives the same frames of the same objects.
@testset "frames are those of a simulated model" begin
    box = Visual(shape = Box(lengthX = 0.4, lengthY = 0.1, lengthZ = 0.1))
    scene() = Scene(gravityField = NoGravityField(), provideAnimationHistory = true, enableContactDetection = false)
    Arm = Model3D(
        world = Object3D(feature = scene()),
        arm = Object3D(feature = Solid(shape = Box(lengthX = 0.4, lengthY = 0.1, lengthZ = 0.1), massProperties = 2.0)),
        hand = Object3D(parent = :arm, translation = [0.5, 0.0, 0.0], rotation = [0.3, 0.0, 0.0], feature = box),
        hinge = Revolute(obj1 = :world, obj2 = :arm, axis = 2, w = Var(init = 1.5)))
    model = @instantiateModel(Arm, unitless = true)
    simulate!(model, stopTime = 1.0, interval = 0.25, tolerance = 1e-10)
    simulated = get_animationHistory(model, ""; log = false)

    world = Composition.Object3D(feature = scene(), name = "world")
    arm = Composition.Object3D(feature = box, name = "arm")
    hand = Composition.Object3D(parent = arm, translation = [0.5, 0.0, 0.0], rotation = [0.3, 0.0, 0.0], feature = box, name = "hand")
    hinge = Composition.Revolute(world, arm; axis = 2)
    initAnalysis!(world)
    for time in 0.0:0.25:1.0
        setAngle!(hinge, 1.5*time)
        updatePosition!(world)
        visualize!(world, time)
    end
    closeAnalysis!(world)
    by_hand = get_animationHistory(world; log = false)
    @test collect(keys(by_hand)) == collect(keys(simulated)) == ["time", "arm", "hand"]
    @test by_hand["time"] == simulated["time"]
    for name in ["arm", "hand"], k in 1:5
        @test near(by_hand[name].positions[k], simulated[name].positions[k]; tol = 1e-9)
        @test near(by_hand[name].quaternions[k], simulated[name].quaternions[k]; tol = 1e-9)
    end
    initAnalysis!(world) # begins anew
    visualize!(world, 7.0)
    @test get_animationHistory(world; log = false)["time"] == [7.0]
end

@testset "worlds are garbage like everything else" begin
    total = 0.0
    for i in 1:2000
        world = Composition.Object3D(feature = Scene())
        o = Composition.Object3D(feature = Visual(shape = Sphere(diameter = 0.1)))
        joint = Composition.Revolute(world, o; phi = 0.001*i)
        tip = Composition.Object3D(o; translation = [1.0, 0.0, 0.0])
        initAnalysis!(world)
        i % 2 == 0 && closeAnalysis!(world)
        total += tip.r_abs[1]
    end
    @test abs(total - sum(cos.(0.001*(1:2000)))) < 1e-9
end
