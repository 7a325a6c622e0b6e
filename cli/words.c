/* SPDX-License-Identifier: MIT */
/* Parses and prints names of types, instruction sets and forms. */
#include "words.h"

#include <string.h>

bool is_type(pto_dtype type) {
    return pto_dtype_bits(type) != 0;
}

static bool type_of_length(const char *name, size_t length, pto_dtype *type) {
    for (pto_dtype t = PTO_B8; is_type(t); ++t) {
        if (strlen(pto_dtype_name(t)) != length || memcmp(pto_dtype_name(t), name, length) != 0) continue;
        *type = t;
        return true;
    }
    return false;
}

bool find_element_type(const char *name, pto_dtype *type) {
    const size_t length = strlen(name);
    const bool is_packed =
        length > 2 && name[length - 2] == 'x' && (name[length - 1] == '2' || name[length - 1] == '4');
    return type_of_length(name, is_packed ? length - 2 : length, type);
}

bool find_type(const char *name, pto_dtype *type) {
    return type_of_length(name, strlen(name), type) || find_element_type(name, type);
}

bool find_isa(const struct command *command, const char *name, pto_isa *isa) {
    char here[64] = "";
    size_t length = 0;
    for (pto_isa i = PTO_ISA_SCALAR; *pto_isa_name(i) != '?'; ++i) {
        if (!pto_isa_available(i)) continue;
        if (strcmp(pto_isa_name(i), name) == 0) {
            *isa = i;
            return true;
        }
        length += (size_t)snprintf(here + length, sizeof here - length, " %s", pto_isa_name(i));
    }
    report_error(command, "%s: expected an available instruction set:%s", name, here);
    return false;
}

void cvt_name(pto_cvt_op op, char name[FORM_NAME_SIZE]) {
    static const char *const rounds[] = {"",    ".rn",  ".rna", ".rz",  ".rm", ".rp",
                                         ".rs", ".rni", ".rzi", ".rmi", ".rpi"};
    if (pto_format_cvt(op, name, FORM_NAME_SIZE) == PTO_OK) return;
    snprintf(name, FORM_NAME_SIZE, "cvt%s%s%s%s%s%s.%s.%s", rounds[op.round], op.ftz ? ".ftz" : "",
             op.relu ? ".relu" : "", op.satfinite ? ".satfinite" : "", op.sat ? ".sat" : "",
             op.pzo ? ".pzo" : "", pto_dtype_name(op.dst), pto_dtype_name(op.src));
}
