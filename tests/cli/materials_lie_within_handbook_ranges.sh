# Every material that is not Modia3D's has a row of ranges in docs/materials.md, and its values lie within.
page=$SG_SOURCE_DIR/docs/materials.md
palette=$SG_SOURCE_DIR/library/palettes/more_solids.txt
awk '
    function within(name, word, value, range,   r) {
        split(range, r, " to ")
        n++
        if (value < r[1]*(1 - 1e-9) || value > r[2]*(1 + 1e-9))
            print name, word, value, "is outside of", range
    }
    FNR == NR {
        if (split($0, cell, / *\| */) == 8 && cell[3] ~ / to /)
            for (k = 3; k <= 7; k++) range[cell[2], k] = cell[k]
        next
    }
    /^solid / {
        name = substr($2, 1, length($2) - 1)
        delete value
        for (i = 3; i < NF; i += 2) value[$i] = $(i + 1) + 0
        if (!((name, 3) in range)) { print name, "has no row in the page"; next }
        within(name, "density", value["density"], range[name, 3])
        within(name, "young", value["young"]/1e9, range[name, 4])
        within(name, "poisson", value["poisson"], range[name, 5])
        within(name, "conducts", value["conducts"], range[name, 6])
        within(name, "expands", value["expands"]*1e6, range[name, 7])
    }
    END { if (n != 165) print n, "values were compared, not 165" }' "$page" "$palette" >found
[ ! -s found ] || fail "$(cat found)"
# Each number of the palette is marked by those sources of the page that it agrees with, and as an estimate where none does.
awk '
    BEGIN {
        split("density young poisson melts heat conducts expands", words, " ")
        split("0.03 0.1 0.1 0.01 0.05 0.1 0.1", slack, " ")
        unit[2] = 1e9; unit[7] = 1e-6
    }
    FNR == NR {
        if (split($0, cell, / *\| */) == 10 && cell[3] ~ /^[A-Z][A-Za-z0-9-]* [0-9]/)
            for (k = 1; k <= 7; k++) said[cell[2], words[k]] = cell[k + 2]
        next
    }
    /^solid / { delete value; for (i = 3; i < NF; i += 2) value[$i] = $(i + 1) + 0 }
    /^source / {
        name = substr($2, 1, length($2) - 1)
        delete mark
        for (i = 3; i < NF; i += 2) { mark[$i] = $(i + 1); sub(/,$/, "", mark[$i]) }
        for (k = 1; k <= 7; k++) if (words[k] in value) {
            n++
            found = ""
            m = split(said[name, words[k]], one, "; ")
            for (i = 1; i <= m; i++) {
                split(one[i], part, " ")
                off = part[2]*(k in unit ? unit[k] : 1)/value[words[k]] - 1
                if (off < 0) off = -off
                if (off <= slack[k] + 1e-9) found = found (found == "" ? "" : "+") part[1]
            }
            if (found == "") found = "estimate"; else known++
            if (mark[words[k]] != found) print name, words[k], "rests on", found, "and is marked", mark[words[k]]
        }
    }
    END { if (n != 220 || known != 147) print known, "of", n, "values have a source, not 147 of 220" }' "$page" "$palette" >found
[ ! -s found ] || fail "$(cat found)"
[ "$(grep -c '^touch ' "$SG_SOURCE_DIR/library/palettes/contacts.txt")" -eq $(($(grep -c '^source ' "$SG_SOURCE_DIR/library/palettes/contacts.txt") + 10)) ] ||
    fail "a pair that is not one of Modia3D's ten does not say what it rests on"
# What physics says without a book: heat capacities of elements (Dulong and Petit), and Grüneisen's number of metals.
awk '
    BEGIN {
        split("Copper 63.546 Titanium 47.867 Magnesium 24.305 Zinc 65.38 Nickel 58.693 Tungsten 183.84 Lead 207.2 Gold 196.967 Silver 107.868 Iron 55.845 Tin 118.71 Platinum 195.084", m, " ")
        for (i = 1; i in m; i += 2) mole[m[i]] = m[i + 1]
        split("StainlessSteel CastIron Brass Bronze", m, " ")
        for (i in m) alloy[m[i]] = 1
    }
    /^solid / {
        name = substr($2, 1, length($2) - 1)
        delete v
        for (i = 3; i < NF; i += 2) v[$i] = $(i + 1) + 0
        if (!(v["poisson"] >= 0 && v["poisson"] < 0.5)) print name, "has Poisson ratio", v["poisson"]
        if (!(name in mole) && !(name in alloy)) next
        n++
        gamma = v["expands"]*v["young"]/(1 - 2*v["poisson"])/(v["density"]*v["heat"])
        if (gamma < 0.7 || gamma > 3.3) print name, "has Grüneisen number", gamma
        heat = name in mole ? v["heat"]*mole[name]/1000 : 25
        if (heat < 24 || heat > 27) print name, "has", heat, "J/(mol K)"
    }
    END { if (n != 16) print n, "metals were compared, not 16" }' "$palette" >found
[ ! -s found ] || fail "$(cat found)"
awk '/^touch / && /restitution/ {
        delete v
        for (i = 4; i < NF; i += 2) v[$i] = $(i + 1) + 0
        n++
        if (v["restitution"] < 0 || v["restitution"] > 1 || v["rolling"] < 0 || v["rolling"] > 0.05 || v["friction"] < 0 ||
            v["friction"] > 1.5 || ("static" in v && v["static"] < v["friction"])) print
    }
    END { if (n < 50) print n, "pairs were compared" }' "$SG_SOURCE_DIR/library/palettes/contacts.txt" >found
[ ! -s found ] || fail "$(cat found)"
