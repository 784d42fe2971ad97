# Manual pages and completions name every command and option that the program's own pages name.
sh "$SG_SOURCE_DIR/tools/manuals" "$SEGUE" made
status 0 "$SEGUE" --help
commands=$(awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on { print $1 }' out)
[ "$(echo $commands | wc -w)" -ge 10 ] || fail "no commands found: $commands"
bash -n made/completions/segue || fail "the bash completion has an error"
for shell in zsh fish; do # where they are installed
    file=made/completions/_segue
    [ $shell = fish ] && file=made/completions/segue.fish
    ! command -v $shell >/dev/null || $shell -n $file || fail "the $shell completion has an error"
done
for c in $commands; do
    [ -s made/man/segue-$c.1 ] || fail "no page for $c"
    "$SEGUE" "$c" --help | grep -E '^ +-' | sed 's/  *[a-z.].*//' | grep -oE -- '--[a-z0-9-]+' | sort -u > options
    [ -s options ] || fail "$c has no options?"
    while read -r option; do
        sed 's/\\-/-/g' made/man/segue-$c.1 | grep -qF -- "$option" || fail "segue-$c.1 lacks $option"
        for file in segue _segue segue.fish; do
            grep -qF -- "${option#--}" made/completions/$file || fail "$file lacks $option of $c"
        done
    done < options
done
# They complete.
words=$(bash -c '. made/completions/segue; COMP_WORDS=(segue pl); COMP_CWORD=1; _segue; echo "${COMPREPLY[@]}"')
[ "$words" = plot ] || fail "pl completes to '$words'"
words=$(bash -c '. made/completions/segue; COMP_WORDS=(segue run --res); COMP_CWORD=2; _segue; echo "${COMPREPLY[@]}"')
[ "$words" = --result-format ] || fail "--res completes to '$words'"
if command -v fish >/dev/null; then
    words=$(HOME=$PWD fish -c 'source made/completions/segue.fish; complete -C "segue pl"; complete -C "segue run --res"' | cut -f1)
    [ "$(echo $words)" = "plot --result-format" ] || fail "fish completes to '$words'"
fi

# The version, and the commit where the sources have one.
status 0 "$SEGUE" --version
grep -qE '^segue [0-9]+\.[0-9]+\.[0-9]+( \(commit [0-9a-f]{7,}(, changed)?\))?$' out || fail "version: $(cat out)"
