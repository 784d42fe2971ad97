# Thirty robots in URDF move as MuJoCo says: accelerations at 100 states each to 1e-10, and swings of 5 s. Skipped where MuJoCo is not installed
# (Debian: libmujoco-dev).
peers=$SG_SOURCE_DIR/tests/peers
"${CC:-cc}" -O1 -o robots_mujoco "$peers/robots_mujoco.c" -lmujoco -lm 2>cc.log || { echo 'skipped: no MuJoCo'; exit 77; }
python3 "$peers/robots.py" .
status 0 within 300 "$SEGUE" run -q robots.jl
cp out segue.txt
status 0 within 300 ./robots_mujoco states.txt segue.txt
