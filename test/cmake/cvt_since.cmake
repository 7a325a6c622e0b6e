# SPDX-License-Identifier: MIT
# cmake -DJSON=cvt_since.json -DOUT=cvt_since.inc -P cmake/cvt_since.cmake
# SINCE("cvt.rn.satfinite.e4m3x2.f32", 78, "sm_89") for each form: the ISA version it came with, its first target.

file(READ ${JSON} json)
string(REGEX REPLACE "[][;]" "" json "${json}") # what CMake's lists would stumble over
string(REGEX MATCHALL "\"[a-z0-9]+<-[a-z0-9]+\": {[^}]*}" pairs "${json}")
set(text "/* Generated from cvt_since.json. */\n")
foreach(pair IN LISTS pairs)
    string(REGEX MATCH "^\"([a-z0-9]+)<-([a-z0-9]+)\"" matched "${pair}")
    set(types ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    string(REGEX MATCHALL "\"[a-z0-9.:]*\": \"[0-9.]+\", \"[a-z0-9_]+\"" forms "${pair}")
    foreach(form IN LISTS forms)
        string(REGEX MATCH "^\"([a-z0-9.:]*)\": \"([0-9]+)[.]([0-9]+)\", (\"[a-z0-9_]+\")$" matched "${form}")
        string(APPEND text "SINCE(\"cvt${CMAKE_MATCH_1}.${types}\", ${CMAKE_MATCH_2}${CMAKE_MATCH_3}, ${CMAKE_MATCH_4})\n")
    endforeach()
endforeach()
file(WRITE ${OUT} "${text}")
