/* SPDX-License-Identifier: MIT */
/* Runs programs over lanes in PTO's text, as users write them. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "program/pto_running.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 200, LANES2 = 2 * LANES, LANES4 = 4 * LANES };

static void loop_with_plt(void **state) {
    static const char text[] =
        "module attributes {pto.target_arch = \"a5\"} {\n"
        "  func.func @bias_relu(%x: !pto.ptr<f32, ub>, %y: !pto.ptr<f32, ub>, %bias: f32, %n: i32) "
        "attributes {pto.kernel} {\n"
        "    %c0 = arith.constant 0 : index\n"
        "    %c64 = arith.constant 64 : index\n"
        "    %c256 = arith.constant 256 : index\n"
        "    pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]\n"
        "    pto.vecscope {\n"
        "      %_:1 = scf.for %offset = %c0 to %c256 step %c64 iter_args(%remaining = %n) -> (i32) {\n"
        "        %mask, %next = pto.plt_b32 %remaining : i32 -> !pto.mask<b32>, i32\n"
        "        %v = pto.vlds %x[%offset] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
        "        %sum = pto.vadds %v, %bias, %mask : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> "
        "!pto.vreg<64xf32>\n"
        "        %relu = pto.vrelu %sum, %mask : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
        "        pto.vsts %relu, %y[%offset], %mask : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n"
        "        scf.yield %next : i32\n"
        "      }\n"
        "    }\n"
        "    return\n"
        "  }\n"
        "}\n";
    enum { N = 256 };
    const float bias = 0.25F;
    const int32_t n = 150;
    float x[N], y[N], wanted[N];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_f32("plt", x, N);
    for (size_t i = 0; i < N; i++) {
        y[i] = (float)i;
        wanted[i] = i >= 150 ? y[i] : x[i] + bias > 0 ? x[i] + bias : 0;
    }
    bind_array(p, "%x", PTO_F32, x, N);
    bind_array(p, "%y", PTO_F32, y, N);
    bind_array(p, "%bias", PTO_F32, &bias, 1);
    bind_array(p, "%n", PTO_S32, &n, 1);
    run_lanes(p, N);
    check_value(p, "%y", PTO_F32, wanted, N);
    pto_program_free(p);
}

static void remaining_goes_down_over_blocks(void **state) {
    static const char text[] =
        "scf.for %i = %c0 to %count step %c1 iter_args(%left = %total) -> (i32) : i32 {\n"
        "  %offset = arith.muli %i, %c128 : index\n"
        "  %m, %next = pto.plt_b16 %left : i32 -> !pto.mask<b16>, i32\n"
        "  %v = pto.vlds %a[%offset] {dist = \"NORM\"} : !pto.ptr<f16, ub> -> !pto.vreg<128xf16>\n"
        "  %d = pto.vdup %v, %m {position = \"LOWEST\"} : !pto.vreg<128xf16>, !pto.mask<b16> -> "
        "!pto.vreg<128xf16>\n"
        "  scf.yield %next : i32\n"
        "}\n";
    enum { N = 9000 };
    static uint16_t a[N], d[N];
    static unsigned char on[N];
    static int32_t next[N];
    const int32_t total = 6000;
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_bytes("halves", a, sizeof a);
    for (size_t i = 0; i < N; i++) {
        const int32_t left = total - (int32_t)(i / 128 + 1) * 128;
        on[i] = i < 6000;
        next[i] = left > 0 ? left : 0;
        d[i] = on[i] ? a[i / 128 * 128] : 0;
    }
    bind_array(p, "%a", PTO_F16, a, N);
    bind_array(p, "%total", PTO_S32, &total, 1);
    run_lanes(p, N);
    check_value(p, "%m", PTO_B8, on, N);
    check_value(p, "%next", PTO_S32, next, N);
    check_value(p, "%d", PTO_F16, d, N);
    pto_program_free(p);
}

static void halves_packed(void **state) {
    static const char text[] =
        "%mask = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
        "%m16 = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>\n"
        "%even = pto.vcvt %in0, %mask {rnd = \"R\", sat = \"SAT\", part = \"EVEN\"}\n"
        "    : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>\n"
        "%odd  = pto.vcvt %in1, %mask {rnd = \"Z\", part = \"ODD\"}\n"
        "    : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>\n"
        "%result = pto.vor %even, %odd, %m16 : !pto.vreg<128xf16>, !pto.vreg<128xf16>, !pto.mask<b16> -> "
        "!pto.vreg<128xf16>\n"
        "%back = pto.vcvt %result, %m16 {part = \"ODD\"} : !pto.vreg<128xf16>, !pto.mask<b16> -> "
        "!pto.vreg<64xf32>\n";
    const pto_vcvt_op to_even = {PTO_F16, PTO_F32, PTO_VRND_R, true},
                      to_odd = {PTO_F16, PTO_F32, PTO_VRND_Z, false};
    const pto_vcvt_op widen = {PTO_F32, PTO_F16, PTO_VRND_R, false};
    float x[LANES], y[LANES], back[LANES];
    uint16_t even[LANES], odd[LANES], wanted[LANES2];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_f32("in0", x, LANES);
    fill_f32("in1", y, LANES);
    assert_status(pto_vcvt(to_even, x, PTO_NO_MASK, even, LANES), PTO_OK);
    assert_status(pto_vcvt(to_odd, y, PTO_NO_MASK, odd, LANES), PTO_OK);
    assert_status(pto_vcvt(widen, odd, PTO_NO_MASK, back, LANES), PTO_OK);
    for (size_t i = 0; i < LANES; i++) {
        wanted[2 * i] = even[i];
        wanted[2 * i + 1] = odd[i];
    }
    bind_array(p, "%in0", PTO_F32, x, LANES);
    bind_array(p, "%in1", PTO_F32, y, LANES);
    run_lanes(p, LANES);
    check_value(p, "%result", PTO_F16, wanted, LANES2);
    check_value(p, "%back", PTO_F32, back, LANES);
    pto_program_free(p);
}

static void mixed_precision(void **state) {
    static const char text[] =
        "func.func @scale(%x: !pto.ptr<bf16, ub>, %y: !pto.ptr<bf16, ub>, %s: f32) {\n"
        "  %b16 = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>\n"
        "  %b32 = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
        "  scf.for %i = %c0 to %n step %c64 {\n"
        "    %narrow = pto.vlds %x[%i] {dist = \"UNPK_B16\"} : !pto.ptr<bf16, ub> -> !pto.vreg<128xbf16>\n"
        "    %wide = pto.vcvt %narrow, %b16 {part = \"EVEN\"} : !pto.vreg<128xbf16>, !pto.mask<b16> -> "
        "!pto.vreg<64xf32>\n"
        "    %scaled = pto.vmuls %wide, %s, %b32 : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> "
        "!pto.vreg<64xf32>\n"
        "    %out = pto.vcvt %scaled, %b32 {rnd = \"R\", sat = \"NOSAT\", part = \"EVEN\"} : "
        "!pto.vreg<64xf32>, "
        "!pto.mask<b32> -> !pto.vreg<128xbf16>\n"
        "    pto.vsts %out, %y[%i], %b32 {dist = \"PK_B32\"} : !pto.vreg<128xbf16>, !pto.ptr<bf16, ub>, "
        "!pto.mask<b32>\n"
        "  }\n"
        "  return\n"
        "}\n";
    const float s = 1.7F;
    uint16_t x[LANES], wanted[LANES];
    float wide[LANES];
    const pto_vcvt_op widen = {PTO_F32, PTO_BF16, PTO_VRND_R, false},
                      narrow = {PTO_BF16, PTO_F32, PTO_VRND_R, false};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_bytes("bf16", x, sizeof x);
    for (size_t i = 0; i < LANES; i++) x[i] &= 0xbfff; /* no NaNs, no overflow */
    assert_status(pto_vcvt(widen, x, PTO_NO_MASK, wide, LANES), PTO_OK);
    for (size_t i = 0; i < LANES; i++) wide[i] *= s;
    assert_status(pto_vcvt(narrow, wide, PTO_NO_MASK, wanted, LANES), PTO_OK);
    bind_array(p, "%x", PTO_BF16, x, LANES);
    bind_array(p, "%s", PTO_F32, &s, 1);
    run_lanes(p, LANES);
    check_value(p, "%y", PTO_BF16, wanted, LANES);
    pto_program_free(p);
}

