# An example in every format that Segue writes, each read again; to be read by a script in its own folder.
# Under the sanitizers (make test-asan, make test-long) this looks at writers and readers as much as at the numbers.

# formats FILE [OPTION...]: runs it, and compares each result with itself in the other formats.
formats() {
    file=$1
    folder=$(basename "$file" .jl)
    mkdir -p "$folder" # of a script without simulations as well
    shift
    status 0 "$SEGUE" run -q -o "$folder" --result-format csv,json,mat,arrow --html "$folder/page.html" \
        --summary "$folder/summary" "$@" "$file"
    [ -s "$folder/summary" ] || fail "$folder/summary is not there"
    for result in "$folder"/*.segue; do
        [ -e "$result" ] && read_back "${result%.segue}"
    done
    rm -rf "$folder"
}

# read_back STEM: the run file against the other files, and what else can be done with it.
read_back() {
    for format in csv json mat arrow; do
        status 0 "$SEGUE" compare --rtol 0 --atol 0 "$1.segue" "$1.$format"
        status 0 "$SEGUE" info --events "$1.$format"
        status 0 "$SEGUE" convert "$1.$format" "$1.again.$format"
        status 0 "$SEGUE" convert "$1.again.$format" "$1.same.$format"
        cmp -s "$1.again.$format" "$1.same.$format" || fail "$1.$format changes when it is converted"
    done
    status 0 "$SEGUE" convert "$1.segue" "$1.copy.segue"
    status 0 "$SEGUE" compare --rtol 0 --atol 0 "$1.segue" "$1.copy.segue"
    status 0 "$SEGUE" plot -o "$1.svg" "$1.segue"
    status 0 "$SEGUE" view -o "$1.html" "$1.segue"
    [ -s "$1.html" ] || fail "$1.html is not there"
    # Without 3D parts there is no scene, which is said.
    "$SEGUE" view --three-json "$1.js.json" --glb "$1.glb" --obj "$1.obj" --stl "$1.stl" "$1.segue" > out 2> err
    case $? in
    0) for kind in js.json glb obj stl; do [ -s "$1.$kind" ] || fail "$1.$kind is not there"; done ;;
    1) has err "E0807" && [ "$(grep -c 'error\[' err)" -eq 4 ] || fail "$1: $(cat err)" ;;
    *) fail "$1: scenes cannot be written: $(cat err)" ;;
    esac
}
