# SPDX-License-Identifier: MIT
# Writes the listings of a page in one language, between ```LANGUAGE and ```, unchanged to a file.
#
#   cmake -DPAGE=<file.md> -DLANGUAGE=<c or cpp> -DOUT=<file> -P page_listings.cmake

file(READ ${PAGE} text)
set(open "```${LANGUAGE}\n")
set(listings)
string(FIND "${text}" "${open}" at)
while(NOT at EQUAL -1)
    string(LENGTH "${open}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${text}" ${at} -1 text)
    string(FIND "${text}" "```" end)
    string(SUBSTRING "${text}" 0 ${end} listing)
    string(APPEND listings "${listing}")
    string(SUBSTRING "${text}" ${end} -1 text)
    string(FIND "${text}" "${open}" at)
endwhile()
if(listings STREQUAL "")
    message(FATAL_ERROR "${PAGE} has no listing in ${LANGUAGE}")
endif()
file(WRITE ${OUT} "${listings}")
