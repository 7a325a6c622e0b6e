/* SPDX-License-Identifier: MIT */
/* Tests loads, stores, masks, reductions and rearrangements of kernel programs against tables and loops
 * written from PTO's documents. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "program/pto_kernel_text.h"
#include "program/pto_running.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define B8     "!pto.mask<b8>"
#define B16    "!pto.mask<b16>"
#define B32    "!pto.mask<b32>"
#define V8     "!pto.vreg<256xui8>"
#define V32    "!pto.vreg<64xf32>"
#define U32    "!pto.vreg<64xui32>"
#define STORE8 "pto.vsts %r, %out_ui8[%c0] : " V8 ", !pto.ptr<ui8, ub>"

static bool bit(const unsigned char *from, size_t i) {
    return from[i / 8] >> (i % 8) & 1;
}

/* ---- loads ---- */

/* Unit i of the register has `unit` * `widen` bytes: unit (i / `repeat` % `period`) * `step` of memory, which
 * has `unit` bytes, and then zeros. */
static void load_patterns(void **state) {
    static const struct {
        const char *name;
        unsigned unit, period, step, repeat, widen;
    } patterns[] = {
        {"NORM", 1, 256, 1, 1, 1},     {"BRC_B8", 1, 1, 1, 1, 1},     {"BRC_B16", 2, 1, 1, 1, 1},
        {"BRC_B32", 4, 1, 1, 1, 1},    {"BRC_BLK", 32, 1, 1, 1, 1},   {"US_B8", 1, 256, 1, 2, 1},
        {"US_B16", 2, 256, 1, 2, 1},   {"DS_B8", 1, 256, 2, 1, 1},    {"DS_B16", 2, 256, 2, 1, 1},
        {"UNPK_B8", 1, 256, 1, 1, 2},  {"UNPK_B16", 2, 256, 1, 1, 2}, {"UNPK_B32", 4, 256, 1, 1, 2},
        {"UNPK4_B8", 1, 256, 1, 1, 4}, {"UNPK4", 1, 256, 1, 1, 4},    {"E2B_B16", 2, 256, 1, 16, 1},
        {"E2B_B32", 4, 256, 1, 8, 1},
    };
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    (void)state;
    fill_bytes("kernel loads", in, sizeof in);
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
        const size_t unit = patterns[k].unit, wide = unit * patterns[k].widen;
        char body[400];
        (void)snprintf(body, sizeof body,
                       "%%r = pto.vlds %%in_ui8[%%c7] {dist = \"%s\"} : !pto.ptr<ui8, ub> -> " V8 "\n"
                       "pto.vsts %%r, %%out_ui8[%%c0] : " V8 ", !pto.ptr<ui8, ub>",
                       patterns[k].name);
        kernel_run(body, in, out);
        for (size_t i = 0; i < 256; i++) {
            const size_t from =
                i / wide / patterns[k].repeat % patterns[k].period * patterns[k].step * unit + i % wide;
            const unsigned char wanted = i % wide < unit ? in[7 + from] : 0;
            if (out[i] != wanted)
                fail_msg("%s, byte %zu: %02x and not %02x", patterns[k].name, i, out[i], wanted);
        }
    }
}

/* The post-update form accesses memory at the pointer, and returns the advanced pointer. */
static void post_update(void **state) {
    static const char body[] =
        "%a, %p = pto.vlds %in_f32[%c64] : !pto.ptr<f32, ub> -> " V32 ", !pto.ptr<f32, ub>\n"
        "%b = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
        "%q = pto.vsts %b, %out_f32[%c64] : " V32 ", !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n"
        "pto.vsts %a, %q[%c0] : " V32 ", !pto.ptr<f32, ub>";
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_bytes("kernel post", in, sizeof in);
    kernel_run(body, in, out);
    assert_memory_equal(out, in + 64, 256);
    assert_memory_equal(out + 64, in, 256);
}

/* ---- stores ---- */

