# SPDX-License-Identifier: MIT
# cmake -DJSON=cvt_since.json -DOUT=cvt_since.inc -P cmake/cvt_since.cmake
# Writes three kinds of rows. Files that include the output define the macros that they need.
# SINCE("cvt.rn.satfinite.e4m3x2.f32", 78, "sm_89") for each form: the PTX version that introduced it, and its first
# target.
# FORM("cvt.rn.satfinite.e4m3x2.f32", 9) for each form: its class.
# ACCEPTED(9, "sm_90", 78) for each target of a class: the version from which it accepts these forms.

file(READ ${JSON} json)
string(REGEX REPLACE "[][;]" "" json "${json}") # characters with a meaning in CMake's lists
string(REGEX MATCHALL "\"[a-z0-9]+<-[a-z0-9]+\": {[^}]*}" pairs "${json}")
set(text "/* Generated from cvt_since.json. */\n")
foreach(row SINCE FORM ACCEPTED)
    string(APPEND text "#ifndef ${row}\n#    define ${row}(...)\n#endif\n")
endforeach()
foreach(pair IN LISTS pairs)
    string(REGEX MATCH "^\"([a-z0-9]+)<-([a-z0-9]+)\"" matched "${pair}")
    set(types ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    string(REGEX MATCHALL "\"[a-z0-9.:]*\": \"[0-9.]+\", \"[a-z0-9_]+\", [0-9]+" forms "${pair}")
    foreach(form IN LISTS forms)
        string(REGEX MATCH "^\"([a-z0-9.:]*)\": \"([0-9]+)[.]([0-9]+)\", (\"[a-z0-9_]+\"), ([0-9]+)$" matched "${form}")
        string(APPEND text "FORM(\"cvt${CMAKE_MATCH_1}.${types}\", ${CMAKE_MATCH_5})\n")
        string(APPEND text "SINCE(\"cvt${CMAKE_MATCH_1}.${types}\", ${CMAKE_MATCH_2}${CMAKE_MATCH_3}, ${CMAKE_MATCH_4})\n")
    endforeach()
endforeach()

# The classes are a list. Only their objects begin with a target.
string(REGEX MATCHALL "{\"sm_[^}]*}" classes "${json}")
set(number 0)
foreach(class IN LISTS classes)
    string(REGEX MATCHALL "\"sm_[0-9a-z]+\": \"[0-9.]+\"" targets "${class}")
    foreach(target IN LISTS targets)
        string(REGEX MATCH "^(\"[^\"]+\"): \"([0-9]+)[.]([0-9]+)\"$" matched "${target}")
        string(APPEND text "ACCEPTED(${number}, ${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}${CMAKE_MATCH_3})\n")
    endforeach()
    math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUT} "${text}#undef SINCE\n#undef FORM\n#undef ACCEPTED\n")
