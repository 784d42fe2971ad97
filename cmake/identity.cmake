# Writes the header OUT with a fingerprint of what the library is built from: the files in LIST (paths
# from ROOT, which is why the folder does not count) and the words in HOW, which name the compiler and
# its flags. A saved state carries it (src/api/model_state.c): numbers in a state lie where the code
# of this build looks for them, and no other.
file(STRINGS ${LIST} files)
set(all "${HOW}")
foreach(file ${files})
  file(SHA256 ${ROOT}/${file} sum)
  string(APPEND all "\n${file} ${sum}")
endforeach()
string(SHA256 sum "${all}")
string(SUBSTRING ${sum} 0 16 sum)
file(CONFIGURE OUTPUT ${OUT} CONTENT "// A fingerprint of the files and flags that this was built from.
#define SG_BUILD_IDENTITY 0x${sum}ULL
")
