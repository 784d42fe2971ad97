# Palettes: the ones that come along, and the user's in both layouts.
cat > mine.txt <<'EOF'
solid Cork: density 240, young 32e6, poisson 0.0   # light
touch Cork Steel: restitution 0.4, friction 0.6
look Corky: color BurlyWood, shininess 0.1
EOF
cat > solids.json <<'EOF'
{"Oak": {"density": 750, "YoungsModulus": 11e9, "color": "brown"}, "Steel": {"density": 7850}}
EOF
cat > pairs.json <<'EOF'
{"Oak,Oak": {"responseType": "ElasticResponse", "coefficientOfRestitution": 0.5}, "Oak Steel": {"responseType": "NoResponse"},
 "Oak,Cork": {"responseType": "LinearResponse", "damping": 40, "rotationalDamping": 0.01, "coefficientOfRestitution": 0.5}}
EOF
cat > looks.json <<'EOF'
{"Dark": {"color": [10, 20, 30], "transparency": 0.25}}
EOF
cat > run.jl <<'EOF'
using Modia3D, Test
density(name) = Modia3D.massProperties(Solid(shape = Box(), solidMaterial = name))[1]
@test abs(density("Steel") - 8000.0) < 1e-9
Modia3D.loadPalettes!(solidMaterialPalette = "mine.txt")
Modia3D.loadPalettes!(; solidMaterialPalette = "solids.json", contactPairMaterialPalette = "pairs.json",
                      visualMaterialPalette = "looks.json", log = false)
@test abs(density("Cork") - 240.0) < 1e-9 && abs(density("Oak") - 750.0) < 1e-9 && abs(density("Steel") - 7850.0) < 1e-9
@test abs(density("Aluminium") - 2700.0) < 1e-9
@test Modia3D.rgb("Light Sea Green") == [32, 178, 170] && Modia3D.rgb("#102030") == [16, 32, 48]
Modia3D.showPalettes()
EOF
status 0 "$SEGUE" run run.jl
has out "Cork                 density 240"
has out "      source: density NIST+pymatgen+FreeCAD, young pymatgen+FreeCAD"
has out "      source: restitution estimate, friction Serway-recalled, static Serway-recalled, rolling estimate"
has out "Cork, Steel                      restitution 0.4, friction 0.6, rolling 0"
has out "Oak, Oak                         restitution 0.5"
has out "Oak, Cork                        spring 1e+07, damping 40, drilling 0.01, friction 0"
has err "'pairs.json', 'Oak,Cork': the property 'coefficientOfRestitution' is not known and ignored"
has out "Observer, Steel                  watched"
has out "Corky                #DEB887, transparency 0, shininess 0.1"
has out "Dark                 #0A141E, transparency 0.25"
has err "the property 'color' is not known"
has err "'Oak Steel' is not a pair"

bad() { # bad TEXT FILE CONTENT [KIND]
    printf '%s\n' "$3" > "$2"
    echo "using Modia3D; Modia3D.loadPalettes!(${4:-solidMaterial}Palette = \"$2\")" > bad.jl
    status 2 "$SEGUE" run bad.jl
    has err "$1"
    has err "bad.jl:1:"
}
bad "bad.txt:1: the word 'weight' is not known here" bad.txt 'solid Tin: weight 3'
bad "is not a palette" bad.json '{"Tin": '
bad "an object {...} is expected" bad.json '{"Tin": 3}'
bad "not negative" bad.json '{"Tin": {"density": -3}}'
bad "responseType must be ElasticResponse, LinearResponse" bad.json '{"Tin,Tin": {"responseType": "Soft"}}' contactPairMaterial
bad "a spring constant must be finite and positive" bad.json \
    '{"Tin,Tin": {"responseType": "LinearResponse", "springConstant": 0}}' contactPairMaterial
bad "'Tin,Tin': springConstant must be a number" bad.json \
    '{"Tin,Tin": {"responseType": "LinearResponse", "springConstant": "1e5"}}' contactPairMaterial
bad "'Tin': density must be a number" bad.json '{"Tin": {"density": [7300]}}'
echo '{"Tin": {"density": 7300, "meltingPoint": null}}' > good.json
echo 'using Modia3D; Modia3D.loadPalettes!(solidMaterialPalette = "good.json")' > good.jl
status 0 "$SEGUE" run good.jl
lacks err "meltingPoint"
echo 'using Modia3D; Modia3D.loadPalettes!(solidMaterialPalette = "nowhere.json")' > bad.jl
status 2 "$SEGUE" run bad.jl
has err "nowhere.json"