static void mx_to_fp8(void **state) {
    static const char text[] =
        "%all = pto.mi.pset_b32 \"PAT_ALL\" : !pto.mi.mask<b32>\n"
        "%scaled = pto.mi.vmul %x, %reciprocal, %all\n"
        "  : !pto.mi.vreg<64xf32>, !pto.mi.vreg<64xf32>, !pto.mi.mask<b32> -> !pto.mi.vreg<64xf32>\n"
        "%fp8 = pto.mi.vcvt %scaled, %all {rnd = \"R\", sat = \"SAT\", part = \"P0\"}\n"
        "  : !pto.mi.vreg<64xf32>, !pto.mi.mask<b32> -> !pto.mi.vreg<256xf8E4M3FN>\n"
        "%bytes = pto.mi.vbitcast %fp8 : !pto.mi.vreg<256xf8E4M3FN> -> !pto.mi.vreg<256xui8>\n"
        "pto.mi.vsts %bytes, %y[%off], %all {dist = \"PK4_B32\"}\n"
        "  : !pto.mi.vreg<256xui8>, !pto.ptr<ui8, ub>, !pto.mi.mask<b32>\n";
    const pto_vcvt_op op = {PTO_E4M3, PTO_F32, PTO_VRND_R, true};
    float x[LANES], scale[LANES], scaled[LANES];
    unsigned char codes[LANES], spaced[LANES4] = {0};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_f32("mx", x, LANES);
    for (size_t i = 0; i < LANES; i++) {
        scale[i] = ldexpf(1, (int)(i / 32) * 3 - 6); /* one scale for each block of 32 */
        scaled[i] = x[i] * scale[i];
    }
    assert_status(pto_vcvt(op, scaled, PTO_NO_MASK, codes, LANES), PTO_OK);
    for (size_t i = 0; i < LANES; i++) spaced[4 * i] = codes[i];
    bind_array(p, "%x", PTO_F32, x, LANES);
    bind_array(p, "%reciprocal", PTO_F32, scale, LANES);
    run_lanes(p, LANES);
    check_value(p, "%fp8", PTO_E4M3, spaced, LANES4);
    check_value(p, "%y", PTO_U8, codes, LANES);
    pto_program_free(p);
}