static void store_patterns(void **state) {
    static const struct {
        const char *name;
        unsigned unit, kept, units;
    } patterns[] = {{"NORM_B8", 1, 1, 256}, {"NORM_B16", 2, 2, 128}, {"NORM_B32", 4, 4, 64},
                    {"PK_B16", 2, 1, 128},  {"PK_B32", 4, 2, 64},    {"PK_B64", 8, 4, 32},
                    {"PK4_B32", 4, 1, 64}};
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    (void)state;
    fill_bytes("kernel stores", in, sizeof in);
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
        const size_t unit = patterns[k].unit, kept = patterns[k].kept;
        unsigned char wanted[256] = {0};
        char body[600];
        (void)snprintf(body, sizeof body,
                       "%%m = pto.plds %%in_ui8[%%c512], \"NORM\" : !pto.ptr<ui8, ub>, index -> " B8 "\n"
                       "%%r = pto.vlds %%in_ui8[%%c0] : !pto.ptr<ui8, ub> -> " V8 "\n"
                       "pto.vsts %%r, %%out_ui8[%%c0], %%m {dist = \"%s\"} : " V8 ", !pto.ptr<ui8, ub>, " B8,
                       patterns[k].name);
        kernel_run(body, in, out);
        for (size_t j = 0; j < patterns[k].units; j++)
            if (bit(in + 512, j * unit)) memcpy(wanted + j * kept, in + j * unit, kept);
        if (memcmp(out, wanted, 256) != 0) fail_msg("%s", patterns[k].name);
    }
}

static void first_unit(void **state) {
    static const char body[] =
        "%m = pto.pset_b8 \"PAT_ALLF\" : " B8 "\n"
        "%r = pto.vlds %in_ui8[%c0] : !pto.ptr<ui8, ub> -> " V8 "\n"
        "pto.vsts %r, %out_ui8[%c3], %m {dist = \"1PT_B16\"} : " V8 ", !pto.ptr<ui8, ub>, " B8;
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    const unsigned char zeros[300] = {0};
    (void)state;
    fill_bytes("kernel first", in, sizeof in);
    kernel_run(body, in, out);
    assert_memory_equal(out + 3, in, 2);
    assert_memory_equal(out, zeros, 3);
    assert_memory_equal(out + 5, zeros, sizeof zeros);
}

/* ---- two registers, blocks ---- */

static void two_registers(void **state) {
    static const char body[] =
        "%l, %h = pto.vldsx2 %in_ui8[%c0], \"DINTLV_B16\" : !pto.ptr<ui8, ub>, index -> " V8 ", " V8 "\n"
        "%m = pto.pset_b8 \"PAT_ALLF\" : " B8 "\n"
        "pto.vsts %l, %out_ui8[%c0] : " V8 ", !pto.ptr<ui8, ub>\n"
        "pto.vsts %h, %out_ui8[%c256] : " V8 ", !pto.ptr<ui8, ub>\n"
        "pto.vstsx2 %l, %h, %out_ui8[%c512], \"INTLV_B16\", %m : " V8 ", " V8
        ", !pto.ptr<ui8, ub>, index, " B8 "\n"
        "%a, %b = pto.vldsx2 %in_ui8[%c0], \"BDINTLV\" : !pto.ptr<ui8, ub>, index -> " V8 ", " V8 "\n"
        "pto.vsts %a, %out_ui8[%c1024] : " V8 ", !pto.ptr<ui8, ub>\n"
        "%c1280 = arith.constant 1280 : index\n"
        "pto.vsts %b, %out_ui8[%c1280] : " V8 ", !pto.ptr<ui8, ub>";
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    (void)state;
    fill_bytes("kernel two", in, sizeof in);
    kernel_run(body, in, out);
    for (size_t i = 0; i < 128; i++) {
        assert_memory_equal(out + 2 * i, in + 4 * i, 2);
        assert_memory_equal(out + 256 + 2 * i, in + 4 * i + 2, 2);
    }
    assert_memory_equal(out + 512, in, 512);
    for (size_t i = 0; i < 8; i++) {
        assert_memory_equal(out + 1024 + 32 * i, in + 64 * i, 32);
        assert_memory_equal(out + 1280 + 32 * i, in + 64 * i + 32, 32);
    }
}

/* If bit 4 k of the image is off, block k is zero after a load, and is not stored. In the post-update form
 * the repeat stride only changes the new pointer. */
