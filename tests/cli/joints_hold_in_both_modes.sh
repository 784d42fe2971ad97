# Group C of the scenarios with the switches of the published program (by default they run as
# tests/models/c*.jl).
models=$SG_SOURCE_DIR/tests/models
for file in "$models"/c[0-9]_*.jl; do
    name=$(basename "$file")
    case $name in
    c5*) # inertias of turned parts are added as if not turned
        sed 's/\[-1.6319663, 0.4972615\]/[-1.6164397926928633, 0.4670955914743122]/' "$file" > $name ;;
    c4*) # flanges that nothing is connected to need an equation there
        sed '/^ends = /,$d' "$file" > $name ;;
    *) cp "$file" $name ;;
    esac
    status 0 within 60 "$SEGUE" run -q --compat modia-0.12 $name
done
