/* SPDX-License-Identifier: MIT */
/* Checks the members called `reserved`: every call refuses an op in which one is not 0 and then writes nothing, and
 * calls that fill a struct set them to 0. */
#include "check/checks.h"

#include <string.h>

/** Operands that are large enough for every call here. */
static const unsigned char sources[256];
static union {
    unsigned char bytes[256];
    char text[PTO_TEXT_SIZE];
    pto_plan plan;
    pto_block_size size;
    const char *target;
    int isa;
} results;

/** The reserved member that a case sets, and its value; 0 makes the op legal. */
struct reserved {
    size_t i;
    unsigned value;
};

static pto_cvt_op cvt_op(struct reserved x) {
    pto_cvt_op op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
    op.reserved[x.i] = (uint8_t)x.value;
    return op;
}

static pto_block_op block_op(struct reserved x) {
    pto_block_op op = {.wide = PTO_F32, .elem = PTO_E4M3, .rule = PTO_MX_FLOOR, .round = PTO_RN};
    op.reserved[x.i] = x.value;
    return op;
}

static pto_status call_cvt(const struct subject *s, struct reserved x) {
    return s->cvt(cvt_op(x), sources, results.bytes, NULL, 8);
}

static pto_status call_cvt_check(const struct subject *s, struct reserved x) {
    return s->cvt_check(cvt_op(x));
}

static pto_status call_cvt_is_ptx(const struct subject *s, struct reserved x) {
    return s->cvt_is_ptx(cvt_op(x)) ? PTO_OK : PTO_ERR_MODIFIER;
}

static pto_status call_plan_cvt(const struct subject *s, struct reserved x) {
    return s->plan_cvt(&results.plan, cvt_op(x));
}

static pto_status call_format_cvt(const struct subject *s, struct reserved x) {
    return s->format_cvt(cvt_op(x), results.text, PTO_TEXT_SIZE);
}

static pto_status call_cvt_since(const struct subject *s, struct reserved x) {
    return s->cvt_since(cvt_op(x), &results.isa);
}

static pto_status call_cvt_target(const struct subject *s, struct reserved x) {
    return s->cvt_target(cvt_op(x), &results.target);
}

static pto_status call_block_check(const struct subject *s, struct reserved x) {
    return s->block_check(block_op(x));
}

static pto_status call_block_sizes(const struct subject *s, struct reserved x) {
    return s->block_sizes(block_op(x), 1, 8, &results.size);
}

static pto_status call_quantize(const struct subject *s, struct reserved x) {
    return s->block_quantize(block_op(x), sources, 0, 1, 8, results.bytes, 0, results.bytes + 128, 0, NULL);
}

static pto_status call_requantize(const struct subject *s, struct reserved x) {
    return s->block_requantize(block_op(x), sources, 0, 1, 8, results.bytes, 0, sources + 128, 0, NULL);
}

static pto_status call_dequantize(const struct subject *s, struct reserved x) {
    return s->block_dequantize(block_op(x), sources, 0, sources + 128, 0, 1, 8, results.bytes, 0);
}

/* ---- ops that calls refuse ---- */

/** A call, and the number of reserved members of its op. */
struct taker {
    const char *name;
    size_t members;
    pto_status (*call)(const struct subject *s, struct reserved x);
};

enum {
    CVT = sizeof((pto_cvt_op *)0)->reserved,
    BLOCK = sizeof((pto_block_op *)0)->reserved / sizeof(uint32_t)
};

static const struct taker takers[] = {{"cvt", CVT, call_cvt},
                                      {"cvt_check", CVT, call_cvt_check},
                                      {"cvt_is_ptx", CVT, call_cvt_is_ptx},
                                      {"plan_cvt", CVT, call_plan_cvt},
                                      {"format_cvt", CVT, call_format_cvt},
                                      {"cvt_since", CVT, call_cvt_since},
                                      {"cvt_target", CVT, call_cvt_target},
                                      {"block_check", BLOCK, call_block_check},
                                      {"block_sizes", BLOCK, call_block_sizes},
                                      {"block_quantize", BLOCK, call_quantize},
                                      {"block_requantize", BLOCK, call_requantize},
                                      {"block_dequantize", BLOCK, call_dequantize}};

static void refuses(const struct subject *s, struct report *r, const struct taker *taker, struct reserved x) {
    const pto_status want = x.value != 0 ? PTO_ERR_MODIFIER : PTO_OK;
    unsigned char before[sizeof results.bytes];
    _Static_assert(sizeof results.bytes == sizeof results, "the bytes are all of it");
    pto_status status;
    memset(before, 0x5a, sizeof before);
    memcpy(results.bytes, before, sizeof before);
    status = taker->call(s, x);
    r->cases++;
    if (status != want)
        report_mismatch(r, "reserved[%zu] = %u: status %d, not %d", x.i, x.value, (int)status, (int)want);
    else if (status != PTO_OK && memcmp(results.bytes, before, sizeof before) != 0)
        report_mismatch(r, "reserved[%zu] = %u: refused, yet something was written", x.i, x.value);
}

/* Illegal ops are tried before and after a legal one, because conversions cache the kernel of a legal op. */
void check_reserved_refused(const struct subject *s, struct report *r) {
    static const unsigned values[] = {1, 0, 0x80, 0xff, 0};
    for (size_t k = 0; k < sizeof takers / sizeof takers[0]; k++) {
        report_call(r, takers[k].name, NULL);
        for (size_t i = 0; i < takers[k].members; i++)
            for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
                refuses(s, r, &takers[k], (struct reserved){i, values[v]});
    }
}

/* ---- structs that calls fill ---- */

static void expect_zero(struct report *r, const char *call, pto_status status, const void *reserved,
                        size_t bytes) {
    static const unsigned char zeros[sizeof((pto_block_size *)0)->reserved];
    report_call(r, call, NULL);
    r->cases++;
    if (status != PTO_OK) report_mismatch(r, "status %d", (int)status);
    if (memcmp(reserved, zeros, bytes) != 0) report_mismatch(r, "reserved members are not 0");
}

void check_reserved_set(const struct subject *s, struct report *r) {
    static const char text[] = "cvt.rn.satfinite.e4m3x2.f32";
    pto_block_size size;
    pto_cvt_op cvt;
    memset(&size, 0x5a, sizeof size);
    expect_zero(r, "block_sizes", s->block_sizes(block_op((struct reserved){0, 0}), 1, 8, &size),
                size.reserved, sizeof size.reserved);
    memset(&cvt, 0x5a, sizeof cvt);
    expect_zero(r, "cvt_form", s->cvt_form(100, &cvt), cvt.reserved, sizeof cvt.reserved);
    memset(&cvt, 0x5a, sizeof cvt);
    expect_zero(r, "parse_cvt", s->parse_cvt(text, &cvt, NULL), cvt.reserved, sizeof cvt.reserved);
}