static void blocks(void **state) {
    static const char body[] =
        "%s2 = arith.constant 2 : i16\n%s3 = arith.constant 3 : i16\n"
        "%m = pto.plds %in_ui8[%c2048], \"NORM\" : !pto.ptr<ui8, ub>, index -> " B8 "\n"
        "%a = pto.vsldb %in_ui8, %s2, %s3, %m : !pto.ptr<ui8, ub>, i16, i16, " B8 " -> " V8 "\n"
        "pto.vsts %a, %out_ui8[%c0] : " V8 ", !pto.ptr<ui8, ub>\n"
        "%b, %p = pto.vsldb %in_ui8, %s2, %s3, %m : !pto.ptr<ui8, ub>, i16, i16, " B8 " -> " V8
        ", !pto.ptr<ui8, ub>\n"
        "pto.vsts %b, %out_ui8[%c256] : " V8 ", !pto.ptr<ui8, ub>\n"
        "%c = pto.vlds %p[%c0] : !pto.ptr<ui8, ub> -> " V8 "\n"
        "pto.vsts %c, %out_ui8[%c512] : " V8 ", !pto.ptr<ui8, ub>\n"
        "%q = pto.addptr %out_ui8, %c1024 : !pto.ptr<ui8, ub> -> !pto.ptr<ui8, ub>\n"
        "%d = pto.vlds %in_ui8[%c0] : !pto.ptr<ui8, ub> -> " V8 "\n"
        "pto.vsstb %d, %q, %s2, %s3, %m : " V8 ", !pto.ptr<ui8, ub>, i16, i16, " B8;
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    unsigned char stored[1024] = {0};
    (void)state;
    fill_bytes("kernel blocks", in, sizeof in);
    kernel_run(body, in, out);
    for (size_t k = 0; k < 8; k++) {
        const unsigned char zeros[32] = {0};
        const bool on = bit(in + 2048, 4 * k);
        assert_memory_equal(out + 32 * k, on ? in + 32 * (3 + 2 * k) : zeros, 32);
        assert_memory_equal(out + 256 + 32 * k, on ? in + 64 * k : zeros, 32);
        if (on) memcpy(stored + 32 * (3 + 2 * k), in + 32 * k, 32);
    }
    assert_memory_equal(out + 512, in + 96, 256);
    assert_memory_equal(out + 1024, stored, 700);
}

/* ---- indexed and unaligned ---- */

static void indexed(void **state) {
    static const char body[] =
        "%m = pto.pset_b32 \"PAT_M3\" : " B32 "\n"
        "%i = pto.vlds %in_ui32[%c256] : !pto.ptr<ui32, ub> -> " U32 "\n"
        "%a = pto.vgather2 %in_f32, %i, %m : !pto.ptr<f32, ub>, " U32 ", " B32 " -> " V32 "\n"
        "pto.vsts %a, %out_f32[%c0] : " V32 ", !pto.ptr<f32, ub>\n"
        "%x = pto.vlds %in_f32[%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
        "%p = pto.addptr %out_f32, %c512 : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n"
        "pto.vscatter %x, %p, %i, %m : " V32 ", !pto.ptr<f32, ub>, " U32 ", " B32;
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4], stored[256] = {0};
    (void)state;
    fill_bytes("kernel indexed", in, sizeof in);
    for (size_t i = 0; i < 64; i++) in[256 + i] = in[256 + i] % 200;
    in[256 + 3] = in[256 + 63]; /* two lanes store to the same offset: the last one's value stays */
    in[256 + 1] = 1U << 30;     /* this lane is off, so the offset is not accessed */
    kernel_run(body, in, out);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(out[i], i % 3 != 0 ? 0 : in[in[256 + i]]);
        if (i % 3 == 0) stored[in[256 + i]] = in[i];
    }
    assert_memory_equal(out + 512, stored, sizeof stored);
}

