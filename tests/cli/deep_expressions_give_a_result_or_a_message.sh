# Expressions as generated models hold them: hundreds of levels deep they are computed, ten thousand
# levels deep they get a message. Nothing ends in a crash, also where little stack is left.

# repeat TEXT N
repeat() { awk -v text="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'; }

# nested NAME DEPTH: an expression in x that deep
nested() {
    case $1 in
    parentheses) repeat '(' "$2"; printf x; repeat ')' "$2" ;;
    sums) repeat '(0.5 + 0.5*' "$2"; printf x; repeat ')' "$2" ;;
    differences) printf 'x + %s' "$2"; repeat ' - 1.0' "$2" ;;
    functions) repeat 'abs(' "$2"; printf x; repeat ')' "$2" ;;
    functions_of_the_script) repeat 'half(' "$2"; printf x; repeat ')' "$2" ;;
    signs) repeat '-(' "$2"; printf x; repeat ')' "$2" ;;
    branches) repeat 'if x > 2.0; 0.0 else ' "$2"; printf x; repeat ' end' "$2" ;;
    choices) repeat 'x > 2.0 ? 0.0 : ' "$2"; printf x ;;
    elements) repeat '[' "$2"; printf x; repeat '][1]' "$2" ;;
    esac
}
kinds='parentheses sums differences functions functions_of_the_script signs branches choices elements'

# model PLACE EXPRESSION: the expression, whose value is 1 for x = 1, in one place of a model
model() {
    echo 'using Modia'
    echo 'half(u) = 0.5 + 0.5*u'
    case $1 in
    equation)
        echo "M = Model(x = Var(init = 1.0), y = Var(), equations = :[der(x) = 0*x"
        echo "    y = $2])" ;;
    parameter)
        echo "M = Model(a = Model(p = 1.0, y = Var(), x = Var(init = 1.0),"
        echo "    equations = :[der(x) = 0*x; y = $(echo "$2" | sed 's/x/p/g')]), y = Var(), equations = :[y = a.y])" ;;
    script)
        echo "x = 1.0"
        echo "value = $2"
        echo "M = Model(x = Var(init = value), y = Var(), equations = :[der(x) = 0*x; y = x])" ;;
    body)
        echo "deep(x) = $2"
        echo "M = Model(x = Var(init = 1.0), y = Var(), equations = :[der(x) = 0*x; y = deep(x)])" ;;
    constraint) # has to be differentiated
        echo "M = Model(x = Var(init = 1.0), y = Var(), w = Var(init = 0.0), z = Var(),"
        echo "    equations = :[der(x) = w; der(w) = z; 1.0 = $2; y = x])" ;;
    esac
    echo 'm = @instantiateModel(M, unitless = true)'
    echo 'simulate!(m, stopTime = 0.1)'
    echo '@test isapprox(getValues(m, "y")[end], 1.0, atol = 1e-12)'
}

# computes WHAT, refuses WHAT: the model in deep.jl
computes() {
    status 0 within $((20 * SG_SLOWNESS)) "$SEGUE" run -q deep.jl || echo "  $1"
}
refuses() {
    status 2 within $((20 * SG_SLOWNESS)) "$SEGUE" run -q deep.jl || echo "  $1"
    has err 'error[E0202]' || echo "  $1"
}

# A thread of a program that embeds Segue has less stack than a command; sanitizers need more.
[ "$SG_SLOWNESS" -gt 1 ] || ulimit -s 2048
for kind in $kinds; do
    for place in equation parameter script body; do
        model $place "$(nested $kind 300)" >deep.jl
        computes "$kind, 300 levels deep, $place"
        model $place "$(nested $kind 10000)" >deep.jl
        refuses "$kind, 10000 levels deep, $place"
    done
done
for kind in differences signs functions_of_the_script; do
    model constraint "$(nested $kind 40)" >deep.jl
    computes "$kind, differentiated"
done
model constraint "$(nested differences 1900)" >deep.jl
computes "1900 differences, differentiated"

# Functions that call functions, each of them deep: in all too deep to be read as one expression or
# to be differentiated, but they can be called.
{
    echo 'using Modia'
    echo 'f0(u) = 1.0*u'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        echo "f$i(u) = $(repeat 'abs(' 900) f$((i - 1))(u) $(repeat ')' 900)"
    done
    echo 'M = Model(x = Var(init = 1.0), y = Var(), equations = :[der(x) = 0*x; y = f15(x)])'
    echo 'm = @instantiateModel(M, unitless = true)'
    echo 'simulate!(m, stopTime = 0.1)'
    echo '@test getValues(m, "y")[end] == 1.0'
} >deep.jl
computes 'functions that call functions'
{
    sed '/^M = /,$d' deep.jl
    echo 'M = Model(x = Var(init = 1.0), w = Var(init = 1.0), z = Var(),'
    echo '    equations = :[der(x) = w; der(w) = z; f15(x) = 1.0 + time])'
    echo 'm = @instantiateModel(M, unitless = true)'
} >derivative.jl
status 2 within $((20 * SG_SLOWNESS)) "$SEGUE" run -q derivative.jl
has err 'nested too deeply'

# A script may put an expression together, level by level.
for levels in 900 10000; do
    {
        echo 'using Modia'
        echo 'e = :x'
        echo "for i in 1:$levels; global e = :(abs(\$e)); end"
        echo 'M = Model(x = Var(init = 1.0), y = Var(), equations = :[der(x) = 0*x; y = $e])'
        echo 'm = @instantiateModel(M, unitless = true)'
        echo 'simulate!(m, stopTime = 0.1)'
        echo '@test getValues(m, "y")[end] == 1.0'
    } >deep.jl
    if [ $levels -lt 1000 ]; then computes interpolated; else refuses interpolated; fi
done

# More arguments than any table has room for.
{
    echo 'using Modia'
    echo "M = Model(x = Var(init = 1.0), y = Var(), equations = :[der(x) = 0*x; y = max(0.5$(repeat ', x' 6000))])"
    echo 'm = @instantiateModel(M, unitless = true)'
    echo 'simulate!(m, stopTime = 0.1)'
    echo '@test getValues(m, "y")[end] == 1.0'
} >deep.jl
computes 'six thousand arguments'
