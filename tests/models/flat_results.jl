# What ContactResult tells of flat contacts: patch, center of pressure, outline, stick or slip, share of the friction limit.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_contact.txt")
solid(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
free(feature, r, rot) = Object3D(parent = :world, fixedToParent = false, translation = r, rotation = rot, feature = feature)
scene(slope, law) = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [sin(slope), 0, -cos(slope)]), flatContact = law))
floor() = Object3D(parent = :world, translation = [0, 0, -0.05], feature = solid(Box(lengthX = 4.0, lengthY = 2.0, lengthZ = 0.1), "Half"))

# Area of a polygon in the plane z = 0, positive if it goes around counter-clockwise.
function area(x, y)
    sum = 0.0
    for i in 1:length(x)
        k = i < length(x) ? i + 1 : 1
        sum = sum + (x[i]*y[k] - x[k]*y[i])/2
    end
    return sum
end

# A box and a cylinder at rest on a slope that uses half of the limit; on the box a plate that is turned by 45 degrees.
mu = 0.3
slope = atan(mu/2)
Rest = Model3D(world = scene(slope, "area"), floor = floor(),
    box = free(solid(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1), "Half"), [0, 0, 0.05], [0, 0, 0]),
    plate = free(solid(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.02), "Half"), [0, 0, 0.11], [0, 0, pi/4]),
    drum = free(solid(Cylinder(axis = 3, diameter = 0.2, length = 0.05), "Half"), [0.5, 0.5, 0.025], [0, 0, 0]),
    ball = free(solid(Sphere(diameter = 0.1), "Half"), [-0.5, 0.5, 0.05], [0, 0, 0]),
    under = ContactResult(object1 = :box, object2 = :floor),
    top = ContactResult(object1 = :plate, object2 = :box),
    rim = ContactResult(object1 = :drum, object2 = :floor, outlineCorners = 48),
    turned = ContactResult(object1 = :drum, object2 = :floor, objectCoordinateRef = :drum, outlineCorners = 4),
    point = ContactResult(object1 = :ball, object2 = :floor),
    apart = ContactResult(object1 = :ball, object2 = :box))
m = @instantiateModel(Rest, unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-7, interval = 0.01)
function last(name)
    v = getValues(m, name)
    return ndims(v) == 1 ? v[end] : v[end, :]
end

for name in ["under", "top", "rim"]
    @test abs(last(name*".frictionShare") - 0.5) < 1e-5
    @test last(name*".sticking") == 1.0
    @test abs(last(name*".tangentialForce") - 0.5*mu*last(name*".normalForce")) < 1e-4*last(name*".normalForce")
end
# The whole face carries; its center of pressure lies h tan(slope) down the hill, as far as that of all weight above is high.
@test abs(last("under.contactPatchArea") - 0.04) < 1e-6
g = 9.81*8000
heavy = g*(0.2*0.2*0.1*0.05 + 0.2*0.2*0.02*0.11)/(g*(0.2*0.2*0.1 + 0.2*0.2*0.02))
@test abs(last("under.positionVector")[1] - heavy*tan(slope)) < 1e-5
# Pressure is linear, so its largest value follows from force and center: p (1 + 12 x 0.1/0.2^2).
mean = last("under.normalForce")/0.04
@test abs(last("under.maxPressure")/(mean*(1 + 12*heavy*tan(slope)*0.1/0.04)) - 1) < 1e-2
@test abs(area(last("under.outlineX"), last("under.outlineY")) - 0.04) < 1e-6
@test length(last("under.outlineX")) == 16
@test maximum(abs.(last("under.outlineZ"))) < 1e-6

# A square turned by 45 degrees on its like: an octagon.
@test abs(last("top.contactPatchArea") - 0.08*(sqrt(2) - 1)) < 1e-6
@test abs(area(last("top.outlineX"), last("top.outlineY")) - 0.08*(sqrt(2) - 1)) < 1e-6

# A disk, drawn by chords.
x, y = last("rim.outlineX"), last("rim.outlineY")
@test abs(area(x, y)/(pi*0.01) - 1) < 0.01
@test maximum(abs.(sqrt.((x .- 0.5).^2 + (y .- 0.5).^2) .- 0.1)) < 1e-5
@test abs(last("rim.contactPatchArea")/(pi*0.01) - 1) < 1e-6
@test length(last("turned.outlineX")) == 4

# Points have no area, and creep by their law.
@test last("point.contactPatchArea") == 0.0 && last("point.maxPressure") == 0.0 && last("point.sticking") == 0.0
@test !hasSignal(m, "point.outlineX") && !hasSignal(m, "apart.outlineX")
@test last("apart.normalForce") == 0.0 && last("apart.frictionShare") == 0.0

# The law of each pair is in the table of contacts.
table = Modia3D.contactTable(m)
for i in 1:length(table[:law])
    round = table[:object1][i] == "ball" || table[:object2][i] == "ball"
    @test table[:law][i] == (round ? "point" : "area")
end

# A box that slides has no stick, and uses all that there is.
Slide = Model3D(world = scene(0.0, "area"), floor = floor(),
    box = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.05], velocity = [1.0, 0.0, 0.0],
                   feature = solid(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1), "Half")),
    under = ContactResult(object1 = :box, object2 = :floor))
s = @instantiateModel(Slide, unitless = true)
simulate!(s, stopTime = 0.5, tolerance = 1e-7, interval = 0.001)
t, stuck, share = getValues(s, "time"), getValues(s, "under.sticking"), getValues(s, "under.frictionShare")
stop = 1.0/(mu*9.81)
for i in 1:length(t)
    if 0.05 < t[i] && t[i] < stop - 0.005
        @test stuck[i] == 0.0 && share[i] > 1 - 1e-6
    elseif t[i] > stop + 0.005
        @test stuck[i] == 1.0
    end
end
@test share[end] < 0.01

# The point law has no patch either, with the same shapes.
Published = Model3D(world = scene(0.0, "point"), floor = floor(),
    ball = free(solid(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1), "Half"), [0, 0, 0.2], [0.3, 0.2, 0]),
    under = ContactResult(object1 = :ball, object2 = :floor))
p = @instantiateModel(Published, unitless = true)
simulate!(p, stopTime = 0.02)
@test !hasSignal(p, "under.outlineX")
println("ok")
