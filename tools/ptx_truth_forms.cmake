# SPDX-License-Identifier: MIT
# cmake -DDATA=../test/data -DOUT=ptx_truth_forms.inc -P ptx_truth_forms.cmake
#
# Generates a list with one macro call for each PTX instruction that ptx_truth.cu and ptx_digest run and that the
# tests repeat. Its source are the tables of instructions that NVIDIA's assembler accepts. The first arguments of each
# macro are the number within its family, the level and the text. Then follow letters for the registers of the result
# and of the operands: B, H, R, L for 8, 16, 32, 64 bits. The level says which targets have the instruction:
#
#   0  sm_90 and later
#   1  sm_100 and later
#   2  the f and a targets of the families from sm_100 to sm_121
#   3  sm_100a and sm_103a
#   4  as 2, from PTX ISA 9.1 on           5  as 2, from PTX ISA 9.2 on
#   6  the a targets of 2, from PTX ISA 9.1 on
#   7  sm_107f and sm_107a, from PTX ISA 9.4 on
#   8  sm_107a, from PTX ISA 9.4 on
#
#   CVT1(n, level, text, D, S)   one source          CVT2(n, level, text, D)    two f32
#   CVT2R(n, level, text, D)     and random bits     CVT4R(n, level, text, D)   four f32 and random bits
#   CVT1S(n, level, text, D, S, X), CVT2S(n, level, text, D, X)   with one scale for two (X is B) or two scales (X is H)
#   SETP(n, level, text, c, S, Q)   c: "", ", c" or ", !c"; Q: whether there is a second predicate
#   SET(n, level, text, c, D, S)    SELP(n, level, text, D)    SLCT(n, level, text, D)    MAXMIN(n, level, text, D)
#
# ptx_statements.h defines these macros, which make the asm statement.
# PART(family, k) and END_PART(family, k) enclose each 64 instructions of a family.

include(${CMAKE_CURRENT_LIST_DIR}/../test/cmake/legal_json.cmake)

set(part_size 64)
set(text "/* Generated from cvt_legal.json and setp_legal.json. */\n")

macro(begin_family name)
    set(family ${name})
    set(number 0)
endmacro()

macro(end_family)
    math(EXPR part "(${number} - 1) / ${part_size}")
    string(APPEND text "END_PART(${family}, ${part})\n")
endmacro()

# row(MACRO level "text" "more arguments"): adds an instruction.
macro(row name level form more)
    math(EXPR part "${number} / ${part_size}")
    math(EXPR place "${number} % ${part_size}")
    if(place EQUAL 0)
        if(part GREATER 0)
            math(EXPR before "${part} - 1")
            string(APPEND text "END_PART(${family}, ${before})\n")
        endif()
        string(APPEND text "PART(${family}, ${part})\n")
    endif()
    string(APPEND text "${name}(${number}, ${level}, \"${form}\", ${more})\n")
    math(EXPR number "${number} + 1")
endmacro()

# register_of(TYPE RESULT): returns the letter of the register for a type, such as R for f16x2.
function(register_of type result)
    if(type STREQUAL "e2m1x2")
        set(bits 8)
    elseif(type MATCHES "^(e[2-5]m[1-3]|ue8m0|ue5m3|s2f6)x2$" OR type STREQUAL "e2m1x4")
        set(bits 16)
    elseif(type MATCHES "^(f16|bf16|[us]16)x2$|^e[2-5]m[1-3]x4$|^[us]8x4$")
        set(bits 32)
    elseif(type MATCHES "^[a-z]+(8|16|32|64)$")
        set(bits ${CMAKE_MATCH_1})
    else()
        message(FATAL_ERROR "no register for ${type}")
    endif()
    set(letters 8 B 16 H 32 R 64 L)
    list(FIND letters ${bits} place)
    math(EXPR place "${place} + 1")
    list(GET letters ${place} letter)
    set(${result} ${letter} PARENT_SCOPE)
endfunction()

# ---- cvt ----

file(READ ${DATA}/cvt_legal.json json)
file(READ ${DATA}/cvt_since.json since_json)

