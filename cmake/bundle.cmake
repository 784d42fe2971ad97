# cmake -D AR=... -D SCRIPT=... -D OUT=... -P bundle.cmake
# Runs ar over the list of archives; a script because a redirection is not portable in a command.
file(REMOVE ${OUT})
execute_process(COMMAND ${AR} -M INPUT_FILE ${SCRIPT} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "ar could not bundle ${OUT}")
endif()
