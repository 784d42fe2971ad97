// SG_AST_KIND(name, text for dumps, children). [x] may be absent, {x} repeats.
// leaves
SG_AST_KIND(NONE, "none", "an absent optional child")
SG_AST_KIND(INT, "int", "")
SG_AST_KIND(FLOAT, "float", "")
SG_AST_KIND(FLOAT32, "float32", "")
SG_AST_KIND(BOOL, "bool", "")
SG_AST_KIND(CHAR, "char", "")
SG_AST_KIND(STRING, "string", "")
SG_AST_KIND(NAME, "name", "identifier or operator used as a name")
SG_AST_KIND(SYMBOL, "symbol", ":name")
SG_AST_KIND(COLON, "colon", "a lone ':' as index")
SG_AST_KIND(END, "end", "'end' inside an index")
SG_AST_KIND(BEGIN, "begin", "'begin' inside an index: the first one")
SG_AST_KIND(VALUE, "value", "a value spliced in by interpolation")
SG_AST_KIND(STRMACRO, "strmacro", "u\"m/s\": sym is the macro, raw the raw text")
// expressions
SG_AST_KIND(INTERP_STRING, "interp-string", "{STRING | expr}")
SG_AST_KIND(QUOTE, "quote", "expr, of :( ) or :[ ] or quote..end")
SG_AST_KIND(INTERPOLATE, "interpolate", "expr, of $x inside a quote")
SG_AST_KIND(CALL, "call", "callee {arg | KW | SPLAT | PARAMETERS}; a + b + c has callee NAME +")
SG_AST_KIND(PARAMETERS, "parameters",
            "{KW | NAME | SPLAT} behind ';' in a call, signature or tuple")
SG_AST_KIND(KW, "kw", "expr [type]; sym is the name (in signatures: default value)")
SG_AST_KIND(SPLAT, "splat", "expr ...")
SG_AST_KIND(INDEX, "index", "array {index}")
SG_AST_KIND(FIELD, "field", "object; sym is the field")
SG_AST_KIND(CURLY, "curly", "type {parameter}")
SG_AST_KIND(ADJOINT, "adjoint", "expr, of a'")
SG_AST_KIND(TUPLE, "tuple", "{expr}; KW children or PARAMETERS make it a named tuple")
SG_AST_KIND(VECT, "vect", "{expr}, of [a, b, c]")
SG_AST_KIND(VCAT, "vcat",
            "{ROW | expr}, of [a; b] or one row a line; a row of one element is that element")
SG_AST_KIND(HCAT, "hcat", "{expr}, of [a b c]")
SG_AST_KIND(NCAT, "ncat",
            "{expr | HCAT | VCAT | NCAT}; i is the dimension, 2 of [a;; b], 3 of [a;;; b]")
SG_AST_KIND(ROW, "row", "{expr}")
// Float64[a, b] is an INDEX, as nobody knows yet that Float64 is a type.
SG_AST_KIND(TYPED_ARRAY, "typed-array", "type HCAT | VCAT | NCAT | COMPREHENSION, of Float64[a b]")
SG_AST_KIND(COMPREHENSION, "comprehension", "GENERATOR, of [f(i) for i in r]")
// `for i in a, j in b` gives two ITERs; `for i in a for j in b` a generator with FLATTEN flag over
// a, whose expr is the generator over b.
SG_AST_KIND(GENERATOR, "generator", "expr {ITER} [FILTER]")
SG_AST_KIND(ITER, "iter", "target(NAME | TUPLE) iterable")
SG_AST_KIND(FILTER, "filter", "condition")
SG_AST_KIND(RANGE, "range", "start [step] stop")
SG_AST_KIND(IF, "if",
            "condition then [else]; TERNARY flag for ?:; else is a BLOCK, or an IF for elseif")
SG_AST_KIND(AND, "and", "a b")
SG_AST_KIND(OR, "or", "a b")
SG_AST_KIND(COMPARE, "compare",
            "{operand NAME} operand; chains of two or more comparisons, NAME may be DOTTED")
SG_AST_KIND(TYPED, "typed", "[expr] type, of x::T and ::T")
SG_AST_KIND(WHERE, "where", "expr {parameter}")
// Inside quotes and array literals `f(x) = y` is an ASSIGN too (an equation); elsewhere FUNCTION.
SG_AST_KIND(ASSIGN, "assign", "target expr; DOTTED for .=")
SG_AST_KIND(OPASSIGN, "op-assign", "target expr; sym is the operator + of +=")
SG_AST_KIND(LAMBDA, "lambda", "signature(TUPLE) body; x -> y and function (x) .. end")
SG_AST_KIND(DO, "do", "CALL LAMBDA")
// @m(a, k = 1) has a KW, @m a k = 1 an ASSIGN (since `@time x = f()` assigns).
SG_AST_KIND(MACROCALL, "macrocall", "{arg}; sym is the name without @")
// statements
SG_AST_KIND(BLOCK, "block", "{statement}")
// Parameters: NAME, TYPED, KW (default value), SPLAT of NAME or TYPED, TUPLE; after ; in
// PARAMETERS. Signature may be a NAME alone: `function f end`.
SG_AST_KIND(FUNCTION, "function", "signature(CALL | TYPED | WHERE) body; short form too")
SG_AST_KIND(RETURN, "return", "[expr]")
SG_AST_KIND(BREAK, "break", "")
SG_AST_KIND(CONTINUE, "continue", "")
SG_AST_KIND(FOR, "for", "{ITER} body")
SG_AST_KIND(WHILE, "while", "condition body")
SG_AST_KIND(LET, "let", "{ASSIGN | NAME} body")
SG_AST_KIND(TRY, "try", "body NAME | NONE, catch block | NONE, finally block | NONE")
SG_AST_KIND(STRUCT, "struct",
            "typename block; MUTABLE flag; typename is NAME or CURLY, or TYPED(name super) for <:")
SG_AST_KIND(ABSTRACT, "abstract", "typename")
SG_AST_KIND(MODULE, "module", "block; sym is the name")
SG_AST_KIND(USING, "using", "{PATH}; the part behind ':' are further names in each PATH")
SG_AST_KIND(IMPORT, "import", "{PATH}")
// Leading dots are a NAME of dots. `as b` behind the path: sym is b; inside the TUPLE: KW b of a
// NAME.
SG_AST_KIND(PATH, "path", "{NAME} of A.B; then [TUPLE of NAME | KW behind ':']")
SG_AST_KIND(EXPORT, "export", "{NAME}")
SG_AST_KIND(CONST, "const", "statement")
SG_AST_KIND(GLOBAL, "global", "statement or TUPLE of names")
SG_AST_KIND(LOCAL, "local", "statement or TUPLE of names")
SG_AST_KIND(MACRODEF, "macrodef", "signature body")
SG_AST_KIND(DOC, "doc", "STRING | INTERP_STRING | STRMACRO, statement")
SG_AST_KIND(ERROR, "error", "where parsing failed; running it is an error already reported")