# Returns the level of a form that PTX ISA 9.1 or later introduced, or -1 for earlier forms. e2m1x2 <- f16x2 counts as
# earlier, because ptxas 13.0 accepts it.
function(late_level_of pair modifiers result)
    string(JSON since GET "${since_json}" ${pair} "${modifiers}" 0)
    string(JSON target GET "${since_json}" ${pair} "${modifiers}" 1)
    set(before "e2m1x2<-f16x2.rn.satfinite" "e2m1x2<-f16x2.rn.relu.satfinite")
    set(late "9.1 sm_100f" "9.2 sm_100f" "9.1 sm_100a" "9.4 sm_107f" "9.4 sm_107a")
    set(level -1)
    if(since VERSION_GREATER_EQUAL 9.1 AND NOT "${pair}${modifiers}" IN_LIST before)
        list(FIND late "${since} ${target}" place)
        if(place EQUAL -1)
            message(FATAL_ERROR "${pair}${modifiers}: no level for ${since} ${target}")
        endif()
        math(EXPR level "${place} + 4")
    endif()
    set(${result} ${level} PARENT_SCOPE)
endfunction()

# Returns the level of a form. For forms before PTX ISA 9.1 it follows from the lowest target in the table; it is 0 for
# forms that run on sm_90.
function(level_of pair modifiers result)
    late_level_of("${pair}" "${modifiers}" level)
    if(level GREATER 0)
        set(${result} ${level} PARENT_SCOPE)
        return()
    endif()
    set(level 0)
    set(targets sm_100 sm_100f sm_100a)
    foreach(target IN LISTS targets)
        string(JSON forms ERROR_VARIABLE none GET "${json}" _min_target ${target} ${pair})
        if(none STREQUAL "NOTFOUND" AND (forms STREQUAL "all" OR forms MATCHES "\"${modifiers}\""))
            list(FIND targets ${target} level)
            math(EXPR level "${level} + 1")
        endif()
    endforeach()
    set(${result} ${level} PARENT_SCOPE)
endfunction()

macro(cvt_row dst src modifiers)
    level_of("${dst}<-${src}" "${modifiers}" level)
    register_of(${dst} d)
    register_of(${src} s)
    # 8-bit integers are in 16-bit registers, except in conversions from and to bf16.
    if(NOT "${dst}${src}" MATCHES "bf16|x2")
        string(REPLACE B H d ${d})
        string(REPLACE B H s ${s})
    endif()
    set(form "cvt${modifiers}.${dst}.${src}")
    set(scale "")
    if("${modifiers}" MATCHES "::n1::")
        set(scale B)
    elseif("${modifiers}" MATCHES "::n2::")
        set(scale H)
    endif()
    if(NOT "${scale}" STREQUAL "" AND "${src}" STREQUAL "f32")
        row(CVT2S ${level} "${form}" "${d}, ${scale}")
    elseif(NOT "${scale}" STREQUAL "")
        row(CVT1S ${level} "${form}" "${d}, ${s}, ${scale}")
    elseif("${dst}" MATCHES "x4$")
        row(CVT4R ${level} "${form}" "${d}")
    elseif("${dst}" MATCHES "x2$" AND "${src}" STREQUAL "f32" AND "${modifiers}" MATCHES "\\.rs")
        row(CVT2R ${level} "${form}" "${d}")
    elseif("${dst}" MATCHES "x2$" AND "${src}" STREQUAL "f32")
        row(CVT2 ${level} "${form}" "${d}")
    else()
        row(CVT1 ${level} "${form}" "${d}, ${s}")
    endif()
endmacro()

begin_family(cvt)
legal_conversions("${json}" forms)
foreach(form IN LISTS forms)
    split_form("${form}" dst_word src_word word)
    cvt_row(${dst_word} ${src_word} "${word}")
endforeach()
end_family()

# ---- setp, set, selp, slct ----

file(READ ${DATA}/setp_legal.json json)