static void mx_to_fp4_and_back(void **state) {
    static const char text[] =
        "%fp4 = pto.vcvt %x, %m {rnd = \"R\", part = \"P1\"} : !pto.vreg<128xbf16>, !pto.mask<b16> -> "
        "!pto.vreg<256xf4E2M1x2>\n"
        "%back = pto.vcvt %fp4, %m8 {part = \"P1\"} : !pto.vreg<256x!pto.f4E2M1x2>, !pto.mask<b8> -> "
        "!pto.vreg<128xbf16>\n";
    enum { N = 128, N2 = 2 * N, N4 = 4 * N };
    const pto_vcvt_op narrow = {PTO_E2M1, PTO_BF16, PTO_VRND_R, false},
                      widen = {PTO_BF16, PTO_E2M1, PTO_VRND_R, false};
    uint16_t x[N], back[N];
    unsigned char m[N], m8[N2], codes[N2], packed[N / 8] = {0}, by_code[N / 2] = {0};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_bytes("fp4", x, sizeof x);
    fill_bytes("fp4 m", m, sizeof m);
    fill_bytes("fp4 m8", m8, sizeof m8);
    for (size_t i = 0; i < N; i++) {
        m[i] &= 1;
        packed[i / 8] |= (unsigned char)(m[i] << i % 8);
    }
    for (size_t i = 0; i < N2; i++) {
        m8[i] &= 1;
        by_code[2 * i / 8] |= (unsigned char)(m8[i] << 2 * i % 8);
    }
    assert_status(pto_vcvt_part(narrow, PTO_PART_P1, x, pto_packed_in(packed), codes, N), PTO_OK);
    assert_status(pto_vcvt_part(widen, PTO_PART_P1, codes, pto_packed_in(by_code), back, N), PTO_OK);
    bind_array(p, "%x", PTO_BF16, x, N);
    bind_array(p, "%m", PTO_B8, m, N);
    bind_array(p, "%m8", PTO_B8, m8, N2);
    run_lanes(p, N);
    assert_memory_equal(value_of(p, "%fp4", PTO_E2M1, N4), codes, N2);
    check_value(p, "%back", PTO_BF16, back, N);
    pto_program_free(p);
}

static void elements_in_a_lane(void **state) {
    static const char text[] = "%fp4 = pto.vcvt %x, %m {rnd = \"R\", part = \"P1\"} : !pto.vreg<128xbf16>, "
                               "!pto.mask<b16> -> !pto.vreg<256xf4E2M1x2>\n"
                               "%b = pto.pset_b8 \"PAT_ALL\" : !pto.mask<b8>\n";
    static const struct {
        const char *name;
        size_t each;
    } expected[] = {{"%fp4", 4}, {"%x", 1}, {"%m", 1}, {"%b", 2}};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < pto_program_register_count(p); i++) {
        pto_program_register r;
        assert_status(pto_program_register_at(p, i, &r), PTO_OK);
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
            if (strcmp(r.name, expected[k].name) != 0) continue;
            assert_int_equal(r.each, expected[k].each);
            found++;
        }
    }
    assert_int_equal(found, sizeof expected / sizeof *expected);
    pto_program_free(p);
}

static void threshold_on_integers(void **state) {
    static const char text[] =
        "%low = arith.constant -100 : i16\n"
        "%m = pto.vcmps %x, %low, %seed, \"le\" : !pto.vreg<128xsi16>, i16, !pto.mask<b16> -> "
        "!pto.mask<b16>\n"
        "%lows = pto.vbr %low : i16 -> !pto.vreg<128xsi16>\n"
        "%r = pto.vsel %lows, %x, %m\n"
        "%top = pto.vmins %r, %high, %seed : !pto.vreg<NxT>, T, !pto.mask<G> -> !pto.vreg<NxT>\n";
    const int16_t high = 77;
    int16_t x[LANES], r[LANES], top[LANES];
    unsigned char seed[LANES], m[LANES];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_bytes("i16", x, sizeof x);
    for (size_t i = 0; i < LANES; i++) {
        if (i % 2) x[i] /= 256;
        seed[i] = i % 3 != 1;
        m[i] = seed[i] && x[i] <= -100;
        r[i] = x[i];
        if (m[i]) r[i] = -100;
        top[i] = r[i];
        if (top[i] > high) top[i] = high;
        if (!seed[i]) top[i] = 0;
    }
    bind_array(p, "%x", PTO_S16, x, LANES);
    bind_array(p, "%seed", PTO_B8, seed, LANES);
    bind_array(p, "%high", PTO_S16, &high, 1);
    run_lanes(p, LANES);
    check_value(p, "%m", PTO_B8, m, LANES);
    check_value(p, "%r", PTO_S16, r, LANES);
    check_value(p, "%top", PTO_S16, top, LANES);
    pto_program_free(p);
}

