/* SPDX-License-Identifier: MIT */
/* Lists the forms that have digests, with their names and numbers of inputs. */
#include "digest_form.h"

#include "pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* full_limit: the number of inputs in samples of 64-bit sources; also the smallest number for stochastic
 * rounding, and the largest number that --sample leaves unchanged. sample_inputs: the number of inputs in all
 * other samples. */
static const uint64_t full_limit = UINT64_C(1) << 24, sample_inputs = UINT64_C(1) << 22;

uint64_t share_count(uint64_t inputs) {
    return (inputs + SHARE_INPUTS - 1) / SHARE_INPUTS;
}

const char *coverage_name(enum coverage coverage) {
    static const char *const names[COVERAGE_COUNT] = {"all", "sources", "sample"};
    return names[coverage];
}

uint64_t source_codes(pto_dtype type) {
    const size_t bits = type == PTO_E2M3 || type == PTO_E3M2 ? 6 : pto_dtype_bits(type);
    return bits < 64 ? UINT64_C(1) << bits : 0;
}

size_t elements_per_random_word(pto_dtype dst) {
    return dst == PTO_F16 || dst == PTO_BF16 ? 2 : 4;
}

bool is_conversion(const struct form *form) {
    return form->operation == OP_CVT || form->operation == OP_VCVT || form->operation == OP_VTRC ||
           form->operation == OP_CAST;
}

pto_dtype source_type(const struct form *form) {
    switch (form->operation) {
    case OP_CVT: return form->cvt.src;
    case OP_VCVT:
    case OP_VTRC: return form->vcvt.src;
    case OP_CAST: return form->cast.src;
    default: return form->type;
    }
}

/* ---- functions that fill in one form; they return whether the form exists ---- */

/* Sets the inputs of a form to every code of the source type, or to a sample if the source type has 64
 * bits. */
static void all_sources(struct form *form, enum operation operation) {
    form->operation = operation;
    form->count = source_codes(source_type(form));
    form->coverage = form->count != 0 ? COVERS_ALL : COVERS_SAMPLE;
    if (form->count == 0) form->count = full_limit;
}

static bool cvt_form(size_t i, struct form *form) {
    const uint64_t scales = 256;
    uint64_t codes;
    if (pto_cvt_form(i, &form->cvt) != PTO_OK) return false;
    cvt_name(form->cvt, form->name);
    all_sources(form, OP_CVT);
    if (form->coverage == COVERS_SAMPLE) return true;
    codes = form->count;
    if (form->cvt.round == PTO_RS) {
        form->coverage = COVERS_SOURCES;
        if (codes < full_limit) form->count = full_limit;
    } else if (form->cvt.scale != PTO_SCALE_NONE) {
        if (codes <= 1U << 16)
            form->count = codes * scales;
        else
            form->coverage = COVERS_SOURCES;
    }
    return true;
}

/* Sets the name of the form: "vcvt.R.sat.s8.f16". */
static void name_vcvt(struct form *form) {
    static const char roundings[] = "RAFCZO"; /* in the order of pto_vrnd */
    const pto_vcvt_op op = form->vcvt;
    if (form->operation == OP_VTRC)
        snprintf(form->name, sizeof form->name, "vtrc.%c.%s", roundings[op.rnd], pto_dtype_name(op.src));
    else
        snprintf(form->name, sizeof form->name, "vcvt.%c%s.%s.%s", roundings[op.rnd], op.sat ? ".sat" : "",
                 pto_dtype_name(op.dst), pto_dtype_name(op.src));
}

static bool vcvt_form(size_t i, struct form *form) {
    if (pto_vcvt_form(i, &form->vcvt) != PTO_OK) return false;
    all_sources(form, OP_VCVT);
    name_vcvt(form);
    return true;
}

static bool vtrc_form(struct form *form, pto_dtype type, pto_vrnd rnd) {
    if (pto_vtrc(type, rnd, NULL, PTO_NO_MASK, NULL, 0) != PTO_OK) return false;
    form->vcvt = (pto_vcvt_op){type, type, rnd, false};
    all_sources(form, OP_VTRC);
    name_vcvt(form);
    return true;
}

