# SPDX-License-Identifier: MIT
# cmake -DJSON=cvt_legal.json -DOUT=cvt_forms.inc -P cmake/cvt_forms.cmake
# Writes FORM(lanes, "text", operation) for each legal form. The operation is given as initializers of a pto_cvt_op:
# .dst = PTO_F16, .src = PTO_F32, .round = PTO_RN, .relu = true.

include(${CMAKE_CURRENT_LIST_DIR}/legal_json.cmake)

file(READ ${JSON} json)
set(forms "")

# Splits a type: f16x2 gives PTO_F16 and 2 lanes.
function(split_type word type lanes)
    string(REGEX MATCH "^([a-z]+[0-9]+([mf][0-9])?)(x([24]))?$" matched ${word})
    if(NOT matched)
        message(FATAL_ERROR "no type: ${word}")
    endif()
    string(TOUPPER "PTO_${CMAKE_MATCH_1}" name)
    set(${type} ${name} PARENT_SCOPE)
    set(${lanes} "${CMAKE_MATCH_4}" PARENT_SCOPE)
endfunction()

function(emit_form dst_word src_word modifiers)
    set(round PTO_ROUND_NONE)
    set(flags "")
    string(REPLACE "." ";" words "${modifiers}")
    foreach(word IN LISTS words)
        if(word MATCHES "^(rn|rna|rz|rm|rp|rs|rni|rzi|rmi|rpi)$")
            string(TOUPPER "PTO_${word}" round)
        elseif(word MATCHES "^scaled::(n[12])::ue8m0$")
            string(TOUPPER "PTO_SCALE_${CMAKE_MATCH_1}" scale)
            string(APPEND flags ", .scale = ${scale}")
        elseif(word) # a modifier is a member of the same name; the C compiler checks it
            string(APPEND flags ", .${word} = true")
        endif()
    endforeach()
    split_type(${dst_word} dst lanes)
    split_type(${src_word} src src_lanes)
    if(NOT lanes)
        set(lanes 1)
    endif()
    set(operation ".dst = ${dst}, .src = ${src}, .round = ${round}${flags}")
    string(APPEND forms "FORM(${lanes}, \"cvt${modifiers}.${dst_word}.${src_word}\", ${operation})\n")
    set(forms "${forms}" PARENT_SCOPE)
endfunction()

legal_conversions("${json}" legal)
foreach(form IN LISTS legal)
    split_form("${form}" dst_word src_word modifiers)
    emit_form(${dst_word} ${src_word} "${modifiers}")
endforeach()
file(WRITE ${OUT} "/* Generated from cvt_legal.json. */\n${forms}")