static void masks_packed_for_memory(void **state) {
    static const char text[] = "%all = pto.pge_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
                               "%m0 = pto.vcmp %a, %b, %all, \"eq\" : !pto.vreg<64xi32>, !pto.vreg<64xi32>, "
                               "!pto.mask<b32> -> !pto.mask<b32>\n"
                               "%m1 = pto.vcmp %a, %b, %all, \"gt\" : !pto.vreg<64xi32>, !pto.vreg<64xi32>, "
                               "!pto.mask<b32> -> !pto.mask<b32>\n"
                               "%m0_b8 = pto.pbitcast %m0 : !pto.mask<b32> -> !pto.mask<b8>\n"
                               "%m1_b8 = pto.pbitcast %m1 : !pto.mask<b32> -> !pto.mask<b8>\n"
                               "%lo, %hi = pto.pdintlv_b8 %m0_b8, %m1_b8 : !pto.mask<b8>, !pto.mask<b8> -> "
                               "!pto.mask<b8>, !pto.mask<b8>\n"
                               "%x, %y = pto.pintlv_b8 %lo, %hi\n";
    enum { N = 128, N4 = 4 * N };
    int32_t a[N], b[N];
    unsigned char m0[N4] = {0}, lo[N4] = {0}, hi[N4] = {0};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    for (size_t i = 0; i < N; i++) {
        a[i] = (int32_t)(i * 7 % 5);
        b[i] = (int32_t)(i * 3 % 5);
        m0[4 * i] = a[i] == b[i];
        /* each register has 256 bits; those with an even index go to lo */
        lo[i / 64 * 256 + i % 64 * 2] = a[i] == b[i];
        lo[i / 64 * 256 + 128 + i % 64 * 2] = a[i] > b[i];
    }
    bind_array(p, "%a", PTO_S32, a, N);
    bind_array(p, "%b", PTO_S32, b, N);
    run_lanes(p, N);
    check_value(p, "%m0_b8", PTO_B8, m0, N4);
    check_value(p, "%lo", PTO_B8, lo, N4);
    check_value(p, "%hi", PTO_B8, hi, N4);
    check_value(p, "%x", PTO_B8, m0, N4);
    pto_program_free(p);
}

static void masks_for_halves(void **state) {
    static const char text[] = "%lower = pto.ppack %m0, \"LOWER\" : !pto.mask<b32> -> !pto.mask<b16>\n"
                               "%higher = pto.ppack %m1, \"HIGHER\" : !pto.mask<b32> -> !pto.mask<b16>\n"
                               "%m = pto.por %lower, %higher, %all : !pto.mask<b16>, !pto.mask<b16>, "
                               "!pto.mask<b16> -> !pto.mask<b16>\n"
                               "%r = pto.vsel %x, %y, %m : !pto.vreg<128xf16>, !pto.vreg<128xf16>, "
                               "!pto.mask<b16> -> !pto.vreg<128xf16>\n"
                               "%back = pto.punpack %m, \"HIGHER\" : !pto.mask<b16> -> !pto.mask<b32>\n";
    enum { N = 150, N2 = 2 * N }; /* the last register has 22 lanes */
    unsigned char m0[N], m1[N], all[N2], m[N2], back[N];
    uint16_t x[N2], y[N2], r[N2];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_bytes("m0", m0, N);
    fill_bytes("m1", m1, N);
    fill_bytes("hx", x, sizeof x);
    fill_bytes("hy", y, sizeof y);
    for (size_t i = 0; i < N; i++) {
        m0[i] &= 1;
        m1[i] &= 1;
    }
    for (size_t i = 0; i < N2; i++) {
        const size_t reg = i / 128, lane = i % 128, from = reg * 64 + lane % 64;
        all[i] = 1;
        m[i] = from < N && (lane < 64 ? m0[from] : m1[from]);
        r[i] = m[i] ? x[i] : y[i];
    }
    for (size_t i = 0; i < N; i++) {
        const size_t from = i / 64 * 128 + 64 + i % 64;
        back[i] = from < N2 && m[from];
    }
    bind_array(p, "%m0", PTO_B8, m0, N);
    bind_array(p, "%m1", PTO_B8, m1, N);
    bind_array(p, "%all", PTO_B8, all, N2);
    bind_array(p, "%x", PTO_F16, x, N2);
    bind_array(p, "%y", PTO_F16, y, N2);
    run_lanes(p, N);
    check_value(p, "%m", PTO_B8, m, N2);
    check_value(p, "%r", PTO_F16, r, N2);
    check_value(p, "%back", PTO_B8, back, N);
    pto_program_free(p);
}

static void patterns_and_logic(void **state) {
    static const char text[] =
        "%m3 = pto.pset_b32 \"PAT_M3\" : !pto.mask<b32>\n"
        "%vl = pto.pset_b32 \"PAT_VL16\" : !pto.mask<b32>\n"
        "%h = pto.pset_b32 \"PAT_H\" : !pto.mask<b32>\n"
        "%none = pto.pset_b32 \"PAT_ALLF\" : !pto.mask<b32>\n"
        "%and = pto.pand %m3, %vl, %h : !pto.mask<b32>, !pto.mask<b32>, !pto.mask<b32> -> "
        "!pto.mask<b32>\n"
        "%xor = pto.pxor %m3, %vl, %h\n"
        "%not = pto.pnot %m3, %h : !pto.mask<b32>, !pto.mask<b32> -> !pto.mask<b32>\n"
        "%sel = pto.psel %m3, %none, %h\n"
        "%first, %left = pto.plt_b32 %n : i32 -> !pto.mask<b32>, i32\n"
        "%second, %rest = pto.plt_b32 %left : i32 -> !pto.mask<b32>, i32\n";
    unsigned char and[LANES], xor[LANES], not [LANES], sel[LANES], first[LANES], second[LANES];
    uint32_t rest[LANES];
    const uint32_t n = 70;
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    for (size_t i = 0; i < LANES; i++) {
        const size_t lane = i % 64;
        const bool m3 = lane % 3 == 0, vl = lane < 16, h = lane < 32;
        and[i] = m3 && vl && h;
        xor[i] = m3 != vl &&h;
        not [i] = !m3 && h;
        sel[i] = h && m3;
        first[i] = 1;
        second[i] = lane < 6;
        rest[i] = 0;
    }
    bind_array(p, "%n", PTO_U32, &n, 1);
    run_lanes(p, LANES);
    check_value(p, "%and", PTO_B8, and, LANES);
    check_value(p, "%xor", PTO_B8, xor, LANES);
    check_value(p, "%not", PTO_B8, not, LANES);
    check_value(p, "%sel", PTO_B8, sel, LANES);
    check_value(p, "%first", PTO_B8, first, LANES);
    check_value(p, "%second", PTO_B8, second, LANES);
    check_value(p, "%rest", PTO_S32, rest, LANES);
    pto_program_free(p);
}