/* ---- casts ---- */

static const pto_round cast_rounds[] = {PTO_RN, PTO_RNA, PTO_RZ, PTO_RM, PTO_RP, PTO_RS, PTO_RO};
enum {
    CAST_ROUNDS = sizeof cast_rounds / sizeof *cast_rounds,
    CAST_ROWS = CAST_ROUNDS * (PTO_OVERFLOW_SATURATE_FINITE + 1)
};

uint64_t cast_row_inputs(const struct form *form) {
    return form->count / CAST_ROWS;
}

pto_cast_op cast_of(const struct form *form, uint64_t input) {
    const size_t row = (size_t)(input / cast_row_inputs(form));
    pto_cast_op op = form->cast;
    op.round = cast_rounds[row % CAST_ROUNDS];
    op.overflow = (pto_overflow)(row / CAST_ROUNDS);
    return op;
}

/* A row has every code of a source of up to 8 bits 16 times or more often, and every code of one of 16 bits. */
static bool cast_form(struct form *form, pto_dtype dst, pto_dtype src) {
    const uint64_t small_row = 1 << 12, row = 1 << 16;
    const size_t bits = pto_dtype_bits(src);
    form->operation = OP_CAST;
    form->cast = (pto_cast_op){dst, src, PTO_RN, PTO_OVERFLOW_IEEE};
    if (pto_cast_check(form->cast) != PTO_OK) return false;
    form->coverage = bits <= 16 ? COVERS_SOURCES : COVERS_SAMPLE;
    form->count = CAST_ROWS * (bits <= 8 ? small_row : row);
    snprintf(form->name, sizeof form->name, "cast.%s.%s", pto_dtype_name(dst), pto_dtype_name(src));
    return true;
}

/* ---- operations on two operands ---- */

/* Returns whether pto_vcmp() can compare the type; packed types cannot be compared. */
static bool is_single(pto_dtype type) {
    return pto_vcmp(type, PTO_EQ, 0, "", "", PTO_NO_MASK, pto_packed(&(uint8_t){0}), 0) == PTO_OK;
}

/* Sets the inputs of a form to all pairs of 8-bit or 16-bit operands, or to a sample of wider pairs. */
static void all_pairs(struct form *form, enum operation operation, pto_dtype type) {
    const size_t bits = pto_dtype_bits(type);
    form->operation = operation;
    form->type = type;
    form->coverage = bits <= 16 ? COVERS_ALL : COVERS_SAMPLE;
    form->count = bits <= 16 ? UINT64_C(1) << (2 * bits) : sample_inputs;
}

/* Sets the name of the form: "vcmp.lt.u8". The operator's name comes from the text of setp, which has the same
 * operators but no 8-bit types. */
static bool name_vcmp(struct form *form) {
    const pto_dtype wider = form->type == PTO_B8   ? PTO_B16
                            : form->type == PTO_U8 ? PTO_U16
                            : form->type == PTO_S8 ? PTO_S16
                                                   : form->type;
    const pto_setp_op op = {.type = wider, .cmp = form->cmp};
    char text[FORM_NAME_SIZE]; /* "setp.lt.u16" */
    const char *const word = text + strlen("setp.");
    if (pto_format_setp(op, text, sizeof text) != PTO_OK) return false;
    snprintf(form->name, sizeof form->name, "vcmp.%.*s%s.%s", (int)strcspn(word, "."), word,
             form->flags != 0 ? ".ftz" : "", pto_dtype_name(form->type));
    return true;
}

static bool vcmp_form(struct form *form, pto_dtype type, pto_cmp cmp, bool ftz) {
    const unsigned flags = ftz ? PTO_FTZ : 0;
    if (pto_vcmp(type, cmp, flags, NULL, NULL, PTO_NO_MASK, PTO_NO_MASK, 0) != PTO_OK) return false;
    all_pairs(form, OP_VCMP, type);
    form->cmp = cmp;
    form->flags = flags;
    return name_vcmp(form);
}

