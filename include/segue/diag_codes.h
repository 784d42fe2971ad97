// SG_CODE(name, number, one line for the documentation). The hundreds group the stages:
// 00 files and options, 01 lexing, 02 parsing, 03 evaluating, 04 units, 05 models and merging,
// 06 flattening and equations, 07 simulating, 08 results and plots, 09 three-dimensional parts.
// A number once released keeps its meaning.
SG_CODE(E_NONE, 0, "no particular code")
SG_CODE(E_IO, 1, "a file cannot be read or written")
SG_CODE(E_USAGE, 2, "an option or argument is wrong")
SG_CODE(E_MEMORY, 3, "out of memory")
SG_CODE(E_LIMIT, 4, "a limit was reached")
SG_CODE(E_INTERRUPT, 5, "interrupted")
SG_CODE(E_ENCODING, 101, "the text is not valid UTF-8 or holds a NUL byte")
SG_CODE(E_UNTERMINATED, 102, "a string or comment is not closed")
SG_CODE(E_TOKEN, 103, "a character or number that the language does not know")
SG_CODE(E_SYNTAX, 201, "the text does not follow the grammar")
SG_CODE(E_NESTING, 202, "the text is nested too deeply")
SG_CODE(E_RESULT_FORMAT, 801, "not a result file that Segue can read")
SG_CODE(E_RESULT_DAMAGED, 802, "a result file is cut or damaged")
SG_CODE(E_RESULT_SIGNAL, 803, "no such signal")
SG_CODE(E_RESULT_SCHEMA, 804, "signals of a segment do not fit together")
SG_CODE(E_RESULT_LIMIT, 805, "the result does not fit into the format")
SG_CODE(E_PLOT, 806, "a plot cannot be drawn")