static void reversed_and_permuted(void **state) {
    static const char text[] =
        "%m = pto.vcmp %a, %b, %all, \"lt\" : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> "
        "!pto.mask<b32>\n"
        "%max = pto.vselr %a, %b : !pto.vreg<64xf32>, !pto.vreg<64xf32> -> !pto.vreg<64xf32>\n"
        "%min = pto.vselr %a, %b, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> "
        "!pto.vreg<64xf32>\n"
        "%v2 = pto.vselrv2 %a, %b : !pto.vreg<64xf32>, !pto.vreg<64xf32> -> !pto.vreg<64xf32>\n"
        "%turned = pto.vselr %a, %idx : !pto.vreg<64xf32>, !pto.vreg<64xi32> -> !pto.vreg<64xf32>\n"
        "%lo, %hi = pto.vintlv %a, %b : !pto.vreg<64xf32>, !pto.vreg<64xf32> -> !pto.vreg<64xf32>, "
        "!pto.vreg<64xf32>\n"
        "%ea, %eb = pto.vdintlv %lo, %hi\n";
    enum { N = 128 };
    float a[N], b[N], max[N], min[N], turned[N], lo[N];
    unsigned char all[N];
    int32_t idx[N];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_f32("ra", a, N);
    fill_f32("rb", b, N);
    for (size_t i = 0; i < N; i++) {
        const size_t lane = i % 64, base = i - lane;
        all[i] = i % 4 != 0;
        idx[i] = (int32_t)(63 - lane + (i % 2 ? 64 : 0)); /* indices are taken modulo 64 */
        memcpy(&max[i], all[i] && a[i] < b[i] ? &b[i] : &a[i], 4);
        memcpy(&min[i], all[i] ? &b[i] : &a[i], 4);
        memcpy(&turned[i], &a[base + 63 - lane], 4);
        memcpy(&lo[i], lane % 2 ? &b[base + lane / 2] : &a[base + lane / 2], 4);
    }
    bind_array(p, "%a", PTO_F32, a, N);
    bind_array(p, "%b", PTO_F32, b, N);
    bind_array(p, "%all", PTO_B8, all, N);
    bind_array(p, "%idx", PTO_S32, idx, N);
    run_lanes(p, N);
    check_value(p, "%max", PTO_F32, max, N);
    check_value(p, "%min", PTO_F32, min, N);
    check_value(p, "%v2", PTO_F32, max, N);
    check_value(p, "%turned", PTO_F32, turned, N);
    check_value(p, "%lo", PTO_F32, lo, N);
    check_value(p, "%ea", PTO_F32, a, N);
    check_value(p, "%eb", PTO_F32, b, N);
    pto_program_free(p);
}

static void quantised(void **state) {
    static const char text[] =
        "%c255 = arith.constant 2.550000e+02 : f32\n"
        "%cst = arith.constant 0x80000000 : f32\n"
        "%mask = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
        "%scaled = pto.vmuls %input, %scale, %mask : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> "
        "!pto.vreg<64xf32>\n"
        "%low = pto.vmaxs %scaled, %cst, %mask : !pto.vreg<64xf32>, f32, !pto.mask<G> -> !pto.vreg<64xf32>\n"
        "%clamped = pto.vmins %low, %c255, %mask : !pto.vreg<64xf32>, f32, !pto.mask<G> -> "
        "!pto.vreg<64xf32>\n"
        "%whole = pto.vtrc %clamped, %mask, \"R\" : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
        "%q = pto.vcvt %clamped, %mask {rnd = \"R\", sat = \"SAT\"} : !pto.vreg<64xf32>, !pto.mask<b32> -> "
        "!pto.vreg<64xi32>\n"
        "%b = pto.vcvt %q, %mask {sat = \"NOSAT\", part = \"P2\"} : !pto.vreg<64xi32>, !pto.mask<b32> -> "
        "!pto.vreg<256xui8>\n"
        "%w = pto.vcvt %q, %half {part = \"EVEN\"} : !pto.vreg<64xi32>, !pto.mask<b32> -> "
        "!pto.vreg<32xsi64>\n"
        "%n = pto.vcvt %w, %half {sat = \"SAT\", part = \"ODD\"} : !pto.vreg<32xsi64>, !pto.mask<b32> -> "
        "!pto.vreg<64xi32>\n";
    enum {
        N = 70,
        N2 = 2 * N,
        N8 = 8 * N
    }; /* a lane of the program has 64 bits, and so two 32-bit elements */
    const float scale = 40;
    float x[N2], whole[N2];
    int32_t q[N2], n[N2];
    int64_t w[N];
    unsigned char b[N8], half[N2];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    memset(b, 0, sizeof b);
    fill_f32("quantise", x, N2);
    for (size_t i = 0; i < N2; i++) {
        const float s = x[i] * scale, low = s > 0 ? s : 0, c = low < 255 ? low : 255;
        if (x[i] != x[i]) x[i] = 1;
        whole[i] = rintf(x[i] == 1 ? 40 : c);
        if (x[i] * scale < 0 || f32_bits(x[i]) == 0x80000000) whole[i] = -0.0F;
        q[i] = (int32_t)whole[i];
        b[4 * i + 2] = (unsigned char)q[i];
        half[i] = i % 8 != 2;
        n[i] = 0;
    }
    for (size_t i = 0; i < N; i++) {
        w[i] = half[2 * i] ? q[2 * i] : 0;
        n[2 * i + 1] = half[2 * i] ? (int32_t)w[i] : 0;
    }
    bind_array(p, "%input", PTO_F32, x, N2);
    bind_array(p, "%scale", PTO_F32, &scale, 1);
    bind_array(p, "%half", PTO_B8, half, N2);
    run_lanes(p, N);
    check_value(p, "%whole", PTO_F32, whole, N2);
    check_value(p, "%q", PTO_S32, q, N2);
    check_value(p, "%b", PTO_U8, b, N8);
    check_value(p, "%w", PTO_S64, w, N);
    check_value(p, "%n", PTO_S32, n, N2);
    pto_program_free(p);
}

