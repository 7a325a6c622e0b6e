# SPDX-License-Identifier: MIT
# cmake -DJSON=setp_legal.json -DOUT=legal_table.inc -P cmake/legal_table.cmake
# Writes one macro call for each legal form: SETP(type, ftz, cmp) or SET(dtype, stype, ftz, cmp), with the names as
# strings.

include(${CMAKE_CURRENT_LIST_DIR}/legal_json.cmake)

file(READ ${JSON} json)
set(text "/* Generated from setp_legal.json. */\n")
foreach(section setp set)
    legal_comparisons("${json}" ${section} forms)
    foreach(form IN LISTS forms)
        split_form("${form}" types modifier operator)
        set(ftz false)
        if(modifier)
            set(ftz true)
        endif()
        string(TOUPPER ${section} name)
        if(${section} STREQUAL set AND NOT types MATCHES "<-")
            string(APPEND types "<-${types}") # packed integers have one word for both types
        endif()
        string(REPLACE "<-" "\", \"" types ${types})
        string(APPEND text "${name}(\"${types}\", ${ftz}, \"${operator}\")\n")
    endforeach()
endforeach()
file(WRITE ${OUT} "${text}")