static void unaligned_streams(void **state) {
    static const char body[] =
        "%p = pto.addptr %in_ui8, %c3 : !pto.ptr<ui8, ub> -> !pto.ptr<ui8, ub>\n"
        "%a = pto.vldas %p : !pto.ptr<ui8, ub> -> !pto.align\n"
        "%x, %b, %q = pto.vldus %p, %a, %c7 : !pto.ptr<ui8, ub>, !pto.align, index -> " V8
        ", !pto.align, !pto.ptr<ui8, ub>\n"
        "%y, %c = pto.vldus %q, %b : !pto.ptr<ui8, ub>, !pto.align -> " V8 ", !pto.align\n"
        "%s = pto.init_align : !pto.align\n%n = arith.constant 5 : i32\n"
        "%t, %o = pto.vstus %s, %n, %x, %out_ui8 : !pto.align, i32, " V8
        ", !pto.ptr<ui8, ub> -> !pto.align, !pto.ptr<ui8, ub>\n"
        "%u = pto.vstus %t, %n, %y, %o : !pto.align, i32, " V8 ", !pto.ptr<ui8, ub> -> !pto.align\n"
        "pto.vstas %u, %o, %n : !pto.align, !pto.ptr<ui8, ub>, i32";
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    const unsigned char zeros[64] = {0};
    (void)state;
    fill_bytes("kernel streams", in, sizeof in);
    kernel_run(body, in, out);
    assert_memory_equal(out, in + 3, 5);
    assert_memory_equal(out + 5, in + 10, 5);
    assert_memory_equal(out + 10, zeros, sizeof zeros);
}

/* vstur stores the bytes that vsqz moved to the front, AR bytes after the pointer, and adds their number to
 * AR. */
static void squeezed(void **state) {
    static const char body[] = "%m = pto.pset_b32 \"PAT_M3\" : " B32 "\n"
                               "%x = pto.vlds %in_f32[%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
                               "%r = pto.vsqz %x, %m : " V32 ", " B32 " -> " V32 "\n"
                               "pto.sprclr \"AR\"\n%a = pto.init_align : !pto.align\n"
                               "%b = pto.vstur %a, %r, %out_f32, \"POST_UPDATE\" : !pto.align, " V32
                               ", !pto.ptr<f32, ub> -> !pto.align\n"
                               "%c = pto.vstur %b, %r, %out_f32, \"POST_UPDATE\" : !pto.align, " V32
                               ", !pto.ptr<f32, ub> -> !pto.align\n"
                               "%one = arith.constant 1 : i32\n%q = pto.addptr %out_ui32, %c512 : "
                               "!pto.ptr<ui32, ub> -> !pto.ptr<ui32, ub>\n"
                               "pto.sprsti \"AR\", %q[%one] : !pto.ptr<ui32, ub>, i32\n"
                               "%i = pto.vlds %in_i32[%c0] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n"
                               "%n = pto.vusqz %i, %m : !pto.vreg<64xi32>, " B32 " -> !pto.vreg<64xi32>\n"
                               "pto.vsts %n, %out_i32[%c128] : !pto.vreg<64xi32>, !pto.ptr<i32, ub>";
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_bytes("kernel squeezed", in, sizeof in);
    kernel_run(body, in, out);
    for (size_t i = 0; i < 22; i++) {
        assert_int_equal(out[i], in[3 * i]);
        assert_int_equal(out[22 + i], in[3 * i]);
    }
    assert_int_equal(out[44], 0);
    assert_int_equal(out[513], 2 * 22 * 4);
    for (size_t i = 0; i < 64; i++) assert_int_equal(out[128 + i], (i + 2) / 3);
}

/* ---- masks as images ---- */

static void check_image(const pto_program *p, const char *name, const uint32_t wanted[8]) {
    const unsigned char *is = value_of(p, name, PTO_B8, 32);
    if (memcmp(is, wanted, 32) != 0)
        fail_msg("%s begins with %02x%02x%02x%02x", name, is[3], is[2], is[1], is[0]);
}

/* ppack and punpack move the bits of the image in the same way for all types in the text. pintlv moves groups
 * of bits. */