static void under_masks(void **state) {
    static const char text[] = "%s = pto.vadd %a, %b, %m : !pto.vreg<256xui8>, !pto.vreg<256xui8>, "
                               "!pto.mask<b8> -> !pto.vreg<256xui8>\n"
                               "%d = pto.vsub %a, %b, %m : !pto.vreg<256xui8>, !pto.vreg<256xui8>, "
                               "!pto.mask<b8> -> !pto.vreg<256xui8>\n"
                               "%x = pto.vmax %a, %b, %m : !pto.vreg<256xui8>, !pto.vreg<256xui8>, "
                               "!pto.mask<b8> -> !pto.vreg<256xui8>\n"
                               "%n = pto.vmin %a, %b, %m : !pto.vreg<256xui8>, !pto.vreg<256xui8>, "
                               "!pto.mask<b8> -> !pto.vreg<256xui8>\n"
                               "%y = pto.vxor %a, %b, %m : !pto.vreg<256xui8>, !pto.vreg<256xui8>, "
                               "!pto.mask<b8> -> !pto.vreg<256xui8>\n"
                               "%p = pto.vmul %h, %h, %m16 : !pto.vreg<128xui16>, !pto.vreg<128xui16>, "
                               "!pto.mask<b16> -> !pto.vreg<128xui16>\n";
    enum { N = 600, N2 = 2 * N };
    static unsigned char a[N2], b[N2], m[N2], s[N2], d[N2], x[N2], n[N2], y[N2], m16[N];
    static uint16_t h[N], product[N];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_bytes("ua", a, sizeof a);
    fill_bytes("ub", b, sizeof b);
    fill_bytes("um", m, sizeof m);
    fill_bytes("uh", h, sizeof h);
    for (size_t i = 0; i < N2; i++) {
        m[i] &= 1;
        s[i] = m[i] ? (unsigned char)(a[i] + b[i]) : 0;
        d[i] = m[i] ? (unsigned char)(a[i] - b[i]) : 0;
        x[i] = !m[i] ? 0 : a[i] > b[i] ? a[i] : b[i];
        n[i] = !m[i] ? 0 : a[i] < b[i] ? a[i] : b[i];
        y[i] = m[i] ? a[i] ^ b[i] : 0;
    }
    for (size_t i = 0; i < N; i++) {
        m16[i] = i % 7 != 0;
        product[i] = m16[i] ? (uint16_t)((uint32_t)h[i] * h[i]) : 0;
    }
    bind_array(p, "%a", PTO_U8, a, N2);
    bind_array(p, "%b", PTO_U8, b, N2);
    bind_array(p, "%m", PTO_B8, m, N2);
    bind_array(p, "%h", PTO_U16, h, N);
    bind_array(p, "%m16", PTO_B8, m16, N);
    run_lanes(p, N);
    check_value(p, "%s", PTO_U8, s, N2);
    check_value(p, "%d", PTO_U8, d, N2);
    check_value(p, "%x", PTO_U8, x, N2);
    check_value(p, "%n", PTO_U8, n, N2);
    check_value(p, "%y", PTO_U8, y, N2);
    check_value(p, "%p", PTO_U16, product, N);
    pto_program_free(p);
}

