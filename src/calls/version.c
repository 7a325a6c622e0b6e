/* SPDX-License-Identifier: MIT */
/* The texts of statuses, and the library's version. */
#include "pto/version.h"

#include "pto/types.h"

const char *pto_strerror(pto_status status) {
    switch (status) {
    case PTO_OK: return "success";
    case PTO_ERR_NULL: return "a pointer that is needed is NULL";
    case PTO_ERR_TYPE: return "this operation does not take this type";
    case PTO_ERR_OP: return "this type does not have this operator";
    case PTO_ERR_MODIFIER:
        return "a flag or modifier is not legal here, or an operand is there without its modifier";
    case PTO_ERR_MASK:
        return "no such mask kind or granularity, or it does not fit the width of the elements";
    case PTO_ERR_OVERLAP: return "the destination overlaps a source other than exactly in place";
    case PTO_ERR_ISA: return "this CPU or this build lacks that instruction set";
    case PTO_ERR_PARSE: return "the text does not follow the grammar";
    case PTO_ERR_SIZE:
        return "n is no multiple of the group or too large, a buffer is too short, or a number is out of "
               "range";
    case PTO_ERR_PATTERN: return "no such predicate pattern, or it does not fit the register";
    case PTO_ERR_STOPPED: return "a callback of the caller ended the call early";
    }
    return "not a libpto status";
}

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char *pto_version(void) {
    return TEXT(PTO_VERSION_MAJOR) "." TEXT(PTO_VERSION_MINOR) "." TEXT(PTO_VERSION_PATCH);
}