/* Only forms without a BoolOp and on types that are not packed have digests: a BoolOp does not change the
 * comparison, and packed types have too many pairs of operands. */
static bool set_form(struct form *form, pto_dtype dtype, pto_dtype stype, pto_cmp cmp, bool ftz) {
    form->set = (pto_set_op){.dtype = dtype, .stype = stype, .cmp = cmp, .ftz = ftz};
    if (pto_set(form->set, NULL, NULL, PTO_NO_MASK, NULL, 0) != PTO_OK) return false;
    all_pairs(form, OP_SET, stype);
    return pto_format_set(form->set, form->name, sizeof form->name) == PTO_OK;
}

/* If the digest covers all pairs of operands, it has each pair twice: with the predicate false and with it
 * true. */
static bool selp_form(struct form *form, pto_dtype type) {
    if (pto_selp(type, NULL, NULL, PTO_NO_MASK, NULL, 0) != PTO_OK) return false;
    all_pairs(form, OP_SELP, type);
    if (form->coverage == COVERS_ALL) form->count *= 2;
    snprintf(form->name, sizeof form->name, "selp.%s", pto_dtype_name(type));
    return true;
}

static bool slct_form(struct form *form, pto_dtype type, pto_dtype ctype, bool ftz) {
    if (pto_slct(type, ctype, ftz, NULL, NULL, NULL, NULL, 0) != PTO_OK) return false;
    all_pairs(form, OP_SLCT, type);
    form->ctype = ctype;
    form->flags = ftz ? PTO_FTZ : 0;
    snprintf(form->name, sizeof form->name, "slct%s.%s.%s", ftz ? ".ftz" : "", pto_dtype_name(type),
             pto_dtype_name(ctype));
    return true;
}

static bool max_form(struct form *form, enum operation operation, pto_dtype type, unsigned flags) {
    const pto_in none = pto_in_array(NULL);
    if (pto_vmax(type, flags, none, none, NULL, 0) != PTO_OK) return false;
    all_pairs(form, operation, type);
    form->flags = flags;
    snprintf(form->name, sizeof form->name, "%s%s%s%s.%s", operation == OP_VMAX ? "vmax" : "vmin",
             (flags & PTO_FTZ) != 0 ? ".ftz" : "", (flags & PTO_PROPAGATE_NAN) != 0 ? ".NaN" : "",
             (flags & PTO_XORSIGN_ABS) != 0 ? ".xorsign.abs" : "", pto_dtype_name(type));
    return true;
}

/* ---- the list of all forms ---- */

/* Appends the form to the list if `exists`. Clears *form for the next call. */
static void append_form(struct form_list *list, struct form *form, bool exists) {
    if (exists) {
        if (list->count == list->capacity) {
            const size_t capacity = list->capacity == 0 ? 2048 : 2 * list->capacity;
            struct form *const items = realloc(list->items, capacity * sizeof *items);
            if (items == NULL) out_of_memory();
            list->items = items;
            list->capacity = capacity;
        }
        list->items[list->count++] = *form;
    }
    *form = (struct form){.count = 0};
}

static void list_cvt(struct form_list *list, struct form *form) {
    for (size_t i = 0; i < pto_cvt_form_count(); ++i) append_form(list, form, cvt_form(i, form));
}

static void list_vcvt(struct form_list *list, struct form *form) {
    for (size_t i = 0; i < pto_vcvt_form_count(); ++i) append_form(list, form, vcvt_form(i, form));
    for (pto_dtype type = PTO_B8; is_type(type); ++type)
        for (pto_vrnd rnd = PTO_VRND_R; rnd <= PTO_VRND_O; ++rnd)
            append_form(list, form, vtrc_form(form, type, rnd));
}

static void list_casts(struct form_list *list, struct form *form) {
    for (pto_dtype dst = PTO_B8; is_type(dst); ++dst)
        for (pto_dtype src = PTO_B8; is_type(src); ++src) append_form(list, form, cast_form(form, dst, src));
}

