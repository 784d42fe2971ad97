status 0 "$SEGUE" --version
has out 0.1
status 0 "$SEGUE" --help
for command in run check info dump; do
    has out "$command"
    status 0 "$SEGUE" "$command" --help
    has out "segue $command"
    status 0 "$SEGUE" --help
done