static void nan_by_profile(void **state) {
    static const char text[] =
        "%ne = pto.vcmp %a, %b, %all, \"ne\" : !pto.vreg<64xf32>, !pto.vreg<64xf32>, "
        "!pto.mask<b32> -> !pto.mask<b32>\n"
        "%nei = pto.vcmps %i, %k, %all, \"ne\" : !pto.vreg<64xi32>, i32, !pto.mask<b32> -> "
        "!pto.mask<b32>\n"
        "%x = pto.vmax %a, %b, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> "
        "!pto.vreg<64xf32>\n";
    const float a[4] = {1, NAN, 2, NAN}, b[4] = {1, 1, 3, NAN};
    const int32_t i[4] = {5, 6, 7, 5}, k = 5;
    const unsigned char all = 1, ptx[4] = {0, 0, 1, 0}, a5[4] = {0, 1, 1, 1}, nei[4] = {0, 1, 1, 0};
    (void)state;
    for (int profile = 0; profile < 2; profile++) {
        pto_program *p = program_of(text, profile ? PTO_PROFILE_A5 : PTO_PROFILE_PTX);
        const float *x;
        bind_array(p, "%a", PTO_F32, a, 4);
        bind_array(p, "%b", PTO_F32, b, 4);
        bind_array(p, "%i", PTO_S32, i, 4);
        bind_array(p, "%k", PTO_S32, &k, 1);
        bind_array(p, "%all", PTO_U8, &all, 1);
        run_lanes(p, 4);
        check_value(p, "%ne", PTO_B8, profile ? a5 : ptx, 4);
        check_value(p, "%nei", PTO_B8, nei, 4);
        x = value_of(p, "%x", PTO_F32, 4);
        assert_true(isnan(x[1]) && isnan(x[3]) && x[2] == 3);
        pto_program_free(p);
    }
}

static void last_register_is_short(void **state) {
    static const char text[] =
        "%first = pto.vselr %h, %numbers : !pto.vreg<128xf16>, !pto.vreg<128xui16> -> !pto.vreg<128xf16>\n"
        "%last = pto.vdup %h, %m {position = \"HIGHEST\"} : !pto.vreg<128xf16>, !pto.mask<b16> -> "
        "!pto.vreg<128xf16>\n"
        "%f = pto.vlds %narrow[%c0] {dist = \"UNPK_B16\"} : !pto.ptr<f16, ub> -> !pto.vreg<128xf16>\n"
        "%odd = pto.vcvt %f, %m {part = \"ODD\"} : !pto.vreg<128xf16>, !pto.mask<b16> -> !pto.vreg<64xf32>\n"
        "pto.vsts %h, %memory[%c0], %m : !pto.vreg<128xf16>, !pto.ptr<f16, ub>, !pto.mask<b16>\n";
    enum { N = 70, N2 = 2 * N };
    const uint16_t seven = 7, one = 0x3c00;
    uint16_t h[N2], numbers[N2], first[N2], last[N2], narrow[N], memory[N2], stored[N2];
    unsigned char m[N2];
    const float odd[N] = {0};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_bytes("short", h, sizeof h);
    for (size_t i = 0; i < N2; i++) {
        const size_t lane = i % 128;
        numbers[i] = (uint16_t)(127 - lane);
        first[i] = i < 128 ? h[127 - lane] : 0; /* the last register has twelve lanes */
        m[i] = i % 3 != 0;
        last[i] = i < 128 && m[i] ? h[127] : 0;
        memory[i] = seven;
        stored[i] = m[i] ? h[i] : seven;
    }
    for (size_t i = 0; i < N; i++) narrow[i] = one;
    bind_array(p, "%h", PTO_F16, h, N2);
    bind_array(p, "%numbers", PTO_U16, numbers, N2);
    bind_array(p, "%m", PTO_B8, m, N2);
    bind_array(p, "%narrow", PTO_F16, narrow, N);
    bind_array(p, "%memory", PTO_F16, memory, N2);
    run_lanes(p, N);
    check_value(p, "%first", PTO_F16, first, N2);
    check_value(p, "%last", PTO_F16, last, N2);
    check_value(p, "%odd", PTO_F32, odd, N);
    check_value(p, "%memory", PTO_F16, stored, N2);
    bind_array(p, "%memory", PTO_F16, &seven, 1); /* a scalar gives the same result */
    run_lanes(p, N);
    check_value(p, "%memory", PTO_F16, stored, N2);
    pto_program_free(p);
}

static void hif8_rounds_away(void **state) {
    static const char text[] = "%y = pto.vcvt %x, %m {part = \"P0\"} : !pto.vreg<64xf32>, !pto.mask<b32> -> "
                               "!pto.vreg<256x!pto.hif8>\n";
    const pto_vcvt_op op = {PTO_HIF8, PTO_F32, PTO_VRND_A, false};
    const unsigned char m = 1;
    float x[LANES];
    unsigned char codes[LANES], y[LANES4] = {0};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    fill_f32("hif8", x, LANES);
    assert_status(pto_vcvt(op, x, PTO_NO_MASK, codes, LANES), PTO_OK);
    for (size_t i = 0; i < LANES; i++) y[4 * i] = codes[i];
    bind_array(p, "%x", PTO_F32, x, LANES);
    bind_array(p, "%m", PTO_U8, &m, 1);
    run_lanes(p, LANES);
    check_value(p, "%y", PTO_HIF8, y, LANES4);
    pto_program_free(p);
}

/* A program reuses memory from run to run, and must adapt it to the length of the current run. */
static void runs_of_other_lengths(void **state) {
    static const char text[] = "%y = pto.vcvt %x {rnd = \"Z\", sat = \"NOSAT\", part = \"EVEN\"} : "
                               "!pto.vreg<64xf32> -> !pto.vreg<128xsi16>\n";
    static float x[LANES4];
    static int16_t y[2 * LANES4];
    const size_t lengths[] = {3, LANES4, 3, 0, LANES};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    for (size_t i = 0; i < LANES4; i++) {
        x[i] = (float)(65536 * (i % 64 + 1) + i) + 0.5F; /* only the low bits remain */
        y[2 * i] = (int16_t)i;
    }
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const size_t n = lengths[k];
        bind_array(p, "%x", PTO_F32, x, n);
        run_lanes(p, n);
        check_value(p, "%y", PTO_S16, y, 2 * n);
    }
    pto_program_free(p);
}

