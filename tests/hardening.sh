# hardening.sh PROGRAM LIST: what cmake/hardening.cmake asked for is in the program. LIST names what this compiler and linker
# have: protector, fortify, clash, control, relro, now.
program=$1
list=" $2 "
command -v readelf >/dev/null && command -v objdump >/dev/null || { echo 'skipped: no binutils'; exit 77; }
case $(readelf -h "$program" 2>/dev/null) in
*ELF*) ;;
*) echo 'skipped: not an ELF program'; exit 77 ;;
esac
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
asked() { case $list in *" $1 "*) return 0 ;; *) echo "not asked for: $1"; return 1 ;; esac; }
has() { printf '%s\n' "$1" | grep -qE "$2"; }

header=$(readelf -hW "$program")
segments=$(readelf -lW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf -sW --dyn-syms "$program")

has "$header" 'Type: +DYN' || fail 'the program lies at a fixed address'
has "$segments" 'GNU_STACK +[^R]*RW +' || fail 'the stack can be executed'
if has "$segments" 'LOAD .* RWE '; then fail 'a segment can be written and executed'; fi
if asked relro; then has "$segments" 'GNU_RELRO' || fail 'no RELRO'; fi
if asked now; then has "$dynamic" 'BIND_NOW|Flags:.* NOW' || fail 'addresses of functions are found late, so their table is writable'; fi
if asked protector; then has "$symbols" '__stack_chk_fail' || fail 'no stack protector'; fi
if asked fortify; then
    for name in __memcpy_chk __snprintf_chk; do
        has "$symbols" "$name" || fail "not fortified: no $name"
    done
fi

# The code of functions of ours, which their archives of others tell nothing about.
code() { objdump -d --no-show-raw-insn "--disassemble=$1" "$program" | sed -n "/<$1>:/,\$p"; }
if asked protector; then
    has "$(code sg_script_folder)" '__stack_chk_fail' || fail 'sg_script_folder has a path on its stack and no canary'
fi
if asked clash; then # its stack is larger than a page: it is touched page by page
    has "$(code sg_script_folder)" 'orq +\$0x0,|or[q]? +.*\(%rsp\)|str +xzr' || fail 'sg_script_folder jumps over pages of its stack'
fi
if asked control; then
    has "$(code main | sed -n 2p)" 'endbr64|bti|paciasp' || fail 'main has no mark where jumps may land'
fi
[ "$failures" -eq 0 ]
