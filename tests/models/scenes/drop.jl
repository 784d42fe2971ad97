# A model of n spheres that fall on a plate from different heights and do not meet each other.
using Modia3D

function drop(n)
    side = ceil(Int, sqrt(n))
    model = Model3D(
        world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
        plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                         feature = Solid(shape = Box(lengthX = 0.2*side, lengthY = 0.2*side, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)))
    for i in 0:n-1
        x, y = 0.15*(mod(i, side) - (side - 1)/2), 0.15*(div(i, side) - (side - 1)/2)
        model[Symbol("ball$i")] = Object3D(parent = :world, fixedToParent = false, translation = [x, y, 0.1 + 0.3*mod(0.618034*i, 1.0)],
            feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "DryWood", collision = true))
    end
    return model
end
