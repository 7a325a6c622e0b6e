# SPDX-License-Identifier: MIT
# Makes a C program from the examples between @code and @endcode in the comments of public headers, and between ```c
# and ``` in pages of docs/. Each becomes a function that returns 0 on success. Makes a C++ program if OUT is a .cpp.
#
#   cmake -DSOURCES=<list of paths> -DOUT=<file.c or .cpp> -P header_examples.cmake
cmake_minimum_required(VERSION 3.21)

# Sets `block` to the text between the first `open` in `text` and the `close` that follows, and `first` to the number
# of its first line. `text` begins at line `line` of the source. Afterwards it begins with that `close`.
macro(next_block open close)
    string(FIND "${text}" "${open}" at)
    # The line of the block in its file, for the compiler's messages.
    string(SUBSTRING "${text}" 0 ${at} before)
    string(REGEX REPLACE "[^\n]" "" newlines "${before}")
    string(LENGTH "${newlines}" lines)
    math(EXPR line "${line} + ${lines}")
    math(EXPR first "${line} + 1")
    string(LENGTH "${open}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${text}" ${at} -1 text)
    string(FIND "${text}" "${close}" end)
    if(end EQUAL -1)
        message(FATAL_ERROR "${source}:${line}: an example without its end")
    endif()
    string(SUBSTRING "${text}" 0 ${end} block)
    string(SUBSTRING "${text}" ${end} -1 text)
    string(REGEX REPLACE "[^\n]" "" newlines "${block}")
    string(LENGTH "${newlines}" lines)
    math(EXPR line "${first} + ${lines}")
    if(margin)
        string(REGEX REPLACE "(^|\n)${margin}" "\\1" block "${block}")
    endif()
endmacro()

set(none void)
set(language c)
if(OUT MATCHES "\\.cpp$")
    set(none)
    set(language cpp)
endif()
set(functions)
set(calls)
foreach(source ${SOURCES})
    get_filename_component(name ${source} NAME)
    string(MAKE_C_IDENTIFIER ${name} word)
    if(name MATCHES "\\.md$")
        set(open "```${language}\n")
        set(close "```")
        set(margin "")
    else()
        set(open "@code\n")
        set(close " * @endcode")
        set(margin " \\* ?")
    endif()
    file(READ ${source} text)
    set(line 1)
    while(text MATCHES "\n```${language} file\n")
        next_block("```${language} file\n" "```")
        string(APPEND functions "#line ${first} \"${source}\"\n${block}\n")
    endwhile()
    file(READ ${source} text)
    set(line 1)
    set(count 0)
    string(FIND "${text}" "${open}" at)
    while(NOT at EQUAL -1)
        next_block("${open}" "${close}")
        math(EXPR count "${count} + 1")
        string(APPEND functions
            "static int ${word}_${count}(${none}) {\n#line ${first} \"${source}\"\n${block}    return 0;\n}\n\n")
        string(APPEND calls "    failed += run(\"${name}, example ${count}\", ${word}_${count});\n")
        string(FIND "${text}" "${open}" at)
    endwhile()
    # Every header with calls must have an example.
    if(count EQUAL 0 AND text MATCHES "PTO_(PROGRAM_)?CALL pto_status")
        message(FATAL_ERROR "${source} declares calls and shows no example of them")
    endif()
endforeach()

set(includes "#include <pto/pto.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>")
if(SOURCES MATCHES "/program\\.h")
    string(APPEND includes "\n#include <pto/module.h>\n#include <pto/program.h>")
endif()
if(OUT MATCHES "\\.cpp$")
    set(includes "#include <pto/pto.hpp>

#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>")
endif()

file(WRITE ${OUT} "/* Made by header_examples.cmake. */
#undef NDEBUG
${includes}

${functions}static int run(const char *name, int (*example)(${none})) {
    if (example() == 0) return 0;
    fprintf(stderr, \"%s: a call did not return PTO_OK\\n\", name);
    return 1;
}

int main(${none}) {
    int failed = 0;
${calls}    return failed == 0 ? 0 : 1;
}
")
