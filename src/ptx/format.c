/* SPDX-License-Identifier: MIT */
/* Writes instructions as text, with their modifiers in PTX's order. */
#include "pto/parse.h"

#include "ptx/cvt_forms.h"
#include "ptx/setp_forms.h"

/* Longer than any instruction with its modifiers and two types. */
enum { LONGEST = 80 };

/* Writes the name, operator and modifiers of a legal comparison, such as "setp.lt.and.ftz". */
static void add_comparison(struct sink *s, const char *name, pto_setp_op op) {
    pto_sink_add(s, "%s.%s", name, pto_cmp_words[op.cmp]);
    if (op.boolop != PTO_BOOL_NONE) pto_sink_add(s, ".%s", pto_boolop_words[op.boolop]);
    if (op.ftz) pto_sink_add(s, ".ftz");
}

pto_status pto_format_setp(pto_setp_op op, char *buf, size_t size) {
    const pto_status status = pto_set_check_not_c(pto_setp_legal(op), set_of_setp(op));
    char text[LONGEST];
    struct sink s = sink_into(text, sizeof text);
    if (buf == NULL) return PTO_ERR_NULL;
    if (status != PTO_OK) return status;
    add_comparison(&s, "setp", op);
    pto_sink_add(&s, ".%s", pto_dtype_name(op.type));
    return pto_copy_text(text, buf, size);
}

pto_status pto_format_set(pto_set_op op, char *buf, size_t size) {
    const pto_status status = pto_set_check_not_c(pto_set_legal(op), op);
    char text[LONGEST];
    struct sink s = sink_into(text, sizeof text);
    if (buf == NULL) return PTO_ERR_NULL;
    if (status != PTO_OK) return status;
    add_comparison(&s, "set", setp_of_set(op));
    pto_sink_add(&s, ".%s", pto_dtype_name(op.dtype));
    if (!pto_is_packed(op.stype)) pto_sink_add(&s, ".%s", pto_dtype_name(op.stype));
    return pto_copy_text(text, buf, size);
}

pto_status pto_format_cvt(pto_cvt_op op, char *buf, size_t size) {
    const unsigned flags = cvt_modifiers(op);
    char text[LONGEST];
    struct sink s = sink_into(text, sizeof text);
    struct cvt_spelling spelling;
    if (buf == NULL) return PTO_ERR_NULL;
    if (!pto_cvt_find_spelling(op, &spelling)) return pto_cvt_spelling_status(op, NULL);
    pto_sink_add(&s, "cvt");
    if (op.round != PTO_ROUND_NONE) pto_sink_add(&s, ".%s", pto_round_words[op.round]);
    for (unsigned i = 0; i < CVT_MODIFIER_COUNT; ++i)
        if ((flags >> i & 1) != 0) pto_sink_add(&s, ".%s", pto_flag_words[i]);
    pto_sink_add(&s, ".%s%s.%s%s", pto_dtype_name(op.dst), cvt_lanes_suffix(spelling.dst_lanes),
                 pto_dtype_name(op.src), cvt_lanes_suffix(spelling.src_lanes));
    return pto_copy_text(text, buf, size);
}
