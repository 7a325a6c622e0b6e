/* SPDX-License-Identifier: MIT */
/* Prints the conversions that the library has, one in a line: "cvt" or "vcvt", its text, the bits of a result and of a
 * source, how many elements share a random word or a scale and how many bytes that has, whether subnormal sources are
 * flushed, and the bytes of the op. */
#include "core/formats.h"
#include "core/vcvt.h"
#include "pto/pto.h"
#include "ptx/words.h"

#include <stdio.h>

static void print_bytes(const void *p, size_t size) {
    const unsigned char *bytes = p;
    for (size_t i = 0; i < size; ++i) printf("%02x", bytes[i]);
    putchar('\n');
}

/* Prints the text of a form. A composed pair has no text in PTX, so it gets one like that of a form. */
static void print_cvt_text(pto_cvt_op op) {
    char text[PTO_TEXT_SIZE];
    if (pto_format_cvt(op, text, sizeof text) == PTO_OK) {
        printf("%s", text);
        return;
    }
    printf("composed");
    if (op.round != PTO_ROUND_NONE) printf(".%s", pto_round_words[op.round]);
    printf("%s%s%s%s%s%s", op.ftz ? ".ftz" : "", op.sat ? ".sat" : "", op.satfinite ? ".satfinite" : "",
           op.relu ? ".relu" : "", op.pzo ? ".pzo" : "", op.scale != PTO_SCALE_NONE ? ".scaled" : "");
    printf(".%s.%s", pto_dtype_name(op.dst), pto_dtype_name(op.src));
}

static void print_cvt(pto_cvt_op op) {
    size_t group = 1, bytes = 0;
    if (op.round == PTO_RS) {
        group = cvt_random_group(op.dst);
        bytes = 4;
    } else if (op.scale != PTO_SCALE_NONE) {
        group = cvt_scale_group(op.scale);
        bytes = 1;
    }
    printf("cvt ");
    print_cvt_text(op);
    printf(" %d %d %zu %zu %d ", pto_dtypes[op.dst].bits, pto_dtypes[op.src].bits, group, bytes,
           cvt_flushes_sources(op));
    print_bytes(&op, sizeof op);
}

static void print_vcvt(pto_vcvt_op op) {
    if (pto_vcvt_status(op) != PTO_OK) return;
    printf("vcvt vcvt.%c%s.%s.%s %d %d 1 0 0 ", "rafczo"[op.rnd], op.sat ? ".sat" : "",
           pto_dtype_name(op.dst), pto_dtype_name(op.src), pto_dtypes[op.dst].bits, pto_dtypes[op.src].bits);
    print_bytes(&op, sizeof op);
}

int main(void) {
    for (size_t i = 0; i < pto_cvt_form_count(); ++i) {
        pto_cvt_op op = {0};
        if (pto_cvt_form(i, &op) == PTO_OK) print_cvt(op);
    }
    for (unsigned dst = 0; dst < VCVT_TYPES; ++dst)
        for (unsigned src = 0; src < VCVT_TYPES; ++src)
            for (unsigned rnd = 0; rnd < VRND_COUNT; ++rnd)
                for (unsigned sat = 0; sat < 2; ++sat) {
                    pto_vcvt_op op = {0};
                    op.dst = (pto_dtype)dst;
                    op.src = (pto_dtype)src;
                    op.rnd = (pto_vrnd)rnd;
                    op.sat = sat != 0;
                    print_vcvt(op);
                }
    return 0;
}
