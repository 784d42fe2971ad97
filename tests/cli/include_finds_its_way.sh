# Relative to the including file; above the folder of the model only where the user allows it; a missing
# .../models/NAME.jl falls back to the library with a note.
mkdir -p package/test/deep package/models
printf 'include("../part.jl")\nprintln("main ", part)\n' >package/test/deep/main.jl
printf 'part = 7\n' >package/test/part.jl
status 0 "$SEGUE" run package/test/deep/main.jl --allow-read package
has out 'main 7'

printf 'shared = 8\n' >package/models/Shared.jl
printf 'include("../models/Shared.jl")\nprintln(shared)\n' >package/test/up.jl
status 0 "$SEGUE" run package/test/up.jl --allow-read package
has out 8

printf 'include("../models/Electric.jl")\nprintln(haskey(Resistor, :R))\n' >package/test/fallback.jl
status 0 "$SEGUE" run package/test/fallback.jl
has out true
has err note

printf 'using Modia\ninclude("$(Modia.modelsPath)/Electric.jl")\nprintln(haskey(Capacitor, :C))\n' >library.jl
status 0 "$SEGUE" run library.jl
has out true