static void loop_of_so_many_registers(void **state) {
    static const char text[] = "scf.for %i = %c0 to %c250 step %c64 {\n"
                               "  %m = pto.pset_b32 \"PAT_VL8\" : !pto.mask<b32>\n"
                               "}\n";
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    assert_status(pto_program_run(p, 192), PTO_ERR_SIZE);
    assert_non_null(strstr(pto_program_problem(p)->text, "4 registers of 64 lanes"));
    assert_status(pto_program_run(p, 257), PTO_ERR_SIZE);
    run_lanes(p, 193);
    run_lanes(p, 256);
    pto_program_free(p);
}

static void integers_and_casts(void **state) {
    static const char text[] =
        "func.func @f(%x: !pto.ptr<i32, ub>, %rows: i32) {\n"
        "  %c2 = arith.constant 2 : index\n"
        "  %c3 = arith.constant 3 : index\n"
        "  %n_index = arith.index_cast %rows : i32 to index\n"
        "  %n = arith.index_cast %n_index : index to i32\n"
        "  %k = arith.constant -5 : i32\n"
        "  scf.for %i = %c0 to %count step %c1 iter_args(%left = %n) -> (i32) {\n"
        "    %a = arith.addi %c64, %c2 : index\n"
        "    %minus = arith.constant -4 : i16\n"
        "    %minus_index = arith.index_cast %minus : i16 to index\n"
        "    %less = arith.addi %a, %minus_index : index\n"
        "    %b = arith.subi %c126, %less : index\n"
        "    %off = arith.muli %i, %b : index\n"
        "    %m, %next = pto.plt_b32 %left : i32 -> !pto.mask<b32>, i32\n"
        "    %v = pto.vlds %x[%off] : !pto.ptr<i32, ub>, index -> !pto.vreg<64xi32>\n"
        "    %s = pto.vadds %v, %k, %m : !pto.vreg<64xi32>, i32, !pto.mask<b32> -> !pto.vreg<64xi32>\n"
        "    %next_index = arith.index_cast %next : i32 to index\n"
        "    %last = arith.index_cast %next_index : index to i32\n"
        "    scf.yield %last : i32\n"
        "  } {loop = 1 : i32}\n"
        "  return\n"
        "}\n";
    const int32_t rows = 99;
    int32_t x[LANES], s[LANES];
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    for (size_t i = 0; i < LANES; i++) {
        x[i] = (int32_t)i * 3;
        s[i] = i < 99 ? x[i] - 5 : 0;
    }
    bind_array(p, "%x", PTO_S32, x, LANES);
    bind_array(p, "%rows", PTO_S32, &rows, 1);
    run_lanes(p, LANES);
    check_value(p, "%s", PTO_S32, s, LANES);
    pto_program_free(p);
}

static void trace_line(void *user, const pto_program_step *step) {
    char *text = user;
    const size_t length = strlen(text);
    (void)snprintf(text + length, 200 - length, "%zu %s %zu+%zu;", step->line, step->name, step->first,
                   step->lanes);
}

static void traced(void **state) {
    char said[200] = "";
    const pto_program_options options = {.trace = trace_line, .user = said};
    pto_program *p = pto_program_new("%m, %n = pto.plt_b16 %c : i32 -> !pto.mask<b16>, i32\n"
                                     "%w = pto.vcvt %h, %m {part = \"ODD\"}\n"
                                     " : !pto.vreg<128xf16>, !pto.mask<b16> -> !pto.vreg<64xf32>\n",
                                     options, NULL);
    const int32_t c = 3;
    const uint16_t h = 0x3c00;
    const float one[2] = {1, 0};
    (void)state;
    assert_non_null(p);
    bind_array(p, "%c", PTO_S32, &c, 1);
    bind_array(p, "%h", PTO_F16, &h, 1);
    run_lanes(p, 2);
    check_value(p, "%w", PTO_F32, one, 2);
    assert_string_equal(said, "1 %m 0+4;1 %n 0+2;2 %w 0+2;");
    pto_program_free(p);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(loop_with_plt),
        cmocka_unit_test(remaining_goes_down_over_blocks),
        cmocka_unit_test(halves_packed),
        cmocka_unit_test(mixed_precision),
        cmocka_unit_test(mx_to_fp8),
        cmocka_unit_test(mx_to_fp4_and_back),
        cmocka_unit_test(elements_in_a_lane),
        cmocka_unit_test(threshold_on_integers),
        cmocka_unit_test(masks_packed_for_memory),
        cmocka_unit_test(masks_for_halves),
        cmocka_unit_test(patterns_and_logic),
        cmocka_unit_test(reversed_and_permuted),
        cmocka_unit_test(quantised),
        cmocka_unit_test(under_masks),
        cmocka_unit_test(nan_by_profile),
        cmocka_unit_test(last_register_is_short),
        cmocka_unit_test(hif8_rounds_away),
        cmocka_unit_test(runs_of_other_lengths),
        cmocka_unit_test(loop_of_so_many_registers),
        cmocka_unit_test(integers_and_casts),
        cmocka_unit_test(traced),
    };
    const int status = harness_start(argc, argv);
    if (status) return status;
    return harness_end(cmocka_run_group_tests_name("pto_programs", tests, NULL, NULL));
}
