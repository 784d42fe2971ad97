# Writes the header OUT with the commit that SOURCE is of, if it can be found: from git, or from the
# line that `git archive` fills in (.gitattributes). Run at every build; the header changes only when
# the commit does.
set(commit "$Format:%h$")
if(commit MATCHES "Format")
  set(commit "")
  if(EXISTS ${SOURCE}/.git)
    execute_process(COMMAND git -C ${SOURCE} rev-parse --short=8 HEAD OUTPUT_VARIABLE commit
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND git -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE changed
      ERROR_QUIET)
    if(commit AND NOT changed EQUAL 0)
      string(APPEND commit ", changed")
    endif()
  endif()
endif()
set(text "// The commit that this was built from, \"\" if that is not known.\n#define CLI_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUT} "${text}")
endif()
