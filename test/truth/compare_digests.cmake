# SPDX-License-Identifier: MIT
# Compares the digests of a GPU with the record, and checks that a changed digit is found:
#   cmake -DPTO=<pto> -DRECORD=docs/digests.jsonl -DCHIP=docs/digests-sm_90.jsonl -DOUT=<file to write>
#         [-DEMULATOR=<words>] -P compare_digests.cmake

separate_arguments(emulator UNIX_COMMAND "${EMULATOR}")
file(STRINGS ${CHIP} lines)
list(LENGTH lines count)
if(count EQUAL 0)
    message(FATAL_ERROR "${CHIP} is empty")
endif()

# Fails unless all lines of a file are also in the record and exactly `differ` of them have another digest.
function(compare file differ)
    math(EXPR same "${count} - ${differ}")
    execute_process(COMMAND ${emulator} ${PTO} diff --common ${RECORD} ${file} OUTPUT_VARIABLE said ERROR_VARIABLE said)
    string(FIND "${said}" "${differ} differ, ${same} are the same, 0 cannot be compared" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "${file}: expected ${differ} of ${count} lines to differ. pto diff says:\n${said}")
    endif()
    message(STATUS "${file}: ${count} lines, ${differ} differ")
endfunction()

compare(${CHIP} 0)

math(EXPR middle "${count} / 2")
list(GET lines ${middle} line)
string(REGEX MATCH "\"digest\":\"(.)" start "${line}")
set(digit 0)
if(CMAKE_MATCH_1 STREQUAL "0")
    set(digit 1)
endif()
string(REGEX REPLACE "\"digest\":\"." "\"digest\":\"${digit}" planted "${line}")
list(REMOVE_AT lines ${middle})
list(INSERT lines ${middle} "${planted}")
list(JOIN lines "\n" text)
file(WRITE ${OUT} "${text}\n")
compare(${OUT} 1)
