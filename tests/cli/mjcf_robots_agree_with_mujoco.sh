# Thirty robots in MJCF are and move as MuJoCo says, at three states each: mass, center, mass matrix, bias forces and accelerations to 1e-10. Skipped where MuJoCo is not installed
# (Debian: libmujoco-dev). All states, and swings of 5 s, are in mjcf_robots_swing_as_in_mujoco.
peers=$SG_SOURCE_DIR/tests/peers
"${CC:-cc}" -O1 -o mjcf_mujoco "$peers/mjcf_mujoco.c" -lmujoco -lm 2>cc.log || { echo 'skipped: no MuJoCo'; exit 77; }
python3 "$peers/mjcf_robots.py" . 3
status 0 within 300 "$SEGUE" run -q robots.jl
cp out segue.txt
status 0 within 300 ./mjcf_mujoco . segue.txt 3
cat out
