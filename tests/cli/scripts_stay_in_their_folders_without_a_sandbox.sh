# The rules of the library hold by themselves: the same attacks where the kernel does not help (--no-sandbox).
cat >segue <<END
#!/bin/sh
command=\$1
shift
case \$command in
run | check | dump) exec "$SEGUE" "\$command" --no-sandbox "\$@" ;;
*) exec "$SEGUE" "\$command" "\$@" ;;
esac
END
chmod +x segue
SEGUE=$PWD/segue
. "$SG_SOURCE_DIR/tests/cli/scripts_stay_in_their_folders.sh"