static void list_vcmp(struct form_list *list, struct form *form, pto_dtype type) {
    for (pto_cmp cmp = PTO_EQ; cmp <= PTO_NAN; ++cmp)
        for (int ftz = 0; ftz < 2; ++ftz) append_form(list, form, vcmp_form(form, type, cmp, ftz != 0));
}

static void list_set(struct form_list *list, struct form *form, pto_dtype stype) {
    for (pto_dtype dtype = PTO_B8; is_type(dtype); ++dtype)
        for (pto_cmp cmp = PTO_EQ; cmp <= PTO_NAN; ++cmp)
            for (int ftz = 0; ftz < 2; ++ftz)
                append_form(list, form, set_form(form, dtype, stype, cmp, ftz != 0));
}

static void list_selections(struct form_list *list, struct form *form, pto_dtype type) {
    append_form(list, form, selp_form(form, type));
    append_form(list, form, slct_form(form, type, PTO_S32, false));
    append_form(list, form, slct_form(form, type, PTO_F32, false));
    append_form(list, form, slct_form(form, type, PTO_F32, true));
}

static void list_max(struct form_list *list, struct form *form, enum operation operation, pto_dtype type) {
    const unsigned all = PTO_FTZ | PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS;
    for (unsigned flags = 0; flags <= all; ++flags)
        append_form(list, form, max_form(form, operation, type, flags));
}

void list_forms(struct form_list *list) {
    struct form form = {.count = 0};
    *list = (struct form_list){NULL, 0, 0};
    list_cvt(list, &form);
    list_vcvt(list, &form);
    list_casts(list, &form);
    for (pto_dtype type = PTO_B8; is_type(type); ++type)
        if (is_single(type)) list_vcmp(list, &form, type);
    for (pto_dtype type = PTO_B8; is_type(type); ++type)
        if (is_single(type)) list_set(list, &form, type);
    for (pto_dtype type = PTO_B8; is_type(type); ++type)
        if (is_single(type)) list_selections(list, &form, type);
    for (pto_dtype type = PTO_B8; is_type(type); ++type) {
        if (!is_single(type)) continue;
        list_max(list, &form, OP_VMAX, type);
        list_max(list, &form, OP_VMIN, type);
    }
}

/* ---- choosing forms and shares ---- */

int choose_forms(const struct command *command, char *const *patterns, int count, struct form_list *list) {
    size_t kept = 0;
    for (int p = 0; p < count; ++p) {
        bool fits_any = false;
        for (size_t i = 0; !fits_any && i < list->count; ++i)
            fits_any = fits_pattern(patterns[p], list->items[i].name);
        if (!fits_any)
            return report_error(command,
                                "%s: expected a form or a pattern of forms; pto digest --list prints all",
                                patterns[p]);
    }
    for (size_t i = 0; i < list->count; ++i) {
        bool wanted = count == 0;
        for (int p = 0; !wanted && p < count; ++p) wanted = fits_pattern(patterns[p], list->items[i].name);
        if (wanted) list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return STATUS_OK;
}

void use_sample(struct form *form) {
    if (form->count <= full_limit) return;
    form->coverage = COVERS_SAMPLE;
    form->count = sample_inputs;
}

/* Reads a decimal number that the character `delimiter` follows, and moves *text past `delimiter` unless that
 * is NUL. */
static bool number_before(const char **text, char delimiter, uint64_t *number) {
    char *end;
    if (**text < '0' || **text > '9') return false;
    errno = 0;
    *number = strtoull(*text, &end, 10);
    if (errno != 0 || *end != delimiter) return false;
    *text = end + (delimiter != '\0');
    return true;
}

int read_range(const struct command *command, const char *text, uint64_t range[2]) {
    const char *at = text;
    if (number_before(&at, ':', &range[0]) && number_before(&at, '\0', &range[1]) && range[0] < range[1])
        return STATUS_OK;
    return report_error(
        command, "%s: expected a range of shares such as 0:16: the first one, and the one after the last",
        text);
}

bool narrow_range(const struct form *form, uint64_t range[2]) {
    const uint64_t count = share_count(form->count);
    if (range[1] > count) range[1] = count;
    return range[0] < range[1];
}
