/* SPDX-License-Identifier: MIT */
/* Worked examples of cvt. */
#include "support/cvt_examples.h"

#include <stdlib.h>
#include <string.h>

/* Known results. They are from running NVIDIA's public headers on the host, or from what ptxas computes for constant
 * operands. For forms since PTX ISA 9.1, some are from NVIDIA's public tests on a chip, and others were calculated by
 * the rules in docs/semantics.md. */
static const struct {
    const char *form;
    const char *pairs; /* "input:output ..." or "input/scale:output ..." in hexadecimal */
} rows[] = {
    {"cvt.rn.f16.f32", "3f801000:3c00 3f803000:3c02 477fefff:7bff 477ff000:7c00 33000000:0000 33000001:0001 "
                       "b3000001:8001 387fffff:0400 7f800001:7fff ff800000:fc00"},
    {"cvt.rz.f16.f32", "3f801fff:3c00 7f7fffff:7bff b3ffffff:8001 ff800000:fc00"},
    {"cvt.rm.f16.f32", "3f801fff:3c00 bf800001:bc01 80000001:8001 ff7fffff:fc00 7f7fffff:7bff"},
    {"cvt.rp.f16.f32", "3f800001:3c01 00000001:0001 80000001:8000 7f7fffff:7c00 ff7fffff:fbff"},
    {"cvt.rn.bf16.f32", "3f808000:3f80 3f818000:3f82 3f808001:3f81 7f7f7fff:7f7f 7f7f8000:7f80 00008000:0000 "
                        "00018000:0002 ffc00001:7fff"},
    {"cvt.rz.bf16.f32", "7f7fffff:7f7f 0000ffff:0000 bfffffff:bfff"},
    {"cvt.rm.bf16.f32", "80000001:8001 ff7fffff:ff80 7f7fffff:7f7f"},
    {"cvt.rp.bf16.f32", "00000001:0001 7f7fffff:7f80 ff7fffff:ff7f"},
    {"cvt.rn.f16.f64",
     "3ff0020000000001:3c01 3ff0020000000000:3c00 40effe0000000000:7c00 3e60000000000001:0001"},
    {"cvt.rn.bf16.f64",
     "3ff0100000000001:3f81 3ff0100000000000:3f80 3ff00fffffffffff:3f80 47efefffffffffff:7f7f"},
    {"cvt.rn.satfinite.e4m3x2.f32",
     "3f880000:38 3f980000:3a 43e00000:7e 43e80000:7e 43e80001:7e 7f800000:7e ff800000:fe 7fc00000:7f "
     "ffc00001:7f 3a800000:00 3a800001:01 80000000:80 c3e10000:fe"},
    {"cvt.rn.satfinite.e5m2x2.f32", "3f900000:3c 3fb00000:3e 47600000:7b 476fffff:7b 47700000:7b 7f800000:7b "
                                    "7fc00000:7f 37000000:00 37000001:01 b7c00000:82"},
    {"cvt.rn.satfinite.e2m3x2.f32", "3f880000:08 40f00000:1f 40f80000:1f ff800000:3f ffc00000:1f 3d800000:00 "
                                    "3d800001:01 bf700000:28 80000000:20"},
    {"cvt.rn.satfinite.e3m2x2.f32",
     "3f900000:0c 41e00000:1f 41f00000:1f ff7fffff:3f 7fc00000:1f 3d000000:00 3d000001:01 3e700000:04"},
    {"cvt.rn.satfinite.e2m1x2.f32",
     "3e800000:0 3e800001:1 3f400000:2 3fa00000:2 3fe00000:4 40200000:4 40600000:6 40a00000:6 40a00001:7 "
     "7f800000:7 ff800000:f ffc00000:7 80000001:8"},
    {"cvt.rn.satfinite.e4m3x2.f16x2",
     "3c40:38 3cc0:3a 5f40:7e 5f41:7e 7c00:7e fc00:fe 7c01:7f 1400:00 1401:01"},
    {"cvt.rn.satfinite.e5m2x2.f16x2", "3c80:3c 3d80:3e 7bff:7b fbff:fb fc00:fb fe00:7f 0080:00 0081:01"},
    {"cvt.rn.satfinite.e2m1x2.f16x2", "3400:0 3401:1 4500:6 4501:7 fc00:f fe00:7"},
    {"cvt.rn.f16x2.e4m3x2", "01:1800 07:2300 08:2400 38:3c00 7e:5f00 7f:7fff ff:7fff 80:8000 fe:df00"},
    {"cvt.rn.f16x2.e5m2x2", "01:0100 03:0300 04:0400 7b:7b00 7c:7c00 fc:fc00 7d:7fff fe:7fff 80:8000"},
    {"cvt.rn.f16x2.e2m3x2", "01:3000 07:3b00 08:3c00 1f:4780 20:8000 3f:c780"},
    {"cvt.rn.f16x2.e3m2x2", "01:2c00 03:3200 04:3400 1f:4f00 20:8000 3f:cf00"},
    {"cvt.rn.f16x2.e2m1x2", "0:0000 1:3800 2:3c00 3:3e00 4:4000 5:4200 6:4400 7:4600 8:8000 f:c600"},
    {"cvt.rz.ue8m0x2.f32", "3f800000:7f 3fffffff:7f 00000000:00 00000001:00 007fffff:00 7f7fffff:fe "
                           "7f800000:ff ffc00000:ff c0400000:80"},
    {"cvt.rz.satfinite.ue8m0x2.f32", "7f7fffff:fe 7f800000:fe ff800000:fe 7fc00000:ff"},
    {"cvt.rp.ue8m0x2.f32",
     "3f800000:7f 3f800001:80 00400000:00 00400001:01 c0400000:81 7f000000:fe 7f000001:ff 7f800000:ff"},
    {"cvt.rp.satfinite.ue8m0x2.f32", "7f000001:fe 7f800000:fe 7fc00000:ff 80000000:00"},
    {"cvt.rp.ue8m0x2.bf16x2", "3f80:7f 3f81:80 0040:00 0041:01 7f01:ff 7f80:ff"},
    {"cvt.rn.bf16x2.ue8m0x2", "00:0040 01:0080 7f:3f80 fe:7f00 ff:7fff"},
    {"cvt.f32.f16", "0001:33800000 83ff:b87fc000 7c00:7f800000 7c01:7fffffff fe00:7fffffff"},
    {"cvt.rn.f16.s32", "00000801:6800 00000803:6802 0000ffef:7bff 0000fff0:7c00 ffff0000:fc00"},
    {"cvt.rz.f16.s32", "7fffffff:7bff 80000000:fbff"},
    {"cvt.rp.f16.s32", "00000801:6801 80000000:fbff 0000ffe1:7c00"},
    {"cvt.rn.bf16.s32", "00000101:4380 00000103:4382 7fffffff:4f00 fffffeff:c380"},
    {"cvt.rn.bf16.u64", "ffffffffffffffff:5f80 0101000000000000:5b80 0101000000000001:5b81"},
    {"cvt.rzi.s8.f16", "57f0:7f 5800:7f d800:80 d801:80 7c00:7f fe00:00"},
    {"cvt.rzi.u8.bf16", "437f:ff 4380:ff bf80:00 7fc0:00"},
    {"cvt.rzi.s64.f16", "7c00:7fffffffffffffff fc00:8000000000000000 7e00:8000000000000000"},
    {"cvt.rzi.u64.bf16",
     "7f80:ffffffffffffffff bf80:0000000000000000 5f80:ffffffffffffffff 7fc0:8000000000000000"},
    {"cvt.rn.f16.f64",
     "40effdffffffffff:7bff 7ff0000000000001:7e00 fff4000000000005:ff00"}, /* NaNs from an H100 */
    {"cvt.rz.f16.f64", "7ff7ffffffffffff:7fff fff0000000000001:fe00 7ff8000000000000:7e00"},
    {"cvt.rm.bf16.f64", "7ff4000000000005:7fe0 fff0000000000002:ffc0 7ff0000000000001:7fc0"},
    {"cvt.rp.sat.f16.f64", "fff4000000000005:0000"},
    {"cvt.rn.sat.f16.f32", "7fc00000:0000 80000000:0000 3f800001:3c00 bf800000:0000 33800000:0001"},
    {"cvt.rn.ftz.bf16.f32", "007fffff:0000 807fffff:8000 00800000:0080"},
    {"cvt.ftz.f32.bf16", "0001:00000000 807f:80000000 0080:00800000"},
    {"cvt.ftz.f32.f32", "00000001:00000000 807fffff:80000000 00800000:00800000"},
    {"cvt.f32.f32", "7f800001:7f800001 80000001:80000001"},
    {"cvt.sat.f32.f32", "80000000:00000000 bf800000:00000000 7f800000:3f800000 7fc00001:00000000 "
                        "00000001:00000001 3f800001:3f800000"},
    {"cvt.rni.f32.f32", "3f000000:00000000 3fc00000:40000000 40200000:40000000 bf000000:80000000 "
                        "be99999a:80000000 4b800001:4b800001"},
    {"cvt.rmi.f32.f32", "80000001:bf800000 3f7fffff:00000000 80000000:80000000"},
    {"cvt.rmi.ftz.f32.f32", "80000001:80000000 bf000000:bf800000"},
    {"cvt.rpi.f32.f32", "00000001:3f800000 bf000000:80000000"},
    {"cvt.rpi.sat.f64.f64", "0000000000000001:3ff0000000000000 bfe0000000000000:0000000000000000"},
    {"cvt.rn.f32.f64", "3ff0000010000000:3f800000 3ff0000030000000:3f800002 47efffffefffffff:7f7fffff "
                       "47effffff0000000:7f800000 3690000000000000:00000000 3690000000000001:00000001 "
                       "380fffffefffffff:00800000 380fffffffffffff:00800000"},
    {"cvt.rn.ftz.f32.f64", "380fffffefffffff:00000000 380ffffff0000000:00800000 b80ffffff0000001:80800000 "
                           "b80fffffe0000000:80000000"},
    {"cvt.f64.f32", "00000001:36a0000000000000 3f800001:3ff0000020000000 ff800000:fff0000000000000"},
    {"cvt.ftz.f64.f32", "00000001:0000000000000000 807fffff:8000000000000000"},
    {"cvt.ftz.f64.f32", "ff800001:7fffffffe0000000"},
    {"cvt.f64.f16",
     "0001:3e70000000000000 fc00:fff0000000000000 7c01:7ff8040000000000 fd05:fffc140000000000"},
    {"cvt.sat.f64.f16", "fc01:0000000000000000"},
    {"cvt.f64.bf16", "7f81:7ff8200000000000 ffbf:ffffe00000000000"},
    {"cvt.rm.f64.bf16", "ffa5:fffca00000000000 7f82:7ff8400000000000"},
    {"cvt.rn.tf32.f32", "7f800001:7fffe000 ffffffff:7fffe000"},
    {"cvt.rz.relu.tf32.f32", "ffbfffff:7fffe000 80000000:00000000"},
    {"cvt.rna.tf32.f32", "7f800001:7f800000 ffffffff:ffffe000"},
    {"cvt.rna.tf32.f32", "3f800fff:3f800000 3f801000:3f802000 3f803000:3f804000 bf801000:bf802000 "
                         "7f7fffff:7f800000 00001000:00002000"},
    {"cvt.rna.satfinite.tf32.f32", "7f7fffff:7f7fe000 ff800000:ff7fe000 7f7fefff:7f7fe000"},
    {"cvt.rn.f32.s32", "01000001:4b800000 01000003:4b800002 7fffffff:4f000000 80000000:cf000000"},
    {"cvt.rn.f32.u32", "ffffffff:4f800000 80000080:4f000000 80000180:4f000002"},
    {"cvt.rn.sat.f32.s32", "00000002:3f800000 ffffffff:00000000 00000000:00000000"},
    {"cvt.rni.s32.f32", "3f000000:00000000 3fc00000:00000002 c0200000:fffffffe 4f000000:7fffffff "
                        "cf000001:80000000 ff800000:80000000"},
    {"cvt.rzi.s32.f32", "bfffffff:ffffffff 4effffff:7fffff80 7f800000:7fffffff"},
    {"cvt.rzi.u32.f32", "bf7fffff:00000000 c0000000:00000000 4f800000:ffffffff 4f7fffff:ffffff00"},
    {"cvt.rzi.u16.f32", "47800000:ffff 477fff80:ffff bf800000:0000"},
    {"cvt.rzi.s64.f64", "43e0000000000000:7fffffffffffffff c3e0000000000001:8000000000000000 "
                        "43dfffffffffffff:7ffffffffffffc00 bfefffffffffffff:0000000000000000"},
    {"cvt.rni.u64.f32", "5f800000:ffffffffffffffff 5f7fffff:ffffff0000000000 bf800000:0000000000000000"},
    {"cvt.rni.s32.f16", "3800:00000000 3e00:00000002 fc00:80000000 7bff:0000ffe0"},
    {"cvt.s8.s32", "0000017f:7f 00000080:80 ffffff7f:7f"},
    {"cvt.u8.s32", "000001ff:ff ffffff80:80"},
    {"cvt.sat.u8.s32", "ffffffff:00 00000100:ff 000000ff:ff"},
    {"cvt.sat.s8.u32", "00000080:7f ffffffff:7f"},
    {"cvt.s16.u32", "00018080:8080"},
    {"cvt.sat.s32.s64", "0000000080000000:7fffffff ffffffff7fffffff:80000000 8000000000000000:80000000"},
    {"cvt.sat.u32.s64", "ffffffffffffffff:00000000 0000000100000000:ffffffff"},
    {"cvt.sat.s64.u64", "8000000000000000:7fffffffffffffff 7fffffffffffffff:7fffffffffffffff"},
    {"cvt.s64.u32", "80000000:0000000080000000"},
    {"cvt.s64.s32", "80000000:ffffffff80000000"},
    /* Forms since PTX ISA 9.1. */
    {"cvt.rn.satfinite.e4m3x2.bf16x2", "3f84:38 3f88:38 3f98:3a 43e8:7e 7f80:7e ff80:fe 7fc0:7f ffc1:7f "
                                       "8000:80 3b00:01 3a80:00 3a81:01"},
    {"cvt.rn.satfinite.e2m3x2.f16x2", "3c40:08 3cc0:0a 4780:1f 47c0:1f 7c00:1f fc00:3f fe00:1f 2c00:00 "
                                      "2c01:01 8000:20"},
    {"cvt.rz.satfinite.e2m1x2.f32", "3fbfffff:2 3fc00000:3 7f800000:7 ff800000:f 7fc00000:7 bf7fffff:9 "
                                    "80000001:8"},
    {"cvt.rn.ue5m3x2.f32", "3f800000:78 3f880000:78 3f980000:7a bf800000:78 47e80000:fe "
                           "47e80001:ff 7f800000:ff 36800000:00 36800001:01"},
    {"cvt.rp.satfinite.ue5m3x2.f32", "00000001:01 3f800001:79 7f800000:fe 7fc00000:ff"},
    {"cvt.rn.f16x2.ue5m3x2", "01:0080 08:0400 78:3c00 f7:7b80 f8:7c00 fe:7c00 ff:7fff"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32",
     "3f800000/77:78 bf800000/77:f8 04800000/00:7e 80000000/7f:80 "
     "00080000/00:00 3f800000/ff:7f"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.f32",
     "41980000/7f:4d 04800000/00:60 47700000/7f:7b ff800000/7f:fb "
     "43e00000/fe:00"},
    {"cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",
     "38/7f:3f80 b8/80:c000 7e/f6:7f60 7e/f7:7f80 04/00:0000 05/00:0001 "
     "38/00:0040 38/ff:7fff"},
    {"cvt.rn.satfinite.s2f6x2.f32", "3f800000:40 bf800000:c0 3ffe0000:7f 40000000:7f c0000000:80 "
                                    "c2c80000:80 3c000000:00 3cc00000:02 7fc00000:7f"},
    {"cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2",
     "01/85:3f80 80/85:c300 7f/85:42fe 80/fe:ff80 01/00:0001 00/7f:0000"},
    {"cvt.rz.satfinite.pzo.e4m3x2.f32", "8da24260:00 80000000:00 bf800000:b8"},
    /* Calculated by the rules in docs/semantics.md, "Since PTX ISA 9.1" and "Scales". */
    {"cvt.rn.bf16x2.e5m2x2", "7b:4760 7c:7f80 fc:ff80 7d:7fff ff:7fff 80:8000 01:3780"},
    {"cvt.rn.satfinite.bf16x2.e5m2x2", "7c:7f7f fc:ff7f fe:7fff"},
    {"cvt.rn.relu.bf16x2.e5m2x2", "fc:0000 80:0000 bc:0000 7c:7f80 ff:7fff"},
    {"cvt.rn.bf16x2.e4m3x2", "7f:7fff ff:7fff 80:8000 7e:43e0 01:3b00"},
    {"cvt.rn.bf16x2.e2m1x2", "7:40c0 8:8000 f:c0c0"},
    {"cvt.rn.bf16x2.e3m2x2", "1f:41e0 21:bd80"},
    {"cvt.rn.bf16x2.ue5m3x2", "00:0000 01:3700 fe:47e0 ff:7fff"},
    {"cvt.rz.ue5m3x2.f32", "7f800000:ff 7f7fffff:fe 47efffff:fe ffc00000:ff 00000001:00"},
    {"cvt.rz.satfinite.ue5m3x2.f32", "7f800000:fe ff800000:fe 7fc00000:ff"},
    {"cvt.rn.satfinite.ue5m3x2.f16x2", "7bff:f8 fc00:fe 7e00:ff"},
    {"cvt.rp.ue5m3x2.bf16x2", "0001:01 8001:01 0000:00 47e1:ff 47e0:fe"},
    {"cvt.rn.scaled::n1::ue8m0.ue5m3x2.f32", "3f800000/ff:ff 00000000/ff:ff 007fffff/00:00 bf800000/80:70"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32",
     "7f61b1e6/fe:3e 7f800000/7f:7e 807fffff/00:80 7fc00000/7f:7f"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.f32", "7f61b1e6/fe:3f"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f16x2", "03ff/00:00 83ff/00:80 0400/71:38 8001/ff:7f"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.bf16x2", "007f/00:00 807f/00:80 0080/01:38 ff80/00:fe"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e2m3x2.f32", "3f800000/ff:1f bf800000/7e:30"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e2m1x2.f32", "00000000/ff:7 bf800000/7e:c"},
    {"cvt.rn.satfinite.pzo.scaled::n1::ue8m0.e4m3x2.f32", "80000001/7f:00 80000000/ff:7f bf800000/7f:b8"},
    {"cvt.rz.satfinite.e4m3x2.f32",
     "43ffffff:7e ff800000:fe 3fffffff:3f 3affffff:00 bb000000:81 7fc00000:7f"},
    {"cvt.rz.satfinite.e5m2x2.bf16x2", "3fff:3f 7f7f:7b 8001:80 7f81:7f"},
    {"cvt.rn.pzo.f16.f32",
     "80000000:0000 b3000000:0000 b3000001:8001 bf800000:bc00 ffc00001:7fff ff800000:fc00"},
    {"cvt.rz.satfinite.pzo.bf16x2.f32", "8000ffff:0000 80010000:8001 ff800000:ff7f"},
    {"cvt.rn.pzo.tf32.f32", "80000000:00000000 80000fff:00000000 80003000:80004000"},
    {"cvt.rn.scaled::n2::ue8m0.bf16x2.e5m2x2", "7c/00:7f80 fc/ff:7fff 80/00:8000"},
    {"cvt.rn.relu.satfinite.scaled::n2::ue8m0.bf16x2.e4m3x2", "b8/ff:7fff b8/7f:0000 7e/fe:7f7f"},
    {"cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.s2f6x2", "80/fe:ff7f 80/fd:ff00"},
    {"cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32",
     "3f800000/ff:7f bf800000/80:e0 00000001/00:00 80000001/00:00 00400000/00:40"},
    {"cvt.rn.satfinite.s2f6x2.bf16x2", "ff80:80 7f80:7f ffc0:7f 8000:00"},
    {"cvt.rn.satfinite.s2f6x2.f32", "ff800000:80 7f800000:7f ff7fffff:80 ffc00000:7f"},
    {"cvt.rz.satfinite.s2f6x2.f32", "3cc00000:01 bcc00000:ff bfffffff:81 80000000:00"},
    {"cvt.rn.relu.satfinite.s2f6x2.f32", "bf800000:00 ffc00000:7f 3f800000:40"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

const struct cvt_form *cvt_form_named(const char *text, size_t length) {
    for (size_t i = 0; i < cvt_forms_count; i++) {
        if (strlen(cvt_forms[i].text) == length && memcmp(cvt_forms[i].text, text, length) == 0)
            return &cvt_forms[i];
    }
    return NULL;
}

struct cvt_example cvt_example(size_t i) {
    struct cvt_example e = {NULL, 0, 0, 0};
    for (size_t row = 0; row < ROWS; row++) {
        const char *at = rows[row].pairs;
        while (*at) {
            char *end;
            e.input = strtoull(at, &end, 16);
            e.scale = *end == '/' ? (uint32_t)strtoul(end + 1, &end, 16) : 0;
            e.output = strtoull(end + 1, &end, 16);
            at = end + strspn(end, " ");
            if (i-- != 0) continue;
            e.form = cvt_form_named(rows[row].form, strlen(rows[row].form));
            return e;
        }
    }
    return e;
}

/* Computed by hand from the table of random bits, because no NVIDIA tool evaluates .rs for constants. */
const struct cvt_example_rs cvt_examples_rs[CVT_EXAMPLES_RS] = {
    {"cvt.rs.satfinite.e4m3x4.f32", 0x3f890000, 0xf0f0f0f0, 0x38393839},
    {"cvt.rs.satfinite.e4m3x4.f32", 0x3f890000, 0x12345678, 0x38383838},
    {"cvt.rs.satfinite.e2m1x4.f32", 0x3f890000, 0xf0f0f0f0, 0x2323},
    {"cvt.rs.satfinite.e4m3x4.f32", 0x3f880000, 0x80000001, 0x38393938},
    {"cvt.rs.f16x2.f32", 0x3f801000, 0x0fff1000, 0x3c003c01},
    {"cvt.rs.bf16x2.f32", 0x3f808000, 0x7fff8000, 0x3f803f81},
};
