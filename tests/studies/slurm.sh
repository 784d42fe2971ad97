# Studies as jobs of Slurm, on a cluster of one node that this test sets up and takes down: the same
# table as on one machine, also after a task was ended and the node's daemon was killed.
for program in slurmctld slurmd sbatch squeue scancel sinfo munged; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || {
        echo "skipped: no $program (the packages slurm-wlm and munge of Debian)"
        exit 77
    }
done
test "$(id -u)" -eq 0 || { echo 'skipped: the daemons of Slurm need root'; exit 77; }
PATH=$PATH:/usr/sbin
. "$SG_SOURCE_DIR/tests/studies/model.sh"
node=$(hostname)
dir=$PWD/slurm
mkdir -p "$dir/state" "$dir/spool"
cat >"$dir/slurm.conf" <<EOF
ClusterName=local
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/ctld.pid
SlurmdPidFile=$dir/d.pid
SlurmctldLogFile=$dir/ctld.log
SlurmdLogFile=$dir/d.log
SlurmctldPort=17817
SlurmdPort=17818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,sched_min_interval=10000,bf_interval=1,batch_sched_delay=0,default_queue_depth=1000
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
MpiDefault=none
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=INFINITE State=UP
EOF
SLURM_CONF=$dir/slurm.conf
export SLURM_CONF
munge_pid=
take_down() {
    for file in "$dir/d.pid" "$dir/ctld.pid"; do
        test -f "$file" && kill "$(cat "$file")" 2>/dev/null
    done
    test -n "$munge_pid" && kill "$munge_pid" 2>/dev/null
    sleep 1
}
trap take_down EXIT
if ! munge -n >/dev/null 2>&1; then
    mkdir -p /run/munge && chown munge: /run/munge
    runuser -u munge -- /usr/sbin/munged
    munge_pid=$(cat /run/munge/munged.pid 2>/dev/null)
fi
slurmctld -f "$SLURM_CONF" && slurmd -f "$SLURM_CONF"
n=0
while ! sinfo -h 2>/dev/null | grep -q idle && test $n -lt 120; do
    sleep 0.5
    n=$((n + 1))
done
sinfo -h | grep -q idle || { fail 'no cluster'; tail -5 "$dir/ctld.log" "$dir/d.log"; }

status 0 "$SEGUE" study osc.jl $ask --runs 2000 -o dry --on slurm --dry-run --partition main --job-time 10:00 --job-memory 200M
has out '#SBATCH --partition=main'
has out '#SBATCH --time=10:00'
has out '#SBATCH --mem=200M'
has out '--task $first'
test "$(squeue -h | wc -l)" -eq 0 || fail 'a dry run submits'

"$SEGUE" study osc.jl $ask --runs 2000 -o here >/dev/null 2>&1
status 5 "$SEGUE" study osc.jl $ask --runs 2000 -o there --on slurm --runs-per-task 500 --partition main
has out 'job 1: 4 tasks of up to 500 runs, 1992 runs to make'
has out '2000 of 2000 runs, 50 failed'
cmp here/table.csv there/table.csv || fail 'another table'
cmp here/table.segue there/table.segue || fail 'another table of numbers'
ls there/*.log there/*.part >/dev/null 2>&1 && fail 'something is left'

# Sized by a trial: short runs are bundled.
status 5 "$SEGUE" study osc.jl $ask --runs 2000 -o trial --on slurm
has out ': 1 tasks'
cmp here/table.csv trial/table.csv || fail 'another table by a trial'

# Longer runs. The daemon of the node is killed while two tasks run, and started again; then a task is
# ended.
long="--stop 300 --runs 400"
"$SEGUE" study osc.jl $ask $long -o whole -j 2 >/dev/null 2>&1
"$SEGUE" study osc.jl $ask $long -o hurt --on slurm --runs-per-task 100 >hurt.out 2>hurt.err &
pid=$!
rows() { cat "$1"/rows-*.part 2>/dev/null | wc -l; }
n=0
while test "$(ls hurt/rows-*.part 2>/dev/null | wc -l)" -lt 2 && test $n -lt 600; do
    sleep 0.1
    n=$((n + 1))
done
kill -9 "$(cat "$dir/d.pid")"
sleep 1
slurmd -f "$SLURM_CONF"
sleep 2
first=$(squeue -h -r -t RUNNING -o %i | head -1)
test -n "$first" && scancel "$first"
wait $pid
test $? -eq 5 || fail "the study that lost tasks: $(cat hurt.err)"
test "$(grep -c '^job' hurt.out)" -ge 2 || fail "nothing was submitted again: $(cat hurt.out)"
cmp whole/table.csv hurt/table.csv || fail 'another table after lost tasks'

# Ctrl-C ends the job, keeps the rows, and the study goes on without Slurm.
"$SEGUE" study osc.jl $ask $long -o stopped --on slurm --runs-per-task 100 >stopped.out 2>stopped.err &
pid=$!
n=0
while test "$(squeue -h -r -t RUNNING | wc -l)" -lt 1 && test $n -lt 200; do
    sleep 0.1
    n=$((n + 1))
done
sleep 1
kill -INT $pid
wait $pid
test $? -eq 130 || fail 'the status of an interrupt'
n=0
while test "$(squeue -h | wc -l)" -gt 0 && test $n -lt 100; do
    sleep 0.1
    n=$((n + 1))
done
test "$(squeue -h | wc -l)" -eq 0 || fail 'tasks are left in the queue'
status 5 "$SEGUE" study --resume stopped -j 2
cmp whole/table.csv stopped/table.csv || fail 'another table after an interrupt'