static void packed_images(void **state) {
    static const char body[] = "%a = pto.pset_b32 \"PAT_ALL\" : " B32 "\n"
                               "%b = pto.ppack %a, \"LOWER\" : " B32 " -> " B32 "\n"
                               "%c = pto.punpack %b, \"LOWER\" : " B32 " -> " B32 "\n"
                               "%d = pto.ppack %a, \"HIGHER\" : " B32 " -> " B16 "\n"
                               "%e = pto.punpack %d, \"LOWER\" : " B16 " -> " B32 "\n"
                               "%f = pto.pbitcast %a : " B32 " -> " B8 "\n"
                               "%all = pto.pset_b8 \"PAT_ALL\" : " B8 "\n"
                               "%g = pto.pnot %a, %all : " B32 ", " B8 " -> " B32 "\n"
                               "%i, %j = pto.pintlv_b32 %g, %a : " B32 ", " B32 " -> " B32 ", " B32 "\n"
                               "%k, %l = pto.pdintlv_b32 %i, %j : " B32 ", " B32 " -> " B32 ", " B32 "\n"
                               "%n = arith.constant 3 : i32\n"
                               "%h, %left = pto.plt_b16 %n : i32 -> " B16 ", i32";
    static const uint32_t lanes[8] = {0x11111111, 0x11111111, 0x11111111, 0x11111111,
                                      0x11111111, 0x11111111, 0x11111111, 0x11111111},
                          low[8] = {0x55555555, 0x55555555, 0x55555555, 0x55555555},
                          high[8] = {0, 0, 0, 0, 0x55555555, 0x55555555, 0x55555555, 0x55555555},
                          none[8] = {0}, others[8] = {0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee,
                                                      0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee},
                          both[8] = {0x1e1e1e1e, 0x1e1e1e1e, 0x1e1e1e1e, 0x1e1e1e1e,
                                     0x1e1e1e1e, 0x1e1e1e1e, 0x1e1e1e1e, 0x1e1e1e1e},
                          three[8] = {0x15};
    static const unsigned char zeros[KERNEL_IN];
    unsigned char out[KERNEL_OUT], first[128] = {1, 1, 1};
    pto_program *p = kernel_run_with(body, (pto_program_options){.keep = NULL}, zeros, out);
    (void)state;
    check_image(p, "%a.image", lanes);
    check_image(p, "%b.image", low);
    check_image(p, "%c.image", lanes);
    check_image(p, "%d.image", high);
    check_image(p, "%e.image", none);
    check_image(p, "%f.image", lanes);
    check_image(p, "%g.image", others);
    check_image(p, "%i.image", both);
    check_image(p, "%j.image", both);
    check_image(p, "%k.image", others);
    check_image(p, "%l.image", lanes);
    check_image(p, "%h.image", three);
    check_value(p, "%h", PTO_B8, first, 128);
    pto_program_free(p);
}

/* Checks each bit of masks that are stored and loaded. The offsets of pldi and psti are in units of 16 or 32
 * bytes. */
static void stored_masks(void **state) {
    static const char body[] = "%a = pto.plds %in_ui8[%c7], \"NORM\" : !pto.ptr<ui8, ub>, index -> " B8 "\n"
                               "%b = pto.plds %in_ui8[%c7], \"US\" : !pto.ptr<ui8, ub>, index -> " B16 "\n"
                               "%c = pto.plds %in_ui8[%c7], \"DS\" : !pto.ptr<ui8, ub>, index -> " B32 "\n"
                               "%d = pto.pldi %in_ui8[%c3], \"US\" : !pto.ptr<ui8, ub>, index -> " B8 "\n"
                               "%e = pto.pldi %in_ui8[%c3], \"DS\" : !pto.ptr<ui8, ub>, index -> " B8 "\n"
                               "pto.psts %a, %out_ui8[%c0], \"NORM\" : " B8 ", !pto.ptr<ui8, ub>, index\n"
                               "pto.psts %a, %out_ui8[%c64], \"PK\" : " B8 ", !pto.ptr<ui8, ub>, index\n"
                               "pto.psti %a, %out_ui8[%c16], \"PK\" : " B8 ", !pto.ptr<ui8, ub>, index\n"
                               "pto.psti %a, %out_ui8[%c16], \"NORM\" : " B8 ", !pto.ptr<ui8, ub>, index";
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    const unsigned char *b, *c, *d, *e;
    pto_program *p;
    (void)state;
    fill_bytes("kernel masks", in, sizeof in);
    p = kernel_run_with(body, (pto_program_options){.keep = NULL}, in, out);
    b = value_of(p, "%b.image", PTO_B8, 32);
    c = value_of(p, "%c.image", PTO_B8, 32);
    d = value_of(p, "%d.image", PTO_B8, 32);
    e = value_of(p, "%e.image", PTO_B8, 32);
    assert_memory_equal(out, in + 7, 32);
    for (size_t i = 0; i < 256; i++) {
        assert_int_equal(bit(b, i), bit(in + 7, i / 2));
        assert_int_equal(bit(c, i), bit(in + 7, 2 * i));
        assert_int_equal(bit(d, i), bit(in + 48, i / 2));
        assert_int_equal(bit(e, i), bit(in + 96, 2 * i));
        if (i < 128) assert_int_equal(bit(out + 64, i), bit(in + 7, 2 * i));
    }
    assert_memory_equal(out + 256, out + 64, 16);
    assert_memory_equal(out + 512, in + 7, 32);
    pto_program_free(p);
}

