# Studies by the ranks of MPI: the same table as on one machine, also after a rank died.
mpi=$(dirname "$SEGUE")/segue-mpi
if ! command -v mpirun >/dev/null || ! test -x "$mpi"; then
    echo 'skipped: no MPI (the packages openmpi-bin and libopenmpi-dev of Debian)'
    exit 77
fi
. "$SG_SOURCE_DIR/tests/studies/model.sh"
run="mpirun --allow-run-as-root --oversubscribe --mca btl self,vader --mca btl_vader_single_copy_mechanism none"
"$SEGUE" study osc.jl $ask --runs 2000 -o here >/dev/null 2>&1
status 5 $run -np 4 "$mpi" study osc.jl $ask --runs 2000 -o there
has out '2000 of 2000 runs, 50 failed'
cmp here/table.csv there/table.csv || fail 'another table'
cmp here/table.segue there/table.segue || fail 'another table of numbers'

# A rank that dies ends the job; what came back is there, and the rest is made by another one.
$run -np 4 "$mpi" study osc.jl $ask --runs 2000 -o hurt >/dev/null 2>&1 &
pid=$!
n=0
while test "$(cat hurt/rows-*.part 2>/dev/null | wc -l)" -lt 50 && test $n -lt 600; do
    sleep 0.05
    n=$((n + 1))
done
rank=$(tr ' ' '\n' <"/proc/$pid/task/$pid/children" | grep . | tail -1)
kill -9 "$rank"
wait $pid && fail 'a job that lost a rank ended well'
rows=$(cat hurt/rows-*.part | wc -l)
test "$rows" -ge 50 && test "$rows" -lt 2000 || fail "rows that came back: $rows"
status 5 $run -np 3 "$mpi" study --resume hurt
cmp here/table.csv hurt/table.csv || fail 'another table after a rank died'

# Mistakes are told once.
status 1 $run -np 3 "$mpi" study osc.jl --vary q=1,2 -o refused
test "$(grep -c "'q'" err)" -eq 1 || fail 'a mistake is told once'
status 1 $run -np 3 "$mpi" study osc.jl --vary k=1: -o refused2
