#!/bin/sh
# expect_test.sh EXPECT SCRATCH: does the judge of the model file tests judge rightly? A stand-in
# for the program prints what each case says.
set -u
expect=$1
rm -rf "$2"
mkdir -p "$2" && cd "$2" || exit 1
cat >segue <<'END'
#!/bin/sh
folder=$(dirname "$4")
cat "$folder/stdout"
cat "$folder/stderr" >&2
exit "$(cat "$folder/status")"
END
chmod +x segue
failed=0

# judge WANTED-VERDICT WHAT: with the files case.jl, stdout, stderr, status made before
judge() {
    ./expect_run >report 2>&1
    verdict=$?
    if [ "$verdict" -ne "$1" ]; then
        echo "verdict $verdict, expected $1: $2"
        cat report
        failed=1
    fi
}
printf '#!/bin/sh\nexec "%s" ./segue ./case.jl ./results\n' "$expect" >expect_run
chmod +x expect_run

case_is() { # status stdout stderr model-text
    printf '%s' "$1" >status
    printf '%b' "$2" >stdout
    printf '%b' "$3" >stderr
    printf '%b' "$4" >case.jl
}

case_is 0 '3.5\nb\n' '' 'println(1+2.5)  # expect: 3.5\nprintln("b")  # expect: b\n'
judge 0 'the lines are as expected'
case_is 0 '3.5  \n\n' '' 'f() # expect: 3.5\n# expect:\n'
judge 0 'blanks at the end do not count, empty lines do'
case_is 0 '3.6\n' '' 'println(1+2.5)  # expect: 3.5\n'
judge 1 'another value'
case_is 0 '3.5\nmore\n' '' 'println(1+2.5)  # expect: 3.5\n'
judge 1 'a line too many'
case_is 0 '' '' 'println(1+2.5)  # expect: 3.5\n'
judge 1 'a line too few'
case_is 1 '3.5\n' '' 'println(1+2.5)  # expect: 3.5\n'
judge 1 'the right output but a failure'
case_is 2 '' 'case.jl:2:5: error[E0203]: twice\n   2 | x\n' '# a\nx = y  # expect error E0203\n'
judge 0 'the error is reported for its line'
case_is 2 '' 'dir/case.jl:1:5: error[E0203]: twice\n' '# a\nx = y  # expect error E0203\n'
judge 1 'the error is reported for another line'
case_is 2 '' 'case.jl:2:5: error[E0204]: twice\n' '# a\nx = y  # expect error E0203\n'
judge 1 'another code'
case_is 2 '' 'case.jl:1:1: error[E0203]: a\ncase.jl:2:1: error[E0301]: b\n' 'x # expect error E0203\ny\n'
judge 1 'a second error that nobody expects'
case_is 0 '' 'case.jl:1:1: error[E0203]: a\n' 'x # expect error E0203\n'
judge 1 'an error must show in the exit status'
case_is 2 '' 'case.jl:1:1: error[E0203]: a\ncase.jl:1:4: error[E0301]: b\n' 'x # expect error E0203, E0301\n'
judge 0 'two errors on one line'
case_is 0 '' 'case.jl:1:1: warning[E0501]: a\n' 'x # expect warning E0501\n'
judge 0 'an expected warning'
case_is 0 '' '' 'x # expect warning E0501\n'
judge 1 'a warning that does not come'
case_is 5 '' '' '@test 1 == 2 # expect status 5\n'
judge 0 'a fixed exit status'
case_is 139 '' '' 'x # expect status 139\n'
judge 1 'a crash is never right'
case_is 0 '' '' 'x = 1\n'
judge 1 'a file that expects nothing proves nothing'
exit $failed