# Adds a comparison without a BoolOp and with each of the three. c and !c alternate.
macro(setp_rows type ftz operator)
    register_of(${type} s)
    set(second 1)
    if("${type}" MATCHES "^b?f16$")
        set(second 0)
    endif()
    row(SETP 0 "setp.${operator}${ftz}.${type}" "\"\", ${s}, ${second}")
    row(SETP 0 "setp.${operator}.and${ftz}.${type}" "\", c\", ${s}, ${second}")
    row(SETP 0 "setp.${operator}.or${ftz}.${type}" "\", !c\", ${s}, ${second}")
    row(SETP 0 "setp.${operator}.xor${ftz}.${type}" "\", c\", ${s}, ${second}")
endmacro()

# Adds a comparison without a BoolOp and with one of the three, which alternate.
macro(set_rows dtype stype ftz operator)
    register_of(${dtype} d)
    register_of(${stype} s)
    row(SET 0 "set.${operator}${ftz}.${dtype}.${stype}" "\"\", ${d}, ${s}")
    math(EXPR turn "${number} / 2 % 3")
    list(GET boolops ${turn} boolop)
    list(GET negations ${turn} c)
    row(SET 0 "set.${operator}.${boolop}${ftz}.${dtype}.${stype}" "\"${c}\", ${d}, ${s}")
endmacro()

set(boolops and or xor)
set(negations ", c" ", !c" ", c")

begin_family(setp)
legal_comparisons("${json}" setp forms)
foreach(form IN LISTS forms)
    split_form("${form}" type modifier operator)
    setp_rows(${type} "${modifier}" ${operator})
endforeach()
end_family()

begin_family(set)
legal_comparisons("${json}" set forms)
foreach(form IN LISTS forms)
    split_form("${form}" types modifier operator)
    if(NOT types MATCHES "<-") # packed integers, since PTX ISA 9.4
        register_of(${types} d)
        row(SET 7 "set.${operator}.${types}" "\"\", ${d}, ${d}")
        continue()
    endif()
    string(REPLACE "<-" ";" types ${types})
    list(GET types 0 dtype_word)
    list(GET types 1 stype_word)
    set_rows(${dtype_word} ${stype_word} "${modifier}" ${operator})
endforeach()
end_family()

begin_family(selp)
string(JSON list GET "${json}" selp)
string(REGEX MATCHALL "[a-z0-9]+" types "${list}")
foreach(type IN LISTS types)
    register_of(${type} d)
    row(SELP 0 "selp.${type}" "${d}")
endforeach()
end_family()

begin_family(slct)
legal_comparisons("${json}" slct forms)
foreach(ctype s32 f32) # this order must not change: it numbers the results of GPUs that are checked in
    set(of_ctype ${forms})
    list(FILTER of_ctype INCLUDE REGEX "^${ctype}[|]")
    foreach(form IN LISTS of_ctype)
        split_form("${form}" ctype modifier type)
        register_of(${type} d)
        row(SLCT 0 "slct${modifier}.${type}.${ctype}" "${d}")
    endforeach()
endforeach()
end_family()

# ---- max, min ----

# Floats of up to 32 bits with all modifiers (bf16 has no .ftz), then integers and f64, which have only digests.
begin_family(maxmin)
foreach(type f16 bf16 f32)
    register_of(${type} d)
    foreach(step max min)
        foreach(ftz "" .ftz)
            foreach(modifiers "" .NaN .xorsign.abs .NaN.xorsign.abs)
                if(NOT "${type}${ftz}" STREQUAL "bf16.ftz")
                    row(MAXMIN 0 "${step}${ftz}${modifiers}.${type}" "${d}")
                endif()
            endforeach()
        endforeach()
    endforeach()
endforeach()
foreach(type 16 32 64)
    foreach(step max min)
        foreach(sign u s)
            register_of(${sign}${type} d)
            row(MAXMIN 0 "${step}.${sign}${type}" "${d}")
        endforeach()
    endforeach()
endforeach()
foreach(step max min)
    row(MAXMIN 0 "${step}.f64" L)
endforeach()
end_family()

file(WRITE ${OUT} "${text}")
