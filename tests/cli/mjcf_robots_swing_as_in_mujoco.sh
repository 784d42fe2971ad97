# Thirty robots in MJCF, at 100 states each and swinging for 5 s, beside MuJoCo. Skipped where MuJoCo is not installed (Debian: libmujoco-dev).
# label: long
peers=$SG_SOURCE_DIR/tests/peers
"${CC:-cc}" -O1 -o mjcf_mujoco "$peers/mjcf_mujoco.c" -lmujoco -lm 2>cc.log || { echo 'skipped: no MuJoCo'; exit 77; }
python3 "$peers/mjcf_robots.py" . 100 swings
status 0 within 900 "$SEGUE" run -q robots.jl
cp out segue.txt
status 0 within 900 ./mjcf_mujoco . segue.txt 100
cat out
