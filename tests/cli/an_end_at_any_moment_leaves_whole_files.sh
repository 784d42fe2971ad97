# Whenever an interrupt or a limit strikes, while pictures, tables, plots and summaries are written, too: one true message,
# nothing half, no temporary file, and an earlier file stays or is replaced by a whole one.
STOP=$SG_BINARY_DIR/stop
cat > swing.jl <<'END2'
using Modia3D
Swing = Model3D(
    world = Object3D(feature = Scene(animationFile = "swing-film.json", enableContactDetection = false)),
    arm = Object3D(feature = Solid(shape = Beam(length = 1.0, width = 0.1, thickness = 0.05), solidMaterial = "Steel")),
    hinge = Object3D(parent = :arm, translation = [-0.5, 0, 0]),
    joint = Revolute(obj1 = :world, obj2 = :hinge, axis = 3, phi = Var(init = 0.3)))
Swing = @instantiateModel(Swing, unitless = true, saveCodeOnFile = "code.txt")
simulate!(Swing, stopTime = 4.0, interval = 0.002, tolerance = 1e-8)
writeSignalTable("table.json", Swing)
plot(Swing, ["joint.phi", "joint.w"], figure = 1)
END2
everything="-o all --result-format csv,json,mat,arrow --summary all/summary.json --html all/page.html --glb all/scene.glb
    --three-json all/scene.json --obj all/scene.obj --stl all/scene.stl"
status 0 "$SEGUE" run swing.jl $everything
mkdir shown
status 0 "$SEGUE" view swing.jl -o shown/page.html

whole() { # whole FILE: by its last bytes, or by reading it
    case $1 in
    *.part | *.tmp) return 1 ;;
    *units.csv) ;;
    *.segue | *.csv | *.mat | *.arrow) "$SEGUE" info "$1" >/dev/null 2>&1 ;;
    *.html) tail -c 20 "$1" | grep -q '</html>' ;;
    *.svg) tail -c 20 "$1" | grep -q '</svg>' ;;
    *.json) tail -c 4 "$1" | grep -q '[]}]' ;;
    esac
}

# look WHAT STATUS FOLDER: of the command whose messages are in err
look() {
    if [ "$2" -eq 0 ]; then
        [ "$(grep -c 'error' err)" -eq 0 ] || fail "$1: status 0 and $(grep error err)"
    else
        [ "$(grep -c 'error' err)" -eq 1 ] || fail "$1: not one message: $(cat err)"
        grep -qE 'error\[E0005\]: interrupted|error\[E0004\]: the limit of' err || fail "$1: another reason: $(cat err)"
    fi
    for file in "$3"/*; do
        [ ! -e "$file" ] || whole "$file" || fail "$1: $file is not whole"
    done
}

n=0
for ms in $(seq 10 6 160); do
    n=$((n + 1))
    [ $((n % 2)) -eq 0 ] || rm -rf all shown/* # half of them find the files of others
    "$STOP" 0.$(printf %03d $ms) "$SEGUE" run swing.jl $everything > figures.all 2> err < /dev/null
    got=$(tail -n 1 figures.all | cut -d ' ' -f 1)
    [ "$got" -eq 0 ] || [ "$got" -eq 130 ] || fail "run after $ms ms: status $got"
    look "run after $ms ms" "$got" all
    "$STOP" 0.$(printf %03d $ms) "$SEGUE" view swing.jl -o shown/page.html > figures.all 2> err < /dev/null
    got=$(tail -n 1 figures.all | cut -d ' ' -f 1)
    [ "$got" -eq 0 ] || [ "$got" -eq 130 ] || fail "view after $ms ms: status $got"
    look "view after $ms ms" "$got" shown
    "$SEGUE" run swing.jl $everything --max-cpu-time 0.$(printf %03d $ms) > out 2> err
    got=$?
    [ "$got" -eq 0 ] || [ "$got" -eq 6 ] || fail "run of $ms ms: status $got"
    look "run of $ms ms" "$got" all
done

# Who was interrupted or reached a limit does not go on with the next file.
echo 'while true; end' > endless.jl
echo 'println("next")' > next.jl
for limit in '--max-cpu-time 0.1' '--max-time 0.2'; do
    status 6 "$SEGUE" run endless.jl next.jl $limit
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one message with $limit: $(cat err)"
    lacks out next
done
for command in run check; do
    "$STOP" 0.1 "$SEGUE" $command endless.jl endless.jl > figures.all 2> err < /dev/null
    [ "$(tail -n 1 figures.all | cut -d ' ' -f 1)" -eq 130 ] || fail "$command: $(tail -n 1 figures.all)"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "$command of two files, interrupted: $(cat err)"
done

# A picture that Chromium does not get done leaves nothing behind, and an earlier one alone.
printf '#!/bin/sh\nexec sleep 60\n' > slow_browser
chmod +x slow_browser
mkdir scratch pictures
echo earlier > pictures/swing.png
TMPDIR=$PWD/scratch SEGUE_CHROMIUM=$PWD/slow_browser status 6 "$SEGUE" view --max-time 1 --png 1 -o pictures/swing.png all
has err 'error[E0004]: the limit of 1 s was reached'
TMPDIR=$PWD/scratch SEGUE_CHROMIUM=$PWD/slow_browser "$SEGUE" view --png 1 -o pictures/swing.png all > out 2> err &
view=$!
until_true sh -c 'ls pictures/segue-*'
kill -s INT $view
wait $view
[ $? -eq 130 ] || fail 'a picture that is interrupted'
has err 'error[E0005]: interrupted'
lacks err 'made no picture'
[ "$(ls scratch pictures | tr '\n' ' ')" = 'pictures: swing.png  scratch: ' ] || fail "left: $(ls scratch pictures)"
has pictures/swing.png earlier
