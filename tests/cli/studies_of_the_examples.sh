# The studies of examples/studies, against closed forms.
studies=$SG_SOURCE_DIR/examples/studies
status 0 "$SEGUE" study "$studies/pendulum_sweep.study" -o sweep -j 2
has out '48 of 48 runs, 0 failed'
test "$(find sweep/runs -name '*.segue' | wc -l)" -eq 48 || fail 'curves that are kept'
# With little friction the first crossing is close to a quarter of the period of a free pendulum that
# begins at 1.57 rad: sqrt(L/g)*K(sin(phi/2)), K = 1.85354 there; friction makes it later.
awk -F, 'NR > 1 && $3 < 0.06 { free = sqrt($2/9.81)*1.85354; if ($2 > 0.7) { n++; r = $5/free
    if (r < 0.999 || r > 1.06) { print "crossing of L =", $2, "is", $5, "for", free; bad = 1 } } }
    END { exit bad || n < 3 }' sweep/table.csv || fail 'first crossings'
status 0 "$SEGUE" study "$studies/bounce.study" --runs 400 -o bounce -j 2
# Each ball lies still where the geometric series ends, less what the last millimeters take.
awk -F, 'NR > 1 { exact = sqrt(2*$3/9.81)*(1 + 2*$2/(1 - $2)); d = exact - $4; n++
    if (d < -1e-3 || d > 0.02) { print "ball", $1, "is still at", $4, "for", exact; bad = 1 }; sum += $4 }
    END { mean = sum/n; print "mean", mean; if (mean < 2.55 || mean > 2.63) bad = 1; exit bad || n != 400 }' \
    bounce/table.csv || fail 'times of rest'
status 0 "$SEGUE" plot sweep/runs/000000/*.segue phi --color-by L -o curves.svg
status 0 "$SEGUE" plot sweep/runs/000000/*.segue phi --band -o band.svg
status 0 "$SEGUE" plot sweep/table.segue fastest --x L -o table.svg
# The sag of an axis is due to its own gear, its torque to the mass that it carries.
status 0 "$SEGUE" study "$studies/gripping_tolerances.study" --runs 16 -o tolerances -j 2
awk -F, 'NR > 1 { total[$1, $2] = $5 }
    END { sag = "\"sag\""; torque = "\"torque\""; gear = "robot.drive2.elastic.c"
          mass = "robot.foreArm.body.feature.massProperties.mass"; other = "robot.drive3.elastic.c"
          exit !(total[sag, gear] > 0.5 && total[sag, gear] > total[sag, mass] && total[sag, other] < 0.01 &&
                 total[torque, mass] > 0.8 && total[torque, gear] < 0.1) }' tolerances/indices.csv ||
    { fail 'indices of sensitivity'; cat tolerances/indices.csv; }
