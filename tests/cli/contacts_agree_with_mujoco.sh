# Scenes with contacts in MuJoCo and in Segue: what does not depend on how a contact yields agrees to 1e-3, and Segue is at least as
# near to the closed forms. Skipped where MuJoCo is not installed (Debian: libmujoco-dev).
peers=$SG_SOURCE_DIR/tests/peers
command -v "${CC:-cc}" >/dev/null || { echo 'skipped: no compiler'; exit 77; }
"${CC:-cc}" -O1 -o mujoco_scenes "$peers/contacts_mujoco.c" -lmujoco -lm 2>cc.log || { echo 'skipped: no MuJoCo'; exit 77; }
status 0 within 300 ./mujoco_scenes
cp out mujoco.txt
status 0 within 60 "$SEGUE" run -q "$peers/contacts.jl"
cp out segue.txt
# name, Segue, MuJoCo, closed form
awk 'NR == FNR { other[$1] = $2; next } { print $1, $2, other[$1], $3 }' mujoco.txt segue.txt >table.txt
cat table.txt
[ "$(wc -l <table.txt)" = 16 ] || fail 'not all scenes are there'
awk 'function off(x, y) { return (x > y ? x - y : y - x)/(y > 0 ? y : -y) }
     $3 == "" { print $1 " is missing"; bad = 1 }
     off($2, $3) > 1e-3 { print $1 " differs from MuJoCo by " off($2, $3); bad = 1 }
     $4 != "" && off($2, $4) > 2e-5 && off($2, $4) > off($3, $4) { print $1 " is off by " off($2, $4); bad = 1 }
     END { exit bad }' table.txt >bad.txt || fail "$(cat bad.txt)"
