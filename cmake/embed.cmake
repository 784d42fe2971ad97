# cmake -D ROOT=... -D LIST=... -D OUT=... -P embed.cmake
# Writes a C file with the bytes of every file named in LIST (relative to ROOT, separated by ';')
# and a table of them sorted by name. A zero byte follows each, so that a text is also a C string.
file(READ ${LIST} names)
string(STRIP "${names}" names)
set(code "#include \"natives/embedded.h\"\n\n")
set(table "")
set(count 0)
foreach(name ${names})
  file(READ ${ROOT}/${name} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR length "${digits} / 2")
  # Thirty-two bytes a line: the compiler reads long lines slowly, people not at all.
  string(REPEAT "[0-9a-f]" 64 row)
  string(REGEX REPLACE "(${row})" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND code "static const unsigned char file_${count}[] = {\n${hex}0};\n\n")
  string(APPEND table "    {\"${name}\", file_${count}, ${length}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND code "const sg_embedded sg_embedded_files[] = {\n${table}    {0, 0, 0},\n};\n"
  "const size_t sg_embedded_count = ${count};\n")
file(WRITE ${OUT} "${code}")
