/* SPDX-License-Identifier: MIT */
/* Operations of PTO that kernel programs refuse on purpose, and hints for unknown names. */
#include "pto_kernel.h"

#include "pto.h"

#include <string.h>

static const char matrix[] = "matrix unit: this runner has the vector unit and its buffer only";
static const char simt[] = "SIMT function: not a vector program; write it as PTX or with vector operations";
static const char atomic[] =
    "atomic access: blocks run one after the other here, and adding in place is not modelled";
static const char cores[] = "cross-core synchronisation: one core runs here";
static const char control[] = "control registers: their bits change arithmetic in ways that are not public";
static const char sorting[] = "sorting instructions: not yet";
static const char data_select[] = "set_mov_pad_val: its meaning is not public";

/* A name without "pto.", or with "*" at its end the beginning of names, and why it is refused. */
static const struct refusal {
    const char *name, *message;
} refusals[] = {
    {"mad*", matrix},
    {"mte_gm_l1*", matrix},
    {"mte_l1*", matrix},
    {"mte_l0c_*", matrix},
    {"mte_ub_l1*", matrix},
    {"load_cbuf*", matrix},
    {"copy_gm_to_cbuf*", matrix},
    {"copy_cbuf*", matrix},
    {"copy_ubuf_to_cbuf*", matrix},
    {"section.cube", matrix},
    {"copy_matrix*", matrix},
    {"simt*", simt},
    {"store_vfsimt_info", simt},
    {"get_tid*", simt},
    {"get_laneid", simt},
    {"get_lanemask*", simt},
    {"get_block_dim*", simt},
    {"get_block_idx_*", simt},
    {"get_grid_dim*", simt},
    {"shuffle_*", simt},
    {"vote_*", simt},
    {"redux_*", simt},
    {"keep", simt},
    {"resume", simt},
    {"store", simt},
    {"load", simt},
    {"ldg", simt},
    {"stg", simt},
    {"exp", simt},
    {"log", simt},
    {"pow", simt},
    {"sqrt", simt},
    {"absf", simt},
    {"fma", simt},
    {"fmax", simt},
    {"fmin", simt},
    {"ceil", simt},
    {"floor", simt},
    {"rint", simt},
    {"round", simt},
    {"convert", simt},
    {"prmt", simt},
    {"mulhi", simt},
    {"mul_i32toi64", simt},
    {"syncthreads", simt},
    {"atomic_*", atomic},
    {"set_atomic_*", atomic},
    {"sync.set", cores},
    {"sync.wait", cores},
    {"set_intra_block", cores},
    {"wait_intra_block", cores},
    {"tpush*", cores},
    {"tpop*", cores},
    {"get_ctrl", control},
    {"set_ctrl", control},
    {"sbitset*", control},
    {"vbitsort", sorting},
    {"vmrgsort4", sorting},
    {"get_vms4_sr", sorting},
    {"set_mov_pad_val", data_select},
};

static bool matches(const char *pattern, const char *name, size_t length) {
    const size_t n = strlen(pattern);
    if (pattern[n - 1] == '*') return length >= n - 1 && memcmp(pattern, name, n - 1) == 0;
    return length == n && memcmp(pattern, name, n) == 0;
}

/* Returns why the operation "pto." name is refused, or NULL. */
static const char *reason(const char *name, size_t length) {
    if (matches("set_atomic_none", name, length)) return NULL;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (matches(refusals[i].name, name, length)) return refusals[i].message;
    return NULL;
}

/* Returns whether the token, if it comes after "pto.ptr<TYPE,", names memory of the matrix unit. */
static bool is_matrix_memory(const struct token *t) {
    static const char *const spaces[] = {"l1", "l0a", "l0b", "l0c", "bt", "fb"};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (pto_token_is(t, spaces[i])) return true;
    return false;
}

const char *pto_kernel_reason(const struct token *before, const struct token *last, const struct token *now) {
    if (pto_token_is(last, "<") && pto_token_is(before, "pto.kernel_kind") && pto_token_is(now, "cube"))
        return matrix;
    if (pto_token_is(last, ",") && is_matrix_memory(now)) return matrix;
    if (now->kind == TOKEN_STRING && now->length > 6 && memcmp(now->at, "\"pto.", 5) == 0)
        return reason(now->at + 5, now->length - 6);
    if (now->kind != TOKEN_WORD || now->length < 5 || memcmp(now->at, "pto.", 4) != 0) return NULL;
    return reason(now->at + 4, now->length - 4);
}

bool pto_kernel_refuse(struct kernel_front *f) {
    struct token before = {.kind = TOKEN_END}, last = {.kind = TOKEN_END};
    for (; f->text.now.kind != TOKEN_END; pto_kernel_next(&f->text)) {
        const char *why = pto_kernel_reason(&before, &last, &f->text.now);
        if (why) return pto_text_error(&f->text, &f->text.now, "%s", why);
        before = last;
        last = f->text.now;
    }
    return true;
}

/* ---- unknown names ---- */

static size_t without_digits(const char *name, size_t length) {
    while (length != 0 && name[length - 1] >= '0' && name[length - 1] <= '9') length--;
    return length;
}

bool pto_kernel_unknown(struct kernel_front *f, const struct kernel_call *c) {
    const char *name, *nearest = NULL;
    size_t best = pto_name_tolerance(c->name_length) + 1;
    bool is_vmi, has_width, nearest_has_width = false;
    for (size_t i = 0; pto_kernel_operation_name(i, &name, &is_vmi, &has_width); i++) {
        const size_t length = has_width ? without_digits(c->name, c->name_length) : c->name_length;
        const size_t d = pto_name_distance(c->name, length, name);
        if (is_vmi != c->is_vmi || d >= best) continue;
        best = d;
        nearest = name;
        nearest_has_width = has_width;
    }
    if (!nearest) return pto_text_error(&f->text, &c->opcode, "unknown operation");
    return pto_text_error(&f->text, &c->opcode, "unknown operation; perhaps pto.%s%s%s is meant",
                          c->is_vmi ? "vmi." : "", nearest, nearest_has_width ? "8, _b16 or _b32" : "");
}