/* ---- reductions ---- */

static void reductions(void **state) {
    static const char body[] = "%m = pto.pset_b32 \"PAT_M3\" : " B32 "\n"
                               "%x = pto.vlds %in_f32[%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
                               "%a = pto.vcadd %x, %m : " V32 ", " B32 " -> " V32 "\n"
                               "%b = pto.vcmax %x, %m : " V32 ", " B32 " -> " V32 "\n"
                               "%c = pto.vcmin %x, %m : " V32 ", " B32 " -> " V32 "\n"
                               "%d = pto.vcgadd %x, %m : " V32 ", " B32 " -> " V32 "\n"
                               "%e = pto.vcgmax %x, %m : " V32 ", " B32 " -> " V32 "\n"
                               "%f = pto.vcpadd %x, %m : " V32 ", " B32 " -> " V32 "\n"
                               "pto.vsts %a, %out_f32[%c0] : " V32 ", !pto.ptr<f32, ub>\n"
                               "pto.vsts %b, %out_f32[%c64] : " V32 ", !pto.ptr<f32, ub>\n"
                               "pto.vsts %c, %out_f32[%c128] : " V32 ", !pto.ptr<f32, ub>\n"
                               "pto.vsts %d, %out_f32[%c256] : " V32 ", !pto.ptr<f32, ub>\n"
                               "%c320 = arith.constant 320 : index\n"
                               "pto.vsts %e, %out_f32[%c320] : " V32 ", !pto.ptr<f32, ub>\n"
                               "pto.vsts %f, %out_f32[%c512] : " V32 ", !pto.ptr<f32, ub>";
    float in[KERNEL_IN / 4], out[KERNEL_OUT / 4], tree[64];
    uint32_t place;
    (void)state;
    for (size_t i = 0; i < KERNEL_IN / 4; i++) in[i] = (float)((int)(i * 37 % 101) - 50) + 0.125F * (float)i;
    in[33] = in[15] = 500; /* a tie: the index is that of the lower lane */
    kernel_run(body, in, out);
    for (size_t i = 0; i < 64; i++) tree[i] = i % 3 == 0 ? in[i] : 0;
    for (size_t i = 0; i < 32; i++)
        assert_true(out[512 + i] == tree[2 * i] + tree[2 * i + 1] && out[544 + i] == 0);
    for (size_t n = 32; n != 0; n /= 2) {
        for (size_t i = 0; i < n; i++) tree[i] = tree[2 * i] + tree[2 * i + 1];
        if (n == 8) assert_memory_equal(out + 256, tree, 32);
    }
    assert_memory_equal(out, tree, 4);
    assert_true(out[1] == 0 && out[264] == 0);
    memcpy(&place, out + 65, 4);
    assert_true(out[64] == 500 && place == 15 && out[66] == 0);
    for (size_t g = 0; g < 8; g++) {
        float largest = -INFINITY;
        for (size_t i = 8 * g; i < 8 * g + 8; i++)
            if (i % 3 == 0 && in[i] > largest) largest = in[i];
        assert_true(out[320 + g] == largest);
    }
    memcpy(&place, out + 129, 4);
    assert_true(out[128] == in[place] && place % 3 == 0);
    for (size_t i = 0; i < 64; i += 3) assert_true(out[128] <= in[i]);
}

