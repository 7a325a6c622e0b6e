# SPDX-License-Identifier: MIT
# Makes a C program of the examples in the public headers' comments, the blocks between @code and @endcode: each a
# function that returns 0 where all went well.
#
#   cmake -DHEADERS=<list of paths> -DOUT=<file.c> -P header_examples.cmake
cmake_minimum_required(VERSION 3.21)

set(functions)
set(calls)
foreach(header ${HEADERS})
    get_filename_component(word ${header} NAME_WE)
    file(READ ${header} text)
    set(line 1)
    set(count 0)
    string(FIND "${text}" "@code\n" at)
    while(NOT at EQUAL -1)
        # The line of the block in its header, so that the compiler's complaints name it.
        string(SUBSTRING "${text}" 0 ${at} before)
        string(REGEX REPLACE "[^\n]" "" newlines "${before}")
        string(LENGTH "${newlines}" lines)
        math(EXPR line "${line} + ${lines}")
        math(EXPR first "${line} + 1")
        math(EXPR at "${at} + 6") # behind @code and its newline
        string(SUBSTRING "${text}" ${at} -1 text)
        string(FIND "${text}" " * @endcode" end)
        if(end EQUAL -1)
            message(FATAL_ERROR "${header}:${line}: @code without @endcode")
        endif()
        string(SUBSTRING "${text}" 0 ${end} block)
        string(SUBSTRING "${text}" ${end} -1 text)
        string(REGEX REPLACE "[^\n]" "" newlines "${block}")
        string(LENGTH "${newlines}" lines)
        math(EXPR line "${first} + ${lines}")
        string(REGEX REPLACE "(^|\n) \\* ?" "\\1" block "${block}")
        math(EXPR count "${count} + 1")
        string(APPEND functions
            "static int ${word}_${count}(void) {\n#line ${first} \"${header}\"\n${block}    return 0;\n}\n\n")
        string(APPEND calls "    failed += run(\"${word}.h, example ${count}\", ${word}_${count});\n")
        string(FIND "${text}" "@code\n" at)
    endwhile()
    # Whoever adds a header with calls adds an example.
    if(count EQUAL 0 AND text MATCHES "PTO_CALL pto_status")
        message(FATAL_ERROR "${header} declares calls and shows no example of them")
    endif()
endforeach()

file(WRITE ${OUT} "/* Made by header_examples.cmake. */
#undef NDEBUG
#include <pto/pto.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

${functions}static int run(const char *name, int (*example)(void)) {
    const int failed = example() != 0;
    if (failed) fprintf(stderr, \"%s: a call did not return PTO_OK\\n\", name);
    return failed;
}

int main(void) {
    int failed = 0;
${calls}    return failed != 0;
}
")
