# SPDX-License-Identifier: MIT
# Reads the tables of legal forms in data/*.json as CMake lists with an element for each form, for the scripts that
# write them as C.

cmake_policy(VERSION 3.21) # IN_LIST

# In cvt_legal.json a member is "dst<-src": [modifiers]. The resulting elements are dst|src|modifiers, such as
# f16|f32|.rn.satfinite.
function(legal_conversions json result)
    set(forms "")
    string(JSON count LENGTH "${json}")
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
        string(JSON name MEMBER "${json}" ${i})
        if(NOT name MATCHES "^([a-z0-9]+)<-([a-z0-9]+)$")
            continue() # _about, _min_target, _pack
        endif()
        set(types "${CMAKE_MATCH_1}|${CMAKE_MATCH_2}")
        string(JSON list GET "${json}" ${name})
        string(REGEX MATCHALL "\"[a-z0-9.:]*\"" list "${list}")
        list(TRANSFORM list REPLACE "\"([a-z0-9.:]*)\"" "${types}|\\1")
        list(APPEND forms ${list})
    endforeach()
    set(${result} "${forms}" PARENT_SCOPE)
endfunction()

# In a section of setp_legal.json a member is "name": {"modifier": [words]}. The resulting elements are
# name|modifier|word, such as f32|.ftz|lt.
function(legal_comparisons json section result)
    set(forms "")
    string(JSON names GET "${json}" ${section})
    string(JSON count LENGTH "${names}")
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
        string(JSON name MEMBER "${names}" ${i})
        string(JSON modifiers GET "${names}" ${name})
        string(JSON modifier_count LENGTH "${modifiers}")
        math(EXPR modifier_last "${modifier_count} - 1")
        foreach(k RANGE ${modifier_last})
            string(JSON modifier MEMBER "${modifiers}" ${k})
            if(NOT modifier MATCHES "^(\\.ftz)?$")
                message(FATAL_ERROR "${section}: unknown modifier ${modifier}")
            endif()
            string(JSON words GET "${modifiers}" "${modifier}")
            string(REGEX MATCHALL "[a-z0-9]+" words "${words}")
            list(TRANSFORM words PREPEND "${name}|${modifier}|")
            list(APPEND forms ${words})
        endforeach()
    endforeach()
    set(${result} "${forms}" PARENT_SCOPE)
endfunction()

# Splits an element into its three parts.
macro(split_form form first second third)
    string(REPLACE "|" ";" parts "${form}")
    list(GET parts 0 ${first})
    list(GET parts 1 ${second})
    list(GET parts 2 ${third})
endmacro()