/* The sum of 8-bit elements has 16 bits. If no lane is active, the maximum is minus infinity. */
static void reduced_integers(void **state) {
    static const char body[] =
        "%m = pto.pset_b8 \"PAT_ALL\" : " B8 "\n%n = pto.pset_b32 \"PAT_ALLF\" : " B32 "\n"
        "%x = pto.vlds %in_si8[%c0] : !pto.ptr<si8, ub> -> !pto.vreg<256xsi8>\n"
        "%a = pto.vcadd %x, %m : !pto.vreg<256xsi8>, " B8 " -> !pto.vreg<128xsi16>\n"
        "pto.vsts %a, %out_si16[%c0] : !pto.vreg<128xsi16>, !pto.ptr<si16, ub>\n"
        "%y = pto.vlds %in_f32[%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
        "%b = pto.vcmax %y, %n : " V32 ", " B32 " -> " V32 "\n"
        "pto.vsts %b, %out_f32[%c64] : " V32 ", !pto.ptr<f32, ub>";
    int8_t in[KERNEL_IN];
    int16_t out[KERNEL_OUT / 2];
    float lowest;
    int sum = 0;
    (void)state;
    fill_bytes("kernel sums", in, sizeof in);
    memset(in, -100, 200);
    for (size_t i = 0; i < 256; i++) sum += in[i];
    kernel_run(body, in, out);
    assert_int_equal(out[0], (int16_t)sum);
    assert_int_equal(out[1], 0);
    memcpy(&lowest, out + 128, 4);
    assert_true(lowest == -INFINITY && out[130] == 0);
}

/* ---- rearrangement ---- */

static void rearranged(void **state) {
    static const char body[] = "%x = pto.vlds %in_ui32[%c0] : !pto.ptr<ui32, ub> -> " U32 "\n"
                               "%y = pto.vlds %in_ui32[%c64] : !pto.ptr<ui32, ub> -> " U32 "\n"
                               "%a, %b = pto.vintlv %x, %y : " U32 ", " U32 " -> " U32 ", " U32 "\n"
                               "%c, %d = pto.vdintlv %a, %b : " U32 ", " U32 " -> " U32 ", " U32 "\n"
                               "%e = pto.vpack %x, \"HIGHER\" : " U32 " -> !pto.vreg<128xui16>\n"
                               "%s = pto.vbitcast %x : " U32 " -> !pto.vreg<128xsi16>\n"
                               "%f = pto.vsunpack %s, %c1 : !pto.vreg<128xsi16> -> !pto.vreg<64xi32>\n"
                               "pto.vsts %a, %out_ui32[%c0] : " U32 ", !pto.ptr<ui32, ub>\n"
                               "pto.vsts %b, %out_ui32[%c64] : " U32 ", !pto.ptr<ui32, ub>\n"
                               "pto.vsts %c, %out_ui32[%c128] : " U32 ", !pto.ptr<ui32, ub>\n"
                               "pto.vsts %e, %out_ui16[%c512] : !pto.vreg<128xui16>, !pto.ptr<ui16, ub>\n"
                               "pto.vsts %f, %out_i32[%c512] : !pto.vreg<64xi32>, !pto.ptr<i32, ub>";
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    uint16_t packed[128] = {0};
    int16_t halves[128];
    (void)state;
    fill_bytes("kernel lanes", in, sizeof in);
    kernel_run(body, in, out);
    memcpy(halves, in, sizeof halves);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(out[2 * i], in[i]);
        assert_int_equal(out[2 * i + 1], in[64 + i]);
        packed[64 + i] = (uint16_t)in[i];
        assert_int_equal((int32_t)out[512 + i], halves[64 + i]);
    }
    assert_memory_equal(out + 128, in, 256);
    assert_memory_equal(out + 256, packed, 256);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_patterns),    cmocka_unit_test(post_update),
        cmocka_unit_test(store_patterns),   cmocka_unit_test(first_unit),
        cmocka_unit_test(two_registers),    cmocka_unit_test(blocks),
        cmocka_unit_test(indexed),          cmocka_unit_test(unaligned_streams),
        cmocka_unit_test(squeezed),         cmocka_unit_test(packed_images),
        cmocka_unit_test(stored_masks),     cmocka_unit_test(reductions),
        cmocka_unit_test(reduced_integers), cmocka_unit_test(rearranged),
    };
    const int status = harness_start(argc, argv);
    if (status) return status;
    return harness_end(cmocka_run_group_tests_name("pto_kernel_memory", tests, NULL, NULL));
}
